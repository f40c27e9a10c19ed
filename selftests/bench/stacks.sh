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

# kept: make a leg that keeps what is written to it, as the metadata of a stack must be
kept() { bench_disk 2 "${LEG_ATTRIBUTES[@]}" memory_backed=1; STACK=$NULLB; }

# filled MIB COMMAND...: make a stack of this size, and write all of it, so that it has blocks to
# read
filled() {
	"${@:2}" && dd if=/dev/zero of="/dev/$STACK" bs=1M count="$1" oflag=direct status=none
}

thin() {
	local metadata data mib=1024

	# The guest has no memory for the data of a whole GiB.
	[[ "${LEG_ATTRIBUTES[*]}" != *memory_backed=1* ]] || mib=64
	kept; metadata=$STACK
	leg; data=$STACK
	filled $mib stack_thin "$metadata" "$data" ${mib}M
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

# volume TYPE N: make a volume of LVM with N legs. It is made on disks that keep LVM's metadata, and
# its table is then changed to lead to legs like those of all stacks.
volume() {
	local i d name table disks=()

	for ((i = 0; i < $2; i++)); do kept; disks+=("$STACK"); done
	stack_lvm "$1" "${disks[@]}" || return
	name=$(<"/sys/block/$STACK/dm/name")
	table=$(dmsetup table "$name")
	for d in "${disks[@]}"; do
		bench_disk 2 "${LEG_ATTRIBUTES[@]}"
		table=${table//"$(dev_no "$d") "/"$(dev_no "$NULLB") "}
	done
	try dmsetup load "$name" --table "$table" && try dmsetup resume --noudevsync "$name"
}

encrypted() { leg && stack_crypt "$STACK" "$@"; }

# The stacks of selftests/bench/cost. LVM's volumes are tables of dm: a mirror, thin, snapshot,
# cache or raid volume is the same as the one of dm here.
# shellcheck disable=SC2034 # for the others
COST_STACKS="raw dm-linear dm-stripe dm-mirror dm-crypt dm-crypt-aes dm-snapshot dm-thin dm-cache
	dm-raid0 dm-raid1 dm-raid5 dm-raid6 lvm-linear lvm-stripe md-raid0 md-raid1 md-raid10
	md-raid5 md-raid6"

# The loads of selftests/bench/cost, which cost-guest makes
# shellcheck disable=SC2034 # for the others
COST_LOADS="randread randwrite read write polled flush fio dd floor planted"

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

# cost_stack NAME: make one of these
cost_stack() {
	case $1 in
	raw)		leg ;;
	dm-linear)	linears 1 ;;
	dm-stripe)	legs stack_stripe 64k 2 ;;
	lvm-linear)	volume linear 1 ;;
	lvm-stripe)	volume striped 2 ;;
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
