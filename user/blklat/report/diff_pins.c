// SPDX-License-Identifier: GPL-2.0
/*
 * Find the properties of results that differ: those that must be the same and those that may
 * differ.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/diff.h"
#include "core/log.h"
#include "core/units.h"
#include "output/json.h"

#define TEXT	512

const char *const diff_allow[] = {
	[DIFF_LOAD] = "load", [DIFF_SEED] = "seed", [DIFF_BLOCK_SIZE] = "block-size",
	[DIFF_OPS] = "ops", [DIFF_SIZE] = "size", [NR_DIFF_PINS] = NULL
};

/*
 * The shares of the kinds of I/O may differ by this many percentage points, because a random mix
 * does not have exactly the same shares in each run.
 */
#define OPS_POINTS	2.0
#define SIZE_PART	0.02

/* Return the member at a path such as "kernel.release", or NULL if a part of it is missing. */
static json_object *doc_path(json_object *o, const char *path)
{
	char key[64];

	while (o && *path) {
		size_t n = strcspn(path, ".");

		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		o = doc_get(o, key);
		path += n + (path[n] == '.');
	}
	return o;
}

/* Return true if an argument names one of the devices. */
static bool is_device(const struct result *r, const char *arg)
{
	const char *name = result_label(arg);

	for (size_t i = 0; i < r->ndevs; i++)
		if (!strcmp(name, r->devs[i].name) || !strcmp(name, r->devs[i].label))
			return true;
	return false;
}

static void append(char *buf, const char *word)
{
	size_t len = strlen(buf);

	snprintf(buf + len, TEXT - len, "%s%s", len ? " " : "", word);
}

/*
 * Append the traced command to @buf, with "{}" for its devices: several in a row become one "{}".
 * Without a command nothing is appended.
 */
static void recorded_load(const struct result *r, char *buf)
{
	json_object *args = doc_get(r->doc, "command");
	bool after = false, device = false;

	for (size_t i = 0; i < doc_len(args); i++) {
		const char *arg = json_object_get_string(doc_at(args, i));
		bool is = after && is_device(r, arg);

		if (after && !(is && device))
			append(buf, is ? "{}" : arg);
		device = is;
		after |= !strcmp(arg, "--");
	}
}

/* Return the load of a comparison. With --scenario each load of the scenario has its own. */
static json_object *load_of(const struct diff_side *s)
{
	const char *name = doc_str(s->dev->doc, "scenario");
	json_object *all = doc_get(s->result->doc, "scenarios"), *one;

	for (size_t i = 0; (one = doc_at(all, i)); i++)
		if (!strcmp(doc_str(one, "name"), name))
			return doc_get(one, "load");
	return doc_get(s->result->doc, "load");
}

static void load_text(const struct diff_side *s, char *buf)
{
	json_object *load = load_of(s), *arg;
	char text[FMT_LEN];

	if (!load) {
		recorded_load(s->result, buf);
		return;
	}
	for (size_t i = 0; (arg = doc_at(doc_get(load, "args"), i)); i++)
		append(buf, json_object_get_string(arg));
	if (doc_get(load, "time_ns")) {
		append(buf, "for");
		append(buf, fmt_time(text, sizeof(text), doc_real(load, "time_ns")));
	}
	if (doc_get(load, "size")) {
		append(buf, "over");
		append(buf, fmt_size(text, sizeof(text), doc_u64(load, "size")));
	}
}

static void seed_text(const struct diff_side *s, char *buf)
{
	append(buf, doc_str(load_of(s), "seed"));
}

static void block_size_text(const struct diff_side *s, char *buf)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", s->dev->facts.logical_bs);
	append(buf, text);
}

/* Return the share of a kind of I/O in per cent, or NAN if the kinds are not known. */
static double op_share(const struct diff_side *s, const char *name)
{
	const struct result_groups *ops = &s->dev->ops;
	double sum = 0, some = 0;

	for (size_t i = 0; i < ops->n; i++) {
		sum += ops->v[i].total.count;
		if (!strcmp(ops->v[i].name, name))
			some += ops->v[i].total.count;
	}
	return sum > 0 ? 100 * some / sum : NAN;
}

static void ops_text(const struct diff_side *s, char *buf)
{
	char text[80];

	for (size_t i = 0; i < s->dev->ops.n; i++) {
		const char *name = s->dev->ops.v[i].name;
		double share = op_share(s, name);

		if (!(share > 0))
			continue;
		snprintf(text, sizeof(text), "%.3g%% %s", share, name);
		append(buf, text);
	}
}

static bool one_has_ops(const struct diff_side *a, const struct diff_side *b)
{
	for (size_t i = 0; i < a->dev->ops.n; i++) {
		const char *name = a->dev->ops.v[i].name;

		if (fabs(op_share(a, name) - op_share(b, name)) > OPS_POINTS)
			return false;
	}
	return true;
}

static bool same_ops(const struct diff_side *a, const struct diff_side *b)
{
	return one_has_ops(a, b) && one_has_ops(b, a);
}

