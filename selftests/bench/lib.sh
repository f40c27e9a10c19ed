# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Measure the instructions per I/O, in a guest whose clock counts instructions: 1 ns is one
# instruction. Source this file after selftests/lib/disks.sh. Each figure is the least of a few
# runs, because interrupts may add to a run.

BENCH=$OUT/selftests/bench
BENCH_IOS=100000
BENCH_RUNS=3

# bench_disk QUEUE_MODE [ATTRIBUTE=VALUE]...: set NULLB to a new null_blk device that completes
# I/Os at once
bench_disk() {
	nullb_new queue_mode="$1" irqmode=0 size=4096 hw_queue_depth=256 submit_queues=1 "${@:2}"
	[ "$1" -eq 0 ] || echo none >"/sys/block/$NULLB/queue/scheduler"
	bench_first_tags "$NULLB"
}

# bench_first_tags DEV: make the next I/O take its tag from the first word of the bitmap. An I/O
# takes its tag from the word where the last tag was freed, the first I/O from a random word, and
# a tag of the last word costs 8 instructions more. This does an I/O while there are only 64 tags,
# which are one word.
bench_first_tags() {
	local all queue=/sys/block/$1/queue polled

	# A device without requests has no tags.
	[ -d "/sys/block/$1/mq" ] || return 0
	read -r polled <"$queue/io_poll"
	read -r all <"$queue/nr_requests"
	echo 64 >"$queue/nr_requests"
	bench_one_read "$1" sync && { [ "$polled" -eq 0 ] || bench_one_read "$1" polled; } ||
		bail "blkgen reads $1"
	echo "$all" >"$queue/nr_requests"
}

bench_one_read() { blkgen load -q --qd 1 --ios 1 --engine "$2" "$1" >/dev/null; }

# bench_least COMMAND...: print the least number that the command prints in BENCH_RUNS runs
bench_least() {
	local i n least=

	for ((i = 0; i < BENCH_RUNS; i++)); do
		n=$("$@") || return
		least=$(awk -v a="$n" -v b="$least" 'BEGIN { print b == "" || a < b ? a : b }')
	done
	echo "$least"
}

# bench_floor DEV [PARAMETER=VALUE]...: print the instructions per I/O of a loop in the kernel
# that does nothing else
bench_floor() { bench_least bench_floor_once "$@"; }

bench_floor_once() {
	local ns dev=$1

	shift
	insmod "$BENCH/floor/floor.ko" fd=9 ios=$BENCH_IOS "$@" 9<"/dev/$dev" || return
	read -r ns </sys/module/floor/parameters/ns
	rmmod floor
	awk "BEGIN { print $ns / $BENCH_IOS }"
}

# bench_blkgen DEV [OPTION]...: print the instructions per I/O of a load by blkgen
bench_blkgen() {
	local i dev=$1

	shift
	for ((i = 0; i < BENCH_RUNS; i++)); do
		blkgen load -q --json="$TMPDIR/bench.$i" --ios $BENCH_IOS "$@" "$dev" \
			>/dev/null || return
	done
	jq -rs "map(.devices[0] | select(.ios == $BENCH_IOS) | .elapsed_ns / .ios) |
		select(length == $BENCH_RUNS) | min" "$TMPDIR"/bench.[0-9]
}

# bench_fio DEV [OPTION]...: print the instructions per I/O of fio, from its first I/O to its last.
# All runs are jobs of one fio, one after the other, because to start fio takes as many instructions
# as 40,000 I/Os. A job of BENCH_FIRST I/Os comes before them, if there are any, and does not count.
bench_fio() {
	local i first=${BENCH_FIRST:-0} jobs=()

	[ "$first" -eq 0 ] || jobs+=(--name=first "--number_ios=$first")
	for ((i = 0; i < BENCH_RUNS; i++)); do
		jobs+=("--name=bench$i" "--number_ios=$BENCH_IOS")
	done
	rm -f "$TMPDIR"/fio.ns*
	FIOTIME=$TMPDIR/fio.ns LD_PRELOAD=$BENCH/fiotime.so fio --output-format=json \
		--output="$TMPDIR/fio" --name=global --filename="/dev/$1" --rw=randread --bs=4k \
		--direct=1 --ioengine=io_uring --thread --stonewall "${@:2}" "${jobs[@]}" || return
	jq -re --slurpfile ns "$TMPDIR/fio.ns" --argjson first "$first" "
		[(\$first | select(. > 0)), (range($BENCH_RUNS) | $BENCH_IOS)] as \$wanted |
		select([.jobs[].read.total_ios] == \$wanted and (\$ns | length) ==
			(\$wanted | length)) |
		(\$ns[-$BENCH_RUNS:] | min) / $BENCH_IOS" "$TMPDIR/fio"
}

# bench_uring [-p] DEV: print the instructions per I/O of io_uring at its best; -p: polled
bench_uring() { bench_least "$BENCH/uring" "${@:1:$#-1}" "/dev/${*: -1}" $BENCH_IOS; }

# bench_t_io_uring [-p] DEV: print the instructions per I/O of fio's t/io_uring at its best; -p:
# polled. t/io_uring prints only thousands of I/Os per second, so use the device's count and the
# clock, which have more digits.
bench_t_io_uring() { bench_least bench_t_io_uring_once "$@"; }

