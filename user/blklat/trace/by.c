// SPDX-License-Identifier: GPL-2.0
/* --by: find the largest groups of a device's I/Os, by the sum of their totals. */
#include <errno.h>
#include <stdlib.h>
#include "blklat/trace/by.h"
#include "blklat/trace/source.h"

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

int trace_by_collect(const struct by *by, unsigned int dev, enum by_key key, struct result_dev *d)
{
	const struct by_group *sorted[BY_GROUPS + 1], *groups, *rest;
	size_t n = by_groups(by, dev, &groups, &rest), rows = n < BY_ROWS ? n : BY_ROWS;
	struct io_source others = { .groups = &sorted[rows], .ngroups = n - rows + !!rest };
	int ret = 0;

	d->by_key = by_names[key];
	d->by_text = calloc(BY_ROWS, sizeof(*d->by_text));
	if (!d->by_text)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &groups[i];
	qsort(sorted, n, sizeof(*sorted), most_first);
	sorted[n] = rest;
	for (size_t i = 0; i < rows && !ret; i++) {
		const struct io_source one = { .groups = &sorted[i], .ngroups = 1 };

		by_label(key, sorted[i], d->by_text[i], sizeof(d->by_text[i]));
		ret = source_add_group(&one, &d->rows, (struct result_group){
			.name = d->by_text[i],
			.has_id = key == BY_SIZE || key == BY_PID || key == BY_CGROUP,
			.id = sorted[i]->id[0],
		}, &d->by);
	}
	if (ret || !others.ngroups)
		return ret;
	return source_add_group(&others, &d->rows, (struct result_group){
		.name = "others", .others = others.ngroups,
	}, &d->by);
}
