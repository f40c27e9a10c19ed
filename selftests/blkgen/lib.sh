# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# For tests of the blkgen command: null_blk devices, counters, JSON.

# shellcheck source=selftests/lib/ktap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/ktap.sh"

NULLB_CFG=/sys/kernel/config/nullb
JSON=$TMPDIR/result.json

# nullb_new [ATTRIBUTE=VALUE]...: sets NULLB to the name of a new null_blk device. All go at the end.
nullb_new() {
	local item=nullb_test$((NULLB_COUNT += 1)) a

	[ -d /sys/module/null_blk ] || modprobe null_blk nr_devices=0 || bail "null_blk loads"
	[ -d "$NULLB_CFG" ] || mount -t configfs configfs /sys/kernel/config
	mkdir "$NULLB_CFG/$item" || bail "null_blk makes a device"
	for a in size=64 blocksize=512 poll_queues=0 "$@" power=1; do
		echo "${a#*=}" >"$NULLB_CFG/$item/${a%%=*}" || bail "null_blk takes $a"
	done
	NULLB=$item
	[ -e "/sys/block/$item" ] || NULLB=nullb$(<"$NULLB_CFG/$item/index")
	wait_for 5 test -b "/dev/$NULLB" || bail "/dev/$NULLB appears"
}
NULLB_COUNT=0

nullb_free() {
	local d

	for d in "$NULLB_CFG"/nullb_test*; do
		[ -d "$d" ] || continue
		echo 0 >"$d/power"
		rmdir "$d"
	done
}

# A test may set cleanup() for what it made itself.
cleanup() { :; }
blkgen_test_end() {
	local rc=$?

	cleanup
	nullb_free
	(exit "$rc")
	ktap_end
}
trap blkgen_test_end EXIT

# stat_of DEV FIELD...: fields of /sys/block/DEV/stat by number, summed (1 reads, 2 read merges,
# 3 sectors read, 5 writes, 6 write merges, 7 sectors written)
stat_of() {
	local dev=$1 f sum=0 v

	shift
	read -ra v <"/sys/class/block/$dev/stat"
	for f in "$@"; do sum=$((sum + v[f - 1])); done
	echo "$sum"
}

# done_by DEV: "READS BYTES WRITES BYTES" so far; merged bios count as I/Os
done_by() {
	local v

	read -ra v <"/sys/class/block/$1/stat"
	echo $((v[0] + v[1])) $((v[2] * 512)) $((v[4] + v[5])) $((v[6] * 512))
}

# Reads and writes in flight
inflight() {
	local r w

	read -r r w <"/sys/block/$1/inflight"
	echo $((r + w))
}

# load ARG...: blkgen load with its JSON in $JSON
load() { blkgen load -q --json "$JSON" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"; }

# json FILTER: from the last load's result
json() { jq -r "$1" "$JSON"; }
