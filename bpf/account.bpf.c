// SPDX-License-Identifier: GPL-2.0
/* An ended I/O becomes samples: one per stage, one per span, one tail entry. */
#include "stack.bpf.h"
#include "../kmod/uapi/loglin.h"

#define GAP(from, to, stage) [MARK_##from][MARK_##to] = STAGE_##stage + 1,
/* Stage + 1 of the time between two marks; 0: none, it is unattributed. */
static const __u8 stage_of_gap[16][16] = { BLKLAT_GAPS(GAP) };
#undef GAP

static __always_inline void store_max(__u64 *p, __u64 v)
{
	__u64 old = *p;

	for (int i = 0; i < 4; i++) {
		__u64 seen;

		if (v <= old)
			break;
		seen = __sync_val_compare_and_swap(p, old, v);
		if (seen == old)
			break;
		old = seen;
	}
}

/**
 * bucket_of - bucket of a time, in a distribution
 * @ns: the time
 *
 * Global, as hist_add(), so that the verifier looks at it once and not once per
 * call.
 */
__u32 bucket_of(__u64 ns)
{
	__u32 b = loglin_index(ns, BLKLAT_HIST_BITS);

	return b < BLKLAT_HIST_BUCKETS ? b : BLKLAT_HIST_BUCKETS - 1;
}

/* The same in the tail table. */
__u32 tail_bucket_of(__u64 ns)
{
	__u32 b = loglin_index(ns, BLKLAT_TAIL_BITS);

	return b < BLKLAT_TAIL_BUCKETS ? b : BLKLAT_TAIL_BUCKETS - 1;
}

/**
 * hist_add - add a sample to one distribution
 * @row: index in the hists map
 * @ns: the sample
 *
 * Returns 0.
 */
int hist_add(__u32 row, __u64 ns)
{
	struct blklat_hist *h = bpf_map_lookup_elem(&hists, &row);
	__u32 b = bucket_of(ns);

	asm volatile("" : "+r"(b));
	if (!h || b >= BLKLAT_HIST_BUCKETS)
		return 0;
	__sync_fetch_and_add(&h->count, 1);
	__sync_fetch_and_add(&h->sum, ns);
	__sync_fetch_and_add(&h->bucket[b], 1);
	store_max(&h->inv_min, ~ns);
	store_max(&h->max, ns);
	return 0;
}

static __always_inline void charge(__u32 row0, struct blklat_tail *t, __u32 stage, __u64 ns)
{
	hist_add(row0 + stage, ns);
	/* The verifier wants the bound on the very register that is used. */
	asm volatile("" : "+r"(stage));
	if (stage < NR_STAGES)
		__sync_fetch_and_add(&t->stage[stage], ns);
}

static __always_inline void charge_layer(__u32 row0, struct blklat_tail *t, __u32 row, __u64 ns)
{
	hist_add(row0 + ROW_OF_LAYER(0, 0) + row, ns);
	asm volatile("" : "+r"(row));
	if (row < NR_LAYER_ROWS)
		__sync_fetch_and_add(&t->layer[row], ns);
}

static __always_inline void charge_spans(struct blklat_io *io, __u32 row0, __u64 total)
{
	__u64 q = io->queue_ns ?: io->m[MARK_Q], g = io->m[MARK_G], c = io->m[MARK_C];

	row0 += NR_STAGES;
	hist_add(row0 + SPAN_TOTAL, total);
	if (!cfg.spans || !c)
		return;
	if (q)
		hist_add(row0 + SPAN_Q2C, c - q);
	if (q && g)
		hist_add(row0 + SPAN_Q2G, g - q);
	if (g && io->insert_ns >= g)
		hist_add(row0 + SPAN_G2I, io->insert_ns - g);
	if (io->issue_ns && io->insert_ns && io->issue_ns >= io->insert_ns)
		hist_add(row0 + SPAN_I2D, io->issue_ns - io->insert_ns);
	if (io->issue_ns && c >= io->issue_ns)
		hist_add(row0 + SPAN_D2C, c - io->issue_ns);
}

