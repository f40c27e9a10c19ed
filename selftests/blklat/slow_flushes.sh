# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Commits a journal on a device whose flushes are slow; on most kernels dm sends the flush first
# and the data after it. Also commits a journal on a stack of two disks: one without a write
# cache, where a flush ends at once, and one with a write cache. Sourced after layers.sh.

linear_on_slow_flush() {
	local dev

	dev=$(dev_no "$1")
	dm_new delay "0 $(dev_sectors "$1") delay $dev 0 0 $dev 0 0 $dev 0 60" || return
	stack_linear "$STACK"
}

flush_stacks() {
	local d cached="completion_nsec=100000 size=80 cache_size=32 discard=1"

	# shellcheck disable=SC2086
	legs 1 $cached
	needed "dm-linear on dm-delay" linear_on_slow_flush "${LEGS[0]}"
	SLOW=$STACK
	brd_new
	# shellcheck disable=SC2086
	legs 1 $cached; CACHED_LEG=${LEGS[0]}
	LEGS=("$BRD"); needed "dm-linear on brd" stack_linear "$BRD" "$CACHED_LEG"; NO_CACHE=$STACK
	mkdir "$TMPDIR/slow" "$TMPDIR/nocache"
	for d in "$SLOW slow" "$NO_CACHE nocache"; do
		mkfs.ext4 -q -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 \
			"/dev/${d% *}" 60M && mount "/dev/${d% *}" "$TMPDIR/${d#* }" ||
			bail "a file system on ${d% *}"
	done
}

flush_load() {
	cat >"$TMPDIR/flushes" <<-END
		[global]
		size=1m
		rw=randwrite
		bs=4k
		number_ios=20
		fsync=1
		[slow]
		directory=$TMPDIR/slow
		[nocache]
		directory=$TMPDIR/nocache
	END
	echo "{ fio --output=flushes.out $TMPDIR/flushes || echo \"fio on slow flushes: \$?\"; } &"
}

flushes_hold() {
	local flushes total submit below waited

	read -r flushes total submit below waited < <(json "
		def sum(f): [.stages[] | select(f).sum_ns] | add // 0;
		dev(\"$SLOW\") | op(\"flush\") | [.total.count, .total.sum_ns,
			sum(.stage == \"layer submit\" and .layer == \"0\"),
			sum(.stage == \"layer submit\" and .layer == \"1\"),
			sum(.stage == \"flush\")] | join(\" \")")
	holds "slow flushes: commits wait for them ($flushes of them)" \
		"$flushes >= 15 && $total >= $flushes * 50e6"
	holds "slow flushes: their time is none of the layer above" "$submit < $total / 5"
	holds "slow flushes: their time is that of the flush, or of the delay" \
		"$waited + $below > $total / 2"
	lost_within_missed "no write cache: nothing is lost but what the kernel did not show" "$BRD"
	holds "no write cache: the disk beside it is flushed" \
		"$(ledger "$CACHED_LEG" rq_flushes) >= 15"
}
