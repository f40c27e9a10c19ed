// SPDX-License-Identifier: GPL-2.0
/* Set up a step of a series, and record, name and print what it did. */
#include <stdarg.h>
#include <stdlib.h>
#include "blkgen/load/events.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/per.h"
#include "blkgen/load/report.h"
#include "blkgen/load/run.h"
#include "blkgen/load/table.h"
#include "blkgen/load/target.h"
#include "blkgen/load/where.h"
#include "blkgen/series/step.h"
#include "core/text.h"

char *load_step_text(const struct load_series *s, const struct load_step *st, char *buf,
		     size_t len)
{
	size_t i, n = 0;

	*buf = 0;
	if (st->name)
		n = snprintf(buf, len, "%s", st->name);
	for (i = 0; i < s->nkeys && n < len; i++)
		if (st->values[i])
			n += snprintf(buf + n, len - n, "%s%s=%s", n ? ", " : "", s->keys[i],
				      st->values[i]);
	return buf;
}

void load_series_note(struct load_series *s, const char *fmt, ...)
{
	char **notes = realloc(s->notes, (s->nnotes + 1) * sizeof(*notes));
	char *text = NULL;
	va_list ap;

	if (!notes)
		return;
	s->notes = notes;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) >= 0)
		s->notes[s->nnotes++] = text;
	va_end(ap);
}

/* Count the targets of a step: one for each device of each load. */
static size_t count_targets(const struct load *l, const struct load_step *st)
{
	size_t i, n = 0;

	for (i = 0; i < st->njobs; i++)
		n += st->jobs[i].ndevs ? st->jobs[i].ndevs : l->ndevs;
	return n;
}

static void set_target(struct load *l, size_t at, const struct load_job *j, size_t dev)
{
	struct load_target *t = &l->targets[at];

	t->on = &l->devs[dev];
	t->own = j->cfg;
	t->cfg = &t->own;
	t->label = j->name;
	t->from = j->from;
	if (j->part)
		t->own.set.length = load_length(&j->cfg, &t->on->dev) / j->part /
				    j->cfg.sizes.max * j->cfg.sizes.max;
}

int load_step_targets(struct load *l, const struct load_step *st)
{
	int ret = load_targets(l, count_targets(l, st));
	size_t i, k, n = 0;

	for (i = 0; i < st->njobs && !ret; i++) {
		const struct load_job *j = &st->jobs[i];

		for (k = 0; k < (j->ndevs ? j->ndevs : l->ndevs); k++)
			set_target(l, n++, j, j->ndevs ? j->devs[k] : k);
	}
	return ret;
}

static int set_queues(const struct load *l, const struct load_step *st)
{
	size_t a, i;
	int ret = 0;

	for (a = 0; a < NR_QUEUE_ATTRS; a++) {
		for (i = 0; st->queue[a] && i < l->ndevs && !ret; i++) {
			ret = queue_set(&l->devs[i].dev, a, st->queue[a]);
			if (!ret)
				device_facts(&l->devs[i].dev);
		}
	}
	return ret;
}

void load_series_progress(struct load *l, const struct load_series *s,
			  const struct load_step *st, const char *part)
{
	char text[200];

	load_step_text(s, st, text, sizeof(text));
	snprintf(l->step, sizeof(l->step), "%s%s%s", s->nsteps > 1 ? text : "",
		 s->nsteps > 1 && *part ? ", " : "", part);
	if (s->nsteps == 1)
		snprintf(l->what, sizeof(l->what), "%s%s", part, *part ? ": " : "");
	else
		snprintf(l->what, sizeof(l->what), "step %zu of %zu, %s%s%s: ", s->at + 1,
			 s->nsteps, text, *part ? ", " : "", part);
}

int load_step_prepare(struct load *l, struct load_series *s, const struct load_step *st,
		      bool endless)
{
	size_t i;
	int ret;

	load_release(l);
	ret = load_step_targets(l, st);
	for (i = 0; i < l->ntargets; i++)
		l->targets[i].endless = endless;
	if (!ret)
		ret = set_queues(l, st);
	if (!ret)
		ret = load_prepare(l);
	load_series_progress(l, s, st, "");
	return ret;
}

json_object *load_values_json(const struct load_series *s, const struct load_step *st)
{
	json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < s->nkeys; i++)
		if (st->values[i])
			json_str(o, s->keys[i], st->values[i]);
	return o;
}

