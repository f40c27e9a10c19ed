// SPDX-License-Identifier: GPL-2.0
/* The life of a bio: queued, given a request, merged, split, ended. */
#include "tables.bpf.h"
#include "submit.bpf.h"

static __always_inline bool task_is_traced(void)
{
	if (cfg.tgid && bpf_get_current_pid_tgid() >> 32 != cfg.tgid)
		return false;
	if (cfg.cgroup_level >= 0 &&
	    bpf_get_current_ancestor_cgroup_id(cfg.cgroup_level) != cfg.cgroup_id)
		return false;
	if (cfg.has_comm) {
		char comm[BLKLAT_COMM_LEN] = {};

		bpf_get_current_comm(comm, sizeof(comm));
#pragma unroll
		for (int i = 0; i < BLKLAT_COMM_LEN; i++) {
			if (comm[i] != cfg.comm[i])
				return false;
			if (!comm[i])
				break;
		}
	}
	return true;
}

/* A slot with cleared state, or -1; the caller fills in the rest. */
static __always_inline int io_begin(__u64 key, __u32 dev, __u8 op)
{
	int idx = io_take(key);
	struct blklat_io *io;

	if (idx < 0)
		return -1;
	io = io_at(idx);
	if (!io)
		return -1;
#pragma unroll
	for (int i = 0; i < NR_MARKS; i++)
		io->m[i] = 0;
	io->insert_ns = 0;
	io->issue_ns = 0;
	io->think_ns = 0;
	io->owner = 0;
	io->flags = 0;
	io->pending = 1;
	io->parent = 0;
	io->rq = 0;
	io->next = 0;
	io->dev = dev;
	io->op = op;
	io->told = TOLD_NONE;
	io->polled = 0;
	return idx;
}

/*
 * The bio was seen before and its end was not: a program was skipped because
 * it interrupted itself. The slot may still be on a list, so it is only
 * marked; whoever walks the list frees it.
 */
static __always_inline void io_lose(int idx)
{
	struct blklat_io *io = io_at(idx);

	if (!io)
		return;
	count(io->dev, COUNT_LOST_END);
	if (io->told == TOLD_SYSCALL || io->told == TOLD_KIOCB) {
		io->key = IO_KEY_ENDED;
		__sync_fetch_and_or(&io->flags, IO_LOST | IO_DONE_Z);
	} else {
		count_add(io->dev, COUNT_INFLIGHT, -1);
		io->key = 0;
	}
}

static __always_inline void note_depth(__u32 dev)
{
	struct blklat_ledger *l = bpf_map_lookup_elem(&ledgers, &dev);

	if (l && l->n[COUNT_INFLIGHT] > l->n[COUNT_INFLIGHT_MAX])
		l->n[COUNT_INFLIGHT_MAX] = l->n[COUNT_INFLIGHT];
}

