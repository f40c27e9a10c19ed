// SPDX-License-Identifier: GPL-2.0
/* From a bio to the one it was made for, and when a device begins with it. */
#include "end.bpf.h"
#include "events.bpf.h"
#include "stack.bpf.h"

/* Clones, md's own, splits: six were the most seen. */
#define CLIMB_MAX 10
#define LINK_TRIES 4

static __always_inline const volatile struct blklat_link *link_of(__u64 end_io)
{
	__u32 h = blklat_link_slot(end_io);

	for (int i = 0; i < LINK_TRIES; i++) {
		const volatile struct blklat_link *l = &cfg.links[(h + i) & (BLKLAT_LINKS - 1)];

		if (l->end_io == end_io)
			return l;
	}
	return NULL;
}

static __always_inline __u64 follow(__u64 from, __u16 offset)
{
	__u64 to = 0;

	bpf_probe_read_kernel(&to, sizeof(to), (void *)(from + offset));
	return to;
}

/*
 * By two pointers; mostly one read finds both. It does find the first one, but where the
 * bio lies alone it may begin before what is mapped.
 */
static __always_inline __u64 follow_two(__u64 bio, __u64 up, const volatile struct blklat_link *link)
{
	__u64 near[BLKLAT_LINK_NEAR + 1], outer = bio - link->outer;

	if (!link->outer ||
	    bpf_probe_read_kernel(near, sizeof(near), (void *)(outer + link->offset[1])))
		return follow(follow(up, link->offset[0]), link->offset[1]);
	if (near[BLKLAT_LINK_NEAR] == outer)
		return near[0];
	return follow(near[BLKLAT_LINK_NEAR], link->offset[1]);
}

static __always_inline long climb_step(struct climb *c)
{
	const volatile struct blklat_link *link = c->end_io ? link_of(c->end_io) : NULL;
	struct blklat_io *io;
	__u64 up;
	__u32 idx;

	if (!link)
		return 1;
	up = link->from == LINK_FROM_PRIVATE ? c->private & ~(__u64)link->below : c->bio - link->below;
	if (link->nr_derefs == 1)
		up = follow(up, link->offset[0]);
	else if (link->nr_derefs)
		up = follow_two(c->bio, up, link);
	if (!up)
		return 1;
	io = io_of(up, &idx);
	if (io && io->flags & IO_SAME_BIO) {
		/* A layer split this one's bio before it handed on the rest. */
		idx = io->parent - 1;
		io = io_at(idx);
	}
	/* What ended had this address before. */
	if (io && !(io->flags & IO_SELF_ENDED) && dev_cfg(io->dev)->layer) {
		c->found = idx + 1;
		return 1;
	}
	c->bio = up;
	c->end_io = follow(up, bpf_core_field_offset(struct bio, bi_end_io));
	c->private = follow(up, bpf_core_field_offset(struct bio, bi_private));
	return 0;
}

static long climb_one(__u32 i, struct climb *c)
{
	return climb_step(c);
}

/**
 * blklat_parent - the I/O that a bio was made for
 * @climb: the bio and its completion
 *
 * Any context. Returns slot + 1, 0 when there is none or the way is not known.
 */
int blklat_parent(struct climb *climb)
{
	struct climb c;

	if (!climb)
		return 0;
	c = *climb;
	c.found = 0;
	/* Mostly it is one step. */
	if (!climb_step(&c))
		bpf_loop(CLIMB_MAX, climb_one, &c, 0);
	return c.found;
}

/**
 * blklat_own - an I/O of a layer's own, or one whose way up is not known
 * @dev: index of the device that it came to
 * @end_io: its bi_end_io; a pointer, as functions take no address of the kernel's
 *
 * Who ends it says what it is. What finds no room is in the ledger only. Any
 * context. Returns 0.
 */
int blklat_own(__u32 dev, __u64 *end_io)
{
	__u64 func = end_io ? *end_io : 0;

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
 * What a layer submits from its ->submit_bio waits until that returns: only
 * here does the device below begin with it.
 */
static __always_inline int child_starts(struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	io = io_of((__u64)bio, &idx);
	if (!io || (io->flags & (IO_CHILD | IO_STARTED)) != IO_CHILD)
		return 0;
	io->flags |= IO_STARTED;
	io->queue_ns = io->m[MARK_Q];
	set_q(io);
	return 0;
}

/* STARTS(name, fn): fn is a ->submit_bio, or what takes bios for disks with requests */
#define STARTS(name, fn) \
	SEC("?fentry/" #fn) \
	int FENTRY_PROG(start_##name, struct bio *bio) \
	{ \
		return child_starts(bio); \
	}

STARTS(mq, blk_mq_submit_bio)
STARTS(brd, brd_submit_bio)
STARTS(zram, zram_submit_bio)
STARTS(null_blk, null_submit_bio)
STARTS(dm, dm_submit_bio)
STARTS(md, md_submit_bio)

/*
 * Returns true if a layer split this bio off another one of the same device, to end it itself. The
 * other bio is the I/O that came to the device; the part is not. XFS splits the bios of its log
 * in this way too, and md linear may send both to one device below it: of such an I/O nothing is
 * counted if its start was missed.
 */
static __always_inline bool is_split_off(struct bio *bio)
{
	struct bio *whole = (struct bio *)bio->bi_private;

	return bio->bi_flags & cfg.cloned_flag && (__u64)bio->bi_end_io == cfg.chain_end_io &&
	       BPF_CORE_READ(whole, bi_bdev) == bio->bi_bdev;
}

/* bio_endio() is called for each part of a bio that dm split, this once. */
SEC("?tp_btf/block_bio_complete")
int TP_PROG(layer_complete, struct request_queue *q, struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;
	__u64 now;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	dev = dev_of_bdev(bio->bi_bdev);
	if (dev < 0 || !makes_bios(dev))
		return 0;
	io = io_of((__u64)bio, &idx);
	if (io) {
		count_retried(idx, bio->bi_status);
		note_status(idx, bio->bi_status);
		now = bpf_ktime_get_ns();
		if (!end_plain(idx, io, now))
			blklat_end(idx, now);
	} else if (state.phase == PHASE_TRACE && !state.full && !cfg.filter &&
		   !is_split_off(bio)) {
		count(dev, COUNT_BEFORE);
	}
	return 0;
}
