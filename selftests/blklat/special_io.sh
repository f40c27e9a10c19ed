# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Makes I/O that is flushed, split, merged, requeued, cut short or failed, and commands that are
# no I/O of the disk at all, each on a disk of its own. Sourced after layers.sh. Debian's kernels
# for arm64 have no scsi_debug: there nothing is requeued or cut short.

special_disks() {
	nullb_new badblocks=+8192-8199
	BAD=$NULLB
	nullb_new irqmode=2 completion_nsec=1000000
	MERGED=$NULLB
	echo mq-deadline >"/sys/block/$MERGED/queue/scheduler"
	SDEBUG=
	! has_scsi_debug || scsi_debug_new ndelay=20000 || bail "scsi_debug makes a disk"
	mkdir "$TMPDIR/fs"
	DRV=/sys/bus/pseudo/drivers/scsi_debug
	FUA=$(nvme_disk 0) FLUSHED_DISK=vda SPLIT=$(ahci_disk 1) FS=vdb
	echo 128 >/sys/block/$SPLIT/queue/max_sectors_kb
	SPECIAL=("$FUA" "$FLUSHED_DISK" "$FS" "$SPLIT" "$BAD" "$MERGED")
	[ -z "$SDEBUG" ] || SPECIAL+=("$SDEBUG")
}

# The jobs of one fio come one after the other. Each start of fio takes half a second in a guest.
special_load() {
	cat >"$TMPDIR/special.fio" <<-END
		[global]
		size=32m
		direct=1
		rw=randwrite
		thread
		stonewall
		[$FLUSHED_DISK]
		filename=/dev/$FLUSHED_DISK
		number_ios=100
		fsync=1
		# FUA writes with a flush after each, which is how the kernel does O_DSYNC on a
		# block device
		[$FUA]
		filename=/dev/$FUA
		number_ios=100
		sync=dsync
		# Reads of 4 MiB, of which the disk takes 128 KiB at a time
		[$SPLIT]
		filename=/dev/$SPLIT
		rw=read
		bs=4m
		io_size=32m
		# The writes go page by page through the page cache.
		[$MERGED]
		filename=/dev/$MERGED
		rw=write
		bs=4k
		direct=0
		end_fsync=1
	END
	# The driver is busy at every 20th command; then every 20th command reads only a part.
	cat >"$TMPDIR/busy.fio" <<-END
		[global]
		filename=/dev/$SDEBUG
		size=32m
		direct=1
		rw=randread
		number_ios=400
		thread
		stonewall
		[busy]
		exec_prerun=sh $TMPDIR/every_20th 0x8000
		[parts]
		bs=16k
		exec_prerun=sh $TMPDIR/every_20th 0x100
	END
	cat >"$TMPDIR/every_20th" <<-END
		echo 0 >$DRV/every_nth
		echo \$1 >$DRV/opts
		echo 20 >$DRV/every_nth
	END
	cat <<-END
		# The journal of a file system flushes before the data and, if there is no FUA,
		# after the data.
		journal_on_disk() {
			mkfs.ext4 -q /dev/$FS 64M
			mount /dev/$FS fs
			fio --name=$FS --directory=fs --size=4m --rw=randwrite --number_ios=100 \\
				--fsync=2 --output=/dev/null
			umount fs
		}
		# discards; and passthrough commands, which are no reads or writes of the disk
		passthrough() {
			blkdiscard -f -o 4M -l 8M -p 1M /dev/$FUA
			for i in 1 2 3 4 5; do
				nvme io-passthru /dev/$FUA --opcode=2 --namespace-id=1 \\
					--data-len=4096 --read --cdw12=7 -b
			done >nvme.out 2>&1
			nvme id-ctrl /dev/$FUA >>nvme.out 2>&1
		}
		busy() {
			fio --output=busy.out busy.fio || echo "fio on $SDEBUG: \$?"
			echo 0 >$DRV/every_nth
			echo 0 >$DRV/opts
		}
		# 8 of the 20 reads fail; dd does not count these.
		errors() {
			dd if=/dev/$BAD of=/dev/null bs=512 count=12 skip=8186 iflag=direct \\
				conv=noerror >dd.out 2>&1
		}
		special() {
			fio --output-format=json --output=special.json special.fio ||
				echo "fio on disks: \$?"
		}
		{ journal_on_disk; errors; passthrough; } &
		special &
		[ -z "$SDEBUG" ] || busy &
	END
}

