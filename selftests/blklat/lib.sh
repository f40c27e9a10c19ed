# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions for tests of the blklat command: they run it and read its JSON, its ledgers and its
# counters.
#
# Attaching takes seconds in a guest without KVM, and jq takes a fifth of a second. So a test
# should trace many devices in one run, check much in it, and fetch several figures with one call
# of jq.

# shellcheck source=selftests/lib/ktap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/ktap.sh"
# shellcheck source=selftests/lib/disks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/disks.sh"

JSON=$TMPDIR/trace.json
OUT_FILE=$TMPDIR/out
ERR_FILE=$TMPDIR/err

# trace ARG...: runs blklat trace; its result is in $JSON, its output in $OUT_FILE, its messages
# in $ERR_FILE
trace() {
	rm -f "$JSON"
	LEDGER=() LEDGER_OF=''
	blklat trace -q --json="$JSON" "$@" >"$OUT_FILE" 2>"$ERR_FILE" || return
	read_ledger
}

# traced WHAT ARG...: runs trace and passes if it succeeds
traced() {
	local what=$1 rc=0

	shift
	trace "$@" || rc=$?
	if [ "$rc" -eq 0 ]; then
		ok "$what"
	else
		not_ok "$what" "exit status $rc" "$(tail -n 5 "$ERR_FILE")"
	fi
	return "$rc"
}

