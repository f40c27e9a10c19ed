# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# For tests of the blkgen command: counters, JSON.

# shellcheck source=selftests/lib/ktap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/ktap.sh"
# shellcheck source=selftests/lib/disks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/disks.sh"

JSON=$TMPDIR/result.json

# A test may set cleanup() for what it made itself.
cleanup() { :; }
blkgen_test_end() {
	local rc=$?

	cleanup
	run_at_end
	(exit "$rc")
	ktap_end
}
trap blkgen_test_end EXIT

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

# inflight_now DEV: sets NOW to the same, without a process. The lesser of two looks: the kernel walks the tags, and counts
# an I/O twice that ends meanwhile if the next one gets a tag further on.
inflight_now() {
	local r w first

	read -r r w <"/sys/block/$1/inflight"
	first=$((r + w))
	read -r r w <"/sys/block/$1/inflight"
	# shellcheck disable=SC2034 # for tests
	NOW=$((r + w < first ? r + w : first))
}

# load ARG...: blkgen load with its JSON in $JSON
load() { blkgen load -q --json "$JSON" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"; }

# json FILTER: from the last load's result
json() { jq -r "$1" "$JSON"; }
