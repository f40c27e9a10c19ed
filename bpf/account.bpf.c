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
 * hist_add - add a sample to one distribution
 * @row: index in the hists map
 * @ns: the sample
 *
 * Global, so that the verifier looks at it once and not once per call.
 * Returns 0.
 */
int hist_add(__u32 row, __u64 ns)
{
	struct blklat_hist *h = bpf_map_lookup_elem(&hists, &row);
	__u32 b = loglin_index(ns, BLKLAT_HIST_BITS);

	if (!h)
		return 0;
	if (b >= BLKLAT_HIST_BUCKETS)
		b = BLKLAT_HIST_BUCKETS - 1;
	__sync_fetch_and_add(&h->count, 1);
	__sync_fetch_and_add(&h->sum, ns);
	__sync_fetch_and_add(&h->bucket[b], 1);
	store_max(&h->inv_min, ~ns);
	store_max(&h->max, ns);
	return 0;
}

static __always_inline __u32 tail_of(__u32 table, __u64 total)
{
	__u32 b = loglin_index(total, BLKLAT_TAIL_BITS);

	if (b >= BLKLAT_TAIL_BUCKETS)
		b = BLKLAT_TAIL_BUCKETS - 1;
	return table * BLKLAT_TAIL_BUCKETS + b;
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
	__u64 q = io->m[MARK_Q], g = io->m[MARK_G], c = io->m[MARK_C];

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
 * charge_marks - charge the gaps between the marks of one I/O
 * @idx: its slot
 * @row0: first row of the table that gets the samples
 * @tail: index in the tails map
 *
 * The mark before is kept in memory, where the verifier does not follow its
 * value: else it would walk the loop once per combination of marks that may be
 * missing. What a layer does with its bio is left to charge_layers().
 * Returns the sum in ns.
 */
__u64 charge_marks(__u32 idx, __u32 row0, __u32 tail)
{
	struct blklat_tail *t = bpf_map_lookup_elem(&tails, &tail);
	struct blklat_io *io = io_at(idx);
	__u64 flush = 0, sum = 0, prev_ns = 0;
	bool bio_based, layer;

	if (!io || !t)
		return 0;
	bio_based = dev_cfg(io->dev)->bio_based;
	layer = is_layer(io);
	io->last = NR_MARKS;
	for (__u32 i = 0; i < NR_MARKS; i++) {
		__u32 prev = *(volatile __u32 *)&io->last, stage;
		__u64 ns = io->m[i];

		/* What a layer did between Q and its end is charge_layers()'s. */
		if (!ns || (layer && i > MARK_Q && i < MARK_Z))
			continue;
		if (prev < NR_MARKS && ns < prev_ns) {
			count(io->dev, COUNT_DISORDER);
			continue;
		}
		if (prev < NR_MARKS && !(layer && prev == MARK_Q)) {
			stage = stage_between(prev, i, io->op, bio_based);
			sum += ns - prev_ns;
			/* Pre- and post-flush are one stage, thus one sample. */
			if (stage == STAGE_FLUSH)
				flush += ns - prev_ns;
			else
				charge(row0, t, stage, ns - prev_ns);
		}
		io->last = i;
		prev_ns = ns;
	}
	if (flush)
		charge(row0, t, STAGE_FLUSH, flush);
	return sum;
}

static __always_inline __u64 begin_of(struct blklat_io *io)
{
	return io->m[MARK_E] ?: io->m[MARK_T] ?: io->m[MARK_Q];
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

/**
 * charge_layers - charge what the layers of a stack did with one I/O
 * @idx: its slot, of a layer
 * @row0: first row of the table that gets the samples
 * @tail: index in the tails map
 *
 * From its mark Q down along the critical children; the one at the leaf has
 * the stages of a leaf. Where a layer below is throttled, its submit side has
 * that time. Returns the sum in ns.
 */
__u64 charge_layers(__u32 idx, __u32 row0, __u32 tail)
{
	struct blklat_tail *t = bpf_map_lookup_elem(&tails, &tail);
	__u64 sum = 0;

	if (!t)
		return 0;
	for (__u32 row = 0; row < NR_LAYER_ROWS; row += NR_LAYER_STAGES) {
		struct blklat_io *io = io_at(idx), *child;
		__u64 begin, end, child_begin, child_end;

		if (!io)
			break;
		begin = row ? begin_of(io) : io->m[MARK_Q];
		end = io->m[MARK_Z] ?: io->m[MARK_W];
		child = io->critical ? io_at(io->critical - 1) : NULL;
		child_begin = child ? begin_of(child) : 0;
		child_end = child ? ended_at(child) : 0;
		if (!child || child_begin < begin || child_end > io->m[MARK_Z] ||
		    (row + NR_LAYER_STAGES >= NR_LAYER_ROWS && is_layer(child))) {
			charge_layer(row0, t, row + LAYER_WHOLE, end - begin);
			return sum + end - begin;
		}
		charge_layer(row0, t, row + LAYER_SUBMIT, child_begin - begin);
		charge_layer(row0, t, row + LAYER_COMPLETE, end - child_end);
		if (cfg.cost && !row)
			charge_costs(io, child, row0);
		sum += child_begin - begin + end - child_end;
		idx = *(volatile __u32 *)&io->critical - 1;
		if (!is_layer(child))
			return sum + charge_marks(idx, row0, tail);
	}
	return sum;
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
	tail = tail_of(table, end - begin);
	t = bpf_map_lookup_elem(&tails, &tail);
	if (t) {
		__sync_fetch_and_add(&t->count, 1);
		__sync_fetch_and_add(&t->total, end - begin);
	}
	sum = charge_marks(idx, row0, tail);
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
