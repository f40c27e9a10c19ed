// SPDX-License-Identifier: GPL-2.0
/* Report the counters that NVMe devices keep of themselves, before and after the run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/load/nvme.h"
#include "blkgen/load/target.h"
#include "core/log.h"
#include "core/units.h"
#include "device/nvme_log.h"
#include "output/json.h"
#include "output/table.h"

struct load_nvme {
	struct nvmelog_source source;
	struct nvmelog before, after;
	bool read_before, read_after, warned;
	uint64_t loaded_read, loaded_written;	/* bytes, of all loads on the device */
	char note[NVMELOG_NOTE];	/* why a reading is missing; "" if there are both */
};

enum { C_DEV, C_COUNTER, C_LOG, C_BEFORE, C_AFTER, C_CHANGE, C_NOTE };

static const struct column columns[] = {
	[C_DEV] = { "device", "device", COL_STR },
	[C_COUNTER] = { "counter", "NVMe counter", COL_STR },
	[C_LOG] = { "log", "log", COL_STR },
	[C_BEFORE] = { "before", "before", COL_STR },
	[C_AFTER] = { "after", "after", COL_STR },
	[C_CHANGE] = { "change", "change", COL_STR },
	[C_NOTE] = { "note", "", COL_STR },
};

static void forget(struct load_dev *d)
{
	if (!d->nvme)
		return;
	if (d->nvme->source.fd >= 0)
		close(d->nvme->source.fd);
	free(d->nvme);
	d->nvme = NULL;
}

void load_nvme_free(struct load *l)
{
	size_t i;

	for (i = 0; i < l->ndevs; i++)
		forget(&l->devs[i]);
}

static void unread(const struct load_dev *d, struct nvmelog *log)
{
	nvmelog_unread(log, d->nvme->note);
	if (!d->nvme->warned)
		warn("%s: its NVMe counters are not shown: %s", d->dev.name, d->nvme->note);
	d->nvme->warned = true;
}

static void read_before(struct load_dev *d)
{
	struct load_nvme *n;

	if (d->nvme || strcmp(d->dev.kind, "nvme"))
		return;
	n = calloc(1, sizeof(*n));
	if (!n)
		return;
	d->nvme = n;
	n->read_before = !nvmelog_open(&d->dev, &n->source, n->note) &&
			 !nvmelog_read(&n->source, &n->before, NULL, n->note);
	if (!n->read_before)
		unread(d, &n->before);
}

void load_nvme_before(struct load *l)
{
	size_t i;

	load_nvme_free(l);
	for (i = 0; i < l->ntargets; i++)
		read_before(l->targets[i].on);
}

static void read_after(const struct load *l, struct load_dev *d)
{
	struct load_nvme *n = d->nvme;
	bool inflight = false;
	size_t i;

	if (!n || !n->read_before)
		return;
	for (i = 0; i < l->ntargets; i++) {
		const struct blkgen_status *s = &l->targets[i].status;

		if (l->targets[i].on != d)
			continue;
		inflight |= s->inflight;
		n->loaded_read += s->bytes[BLKGEN_OP_READ];
		n->loaded_written += s->bytes[BLKGEN_OP_WRITE];
	}
	/* If an I/O hangs, the device may hang, and then reading the log would hang too. */
	if (inflight)
		snprintf(n->note, sizeof(n->note), "I/O is still in flight");
	else
		n->read_after = !nvmelog_read(&n->source, &n->after, &n->before, n->note);
	if (!n->read_after)
		unread(d, &n->after);
}

void load_nvme_after(struct load *l)
{
	size_t i;

	for (i = 0; i < l->ndevs; i++)
		read_after(l, &l->devs[i]);
}

void load_nvme_round(struct load *l)
{
	size_t i;

	for (i = 0; i < l->ndevs; i++) {
		struct load_nvme *n = l->devs[i].nvme;

		if (!n || !n->read_before)
			continue;
		if (n->read_after)
			n->before = n->after;
		n->read_after = !nvmelog_read(&n->source, &n->after, &n->before, n->note);
		if (n->read_after)
			*n->note = 0;
		else
			unread(&l->devs[i], &n->after);
	}
}

