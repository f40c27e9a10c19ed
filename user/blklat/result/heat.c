// SPDX-License-Identifier: GPL-2.0
/* Count I/Os by time and latency. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/heat.h"

/* Return the next sample for a heat map, from @i on, or NULL. */
static const struct result_sample *next_sample(const struct result_dev *d, bool traced, size_t *i)
{
	while (*i < d->nsamples) {
		const struct result_sample *s = &d->samples[(*i)++];

		if (s->traced == traced && s->elapsed_ns)
			return s;
	}
	return NULL;
}

/* Return the latencies that a heat map shows of a sample, NULL if it has none. */
static const struct hist *hist_of(const struct result_sample *s, const struct result_row *stage)
{
	const struct result_row *row;

	if (!stage)
		return s->total.count ? &s->total : NULL;
	row = result_row_find(&s->rows, stage->stage, stage->layer);
	return row && row->hist.count ? &row->hist : NULL;
}

/* The buckets that have I/Os, and the layout of the histograms. */
struct extent {
	size_t samples;
	uint32_t first, last;
	unsigned int bits;
	bool any;
};

static struct extent extent_of(const struct result_dev *d, bool traced,
			       const struct result_row *stage)
{
	struct extent e = { .first = UINT32_MAX };
	const struct result_sample *s;

	for (size_t i = 0; (s = next_sample(d, traced, &i)); e.samples++) {
		const struct hist *h = hist_of(s, stage);

		for (uint32_t b = 0; h && b < h->nbuckets; b++) {
			if (!h->buckets[b])
				continue;
			e.first = b < e.first ? b : e.first;
			e.last = b > e.last ? b : e.last;
			e.bits = h->bits;
			e.any = true;
		}
	}
	return e;
}

static bool shows_traced(const struct result_dev *d, const struct result_row *stage)
{
	return stage || !result_has_untraced(d, true);
}

bool heat_shows(const struct result_dev *d, const struct result_row *stage)
{
	struct extent e = extent_of(d, shows_traced(d, stage), stage);

	return e.samples > 1 && e.any;
}

static int allocate(struct heat *h)
{
	h->cols = calloc(h->ncols, sizeof(*h->cols));
	h->edges = calloc(h->nbands + 1, sizeof(*h->edges));
	h->counts = calloc(h->ncols * h->nbands, sizeof(*h->counts));
	return h->cols && h->edges && h->counts ? 0 : -ENOMEM;
}

static void add_sample(struct heat *h, size_t col, const struct hist *of, uint32_t first,
		       uint32_t step)
{
	for (uint32_t b = 0; b < of->nbuckets; b++) {
		uint64_t *count = &h->counts[col * h->nbands];

		if (!of->buckets[b])
			continue;
		count += (b - first) / step;
		*count += of->buckets[b];
		h->cols[col].ios += of->buckets[b];
		h->most = *count > h->most ? *count : h->most;
	}
}

int heat_make(struct heat *h, const struct result_dev *d, const struct result_row *stage,
	      size_t max_cols, size_t max_bands)
{
	bool traced = shows_traced(d, stage);
	struct extent e = extent_of(d, traced, stage);
	size_t each = (e.samples + max_cols - 1) / max_cols, n = 0;
	const struct result_sample *s;
	uint32_t step = (e.last - e.first) / max_bands + 1;

	*h = (struct heat){ .most = 1 };
	h->ncols = (e.samples + each - 1) / each;
	h->nbands = (e.last - e.first) / step + 1;
	if (allocate(h))
		return -ENOMEM;
	for (size_t b = 0; b <= h->nbands; b++)
		h->edges[b] = loglin_low(e.first + b * step, e.bits);
	for (size_t i = 0; (s = next_sample(d, traced, &i)); n++) {
		struct heat_column *col = &h->cols[n / each];
		const struct hist *of = hist_of(s, stage);

		if (n % each == 0)
			col->from_ns = s->at_ns;
		col->to_ns = s->at_ns + s->elapsed_ns;
		/* The sum of a damaged file may not fit. */
		if (col->to_ns < s->at_ns)
			col->to_ns = UINT64_MAX;
		if (of)
			add_sample(h, n / each, of, e.first, step);
	}
	return 0;
}

char *heat_label(char *buf, size_t len, const struct result_dev *d, const struct result_row *stage)
{
	const struct result_row *own =
		stage ? result_row_find(&d->rows, stage->stage, stage->layer) : NULL;

	if (own && *own->kind)
		result_stage_label(buf, len, own->stage, own->layer, own->kind);
	else
		snprintf(buf, len, "%s", own ? own->label : "total");
	return buf;
}

void heat_free(struct heat *h)
{
	free(h->cols);
	free(h->edges);
	free(h->counts);
	*h = (struct heat){ 0 };
}

unsigned int heat_level(const struct heat *h, uint64_t count, unsigned int levels)
{
	unsigned int level;

	if (!count)
		return 0;
	level = 1 + (unsigned int)(levels * log(count) / log(h->most + 1.0));
	/* From 2^48 on, the logarithms of @count and @count + 1 are the same number. */
	return level > levels ? levels : level;
}
