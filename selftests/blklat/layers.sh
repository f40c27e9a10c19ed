# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions for tests that trace stacks: top adds a stack to those that are traced, and trace_tops
# puts a load on all of them, traces it and checks every device in them.

# shellcheck source=selftests/blklat/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=selftests/lib/stacks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/stacks.sh"

TOPS=() LEAVES=() WRITTEN=()
# Options of the trace
TRACE_OPTS=(--check)
# Devices that are traced together with TOPS. others_load prints the commands of their load.
OTHERS=()
others_load() { :; }
declare -A WHAT KIND META DAEMON LEGS_OF

# legs N [ATTRIBUTE=VALUE]...: makes N disks of 64 MiB whose completions take 0.2 ms, and sets
# LEGS to their names
legs() {
	local n=$1

	LEGS=()
	for _ in $(seq "$n"); do
		nullb_new irqmode=2 completion_nsec=200000 size=64 memory_backed=1 "${@:2}"
		LEGS+=("$NULLB")
	done
}

# top WHAT COMMAND...: adds the stack that COMMAND makes on LEGS to those that are traced
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

# needed WHAT COMMAND...: as top, but ends the test if there is no such stack, because the test
# makes no sense without it
needed() {
	top "$@"
	[ -n "$STACK" ] || bail "$1 is there" "$STACK_WHY"
}

# written WHAT COMMAND...: as top, but all that the load uses of the stack is written before the
# trace. For blocks that were never written, dm-thin makes zeros without asking the disk, and
# dm-integrity says that the checksum is wrong.
written() {
	top "$@"
	[ -z "$STACK" ] || WRITTEN+=("$STACK")
}

# has_bitmap LEG...: notes that the RAID on these legs may write its bitmap to them at any time
has_bitmap() {
	local d

	for d in "$@"; do DAEMON[$d]=yes; done
	LEGS_OF[$STACK]=
}

# writes_later LEG...: takes these legs out of the comparison with the statistics, because the
# layer also does I/O by itself, at any time
writes_later() {
	local d keep=()

	for d in "${LEAVES[@]}"; do
		case " $* " in *" $d "*) ;; *) keep+=("$d") ;; esac
	done
	LEAVES=("${keep[@]}")
	LEGS_OF[$STACK]=
}

# Prints the jobs of fio: for each stack asynchronous and synchronous reads and writes of several
# sizes, also larger than two chunks of 64 KiB, and fsyncs. The jobs are threads, because a process
# of fio takes a tenth of a second in a guest. One stack has its load at a time: while a preempted
# task waits in a program, the kernel does not run that program for the other tasks of the CPU. With
# the loads of four stacks at once, a guest with one CPU and kernel 7.2 did not show blklat a third
# of the I/Os.
load_all() {
	local d

	cat <<-END
		[global]
		direct=1
		thread
		rw=randrw
		bssplit=4k/30:12k/20:60k/20:132k/20:256k/10
		size=10m
		number_ios=50
	END
	for d in "${TOPS[@]}"; do
		cat <<-END
			[$d-aio]
			stonewall
			filename=/dev/$d
			ioengine=libaio
			iodepth=8
			[$d-sync]
			filename=/dev/$d
			ioengine=psync
			fsync=5
			offset=10m
		END
	done
}

# Prints the script that is traced. It saves the statistics of all devices before and after the
# load, so that both lie within the trace.
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

# OPS[DEV.read]...: the number of I/Os of each kind; OPS[DEV.read.whole]: how many of them have
# one stage for all that lies below, because nothing is known of it; OPS[DEV.below]: the bytes
# that went below. DEVS: all devices; LAYERS: the devices that have others below.
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
	done < <(jq -r '.devices[] | .name as $d |
		"device \($d)", (select(.legs | length > 0) | "layer \($d)"),
		"\($d).below \([.flow[].below_bytes] | add // 0)",
		(["read", "write", "flush", "discard"][] | "\($d).\(.) 0", "\($d).\(.).whole 0"),
		(.ops[] | .op as $op | "\($d).\($op) \(.total.count)",
			(.stages[] | select(.stage == "layer+below" and .layer == "0") |
				"\($d).\($op).whole \(.count)"))' "$JSON")
}