/* --- Report the counters as a table. */

/*
 * Return the bytes that the loads are known to have moved in the counter's direction. Write zeroes
 * are not among them, since a device may or may not count these.
 */
static uint64_t loaded(const struct load_nvme *n, enum nvmelog_counter c)
{
	if (c == NVMELOG_HOST_READ)
		return n->loaded_read;
	if (c == NVMELOG_HOST_WRITTEN || c == NVMELOG_FDP_HOST_WRITTEN ||
	    c == NVMELOG_INTEL_HOST_WRITTEN)
		return n->loaded_written;
	return 0;
}

static void change_of(const struct load_nvme *n, enum nvmelog_counter counter,
		      struct nvmelog_change *c)
{
	nvmelog_change(&n->before, &n->after, counter, loaded(n, counter), c);
}

static const char *value_text(char *buf, size_t len, bool bytes, uint64_t v)
{
	if (bytes)
		return fmt_size(buf, len, v);
	snprintf(buf, len, "%llu", (unsigned long long)v);
	return buf;
}

static int add_row(struct report_table *tb, const char **dev, const char *counter, const char *log,
		   const char *text)
{
	int r = report_row(tb, -1);

	report_set_str(tb, r, C_DEV, *dev);
	report_set_str(tb, r, C_COUNTER, counter);
	report_set_str(tb, r, C_LOG, log);
	report_set_str(tb, r, C_NOTE, text);
	*dev = "";
	return r;
}

/*
 * Return true if a counter is shown only with -v, because it did not change and no load should have
 * changed it. If a load should have changed it, show the counter: its note says why it did not
 * change.
 */
static bool is_idle(const struct load_nvme *n, enum nvmelog_counter counter,
		    const struct nvmelog_change *c)
{
	return log_level() < 2 && c->has_before && c->has_after && c->before == c->after &&
	       !loaded(n, counter);
}

static void counter_row(struct report_table *tb, const struct load_nvme *n, const char **dev,
			enum nvmelog_counter counter)
{
	const struct nvmelog_counter_desc *d = &nvmelog_counters[counter];
	struct nvmelog_change c;
	char buf[32];
	int r;

	change_of(n, counter, &c);
	if (is_idle(n, counter, &c))
		return;
	r = add_row(tb, dev, d->title, nvmelog_pages[d->page].title, c.note);
	if (c.has_before)
		report_set_str(tb, r, C_BEFORE, value_text(buf, sizeof(buf), d->bytes, c.before));
	if (c.has_after)
		report_set_str(tb, r, C_AFTER, value_text(buf, sizeof(buf), d->bytes, c.after));
	if (c.has_change)
		report_set_str(tb, r, C_CHANGE, value_text(buf, sizeof(buf), d->bytes, c.change));
}

static void amplification_row(struct report_table *tb, const struct load_nvme *n, const char **dev,
			      enum nvmelog_page page)
{
	char text[NVMELOG_NOTE], buf[32];
	double v = nvmelog_amplification(&n->before, &n->after, page, text);
	int r = add_row(tb, dev, "write amplification", nvmelog_pages[page].title, text);

	if (v <= 0)
		return;
	snprintf(buf, sizeof(buf), "%.3f", v);
	report_set_str(tb, r, C_CHANGE, buf);
}

static void temperature_row(struct report_table *tb, const struct load_nvme *n, const char **dev)
{
	unsigned int b = n->before.kelvin, a = n->after.kelvin;
	const char *text = n->before.note[NVMELOG_SMART];
	char buf[32];
	int r;

	if (a && a == b && log_level() < 2)
		return;
	r = add_row(tb, dev, "temperature", nvmelog_pages[NVMELOG_SMART].title,
		    *text ? text : n->after.note[NVMELOG_SMART]);
	if (b) {
		snprintf(buf, sizeof(buf), "%d C", (int)b - 273);
		report_set_str(tb, r, C_BEFORE, buf);
	}
	if (a) {
		snprintf(buf, sizeof(buf), "%d C", (int)a - 273);
		report_set_str(tb, r, C_AFTER, buf);
	}
	if (a && b) {
		snprintf(buf, sizeof(buf), a == b ? "0 C" : "%+d C", (int)a - (int)b);
		report_set_str(tb, r, C_CHANGE, buf);
	}
}