bench_t_io_uring_once() {
	local polled=0 pid before n t0 t1 rc=0

	[ "$1" != -p ] || { polled=1; shift; }
	read -r before _ <"/sys/block/$1/stat"
	fio-t-io_uring -d128 -s32 -c32 -F1 -B1 -n1 -p$polled "/dev/$1" >"$TMPDIR/t_io_uring" 2>&1 &
	pid=$!
	bench_goes_on $pid "$1" $((before + BENCH_IOS / 2)) || rc=1
	t0=$EPOCHREALTIME
	read -r before _ <"/sys/block/$1/stat"
	read -rt 0.5 -u "$BENCH_NAP"
	t1=$EPOCHREALTIME
	read -r n _ <"/sys/block/$1/stat"
	# If it did not begin in time, kill it: it may not handle SIGINT yet, and a t/io_uring that
	# goes on would take half of the CPU from the loads after it.
	[ $rc -eq 0 ] || kill -KILL $pid
	kill -INT $pid 2>/dev/null
	wait $pid
	[ $rc -eq 0 ] || return
	awk "BEGIN { print ($t1 - $t0) * 1e9 / ($n - $before) }"
}

# bench_goes_on PID DEV READS: wait until the device has done READS reads. By the guest's clock
# this may take long, as the clock runs ahead while the program is read from a busy host.
bench_goes_on() {
	local n tries=5000

	until read -r n _ <"/sys/block/$2/stat" && [ "$n" -gt "$3" ]; do
		[ $((tries -= 1)) -gt 0 ] && kill -0 "$1" || return
		read -rt 0.02 -u "$BENCH_NAP" || :
	done
}

# bench_trace [OPTION]... DEV...: start a trace of the devices in the background, as PID, with its
# output in $TMPDIR/trace. Return when the trace has attached, which is when it runs its command;
# return 1 if it ended instead.
bench_trace() {
	local attached forever rc=0

	rm -f "$TMPDIR/attached" "$TMPDIR/forever" "$TMPDIR/trace"
	mkfifo "$TMPDIR/attached" "$TMPDIR/forever"
	exec {forever}<>"$TMPDIR/forever"
	# The command reads a FIFO and does not sleep: a clock that counts instructions skips the
	# time in which nobody runs, so that a day of sleep is soon over. For the same reason no
	# time limit ends the wait for blklat: it may read its files from the host meanwhile, and
	# minutes of the guest pass in a moment. blklat has one of the FIFOs open for writing, so if
	# it ends, the wait ends, too.
	# shellcheck disable=SC2016,SC2093
	(
		trap - INT
		exec {attached}>"$TMPDIR/attached"
		exec blklat trace -q "$@" -- \
			sh -c 'echo >"$0/attached"; read -r _ <"$0/forever"' "$TMPDIR"
	) >"$TMPDIR/trace" 2>&1 &
	PID=$!
	exec {attached}<"$TMPDIR/attached"
	read -r _ <&"$attached" || rc=1
	exec {attached}<&- {forever}>&-
	return $rc
}

# bench_trace_settles DEV [OPTION]...: load the device with fio until its trace has detached the
# programs that this load does not need, which takes half a second. Without options, fio has 16 in
# flight by io_uring.
BENCH_SETTLES=60000
bench_trace_settles() {
	local options=("${@:2}")

	[ $# -gt 1 ] || options=(--iodepth=16)
	BENCH_IOS=$BENCH_SETTLES BENCH_RUNS=1 bench_fio "$1" "${options[@]}" >/dev/null
}

# bench_trace_idles: wait without I/O until a trace has detached all programs on submitters, which
# takes ten seconds
bench_trace_idles() { read -rt 12 -u "$BENCH_NAP" || :; }

# bench_trace_end: end the trace, or another tracer with the process PID, which then prints its
# result
bench_trace_end() {
	if [ -p "$TMPDIR/forever" ]; then
		echo 1<>"$TMPDIR/forever"
		rm "$TMPDIR/forever"
	else
		kill -INT "$PID"
	fi
	wait "$PID"
}

# bench_traced [DEV]: print how many I/Os the trace saw complete, by its output; -1 if it has lost
# more than a thousandth, which the kernel may hide where it preempts programs
bench_traced() {
	awk -v dev="${1-}" '
		$3 == "started" && $6 == "completed" && (dev == "" || $1 == dev ":") {
			n += $5
			lost += $8 + $12
		}
		END { print (lost * 1000 > n ? -1 : n + 0) }' "$TMPDIR/trace"
}

# Read from BENCH_NAP with a timeout to sleep: this starts no process, which would take CPU time.
exec {BENCH_NAP}<> <(:)

# wait_until_quiet PID: wait until the tracer has attached, that is until it has used little CPU,
# and the disks with its program had no I/O in flight, for two seconds. To wait for a time is not
# enough: the clock jumps on when all tasks wait for the disk with the program.
wait_until_quiet() {
	local before=0 now quiet=0 tries=1200 reads writes

	while [ $quiet -lt 20 ]; do
		[ $((tries -= 1)) -gt 0 ] || return
		read -rt 0.1 -u "$BENCH_NAP"
		read -r now _ 2>/dev/null <"/proc/$1/schedstat" || return
		read -r reads writes <"/sys/block/$VM_ROOT_DISK/inflight"
		quiet=$((quiet + 1))
		[ $((now - before)) -lt 10000000 ] &&
			[ $((reads + writes + $(bench_peers_inflight))) -eq 0 ] || quiet=0
		before=$now
		kill -0 "$1" 2>/dev/null || return
	done
}

bench_peers_inflight() {
	local reads=0 writes=0

	[ -z "${PEERS_DISK-}" ] || read -r reads writes <"/sys/block/$PEERS_DISK/inflight"
	echo $((reads + writes))
}
