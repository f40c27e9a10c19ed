// SPDX-License-Identifier: GPL-2.0
/* Follow bios as they are queued, get a request, are merged or split, and end. */
#include "bio.bpf.h"
#include "climb.bpf.h"
#include "end.bpf.h"
#include "events.bpf.h"
#include "submit.bpf.h"

/**
 * blklat_parent() - find the I/O of a layer that a bio was made for
 * @climb: the bio with its bi_end_io and bi_private
 *
 * Context: any
 * Return: slot + 1 of the I/O, 0 if there is none or the way is not known.
 */
int blklat_parent(struct climb *climb)
{
	struct climb c;

	/* The verifier of 6.1 walks this function also if nothing calls it, so tell it that. */
	if (!climb || !cfg.stack)
		return 0;
	c = *climb;
	c.found = 0;
	/* Mostly one step is enough, so bpf_loop() is not needed. */
	if (!climb_step(&c))
		bpf_loop(CLIMB_MAX, climb_one, &c, 0);
	return c.found;
}

/**
 * blklat_missed_end() - make room for a new I/O of a bio whose last I/O was not seen to end
 * @idx: slot of the last I/O
 *
 * The end was missed because the kernel skips a program that is already running on a CPU. The
 * last I/O is left to sweep.
 *
 * Context: any
 * Return: 0.
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
 * blklat_task_is_traced() - check the current task, which submits an I/O, against the filters
 *
 * Context: the submitting task
 * Return: 1 if the I/O of the task is traced, else 0.
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
#pragma clang loop unroll(disable)
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
 * Return true if a new I/O that was not made for an I/O above is to be traced. The filters apply to
 * the I/O of tops; without layers each device is one, because the user named them all. With a
 * filter, I/O that came to an inner device from elsewhere is not traced: it belongs to somebody
 * else, or to the layer itself.
 */
static __always_inline bool is_wanted(int dev, __u32 opf)
{
	__u32 op;

	if (state.phase != PHASE_TRACE)
		return false;
	if (!cfg.filter)
		return true;
	op = op_of(opf);
	/* clang knows the range of @op and would leave out the mask that the verifier needs. */
	KEEP(op);
	return (!cfg.stack || dev_cfg(dev)->top) && cfg.ops[op & (NR_OPS - 1)] &&
	       blklat_task_is_traced();
}

