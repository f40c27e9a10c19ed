// SPDX-License-Identifier: GPL-2.0
/* The life of a bio: queued, given a request, merged, split, ended. */
#include "bio.bpf.h"
#include "end.bpf.h"
#include "events.bpf.h"
#include "submit.bpf.h"

/**
 * blklat_missed_end - the bio of an I/O is used again but its end was not seen
 * @idx: slot of the I/O
 *
 * A program was skipped, since it was running on that CPU already. The rest is left to sweep. Any
 * context. Returns 0.
 */
int blklat_missed_end(__u32 idx)
{
	struct blklat_io *io = io_at(idx);

	if (!(io->flags & IO_JOINED))
		rq_join_missed(io);
	io_forget_bio(io);
	__sync_fetch_and_or(&io->flags, IO_MISSED_END);
	state.missed = 1;
	return 0;
}

/**
 * blklat_task_is_traced - whether the filters let pass what the current task submits
 *
 * Context of the task. Returns 1 or 0.
 */
int blklat_task_is_traced(void)
{
	if (cfg.tgid && bpf_get_current_pid_tgid() >> 32 != cfg.tgid)
		return 0;
	if (cfg.cgroup_level >= 0 &&
	    bpf_get_current_ancestor_cgroup_id(cfg.cgroup_level) != cfg.cgroup_id)
		return 0;
	if (cfg.has_comm) {
		char comm[BLKLAT_COMM_LEN] = {};

		bpf_get_current_comm(comm, sizeof(comm));
#pragma unroll
		for (int i = 0; i < BLKLAT_COMM_LEN; i++) {
			if (comm[i] != cfg.comm[i])
				return 0;
			if (!comm[i])
				break;
		}
	}
	return 1;
}

/*
 * Whether an I/O is traced that was not made for one above. The filters are
 * about a top's; below a layer it is somebody else's, or the layer's own.
 */
static __always_inline bool is_wanted(int dev, __u8 op)
{
	if (state.phase != PHASE_TRACE)
		return false;
	if (!cfg.filter)
		return true;
	return is_top(dev) && cfg.ops[op & (NR_OPS - 1)] && blklat_task_is_traced();
}

/* The I/O of a bio that has just been queued, or NULL when it is not traced. */
static __always_inline struct blklat_io *io_start(struct bio *bio, int dev)
{
	__u32 parent = cfg.stack && dev_cfg(dev)->inner ? parent_of(bio) : 0;
	__u32 opf = bio->bi_opf, bytes = bio->bi_iter.bi_size;
	__u8 op = op_of(opf);
	__u64 end_io;
	struct blklat_io *io;
	__u32 idx;

	if (!parent && !is_wanted(dev, op))
		return NULL;
	io = io_new((__u64)bio, bytes, dev, op, &idx);
	if (!io)
		return NULL;
	io->alone = 1;
	if (dev_cfg(dev)->rqs)
		io->in_rq = RQ_TO_COME;
	if (parent) {
		adopt(idx, io, parent, bytes);
	} else if (is_top(dev)) {
		if (cfg.events)
			note_event(io, bpf_get_current_task_btf(), bio, bytes, opf);
		if (cfg.submitter)
			note_submitter(io, idx, bio);
	} else {
		end_io = (__u64)bio->bi_end_io;
		blklat_own(dev, &end_io);
	}
	return io;
}

/* The I/O of a bio that blk-throttle had before it was queued, or NULL. */
static __always_inline struct blklat_io *io_continue(struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	io = io_of((__u64)bio, &idx);
	if (!io)
		return NULL;
	if (io->m[MARK_T] && !io->m[MARK_Q] && !(io->flags & IO_SELF_ENDED))
		return io;
	blklat_missed_end(idx);
	return NULL;
}

SEC("tp_btf/block_bio_queue")
int TP_PROG(bio_queue, struct bio *bio)
{
	struct block_device *bdev;
	struct blklat_io *io;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	bdev = bio->bi_bdev;
	dev = dev_of_bdev(bdev);
	if (dev < 0)
		return 0;
	io = io_continue(bio);
	if (!io)
		io = io_start(bio, dev);
	if (!io)
		return 0;
	io->bdev = (__u64)bdev;
	set_q(io);
	return 0;
}

/* A bio whose front part was split off comes to the throttle again. */
static __always_inline bool is_remainder(struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	io = io_of((__u64)bio, &idx);
	return io && io->m[MARK_Q] && !io->alone && !(io->flags & IO_SELF_ENDED);
}

/*
 * A throttled bio is queued later, by a worker; who submitted it is known only
 * here. Called just for cgroups that have limits.
 */
SEC("?fentry/__blk_throtl_bio")
int FENTRY_PROG(bio_throttle, struct bio *bio)
{
	struct blklat_io *io;
	int dev;

	if (state.phase != PHASE_TRACE)
		return 0;
	dev = dev_of_bdev(bio->bi_bdev);
	if (dev < 0 || is_remainder(bio) || io_continue(bio))
		return 0;
	io = io_start(bio, dev);
	if (io)
		io->m[MARK_T] = bpf_ktime_get_ns();
	return 0;
}

/*
 * block_bio_queue was missed. Where the submitter's entry after the start of
 * the trace is known, the I/O is known to have begun after it: it goes on
 * without mark Q. Not when slots ran out: then it may have been counted.
 */
