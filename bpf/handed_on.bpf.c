// SPDX-License-Identifier: GPL-2.0
/*
 * Follow the I/O of layers that make no bios. md linear, md raid0 without statistics and the head
 * of NVMe multipath hand on the bio itself that they got; dm-multipath hands on a clone of the
 * request. block_bio_queue does not fire when these reach the device below.
 */
#include "bio.bpf.h"

/*
 * Begin the I/O that a layer's I/O becomes on the device below. @parent is slot + 1 of the
 * layer's I/O. Return the new I/O, or NULL if there is no slot.
 */
static __always_inline struct blklat_io *child_new(__u64 bio, unsigned int bytes, int dev,
						   __u32 parent, __u64 began)
{
	__u8 op = io_at(parent - 1)->op;
	struct blklat_io *io;
	__u32 idx;

	io = io_new(bio, bytes, dev, &idx);
	if (!io) {
		count_full(dev, op, bytes);
		return NULL;
	}
	io->op = op;
	adopt(idx, io, parent);
	set_q(io, began);
	return io;
}

/*
 * A layer may hand this bio on to device @dev now. Return slot + 1 of the layer's I/O that the bio
 * belongs to, or 0 if there is none. Set *@flags to the flags of the new I/O on @dev. Set *@split
 * to true if the layer has just split the bio off: then the layer's I/O has one more part, and ends
 * only when all of its parts have ended.
 */
static __always_inline __u32 handed_on_by(struct bio *bio, int dev, __u32 *flags, bool *split,
					  __u64 began)
{
	struct blklat_io *io;
	__u32 idx, parent;

	io = io_of((__u64)bio, &idx);
	*split = !io;
	*flags = IO_ENDS_PARENT;
	if (!io)
		return bio->bi_flags & cfg.queued_flag ? parent_of(bio) : 0;
	if (io->flags & IO_SELF_ENDED || io->dev == dev)
		return 0;
	if (dev_cfg(io->dev)->layer) {
		/* From now on the bio leads to the I/O below. */
		io_forget_bio(io);
		*flags |= IO_SAME_BIO;
		return idx + 1;
	}
	if (!(io->flags & IO_ENDS_PARENT))
		return 0;
	/*
	 * The path that the bio went to failed, and the layer tries another path. Keep IO_SAME_BIO
	 * as it was: it is not set for a bio that was split off, which is not the bio of the
	 * layer's I/O.
	 */
	parent = io->parent;
	*flags |= io->flags & IO_SAME_BIO;
	__sync_fetch_and_and(&io->flags, ~(IO_ENDS_PARENT | IO_SAME_BIO));
	blklat_end(idx, mark_time(began));
	return parent;
}

SEC("?tp_btf/block_bio_remap")
int TP_PROG(bio_handed_on, struct bio *bio)
{
	__u32 parent, flags;
	struct blklat_io *io;
	bool split;
	int dev;

	/* Most bios here are clones that a layer made and maps: these are not queued yet. */
	if (state.phase == PHASE_IDLE || (cfg.queued_flag && !(bio->bi_flags & cfg.queued_flag)))
		return 0;
	dev = dev_of_bdev(bio->bi_bdev);
	if (dev < 0 || !dev_cfg(dev)->inner)
		return 0;
	parent = handed_on_by(bio, dev, &flags, &split, began);
	if (!parent)
		return 0;
	io = child_new((__u64)bio, bio->bi_iter.bi_size, dev, parent, began);
	/* Without a slot for the new I/O nothing will tell when the layer's I/O ends. */
	if (!io)
		return split ? 0 : blklat_lose(parent - 1);
	io->flags |= flags;
	if (split) {
		io_at(parent - 1)->alone = 0;
		__sync_fetch_and_add(&io_at(parent - 1)->pending, 1);
	}
	return 0;
}

/* This is the state of a walk over the bios of the clone of a request. */
struct clone_ctx {
	struct bio *bio;
	int dev;
};

static long clone_one(__u32 i, struct clone_ctx *ctx)
{
	struct bio *bio = ctx->bio;
	struct climb climb = { .bio = (__u64)bio };
	struct blklat_io *io = NULL;
	unsigned int bytes = 0;
	__u32 parent, idx;

	if (!bio)
		return 1;
	/* If the bio leads to an I/O, the end of an earlier use of the bio was missed. */
	if (io_of((__u64)bio, &idx))
		blklat_missed_end(idx);
	bpf_core_read(&climb.end_io, sizeof(climb.end_io), &bio->bi_end_io);
	bpf_core_read(&climb.private, sizeof(climb.private), &bio->bi_private);
	bpf_core_read(&bytes, sizeof(bytes), &bio->bi_iter.bi_size);
	bpf_core_read(&ctx->bio, sizeof(ctx->bio), &bio->bi_next);
	parent = blklat_parent(&climb);
	if (parent)
		io = child_new(climb.bio, bytes, ctx->dev, parent, 0);
	/* The request of the child is the clone, which exists already: mark G is mark Q. */
	if (io)
		io->m[MARK_G] = io->m[MARK_Q];
	return 0;
}

SEC("?tp_btf/block_rq_remap")
int TP_PROG(rq_handed_on, struct request *rq)
{
	struct clone_ctx walk = { .bio = rq->bio };

	if (state.phase == PHASE_IDLE)
		return 0;
	walk.dev = dev_of_rq(rq);
	if (walk.dev >= 0)
		bpf_loop(BIOS_MAX, clone_one, &walk, 0);
	return 0;
}

static long turned_away_one(__u32 i, struct clone_ctx *ctx)
{
	struct bio *bio = ctx->bio;
	__u32 idx;

	if (!bio)
		return 1;
	if (io_of((__u64)bio, &idx))
		blklat_end(idx, bpf_ktime_get_ns());
	bpf_core_read(&ctx->bio, sizeof(ctx->bio), &bio->bi_next);
	return 0;
}

/*
 * The path had no room, and dm throws the clone away: end its bios here, because bio_endio() is
 * not called for them.
 */
SEC("?fentry/blk_rq_unprep_clone")
int RARE_FENTRY_PROG(rq_turned_away, struct request *rq)
{
	struct clone_ctx walk = { .bio = rq->bio };

	if (state.phase != PHASE_IDLE && walk.bio)
		bpf_loop(BIOS_MAX, turned_away_one, &walk, 0);
	return 0;
}
