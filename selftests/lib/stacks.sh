# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions that make stacks of block devices for tests. A test sources this file after ktap.sh;
# this file sources disks.sh.
#
# Each stack_ function puts a new device on top of other devices, which are given by their kernel
# names. It sets STACK to the kernel name of the new device and has the device removed at the end
# of the test. The calls nest:
#
#	stack_partitions nvme0n1 1G 1G && a=$STACK b=$STACK2
#	stack_md 1 "$a" "$b" && stack_crypt "$STACK" || skip "crypt over raid1" "$STACK_WHY"
#
# A function returns 1, with the reason in STACK_WHY, if this kernel lacks what the stack needs.
# Data on the legs is lost.

# shellcheck source=selftests/lib/disks.sh
. "$(dirname "${BASH_SOURCE[0]}")/disks.sh"

STACK='' STACK_WHY='' STACK_COUNT=0

lacks() {
	# shellcheck disable=SC2034 # for tests
	STACK="" STACK_WHY=$1
	return 1
}

# try COMMAND...: runs COMMAND; if it fails, its output is the reason in STACK_WHY
try() {
	local out

	out=$("$@" 2>&1 </dev/null) || lacks "$1 $2: $(xargs -d '\n' <<<"$out")"
}

# need_module NAME: loads a module, because in the guests the kernel loads no module by itself.
need_module() { [ -d "/sys/module/${1//-/_}" ] || modprobe -q "$1" || lacks "no module $1"; }

# need_raid LEVEL: loads the module of a RAID level, which is a number or a name such as raid5_ls
need_raid() {
	case $1 in
	raid[01]|raid10) need_module "$1" ;;
	[01]|10) need_module "raid$1" ;;
	linear)	modprobe -q md-linear || need_module linear ;;
	*)	need_module raid456 ;;
	esac
}

# The shell reads these files itself, because a process takes longer in a guest.
dev_no() { echo "$(<"/sys/class/block/$1/dev")"; }
dev_sectors() { echo "$(<"/sys/class/block/$1/size")"; }

smallest() {
	local d n least=''

	for d in "$@"; do
		read -r n <"/sys/class/block/$d/size"
		[ -n "$least" ] && [ "$least" -le "$n" ] || least=$n
	done
	echo "$least"
}

# size_sectors SIZE: prints a size such as 4G in sectors
size_sectors() { echo $(($(numfmt --from=iec <<<"${1^^}") / 512)); }

# --- dm

# dm_device NAME: sets STACK to the kernel name of the device with this name in dm
dm_device() {
	local f name

	STACK=
	for f in /sys/block/dm-*/dm/name; do
		{ read -r name <"$f"; } 2>/dev/null && [ "$name" = "$1" ] || continue
		STACK=${f%/dm/name} STACK=${STACK##*/}
	done
	[ -n "$STACK" ] && wait_for 5 test -b "/dev/$STACK" || lacks "dm has no device $1"
}

# dm_new TARGET TABLE: makes a dm device, sets STACK to its kernel name and DM_NAME to its name in
# dm. The table may have several lines.
dm_new() {
	local target=$1 name=test$((STACK_COUNT += 1))-$1

	need_module dm_mod || return 1
	case $target in
	linear|striped|error) ;;
	snapshot*) need_module dm_snapshot || return 1 ;;
	thin*) need_module dm_thin_pool || return 1 ;;
	*) need_module "dm_$target" || return 1 ;;
	esac
	try dmsetup create --noudevsync "$name" --table "$2" || return 1
	at_end dmsetup remove --noudevsync --retry "$name"
	DM_NAME=$name
	dm_device "$name"
}

# stack_linear LEG...: a dm-linear device that has the legs one after the other
stack_linear() {
	local d table='' at=0 n

	for d in "$@"; do
		n=$(dev_sectors "$d")
		table+="$at $n linear $(dev_no "$d") 0"$'\n'
		at=$((at + n))
	done
	dm_new linear "${table%$'\n'}"
}

# dm_legs LEG...: prints the legs and an offset of 0 for each, as in "8:1 0 8:2 0"
dm_legs() {
	local d

	for d in "$@"; do printf '%s 0 ' "$(dev_no "$d")"; done
}

# stack_stripe CHUNK LEG...: a dm-stripe device over the legs
stack_stripe() {
	local chunk n

	chunk=$(size_sectors "$1")
	shift
	n=$(($(smallest "$@") / chunk * chunk))
	dm_new striped "0 $((n * $#)) striped $# $chunk $(dm_legs "$@")"
}

# stack_mirror LEG...: a dm-mirror device that counts as in sync from the start
stack_mirror() {
	dm_new mirror "0 $(smallest "$@") mirror core 2 1024 nosync $# $(dm_legs "$@")"
}

