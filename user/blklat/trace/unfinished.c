// SPDX-License-Identifier: GPL-2.0
/* Describe the I/Os that have begun in a trace and have not ended. */
#include "blklat/result/names.h"
#include "blklat/trace/unfinished.h"
#include "core/units.h"
#include "output/json.h"

/* Return in which stage an I/O is, or that it is on its way on the devices below. */
static const char *place(const struct unfinished *u, const struct device *d)
{
	if (device_is_layer(d)) {
		if (u->below)
			return "the devices below";
		if (u->made_below)
			return stage_name(ROW_OF_LAYER(0, LAYER_COMPLETE));
		return sys_num(d->disk_sys, "dm/suspended") ? "layer submit: suspended" :
		       stage_name(ROW_OF_LAYER(0, LAYER_SUBMIT));
	}
	if (d->bio_based && u->mark <= MARK_Q)
		return stage_name(STAGE_BIO_DRIVER);
	return stage_name(stage_after(u->mark));
}

const char *unfinished_text(const struct unfinished *u, const struct device *d,
			    unsigned long long now, char *buf, size_t len)
{
	char age[FMT_LEN], size[FMT_LEN];

	*buf = '\0';
	if (!u->n)
		return buf;
	fmt_time(age, sizeof(age), now > u->begin_ns ? now - u->begin_ns : 0);
	fmt_size(size, sizeof(size), u->bytes);
	snprintf(buf, len, "%llu in flight, the oldest, a %s of %s, for %s in %s",
		 (unsigned long long)u->n, op_name(u->op), size, age, place(u, d));
	return buf;
}

bool unfinished_print(const struct trace_stack *s, const struct unfinished *v,
		      unsigned long long now, FILE *f)
{
	bool any = false;
	char text[160];

	for (size_t i = 0; i < s->ndevs; i++) {
		if (!v[i].n)
			continue;
		any = true;
		fprintf(f, "%s: %s\n", s->devs[i].name,
			unfinished_text(&v[i], &s->devs[i], now, text, sizeof(text)));
	}
	fflush(f);
	return any;
}

/*
 * Members of the JSON object "unfinished":
 * @ios: integer: Number of I/Os that were in flight.
 * @oldest_ns: integer: How long the oldest I/O was in flight.
 * @op: string: Kind of the oldest I/O.
 * @bytes: integer: Size of the oldest I/O.
 * @where: string: Stage in which the oldest I/O was. For a layer also ``the devices below``, or
 *	that the layer is suspended.
 */
json_object *unfinished_json(const struct unfinished *u, const struct device *d,
			     unsigned long long now)
{
	json_object *o;

	if (!u->n)
		return NULL;
	o = json_object_new_object();
	json_u64(o, "ios", u->n);
	json_u64(o, "oldest_ns", now > u->begin_ns ? now - u->begin_ns : 0);
	json_str(o, "op", op_name(u->op));
	json_u64(o, "bytes", u->bytes);
	json_str(o, "where", place(u, d));
	return o;
}