SEC("tp_btf/block_bio_queue")
int BPF_PROG(bio_queue, struct bio *bio)
{
	struct blklat_io *io;
	__u32 opf;
	int dev, idx;
	__u8 op;

	if (state.phase != PHASE_TRACE)
		return 0;
	dev = dev_of_bdev(bio->bi_bdev);
	if (dev < 0)
		return 0;
	opf = bio->bi_opf;
	op = op_of(opf);
	if (!(cfg.op_mask & 1U << op) || !task_is_traced())
		return 0;
	count(dev, COUNT_STARTED);
	count_add(dev, COUNT_BYTES, bio->bi_iter.bi_size);
	idx = io_find((__u64)bio);
	if (idx >= 0)
		io_lose(idx);
	idx = io_begin((__u64)bio, dev, op);
	io = idx < 0 ? NULL : io_at(idx);
	if (!io) {
		count(dev, COUNT_LOST_FULL);
		return 0;
	}
	count(dev, COUNT_INFLIGHT);
	note_depth(dev);
	note_submitter(io, idx, bio);
	io->m[MARK_Q] = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int set_g(struct bio *bio, bool merged)
{
	struct blklat_io *io;
	int idx;

	if (state.phase == PHASE_IDLE || dev_of_bdev(bio->bi_bdev) < 0)
		return 0;
	idx = io_find((__u64)bio);
	io = idx < 0 ? NULL : io_at(idx);
	if (!io)
		return 0;
	if (!io->m[MARK_G])
		io->m[MARK_G] = bpf_ktime_get_ns();
	if (merged)
		count(io->dev, COUNT_MERGES);
	return 0;
}

SEC("tp_btf/block_getrq")
int BPF_PROG(bio_getrq, struct bio *bio)
{
	return set_g(bio, false);
}

SEC("tp_btf/block_bio_backmerge")
int BPF_PROG(bio_backmerge, struct bio *bio)
{
	return set_g(bio, true);
}

SEC("tp_btf/block_bio_frontmerge")
int BPF_PROG(bio_frontmerge, struct bio *bio)
{
	return set_g(bio, true);
}

/*
 * The front part gets a bio of its own, chained to the one that was queued;
 * no block_bio_queue fires for it, nor again for the remainder.
 */
SEC("tp_btf/block_split")
int BPF_PROG(bio_split, struct bio *bio)
{
	struct blklat_io *io, *piece;
	int idx, pidx;

	if (state.phase == PHASE_IDLE || dev_of_bdev(bio->bi_bdev) < 0)
		return 0;
	idx = io_find((__u64)bio->bi_private);
	io = idx < 0 ? NULL : io_at(idx);
	if (!io)
		return 0;
	count(io->dev, COUNT_SPLITS);
	pidx = io_begin((__u64)bio, io->dev, io->op);
	piece = pidx < 0 ? NULL : io_at(pidx);
	if (!piece)
		return 0;
	piece->parent = idx + 1;
	__sync_fetch_and_add(&io->pending, 1);
	return 0;
}

/* The marks of the request that carried @piece become marks of @io. */
static __always_inline void join_rq(struct blklat_io *io, struct blklat_io *piece)
{
	struct blklat_rq *rq = piece->rq ? rq_at(piece->rq - 1) : NULL;

	io->m[MARK_G] = piece->m[MARK_G];
	if (!rq || rq->gen != piece->rq_gen)
		return;
	io->m[MARK_R] = rq->first_x;
	io->m[MARK_X] = rq->x;
	io->m[MARK_D] = rq->d;
	io->m[MARK_B] = rq->b;
	io->m[MARK_C] = rq->c;
	io->m[MARK_F] = rq->f;
	io->insert_ns = rq->insert;
	io->issue_ns = rq->d;
	if (rq->batch) {
		__u32 slot = rq->batch & (BATCHES - 1);
		struct batch *batch = bpf_map_lookup_elem(&batches, &slot);

		if (batch && batch->seq == rq->batch)
			io->m[MARK_B] = batch->b;
	}
	/* An interrupt older than the doorbell reaped this one as a guest. */
	if (rq->h && rq->h >= io->m[MARK_B]) {
		io->m[MARK_H] = rq->h;
	} else {
		io->m[MARK_H] = rq->v;
		io->polled = rq->v && !rq->h;
	}
}

static __always_inline void io_end(int idx, struct blklat_io *io, __u64 now)
{
	io->m[MARK_Z] = now;
	if (io->told == TOLD_NONE) {
		blklat_account(idx);
		return;
	}
	/* The bio is free after its end_io and may be queued at once. */
	if (io->told != TOLD_BLKGEN)
		io->key = IO_KEY_ENDED;
	if (__sync_fetch_and_or(&io->flags, IO_DONE_Z) & IO_DONE_W)
		blklat_account(idx);
}

/*
 * Fires before bio_endio() looks at the count of chained bios, so the pieces
 * of a split bio are counted here: the piece that ends last gates the whole.
 */
SEC("fentry/bio_endio")
int BPF_PROG(bio_endio, struct bio *bio)
{
	struct blklat_io *io, *piece;
	int idx;

	if (state.phase == PHASE_IDLE || dev_of_bdev(bio->bi_bdev) < 0)
		return 0;
	idx = io_find((__u64)bio);
	piece = idx < 0 ? NULL : io_at(idx);
	if (!piece)
		return 0;
	io = piece;
	if (piece->parent) {
		int pidx = idx;

		idx = piece->parent - 1;
		io = io_at(idx);
		if (!io)
			return 0;
		if (__sync_fetch_and_add(&io->pending, -1) == 1) {
			join_rq(io, piece);
			io_end(idx, io, bpf_ktime_get_ns());
		}
		piece = io_at(pidx);
		if (piece)
			piece->key = 0;
		return 0;
	}
	if (__sync_fetch_and_add(&io->pending, -1) != 1)
		return 0;
	join_rq(io, io);
	io_end(idx, io, bpf_ktime_get_ns());
	return 0;
}
