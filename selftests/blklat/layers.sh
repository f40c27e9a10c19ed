# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# For tests that trace stacks: stacks are named with top, trace_tops puts a load on them and looks at
# every device in them.

# shellcheck source=selftests/blklat/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=selftests/lib/stacks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/stacks.sh"

TOPS=() LEAVES=() WRITTEN=()
# Options of the trace
TRACE_OPTS=(--check)
# Devices that are traced beside TOPS; what others_load prints is their load.
OTHERS=()
others_load() { :; }
declare -A WHAT KIND META DAEMON LEGS_OF

# legs N [ATTRIBUTE=VALUE]...: sets LEGS to new disks of 64 MiB, whose completions take 0.2 ms
legs() {
	local n=$1

	LEGS=()
	for _ in $(seq "$n"); do
		nullb_new irqmode=2 completion_nsec=200000 size=64 memory_backed=1 "${@:2}"
		LEGS+=("$NULLB")
	done
}

# top WHAT COMMAND...: a stack to trace, made by COMMAND, on LEGS
top() {
	local what=$1

	shift
	if ! "$@"; then
		skip "$what" "$STACK_WHY"
		return
	fi
	TOPS+=("$STACK")
	LEAVES+=("${LEGS[@]}")
	WHAT[$STACK]=$what
	LEGS_OF[$STACK]=${LEGS[*]}
}

# needed WHAT COMMAND...: a stack without which the test makes no sense
needed() {
	top "$@"
	[ -n "$STACK" ] || bail "$1 is there" "$STACK_WHY"
}

# written WHAT COMMAND...: as top, and all of it is written before: of what was never written dm-thin
# makes zeros without asking the disk, and dm-integrity says that its checksum is wrong
written() {
	top "$@"
	[ -z "$STACK" ] || WRITTEN+=("$STACK")
}

# has_bitmap LEG...: their RAID may write its bitmap at any time
has_bitmap() {
	local d

	for d in "$@"; do DAEMON[$d]=yes; done
	LEGS_OF[$STACK]=
}

# writes_later LEG...: what the layer does by itself comes at any time
writes_later() {
	local d keep=()

	for d in "${LEAVES[@]}"; do
		case " $* " in *" $d "*) ;; *) keep+=("$d") ;; esac
	done
	LEAVES=("${keep[@]}")
	LEGS_OF[$STACK]=
}

# Reads and writes of several sizes to each, and fsyncs, asynchronous and synchronous. Only a few stacks have their
# load at the same time: while a preempted task waits in a program, the kernel does not run that program for the other
# tasks of the CPU. With the loads of all stacks at once, 7.3 did not show blklat a third of the I/Os.
STACKS_AT_ONCE=4
load_all() {
	local d n=0 wait

	cat <<-END
		[global]
		direct=1
		rw=randrw
		bsrange=4k-256k
		size=20m
		number_ios=50
	END
	for d in "${TOPS[@]}"; do
		wait=
		[ $((n++ % STACKS_AT_ONCE)) -gt 0 ] || wait=stonewall
		cat <<-END
			[$d-aio]
			$wait
			filename=/dev/$d
			ioengine=libaio
			iodepth=8
			[$d-sync]
			filename=/dev/$d
			ioengine=psync
			fsync=5
			offset=20m
		END
	done
}

