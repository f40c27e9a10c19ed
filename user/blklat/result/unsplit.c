// SPDX-License-Identifier: GPL-2.0
/* Report the I/Os that could not be tied to I/Os of other layers, and the reason if it is known. */
#include <string.h>
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"
#include "report/report.h"

#define WHY_LEN 128

/* Return the number of I/Os of this kind whose time below is one stage with the layer's time. */
static uint64_t unsplit(const struct breakdown *b, unsigned int op)
{
	return b->ops[op][ROW_OF_LAYER(0, LAYER_WHOLE)].count;
}

static uint64_t all_unsplit(const struct breakdown *b)
{
	return b->rows[ROW_OF_LAYER(0, LAYER_WHOLE)].count;
}

/* Return true if a device below got an I/O that was made for no single I/O above. */
static bool own_below(const struct breakdown *b, size_t n, size_t index)
{
	for (size_t i = 0; i < n; i++)
		if (b[index].below >> i & 1 &&
		    b[i].ledger.n[COUNT_STARTED] > b[i].ledger.n[COUNT_LINKED])
			return true;
	return false;
}

/*
 * Describe the reason in words. If the unsplit I/Os and the I/Os with children are together more
 * than all completed I/Os, some I/O is unsplit although it has children: the ends of these were
 * missed.
 */
static const char *why_unsplit(const struct breakdown *b, size_t n, size_t index, char *buf,
			       size_t len)
{
	const struct breakdown *d = &b[index];
	bool missed = all_unsplit(d) + d->ledger.n[COUNT_PARENTS] > d->ledger.n[COUNT_COMPLETED];

	if (d->shared)
		snprintf(buf, len, "I/Os that go through its %s share the I/O below", d->shared);
	else if (!d->below)
		snprintf(buf, len, "nothing lies below");
	else
		snprintf(buf, len, "%s%s", own_below(b, n, index) ?
			 "nothing that was sent below can be tied to them" :
			 "nothing was sent below for them",
			 missed ? ", or its end was missed" : "");
	return buf;
}

static void print_layer(const struct breakdown *b, size_t n, size_t index, FILE *f)
{
	const struct breakdown *d = &b[index];
	const char *comma = "";
	char why[WHY_LEN];

	fprintf(f, "%s: %s, %llu of %llu I/Os are one stage, %s+below: %s (", d->dev->name, d->kind,
		(unsigned long long)all_unsplit(d), (unsigned long long)breakdown_total(d)->count,
		d->dev->name, why_unsplit(b, n, index, why, sizeof(why)));
	for (unsigned int op = 0; op < NR_OPS; op++) {
		if (!unsplit(d, op))
			continue;
		fprintf(f, "%s%llu %s", comma, (unsigned long long)unsplit(d, op), op_name(op));
		comma = ", ";
	}
	fprintf(f, ")\n");
}

static void print_own(const struct breakdown *d, FILE *f)
{
	const char *comma = "";

	fprintf(f, "%s: I/Os that were not made for a single I/O above: ", d->dev->name);
	for (size_t i = 0; i < d->nends; i++) {
		const struct own_end *e = &d->ends[i];

		fprintf(f, "%s%llu %s, by %s%s%s%s", comma, (unsigned long long)e->count,
			e->what ?: "of unknown origin", e->name, *e->module ? " [" : "", e->module,
			*e->module ? "]" : "");
		comma = "; ";
	}
	fputc('\n', f);
}

void unsplit_print(const struct breakdown *b, size_t n, FILE *f)
{
	for (size_t i = 0; i < n; i++)
		if (all_unsplit(&b[i]))
			print_layer(b, n, i, f);
	for (size_t i = 0; i < n; i++)
		if (b[i].nends)
			print_own(&b[i], f);
}

/*
 * Members of the JSON object "unsplit":
 * @count: integer: Number of these I/Os.
 * @why: string or null: Reason why these I/Os could not be split. null if there are none.
 */
json_object *unsplit_json(const struct breakdown *b, size_t n, size_t index)
{
	json_object *o = json_object_new_object();
	bool any = all_unsplit(&b[index]);
	char why[WHY_LEN];

	json_u64(o, "count", all_unsplit(&b[index]));
	json_str(o, "why", any ? why_unsplit(b, n, index, why, sizeof(why)) : NULL);
	return o;
}

/*
 * Members of the JSON object "own":
 * @count: integer: Number of I/Os that this function ended.
 * @what: string or null: Purpose of such I/O: ``superblock``, ``stripe cache``, ``resync``... null
 *	if the purpose is not known: then single I/Os above may have waited for the I/O.
 * @end_io: string: Name of the function that ended these I/Os.
 * @module: string or null: Module that has the function, null for the kernel itself.
 */
json_object *own_json(const struct breakdown *b)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < b->nends; i++) {
		const struct own_end *e = &b->ends[i];
		json_object *o = json_object_new_object();

		json_u64(o, "count", e->count);
		json_str(o, "what", e->what);
		json_str(o, "end_io", e->name);
		json_str(o, "module", *e->module ? e->module : NULL);
		json_object_array_add(list, o);
	}
	return list;
}