static double io_size(const struct diff_side *s)
{
	double ios = 0, bytes = 0;

	for (size_t i = 0; i < s->dev->nsamples; i++) {
		ios += s->dev->samples[i].ios;
		bytes += s->dev->samples[i].bytes;
	}
	return ios > 0 ? bytes / ios : NAN;
}

static void size_text(const struct diff_side *s, char *buf)
{
	char text[FMT_LEN];
	double size = io_size(s);

	append(buf, isnan(size) ? "unknown" : fmt_size(text, sizeof(text), (uint64_t)(size + 0.5)));
}

static bool same_size(const struct diff_side *a, const struct diff_side *b)
{
	double x = io_size(a), y = io_size(b);

	return !(fabs(x - y) > SIZE_PART * fmax(x, y));
}

/* Two sides differ if their texts differ. In a row with @same, they differ if it returns false. */
static const struct {
	const char *what;
	void (*text)(const struct diff_side *s, char *buf);
	bool (*same)(const struct diff_side *a, const struct diff_side *b);
} pins[NR_DIFF_PINS] = {
	[DIFF_LOAD] = { "load", load_text },
	[DIFF_SEED] = { "seed", seed_text },
	[DIFF_BLOCK_SIZE] = { "logical block size", block_size_text },
	[DIFF_OPS] = { "kinds of I/O", ops_text, same_ops },
	[DIFF_SIZE] = { "mean size of the I/Os", size_text, same_size },
};

/*
 * Members of the JSON object "difference":
 * @what: string: Name of the property that differs: ``kernel``, ``scheduler``, ``load``...
 * @values: array of string: The value of each file.
 * @allowed: boolean: True if the property may differ only because of ``--allow``. Then there are
 *	two values: that of the baseline, and that of another file.
 */
static void add_difference(json_object *list, const char *what, const char *const *values, size_t n,
			   const char *allowed)
{
	json_object *o = json_object_new_object(), *v = json_object_new_array();

	json_str(o, "what", what);
	for (size_t i = 0; i < n; i++)
		json_object_array_add(v, json_text(values[i]));
	json_object_object_add(o, "values", v);
	json_flag(o, "allowed", allowed);
	json_object_array_add(list, o);
}

int diff_pins(const struct diff_side *a, const struct diff_side *b, uint64_t allow,
	      json_object *list)
{
	for (int i = 0; i < NR_DIFF_PINS; i++) {
		char x[TEXT] = "", y[TEXT] = "";
		const char *values[2];

		pins[i].text(a, x);
		pins[i].text(b, y);
		if (pins[i].same ? pins[i].same(a, b) : !strcmp(x, y))
			continue;
		values[0] = *x ? x : "none recorded";
		values[1] = *y ? y : "none recorded";
		if (!(allow & 1ULL << i))
			return err(-EINVAL, "%s differs: %s has %s, %s has %s; "
				   "to compare anyway, give --allow %s", pins[i].what,
				   a->result->path, values[0], b->result->path, values[1],
				   diff_allow[i]);
		add_difference(list, pins[i].what, values, 2, diff_allow[i]);
	}
	return 0;
}

/*
 * Add a difference @what to the list unless all sides have the same text. Return true if all have
 * the same text.
 */
static bool fact(const struct diff_side *sides, size_t n, json_object *list, const char *what,
		 const char *path, bool of_dev)
{
	const char **v = calloc(n, sizeof(*v));
	bool same = true;

	for (size_t i = 0; v && i < n; i++) {
		json_object *doc = of_dev ? sides[i].dev->doc : sides[i].result->doc;

		v[i] = json_object_get_string(doc_path(doc, path));
		if (!v[i] || !*v[i])
			v[i] = "none";
		same &= !strcmp(v[0], v[i]);
	}
	if (v && !same)
		add_difference(list, what, v, n, NULL);
	free(v);
	return same;
}

void diff_facts(const struct diff_side *sides, size_t n, json_object *list)
{
	static const struct { const char *what, *path; bool dev; } facts[] = {
		{ "machine", "machine.name" }, { "product", "machine.product" },
		{ "CPU", "machine.cpu" }, { "CPUs", "machine.cpus" },
		{ "memory", "machine.memory" }, { "clock", "machine.clocksource" },
		{ "kind", "result.kind" },
		{ "driver", "facts.driver", true }, { "transport", "facts.transport", true },
		{ "model", "facts.model", true }, { "firmware", "facts.firmware", true },
		{ "LBA format", "facts.lba_format", true }, { "size", "facts.size", true },
		{ "scheduler", "facts.scheduler", true }, { "queues", "facts.queues", true },
		{ "queue depth", "facts.queue_depth", true },
		{ "physical block size", "facts.physical_block_size", true },
		{ "write cache", "facts.write_cache", true },
		{ "rotational", "facts.rotational", true },
		{ "largest I/O", "facts.max_io_bytes", true },
	};

	if (fact(sides, n, list, "kernel", "kernel.release", false))
		fact(sides, n, list, "build of the kernel", "kernel.version", false);
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		fact(sides, n, list, facts[i].what, facts[i].path, facts[i].dev);
}