/*
 * The completion can come before queue_rq has returned, on this CPU or on
 * another: then the doorbell's time is not known. D lies inside queue_rq, at
 * another place in every driver, so it is a boundary only without B.
 */
static __always_inline void choose_marks(struct blklat_io *io)
{
	if (io->m[MARK_B] > (io->m[MARK_H] ?: io->m[MARK_C] ?: io->m[MARK_Z]))
		io->m[MARK_B] = 0;
	if (io->m[MARK_X] && io->m[MARK_B])
		io->m[MARK_D] = 0;
}

static __always_inline __u32 stage_between(__u32 from, __u32 to, __u8 op, bool bio_based)
{
	__u32 stage;

	if (from == MARK_Q && bio_based)
		return to == MARK_Z ? STAGE_BIO_DRIVER : STAGE_BIO_DELIVER;
	stage = stage_of_gap[from & 15][to & 15];
	if (!stage)
		return STAGE_UNATTRIBUTED;
	stage--;
	/* Until its data is issued, an I/O with PREFLUSH waits for the flush. */
	if (op == BLKLAT_OP_FLUSH && from == MARK_G && to != MARK_R)
		return STAGE_FLUSH;
	return stage;
}

/**
 * struct mark_walk - a walk over the marks of one I/O
 * @idx: its slot
 * @row0: first row of the table that gets the samples
 * @tail: index in the tails map
 * @prev: the mark before, NR_MARKS for none
 * @prev_ns: when it was
 * @flush: time in pre- and post-flush, which are one stage, thus one sample
 * @sum: time charged
 * @layer: what it did between Q and its end is charge_layers()'s
 */
struct mark_walk {
	__u32 idx;
	__u32 row0;
	__u32 tail;
	__u32 prev;
	__u64 prev_ns;
	__u64 flush;
	__u64 sum;
	__u32 layer;
};

static long charge_mark(__u32 i, struct mark_walk *w)
{
	struct blklat_tail *t = bpf_map_lookup_elem(&tails, &w->tail);
	struct blklat_io *io = io_at(w->idx);
	__u32 stage;
	__u64 ns;

	asm volatile("" : "+r"(i));
	if (!io || !t || i >= NR_MARKS)
		return 1;
	ns = io->m[i];
	if (!ns || (w->layer && i > MARK_Q && i < MARK_Z))
		return 0;
	if (w->prev < NR_MARKS && ns < w->prev_ns) {
		count(io->dev, COUNT_DISORDER);
		return 0;
	}
	if (w->prev < NR_MARKS && !(w->layer && w->prev == MARK_Q)) {
		stage = stage_between(w->prev, i, io->op, dev_cfg(io->dev)->bio_based);
		w->sum += ns - w->prev_ns;
		if (stage == STAGE_FLUSH)
			w->flush += ns - w->prev_ns;
		else
			charge(w->row0, t, stage, ns - w->prev_ns);
	}
	w->prev = i;
	w->prev_ns = ns;
	return 0;
}

/*
 * Charge the gaps between the marks of one I/O, and @flush ns to the same stage
 * as its own flushes; returns the sum in ns. By bpf_loop(), or the verifier
 * would walk every combination of missing marks.
 */
static __always_inline __u64 charge_marks(__u32 idx, __u32 row0, __u32 tail, bool layer, __u64 flush)
{
	struct mark_walk w = {
		.idx = idx, .row0 = row0, .tail = tail, .prev = NR_MARKS, .layer = layer,
		.flush = flush, .sum = flush,
	};
	struct blklat_tail *t = bpf_map_lookup_elem(&tails, &tail);

	bpf_loop(NR_MARKS, charge_mark, &w, 0);
	if (w.flush && t)
		charge(row0, t, STAGE_FLUSH, w.flush);
	return w.sum;
}

