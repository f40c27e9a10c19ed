# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Make stacks on null_blk devices that complete at once. The functions set STACK, as those of
# lib/stacks.sh do.

# LEG_ATTRIBUTES: ATTRIBUTE=VALUE of all these devices
LEG_ATTRIBUTES=()

leg() { bench_disk 2 "${LEG_ATTRIBUTES[@]}"; STACK=$NULLB; }
legs() { # COMMAND... N: with so many legs
	local i n=${*: -1} all=()

	for ((i = 0; i < n; i++)); do leg; all+=("$NULLB"); done
	"${@:1:$#-1}" "${all[@]}"
}
# array LEVEL LEG...: make an md array without superblocks, as these disks would not keep them
array() {
	local name=md$((200 + (STACK_COUNT += 1))) level=$1 d legs=() chunk=()

	shift
	need_module md_mod && need_raid "$level" || return
	for d in "$@"; do legs+=("/dev/$d"); done
	[ "$level" != 0 ] && [ "$level" != 10 ] || chunk=(--chunk=64)
	try mdadm --build "/dev/$name" --quiet --assume-clean --level="$level" "${chunk[@]}" \
		--raid-devices=$# "${legs[@]}" || return
	at_end mdadm --quiet --stop "/dev/$name"
	STACK=$name
	wait_for 5 test -b "/dev/$name"
}

# parity LEVEL LEG...: make an md array with parity, without superblocks. mdadm --build refuses
# these levels, so the attributes of the array are set one by one.
parity() {
	local name=md$((200 + (STACK_COUNT += 1))) level=$1 md d n slot=0

	shift
	need_module md_mod && need_raid "${level#raid}" || return
	echo "$name" >/sys/module/md_mod/parameters/new_array || lacks "no new array" || return
	at_end mdadm --quiet --stop "/dev/$name"
	md=/sys/block/$name/md n=$(($(smallest "$@") / 2))
	array_set level "$level" && array_set metadata_version none && array_set raid_disks $# &&
		array_set chunk_size 65536 && array_set layout 2 && array_set component_size $n ||
		return
	for d in "$@"; do
		array_set new_dev "$(dev_no "$d")" && array_set "dev-$d/size" $n &&
			array_set "dev-$d/slot" $slot || return
		slot=$((slot + 1))
	done
	array_set resync_start none && array_set array_state active || return
	STACK=$name
	wait_for 5 test -b "/dev/$name" || return
	# The kernel gives the array its final sequence number only when it is first opened.
	: <"/dev/$name"
}

# array_set ATTRIBUTE VALUE: set an attribute of the array in $md
array_set() { (echo "$2" >"$md/$1") 2>/dev/null || lacks "md refuses $1 $2"; }

linears() {
	local i

	leg
	for ((i = 0; i < $1; i++)); do stack_linear "$STACK" || return; done
}

# kept [ATTRIBUTE=VALUE]...: make a leg that keeps what is written to it, for the metadata of a
# stack
kept() { bench_disk 2 "${LEG_ATTRIBUTES[@]}" memory_backed=1 "$@"; STACK=$NULLB; }

# filled MIB COMMAND...: make a stack of this size, and write all of it, so that it has blocks to
# read
filled() {
	"${@:2}" && dd if=/dev/zero of="/dev/$STACK" bs=1M count="$1" oflag=direct status=none
}

# thin_mib: print the size of a thin device. If its legs keep the data, the guest has no memory for
# a whole GiB.
thin_mib() {
	if [[ "${LEG_ATTRIBUTES[*]}" = *memory_backed=1* ]]; then echo 64; else echo 1024; fi
}

thin() {
	local metadata data

	kept; metadata=$STACK
	leg; data=$STACK
	filled "$(thin_mib)" stack_thin "$metadata" "$data" "$(thin_mib)M"
}

snapshot() {
	local origin cow

	leg; origin=$STACK
	kept; cow=$STACK
	stack_snapshot "$origin" "$cow"
}

cache() {
	local metadata fast origin

	kept; metadata=$STACK
	leg; fast=$STACK
	leg; origin=$STACK
	stack_cache "$metadata" "$fast" "$origin"
}

# volume TYPE N: make a volume of LVM with N legs
volume() {
	local i size=1024 disks=() legs=()

	# LVM first writes all stripes of raid5 and raid6, so the disks are no larger than needed.
	case $1 in thin|snapshot) size=2048 ;; esac
	for ((i = 0; i < $2; i++)); do
		leg; legs+=("$STACK")
		kept size=$size; disks+=("$STACK")
	done
	case $1 in
	thin)	stack_lvm_thin "$(thin_mib)M" "${disks[@]}" ;;
	cache)	stack_lvm_cache writethrough "${disks[@]}" ;;
	snapshot) stack_lvm_snapshot 1024M "${disks[@]}" ;;
	*)	stack_lvm "$1" "${disks[@]}" ;;
	esac || return
	wait_for 300 synced "$STACK" || lacks "it is not in sync after 300 s" || return
	if [ "$1" = thin ]; then filled "$(thin_mib)" lead_to_legs; else lead_to_legs; fi
}

