# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Helpers for tests of the blkgen command: read a disk's counters, run loads and read their JSON.

# shellcheck source=selftests/lib/ktap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/ktap.sh"
# shellcheck source=selftests/lib/disks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/disks.sh"

JSON=$TMPDIR/result.json

# A test may redefine cleanup() to remove what the test itself has made.
cleanup() { :; }
blkgen_test_end() {
	local rc=$?

	cleanup
	run_at_end
	(exit "$rc")
	ktap_end
}
trap blkgen_test_end EXIT

# done_by DEV: print "READS BYTES WRITES BYTES" that the disk has done so far; a merged bio counts
# as an I/O of its own
done_by() {
	local v

	read -ra v <"/sys/class/block/$1/stat"
	echo $((v[0] + v[1])) $((v[2] * 512)) $((v[4] + v[5])) $((v[6] * 512))
}

# inflight DEV: print how many reads and writes are in flight
inflight() {
	local r w

	read -r r w <"/sys/block/$1/inflight"
	echo $((r + w))
}

# inflight_now DEV: set NOW to the number in flight, without starting a process. NOW is the lower of
# two readings, because a reading can be too high: the kernel walks the tags, and counts two I/Os
# instead of one if an I/O ends during the walk and the next I/O gets a tag that the walk has not
# reached yet.
inflight_now() {
	local r w first

	read -r r w <"/sys/block/$1/inflight"
	first=$((r + w))
	read -r r w <"/sys/block/$1/inflight"
	# shellcheck disable=SC2034 # for tests
	NOW=$((r + w < first ? r + w : first))
}

# watch_it COMMAND: run the command, which sets NOW, again and again while the background job $PID
# runs, and print NOW each time that it changes
watch_it() {
	local was=''

	while is_running "$PID"; do
		"$@"
		[ "$NOW" = "$was" ] || echo "$NOW"
		was=$NOW
		nap 0.02
	done
}

# load ARG...: run blkgen load, with its JSON in $JSON, its output in $TMPDIR/out and its messages
# in $TMPDIR/err
load() { blkgen load -q --json="$JSON" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"; }

# json FILTER: print what the jq filter makes of the last load's result
json() { jq -r "$1" "$JSON"; }
