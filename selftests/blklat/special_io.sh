# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Makes I/O that is flushed, split, merged, requeued, cut short or failed, and commands that are
# no I/O of the disk at all, each on a disk of its own. Sourced after layers.sh.

special_disks() {
	nullb_new badblocks=+8192-8199
	BAD=$NULLB
	nullb_new irqmode=2 completion_nsec=1000000
	MERGED=$NULLB
	echo mq-deadline >"/sys/block/$MERGED/queue/scheduler"
	scsi_debug_new ndelay=20000 || bail "scsi_debug makes a disk"
	mkdir "$TMPDIR/fs"
	DRV=/sys/bus/pseudo/drivers/scsi_debug
	FUA=$(nvme_disk 0) FLUSHED_DISK=vda SPLIT=$(ahci_disk 1) FS=vdb
	echo 128 >/sys/block/$SPLIT/queue/max_sectors_kb
	SPECIAL=("$FUA" "$FLUSHED_DISK" "$FS" "$SPLIT" "$BAD" "$MERGED" "$SDEBUG")
}

special_load() {
	cat <<-END
		run_on() {
			fio --name=\$1 --filename=/dev/\$1 --size=32m --direct=1 --rw=randwrite \\
				--output-format=json --output=\$1.json "\${@:2}" ||
				echo "fio on \$1: \$?"
		}
		flushes() { run_on $FLUSHED_DISK --number_ios=100 --fsync=1; }
		# The journal of a file system flushes before the data and, if there is no FUA,
		# after the data.
		journal_on_disk() {
			mkfs.ext4 -q /dev/$FS 64M
			mount /dev/$FS fs
			fio --name=$FS --directory=fs --size=4m --rw=randwrite --number_ios=100 \\
				--fsync=2 --output=/dev/null
			umount fs
		}
		# FUA writes with a flush after each, which is how the kernel does O_DSYNC on a
		# block device; discards; and passthrough commands, which are no reads or writes
		# of the disk
		fua() {
			run_on $FUA --number_ios=100 --sync=dsync
			blkdiscard -f -o 4M -l 8M -p 1M /dev/$FUA
			for i in 1 2 3 4 5; do
				nvme io-passthru /dev/$FUA --opcode=2 --namespace-id=1 \\
					--data-len=4096 --read --cdw12=7 -b
			done >nvme.out 2>&1
			nvme id-ctrl /dev/$FUA >>nvme.out 2>&1
		}
		# Reads of 4 MiB, of which the disk takes 128 KiB at a time
		split() { run_on $SPLIT --rw=read --bs=4m --io_size=32m; }
		# The writes go page by page through the page cache.
		merges() { run_on $MERGED --rw=write --bs=4k --direct=0 --end_fsync=1; }
		# The driver is busy at every 20th command; then every 20th command reads only a
		# part.
		busy() {
			echo 0x8000 >$DRV/opts
			echo 20 >$DRV/every_nth
			run_on $SDEBUG --rw=randread --number_ios=400
			echo 0 >$DRV/every_nth
			echo 0x100 >$DRV/opts
			echo 20 >$DRV/every_nth
			run_on $SDEBUG --rw=randread --number_ios=400 --bs=16k
			echo 0 >$DRV/every_nth
			echo 0 >$DRV/opts
		}
		# 8 of the 20 reads fail; dd does not count these.
		errors() {
			dd if=/dev/$BAD of=/dev/null bs=512 count=12 skip=8186 iflag=direct \\
				conv=noerror >dd.out 2>&1
		}
		{ flushes; journal_on_disk; errors; } &
		{ fua; split; merges; } &
		busy &
	END
}

# ops DEV: prints the number of reads, writes, flushes and discards
ops() { json "dev(\"$1\") as \$d | [\"read\", \"write\", \"flush\", \"discard\" | . as \$op |
	[\$d | op(\$op).total.count] | add // 0] | join(\" \")"; }
syncs() { jq '.jobs[0].sync.total_ios' "$TMPDIR/$1.json"; }

special_io_holds() {
	local d requeued reads

	for d in "${SPECIAL[@]}"; do agrees_with_stat "$d"; done
	lost_within_missed "none of them is lost but what the kernel did not show" "${SPECIAL[@]}"

	counts "fsync: writes and flushes are I/Os each" \
		"$(ops $FLUSHED_DISK)" "0 100 $(syncs $FLUSHED_DISK) 0"
	counts "fsync: a flush is one stage" \
		"$(json "dev(\"$FLUSHED_DISK\") | op(\"flush\").stages[] |
			select(.stage == \"flush\").count")" "$(syncs $FLUSHED_DISK)"
	counts "FUA, discard: what fio and blkdiscard did" "$(ops $FUA)" "0 100 100 8"
	counts "passthrough: counted, but not as I/O" "$(ledger $FUA rq_passthrough)" 5
	holds "a journal: commits are flushes with data ($(ops $FS))" \
		"$(json "dev(\"$FS\") | [op(\"flush\").stages[] |
			select(.stage == \"device\" or .stage == \"submit+device\").count] |
			add") >= 20"
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
	requeued=$(json "dev(\"$SDEBUG\").stages[] | select(.stage == \"requeue\").count")
	holds "requeues: one in 20 of 400 ($(ledger "$SDEBUG" requeues))" \
		"$(ledger "$SDEBUG" requeues) >= 18"
	holds "partial completions: one in 20 of 400 ($(ledger "$SDEBUG" partial))" \
		"$(ledger "$SDEBUG" partial) >= 18 && $(ledger "$SDEBUG" partial) <= 24"
	counts "both: each I/O is one" "$(ledger "$SDEBUG" completed)" 800
	near_missed "both: what was issued again has the stage requeue" "$requeued" \
		$(($(ledger "$SDEBUG" rq_issued) - $(ledger "$SDEBUG" rq_reads)))
	counts "errors: counted" "$(ledger "$BAD" errors)" 8
	counts "errors: are I/Os all the same" "$(ledger "$BAD" completed)" 20
}
