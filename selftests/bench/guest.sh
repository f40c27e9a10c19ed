# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# The beginning of the scripts that measure in a guest: functions and the module. It needs a
# directory TMPDIR, and has run_at_end() run when the script ends.

# shellcheck source=selftests/lib/disks.sh
. "$TREE/selftests/lib/disks.sh"
# shellcheck source=selftests/lib/stacks.sh
. "$TREE/selftests/lib/stacks.sh"
# shellcheck source=selftests/bench/lib.sh
. "$TREE/selftests/bench/lib.sh"
# shellcheck source=selftests/bench/stacks.sh
. "$TREE/selftests/bench/stacks.sh"

# disks.sh needs these functions.
diag() { printf 'bench: %s\n' "$@" >&2; }
bail() { diag "$@"; exit 1; }
wait_for() {
	local tries=$(($1 * 20))

	shift
	until "$@" >/dev/null 2>&1; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.05
	done
}

calc() { awk "BEGIN { printf \"%.2f\", $1 }" </dev/null; }

# Turn address randomization off, so that each run has the same addresses: they decide how much of a
# program's buffers are huge pages, which makes 0.5 % of an I/O of fio with 2048 in flight.
echo 0 >/proc/sys/kernel/randomize_va_space
trap run_at_end EXIT
modprobe blkgen || bail "blkgen does not load"
