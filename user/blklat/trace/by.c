// SPDX-License-Identifier: GPL-2.0
/* --by: find the largest groups of a device's I/Os, by the sum of their totals. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "blklat/trace/by.h"

/* So many groups get a row of their own. */
#define BY_ROWS 20

static uint64_t time_of(const struct by_group *g)
{
	const struct hist *total = g->rows[ROW_OF_SPAN(SPAN_TOTAL)];

	return total ? total->sum : 0;
}

static int most_first(const void *a, const void *b)
{
	uint64_t x = time_of(*(const struct by_group *const *)a);
	uint64_t y = time_of(*(const struct by_group *const *)b);

	return x < y ? 1 : x > y ? -1 : 0;
}

static int merge(struct breakdown_by *to, const struct by_group *g)
{
	for (unsigned int row = 0; row < NR_ALL_ROWS; row++) {
		struct hist *h = &to->rows[row];

		if (!g->rows[row])
			continue;
		if (!h->buckets && hist_init(h, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
			return -ENOMEM;
		hist_merge(h, g->rows[row]);
	}
	return 0;
}

/* Merge the groups from @sorted[@from] on, and @rest if there is one, into the row "others". */
static int merge_others(struct breakdown *b, const struct by_group **sorted, size_t from, size_t n,
			const struct by_group *rest)
{
	struct breakdown_by *others = &b->by[b->nby];
	int ret = 0;

	if (from >= n && !rest)
		return 0;
	b->nby++;
	snprintf(others->name, sizeof(others->name), "others");
	others->others = n - from + (rest != NULL);
	for (size_t i = from; i < n && !ret; i++)
		ret = merge(others, sorted[i]);
	return !ret && rest ? merge(others, rest) : ret;
}

int trace_by_collect(const struct by *by, unsigned int dev, enum by_key key, struct breakdown *b)
{
	const struct by_group *sorted[BY_GROUPS], *groups, *rest;
	size_t n = by_groups(by, dev, &groups, &rest), rows = n < BY_ROWS ? n : BY_ROWS;
	int ret = 0;

	b->by_key = by_names[key];
	b->by = calloc(BY_ROWS + 1, sizeof(*b->by));
	if (!b->by)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &groups[i];
	qsort(sorted, n, sizeof(*sorted), most_first);
	for (; b->nby < rows && !ret; b->nby++) {
		struct breakdown_by *row = &b->by[b->nby];

		by_label(key, sorted[b->nby], row->name, sizeof(row->name));
		row->has_id = key == BY_SIZE || key == BY_PID || key == BY_CGROUP;
		row->id = sorted[b->nby]->id[0];
		ret = merge(row, sorted[b->nby]);
	}
	return ret ?: merge_others(b, sorted, rows, n, rest);
}

void trace_by_free(struct breakdown *b)
{
	for (size_t i = 0; i < b->nby; i++)
		for (unsigned int row = 0; row < NR_ALL_ROWS; row++)
			hist_free(&b->by[i].rows[row]);
	free(b->by);
}
