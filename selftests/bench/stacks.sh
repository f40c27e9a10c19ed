# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Make stacks on null_blk devices that complete at once. The functions set STACK, as those of
# lib/stacks.sh do.

leg() { bench_disk 2; STACK=$NULLB; }
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
linears() {
	local i

	leg
	for ((i = 0; i < $1; i++)); do stack_linear "$STACK" || return; done
}
