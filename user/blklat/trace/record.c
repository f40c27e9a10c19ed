// SPDX-License-Identifier: GPL-2.0
/* blklat record: trace into a result file, with a sample of each interval. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/cmds.h"
#include "blklat/trace/record.h"
#include "blklat/topo_tree.h"

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
	return trace_samples_take(&r->samples, t->session, i, &t->results[i], i < t->stack.ntops,
				  s);
}

int recording_take(struct recording *r, struct trace *t, unsigned long long now, bool all)
{
	bool full = r->rounds == RECORD_MAX_INTERVALS;
	int ret = 0;

	if (now - r->last_ns < r->every_ns && !all)
		return 0;
	for (size_t i = 0; i < t->stack.ndevs && !ret && full; i++)
		ret = result_merge_pairs(&r->devs[i]);
	if (full) {
		r->rounds = RECORD_MAX_INTERVALS / 2;
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
 * @*: blklat trace: All that the JSON of a trace has, with the optional members of ``devices`` that
 *	result files have.
 * @result: result: What kind of a file this is.
 * @machine: machine: Where it was made.
 * @topology[]: topology, optional: What the devices are made of.
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

static const struct opt record_opts[] = {
	{ "output", 'o', OPT_STRING, OPT_AT(struct trace_cfg, output), NULL, "FILE",
	  "the result file; an existing file is replaced when everything is done" },
	{ "time", 't', OPT_TIME, OPT_AT(struct trace_cfg, time), NULL, "TIME",
	  "stop after this long; without it, stop when COMMAND ends or at Ctrl-C" },
	{ "interval", 'i', OPT_TIME, OPT_AT(struct trace_cfg, interval), "1s", "TIME",
	  "length of the intervals; doubled whenever there are 300 intervals", .min = 100000000 },
	TRACE_OPTS_WHICH,
	{ .type = OPT_HEADING, .help = "How" },
	TRACE_OPTS_HOW,
	OPT_EVENTS(struct trace_cfg, events),
	OPT_COMMON(struct trace_cfg)
};

static int record_run(void *config, struct opt_args *args)
{
	const struct trace_cfg *cfg = config;

	if (!cfg->output)
		return usage_error("name a result file, as in: blklat record -o nvme.json nvme0n1");
	return trace_main(cfg, args);
}

const struct cmd cmd_record = {
	.name = "record",
	.brief = "trace into a result file, for report and diff",
	.usage = "-o FILE [DEV...] [-- COMMAND...]",
	.about = "Traces as blklat trace does, and keeps the result in FILE: the distributions of\n"
		 "all stages, for the whole trace and for each interval, the topology, and a\n"
		 "description of the devices and the machine. blklat report shows the result as\n"
		 "tables, plots and an HTML page. blklat diff compares it with other results.",
	.examples = "# ten seconds of a disk that is in use\n"
		    "blklat record -o nvme.json nvme0n1 --time 10s\n"
		    "# this kernel; then boot the other kernel, record again and compare\n"
		    "blklat record -o 6.12.json md0 -- blkgen load md0 --qd 16 --time 10s\n"
		    "blklat diff 6.1.json 6.12.json\n",
	.opts = record_opts,
	.cfg_size = sizeof(struct trace_cfg),
	.takes_rest = true,
	.max_pos = 1024,
	.run = record_run,
};
