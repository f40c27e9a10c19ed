// SPDX-License-Identifier: GPL-2.0
/* Note when a device begins with the bio of a layer, and when the I/O of a layer ends. */
#include "end.bpf.h"
#include "events.bpf.h"
#include "stack.bpf.h"

/**
 * blklat_own() - count an I/O that a layer made for itself, or whose way up is not known
 * @dev: index of the device that it came to
 * @end_io: points at the address of its bi_end_io, because the verifier does not accept a kernel
 *	pointer as a number in the arguments of a global function
 *
 * I/Os are counted per bi_end_io, as that says what they are for. If there is no room for another
 * function, the I/O is in the ledger only.
 *
 * Context: any
 * Return: 0.
 */
int blklat_own(__u32 dev, __u64 *end_io)
{
	__u64 func = end_io ? *end_io : 0;

	/* The reason is the same as in blklat_parent(). */
	if (!cfg.stack)
		return 0;
	for (__u32 i = 0; i < BLKLAT_ENDS; i++) {
		__u32 at = dev * BLKLAT_ENDS + i;
		struct blklat_end *e = &ends[at & (BLKLAT_MAX_DEVS * BLKLAT_ENDS - 1)];
		__u64 old;

		old = e->end_io ?: __sync_val_compare_and_swap(&e->end_io, 0, func);
		if (old && old != func)
			continue;
		__sync_fetch_and_add(&e->count, 1);
		break;
	}
	return 0;
}

/*
 * Set mark Q of a child when its device begins with it. A bio that a layer submits from its
 * ->submit_bio waits until that function returns, so the time of block_bio_queue would be too
 * early.
 */
static __always_inline int child_starts(struct bio *bio, __u64 began)
{
	struct blklat_io *io;
	__u32 idx;

	io = io_of((__u64)bio, &idx);
	if (!io || (io->flags & (IO_CHILD | IO_STARTED)) != IO_CHILD)
		return 0;
	io->flags |= IO_STARTED;
	io->queue_ns = io->m[MARK_Q];
	set_q(io, began);
	return 0;
}

/*
 * STARTS(name, fn) defines the program on function fn, which is a ->submit_bio, or the function
 * that takes the bios of disks with requests.
 */
#define STARTS(name, fn) \
	SEC("?fentry/" #fn) \
	int FENTRY_PROG(start_##name, struct bio *bio) \
	{ \
		return child_starts(bio, began); \
	}

STARTS(mq, blk_mq_submit_bio)
STARTS(brd, brd_submit_bio)
STARTS(zram, zram_submit_bio)
STARTS(null_blk, null_submit_bio)
STARTS(dm, dm_submit_bio)
STARTS(md, md_submit_bio)

/*
 * Return true if a layer split this bio off another bio of the same device, to end it itself. The
 * other bio is the I/O that came to the device; this part is not. XFS splits the bios of its log
 * in the same way, and md linear may send both bios to one device below it. So such an I/O is not
 * counted at all if its start was missed.
 */
static __always_inline bool is_split_off(struct bio *bio)
{
	struct bio *whole = (struct bio *)bio->bi_private;

	return bio->bi_flags & cfg.cloned_flag && (__u64)bio->bi_end_io == cfg.chain_end_io &&
	       BPF_CORE_READ(whole, bi_bdev) == bio->bi_bdev;
}

/*
 * Set mark Z of the I/O of a layer. bio_endio() is called for each part of a bio that dm split;
 * this tracepoint fires only once.
 */
SEC("?tp_btf/block_bio_complete")
int TP_PROG(layer_complete, struct request_queue *q, struct bio *bio)
{
	struct block_device *bdev;
	struct blklat_io *io;
	int dev = -1;
	__u32 idx;
	__u64 now;

	bdev = bio->bi_bdev;
	io = io_of((__u64)bio, &idx);
	/*
	 * The flag of the I/O says that its device is a layer, so do not look the device up: it
	 * may be gone, and another device may have its number.
	 */
	if (!io || !(io->flags & IO_OF_LAYER) || io->bdev != (__u64)bdev) {
		dev = dev_of_bdev(bdev);
		if (dev < 0 || !makes_bios(dev))
			return 0;
	}
	if (io) {
		note_status(idx, bio->bi_status);
		now = mark_time(began);
		if (!end_plain(idx, io, now))
			blklat_end(idx, now);
	} else if (state.phase == PHASE_TRACE && !state.full && !cfg.filter &&
		   !is_split_off(bio)) {
		count(dev, COUNT_BEFORE);
	}
	return 0;
}
