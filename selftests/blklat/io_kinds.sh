# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Puts all kinds of I/O through layers: flushes, FUA writes, commits of a journal, I/O larger than
# a chunk, merged I/O and discards. Each I/O has to be tied to the I/Os that were made of it, as
# the geometry of the layer says. Sourced after layers.sh.

BIG=16 FLUSHED=20 DISCARDS=8 FUA_WRITES=50 BIG_CHUNKS=16 # chunks of 64 KiB in 1 MiB

lvm_on_raid1() {
	stack_md 1 "$@" || return
	RAID1=$STACK
	stack_lvm linear "$RAID1"
}

kinds_stacks() {
	local cached="completion_nsec=100000 size=80 cache_size=32 discard=1"

	# shellcheck disable=SC2034,SC2086 # of layers.sh; options
	{
		legs 2 $cached
		needed "LVM on md raid1" lvm_on_raid1 "${LEGS[@]}"
		LV=$STACK RAID1_LEGS=("${LEGS[@]}")
		LEGS_OF[$RAID1]=${LEGS[*]} LEGS_OF[$LV]=
		legs 2 $cached
		needed "md raid0" stack_md 0 --chunk=64 "${LEGS[@]}"
		RAID0=$STACK RAID0_LEGS=("${LEGS[@]}")
		legs 2 $cached
		needed "dm-stripe" stack_stripe 64k "${LEGS[@]}"
		STRIPE=$STACK STRIPE_LEGS=("${LEGS[@]}")
		legs 2 $cached
		needed "md raid10" stack_md 10 --chunk=64 "${LEGS[@]}"
		RAID10=$STACK RAID10_LEGS=("${LEGS[@]}")
	}
	# On a disk without FUA, a flush has to follow the data.
	SDA=$(ahci_disk 0)
	echo mq-deadline >"/sys/block/$SDA/queue/scheduler"
	LEGS=("$SDA"); needed "dm-linear on a disk without FUA" stack_linear "$SDA"; LINEAR=$STACK
	KINDS_TOPS=("${TOPS[@]}") KINDS_LEAVES=("${LEAVES[@]}")
	mkdir "$TMPDIR/lv"
}

# The jobs of one fio come one after the other. Each start of fio takes half a second in a guest.
kinds_load() {
	local d

	{
		printf '%s\n' '[global]' size=16m direct=1 ioengine=psync thread stonewall \
			rw=randwrite bs=64k "number_ios=$FLUSHED" fsync=1
		for d in "$RAID0" "$STRIPE" "$RAID10"; do
			printf '%s\n' "[$d]" "filename=/dev/$d"
		done
	} >"$TMPDIR/chunks.fio"
	cat >"$TMPDIR/merges.fio" <<-END
		[global]
		filename=/dev/$LINEAR
		ioengine=psync
		thread
		bs=4k
		[fua]
		size=16m
		direct=1
		rw=randwrite
		number_ios=$FUA_WRITES
		sync=dsync
		[merge]
		stonewall
		size=4m
		rw=write
		end_fsync=1
	END
	cat <<-END
		discards() { blkdiscard -f -o 16M -l ${DISCARDS}M -p 1M /dev/\$1; }
		# A journal: its commits are PREFLUSH and FUA with data
		journal_on_lv() {
			mkfs.ext4 -q -E nodiscard /dev/$LV 64M
			mount /dev/$LV lv
			fio --name=fs --directory=lv --size=4m --rw=randwrite --bs=4k \\
				--number_ios=60 --fsync=2 --output=fs.out
			umount lv
		}
		chunks() {
			for d in $RAID0 $STRIPE $RAID10; do
				dd if=/dev/zero of=/dev/\$d bs=1M count=$BIG oflag=direct \\
					status=none
				dd if=/dev/\$d of=/dev/null bs=1M count=$BIG iflag=direct \\
					status=none
			done
			fio --output=chunks.out chunks.fio || echo "fio on chunks: \$?"
			for d in $RAID0 $STRIPE $RAID10; do discards \$d; done
		}
		merges_on_linear() {
			fio --output=merges.out merges.fio || echo "fio on $LINEAR: \$?"
			discards $LINEAR
		}
		journal_on_lv &
		chunks &
		merges_on_linear &
	END
}