# read_kinds: sets KIND[DEV] of all dm and md devices, to "dm-raid raid1" or "md raid5" for
# example, and META[DEV] of the devices that have the superblock and bitmap of LVM's RAID
read_kinds() {
	local dev name type level
	local -A dev_of=()

	KIND=() META=()
	for dev in /sys/block/dm-*; do
		{ read -r name <"$dev/dm/name"; } 2>/dev/null && dev_of[$name]=${dev##*/}
	done
	while IFS=': ' read -r name _ _ type level _; do
		dev=${dev_of[$name]-}
		[ -n "$dev" ] || continue
		[ "$type" = raid ] && type+=" $level"
		KIND[$dev]=dm-$type
		[[ $name != *_rmeta_* ]] || META[$dev]=yes
	done < <(dmsetup table 2>/dev/null)
	for dev in /sys/block/md*; do
		[ ! -e "$dev/md/level" ] || KIND[${dev##*/}]="md $(<"$dev/md/level")"
	done
}

# agrees_as_layer DEV WHAT: compares the layer with its statistics. The kernel counts each piece
# of an I/O that the layer splits, so I/Os are compared only if none was split, and else only
# bytes.
agrees_as_layer() {
	local dev=$1 what="$2: of $1" got want most bytes own=0

	# In dm-raid, dm and the md below it count into the same statistics.
	case ${KIND[$dev]} in dm-raid*) return ;; esac
	# The trace also sees the superblocks that a RAID writes before the first reading of the
	# statistics and after the last one.
	[ ! "${META[$dev]-}" ] || own=4
	get_stats_delta "$dev" 3 7 14
	bytes=$((REPLY * 512))
	get_missed_of $bytes 262144
	near "$what the bytes are those of its statistics" "${LEDGER[$dev.bytes]}" \
		$bytes 0 $((REPLY + own * 4096))
	[ "${LEDGER[$dev.children]}" = "${LEDGER[$dev.parents]}" ] || return 0
	got=$((OPS[$dev.read] + OPS[$dev.write]))
	get_stats_delta "$dev" 1 5
	want=$REPLY
	get_missed_of "$want"
	# Some kernels count a flush as a write.
	most=$((got + OPS[$dev.flush] + REPLY))
	holds "$what the reads and writes are those of its statistics ($got)" \
		"$((got - own)) <= $want && $want <= $most"
}

# sends_what_legs_get DEV WHAT: passes if the bytes that DEV sent below are those that its legs
# got. They include parity, superblocks and the I/O that a write needs first. Legs on brd are not
# compared, because brd counts nothing.
sends_what_legs_get() {
	local dev=$1 d sectors=0

	for d in ${LEGS_OF[$dev]-}; do
		get_stats_delta "$d" 3 7 14
		sectors=$((sectors + REPLY))
	done
	[ $sectors -eq 0 ] || near_missed "$2: what went below $dev is what its legs got" \
		"${OPS[$dev.below]}" $((sectors * 512)) 262144
}

# followed DEV WHAT: passes if the I/Os of DEV with data made I/Os below, so that the time below
# is that of a leaf. If many writes share the I/O below, the time below has to be one stage.
followed() {
	local dev=$1 what=$2 reads=${OPS[$1.read]} writes=${OPS[$1.write]} parents n
	local read_whole=${OPS[$1.read.whole]} write_whole=${OPS[$1.write.whole]} whole

	case ${KIND[$dev]} in
	*raid[56]*)
		parents=${LEDGER[$dev.parents]}
		n=$((reads - read_whole))
		get_missed_of "$reads"
		holds "$what: at least 99 % of $dev's reads are followed ($n of $reads)" \
			"$read_whole <= $REPLY + 0.01 * $reads"
		near_missed "$what: what lies below $dev's writes is one stage" \
			"$write_whole" "$writes"
		near_missed "$what: nothing of $dev is both" \
			"$((read_whole + write_whole + OPS[$dev.flush.whole]))" \
			$((${LEDGER[$dev.completed]} - parents)) ;;
	*)
		n=$((reads + writes)) whole=$((read_whole + write_whole))
		what+=": at least 99.9 % of $dev's I/Os are followed"
		get_missed_of $n
		holds "$what (all but $whole of $n with data)" "$whole <= $REPLY + 0.001 * $n" ;;
	esac
}

