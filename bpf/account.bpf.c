// SPDX-License-Identifier: GPL-2.0
/* An ended I/O becomes samples: one per stage, one per span, one tail entry. */
#include "events.bpf.h"
#include "gaps.h"
#include "plain_layer.bpf.h"

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

/* The least is 0 before it is known: it is, when it was counted. */
static __always_inline void store_min(struct blklat_hist *h, __u64 v)
{
	__u64 old = h->min;

	for (int i = 0; i < 4; i++) {
		__u64 seen;

		if (old ? v >= old : h->bucket[0])
			break;
		seen = __sync_val_compare_and_swap(&h->min, old, v);
		if (seen == old)
			break;
		old = seen;
	}
}

static __always_inline void extremes(struct blklat_hist *h, __u64 ns)
{
	store_min(h, ns);
	store_max(&h->end, ns + 1);
}

/* A distribution, or NULL: those of layers are there only in a stack. */
static __always_inline struct blklat_hist *row_at(__u32 table, __u32 row)
{
	struct blklat_table *t = table_at(table);

	asm volatile("" : "+r"(row));
	if (!t || row >= (in_stack() ? NR_ALL_ROWS : NR_ROWS))
		return NULL;
	return row < NR_ROWS ? &t->row[row] : &t->layer[row - NR_ROWS];
}

/**
 * hist_extremes - a sample may be the least or the largest of its distribution
 * @table: index in the tables map
 * @row: the distribution: enum blklat_stage, ROW_OF_SPAN() or ROW_OF_LAYER()
 * @ns: the sample, which is in its bucket already
 *
 * Global, as hist_add(), so that the verifier looks at it once and not once per
 * call. Returns 0.
 */
int hist_extremes(__u32 table, __u32 row, __u64 ns)
{
	struct blklat_hist *h = row_at(table, row);

	if (h)
		extremes(h, ns);
	return 0;
}

/**
 * hist_add - add a sample to one distribution
 * @table: index in the tables map
 * @row: as in hist_extremes()
 * @ns: the sample
 *
 * Returns 0.
 */
int hist_add(__u32 table, __u32 row, __u64 ns)
{
	struct blklat_hist *h = row_at(table, row);

	if (!h)
		return 0;
	__sync_fetch_and_add(&h->bucket[bucket_of(ns)], 1);
	if (row_has_sum(row))
		__sync_fetch_and_add(&h->sum, ns);
	/* Not by the function: the verifier allows eight of them in one another. */
	if (is_extreme(h, ns))
		extremes(h, ns);
	return 0;
}

/* Add to a stage: a sample, and in the group of I/Os with about the same total. */
static __always_inline void charge(__u32 table, __u32 group, __u64 stage, __u64 ns)
{
	struct blklat_table *t = table_at(table);

	hist_add(table, stage, ns);
	if (!t)
		return;
	BOUND(stage, NR_STAGES);
	__sync_fetch_and_add(&tail_at(t, group)->stage[stage], ns);
}

static __always_inline void charge_layer(__u32 table, __u32 group, __u64 row, __u64 ns)
{
	struct blklat_table *t = table_at(table);

	hist_add(table, ROW_OF_LAYER(0, 0) + row, ns);
	if (!t)
		return;
	BOUND(row, NR_LAYER_ROWS);
	__sync_fetch_and_add(&tail_at(t, group)->layer[row], ns);
}

/* The group of I/Os that have about this total, which is counted as one of it. */
static __always_inline __u32 charge_total(__u32 table, __u64 total)
{
	__u32 group = bucket_of(total) >> BLKLAT_TAIL_SHIFT;
	struct blklat_table *t = table_at(table);

	hist_add(table, ROW_OF_SPAN(SPAN_TOTAL), total);
	if (t)
		__sync_fetch_and_add(&tail_at(t, group)->total, total);
	return group;
}

/*
 * The completion can come before queue_rq has returned, on this CPU or on
 * another: then the doorbell's time is not known. D lies inside queue_rq, at
 * another place in every driver, so it is a boundary only without X.
 */