# The statistics of all devices before and after the load: both while it is traced
load_script() {
	load_all >"$TMPDIR/fio"
	cat <<-END
		grep . /sys/class/block/*/stat >$TMPDIR/before
		fio --output=$TMPDIR/fio.out $TMPDIR/fio
		$(others_load)
		$MD_IDLE
		# dm-cache looks once a second whether there is something to write back.
		for i in \$(seq 20); do
			grep . /sys/class/block/*/stat >$TMPDIR/after
			sleep 1.5
			grep . /sys/class/block/*/stat | cmp -s $TMPDIR/after && break
		done
	END
}

read_stats() {
	local path values

	STATS=() STATS_END=()
	while IFS=: read -r path values; do
		path=${path%/stat}
		STATS[${path##*/}]=$values
	done <"$TMPDIR/before"
	while IFS=: read -r path values; do
		path=${path%/stat}
		STATS_END[${path##*/}]=$values
	done <"$TMPDIR/after"
}

# OPS[DEV.read]...: I/Os of each kind; OPS[DEV.read.whole]: those of which nothing is known below;
# OPS[DEV.below]: bytes that went there. DEVS: all; LAYERS: those with others below
declare -A OPS
read_ops() {
	local key value

	OPS=() DEVS=() LAYERS=()
	# shellcheck disable=SC2016 # jq's variables
	while read -r key value; do
		case $key in
		device) DEVS+=("$value") ;;
		layer) LAYERS+=("$value") ;;
		*) OPS[$key]=$value ;;
		esac
	done < <(jq -r '.devices[] | .name as $d | "device \($d)", (select(.legs | length > 0) | "layer \($d)"),
		"\($d).below \([.flow[].below_bytes] | add // 0)",
		(["read", "write", "flush", "discard"][] | "\($d).\(.) 0", "\($d).\(.).whole 0"),
		(.ops[] | .op as $op | "\($d).\($op) \(.total.count)", (.stages[] |
			select(.stage == "layer+below" and .layer == "0") | "\($d).\($op).whole \(.count)"))' "$JSON")
}

# kinds: KIND[DEV] of all dm and md devices: "dm-raid raid1", "md raid5"; META[DEV]: superblock and bitmap
# of LVM's RAID are on it
read_kinds() {
	local dev name type level

	KIND=() META=()
	while read -r dev name type level; do
		[ "$type" = raid ] && type+=" $level"
		KIND[$dev]=dm-$type
		[[ $name != *_rmeta_* ]] || META[$dev]=yes
	done < <(dmsetup table 2>/dev/null | while IFS=': ' read -r name _ _ type rest; do
		echo "$(dmsetup info -c --noheadings -o blkdevname "$name") $name $type $rest"
	done)
	for dev in /sys/block/md*; do
		[ ! -e "$dev/md/level" ] || KIND[${dev##*/}]="md $(<"$dev/md/level")"
	done
}

# The kernel counts the pieces of what a layer splits, so compare bytes, and what nothing splits.
agrees_as_layer() {
	local dev=$1 what="$2: of $1" got want bytes own=0

	# dm and md below it count into the same statistics.
	case ${KIND[$dev]} in dm-raid*) return ;; esac
	# A RAID writes its superblock also before the first look at the statistics and after the last one.
	[ ! "${META[$dev]-}" ] || own=4
	bytes=$(($(stats_delta "$dev" 3 7 14) * 512))
	near "$what the bytes are those of its statistics" "$(ledger "$dev" bytes)" \
		$bytes 0 $(($(missed_of $bytes 262144) + own * 4096))
	[ "$(ledger "$dev" children)" = "$(ledger "$dev" parents)" ] || return 0
	got=$((OPS[$dev.read] + OPS[$dev.write]))
	want=$(stats_delta "$dev" 1 5)
	# Some kernels count a flush as a write.
	holds "$what the reads and writes are those of its statistics ($got)" \
		"$((got - own)) <= $want && $want <= $((got + OPS[$dev.flush] + $(missed_of "$want")))"
}

# Parity, superblocks and what lies in a write's way are part of it. What brd has is not counted.
sends_what_legs_get() {
	local dev=$1 d sectors=0

	for d in ${LEGS_OF[$dev]-}; do sectors=$((sectors + $(stats_delta "$d" 3 7 14))); done
	[ $sectors -gt 0 ] || return 0
	near "$2: what went below $dev is what its legs got" "${OPS[$dev.below]}" $((sectors * 512)) \
		0 "$(missed_of $((sectors * 512)) 262144)"
}

# followed DEV WHAT: its I/Os with data made others below, and the time below is a leaf's; where
# what lies below is shared by many writes, it is one stage
followed() {
	local dev=$1 what=$2 reads=${OPS[$1.read]} writes=${OPS[$1.write]} parents

	case ${KIND[$dev]} in
	*raid[56]*)
		parents=$(ledger "$dev" parents)
		holds "$what: at least 99 % of $dev's reads are followed ($((reads - OPS[$dev.read.whole])) of $reads)" \
			"${OPS[$dev.read.whole]} <= $(missed_of "$reads") + 0.01 * $reads"
		near_missed "$what: what lies below $dev's writes is one stage" "${OPS[$dev.write.whole]}" "$writes"
		near_missed "$what: nothing of $dev is both" "$((OPS[$dev.read.whole] + OPS[$dev.write.whole] + OPS[$dev.flush.whole]))" \
			$(($(ledger "$dev" completed) - parents)) ;;
	*)
		holds "$what: at least 99.9 % of $dev's I/Os are followed (all but $((OPS[$dev.read.whole] + OPS[$dev.write.whole])) of $((reads + writes)) with data)" \
			"${OPS[$dev.read.whole]} + ${OPS[$dev.write.whole]} <= $(missed_of $((reads + writes))) + 0.001 * ($reads + $writes)" ;;
	esac
}

