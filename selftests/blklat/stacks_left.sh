# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions for tests that have blklat make stacks. They compare before and after: block devices,
# dm, md, LVM, null_blk, state files and signatures.

all_there_is() {
	local d

	ls /sys/block /dev /dev/mapper /dev/md 2>/dev/null
	dmsetup table
	dmsetup info -c --noheadings -o name,uuid
	grep -v '^Personalities' /proc/mdstat
	ls /sys/kernel/config/nullb /run/blklat 2>/dev/null
	for d in /sys/block/nullb*; do
		[ ! -e "$d" ] || echo "${d##*/} $(blkid -p "/dev/${d##*/}")"
	done
}

remember_all() {
	mkdir -p /run/blklat
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	all_there_is >"$TMPDIR/all_before" 2>&1
}

is_as_before() {
	all_there_is >"$TMPDIR/all_after" 2>&1
	cmp -s "$TMPDIR/all_before" "$TMPDIR/all_after"
}

# nothing_left WHAT: passes if all is as it was at remember_all: nothing is left, and nothing is
# missing. It waits for this, because the kernel removes the device nodes of an array some time
# later.
nothing_left() {
	if wait_for 5 is_as_before; then
		ok "nothing is left: $1"
	else
		not_ok "nothing is left: $1" "$(diff "$TMPDIR/all_before" "$TMPDIR/all_after")"
	fi
}