# synced DEV: return true if this device of dm has no resync to do
synced() {
	dmsetup status "/dev/$1" | awk '
		$3 == "raid" { split($7, done, "/"); late = done[1] != done[2] }
		END { exit !NR || late }'
}

# lead_to_legs: let the data of the volumes of the group VG go to ${legs[@]} instead of ${disks[@]}.
# Their metadata stays on the disks, which keep it.
lead_to_legs() {
	local name table new i changed=''

	for name in $(dmsetup ls | awk -v vg="$VG-" 'index($1, vg) == 1 { print $1 }'); do
		case $name in *meta|*meta_[0-9]|*-cow) continue ;; esac
		table=$(dmsetup table "$name") new=$table
		for i in "${!disks[@]}"; do
			new=${new//" $(dev_no "${disks[i]}") "/" $(dev_no "${legs[i]}") "}
		done
		[ "$new" != "$table" ] || continue
		try dmsetup load "$name" --table "$new" &&
			try dmsetup resume --noudevsync "$name" || return
		changed=yes
	done
	[ -n "$changed" ] || lacks "no table of $VG leads to its disks"
}

encrypted() { leg && stack_crypt "$STACK" "$@"; }

# The stacks of selftests/bench/cost
# shellcheck disable=SC2034 # for the others
COST_STACKS="raw dm-linear dm-linear-2 dm-linear-3 dm-stripe dm-mirror dm-crypt dm-crypt-aes
	dm-snapshot dm-thin dm-cache dm-raid0 dm-raid1 dm-raid5 dm-raid6 lvm-linear lvm-stripe
	lvm-mirror lvm-snapshot lvm-thin lvm-cache lvm-raid0 lvm-raid1 lvm-raid10 lvm-raid5
	lvm-raid6 md-raid0 md-raid1 md-raid10 md-raid5 md-raid6"

# The loads of selftests/bench/cost, which cost-guest makes
# shellcheck disable=SC2034 # for the others
COST_LOADS="randread randwrite read write polled flush fio psync libaio dd floor planted"

# cost_unknown WHAT NAME LIST: if the list has no such name, print what is wrong
cost_unknown() {
	local names

	read -rd '' -a names <<<"$3" || true
	[[ " ${names[*]} " = *" $2 "* ]] || echo "no $1 '$2'; there are: ${names[*]}"
}

# cost_disks LOAD: set LEG_ATTRIBUTES to what a load needs of the disks below
cost_disks() {
	case $1 in
	polled)	LEG_ATTRIBUTES=(poll_queues=1) ;;
	# Only disks that keep the data can have a cache.
	flush)	LEG_ATTRIBUTES=(memory_backed=1 cache_size=16) ;;
	*)	LEG_ATTRIBUTES=() ;;
	esac
}

# cost_stack NAME: make one of COST_STACKS
cost_stack() {
	case $1 in
	raw)		leg ;;
	dm-linear)	linears 1 ;;
	dm-linear-[23])	linears "${1#dm-linear-}" ;;
	dm-stripe)	legs stack_stripe 64k 2 ;;
	lvm-linear|lvm-snapshot|lvm-thin) volume "${1#lvm-}" 1 ;;
	lvm-stripe)	volume striped 2 ;;
	lvm-mirror|lvm-cache|lvm-raid[01]) volume "${1#lvm-}" 2 ;;
	lvm-raid5)	volume raid5 3 ;;
	lvm-raid10)	volume raid10 4 ;;
	# LVM makes no raid6 of fewer legs.
	lvm-raid6)	volume raid6 5 ;;
	dm-mirror)	legs stack_mirror 2 ;;
	dm-crypt)	encrypted ;;
	dm-crypt-aes)	encrypted aes-xts-plain64 ;;
	dm-snapshot)	snapshot ;;
	dm-thin)	thin ;;
	dm-cache)	cache ;;
	dm-raid[01])	legs stack_dm_raid "${1#dm-}" 2 ;;
	dm-raid5)	legs stack_dm_raid raid5_ls 3 ;;
	dm-raid6)	legs stack_dm_raid raid6_zr 4 ;;
	md-raid5)	legs parity raid5 3 ;;
	md-raid6)	legs parity raid6 4 ;;
	md-raid0|md-raid1|md-raid10) legs array "${1#md-raid}" 2 ;;
	esac
}