static bool any_media(const struct load_nvme *n)
{
	enum nvmelog_page p;

	for (p = 0; p < NVMELOG_NR_PAGES; p++)
		if (nvmelog_pages[p].media >= 0 && n->before.have[nvmelog_pages[p].media])
			return true;
	return false;
}

/*
 * Add rows that say which media counters could not be read, and why, or why blkgen did not ask for
 * them. If no log offers them, -v says so once; JSON has it for each log.
 */
static void media_absent(struct report_table *tb, const struct load_nvme *n, const char **dev)
{
	bool said = any_media(n);
	enum nvmelog_page p;

	for (p = 0; p < NVMELOG_NR_PAGES; p++) {
		if (nvmelog_pages[p].media < 0 || !*n->before.note[p] || n->before.absent[p])
			continue;
		add_row(tb, dev, "media bytes written", nvmelog_pages[p].title, n->before.note[p]);
		said = true;
	}
	if (said || log_level() < 2)
		return;
	add_row(tb, dev, "media bytes written", NULL, "not offered by this device");
	add_row(tb, dev, "write amplification", NULL, "not offered by this device");
}

static void device_rows(struct report_table *tb, const struct load_dev *d)
{
	const struct load_nvme *n = d->nvme;
	const char *dev = d->dev.name;
	enum nvmelog_counter c;
	enum nvmelog_page p;

	for (c = 0; c < NVMELOG_NR_COUNTERS; c++)
		if (nvmelog_counters[c].page == NVMELOG_SMART || n->before.have[c])
			counter_row(tb, n, &dev, c);
	for (p = 0; p < NVMELOG_NR_PAGES; p++)
		if (nvmelog_pages[p].media >= 0 && n->before.have[nvmelog_pages[p].media])
			amplification_row(tb, n, &dev, p);
	media_absent(tb, n, &dev);
	temperature_row(tb, n, &dev);
}

int load_nvme_print(const struct load *l, FILE *f)
{
	struct report_table *tb = report_table_new(columns, sizeof(columns) / sizeof(*columns));
	int ret = 0;
	size_t i;

	if (!tb)
		return -ENOMEM;
	for (i = 0; i < l->ndevs; i++) {
		const struct load_nvme *n = l->devs[i].nvme;

		if (!n || !n->read_after)
			continue;
		device_rows(tb, &l->devs[i]);
	}
	if (report_rows(tb)) {
		fputc('\n', f);
		ret = report_print(tb, f);
	}
	report_table_free(tb);
	return ret;
}

/* --- Report the counters as JSON. */

static void add_u64(json_object *o, const char *key, bool known, uint64_t v)
{
	if (known)
		json_u64(o, key, v);
	else
		json_object_object_add(o, key, NULL);
}

/*
 * Members of the JSON object "NVMe counter":
 * @before: integer or null: Value before the load, in bytes; of ``media_errors``, a number of
 *	errors.
 * @after: integer or null: Value after the load.
 * @change: integer or null: Difference of the two.
 * @note: string or null: Why a value is null, or why the change is not exact. Examples: ``counted
 *	in units of 512000 bytes`` if the change is small; ``went backwards`` if the device was
 *	reset; ``too low`` if the counter rose by much less than blkgen has read or written.
 */
static json_object *counter_json(const struct load_nvme *n, enum nvmelog_counter counter)
{
	json_object *o = json_object_new_object();
	struct nvmelog_change c;

	change_of(n, counter, &c);
	add_u64(o, "before", c.has_before, c.before);
	add_u64(o, "after", c.has_after, c.after);
	add_u64(o, "change", c.has_change, c.change);
	json_str(o, "note", *c.note ? c.note : NULL);
	return o;
}

