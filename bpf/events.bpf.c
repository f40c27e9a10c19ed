// SPDX-License-Identifier: GPL-2.0
/* Records of single I/Os, for --events: their marks; user space makes stages of them. */
#include "events.bpf.h"
#include "stack.bpf.h"

static __always_inline void copy_marks(__u64 *to, struct blklat_io *io)
{
#pragma unroll
	for (int i = 0; i < NR_MARKS; i++)
		to[i] = io->m[i];
}

/* Neighbours, so one read has both. */
static __always_inline bool read_ids(struct task_struct *task, __u32 id[2])
{
	if (bpf_core_field_offset(struct task_struct, tgid) ==
	    bpf_core_field_offset(struct task_struct, pid) + sizeof(*id))
		return !bpf_core_read(id, 2 * sizeof(*id), &task->pid);
	return !bpf_core_read(&id[0], sizeof(*id), &task->pid) &&
	       !bpf_core_read(&id[1], sizeof(*id), &task->tgid);
}

/* The task may be gone; then another one has its place, or what is left there is its own. */
static __always_inline void fill_task(struct blklat_event *e, struct blklat_io *io)
{
	struct task_struct *task = (struct task_struct *)io->task;
	__u32 id[2] = {};

	if (!read_ids(task, id) || id[0] != io->origin.pid)
		return;
	e->origin.tgid = id[1];
	if (!bpf_core_read(&e->comm, sizeof(e->comm), &task->comm))
		e->flags |= EVENT_TASK;
}

/*
 * The critical child of an I/O at @depth, as charge_one_layer() takes it; its slot
 * + 1, or 0 when there is none or this is the last.
 */
static __always_inline __u32 fill_hop(struct blklat_event *e, __u32 idx, __u32 depth)
{
	struct blklat_io *io = io_at(idx), *child;
	struct blklat_hop *hop = &e->hops[depth];
	__u64 begin;

	child = io->critical ? io_at(io->critical - 1) : NULL;
	if (!child)
		return 0;
	begin = depth ? begin_of(io) : io->m[MARK_Q];
	if (begin_of(child) < begin || ended_at(child) > io->m[MARK_Z] ||
	    (depth == BLKLAT_MAX_LAYERS - 1 && is_layer(child)))
		return 0;
	hop->begin = begin_of(child);
	hop->end = child->m[MARK_Z] ?: child->m[MARK_W];
	hop->ended = ended_at(child);
	hop->flush_begin = 0;
	hop->flush_end = 0;
	if (waits_for_flushes(io, child)) {
		hop->flush_begin = io->flush_begin;
		hop->flush_end = io->flush_end;
	}
	hop->dev = child->dev;
	hop->op = child->op;
	hop->bio_based = dev_cfg(child->dev)->bio_based;
	e->nr_hops = depth + 1;
	if (is_layer(child))
		return io->critical;
	copy_marks(e->leaf, child);
	e->flags |= EVENT_LEAF;
	return 0;
}

static __always_inline void fill_hops(struct blklat_event *e, __u32 idx)
{
	__u32 next = idx + 1;

#pragma unroll
	for (int depth = 0; depth < BLKLAT_MAX_LAYERS; depth++) {
		next = fill_hop(e, next - 1, depth);
		if (!next)
			break;
	}
}

/* Whether this I/O is one of the sample. */
static __always_inline bool is_sampled(void)
{
	return cfg.sample <= 1 || !(__sync_fetch_and_add(&state.events, 1) % cfg.sample);
}

/* Other CPUs, and interrupts, take places too. */
#define TAKE_TRIES 64

/*
 * The next place for a record, or NULL when those not read yet are in all of them. A
 * place that is taken is always filled, whoever reads waits for it.
 */
static __always_inline struct blklat_event *event_take(__u64 *number)
{
	for (int i = 0; i < TAKE_TRIES; i++) {
		__u64 head = *(volatile __u64 *)&ring.head;
		__u32 place = head & (cfg.events - 1);

		if (head - *(volatile __u64 *)&ring.tail >= cfg.events)
			break;
		if (__sync_val_compare_and_swap(&ring.head, head, head + 1) == head) {
			*number = head + 1;
			return bpf_map_lookup_elem(&events, &place);
		}
	}
	return NULL;
}

/**
 * blklat_event - hand a record of an I/O to user space
 * @idx: its slot; it was charged, its children are there still
 *
 * Nobody is woken: user space comes often enough, a wakeup would cost more than
 * all of the rest. Any context. Returns 0.
 */
int blklat_event(__u32 idx)
{
	struct blklat_io *io = cfg.events ? io_at(idx) : NULL;
	struct blklat_event *e;
	__u64 number = 0;

	if (!io || !is_sampled())
		return 0;
	e = event_take(&number);
	if (!e) {
		count(io->dev, COUNT_EVENTS_LOST);
		return 0;
	}
	copy_marks(e->m, io);
	e->flags = dev_cfg(io->dev)->bio_based ? EVENT_BIO_BASED : 0;
	e->think_ns = io->think_ns;
	if (io->m[MARK_E] && io->told != TOLD_BLKGEN)
		e->flags |= EVENT_THINK;
	e->origin = io->origin;
	fill_task(e, io);
	e->status = io->status;
	e->dev = io->dev;
	e->op = io->op;
	e->nr_hops = 0;
	if (is_layer(io)) {
		e->flags |= EVENT_LAYER;
		/* What the verifier knows by itself only where in_stack() was looked at. */
		if (in_stack())
			fill_hops(e, idx);
	}
	__sync_lock_test_and_set(&e->number, number);
	return 0;
}
