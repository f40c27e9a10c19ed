// SPDX-License-Identifier: GPL-2.0
/* Nest the stages of a device in its layers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/icicle.h"
#include "blklat/result/names.h"

#define SLOW_PCT 99

/* Return the depth of a stage's layer, -1 for the leaf. */
static int layer_of(const struct result_row *row)
{
	return row->layer[0] >= '0' && row->layer[0] <= '9' && !row->layer[1] ?
	       row->layer[0] - '0' : -1;
}

static bool is_shown(const struct result_row *row)
{
	return row->hist.sum && strcmp(row->stage, stage_name(STAGE_THINK));
}

unsigned int icicle_layers(const struct result_dev *d)
{
	int most = -1;

	for (size_t r = 0; r < d->rows.n; r++)
		if (is_shown(&d->rows.v[r]) && layer_of(&d->rows.v[r]) > most)
			most = layer_of(&d->rows.v[r]);
	return most + 1;
}

unsigned int icicle_rows(const struct result_dev *d)
{
	unsigned int layers = icicle_layers(d);

	return layers ? layers + 3 : 2;
}

static const struct result_tail *slow_tail(const struct result_dev *d)
{
	for (size_t i = 0; i < d->ntails; i++)
		if (d->tails[i].pct == SLOW_PCT)
			return &d->tails[i];
	return NULL;
}

uint64_t icicle_ios(const struct result_dev *d, enum icicle_of of)
{
	const struct result_tail *t = slow_tail(d);

	return of == ICICLE_ALL ? d->total.count : t ? t->count : 0;
}

double icicle_mean(const struct result_dev *d, enum icicle_of of)
{
	uint64_t ios = icicle_ios(d, of);

	return !ios ? 0 : (double)(of == ICICLE_ALL ? d->total.sum : slow_tail(d)->sum_ns) / ios;
}

double icicle_length(const struct result_dev *d, enum icicle_of of)
{
	uint64_t ios = icicle_ios(d, of);
	const struct result_rows *rows;
	double sum = 0;

	if (!ios)
		return 0;
	rows = of == ICICLE_ALL ? &d->rows : &slow_tail(d)->rows;
	for (size_t r = 0; r < rows->n; r++)
		if (is_shown(&rows->v[r]))
			sum += (double)rows->v[r].hist.sum / ios;
	return sum;
}

uint64_t icicle_slow_from(const struct result_dev *d)
{
	const struct result_tail *t = slow_tail(d);

	return t ? t->from_ns : 0;
}

/*
 * Return the mark that a stage of the leaf begins with: the first one of its gaps. The stages of a
 * bio based driver have no gap; they begin with mark Q.
 */
static unsigned int first_mark(const char *stage)
{
	static const struct {
		unsigned int from, stage;
	} gaps[] = {
#define GAP(from, to, stage) { MARK_##from, STAGE_##stage },
		BLKLAT_GAPS(GAP)
#undef GAP
	};
	unsigned int first = NR_MARKS;

	for (size_t i = 0; i < sizeof(gaps) / sizeof(*gaps); i++)
		if (gaps[i].from < first && !strcmp(stage_name(gaps[i].stage), stage))
			first = gaps[i].from;
	return first == NR_MARKS ? (unsigned int)MARK_Q : first;
}

/*
 * Return a number by which the stages are in the order of time. The rows of a result are in the
 * order of the report, where "end" comes before "device". The submit sides of layers come before
 * the leaf's mark Q, the outermost first, and their completion sides before its mark Z, the
 * innermost first. A stage that has all the time below a layer comes just before the layer's
 * completion side. What is unattributed can be anywhere: it is put before all of these.
 */
static double time_of(const struct result_row *row)
{
	int layer = layer_of(row);

	if (layer >= 0 && !strcmp(row->stage, stage_name(ROW_OF_LAYER(0, LAYER_SUBMIT))))
		return MARK_Q - 0.5 + layer * 0.01;
	if (layer >= 0 && !strcmp(row->stage, stage_name(ROW_OF_LAYER(0, LAYER_COMPLETE))))
		return MARK_Z - 0.5 - layer * 0.01;
	if (layer >= 0)
		return MARK_Z - 0.505 - layer * 0.01;
	if (!strcmp(row->stage, stage_name(STAGE_UNATTRIBUTED)))
		return MARK_Z - 0.75;
	return first_mark(row->stage);
}

static int by_time(const void *a, const void *b)
{
	double x = time_of(*(const struct result_row *const *)a);
	double y = time_of(*(const struct result_row *const *)b);

	return (x > y) - (x < y);
}