/*
 * Members of the JSON object "NVMe log":
 * @note: string or null: Why there are no values: ``not offered by this device`` with the reason,
 *	or why the log could not be read. null if the log was read.
 * @counters: map of NVMe counter: ``smart`` has ``host_bytes_read``, ``host_bytes_written`` and
 *	``media_errors``; ``fdp`` and ``intel`` ``host_bytes_written`` and ``media_bytes_written``;
 *	``ocp`` ``media_bytes_read`` and ``media_bytes_written``.
 * @write_amplification: number or null, optional: Bytes written to the media per byte written by
 *	the host. ``ocp`` takes the host bytes from ``smart``. Not in ``smart``.
 * @write_amplification_note: string or null, optional: Why ``write_amplification`` is null. One
 *	reason is that so few bytes were written that the units of the counters (512000 bytes in
 *	``smart``, 32 MiB in ``intel``) make it uncertain by more than 2 %. Not in ``smart``.
 */
static json_object *page_json(const struct load_nvme *n, enum nvmelog_page page)
{
	json_object *o = json_object_new_object(), *counters = json_object_new_object();
	const char *text = n->before.note[page];
	char why[NVMELOG_NOTE];
	enum nvmelog_counter c;
	double v;

	if (!*text)
		text = n->after.note[page];
	json_str(o, "note", *text ? text : NULL);
	for (c = 0; c < NVMELOG_NR_COUNTERS; c++)
		if (nvmelog_counters[c].page == page)
			json_object_object_add(counters, nvmelog_counters[c].key,
					       counter_json(n, c));
	json_object_object_add(o, "counters", counters);
	if (nvmelog_pages[page].media < 0)
		return o;
	v = nvmelog_amplification(&n->before, &n->after, page, why);
	if (v > 0)
		json_real(o, "write_amplification", v);
	else
		json_object_object_add(o, "write_amplification", NULL);
	json_str(o, "write_amplification_note", *why ? why : NULL);
	return o;
}

static json_object *celsius(unsigned int kelvin)
{
	return kelvin ? json_object_new_int((int)kelvin - 273) : NULL;
}

/*
 * Members of the JSON object "NVMe":
 * @controller: string or null: Controller whose logs blkgen reads, such as ``nvme0``. null if no
 *	controller leads to the disk.
 * @paths: integer: Controllers that lead to the disk. If there are several (NVMe multipath), blkgen
 *	reads only the FDP log, because the other logs belong to one controller each.
 * @note: string or null: Why the counters could not be read, before or after the load. null if both
 *	readings succeeded.
 * @temperature_c: temperature: Composite temperature, in degrees Celsius.
 * @logs: map of NVMe log: ``smart``: SMART / Health Information (02h). ``fdp``: Flexible Data
 *	Placement Statistics (22h), of the endurance group. ``ocp``: SMART Cloud Health of the Open
 *	Compute Project (C0h). ``intel``: Additional SMART of Intel and Solidigm (CAh).
 *
 * Each step of a series and each round of ``--steady`` has this object. The counters are those of
 * the whole device: they include other I/O at that time, and all namespaces of the controller.
 */

/*
 * Members of the JSON object "temperature":
 * @before: number or null: Before the load.
 * @after: number or null: After it.
 */
json_object *load_nvme_json(const struct load_dev *d)
{
	json_object *o, *logs, *temperature;
	const struct load_nvme *n = d->nvme;
	enum nvmelog_page p;

	/* If there is neither a second reading nor a reason for a failure, the load still runs. */
	if (!n || (!n->read_after && !*n->note))
		return NULL;
	o = json_object_new_object();
	json_str(o, "controller", *n->source.ctrl ? n->source.ctrl : NULL);
	json_u64(o, "paths", n->source.paths);
	json_str(o, "note", *n->note ? n->note : NULL);
	temperature = json_object_new_object();
	json_object_object_add(temperature, "before", celsius(n->before.kelvin));
	json_object_object_add(temperature, "after", celsius(n->after.kelvin));
	json_object_object_add(o, "temperature_c", temperature);
	logs = json_object_new_object();
	for (p = 0; p < NVMELOG_NR_PAGES; p++)
		json_object_object_add(logs, nvmelog_pages[p].key, page_json(n, p));
	json_object_object_add(o, "logs", logs);
	return o;
}
