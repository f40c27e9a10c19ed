// SPDX-License-Identifier: GPL-2.0
/* Write and read logs of histograms: one line of JSON per interval. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "core/clocks.h"
#include "core/log.h"
#include "output/histlog.h"
#include "output/json.h"

/* Limits of a histogram in a log: 2^16 buckets per power of two, for all 64-bit values */
#define MAX_BITS	16
#define ORDER		64
/* The largest time in a log: the sum of two such times still fits in an int64_t */
#define MAX_NS		(INT64_MAX / 2)

static int put(FILE *f, json_object *o)
{
	const int how = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text = o ? json_object_to_json_string_ext(o, how) : NULL;
	bool bad = !text || fprintf(f, "%s\n", text) < 0;

	json_object_put(o);
	return bad ? -EIO : 0;
}

int histlog_head(FILE *f)
{
	json_object *o = json_object_new_object();
	struct utsname u;

	json_str(o, "schema", HISTLOG_SCHEMA);
	json_str(o, "host", uname(&u) ? "" : u.nodename);
	/* UNIX time at 0 of the times in the log. It may be negative if the clock was not set. */
	json_object_object_add(o, "unix_ns", json_object_new_int64(clock_offset(CLOCK_REALTIME)));
	return put(f, o);
}

int histlog_write(FILE *f, const struct histlog_entry *e)
{
	json_object *o = json_object_new_object();

	if (e->step)
		json_str(o, "step", e->step);
	json_str(o, "device", e->device);
	if (e->name)
		json_str(o, "name", e->name);
	json_str(o, "op", e->op);
	json_str(o, "of", e->service ? "service" : "latency");
	json_u64(o, "start_ns", e->start_ns);
	json_u64(o, "end_ns", e->end_ns);
	json_u64(o, "ios", e->hist->count);
	json_u64(o, "bytes", e->bytes);
	json_u64(o, "errors", e->errors);
	json_u64(o, "sum_ns", e->hist->sum);
	json_u64(o, "min_ns", e->hist->min);
	json_u64(o, "max_ns", e->hist->max);
	json_u64(o, "bits", e->hist->bits);
	json_u64(o, "nbuckets", e->hist->nbuckets);
	report_buckets(o, e->hist);
	return put(f, o);
}

static int bad(const struct histlog *lg, const char *what)
{
	return err(-EINVAL, "%s:%lu: %s", lg->path, lg->number, what);
}

/* Read a line. Return: 1 with the line's object in @lg->entry, 0 at the end, -errno, reported. */
static int next_line(struct histlog *lg)
{
	enum json_tokener_error je = json_tokener_success;
	ssize_t n;

	json_object_put(lg->entry);
	lg->entry = NULL;
	errno = 0;
	n = getline(&lg->line, &lg->room, lg->f);
	if (n < 0)
		return errno ? err(-errno, "%s: cannot read: %s", lg->path, strerror(errno)) : 0;
	lg->number++;
	lg->entry = json_tokener_parse_verbose(lg->line, &je);
	if (lg->entry && json_object_is_type(lg->entry, json_type_object))
		return 1;
	if (lg->line[n - 1] == '\n')
		return bad(lg, "is not a line of blkgen load --log");
	/* The lines before the incomplete line are still valid */
	warn("%s:%lu: the last line is not complete: its writer was killed", lg->path, lg->number);
	return 0;
}

static const char *text(const struct histlog *lg, const char *key)
{
	json_object *o;

	return json_object_object_get_ex(lg->entry, key, &o) &&
	       json_object_is_type(o, json_type_string) ? json_object_get_string(o) : NULL;
}

/* Read a number that is not negative: json-c would read a negative one as 0. */
static bool whole(json_object *o, uint64_t *v)
{
	if (!json_object_is_type(o, json_type_int) || json_object_get_int64(o) < 0)
		return false;
	*v = json_object_get_uint64(o);
	return true;
}

static int number(const struct histlog *lg, const char *key, uint64_t max, uint64_t *v)
{
	json_object *o;

	if (json_object_object_get_ex(lg->entry, key, &o) && whole(o, v) && *v <= max)
		return 0;
	return err(-EINVAL, "%s:%lu: \"%s\" is not a number from 0 to %" PRIu64, lg->path,
		   lg->number, key, max);
}

int histlog_open(struct histlog *lg, const char *path)
{
	const char *schema;
	json_object *day;
	int ret;

	lg->path = path;
	lg->f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	if (!lg->f)
		return err(-errno, "%s: cannot open: %s", path, strerror(errno));
	ret = next_line(lg);
	if (ret <= 0)
		return ret ? ret : err(-EINVAL, "%s: is empty", path);
	schema = text(lg, "schema");
	if (!schema || strcmp(schema, HISTLOG_SCHEMA))
		return bad(lg, "a log of blkgen load begins with \"schema\":\""
			   HISTLOG_SCHEMA "\"");
	if (!json_object_object_get_ex(lg->entry, "unix_ns", &day) ||
	    !json_object_is_type(day, json_type_int))
		return bad(lg, "\"unix_ns\" is not a time");
	/* If a number does not fit in 64 bits, json-c returns the nearest one that fits. */
	lg->day_ns = json_object_get_int64(day);
	if (lg->day_ns > MAX_NS || lg->day_ns < -MAX_NS)
		return bad(lg, "\"unix_ns\" is not a time");
	lg->host = strdup(text(lg, "host") ? text(lg, "host") : "");
	return lg->host ? 0 : err(-ENOMEM, "out of memory");
}