static __always_inline void choose_marks(struct blklat_io *io)
{
	if (io->m[MARK_B] > (io->m[MARK_H] ?: io->m[MARK_C] ?: io->m[MARK_Z]))
		io->m[MARK_B] = 0;
	if (io->m[MARK_X])
		io->m[MARK_D] = 0;
}

/**
 * struct mark_walk - a walk over the marks of one I/O
 * @idx: its slot
 * @table: index in the tables map
 * @group: of I/Os that have about its total
 * @prev: the mark before, NR_MARKS for none
 * @prev_ns: when it was
 * @flush: time in pre- and post-flush, which are one stage, thus one sample
 * @sum: time charged
 * @layer: what it did between Q and its end is charge_layers()'s
 * @extremes: all is charged, only the extremes are not known yet
 */
struct mark_walk {
	__u32 idx;
	__u32 table;
	__u32 group;
	__u32 prev;
	__u64 prev_ns;
	__u64 flush;
	__u64 sum;
	__u32 layer;
	__u32 extremes;
};

static long charge_mark(__u32 i, struct mark_walk *w)
{
	struct blklat_io *io = io_at(w->idx);
	__u32 stage;
	__u64 ns;

	asm volatile("" : "+r"(i));
	if (i >= NR_MARKS)
		return 1;
	ns = io->m[i];
	if (!ns || (w->layer && i > MARK_Q && i < MARK_Z))
		return 0;
	if (w->prev < NR_MARKS && ns < w->prev_ns) {
		if (!w->extremes)
			count(io->dev, COUNT_DISORDER);
		return 0;
	}
	if (w->prev < NR_MARKS && !(w->layer && w->prev == MARK_Q)) {
		stage = stage_between(w->prev, i, io->op, dev_cfg(io->dev)->bio_based);
		w->sum += ns - w->prev_ns;
		if (w->extremes)
			hist_extremes(w->table, stage, ns - w->prev_ns);
		else if (stage == STAGE_FLUSH)
			w->flush += ns - w->prev_ns;
		else
			charge(w->table, w->group, stage, ns - w->prev_ns);
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
static __always_inline __u64 charge_marks(__u32 idx, __u32 table, __u32 group, bool layer,
					  __u64 flush)
{
	struct mark_walk w = {
		.idx = idx, .table = table, .group = group, .prev = NR_MARKS, .layer = layer,
		.flush = flush, .sum = flush,
	};

	bpf_loop(NR_MARKS, charge_mark, &w, 0);
	if (w.flush)
		charge(table, group, STAGE_FLUSH, w.flush);
	return w.sum;
}

/*
 * What tracing took of the time between two marks. Known when one task set both
 * on one CPU: it did nothing else in between, unless it slept.
 */
static __always_inline void charge_cost(__u32 table, __u32 row, const struct blklat_cost_note *from,
					const struct blklat_cost_note *to, __u64 ns)
{
	__u64 spent = to->spent - from->spent;

	if (from->where && from->where == to->where)
		hist_add(table, row, spent < ns ? spent : ns);
}

/*
 * Of a layer and its critical child. The child's mark C or F, if it was later
 * than Z, or T has no note.
 */
static __always_inline void charge_costs(struct blklat_io *io, struct blklat_io *child, __u32 table)
{
	if (begin_of(child) == child->m[MARK_Q])
		charge_cost(table, ROW_OF_SPAN(SPAN_SUBMIT_COST), &io->q_cost, &child->q_cost,
			    child->m[MARK_Q] - io->m[MARK_Q]);
	if (ended_at(child) == child->m[MARK_Z])
		charge_cost(table, ROW_OF_SPAN(SPAN_COMPLETE_COST), &child->z_cost, &io->z_cost,
			    io->m[MARK_Z] - child->m[MARK_Z]);
}

/**
 * struct layer_walk - a walk down the critical children of one I/O
 * @idx: slot of the one that is looked at, of a layer
 * @table: index in the tables map
 * @group: of I/Os that have about its total
 * @leaf: slot + 1 of the one at a leaf, when the walk has come to it
 * @sum: time charged
 * @flush: time in flushes that a layer waited for, not charged yet
 */
struct layer_walk {
	__u32 idx;
	__u32 table;
	__u32 group;
	__u32 leaf;
	__u64 sum;
	__u64 flush;
};

static long charge_one_layer(__u32 depth, struct layer_walk *w)
{
	struct blklat_io *io = io_at(w->idx), *child;
	__u64 begin, end, child_begin, child_end, flush;
	__u32 row = depth * NR_LAYER_STAGES;

	begin = depth ? begin_of(io) : io->m[MARK_Q];
	/* bio_endio may have been missed, and nobody waited. */
	end = io->m[MARK_Z] ?: io->m[MARK_W] ?: ended_at(io);
	child = io->critical ? io_at(io->critical - 1) : NULL;
	child_begin = child ? begin_of(child) : 0;
	child_end = child ? ended_at(child) : 0;
	if (!child || child_begin < begin || child_end > io->m[MARK_Z] ||
	    (depth == BLKLAT_MAX_LAYERS - 1 && is_layer(child))) {
		charge_layer(w->table, w->group, row + LAYER_WHOLE, end - begin);
		w->sum += end - begin;
		return 1;
	}
	flush = waits_for_flushes(io, child) ? io->flush_end - io->flush_begin : 0;
	w->flush += flush;
	begin += flush;
	charge_layer(w->table, w->group, row + LAYER_SUBMIT, child_begin - begin);
	charge_layer(w->table, w->group, row + LAYER_COMPLETE, end - child_end);
	if (counts_cost() && !depth)
		charge_costs(io, child, w->table);
	w->sum += child_begin - begin + end - child_end;
	w->idx = io->critical - 1;
	if (is_layer(child))
		return 0;
	w->leaf = io->critical;
	return 1;
}

/**
 * blklat_charge_leaf - charge the time of the critical child at the leaf
 * @idx: its slot
 * @table: index in the tables map
 * @group: of I/Os that have about the total of the one above
 *
 * Global for the verifier. Returns the sum in ns + 1, or 0 when its marks are not the
 * usual ones.
 */
__u64 blklat_charge_leaf(__u32 idx, __u32 table, __u32 group)
{
	struct plain p = {
		.io = io_at(idx), .table = table_at(table), .index = table, .at_once = true,
		.leaf_is_charged = true,
	};

	if (!in_stack() || !p.table || p.io->plain != 1)
		return 0;
	p.tail = tail_at(p.table, group);
	asm volatile("" : "+r"(p.tail));
	plain_marks(&p);
	return p.sum + 1;
}

/*
 * Charge what the layers of a stack did with one I/O of a layer, from its mark
 * Q down along the critical children; the one at the leaf has the stages of a
 * leaf. Where a layer below is throttled, its submit side has that time.
 * Returns the sum in ns.
 */
static __always_inline __u64 charge_layers(__u32 idx, __u32 table, __u32 group)
{
	struct layer_walk w = { .idx = idx, .table = table, .group = group };
	__u64 sum = 0;

	bpf_loop(BLKLAT_MAX_LAYERS, charge_one_layer, &w, 0);
	if (w.leaf && !w.flush)
		sum = blklat_charge_leaf(w.leaf - 1, table, group);
	if (sum)
		return w.sum + sum - 1;
	if (w.leaf)
		return w.sum + charge_marks(w.leaf - 1, table, group, false, w.flush);
	if (w.flush)
		charge(table, group, STAGE_FLUSH, w.flush);
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

static __always_inline void span(__u32 table, __u32 row, __u64 ns, bool extremes)
{
	if (extremes)
		hist_extremes(table, row, ns);
	else
		hist_add(table, row, ns);
}

/* btt's gaps, and the task's time before the I/O. */
static __always_inline void charge_spans(struct blklat_io *io, __u32 table, bool extremes)
{
	__u64 q = io->queue_ns ?: io->m[MARK_Q], g = io->m[MARK_G], c = io->m[MARK_C];

	if (io->m[MARK_E] && io->told != TOLD_BLKGEN)
		span(table, STAGE_THINK, io->think_ns, extremes);
	if (!cfg.spans || !c)
		return;
	if (q)
		span(table, ROW_OF_SPAN(SPAN_Q2C), c - q, extremes);
	if (q && g)
		span(table, ROW_OF_SPAN(SPAN_Q2G), g - q, extremes);
	if (g && io->insert_ns >= g)
		span(table, ROW_OF_SPAN(SPAN_G2I), io->insert_ns - g, extremes);
	if (io->issue_ns && io->insert_ns && io->issue_ns >= io->insert_ns)
		span(table, ROW_OF_SPAN(SPAN_I2D), io->issue_ns - io->insert_ns, extremes);
	if (io->issue_ns && c >= io->issue_ns)
		span(table, ROW_OF_SPAN(SPAN_D2C), c - io->issue_ns, extremes);
}

/* Whether the marks of a layer's own are the usual ones: E, Q, Z, W, in order. */
static __always_inline bool is_plain_layer(struct blklat_io *io)
{
	__u64 q = io->m[MARK_Q], z = io->m[MARK_Z], w = io->m[MARK_W];

	return q && !io->m[MARK_T] && io->m[MARK_E] <= q && z >= q && (!w || w >= z) &&
	       io->op != BLKLAT_OP_FLUSH;
}

/* The times outside the layers, to which nothing else belongs; returns their sum in ns. */
static __always_inline __u64 charge_ends(struct blklat_io *io, __u32 table, __u32 group)
{
	__u64 entry = io->m[MARK_E] ? io->m[MARK_Q] - io->m[MARK_E] : 0;
	__u64 deliver = io->m[MARK_W] ? io->m[MARK_W] - io->m[MARK_Z] : 0;

	if (io->m[MARK_E])
		charge(table, group, STAGE_ENTRY, entry);
	if (io->m[MARK_W])
		charge(table, group, STAGE_DELIVER, deliver);
	return entry + deliver;
}

/**
 * blklat_charge - charge the time of an I/O, whatever its marks
 * @idx: its slot
 * @table: index in the tables map
 *
 * A mark out of order is dropped and counted; the latest one is the end. Global,
 * as the walks that most I/Os do without are much work for the verifier. Returns
 * the total in ns.
 */
__u64 blklat_charge(__u32 idx, __u32 table)
{
	struct blklat_io *io = io_at(idx);
	__u64 begin, end, sum;
	__u32 group;

	begin = end = begin_of(io);
	for (__u32 i = 0; i < NR_MARKS; i++)
		if (io->m[i] > end)
			end = io->m[i];
	group = charge_total(table, end - begin);
	if (is_layer(io) && is_plain_layer(io))
		sum = charge_ends(io, table, group);
	else
		sum = charge_marks(idx, table, group, is_layer(io), 0);
	if (is_layer(io)) {
		blklat_critical(idx);
		sum += charge_layers(idx, table, group);
	}
	if (cfg.check && sum != end - begin)
		count(io->dev, COUNT_CHECK_FAILED);
	charge_spans(io, table, false);
	return end - begin;
}

/**
 * blklat_extremes - of a sample of this I/O, or of many, it is not known yet
 * @idx: its slot
 * @table: index in the tables map
 * @total: of the I/O, in ns
 *
 * Global: that is rare. Returns 0.
 */
int blklat_extremes(__u32 idx, __u32 table, __u64 total)
{
	struct mark_walk w = { .idx = idx, .table = table, .prev = NR_MARKS, .extremes = 1 };
	struct blklat_io *io = io_at(idx);

	io->extreme = 0;
	charge_spans(io, table, true);
	bpf_loop(NR_MARKS, charge_mark, &w, 0);
	hist_extremes(table, ROW_OF_SPAN(SPAN_TOTAL), total);
	return 0;
}

/* Returns the total in ns. */
static __always_inline __u64 charge_plain(struct blklat_io *io, __u32 idx, __u32 table, __u64 end)
{
	/* Else the verifier would walk on with each sum of what is known of each time by its bucket. */
	struct plain p = { .io = io, .table = table_at(table), .sum = state.zero };
	__u64 total = end - begin_of(io);

	if (!p.table)
		return 0;
	plain_total(&p, total);
	if (io->m[MARK_E])
		plain_charge(&p, GAP_E_Q, io->m[MARK_Q] - io->m[MARK_E]);
	plain_marks(&p);
	plain_spans(&p, io);
	if (cfg.check && p.sum != total)
		count(io->dev, COUNT_CHECK_FAILED);
	if (io->extreme)
		blklat_extremes(idx, table, total);
	io->plain = 1;
	return total;
}

/**
 * blklat_charge_plain_layer - charge an I/O of a layer that is one of most
 * @idx: its slot
 * @table: index in the tables map
 *
 * Global for the verifier. Returns the total in ns + 1, or 0 when nothing was charged, as
 * something is not as usual.
 */
__u64 blklat_charge_plain_layer(__u32 idx, __u32 table)
{
	struct blklat_io *io = io_at(idx), *child;
	struct plain p = {
		.io = io, .table = table_at(table), .index = table, .at_once = true,
		.leaf_is_charged = true,
	};
	__u64 total;

	if (!in_stack() || !p.table)
		return 0;
	child = plain_child(io, idx);
	if (!child)
		return 0;
	io->critical = io->child;
	io->child = 0;
	io->plain = child->plain + 1;
	__sync_fetch_and_add(&edge_of(io, child)->critical[child->op & (NR_OPS - 1)], 1);
	total = (io->m[MARK_W] ?: io->m[MARK_Z]) - begin_of(io);
	plain_total(&p, total);
	if (io->m[MARK_E])
		plain_charge(&p, GAP_E_Q, io->m[MARK_Q] - io->m[MARK_E]);
	if (io->m[MARK_E] && io->told != TOLD_BLKGEN)
		plain_row(&p, STAGE_THINK, io->think_ns);
	if (io->m[MARK_W])
		plain_charge(&p, GAP_Z_W, io->m[MARK_W] - io->m[MARK_Z]);
	if (counts_cost())
		plain_costs(&p, io, child);
	p.io = plain_layers(&p, io, child);
	if (p.io)
		plain_marks(&p);
	if (cfg.check && p.sum != total)
		count(io->dev, COUNT_CHECK_FAILED);
	return total + 1;
}

/* As blklat_release(), of a child with nothing to choose from; whether its parent frees it. */
static __always_inline bool is_kept(struct blklat_io *io)
{
	if (!io->plain || !(io->flags & IO_CHILD))
		return false;
	io_forget_bio(io);
	return !(__sync_fetch_and_or(&io->flags, IO_CHARGED) & IO_ORPHAN);
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
	__u64 end, total;
	__u32 table;

	/* A slot that is free was accounted before. */
	if (!io->key || io->flags & IO_CHARGED)
		return 0;
	table = bpf_get_smp_processor_id() & cfg.shard_mask;
	table = (table * cfg.max_devs + io->dev) * NR_OPS + io->op;
	total = in_stack() && io->child ? blklat_charge_plain_layer(idx, table) : 0;
	if (total) {
		total--;
		goto charged;
	}
	choose_marks(io);
	end = plain_end(io);
	if (!end && is_lost(io)) {
		count_add(io->dev, COUNT_INFLIGHT, -1);
		blklat_release(idx);
		return 0;
	}
	total = end ? charge_plain(io, idx, table, end) : blklat_charge(idx, table);
charged:
	if (cfg.check)
		count(io->dev, COUNT_CHECKED);
	if (cfg.events && is_wanted_event(io, total))
		blklat_event(idx);
	if (io->polled)
		count(io->dev, COUNT_POLLED);
	count_add(io->dev, COUNT_INFLIGHT, -1);
	if (!in_stack() && io->key == IO_KEY_ENDED)
		io_put(io);
	else if (!in_stack() || !is_kept(io))
		blklat_release(idx);
	return 0;
}