# Functions that tests may use in their jq filters. Means of stages and groups are per I/O of the
# device, not per I/O that has the stage, so that they add up. A stage that no I/O has takes 0 ns.
# shellcheck disable=SC2016 # jq's variables
JQ_LIB='
def dev($name): .devices[] | select(.name == $name);
def op($name): .ops[] | select(.op == $name);
def per_io(f): ([.stages[] | select(f) | .sum_ns] | add // 0) / .total.count;
def stage($name): per_io(.stage == $name);
def group($name): per_io(.group == $name and .stage != "think");
def think: [.stages[] | select(.stage == "think") | .mean_ns] | add // 0;
def p50($name): [.stages[] | select(.stage == $name) | .percentiles_ns["50"]] | add // 0;
def span($name): .spans[] | select(.span == $name);
'

# json FILTER: prints what the filter finds in the result of the last trace
json() { jq -r "$JQ_LIB $1" "$JSON"; }

# stages_of DEV: prints the names of the stages that I/Os of the device have
stages_of() { json "dev(\"$1\") | [.stages[] | select(.count > 0).stage] | join(\" \")"; }

# A jq filter that prints a line for each fault of a result in which nothing may be missing
# shellcheck disable=SC2016
JQ_CONSERVES='
def sum(f): [f] | add // 0;
def stages_sum: sum(.stages[] | select(.stage != "think") | .sum_ns);
def expect($what; $got; $wanted):
	if $got == $wanted then empty else "\($what): \($got), wanted \($wanted)" end;
.devices[] | .name as $name | . as $d | .ledger as $l |
(
	expect("started"; $l.started; $l.completed + $l.inflight + $l.lost),
	expect("lost"; $l.lost; $l.lost_full + $l.lost_end + $l.lost_queue),
	expect("I/Os in the total"; .total.count; $l.completed),
	expect("checked"; $l.checked; $l.completed),
	expect("check_failed"; $l.check_failed; 0),
	expect("sum of the stages"; stages_sum; .total.sum_ns),
	expect("I/Os of all ops"; sum(.ops[].total.count); .total.count),
	expect("time of all ops"; sum(.ops[].total.sum_ns); .total.sum_ns),
	(.ops[] | expect("sum of the stages of \(.op)"; stages_sum; .total.sum_ns)),
	(.stages[] | .stage as $s | .layer as $at | expect("I/Os with stage \($s) in all ops";
		sum($d.ops[].stages[] | select(.stage == $s and .layer == $at) | .count); .count)),
	(.stages[] | select(.count > 0 and (.min_ns > .mean_ns or .mean_ns > .max_ns)) |
		"\(.stage): min \(.min_ns), mean \(.mean_ns), max \(.max_ns)"),
	(.tail[] | expect("tail from p\(.percentile): sum of the stages";
		sum(.stages[].sum_ns); .sum_ns)),
	# If the kernel did not show an event, the time between the events beside it may have no
	# stage of its own.
	([.stages[] | select(.stage == "unattributed")] | sum(.[].sum_ns) as $u |
		sum(.[].count) as $n | if $u * 100 <= $d.total.sum_ns or
			$n <= ([$d.cost.events_missed // 0, $d.total.count / 10 + 2] | min)
		then empty else "\($u) of \($d.total.sum_ns) ns are unattributed, in \($n) I/Os"
		end)
) | "\($name): \(.)"'

# conserves WHAT [DEV...]: passes if the stages add up, for all I/Os and for each op, and the
# ledger is exact. The trace must have been made with --check. Each DEV must have had I/O. Comes
# after a trace or read_ledger, which looks for the faults.
conserves() {
	local what=$1 bad=("${LEDGER_FAULTS[@]}") d

	shift
	if [ "$LEDGER_OF" != "$JSON" ] || [ "$JSON" -nt "$TMPDIR/.ledger" ]; then
		bad+=("read_ledger has not read $JSON")
	fi
	for d in "$@"; do
		[ "${LEDGER[$d.ios]-0}" -gt 0 ] || bad+=("$d: no I/O")
	done
	if [ ${#bad[@]} -eq 0 ]; then ok "$what"; else not_ok "$what" "${bad[@]}"; fi
}

# btt_mean DEV SPAN: prints the mean of a span in us and the number of its I/Os, which btt gets
# from the files that blktrace wrote to $TMPDIR
btt_mean() {
	[ -s "$TMPDIR/$1.avg" ] || (
		cd "$TMPDIR" || exit
		blkparse -q -i "$1" -d "$1.bin" -O
		btt -i "$1.bin" -o "$1"
	) >/dev/null 2>&1
	# If another device remapped the I/O, btt adds "dm" to the name of the span.
	awk -v w="$2" '$1 == w || $1 == w "dm" { printf "%.3f %d\n", $3 * 1e6, $5; exit }' \
		"$TMPDIR/$1.avg"
}

# A test may define its own cleanup(), which removes what the test made without at_end.
cleanup() { :; }
blklat_test_end() {
	local rc=$?

	cleanup
	run_at_end
	(exit "$rc")
	ktap_end
}
trap blklat_test_end EXIT

# A function get_NAME sets REPLY to the text that the function NAME prints: $() would start a
# process, which takes a fiftieth of a second in a guest.

# stats_save DEV...: keeps the disk statistics of these devices. stats_delta DEV FIELD...: prints
# by how much the sum of these fields has grown since then, until now or until the statistics in
# STATS_END.
declare -A STATS STATS_END
stats_save() {
	STATS_END=()
	for d in "$@"; do STATS[$d]=$(<"/sys/class/block/$d/stat"); done
}
get_stats_delta() {
	local dev=$1 f old new

	shift
	read -ra old <<<"${STATS[$dev]}"
	read -ra new <<<"${STATS_END[$dev]-$(<"/sys/class/block/$dev/stat")}"
	REPLY=0
	for f in "$@"; do REPLY=$((REPLY + new[f - 1] - old[f - 1])); done
}
stats_delta() { get_stats_delta "$@" && echo "$REPLY"; }

# Reads the ledgers of $JSON into LEDGER[DEV.COUNTER], the I/Os in the totals into LEDGER[DEV.ios]
# and what JQ_CONSERVES finds into LEDGER_FAULTS. LEDGER[missed] is the number of events that the
# kernel did not show to the programs. It is at most a quarter of the trace's I/Os, because a trace
# that lost more is broken and has to fail. LEDGER_OF is the file that was read.
declare -A LEDGER
LEDGER_FAULTS=() LEDGER_OF=''
read_ledger() {
	local key value faults=()

	LEDGER=() LEDGER_FAULTS=("$JSON cannot be read") LEDGER_OF=$JSON
	while read -r key value; do
		case $key in
		fault) faults+=("$value") ;;
		end)	LEDGER_FAULTS=("${faults[@]}") ;;
		*)	LEDGER[$key]=$value ;;
		esac
	done < <(jq -r '
		(.devices[] | .name as $d | .ledger | to_entries[] | "\($d).\(.key) \(.value)"),
		(.devices[] | "\(.name).ios \(.total.count)"),
		"missed \([([.devices[].cost.events_missed // 0] | max),
			(([.devices[].ledger.started] | add) / 4 | floor)] | min)",
		((try ('"$JQ_CONSERVES"') catch "jq: \(.)") | "fault \(.)"), "end"' "$JSON")
	: >"$TMPDIR/.ledger"
}

# ledger DEV COUNTER...: prints the sum of these counters, after a trace or read_ledger
get_ledger() {
	local dev=$1 n

	shift
	REPLY=0
	for n in "$@"; do
		# If there is no such counter, set no number: then no comparison holds.
		[ -n "${LEDGER[$dev.$n]+is there}" ] || { REPLY=''; return 1; }
		REPLY=$((REPLY + LEDGER[$dev.$n]))
	done
}
ledger() { get_ledger "$@" && echo "$REPLY"; }

# missed: prints how many events the kernel did not show to the BPF programs, because the same
# program was already running on that CPU. If there are none, all counts must be exact.
missed() { echo "${LEDGER[missed]}"; }

# missed_of COUNT [EACH]: prints how much a count may fall short of COUNT because of missed
# events, if each event stands for EACH of it. Each count may lack all events that the trace missed,
# so there must be a limit that finds a wrong count: a tenth of COUNT plus two events. Prints 0 if
# COUNT is not a number.
get_missed_of() {
	local each=${2-1}

	REPLY=0
	[[ $1 =~ ^[0-9]+$ ]] || return 0
	REPLY=$((${LEDGER[missed]-0} * each))
	[ $REPLY -le $(($1 / 10 + 2 * each)) ] || REPLY=$(($1 / 10 + 2 * each))
}
missed_of() { get_missed_of "$@" && echo "$REPLY"; }

# within_missed GOT... -- WANTED...: returns true if each GOT is its WANTED, or less by at most
# the missed events
within_missed() {
	local values=() g

	while [ "$1" != -- ]; do
		values+=("$1")
		shift
	done
	shift
	[ $# -gt 0 ] && [ ${#values[@]} -eq $# ] || return 1
	for g in "${values[@]}"; do
		get_missed_of "$1"
		[ "$g" -le "$1" ] && [ "$1" -le $((g + REPLY)) ] || return 1
		shift
	done
}

# near_missed WHAT GOT WANTED [EACH]: as near, but only missed events excuse a difference
near_missed() {
	get_missed_of "$3" "${4-1}"
	near "$1" "$2" "$3" 0 "$REPLY"
}

# lost_within_missed WHAT DEV...: passes if these devices have lost no more I/Os than events were
# missed
lost_within_missed() {
	local what=$1 d n=0 all=0 why=()

	shift
	for d in "$@"; do
		if ! get_ledger "$d" lost || ! get_ledger "$d" started lost; then
			not_ok "$what" "$d has no ledger"
			return
		fi
		n=$((n + LEDGER[$d.lost])) all=$((all + LEDGER[$d.started]))
		why+=("$d lost ${LEDGER[$d.lost_full]} without a slot, ${LEDGER[$d.lost_end]}\
 without their end and ${LEDGER[$d.lost_queue]} without their start")
	done
	get_missed_of "$all"
	if [ "$n" -le "$REPLY" ]; then
		ok "$what ($n)"
	else
		not_ok "$what ($n)" "$(missed) events were missed" "${why[@]}"
	fi
}

# counts WHAT GOT WANTED: passes if the numbers in GOT are those in WANTED, or less by at most the
# missed events
counts() {
	# shellcheck disable=SC2086
	if within_missed $2 -- $3; then
		ok "$1 ($2)"
	else
		not_ok "$1" "got '$2', wanted '$3', $(missed) events missed"
	fi
}

# agrees_with_stat DEV [BYTES]: passes if requests, bytes and merges are those of the disk
# statistics since stats_save, and if there were some. If blklat missed that two requests were
# merged, it counts one request too many. BYTES is the size of the largest I/O, by default 64 KiB: a
# missed event may hide so many bytes.
agrees_with_stat() {
	local dev=$1 got=() want=() f what bytes i merged

	for f in rq_reads rq_writes rq_discards rq_flushes; do got+=("${LEDGER[$dev.$f]}"); done
	for f in 1 5 12 16 '2 6 13'; do
		# shellcheck disable=SC2086 # several fields
		get_stats_delta "$dev" $f
		want+=("$REPLY")
	done
	get_ledger "$dev" merges rq_merges
	got+=("$REPLY")
	what="$dev: reads, writes, discards, flushes, merges are those of the disk statistics"
	merged=$((want[4] - got[4]))
	for i in 0 1; do
		while [ "$merged" -gt 0 ] && [ "${LEDGER[missed]}" -gt 0 ] &&
			[ "${got[i]}" -gt "${want[i]}" ]; do
			want[i]=$((want[i] + 1)) merged=$((merged - 1))
		done
	done
	if within_missed "${got[@]}" -- "${want[@]}"; then
		ok "$what (${got[*]})"
	else
		not_ok "$what" "got '${got[*]}', wanted '${want[*]}', $(missed) events missed"
	fi
	get_stats_delta "$dev" 3 7 14
	bytes=$((REPLY * 512))
	get_missed_of $bytes "${2-65536}"
	near "$dev: bytes are those of the disk statistics" \
		"${LEDGER[$dev.bytes]}" $bytes 0 "$REPLY"
	holds "$dev: there are some bytes" "${LEDGER[$dev.bytes]} > 0"
}
