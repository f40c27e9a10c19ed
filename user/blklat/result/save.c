// SPDX-License-Identifier: GPL-2.0
/* Write results into JSON documents. */
#include <math.h>
#include <string.h>
#include "core/memory.h"
#include "device/device.h"
#include "report/report.h"
#include "blklat/result/result.h"

/* Read the processor's name from the first "model name : ..."; each processor has such a line. */
static void cpu_model(char *buf, size_t len)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[512], *colon;

	*buf = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "model name", 10))
			continue;
		colon = strchr(line, ':');
		if (!colon)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(buf, len, "%s", colon + 1 + strspn(colon + 1, " \t"));
		break;
	}
	if (f)
		fclose(f);
}

static json_object *machine_json(void)
{
	json_object *o = json_object_new_object();
	char text[256] = "";

	gethostname(text, sizeof(text) - 1);
	json_str(o, "name", text);
	cpu_model(text, sizeof(text));
	json_str(o, "cpu", *text ? text : NULL);
	json_u64(o, "cpus", sysconf(_SC_NPROCESSORS_ONLN));
	json_u64(o, "memory", machine_memory());
	sys_read("/sys/devices/system/clocksource/clocksource0", "current_clocksource", text, sizeof(text));
	json_str(o, "clocksource", *text ? text : NULL);
	sys_read("/sys/class/dmi/id", "product_name", text, sizeof(text));
	json_str(o, "product", *text ? text : NULL);
	return o;
}

void result_head(json_object *doc, const char *kind)
{
	json_object *o = json_object_new_object();

	json_u64(o, "format", RESULT_FORMAT);
	json_str(o, "kind", kind);
	json_object_object_add(doc, "result", o);
	json_object_object_add(doc, "machine", machine_json());
}

static json_object *rows_json(const struct result_rows *rows)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < rows->n; i++) {
		json_object *o = json_object_new_object();

		json_str(o, "stage", rows->v[i].stage);
		json_str(o, "layer", rows->v[i].layer);
		json_u64(o, "sum_ns", rows->v[i].hist.sum);
		json_u64(o, "min_ns", rows->v[i].hist.min);
		json_u64(o, "max_ns", rows->v[i].hist.max);
		report_buckets(o, &rows->v[i].hist);
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *sample_json(const struct result_sample *s)
{
	json_object *o = json_object_new_object(), *total = report_latency(NULL, &s->total);

	json_u64(o, "round", s->round);
	json_flag(o, "traced", s->traced);
	json_u64(o, "at_ns", s->at_ns);
	json_u64(o, "elapsed_ns", s->elapsed_ns);
	json_u64(o, "ios", s->ios);
	json_u64(o, "bytes", s->bytes);
	if (!isnan(s->cpu_ns))
		json_real(o, "cpu_ns_per_io", s->cpu_ns);
	report_buckets(total, &s->total);
	json_object_object_add(o, "total", total);
	json_object_object_add(o, "stages", rows_json(&s->rows));
	return o;
}

void result_dev_json(json_object *o, const struct result_dev *d)
{
	json_object *list = json_object_new_array();

	json_str(o, "label", d->label);
	json_flag(o, "top", d->top);
	for (size_t i = 0; i < d->nsamples; i++)
		json_object_array_add(list, sample_json(&d->samples[i]));
	json_object_object_add(o, "samples", list);
}