/*
 * Members of the JSON object "step load":
 * @name: string or null: Name of the load, if it has one.
 * @device: string: Device that it loaded.
 * @options: load options: Options of the load.
 */
static json_object *loads_json(const struct load *l)
{
	json_object *a = json_object_new_array();
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		const struct load_target *t = &l->targets[i];
		json_object *o = json_object_new_object();

		json_str(o, "name", t->label);
		json_str(o, "device", t->on->dev.name);
		json_object_object_add(o, "options", load_options_json(t->cfg));
		json_object_array_add(a, o);
	}
	return a;
}

struct step_event {
	struct load_series *s;
	const char *step;
};

static void note_event(void *arg, const char *text)
{
	struct step_event *e = arg;

	load_series_note(e->s, "%s%s%s", e->step, *e->step ? ": " : "", text);
}

/*
 * Members of the JSON object "step":
 * @name: string or null: Name of the step, if it has one.
 * @set: map of string: Value of each key of ``--sweep`` in this step.
 * @loads[]: step load: The loads that ran at the same time: one per load and device, in the order
 *	of ``devices``.
 * @interrupted: boolean: A signal ended the step.
 * @round: integer, optional: Number of the round, from 1. Only with ``--steady``.
 * @steady: boolean, optional: The last five rounds, up to this one, are steady on all devices. Only
 *	with ``round``.
 * @range_percent: number, optional: Largest minus smallest IOPS of the last five rounds, in per
 *	cent of their mean, on the least steady device. From the fifth ``round`` on.
 * @slope_percent: number, optional: Change of the IOPS over the last five rounds along their
 *	least-squares line, in per cent of their mean; negative if the IOPS fall. On the same device
 *	as ``range_percent``, and from the same round on.
 * @held: string, optional: Only with ``--target-latency``: ``yes`` if the step held the goal,
 *	``no`` if the latency was too high or no I/O completed, ``rate missed`` if a device did not
 *	keep up with the rate, ``errors`` if I/Os failed or did not come back, ``interrupted`` if
 *	the step ended early.
 * @intervals: array of interval: Intervals of the step; of a round, those that ended in the round.
 * @jobs[]: job: Results of each job. Empty in rounds of ``--steady``.
 * @devices[]: load device: Results on each device. A round counts only the I/Os that completed in
 *	the round. The largest latency of a round is only as exact as the histogram buckets, and
 *	``stop`` of a round is ``none``.
 */
json_object *load_step_record(struct load *l, struct load_series *s, const struct load_step *st,
			      const struct load_results *rs,
			      const char *const *extra, json_object *jobs)
{
	json_object *o = json_object_new_object();
	size_t first = s->named + s->nkeys, i;
	int row;

	for (i = 0; s->extra[i]; i++)
		first++;
	row = load_table_add(s->tb, first + s->loads_named, l, rs);
	if (row < 0 || !o) {
		json_object_put(jobs);
		json_object_put(o);
		return NULL;
	}
	if (s->named)
		report_set_str(s->tb, row, 0, st->name);
	for (i = 0; i < s->nkeys; i++)
		report_set_str(s->tb, row, s->named + i, st->values[i]);
	for (i = 0; extra && s->extra[i] && extra[i]; i++)
		report_set_str(s->tb, row, s->named + s->nkeys + i, extra[i]);
	json_str(o, "name", st->name);
	json_object_object_add(o, "set", load_values_json(s, st));
	json_object_object_add(o, "loads", loads_json(l));
	json_flag(o, "interrupted", l->interrupted_ns != 0);
	json_object_object_add(o, "jobs", jobs ? jobs : json_object_new_array());
	json_object_object_add(o, "devices", load_devices_json(l, rs));
	json_object_object_add(o, "intervals", load_intervals_json(l));
	load_events_text(l, rs, note_event, &(struct step_event) { s, l->step });
	json_object_array_add(s->doc, o);
	return o;
}

int load_step_details(struct load *l, const struct load_results *rs)
{
	int ret;

	if (load_stdout_taken(l) || !(l->cfg->per || l->cfg->hist))
		return 0;
	if (*l->step)
		text_printf(stdout, "%s\n", l->step);
	ret = load_per_print(l);
	return ret ? ret : load_hist_print(l, rs);
}