wipe_start() { dd if=/dev/zero "of=/dev/$1" bs=64k count=1 conv=fsync status=none; }

# stack_snapshot ORIGIN COW: a dm snapshot of ORIGIN that keeps its changes on COW
stack_snapshot() {
	wipe_start "$2"
	dm_new snapshot "0 $(dev_sectors "$1") snapshot $(dev_no "$1") $(dev_no "$2") P 16"
}

# stack_thin METADATA DATA [SIZE]: a thin volume of SIZE, or as large as DATA, in a pool.
# STACK_POOL is the pool.
stack_thin() {
	local size devs

	devs="$(dev_no "$1") $(dev_no "$2")"
	size=$(dev_sectors "$2")
	[ $# -lt 3 ] || size=$(size_sectors "$3")
	wipe_start "$1"
	dm_new thin-pool \
		"0 $(dev_sectors "$2") thin-pool $devs 128 0 1 skip_block_zeroing" || return 1
	STACK_POOL=$STACK
	try dmsetup message "$DM_NAME" 0 "create_thin 0" || return 1
	dm_new thin "0 $size thin $(dev_no "$STACK_POOL") 0"
}

# stack_crypt LEG [CIPHER]: a dm-crypt device. The default, cipher_null-ecb, encrypts nothing and
# has no key; other ciphers get a key of 64 bytes.
stack_crypt() {
	local cipher=${2-cipher_null-ecb} key=- m

	for m in crypto_null ecb xts; do need_module $m; done
	[ "$cipher" = cipher_null-ecb ] || key=$(printf '5a%.0s' {1..64})
	dm_new crypt "0 $(dev_sectors "$1") crypt $cipher $key 0 $(dev_no "$1") 0"
}

# stack_delay LEG READ_MS [WRITE_MS]: a dm-delay device with these delays
stack_delay() {
	dm_new delay "0 $(dev_sectors "$1") delay $(dev_no "$1") 0 $2${3:+ $(dev_no "$1") 0 $3}"
}

# stack_flakey LEG: a dm-flakey device whose I/O fails in the last second of each hour
stack_flakey() {
	dm_new flakey "0 $(dev_sectors "$1") flakey $(dev_no "$1") 0 3599 1"
}

# stack_cache METADATA CACHE ORIGIN: a dm-cache device in writethrough mode
stack_cache() {
	local devs

	devs="$(dev_no "$1") $(dev_no "$2") $(dev_no "$3")"
	wipe_start "$1"
	need_module dm_cache_smq || return 1
	dm_new cache "0 $(dev_sectors "$3") cache $devs 512 1 writethrough smq 0"
}

# stack_writecache CACHE ORIGIN: a dm-writecache device
stack_writecache() {
	wipe_start "$1"
	dm_new writecache "0 $(dev_sectors "$2") writecache s $(dev_no "$2") $(dev_no "$1") 4096 0"
}

# stack_integrity LEG [D|J]: a dm-integrity device that writes its checksums directly (D, the
# default) or through a journal (J)
stack_integrity() {
	local args name=test-format m

	wipe_start "$1"
	for m in crc32c crc32c_generic; do modprobe -q $m; done
	need_module dm_integrity || return 1
	args="integrity $(dev_no "$1") 0 4 ${2-D} 1 internal_hash:crc32c"
	# The first table makes the target format the disk. Only then it is known how many sectors
	# are left for data.
	try dmsetup create --noudevsync $name --table "0 1 $args" || return 1
	try dmsetup remove --noudevsync --retry $name || return 1
	dm_new integrity "0 $(($(dd if="/dev/$1" bs=512 count=1 iflag=direct status=none |
		od -An -tu8 -j16 -N8))) $args"
}