/* Put the stages that are shown into @list, in the order of time, and return how many they are. */
static size_t sort_rows(const struct result_rows *rows, const struct result_row **list)
{
	size_t n = 0;

	for (size_t r = 0; r < rows->n && n < ICICLE_MAX_STAGES; r++)
		if (is_shown(&rows->v[r]))
			list[n++] = &rows->v[r];
	qsort(list, n, sizeof(*list), by_time);
	return n;
}

/* Add a frame around all blocks that lie below @depth. */
static void add_frame(struct icicle *ic, unsigned int depth, int layer)
{
	struct icicle_block frame = { .from = INFINITY, .depth = depth, .frame = true };

	for (size_t i = 0; i < ic->n; i++) {
		const struct icicle_block *b = &ic->v[i];

		if (b->frame || b->depth <= depth)
			continue;
		frame.from = fmin(frame.from, b->from);
		frame.to = fmax(frame.to, b->to);
		if (layer_of(b->row) == layer)
			frame.row = b->row;
	}
	if (frame.to > frame.from)
		ic->v[ic->n++] = frame;
}

/*
 * Return true if a stage lies within the layers: it begins at mark Q or later, and before mark Z.
 * "entry" and "throttle" begin before Q, and "deliver" begins at Z.
 */
static bool is_inside(const struct result_row *row)
{
	double at = time_of(row);

	return at > MARK_Q - 1 && at < MARK_Z;
}

/* The frame of layer k is in row k + 1, its stages are in row k + 2. */
void icicle_make(struct icicle *ic, const struct result_dev *d, enum icicle_of of)
{
	const struct result_row *rows[ICICLE_MAX_STAGES];
	unsigned int layers = icicle_layers(d);
	uint64_t ios = icicle_ios(d, of);
	double at = 0;
	size_t n = 0;

	ic->n = 0;
	if (ios)
		n = sort_rows(of == ICICLE_ALL ? &d->rows : &slow_tail(d)->rows, rows);
	for (size_t r = 0; r < n; r++) {
		struct icicle_block b = { .from = at, .row = rows[r], .depth = 1 };
		int layer = layer_of(rows[r]);

		if (layers && is_inside(rows[r]))
			b.depth += 1 + (layer < 0 ? layers : (unsigned int)layer);
		at += (double)rows[r]->hist.sum / ios;
		b.to = at;
		ic->v[ic->n++] = b;
	}
	for (unsigned int k = 0; k < layers; k++)
		add_frame(ic, k + 1, k);
	if (layers)
		add_frame(ic, layers + 1, -1);
	ic->v[ic->n++] = (struct icicle_block){ .to = at, .frame = true };
}

char *icicle_name(char *buf, size_t len, const char *label, const struct icicle_block *b)
{
	const char *what = b->row ? layer_stage(b->row->stage) : NULL;

	if (!b->row)
		snprintf(buf, len, "%s", b->depth ? "layer" : label);
	else if (b->frame && layer_of(b->row) < 0)
		snprintf(buf, len, "disk");
	else if (b->frame)
		snprintf(buf, len, "%s", *b->row->kind ? b->row->kind : b->row->device);
	else
		snprintf(buf, len, "%s", what && *what == ' ' ? what + 1 : b->row->stage);
	return buf;
}

/* Return the figure of a stage that a difference is about, or NULL. */
static const struct compare_value *value_of(const struct comparison *c, const struct result_dev *d,
					    const struct result_row *row)
{
	for (size_t r = COMPARE_STAGES; c && row && r < c->nrows; r++) {
		if (strcmp(c->rows[r].stage, row->stage) || strcmp(c->rows[r].layer, row->layer))
			continue;
		for (size_t i = 0; i < c->ndevs; i++) {
			const struct compare_value *v = c->rows[r].v[i];

			if (c->devs[i] == d)
				return isnan(v[COMPARE_NET].value) ? &v[COMPARE_MEAN] :
								     &v[COMPARE_NET];
		}
	}
	return NULL;
}

double icicle_longer(const struct comparison *c, const struct result_dev *d,
		     const struct result_row *row)
{
	const struct compare_value *v = value_of(c, d, row);

	return v && v->has_diff && v->significant ? v->diff.estimate : 0;
}

double icicle_most(const struct comparison *c, const struct result_dev *d)
{
	double most = 0;

	for (size_t r = 0; r < d->rows.n; r++)
		most = fmax(most, fabs(icicle_longer(c, d, &d->rows.v[r])));
	return most;
}

bool icicle_shown(const struct result_dev *d, enum icicle_of of, bool diff,
		  const struct comparison *c)
{
	return icicle_ios(d, of) && (!diff || icicle_most(c, d) > 0);
}