# A disk that has no requests
agrees_without_requests() {
	local dev=$1 got want

	want="$(stats_delta "$dev" 1) $(stats_delta "$dev" 5)"
	if [ "$want" = "0 0" ]; then
		skip "$dev: reads and writes are those of its statistics" "this kernel keeps none for it"
		return
	fi
	counts "$dev: reads and writes are those of its statistics" "${OPS[$dev.read]} ${OPS[$dev.write]}" "$want"
	near_missed "$dev: and the bytes" "$(ledger "$dev" bytes)" $(($(stats_delta "$dev" 3 7) * 512)) 262144
}

# The bitmap and the superblock of a RAID are written at any time, also between the last look at the
# statistics and the end of the trace.
agrees_but_own() {
	local dev=$1 got want

	got=$(ledger "$dev" rq_reads rq_writes rq_discards rq_flushes)
	want=$(stats_delta "$dev" 1 5 12 16)
	holds "$dev: the requests are those of the disk statistics, and few of its RAID's own ($got, $want)" \
		"$got <= $want + 4 && $want <= $got + $(missed_of "$want") && $want > 20"
}

agrees_as_leaf() {
	if [ -n "${DAEMON[$1]-}" ]; then
		agrees_but_own "$1"
	elif [ "$(cat "$NULLB_CFG/$1/queue_mode" 2>/dev/null)" = 0 ] || [ "${1#*ram}" != "$1" ]; then
		agrees_without_requests "$1"
	else
		agrees_with_stat "$1"
	fi
}

trace_tops() {
	local d what

	for d in "${WRITTEN[@]}"; do dd if=/dev/zero "of=/dev/$d" bs=1M count=40 oflag=direct status=none; done
	read_kinds
	load_script >"$TMPDIR/load"
	traced "a trace of $((${#TOPS[@]} + ${#OTHERS[@]})) stacks" "${TRACE_OPTS[@]}" "${TOPS[@]}" "${OTHERS[@]}" -- sh "$TMPDIR/load" ||
		diag "$(tail -n 5 "$TMPDIR/fio.out")"
	read_stats
	read_ops
	conserves "each layer of each stack adds up" "${TOPS[@]}"
	for d in "${LAYERS[@]}"; do
		case " ${OTHERS[*]} " in *" $d "*) continue ;; esac
		what=${WHAT[$d]-${KIND[$d]-partition}}
		followed "$d" "$what"
		agrees_as_layer "$d" "$what"
		sends_what_legs_get "$d" "$what"
	done
	for d in "${LEAVES[@]}"; do agrees_as_leaf "$d"; done
	# Nothing was under way when the trace began, so an I/O whose start was missed has to be counted as lost.
	for d in "${TOPS[@]}"; do
		is "$d: no I/O is said to have begun before the trace" "$(ledger "$d" before_attach)" 0
	done
	# A partition's flushes are counted for the disk only.
	for d in "${DEVS[@]}"; do
		[ -e "/sys/class/block/$d/partition" ] || continue
		near_missed "$d: the bytes are those of its statistics" "$(ledger "$d" bytes)" \
			$(($(stats_delta "$d" 3 7) * 512)) 262144
	done
	lost_within_missed "only what the kernel did not show is lost" "${DEVS[@]}"
}

take_down() {
	run_at_end
	TOPS=() LEAVES=() WRITTEN=() OTHERS=() WHAT=() LEGS_OF=()
	others_load() { :; }
}