# stack_dm_raid raid0|raid1|raid5_ls|raid6_zr LEG...: a dm-raid device that counts as in sync from
# the start and has no metadata. raid10 needs metadata: use stack_lvm raid10.
stack_dm_raid() {
	local level=$1 d legs='' data n chunk=128 opts

	shift
	need_raid "$level" || return 1
	case $level in
	raid0)	data=$# opts="1 $chunk" ;;
	raid1)	data=1 opts="2 0 nosync" ;;
	raid6_*) data=$(($# - 2)) opts="2 $chunk nosync" ;;
	*)	data=$(($# - 1)) opts="2 $chunk nosync" ;;
	esac
	n=$(($(smallest "$@") / 8192 * 8192))
	for d in "$@"; do legs+=" - $(dev_no "$d")"; done
	dm_new raid "0 $((n * data)) raid $level $opts $#$legs"
}

# stack_multipath PATH...: a dm-multipath device. The paths lead to the same disk and all are
# active. They must be devices that have requests.
stack_multipath() {
	local d paths=''

	need_module dm_round_robin || return 1
	for d in "$@"; do paths+=" $(dev_no "$d") 1"; done
	dm_new multipath "0 $(smallest "$@") multipath 0 0 1 1 round-robin 0 $# 1$paths"
}

# --- md

# stack_md LEVEL [mdadm OPTION...] LEG...: an md array that counts as in sync from the start.
# LEVEL is a number or "linear"; LEG may be "missing".
stack_md() {
	local level=$1 name=md$((100 + (STACK_COUNT += 1))) opts=() legs=() d

	shift
	for d in "$@"; do
		case $d in
		-*) opts+=("$d") ;;
		missing) legs+=(missing) ;;
		*) legs+=("/dev/$d") ;;
		esac
	done
	need_module md_mod && need_raid "$level" || return 1
	case $level in
	0|linear) ;;
	*) opts+=(--bitmap=none) ;;
	esac
	try mdadm --create "/dev/$name" --run --quiet --assume-clean --homehost=any --metadata=1.2 \
		--level="$level" --raid-devices=${#legs[@]} "${opts[@]}" "${legs[@]}" || return 1
	at_end md_free "$name" "${legs[@]}"
	STACK=$name
	wait_for 5 test -b "/dev/$name" || lacks "no /dev/$name"
}

# A part of a load's shell script that waits until md has written to all superblocks that its
# arrays are clean. md writes this up to 0.4 s after the last write to an array, and later if its
# thread gets no CPU.
# shellcheck disable=SC2016,SC2034 # of that shell, for tests
MD_IDLE='for i in $(seq 100); do
	grep -qsvxE "clean|readonly|read-auto" /sys/block/md*/md/array_state || break
	sleep 0.1
done
sleep 0.6 # md writes it right after that. Arrays in dm-raid are not in /sys/block/md*.'

md_free() {
	local d legs=() rc=0

	mdadm --quiet --stop "/dev/$1" || rc=1
	shift
	for d in "$@"; do
		[ "$d" = missing ] || legs+=("$d")
	done
	mdadm --quiet --zero-superblock "${legs[@]}" || rc=1
	return $rc
}

# --- LVM

# There is no udevd in the guests, so LVM has to make its device nodes itself and to find out
# itself what kind of device each one is.
LVM_CONFIG='activation { udev_sync=0 udev_rules=0 monitoring=0 }
devices { use_devicesfile=0 obtain_device_list_from_udev=0 types=["nullb",16,"ramdisk",16] }
backup { backup=0 archive=0 } global { event_activation=0 }'
lvm_run() { LVM_SUPPRESS_FD_WARNINGS=1 lvm "$1" --config "$LVM_CONFIG" "${@:2}"; }

# lvm_group LEG...: makes a volume group of these legs and sets VG to its name
lvm_group() {
	local nodes=("${@/#//dev/}")

	VG=test_vg$((STACK_COUNT += 1))
	need_module dm_mod || return 1
	# vgcreate makes its disks physical volumes itself.
	try lvm_run vgcreate -q -y "$VG" "${nodes[@]}" || return 1
	at_end lvm_run pvremove -q -y -ff "${nodes[@]}"
	at_end lvm_run vgremove -q -f "$VG"
}

# lvm_volume LV: sets STACK to the kernel name of this volume of the group VG
lvm_volume() { dm_device "$VG-$1"; }

