// SPDX-License-Identifier: GPL-2.0
/* List the stages of several devices side by side. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/parts.h"
#include "blklat/result/names.h"

static bool same(const struct result_row *a, const struct result_row *b)
{
	return !strcmp(a->stage, b->stage) && !strcmp(a->layer, b->layer);
}

/* Set @at to the position of the row's stage in @p. Return false if it is not there yet. */
static bool find_row(const struct parts *p, const struct result_row *row, size_t *at)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!same(p->v[i].row, row))
			continue;
		p->v[i].shared |= row->hist.count && strcmp(p->v[i].row->label, row->label);
		if (row->hist.count)
			result_kinds_add(p->v[i].kinds, sizeof(p->v[i].kinds), row->kind);
		*at = i;
		return true;
	}
	return false;
}

/* Insert a stage at @at, after the stage that comes before it in its own rows. */
static int insert_row(struct parts *p, const struct result_row *row, size_t at)
{
	struct part *v = realloc(p->v, (p->n + 1) * sizeof(*v));

	if (!v)
		return -ENOMEM;
	p->v = v;
	memmove(v + at + 1, v + at, (p->n++ - at) * sizeof(*v));
	v[at] = (struct part){ row };
	result_kinds_add(v[at].kinds, sizeof(v[at].kinds), row->kind);
	return 0;
}

int parts_add(struct parts *p, const struct result_rows *rows, const char *group, size_t at)
{
	for (size_t r = 0; r < rows->n; r++) {
		const struct result_row *row = &rows->v[r];
		bool known;

		if (group && strcmp(row->group, group))
			continue;
		/* A stage without I/O in these rows also tells where the next stage goes. */
		known = find_row(p, row, &at);
		/* Keep "unattributed" even if it is empty, to show that no time is unattributed. */
		if (!known && !row->hist.count &&
		    strcmp(row->group, group_name(GROUP_UNATTRIBUTED)))
			continue;
		if (!known && insert_row(p, row, at))
			return -ENOMEM;
		at++;
	}
	return 0;
}

int parts_of(const struct result_dev *const *devs, size_t n, struct parts *p)
{
	int ret = 0;

	*p = (struct parts){ 0 };
	for (unsigned int g = 0; g < NR_GROUPS; g++) {
		size_t first = p->n;

		for (size_t i = 0; i < n && !ret; i++)
			ret = parts_add(p, &devs[i]->rows, group_name(g), first);
	}
	return ret;
}

void parts_free(struct parts *p)
{
	free(p->v);
	*p = (struct parts){ 0 };
}

bool part_is_thinking(const struct part *p)
{
	return !strcmp(p->row->group, group_name(GROUP_APP));
}

void part_label(char *buf, size_t len, const struct part *p)
{
	if (p->shared)
		result_stage_label(buf, len, p->row->stage, p->row->layer, p->kinds);
	else
		snprintf(buf, len, "%s", p->row->label);
}

const struct result_row *part_of(const struct result_dev *d, const struct part *p)
{
	const struct result_row *row = result_row_find(&d->rows, p->row->stage, p->row->layer);

	return row && row->hist.count ? row : NULL;
}

double part_mean(const struct result_dev *d, const struct part *p)
{
	const struct result_row *own = part_of(d, p);

	if (own && part_is_thinking(p))
		return hist_mean(&own->hist);
	return own ? result_per_io(own->hist.sum, &d->total) : 0;
}