/*
 * What tracing took of the time between two marks. Known when one task set both
 * on one CPU: it did nothing else in between, unless it slept.
 */
static __always_inline void charge_cost(__u32 row, const struct blklat_cost_note *from,
					const struct blklat_cost_note *to, __u64 ns)
{
	__u64 spent = to->spent - from->spent;

	if (from->where && from->where == to->where)
		hist_add(row, spent < ns ? spent : ns);
}

/*
 * Of a layer and its critical child. The child's mark C or F, if it was later
 * than Z, or T has no note.
 */
static __always_inline void charge_costs(struct blklat_io *io, struct blklat_io *child, __u32 row0)
{
	if (begin_of(child) == child->m[MARK_Q])
		charge_cost(row0 + ROW_OF_SPAN(SPAN_SUBMIT_COST), &io->q_cost, &child->q_cost,
			    child->m[MARK_Q] - io->m[MARK_Q]);
	if (ended_at(child) == child->m[MARK_Z])
		charge_cost(row0 + ROW_OF_SPAN(SPAN_COMPLETE_COST), &child->z_cost, &io->z_cost,
			    io->m[MARK_Z] - child->m[MARK_Z]);
}

/* PREFLUSH with data: how long the data had to wait for the flushes. */
static __always_inline __u64 flushes_before(struct blklat_io *io, struct blklat_io *child)
{
	if (child->op == BLKLAT_OP_FLUSH || io->flush_begin < io->m[MARK_Q] ||
	    io->flush_end < io->flush_begin || io->flush_end > begin_of(child))
		return 0;
	return io->flush_end - io->flush_begin;
}

/**
 * struct layer_walk - a walk down the critical children of one I/O
 * @idx: slot of the one that is looked at, of a layer
 * @row0: first row of the table that gets the samples
 * @tail: index in the tails map
 * @leaf: slot + 1 of the one at a leaf, when the walk has come to it
 * @sum: time charged
 * @flush: time in flushes that a layer waited for, not charged yet
 */
struct layer_walk {
	__u32 idx;
	__u32 row0;
	__u32 tail;
	__u32 leaf;
	__u64 sum;
	__u64 flush;
};

static long charge_one_layer(__u32 depth, struct layer_walk *w)
{
	struct blklat_tail *t = bpf_map_lookup_elem(&tails, &w->tail);
	struct blklat_io *io = io_at(w->idx), *child;
	__u64 begin, end, child_begin, child_end, flush;
	__u32 row = depth * NR_LAYER_STAGES;

	if (!io || !t)
		return 1;
	begin = depth ? begin_of(io) : io->m[MARK_Q];
	end = io->m[MARK_Z] ?: io->m[MARK_W];
	child = io->critical ? io_at(io->critical - 1) : NULL;
	child_begin = child ? begin_of(child) : 0;
	child_end = child ? ended_at(child) : 0;
	if (!child || child_begin < begin || child_end > io->m[MARK_Z] ||
	    (depth == BLKLAT_MAX_LAYERS - 1 && is_layer(child))) {
		charge_layer(w->row0, t, row + LAYER_WHOLE, end - begin);
		w->sum += end - begin;
		return 1;
	}
	flush = flushes_before(io, child);
	w->flush += flush;
	begin += flush;
	charge_layer(w->row0, t, row + LAYER_SUBMIT, child_begin - begin);
	charge_layer(w->row0, t, row + LAYER_COMPLETE, end - child_end);
	if (cfg.cost && !depth)
		charge_costs(io, child, w->row0);
	w->sum += child_begin - begin + end - child_end;
	w->idx = io->critical - 1;
	if (is_layer(child))
		return 0;
	w->leaf = io->critical;
	return 1;
}

