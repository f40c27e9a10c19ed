// SPDX-License-Identifier: GPL-2.0
/*
 * End I/Os whose bio was split, or was handed on by a layer, and I/Os whose end was missed.
 */
#include "end.bpf.h"
#include "rq.bpf.h"
#include "stack.bpf.h"

/*
 * Give a split I/O the marks of the piece that ended last, because the whole I/O waited for that
 * piece.
 */
static __always_inline void take_marks(struct blklat_io *io, struct blklat_io *piece)
{
#pragma unroll
	for (int i = MARK_G; i <= MARK_F; i++)
		io->m[i] = piece->m[i];
	io->insert_ns = piece->insert_ns;
	io->issue_ns = piece->issue_ns;
	io->irq_ns = piece->irq_ns;
	io->reap_ns = piece->reap_ns;
}

/**
 * blklat_free() - free the slot of a piece of a split bio
 * @idx: the slot
 *
 * The caller must have read all that it needs of the piece.
 *
 * Context: any
 * Return: 0.
 */
int blklat_free(__u32 idx)
{
	struct blklat_io *io = io_at(idx);
	__u64 *word = (__u64 *)io->m;

	/* User space counts the requests of I/Os, but never sees a piece. */
	if (io->in_rq == RQ_HERE && io->m[MARK_C])
		count_completed(io->dev, rq_op_of(io), false);
	io_forget_bio(io);
	io->gen++;
	io->flags = 0;
	for (__u32 i = 0; i < (sizeof(*io) - offsetof(struct blklat_io, m)) / sizeof(*word); i++)
		word[i] = 0;
	__sync_lock_test_and_set(&io->key, 0);
	return 0;
}

/* The device below is done with this bio: make it lead to the layer's I/O again. */
static __always_inline void hand_back(struct blklat_io *io, struct blklat_io *above)
{
	struct addr_entry *e = addr_find(BIOS, io->key);

	if (!e)
		return;
	above->key = io->key;
	e->slot = io->parent - 1;
	io->key = IO_KEY_ENDED;
}

/**
 * struct end_walk - a walk from an I/O that ended up to the layers that had handed on its bio
 * @idx: slot of the I/O that ends now
 * @now: mark Z in ns, 0 when bio_endio was missed
 */
struct end_walk {
	__u64 idx;
	__u64 now;
};

static long end_step(__u32 i, struct end_walk *w)
{
	struct blklat_io *io = io_at(w->idx), *above;
	__u32 parent = io->flags & IO_ENDS_PARENT ? io->parent : 0;
	__u64 end = w->now ?: ended_at(io);

	above = parent ? io_at(parent - 1) : NULL;
	if (above && above->gen != io->parent_gen)
		above = NULL;
	if (above && io->flags & IO_SAME_BIO)
		hand_back(io, above);
	if (above && io->status)
		above->status = io->status;
	io_end_one(w->idx, io, w->now, IO_DONE_Z);
	if (!above || __sync_fetch_and_add(&above->pending, -1) != 1)
		return 1;
	w->idx = parent - 1;
	/*
	 * Another part of the layer's I/O may have ended after @now: programs run on several CPUs.
	 */
	w->now = w->now && !above->alone ? bpf_ktime_get_ns() : end;
	__sync_fetch_and_or(&above->flags, IO_SELF_ENDED);
	return 0;
}

/*
 * End an I/O, and those of the layers above that had handed on its bio. This uses bpf_loop(),
 * because a loop in the program makes verifiers run into a bug of their own: they refuse the
 * program, with a warning in the kernel log. That happens with 6.16 to 6.18, and with 6.12 if the
 * loop is unrolled.
 */
static __always_inline void io_end(__u32 idx, struct blklat_io *io, __u64 now)
{
	struct end_walk w = { .idx = idx, .now = now };

	if (cfg.stack && io->flags & IO_ENDS_PARENT)
		bpf_loop(SAME_BIO_MAX, end_step, &w, 0);
	else
		io_end_one(idx, io, now, IO_DONE_Z);
}

/**
 * blklat_end() - end a bio, or a piece of a split bio
 * @idx: slot of its I/O or of the piece
 * @now: mark Z in ns, 0 when bio_endio was missed
 *
 * A second call for the same bio does nothing.
 *
 * Context: any
 * Return: 0.
 */
int blklat_end(__u32 idx, __u64 now)
{
	struct blklat_io *piece = io_at(idx), *io;
	__u32 top = idx;

	if (__sync_fetch_and_or(&piece->flags, IO_SELF_ENDED) & IO_SELF_ENDED)
		return 0;
	if (!(piece->flags & IO_JOINED))
		rq_join_missed(piece);
	io = piece;
	if (io_is_piece(piece)) {
		top = piece->parent - 1;
		io = io_at(top);
		if (io->gen != piece->parent_gen)
			return blklat_free(idx);
	}
	if (__sync_fetch_and_add(&io->pending, -1) != 1)
		return top == idx ? 0 : blklat_free(idx);
	if (top != idx) {
		take_marks(io, piece);
		blklat_free(idx);
	}
	io_end(top, io, now);
	return 0;
}

/* Give up an I/O whose end was missed: nothing will tell when it ended. */
static __always_inline void io_lose(__u32 idx, struct blklat_io *io)
{
	bool waits = io->told == TOLD_SYSCALL || io->told == TOLD_KIOCB;

	io_forget_bio(io);
	if (!(__sync_fetch_and_or(&io->flags, IO_LOST) & IO_LOST))
		count(io->dev, COUNT_LOST_END);
	/*
	 * If the submitter is still to be told, the I/O is on the list of its task or kiocb, so
	 * its slot must not be freed yet.
	 */
	if (waits ? io_is_over(io, IO_DONE_Z, IO_DONE_W) : io_is_over_now(io, 0))
		io_hand_over(idx, io);
}

static long lose_step(__u32 i, struct end_walk *w)
{
	struct blklat_io *io = io_at(w->idx);
	__u32 parent = io->flags & IO_ENDS_PARENT ? io->parent : 0, gen = io->parent_gen;

	io_lose(w->idx, io);
	if (!parent)
		return 1;
	w->idx = parent - 1;
	io = io_at(w->idx);
	return io->gen != gen || __sync_fetch_and_add(&io->pending, -1) != 1;
}

/**
 * blklat_lose() - give up an I/O, and those of the layers above that had handed on its bio
 * @idx: slot of the I/O
 *
 * Context: any
 * Return: 0.
 */
int blklat_lose(__u32 idx)
{
	struct end_walk w = { .idx = idx };

	bpf_loop(SAME_BIO_MAX, lose_step, &w, 0);
	return 0;
}