# KIND_OPS[DEV.OP]: the number of I/Os; KIND_OPS[DEV.OP.STAGE]: how many of these have this stage
# in the disk; KIND_OPS[DEV.superblock]: the writes of md's superblock
declare -A KIND_OPS
read_kinds_of_io() {
	local key value

	# shellcheck disable=SC2016 # jq's variables
	while read -r key value; do
		KIND_OPS[$key]=$value
	done < <(jq -r '.devices[] | .name as $d |
		(["read", "write", "flush", "discard"][] | "\($d).\(.) 0"),
		"\($d).superblock \([.own[] | select(.end_io == "super_written") | .count] |
			add // 0)",
		(.ops[] | "\($d).\(.op) \(.total.count)", (.op as $op | .stages[] |
			select(.layer == "leaf") | "\($d).\($op).\(.stage) \(.count)"))' "$JSON")
}

# alone DEV: prints how many I/Os of the device made no I/O below: on some kernels md sends one
# flush for many.
alone() { echo $(($(ledger "$1" completed) - $(ledger "$1" parents))); }

# leg_gets WHAT TOP LEG...: passes if each leg gets each flush of TOP and its part of each discard
leg_gets() {
	local what=$1 top=$2 d own got want slack

	want=${KIND_OPS[$top.flush]}
	slack=$(missed_of "$want")

	for d in "${@:3}"; do
		# md writes its superblock with flushes. Other flushes may have no parent, because
		# an event was missed.
		own=${KIND_OPS[$d.superblock]} got=${KIND_OPS[$d.flush]}
		holds "$what: a leg gets each flush ($got, md's $own, of $want)" \
			"$got - $own <= $want + $slack &&
			 $got - $own + $slack >= $want - $(alone "$top")"
		near_missed "$what: a leg gets its part of each discard" \
			"${KIND_OPS[$d.discard]}" "${KIND_OPS[$top.discard]}"
	done
}

kinds_of_io_hold() {
	local d parents all shared want

	read_kinds_of_io
	for d in "${KINDS_LEAVES[@]}"; do agrees_with_stat "$d"; done
	for d in "${KINDS_TOPS[@]}" "$RAID1"; do
		parents=$(ledger "$d" parents) all=$(ledger "$d" completed) shared=0
		[ "${d#md}" = "$d" ] || shared="${KIND_OPS[$d.flush]} / 4"
		holds "$d: all kinds are followed ($parents of $all)" \
			"$parents + $(missed_of "$all") >= 0.999 * $all - $shared"
	done
	lost_within_missed "no I/O is lost but what the kernel did not show" \
		"${KINDS_TOPS[@]}" "$RAID1" "${KINDS_LEAVES[@]}"
	holds "the journal's commits are flushes (${KIND_OPS[$LV.flush]})" \
		"${KIND_OPS[$LV.flush]} >= 25 && ${KIND_OPS[$LV.discard]} == 0"

	# A device hands down as many bytes as it gets; a mirror hands down twice what is written.
	near_missed "linear: bytes" "$(ledger "$LV" child_bytes)" "$(ledger "$LV" bytes)" 65536
	near_missed "raid1: bytes" "$(ledger "$RAID1" child_bytes)" \
		$(($(ledger "$RAID1" bytes) + $(stats_delta "$RAID1" 7) * 512)) 65536
	near_missed "raid10: bytes" "$(ledger "$RAID10" child_bytes)" \
		$(($(ledger "$RAID10" bytes) + (BIG + DISCARDS << 20) + (FLUSHED << 16))) 65536
	for d in "$RAID0" "$STRIPE"; do
		near_missed "$d: bytes" "$(ledger "$d" child_bytes)" "$(ledger "$d" bytes)" 65536
		want=$((KIND_OPS[$d.read] + KIND_OPS[$d.write] + 2 * BIG * (BIG_CHUNKS - 1) +
			2 * (KIND_OPS[$d.flush] + KIND_OPS[$d.discard])))
		near_missed "$d: one I/O per chunk, flush and discards on each leg" \
			"$(ledger "$d" children)" $want BIG_CHUNKS
	done

	leg_gets "raid1" "$RAID1" "${RAID1_LEGS[@]}"
	leg_gets "raid0" "$RAID0" "${RAID0_LEGS[@]}"
	leg_gets "dm-stripe" "$STRIPE" "${STRIPE_LEGS[@]}"
	leg_gets "raid10" "$RAID10" "${RAID10_LEGS[@]}"
	for d in "$RAID0" "$STRIPE" "$RAID10" "$LINEAR"; do
		counts "$d: discards are not mixed with writes" "${KIND_OPS[$d.discard]}" $DISCARDS
	done

	counts "FUA on a disk without: the flush after it is part of the write" \
		"${KIND_OPS[$LINEAR.write.flush]}" $FUA_WRITES
	# The missed event may be one of the disk's requests or one of the layer's flushes.
	near_missed "FUA: flushes of the disk" "$(ledger "$SDA" rq_flushes)" \
		$((FUA_WRITES + KIND_OPS[$LINEAR.flush]))
	near_missed "merges: each I/O makes a request or rides with another" \
		"$(ledger "$SDA" rq_writes rq_discards merges rq_merges)" "$(ledger "$SDA" started)"
	holds "merges: most ride" "$(ledger "$SDA" merges rq_merges) > 700"
	near_missed "merges: all keep their own alloc and sched" \
		"$((KIND_OPS[$LINEAR.write.alloc] + KIND_OPS[$LINEAR.write.sched]))" \
		$((2 * KIND_OPS[$LINEAR.write])) 2
}