static int set_size(struct histlog *lg, uint64_t bits, uint64_t nbuckets)
{
	if (lg->hist.buckets && lg->hist.bits == bits && lg->hist.nbuckets == nbuckets) {
		memset(lg->hist.buckets, 0, nbuckets * sizeof(*lg->hist.buckets));
		return 0;
	}
	hist_free(&lg->hist);
	return hist_init(&lg->hist, bits, nbuckets) ? err(-ENOMEM, "out of memory") : 0;
}

static bool read_buckets(struct histlog *lg)
{
	struct hist *h = &lg->hist;
	json_object *all, *pair;
	uint64_t count = 0;
	size_t i, n;

	if (!json_object_object_get_ex(lg->entry, "buckets", &all) ||
	    !json_object_is_type(all, json_type_array))
		return false;
	n = json_object_array_length(all);
	for (i = 0; i < n; i++) {
		uint64_t at, v;

		pair = json_object_array_get_idx(all, i);
		if (!json_object_is_type(pair, json_type_array) ||
		    json_object_array_length(pair) != 2 ||
		    !whole(json_object_array_get_idx(pair, 0), &at) ||
		    !whole(json_object_array_get_idx(pair, 1), &v))
			return false;
		if (at >= h->nbuckets || __builtin_add_overflow(count, v, &count))
			return false;
		h->buckets[at] += v;
	}
	return count == h->count;
}

static int read_texts(const struct histlog *lg, struct histlog_entry *e)
{
	const char *of = text(lg, "of");

	e->step = text(lg, "step");
	e->device = text(lg, "device");
	e->name = text(lg, "name");
	e->op = text(lg, "op");
	if (!e->device || !e->op || !of)
		return err(-EINVAL, "%s:%lu: \"%s\" is not a text", lg->path, lg->number,
			   !e->device ? "device" : !e->op ? "op" : "of");
	e->service = !strcmp(of, "service");
	return 0;
}

/* Read all numbers but those of the buckets. */
static int read_numbers(struct histlog *lg, struct histlog_entry *e)
{
	struct { uint64_t bits, nbuckets, ios, sum, min, max; } h;
	const struct {
		const char *key;
		uint64_t max, *v;
	} numbers[] = {
		{ "start_ns", MAX_NS, &e->start_ns }, { "end_ns", MAX_NS, &e->end_ns },
		{ "bytes", UINT64_MAX, &e->bytes }, { "errors", UINT64_MAX, &e->errors },
		{ "ios", UINT64_MAX, &h.ios }, { "sum_ns", UINT64_MAX, &h.sum },
		{ "min_ns", UINT64_MAX, &h.min }, { "max_ns", UINT64_MAX, &h.max },
		{ "bits", MAX_BITS, &h.bits },
		{ "nbuckets", (uint64_t)ORDER << MAX_BITS, &h.nbuckets },
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers) && !ret; i++)
		ret = number(lg, numbers[i].key, numbers[i].max, numbers[i].v);
	if (ret)
		return ret;
	if (e->start_ns > e->end_ns)
		return bad(lg, "\"start_ns\" and \"end_ns\" are not a span of time");
	if (h.min > h.max)
		return bad(lg, "\"min_ns\" is above \"max_ns\"");
	if (!h.bits || !h.nbuckets || h.nbuckets > (uint64_t)(ORDER - h.bits + 1) << h.bits)
		return bad(lg, "\"bits\" or \"nbuckets\" is not that of a histogram");
	ret = set_size(lg, h.bits, h.nbuckets);
	lg->hist.count = h.ios;
	lg->hist.sum = h.sum;
	lg->hist.min = h.min;
	lg->hist.max = h.max;
	return ret;
}

int histlog_read(struct histlog *lg, struct histlog_entry *e)
{
	int ret;

	ret = next_line(lg);
	if (ret <= 0)
		return ret;
	memset(e, 0, sizeof(*e));
	ret = read_texts(lg, e);
	if (!ret)
		ret = read_numbers(lg, e);
	if (ret)
		return ret;
	e->hist = &lg->hist;
	if (!read_buckets(lg))
		return bad(lg, "the \"buckets\" are not valid, or do not sum to \"ios\"");
	return 1;
}

void histlog_close(struct histlog *lg)
{
	if (lg->f && lg->f != stdin)
		fclose(lg->f);
	json_object_put(lg->entry);
	hist_free(&lg->hist);
	free(lg->line);
	free(lg->host);
	memset(lg, 0, sizeof(*lg));
}