/* Begin the I/O of a bio that is just being queued. Return it, or NULL if it is not traced. */
static __always_inline struct blklat_io *io_start(struct bio *bio, int dev)
{
	const volatile struct blklat_dev_cfg *d = dev_cfg(dev);
	__u32 parent = cfg.stack && d->inner ? parent_of(bio) : 0;
	__u32 opf = bio->bi_opf, bytes = bio->bi_iter.bi_size;
	__u64 end_io;
	struct blklat_io *io;
	__u32 idx;
	__u8 op;

	if (!parent && !is_wanted(dev, opf))
		return NULL;
	io = io_new((__u64)bio, bytes, dev, &idx);
	if (!io) {
		/* Otherwise clang would find the kind before the test of @io, and test it twice. */
		KEEP(opf);
		count_full(dev, op_of(opf), bytes);
		return NULL;
	}
	/* The verifier walks what follows once per kind, so this comes after io_new(). */
	op = op_of(opf);
	io->op = op;
	io->alone = 1;
	/*
	 * User space counts the requests whose marks are in their I/O. It cannot tell a secure
	 * erase, whose request counts as a write, from a discard. So the marks of both are kept in
	 * an entry.
	 */
	if (d->rqs && op != BLKLAT_OP_DISCARD)
		io->in_rq = RQ_TO_COME;
	else if (cfg.stack && d->layer && !d->requests)
		io->flags = IO_OF_LAYER;
	if (parent) {
		adopt(idx, io, parent);
	} else if (!cfg.stack || d->top) {
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

/*
 * Return the I/O of a bio if blk-throttle saw the bio before it was queued, else NULL. If the bio
 * leads to any other I/O, the end of that I/O was missed.
 */
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

static __always_inline int bio_queued(struct bio *bio, __u64 began)
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
	set_q(io, began);
	return 0;
}

SEC("tp_btf/block_bio_queue")
int TP_PROG(bio_queue, struct bio *bio)
{
	return bio_queued(bio, began);
}

/* Return true if nothing has happened to this I/O since it was queued. */
static __always_inline bool is_fresh(struct blklat_io *io)
{
	return io->m[MARK_Q] && !(io->m[MARK_G] | io->m[MARK_X] | io->m[MARK_D] | io->m[MARK_C]) &&
	       !io->child && !(io->flags & (IO_SELF_ENDED | IO_JOINED));
}

/*
 * Begin the I/O of a bio if the kernel has skipped bio_queue. While a task is preempted in a
 * program, the kernel skips that program for all other tasks of the CPU, and without mark Q many
 * I/Os are lost. This program runs right after bio_queue. It is attached on kernels that preempt
 * tasks, once the kernel has skipped bio_queue. The kernel skips both only if a task is preempted
 * in each of them. A fresh I/O is the one that bio_queue has begun. When slots have run out,
 * bio_queue may have counted the bio and found no slot for it.
 */
SEC("?tp_btf/block_bio_queue")
int RARE_TP_PROG(bio_queue_again, struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	io = io_of((__u64)bio, &idx);
	if (io && is_fresh(io))
		return 0;
	return state.full ? 0 : bio_queued(bio, began);
}

/*
 * Return true if this bio was queued before and comes to the throttle again: it is what is left of
 * an I/O whose front part was split off, or a layer that could not take the bio sends it again. If
 * cfg.queued_flag is not known, only a split that was seen tells that.
 */
static __always_inline bool was_queued(struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	if (cfg.queued_flag)
		return bio->bi_flags & cfg.queued_flag;
	io = io_of((__u64)bio, &idx);
	return io && io->m[MARK_Q] && !io->alone && !(io->flags & IO_SELF_ENDED);
}

/*
 * Begin an I/O here, because a throttled bio is queued later by a worker, and only here it is
 * known who submitted it. The kernel calls this function only for cgroups that have limits.
 */
SEC("?fentry/__blk_throtl_bio")
int RARE_FENTRY_PROG(bio_throttle, struct bio *bio)
{
	struct blklat_io *io;
	int dev;

	if (state.phase != PHASE_TRACE)
		return 0;
	dev = dev_of_bdev(bio->bi_bdev);
	if (dev < 0 || was_queued(bio) || io_continue(bio))
		return 0;
	io = io_start(bio, dev);
	if (io)
		io->m[MARK_T] = mark_time(began);
	return 0;
}

/*
 * Return true if a bio whose block_bio_queue was missed is certain to have begun in the trace: its
 * submitter is known to have entered the kernel in the trace. If slots ran out, the I/O may
 * already be counted.
 */
static __always_inline bool began_in_trace(struct bio *bio, int dev)
{
	const volatile struct blklat_dev_cfg *d = dev_cfg(dev);

	if (state.phase != PHASE_TRACE || state.full || !submitter_entered(bio))
		return false;
	return !cfg.stack || !(d->inner || d->layer);
}

/*
 * Return the I/O that a bio of device @dev leads to, or NULL. An I/O that has completed, or that
 * cannot be in a request of the device, is that of an earlier use of the bio: its end was missed.
 */
static __always_inline struct blklat_io *io_of_use(struct bio *bio, int dev)
{
	struct blklat_io *io;
	__u32 idx;

	io = io_of((__u64)bio, &idx);
	if (!io)
		return NULL;
	if (!(io->flags & (IO_SELF_ENDED | IO_JOINED)) && !io->m[MARK_C] && !is_stray(io, dev))
		return io;
	blklat_missed_end(idx);
	return NULL;
}

static __always_inline void set_g(struct blklat_io *io, __u64 began)
{
	__u64 now;

	if (io->m[MARK_G])
		return;
	now = mark_time(began);
	io->m[MARK_G] = now;
	cost_until(&io->q_cost, now);
}

/* Return the index of the traced device of a bio, or -1. */
static __always_inline int traced_dev_of(struct bio *bio)
{
	return state.phase == PHASE_IDLE ? -1 : dev_of_bdev(bio->bi_bdev);
}

/* Set mark G of a bio, also if its start or the end of its earlier use was missed. */
static APART int set_g_apart(struct bio *bio, __u64 began)
{
	int dev = traced_dev_of(bio);
	struct blklat_io *io;

	if (dev < 0)
		return 0;
	io = io_of_use(bio, dev);
	/* If block_bio_queue was missed, the I/O begins without mark Q. */
	if (!io && began_in_trace(bio, dev))
		io = io_start(bio, dev);
	if (io)
		set_g(io, began);
	return 0;
}

SEC("tp_btf/block_getrq")
int TP_PROG(bio_getrq, struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	io = io_of((__u64)bio, &idx);
	/* Most bios without an I/O are those of devices that are not traced. */
	if (!io && dev_of_bdev(bio->bi_bdev) < 0)
		return 0;
	if (!io || io->in_rq != RQ_TO_COME || io->m[MARK_G])
		return set_g_apart(bio, began);
	set_g(io, began);
	return 0;
}

/*
 * Set mark G of a bio that was merged into a request. If its start was missed, it is only counted:
 * to follow it from here on would take as much code as block_bio_queue has, for the few bios that
 * are missed and merged.
 */
static __always_inline int bio_merged(struct bio *bio, __u64 began)
{
	int dev = traced_dev_of(bio);
	struct blklat_io *io;

	if (dev < 0)
		return 0;
	count(dev, COUNT_MERGES);
	io = io_of_use(bio, dev);
	if (io)
		set_g(io, began);
	else if (began_in_trace(bio, dev))
		count_missed_start(dev);
	return 0;
}

SEC("tp_btf/block_bio_backmerge")
int RARE_TP_PROG(bio_backmerge, struct bio *bio)
{
	return bio_merged(bio, began);
}

SEC("tp_btf/block_bio_frontmerge")
int RARE_TP_PROG(bio_frontmerge, struct bio *bio)
{
	return bio_merged(bio, began);
}

/*
 * Begin a piece for the front part of a bio that is split. The front part gets a bio of its own,
 * which is chained to the bio that was queued. block_bio_queue does not fire for it, and does not
 * fire again for the remainder.
 */
SEC("tp_btf/block_split")
int RARE_TP_PROG(bio_split, struct bio *bio)
{
	struct blklat_io *io, *piece;
	int dev = traced_dev_of(bio);
	__u32 idx, slot;

	/* The pieces of a layer's bio are seen as its children. */
	if (dev < 0 || makes_bios(dev))
		return 0;
	io = io_of((__u64)bio->bi_private, &idx);
	if (!io)
		return 0;
	count(io->dev, COUNT_SPLITS);
	if (io_of((__u64)bio, &slot))
		blklat_missed_end(slot);
	piece = io_begin((__u64)bio, io->dev, &slot);
	if (!piece) {
		/* The request of the piece will look like one whose start was missed. */
		slots_ran_out();
		return 0;
	}
	piece->op = io->op;
	piece->parent = idx + 1;
	piece->parent_gen = io->gen;
	piece->in_rq = io->in_rq ? RQ_TO_COME : RQ_APART;
	io->alone = 0;
	__sync_fetch_and_add(&io->pending, 1);
	return 0;
}

/*
 * Return true if a bio that ends was never queued: it is an empty flush to a device without a write
 * cache. If cfg.queued_flag is not known, a write without pages is taken for an empty flush. That
 * does not find each flush of dm: its clone may have been made from a write, and then has the
 * write's pages.
 */
static __always_inline bool never_queued(struct bio *bio)
{
	if (cfg.queued_flag)
		return !(bio->bi_flags & cfg.queued_flag);
	return (bio->bi_opf & REQ_OP_MASK) == REQ_OP(WRITE) && !bio->bi_io_vec;
}

/* Handle the end of a bio that had no request, or that ends in an unusual way. */
static APART int end_apart(struct bio *bio, __u64 began)
{
	struct block_device *bdev;
	struct blklat_io *io;
	__u32 idx;
	int dev;

	/* This check alone sorts out most of the bios that need no more work here. */
	io = io_of((__u64)bio, &idx);
	if (io ? makes_bios(io->dev) : !cfg.bio_based)
		return 0;
	bdev = bio->bi_bdev;
	/* If the bio is at another block device than it was queued at, it may be in use again. */
	if (!io || io->bdev != (__u64)bdev) {
		dev = dev_of_bdev(bdev);
		if (dev < 0 || (!io && makes_bios(dev)))
			return 0;
	}
	if (io) {
		__u64 now;

		note_status(idx, bio->bi_status);
		now = mark_time(began);
		if (!end_plain(idx, io, now))
			blklat_end(idx, now);
	} else if (dev_cfg(dev)->bio_based && !never_queued(bio)) {
		/*
		 * Without requests nothing else shows that the start of an I/O was missed, and
		 * nothing shows when it began.
		 */
		count_unseen_start(dev, mark_time(began));
	}
	return 0;
}

/*
 * This program runs before bio_endio() looks at the count of chained bios, so it runs for a bio
 * that still waits for its pieces, too. Therefore blklat_end() counts the pieces itself.
 */
SEC("?fentry/bio_endio")
int FENTRY_PROG(bio_endio, struct bio *bio)
{
	if (end_after_rq(bio, began) || state.phase == PHASE_IDLE)
		return 0;
	return end_apart(bio, began);
}

/*
 * The next two programs end I/Os on kernels that run no program at bio_endio(). This one is for
 * bios that have no request: bio_endio() does not fire this tracepoint for the others. For a
 * bio that was split it fires only after all pieces have ended.
 */
SEC("?tp_btf/block_bio_complete")
int TP_PROG(bio_complete, struct request_queue *q, struct bio *bio)
{
	return state.phase == PHASE_IDLE ? 0 : end_apart(bio, began);
}

/**
 * struct ended_bios - a walk along the bios of a request that has completed, or a part of it
 * @bio: the next one
 * @bytes: number of bytes that completed, without those of the bios before @bio
 * @status: how they completed
 */
struct ended_bios {
	struct bio *bio;
	__u32 bytes;
	__u8 status;
};

static long end_with_rq(__u32 i, struct ended_bios *w)
{
	struct bio *bio = w->bio;
	struct blklat_io *io;
	__u32 bytes, idx;

	if (!bio)
		return 1;
	bytes = BPF_CORE_READ(bio, bi_iter.bi_size);
	if (bytes > w->bytes)
		return 1;
	w->bytes -= bytes;
	io = io_of((__u64)bio, &idx);
	if (io) {
		/* An earlier part of the request may have failed. */
		note_status(idx, w->status ?: BPF_CORE_READ(bio, bi_status));
		blklat_end(idx, io->m[MARK_C] ? 0 : bpf_ktime_get_ns());
	}
	bpf_core_read(&w->bio, sizeof(w->bio), &bio->bi_next);
	return 0;
}

/*
 * End the I/Os of the bios that a request ends. The kernel calls bio_endio() right after this
 * tracepoint, and nothing shows when that happens, so these I/Os get no mark Z. If mark C was
 * missed, Z replaces it. The bio of a request in a flush sequence ends when the request completes
 * again at the end of the sequence; if cfg.flush_end_io is not known, its I/O ends with the data.
 * This runs after rq_complete, which sets mark C.
 */
SEC("?tp_btf/block_rq_complete")
int TP_PROG(bios_end_with_rq, struct request *rq, __u8 error, unsigned int nr_bytes)
{
	struct ended_bios walk = { .bio = rq->bio, .bytes = nr_bytes, .status = error };

	if (state.phase == PHASE_IDLE || dev_of_rq(rq) < 0 ||
	    is_in_flush_sequence(rq, cfg.flush_end_io))
		return 0;
	bpf_loop(BIOS_MAX, end_with_rq, &walk, 0);
	return 0;
}

/*
 * End an I/O if the kernel has skipped bio_endio, in the same way as bio_queue_again begins one.
 * Without requests nothing else shows the end. If bio_endio has ended the I/O, the bio does not
 * lead to it any more, or the I/O has IO_SELF_ENDED.
 */
SEC("?fentry/bio_endio")
int RARE_FENTRY_PROG(bio_endio_again, struct bio *bio)
{
	struct blklat_io *io;
	__u32 idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	io = io_of((__u64)bio, &idx);
	return io && !(io->flags & IO_SELF_ENDED) ? end_apart(bio, began) : 0;
}