# Sets OPS_OF[DEV] to the number of reads, writes, flushes and discards, STAGE_OF[DEV.STAGE] to the
# number of I/Os with this stage, and STAGE_OF[DEV.flush.STAGE] to that of flushes.
declare -A OPS_OF STAGE_OF
read_special() {
	local kind dev n

	while read -r kind dev n; do
		case $kind in
		ops) OPS_OF[$dev]=$n ;;
		stage) STAGE_OF[$dev]=$n ;;
		esac
	done < <(json '.devices[] | .name as $d |
		"ops \($d) \([("read", "write", "flush", "discard") as $op |
			[op($op).total.count] | add // 0] | join(" "))",
		(.stages | group_by(.stage)[] | "stage \($d).\(.[0].stage) \(map(.count) | add)"),
		(op("flush").stages | group_by(.stage)[] |
			"stage \($d).flush.\(.[0].stage) \(map(.count) | add)")')
}

special_io_holds() {
	local d reads syncs

	for d in "${SPECIAL[@]}"; do agrees_with_stat "$d"; done
	lost_within_missed "no I/O is lost but what the kernel did not show" "${SPECIAL[@]}"

	read_special
	syncs=$(jq --arg d $FLUSHED_DISK '.jobs[] | select(.jobname == $d).sync.total_ios' \
		"$TMPDIR/special.json")
	counts "fsync: writes and flushes are I/Os each" "${OPS_OF[$FLUSHED_DISK]}" "0 100 $syncs 0"
	counts "fsync: a flush is one stage" "${STAGE_OF[$FLUSHED_DISK.flush.flush]}" "$syncs"
	counts "FUA, discard: what fio and blkdiscard did" "${OPS_OF[$FUA]}" "0 100 100 8"
	counts "passthrough: counted, but not as I/O" "$(ledger $FUA rq_passthrough)" 5
	holds "a journal: commits are flushes with data (${OPS_OF[$FS]})" \
		"${STAGE_OF[$FS.flush.device]-0} + ${STAGE_OF[$FS.flush.submit+device]-0} >= 20"
	holds "a journal: flushed before and after ($(ledger $FS rq_flushes))" \
		"$(ledger $FS rq_flushes) >= 40"
	near_missed "a disk that splits: each split is one request more, or rides with another" \
		"$(ledger $SPLIT rq_reads merges rq_merges)" "$(ledger $SPLIT started splits)"
	reads=$(ledger $SPLIT rq_reads)
	holds "a disk that splits: at least 128 KiB each" \
		"$(ledger $SPLIT started) <= 64 && $reads + $(missed_of 256) >= 256"
	near_missed "merges: each I/O makes a request or rides with another" \
		"$(ledger "$MERGED" rq_writes merges rq_merges)" "$(ledger "$MERGED" started)"
	holds "merges: most ride" "$(ledger "$MERGED" rq_writes) * 4 < $(ledger "$MERGED" started)"
	counts "errors: counted" "$(ledger "$BAD" errors)" 8
	counts "errors: are I/Os all the same" "$(ledger "$BAD" completed)" 20
	if [ -z "$SDEBUG" ]; then
		skip "requeues and partial completions" "no scsi_debug"
		return
	fi
	holds "requeues: one in 20 of 400 ($(ledger "$SDEBUG" requeues))" \
		"$(ledger "$SDEBUG" requeues) >= 18"
	holds "partial completions: one in 20 of 400 ($(ledger "$SDEBUG" partial))" \
		"$(ledger "$SDEBUG" partial) >= 18 && $(ledger "$SDEBUG" partial) <= 24"
	counts "both: each I/O is one" "$(ledger "$SDEBUG" completed)" 800
	near_missed "both: what was issued again has the stage requeue" \
		"${STAGE_OF[$SDEBUG.requeue]}" \
		$(($(ledger "$SDEBUG" rq_issued) - $(ledger "$SDEBUG" rq_reads)))
}
