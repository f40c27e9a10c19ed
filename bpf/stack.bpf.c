// SPDX-License-Identifier: GPL-2.0
/* Climb from a bio to the bio that it was made for, and note when a device begins with a bio. */
#include "end.bpf.h"
#include "events.bpf.h"
#include "stack.bpf.h"

/* How many bios to climb over: clones, bios of md, splits. Six were the most seen. */
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
 * Follow the two pointers of a link. Mostly the bio lies in the structure that the first pointer
 * leads to, and then one read gets both pointers. If the bio's own structure lies alone, that
 * read may begin before the memory that is mapped and fail; if it succeeds, it got the first
 * pointer.
 */
static __always_inline __u64 follow_two(__u64 bio, __u64 up,
					const volatile struct blklat_link *link)
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
	up = link->from == LINK_FROM_PRIVATE ? c->private & ~(__u64)link->below :
					       c->bio - link->below;
	if (link->nr_derefs == 1)
		up = follow(up, link->offset[0]);
	else if (link->nr_derefs)
		up = follow_two(c->bio, up, link);
	if (!up)
		return 1;
	io = io_of(up, &idx);
	if (io && io->flags & IO_SAME_BIO) {
		/*
		 * This I/O has the bio that a layer handed on, after it had split the bio. So the
		 * I/O to find is the layer's.
		 */
		idx = io->parent - 1;
		io = io_at(idx);
	}
	/* An I/O that ended is what had this address before. */
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
 * blklat_parent() - find the I/O of a layer that a bio was made for
 * @climb: the bio with its bi_end_io and bi_private
 *
 * Any context.
 *
 * Return: slot + 1 of the I/O, 0 if there is none or the way is not known.
 */
int blklat_parent(struct climb *climb)
{
	struct climb c;

	if (!climb)
		return 0;
	c = *climb;
	c.found = 0;
	/* Mostly one step is enough. */
	if (!climb_step(&c))
		bpf_loop(CLIMB_MAX, climb_one, &c, 0);
	return c.found;
}

/**
 * blklat_own() - count an I/O that a layer made for itself, or whose way up is not known
 * @dev: index of the device that it came to
 * @end_io: points at the address of its bi_end_io, because the verifier does not accept a kernel
 *	pointer as a number in the arguments of a global function
 *
 * I/Os are counted per bi_end_io, as that says what they are for. If there is no room for another
 * function, the I/O is in the ledger only. Any context.
 *
 * Return: 0.
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
 * Set mark Q of a child when its device begins with it. A bio that a layer submits from its
 * ->submit_bio waits until that returns, so block_bio_queue was too early.
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

/*
 * STARTS(name, fn): the program on function fn, which is a ->submit_bio, or the function that
 * takes the bios of disks with requests.
 */
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
	__u32 idx;
	__u64 now;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	bdev = bio->bi_bdev;
	dev = dev_of_bdev(bdev);
	if (dev >= 0 && !makes_bios(dev))
		return 0;
	io = io_of((__u64)bio, &idx);
	/* If the number of a traced device went to another one, an I/O of it may still end here. */
	if (dev < 0 && (!io || io->bdev != (__u64)bdev || !makes_bios(io->dev)))
		return 0;
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
