// SPDX-License-Identifier: GPL-2.0
/* Take a sample of each interval of a trace, and put the samples into a result file. */
#include <errno.h>
#include <stdlib.h>
#include "blklat/trace/recording.h"
#include "blklat/result/topo_tree.h"

struct recording *recording_new(uint64_t every_ns, unsigned long long start_ns)
{
	struct recording *r = calloc(1, sizeof(*r));

	if (!r) {
		err(-ENOMEM, "out of memory");
		return NULL;
	}
	r->every_ns = every_ns;
	r->last_ns = start_ns;
	return r;
}

void recording_free(struct recording *r)
{
	if (!r)
		return;
	trace_samples_free(&r->samples);
	for (size_t i = 0; i < BLKLAT_MAX_DEVS; i++)
		result_dev_free(&r->devs[i]);
	free(r);
}

static int take_device(struct recording *r, struct trace *t, size_t i, unsigned long long now)
{
	struct result_sample *s = result_sample_add(&r->devs[i]);

	if (!s)
		return -ENOMEM;
	s->round = r->rounds;
	s->at_ns = r->last_ns - t->start_ns;
	s->elapsed_ns = now - r->last_ns;
	return trace_samples_take(&r->samples, t->session, i,
				  i < t->stack.ntops ? &t->stack : NULL, s);
}

int recording_take(struct recording *r, struct trace *t, unsigned long long now, bool all)
{
	bool full = r->rounds == RECORDING_MAX_INTERVALS;
	int ret = 0;

	if (now - r->last_ns < r->every_ns && !all)
		return 0;
	for (size_t i = 0; i < t->stack.ndevs && !ret && full; i++)
		ret = result_merge_pairs(&r->devs[i]);
	if (full) {
		r->rounds = RECORDING_MAX_INTERVALS / 2;
		r->every_ns *= 2;
	}
	for (size_t i = 0; i < t->stack.ndevs && !ret; i++)
		ret = take_device(r, t, i, now);
	r->rounds++;
	r->last_ns = now;
	return ret ? err(ret, "out of memory") : 0;
}

/* Label a device as the user named it, or with the kernel's name if the trace found the device. */
static void label_device(struct result_dev *d, const struct trace *t, size_t i)
{
	const struct device *dev = &t->stack.devs[i];
	const char *label = i < t->nnames && !t->cfg->up ? t->names[i] : dev->name;

	snprintf(d->name, sizeof(d->name), "%s", dev->name);
	snprintf(d->label, sizeof(d->label), "%s", result_label(label));
	d->top = i < t->stack.ntops;
}

/*
 * Members of the JSON document "blklat record":
 * @*: blklat trace: All members that the JSON of a trace has. The elements of ``devices`` also have
 *	the optional members for result files.
 * @result: result: Kind and format of this file.
 * @machine: machine: The machine on which the file was made.
 * @topology[]: topology, optional: The traced devices and the devices that they are made of.
 */
void recording_doc(const struct recording *r, const struct trace *t, json_object *doc)
{
	json_object *list;

	result_head(doc, "record");
	json_object_object_add(doc, "topology", stack_json(&t->stack.topo));
	if (!json_object_object_get_ex(doc, "devices", &list))
		return;
	for (size_t i = 0; i < t->stack.ndevs; i++) {
		struct result_dev d = r->devs[i];

		label_device(&d, t, i);
		result_samples_json(json_object_array_get_idx(list, i), &d);
	}
}
