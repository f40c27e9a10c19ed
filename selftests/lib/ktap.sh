# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions with which a test prints its results as KTAP. A test sources this file, calls the
# functions below and just ends: ktap.sh prints the plan and sets the exit status (1 if anything
# failed).
#
#	. "$(dirname "$0")/../lib/ktap.sh"
#	check "reads by default" blkgen load nvme0n1 --ios 1000
#	is "counts every I/O" "$(jq .jobs[0].ios out.json)" 1000
#
# Header lines that the runner reads:
#	# needs: nvme=2 ahci=1 virtio=1 scsi=1 latency=USEC[/USEC] icount cpus=N mem=2G size=4G
#		 paths=N fdp=N numa=N timeout=SEC (in one line)
#	# needs: blkgen			not run where the kernel has no headers, so that there is
#					no blkgen.ko; all tests in uapi and blkgen need it
#	# needs: host			no VM: in the kernel's root, at native speed
#	# needs: harness		no VM, no root: on this machine, as it boots guests itself
#	# kernels: core/all/every/one [slow]	where it runs: see Documentation/testing.rst
#	# klog-ok: REGEX		kernel messages that this test is meant to cause
#	# noisy: REASON		other load on the host may make it fail: if it fails, it is run
#				again, alone
# $TMPDIR is a new directory for each test. The commands blklat, blkgen and "modprobe blkgen"
# work.

