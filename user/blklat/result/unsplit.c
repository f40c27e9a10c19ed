// SPDX-License-Identifier: GPL-2.0
/* Report the I/Os that could not be tied to I/Os of other layers, and the reason if it is known. */
#include "blklat/result/names.h"
#include "blklat/result/stack_tree.h"

/* Return the number of a group's I/Os whose time below is one stage with the layer's time. */
static uint64_t unsplit(const struct result_group *g)
{
	const struct result_row *row;

	row = result_row_find(&g->rows, stage_name(ROW_OF_LAYER(0, LAYER_WHOLE)), "0");
	return row ? row->hist.count : 0;
}

static void print_layer(const struct result_dev *d, FILE *f)
{
	const char *comma = "";

	fprintf(f, "%s: %s, %llu of %llu I/Os are one stage, %s+below: %s (", d->name, d->kind,
		(unsigned long long)d->unsplit, (unsigned long long)d->total.count, d->name,
		d->why_unsplit);
	for (size_t i = 0; i < d->ops.n; i++) {
		unsigned long long count = unsplit(&d->ops.v[i]);

		if (!count)
			continue;
		fprintf(f, "%s%llu %s", comma, count, d->ops.v[i].name);
		comma = ", ";
	}
	fprintf(f, ")\n");
}

static void print_own(const struct result_dev *d, FILE *f)
{
	const char *comma = "";

	fprintf(f, "%s: I/Os that were not made for a single I/O above: ", d->name);
	for (size_t i = 0; i < d->nr_own; i++) {
		const struct own_end *o = &d->own[i];

		fprintf(f, "%s%llu %s, by %s%s%s%s", comma, (unsigned long long)o->count,
			*o->what ? o->what : "of unknown origin", o->name,
			*o->module ? " [" : "", o->module, *o->module ? "]" : "");
		comma = "; ";
	}
	fputc('\n', f);
}

void unsplit_print(const struct result_dev *devs, size_t n, FILE *f)
{
	for (size_t i = 0; i < n; i++)
		if (devs[i].unsplit)
			print_layer(&devs[i], f);
	for (size_t i = 0; i < n; i++)
		if (devs[i].nr_own)
			print_own(&devs[i], f);
}
