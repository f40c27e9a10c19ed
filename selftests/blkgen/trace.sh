# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Record the bios that a load submits to null_blk. Source this file after lib.sh.

T=/sys/kernel/tracing/instances/blkgen$$
cleanup() { [ ! -d "$T" ] || rmdir "$T"; }
mkdir "$T" || bail "ftrace makes an instance"
echo 32768 >"$T/buffer_size_kb"
echo mono >"$T/trace_clock"

# recorded R|W ARG...: run a load on $NULLB, and write "SECTOR SECTORS JOB SECONDS" of each of its
# bios to $TMPDIR/bios
recorded() {
	local op=$1 dev

	shift
	dev=$(tr : , <"/sys/block/$NULLB/dev")
	echo >"$T/trace"
	echo 1 >"$T/events/block/block_bio_queue/enable"
	load "$NULLB" --time 0 "$@" || diag "$(cat "$TMPDIR/err")"
	echo 0 >"$T/events/block/block_bio_queue/enable"
	# A line of the trace ends with "12.345678: block_bio_queue: 254,0 R 4096 + 8 [blkgen/0]".
	awk -v dev="$dev" -v op="^$op" '
		NF > 7 && $(NF - 6) == "block_bio_queue:" && $(NF - 5) == dev && $(NF - 4) ~ op &&
		$NF ~ /^\[blkgen\// {
			print $(NF - 3), $(NF - 1), substr($NF, 9, length($NF) - 9),
				substr($(NF - 7), 1, length($(NF - 7)) - 1)
		}' "$T/trace" >"$TMPDIR/bios"
}