# The path must be absolute, because tests change their directory.
KTAP_LIB=${BASH_SOURCE[0]%/*}
[[ $KTAP_LIB == /* ]] || KTAP_LIB=$PWD/$KTAP_LIB
KTAP_N=0 KTAP_FAILED=0 KTAP_PLAN='' KTAP_ENDED=''

echo 'KTAP version 1'

# plan COUNT: prints the plan. A test need not call it: if it does not, the count is printed at
# the end.
plan() {
	KTAP_PLAN=$1
	echo "1..$1"
}

diag() {
	local IFS=$'\n' line

	while IFS= read -r line; do printf '# %s\n' "$line"; done <<<"$*"
}

ok() {
	KTAP_N=$((KTAP_N + 1))
	echo "ok $KTAP_N - $1"
}

# not_ok WHAT [DETAIL...]: a failed result; the details are printed as remarks
not_ok() {
	KTAP_N=$((KTAP_N + 1)) KTAP_FAILED=$((KTAP_FAILED + 1))
	echo "not ok $KTAP_N - $1"
	shift
	[ $# -eq 0 ] || diag "$@"
}

# skip WHAT REASON: a skipped result
skip() {
	KTAP_N=$((KTAP_N + 1))
	echo "ok $KTAP_N - $1 # SKIP $2"
}

# skip_all REASON: ends the test as skipped, because nothing of it can run here.
skip_all() {
	KTAP_PLAN=0 KTAP_ENDED=yes
	echo "1..0 # SKIP $1"
	exit 0
}

# bail WHAT [DETAIL...]: ends the test as failed.
bail() {
	not_ok "$@"
	exit 1
}

# check WHAT COMMAND...: passes if the command succeeds. The output of the command is shown only
# if it fails.
check() {
	local what=$1 out rc=0

	shift
	out=$("$@" 2>&1) || rc=$?
	if [ "$rc" -eq 0 ]; then
		ok "$what"
	else
		not_ok "$what" "exit status $rc: $(printf '%.200s' "$*")" "$out"
	fi
}

# fails_with WHAT STATUS REGEX COMMAND...: passes if the command ends with this status and a line of
# its output matches the regex. The shell itself matches the regex, because grep would often take
# longer than the command. In a regex for the shell, a brace that begins no repetition must be
# escaped.
fails_with() {
	local what=$1 want=$2 regex=$3 out line hit='' rc=0

	shift 3
	out=$("$@" 2>&1) || rc=$?
	while IFS= read -r line; do
		[[ $line =~ $regex ]] && hit=yes && break
	done <<<"$out"
	if [ "$rc" -eq "$want" ] && [ -n "$hit" ]; then
		ok "$what"
	else
		not_ok "$what" "exit status $rc, wanted $want and '$regex': $(
			printf '%.200s' "$*")" "$out"
	fi
}

# is WHAT GOT WANTED: passes if both are the same string
is() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got '$2', wanted '$3'"; fi
}

# The shell computes with whole numbers itself, because starting a process such as awk takes a
# twentieth of a second in a guest. Expressions that match KTAP_FRACTION go to awk: those with a
# fraction, and those with a leading zero or a quotient, for which the shell and awk have different
# results.
KTAP_WHOLE='^-?(0|[1-9][0-9]{0,14})$'
KTAP_FRACTION='[^-+*()<>=!&|0-9 ]|(^|[^0-9])0[0-9]|[0-9]{16}|[^=<>!]=[^=]|\+\+|--|\*\*|<<|>>'
KTAP_FRACTION+='|(^|[^&])&([^&]|$)|(^|[^|])\|([^|]|$)'

# ktap_has_word TEXT: returns true if the text has a word among its numbers: jq prints null for a
# missing figure, and awk would take null for 0.
ktap_has_word() { [[ ${1//[0-9.][eE]/} =~ [[:alpha:]_] ]]; }

# ktap_true EXPRESSION: returns true if the expression is true
ktap_true() {
	! ktap_has_word "$1" || return 1
	if [[ $1 =~ $KTAP_FRACTION ]]; then
		awk "BEGIN { exit !($1) }" </dev/null 2>/dev/null
	else
		(($1)) 2>/dev/null
	fi
}

# ktap_near GOT WANTED PERCENT SLACK: returns true if GOT is as near to WANTED as near() says
ktap_near() {
	local d

	if [[ $1 =~ $KTAP_WHOLE && $2 =~ $KTAP_WHOLE && $4 =~ $KTAP_WHOLE &&
		$3 =~ ^(0|[1-9][0-9]{0,2})$ ]]; then
		d=$(($1 - $2))
		((100 * ${d#-} <= ${2#-} * $3 + 100 * $4))
		return
	fi
	[ -n "$1" ] && [ -n "$2" ] && ! ktap_has_word "$1 $2" || return 1
	awk -v g="$1" -v w="$2" -v p="$3" -v s="$4" 'BEGIN {
		d = g - w; if (d < 0) d = -d
		if (w < 0) w = -w
		exit !(d <= w * p / 100 + s) }' </dev/null
}

# holds WHAT EXPRESSION: passes if an arithmetic comparison holds, also one with fractions such as
# "3.2 <= 4 && 3.2 > 0"
holds() {
	if ktap_true "$2"; then ok "$1"; else not_ok "$1" "not true: $2"; fi
}

# near WHAT GOT WANTED PERCENT [SLACK]: passes if |got - wanted| <= wanted * percent / 100 + slack
near() {
	if ktap_near "$2" "$3" "$4" "${5:-0}"; then
		ok "$1 ($2, wanted $3 within $4 %${5:+ + $5})"
	else
		not_ok "$1" "got $2, wanted $3 within $4 %${5:+ + $5}"
	fi
}

# documented COMMAND FILE...: succeeds if these JSON documents of a command, such as "blklat trace",
# are as Documentation/json-tables.rst describes them, else prints the faults. With --events as
# COMMAND these are files of blklat trace --events.
documented() { python3 "$KTAP_LIB/json_doc.py" "$@"; }

# clean FILE...: succeeds if each file has something in it, and no control character, which a
# terminal would obey, other than tabs and the ends of lines
clean() {
	local f

	for f in "$@"; do
		[ -s "$f" ] || { echo "$f is empty"; return 1; }
		! tr -d '\t\r\n' <"$f" | LC_ALL=C grep -aqP '[\x00-\x1f\x7f]|\xc2[\x80-\x9f]' ||
			{ cat -v "$f"; return 1; }
	done
}

# shellcheck source=selftests/lib/running.sh
. "$KTAP_LIB/running.sh"

# nap SECONDS: sleeps without a process, because a process takes longer than a short sleep in a
# guest without KVM
exec {NAP_FD}<> <(:)
nap() { ! read -rt "$1" -u "$NAP_FD"; }

# wait_for SECONDS COMMAND...: waits until the command succeeds, at most SECONDS: wait_for 5 test
# -e /dev/nullb0. In a guest whose clock counts instructions, the clock jumps to the end of each
# nap although other processes still wait for the host. The limit is ten times as long there. On a
# slow kernel, one that looks for errors, the limit is longer by the factor of selftests/vm/kernels.
wait_for() {
	local tries=$(($1 * 20))

	[ -z "${VM_ICOUNT-}" ] || tries=$((tries * 10))
	tries=$((tries * ${VM_SLOW:-1}))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		nap 0.05
	done
}

ktap_end() {
	local rc=$?

	[ -z "$KTAP_ENDED" ] || exit "$rc"
	[ -n "$KTAP_PLAN" ] || echo "1..$KTAP_N"
	[ "$rc" -eq 0 ] || [ "$KTAP_FAILED" -gt 0 ] || diag "the test ended with status $rc"
	[ "$KTAP_FAILED" -eq 0 ] || exit 1
	exit "$rc"
}
trap ktap_end EXIT
