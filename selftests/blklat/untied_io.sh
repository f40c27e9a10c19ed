# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Puts I/O on layers whose I/O cannot be tied to the I/O below: a stripe cache, a journal, a
# target with nothing below, a log. The result has to say which layers these are, how many I/Os
# and why. Also makes I/Os that are refused and submitted again, which the result has to count as
# retried. Sourced after layers.sh.

untied_stacks() {
	legs 3
	needed "md raid5" stack_md 5 --chunk=64 "${LEGS[@]}"
	RAID=$STACK RAID_LEGS=("${LEGS[@]}")
	dm_new zero "0 100000 zero" || bail "dm-zero is there" "$STACK_WHY"
	ZERO=$STACK
	legs 1; JOURNAL_LEG=${LEGS[0]}
	stack_integrity "$JOURNAL_LEG" J || bail "dm-integrity is there" "$STACK_WHY"
	JOURNAL=$STACK
	legs 1 hw_queue_depth=1; BUSY=${LEGS[0]}
	stack_linear "$BUSY" || bail "dm-linear is there" "$STACK_WHY"
	RETRIED=$STACK
	legs 2; LOG_LEG=${LEGS[1]}
	dm_new log-writes \
		"0 $(dev_sectors "${LEGS[0]}") log-writes /dev/${LEGS[0]} /dev/$LOG_LEG" ||
		bail "dm-log-writes is there" "$STACK_WHY"
	LOG=$STACK
	# shellcheck disable=SC2034 # of layers.sh
	OTHERS=("$ZERO" "$JOURNAL" "$RETRIED" "$LOG")
}

untied_load() {
	cat <<-END
		dd if=/dev/zero of=/dev/$JOURNAL bs=64k count=20 oflag=direct status=none
		# dm-log-writes writes these to its log when they are flushed.
		dd if=/dev/zero of=/dev/$LOG bs=64k count=20 oflag=direct conv=fsync status=none
		dd if=/dev/$ZERO of=/dev/null bs=64k count=20 iflag=direct status=none
		# The disk has one tag. The first attempts of io_uring, which may not wait, find
		# it in use.
		fio --name=retried --filename=/dev/$RETRIED --direct=1 --ioengine=io_uring \
			--iodepth=8 --rw=randread --bs=4k --number_ios=200 --size=20m \
			--output=$TMPDIR/retried.out || echo "fio: \$?"
	END
}

declare -A UNSPLIT WHY OWN
read_untied() {
	# shellcheck disable=SC2016 # jq's variables
	while IFS=$'\t' read -r kind dev a b c; do
		case $kind in
		unsplit) UNSPLIT[$dev]=$a WHY[$dev]=$b ;;
		# OWN[DEV]: the number of I/Os that a layer made by itself; OWN[DEV.FUNCTION]:
		# "COUNT WHAT" of those with this end_io
		own) OWN[$dev]=$((${OWN[$dev]-0} + a)) OWN[$dev.$b]="$a $c" ;;
		esac
	done < <(jq -r '.devices[] | .name as $d |
		["unsplit", $d, .unsplit.count, .unsplit.why // "-"],
		(.own[] | ["own", $d, .count, .end_io, .what // "-"]) | @tsv' "$JSON")
}

# says WHAT DEV COUNT REGEX: passes if COUNT I/Os of DEV are one stage and if the JSON and the
# text say why
says() {
	local all

	all=$(ledger "$2" completed)
	near_missed "$1: its I/Os are one stage" "${UNSPLIT[$2]}" "$3"
	holds "$1: some are" "${UNSPLIT[$2]} > 0"
	check "$1: the reason" grep -qE "^$4$" <<<"${WHY[$2]}"
	check "$1: is printed" grep -qE \
		"^$2: .* ${UNSPLIT[$2]} of $all I/Os are one stage, $2\+below: $4 " "$OUT_FILE"
}

untied_holds() {
	local d retried

	read_untied
	says "raid5" "$RAID" \
		$((OPS[$RAID.write] + OPS[$RAID.read.whole] + OPS[$RAID.flush.whole])) \
		"I/Os that go through its stripe cache share the I/O below"
	says "dm-zero" "$ZERO" "$(ledger "$ZERO" completed)" "nothing lies below"
	says "a journal of dm-integrity" "$JOURNAL" "${OPS[$JOURNAL.write]}" \
		"nothing that was sent below can be tied to them(, or its end was missed)?"

	# Each I/O of a leg that no single I/O above asked for is listed with its origin. The
	# ledger has their sum: all I/Os that are not linked.
	for d in "${RAID_LEGS[@]}" "$JOURNAL_LEG" "$LOG_LEG"; do
		near_missed "$d: all that is its layer's own is listed" "${OWN[$d]-0}" \
			$(($(ledger "$d" started) - $(ledger "$d" linked)))
	done
	for d in "${RAID_LEGS[@]}"; do
		check "$d: by the stripe cache" grep -q "^[1-9][0-9]* stripe cache$" \
			<<<"${OWN[$d.raid5_end_write_request]-}"
	done
	check "dm-integrity's journal: by dm-io" \
		grep -q "^[1-9][0-9]* copies, metadata and logs of dm$" \
		<<<"${OWN[$JOURNAL_LEG.endio]-}"
	# blklat has no explanation for this function: it only prints the function's name.
	check "dm-log-writes: by a function that is not known" \
		grep -q "^[1-9][0-9]* -$" <<<"${OWN[$LOG_LEG.log_end_io]-}"
	check "dm-log-writes: the function is printed" grep -Eq \
		"^$LOG_LEG: .*[0-9]+ of unknown origin, by log_end_io \[dm_log_writes\]" "$OUT_FILE"
	holds "dm-log-writes: its own writes are followed" \
		"${OPS[$LOG.write.whole]} <= $(missed_of "${OPS[$LOG.write]}")"

	retried=$(ledger "$RETRIED" retried)
	holds "refused for lack of a tag: there were some ($retried)" "$retried > 0"
	near_missed "refused for lack of a tag: the time is in alloc" \
		"$(json ".devices[] | select(.name == \"$BUSY\") | [.stages[] |
			select(.stage == \"unattributed\") | .count] | add // 0")" 0
	near_missed "refused for lack of a tag: each of the 200 reads came through once" \
		"$(($(ledger "$RETRIED" started) - retried))" 200
	near_missed "refused for lack of a tag: the reads are what the disk has done" \
		"$(stats_delta "$BUSY" 1)" "$(ledger "$BUSY" rq_reads)"
}