static __always_inline struct blklat_io *io_missed_queue(struct bio *bio, int dev)
{
	if (state.phase != PHASE_TRACE || state.full || !submitter_entered(bio))
		return NULL;
	if (cfg.stack && (dev_cfg(dev)->inner || dev_cfg(dev)->layer))
		return NULL;
	return io_start(bio, dev);
}

/* Mark G, whatever became of the bio before. */
static APART int set_g(struct bio *bio, bool merged)
{
	struct blklat_io *io;
	__u32 idx;
	int dev;

	io = io_of((__u64)bio, &idx);
	dev = dev_of_bdev(bio->bi_bdev);
	if (dev < 0)
		return 0;
	if (io && (io->flags & (IO_SELF_ENDED | IO_JOINED) || io->m[MARK_C] || is_stray(io, dev))) {
		/* What this bio did before, it completed; it is a new I/O. */
		blklat_missed_end(idx);
		io = NULL;
	}
	if (!io)
		io = io_missed_queue(bio, dev);
	if (!io)
		return 0;
	if (!io->m[MARK_G])
		io->m[MARK_G] = bpf_ktime_get_ns();
	if (merged)
		count(dev, COUNT_MERGES);
	return 0;
}

SEC("tp_btf/block_getrq")
int TP_PROG(bio_getrq, struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	io = io_of((__u64)bio, &idx);
	if (io && io->in_rq == RQ_TO_COME && !io->m[MARK_G]) {
		io->m[MARK_G] = bpf_ktime_get_ns();
		return 0;
	}
	if (state.phase == PHASE_IDLE || (!io && dev_of_bdev(bio->bi_bdev) < 0))
		return 0;
	return set_g(bio, false);
}

SEC("tp_btf/block_bio_backmerge")
int TP_PROG(bio_backmerge, struct bio *bio)
{
	return state.phase == PHASE_IDLE ? 0 : set_g(bio, true);
}

SEC("tp_btf/block_bio_frontmerge")
int TP_PROG(bio_frontmerge, struct bio *bio)
{
	return state.phase == PHASE_IDLE ? 0 : set_g(bio, true);
}

/*
 * The front part gets a bio of its own, chained to the one that was queued;
 * no block_bio_queue fires for it, nor again for the remainder.
 */
SEC("tp_btf/block_split")
int TP_PROG(bio_split, struct bio *bio)
{
	struct blklat_io *io, *piece;
	__u32 idx, slot;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	dev = dev_of_bdev(bio->bi_bdev);
	/* The pieces of a layer's bio are seen as its children. */
	if (dev < 0 || makes_bios(dev))
		return 0;
	io = io_of((__u64)bio->bi_private, &idx);
	if (!io)
		return 0;
	count(io->dev, COUNT_SPLITS);
	if (io_of((__u64)bio, &slot))
		blklat_missed_end(slot);
	piece = io_begin((__u64)bio, io->dev, io->op, &slot);
	if (!piece)
		return 0;
	piece->parent = idx + 1;
	piece->parent_gen = io->gen;
	piece->in_rq = dev_cfg(io->dev)->rqs ? RQ_TO_COME : RQ_APART;
	io->alone = 0;
	__sync_fetch_and_add(&io->pending, 1);
	return 0;
}

/*
 * Where there is no write cache, an empty flush ends before it is queued. One
 * that dm made may have the pages of a write: its clone was that one's.
 */
static __always_inline bool never_queued(struct bio *bio)
{
	if (cfg.queued_flag)
		return !(bio->bi_flags & cfg.queued_flag);
	return (bio->bi_opf & REQ_OP_MASK) == REQ_OP(WRITE) && !bio->bi_io_vec;
}

/* A bio ends that no request did, or in an unusual way. */
static APART int end_apart(struct bio *bio)
{
	struct block_device *bdev;
	struct blklat_io *io;
	__u32 idx;
	int dev;

	/* Most of what is not looked at is told by that alone. */
	io = io_of((__u64)bio, &idx);
	if (io ? makes_bios(io->dev) : !cfg.bio_based)
		return 0;
	bdev = bio->bi_bdev;
	/* Elsewhere than it was queued it may be what its bio is used for now. */
	if (!io || io->bdev != (__u64)bdev) {
		dev = dev_of_bdev(bdev);
		if (dev < 0 || (!io && makes_bios(dev)))
			return 0;
	}
	if (io) {
		__u8 status = bio->bi_status;
		__u64 now;

		if (status) {
			count_retried(idx, status);
			note_status(idx, status);
		}
		now = bpf_ktime_get_ns();
		if (!end_plain(idx, io, now))
			blklat_end(idx, now);
	} else if (dev_cfg(dev)->bio_based && !never_queued(bio)) {
		/* Without requests nothing else shows that one was missed. */
		count_missed_start(dev);
	}
	return 0;
}

/*
 * Fires before bio_endio() looks at the count of chained bios, so blklat_end()
 * counts the pieces of a split bio.
 */
SEC("fentry/bio_endio")
int FENTRY_PROG(bio_endio, struct bio *bio)
{
	if (end_after_rq(bio) || state.phase == PHASE_IDLE)
		return 0;
	return end_apart(bio);
}