# stack_lvm linear|striped|mirror|raid0|raid1|raid10|raid5|raid6 LEG...: a volume that takes all the
# space of a new group of these legs
stack_lvm() {
	local type=$1 nodes=("${@:2}") opts=()

	case $type in
	striped|raid0) opts=(-i ${#nodes[@]} -I 64k) ;;
	mirror)	opts=(--nosync -m $((${#nodes[@]} - 1)) --mirrorlog core) ;;
	raid1)	opts=(--nosync -m $((${#nodes[@]} - 1))) ;;
	raid10)	opts=(--nosync -i $((${#nodes[@]} / 2)) -m 1) ;;
	# raid5 and raid6 have no --nosync here, because lvm wants all stripes to be made.
	raid5)	opts=(-i $((${#nodes[@]} - 1))) ;;
	raid6)	opts=(-i $((${#nodes[@]} - 2))) ;;
	esac
	case $type in
	mirror)	need_module dm_mirror || return 1 ;;
	raid*)	need_module dm_raid && need_raid "$type" || return 1 ;;
	esac
	lvm_group "${nodes[@]}" || return 1
	try lvm_run lvcreate -q -y -Wn -Zn --type "$type" "${opts[@]}" -l 100%FREE -n lv "$VG" ||
		return 1
	lvm_volume lv
}

# stack_lvm_thin SIZE LEG...: a thin volume of this size, in a pool that takes 80 % of a new group
# of these legs
stack_lvm_thin() {
	need_module dm_thin_pool && lvm_group "${@:2}" || return 1
	try lvm_run lvcreate -q -y -Wn -Zn --type thin -V "$1" -l 80%FREE --thinpool pool \
		-n lv "$VG" || return 1
	lvm_volume lv
}

# stack_lvm_snapshot SIZE LEG...: a snapshot of a volume of this size, in a new group of these legs
stack_lvm_snapshot() {
	need_module dm_snapshot && lvm_group "${@:2}" || return 1
	try lvm_run lvcreate -q -y -Wn -Zn -L "$1" -n lv "$VG" || return 1
	try lvm_run lvcreate -q -y -s -l 100%FREE -n snap "$VG/lv" || return 1
	lvm_volume snap
}

# stack_lvm_cache writethrough|writeback CACHE ORIGIN: a volume on ORIGIN with a cache of 32 MiB
# on CACHE
stack_lvm_cache() {
	need_module dm_cache && need_module dm_cache_smq && lvm_group "$2" "$3" || return 1
	try lvm_run lvcreate -q -y -Wn -Zn -l 100%PVS -n lv "$VG" "/dev/$3" || return 1
	try lvm_run lvcreate -q -y --type cache-pool --cachemode "$1" -L 32m -n cache \
		"$VG" "/dev/$2" || return 1
	try lvm_run lvconvert -q -y --type cache --cachepool "$VG/cache" --cachemode "$1" \
		"$VG/lv" || return 1
	lvm_volume lv
}

# --- partitions

# stack_partitions DISK SIZE...: makes partitions of these sizes, and sets STACK, STACK2,
# STACK3... to their names
stack_partitions() {
	local disk=$1 n=1 size p

	shift
	p=$disk
	case $disk in *[0-9]) p=${disk}p ;; esac
	for size in "$@"; do
		echo ",$size"
	done | sfdisk -q -X gpt -W always "/dev/$disk" >/dev/null ||
		{ lacks "sfdisk makes no partitions on $disk"; return 1; }
	at_end partitions_free "$disk"
	for _ in "$@"; do
		wait_for 5 test -b "/dev/$p$n" || { lacks "no /dev/$p$n"; return 1; }
		if [ $n -eq 1 ]; then STACK=${p}1; else printf -v "STACK$n" %s "$p$n"; fi
		n=$((n + 1))
	done
}

partitions_free() {
	sfdisk -q --delete "/dev/$1" && wipefs -qa "/dev/$1"
}

# --- NVMe multipath

NVMET=/sys/kernel/config/nvmet

# stack_nvme_paths LEG: an NVMe multipath disk. LEG is a namespace of the kernel's own NVMe
# target, and the guest connects to this target twice.
stack_nvme_paths() {
	local nqn=test$((STACK_COUNT += 1)) d f

	need_module nvme_loop || return 1
	[ -d /sys/kernel/config/nvmet ] || mount -t configfs configfs /sys/kernel/config
	d=$NVMET/subsystems/$nqn
	mkdir "$d" "$d/namespaces/1" "$NVMET/ports/$STACK_COUNT" ||
		{ lacks "nvmet makes no subsystem"; return 1; }
	at_end nvme_paths_free "$nqn" "$STACK_COUNT"
	echo 1 >"$d/attr_allow_any_host"
	echo "/dev/$1" >"$d/namespaces/1/device_path"
	echo 1 >"$d/namespaces/1/enable"
	echo loop >"$NVMET/ports/$STACK_COUNT/addr_trtype"
	ln -s "$d" "$NVMET/ports/$STACK_COUNT/subsystems/$nqn"
	for _ in 1 2; do
		try nvme connect -t loop -n "$nqn" -q nqn.2014-08.org.nvmexpress:test \
			--duplicate-connect || return 1
	done
	STACK=
	for _ in {1..100}; do
		for f in /sys/class/nvme-subsystem/*/subsysnqn; do
			[ "$(<"$f")" = "$nqn" ] || continue
			STACK=$(cd "${f%/*}" && echo nvme*n[0-9]*)
		done
		[ ! -b "/dev/$STACK" ] || return 0
		sleep 0.05
	done
	lacks "no disk of $nqn"
}

nvme_paths_free() {
	local d=$NVMET/subsystems/$1 port=$NVMET/ports/$2

	nvme disconnect -n "$1" >/dev/null
	rm -f "$port/subsystems/$1"
	echo 0 >"$d/namespaces/1/enable"
	rmdir "$port" "$d/namespaces/1" "$d"
}