/*
 * Charge what the layers of a stack did with one I/O of a layer, from its mark
 * Q down along the critical children; the one at the leaf has the stages of a
 * leaf. Where a layer below is throttled, its submit side has that time.
 * Returns the sum in ns.
 */
static __always_inline __u64 charge_layers(__u32 idx, __u32 row0, __u32 tail)
{
	struct layer_walk w = { .idx = idx, .row0 = row0, .tail = tail };
	struct blklat_tail *t = bpf_map_lookup_elem(&tails, &tail);

	bpf_loop(BLKLAT_MAX_LAYERS, charge_one_layer, &w, 0);
	if (w.leaf)
		return w.sum + charge_marks(w.leaf - 1, row0, tail, false, w.flush);
	if (w.flush && t)
		charge(row0, t, STAGE_FLUSH, w.flush);
	return w.sum + w.flush;
}

/* Whether there is nothing to charge; the ledger says why. */
static __always_inline bool is_lost(struct blklat_io *io)
{
	if (io->flags & IO_LOST)
		return true;
	if (!(io->m[MARK_W] | io->m[MARK_Z] | io->m[MARK_C])) {
		/* It ended, nobody saw when. */
		count(io->dev, COUNT_LOST_END);
		return true;
	}
	if (!begin_of(io) || (is_layer(io) && !io->m[MARK_Q])) {
		/* block_bio_queue was missed; then its submitter was preempted, or it is a layer. */
		count(io->dev, COUNT_LOST_QUEUE);
		return true;
	}
	return false;
}

/**
 * blklat_account - charge one ended I/O and free its slot
 * @idx: its slot; all of its marks are set
 *
 * Called once per I/O, by whichever of mark Z and mark W came last; in any
 * context. Returns 0.
 */
int blklat_account(__u32 idx)
{
	struct blklat_io *io = io_at(idx);
	__u32 table, tail, row0, shard;
	struct blklat_ledger *ledger;
	struct blklat_tail *t;
	__u64 begin, end, sum;

	/* A slot that is free was accounted before. */
	if (!io || !io->key || io->flags & IO_CHARGED)
		return 0;
	if (is_lost(io)) {
		count_add(io->dev, COUNT_INFLIGHT, -1);
		blklat_release(idx);
		return 0;
	}
	choose_marks(io);
	begin = begin_of(io);
	/* A mark out of order is dropped and counted; the latest one is the end. */
	end = begin;
	for (__u32 i = 0; i < NR_MARKS; i++)
		if (io->m[i] > end)
			end = io->m[i];
	shard = bpf_get_smp_processor_id() & cfg.shard_mask;
	table = (shard * cfg.max_devs + io->dev) * NR_OPS + io->op;
	row0 = table * cfg.rows;
	tail = table * BLKLAT_TAIL_BUCKETS + tail_bucket_of(end - begin);
	t = bpf_map_lookup_elem(&tails, &tail);
	if (t) {
		__sync_fetch_and_add(&t->count, 1);
		__sync_fetch_and_add(&t->total, end - begin);
	}
	sum = charge_marks(idx, row0, tail, is_layer(io), 0);
	if (is_layer(io)) {
		blklat_critical(idx);
		sum += charge_layers(idx, row0, tail);
	}
	charge_spans(io, row0, end - begin);
	if (io->m[MARK_E] && io->told != TOLD_BLKGEN)
		hist_add(row0 + STAGE_THINK, io->think_ns);
	if (cfg.check) {
		count(io->dev, COUNT_CHECKED);
		if (sum != end - begin)
			count(io->dev, COUNT_CHECK_FAILED);
	}
	if (io->polled)
		count(io->dev, COUNT_POLLED);
	ledger = ledger_of(io->dev);
	if (ledger) {
		__sync_fetch_and_add(&ledger->n[COUNT_COMPLETED], 1);
		__sync_fetch_and_add(&ledger->n[COUNT_INFLIGHT], -1);
	}
	blklat_release(idx);
	return 0;
}