# agrees_without_requests DEV: compares a disk that has no requests with its statistics
agrees_without_requests() {
	local dev=$1 want

	get_stats_delta "$dev" 1
	want=$REPLY
	get_stats_delta "$dev" 5
	want+=" $REPLY"
	if [ "$want" = "0 0" ]; then
		skip "$dev: reads and writes are those of its statistics" \
			"this kernel keeps none for it"
		return
	fi
	counts "$dev: reads and writes are those of its statistics" \
		"${OPS[$dev.read]} ${OPS[$dev.write]}" "$want"
	get_stats_delta "$dev" 3 7
	near_missed "$dev: bytes are those of its statistics" \
		"${LEDGER[$dev.bytes]}" $((REPLY * 512)) 262144
}

# agrees_but_own DEV: compares a leg of a RAID with its statistics. The RAID writes its bitmap and
# its superblock at any time, also between the last reading of the statistics and the end of the
# trace.
agrees_but_own() {
	local dev=$1 got want what

	got=$(ledger "$dev" rq_reads rq_writes rq_discards rq_flushes)
	want=$(stats_delta "$dev" 1 5 12 16)
	what="$dev: the requests are those of the disk statistics, and few of its RAID's own"
	holds "$what ($got, $want)" \
		"$got <= $want + 4 && $want <= $got + $(missed_of "$want") && $want > 20"
}

agrees_as_leaf() {
	local mode=''

	# Only null_blk's disks have this file.
	{ read -r mode <"$NULLB_CFG/$1/queue_mode"; } 2>/dev/null
	if [ -n "${DAEMON[$1]-}" ]; then
		agrees_but_own "$1"
	elif [ "$mode" = 0 ] || [ "${1#*ram}" != "$1" ]; then
		agrees_without_requests "$1"
	else
		agrees_with_stat "$1" 262144
	fi
}

trace_tops() {
	local d what

	for d in "${WRITTEN[@]}"; do
		dd if=/dev/zero "of=/dev/$d" bs=1M count=20 oflag=direct status=none
	done
	read_kinds
	load_script >"$TMPDIR/load"
	traced "a trace of $((${#TOPS[@]} + ${#OTHERS[@]})) stacks" "${TRACE_OPTS[@]}" \
		"${TOPS[@]}" "${OTHERS[@]}" -- sh "$TMPDIR/load" ||
		diag "$(tail -n 5 "$TMPDIR/fio.out")"
	read_stats
	read_ops
	conserves "each layer of each stack adds up" "${TOPS[@]}"
	for d in "${TOPS[@]}"; do
		# A partition has its disk's requests, and nothing below it.
		[[ " ${LAYERS[*]} " == *" $d "* ]] || [ -e "/sys/class/block/$d/partition" ] ||
			not_ok "${WHAT[$d]}: $d has devices below it"
	done
	for d in "${LAYERS[@]}"; do
		case " ${OTHERS[*]} " in *" $d "*) continue ;; esac
		what=${WHAT[$d]-${KIND[$d]-partition}}
		followed "$d" "$what"
		agrees_as_layer "$d" "$what"
		sends_what_legs_get "$d" "$what"
	done
	for d in "${LEAVES[@]}"; do agrees_as_leaf "$d"; done
	# No I/O was in flight when the trace began, so an I/O whose start was missed has to be
	# counted as lost.
	for d in "${TOPS[@]}"; do
		is "$d: no I/O is reported to have begun before the trace" \
			"${LEDGER[$d.before_attach]}" 0
	done
	# A partition's flushes are counted for the disk only.
	for d in "${DEVS[@]}"; do
		[ -e "/sys/class/block/$d/partition" ] || continue
		get_stats_delta "$d" 3 7
		near_missed "$d: the bytes are those of its statistics" "${LEDGER[$d.bytes]}" \
			$((REPLY * 512)) 262144
	done
	lost_within_missed "only what the kernel did not show is lost" "${DEVS[@]}"
}

take_down() {
	run_at_end
	TOPS=() LEAVES=() WRITTEN=() OTHERS=() WHAT=() LEGS_OF=()
	others_load() { :; }
}
