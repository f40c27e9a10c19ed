// SPDX-License-Identifier: GPL-2.0
/* Write and read logs of histograms: one line of JSON per interval. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include "core/log.h"
#include "report/histlog.h"
#include "report/report.h"

/* Limits of a histogram in a log: 2^16 buckets per power of two, for all 64-bit values */
#define MAX_BITS	16
#define ORDER		64
/* The largest time in a log: with two of them, a sum still fits in an int64_t */
#define MAX_NS		(INT64_MAX / 2)

static int put(FILE *f, json_object *o)
{
	const int how = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text = o ? json_object_to_json_string_ext(o, how) : NULL;
	bool bad = !text || fprintf(f, "%s\n", text) < 0;

	json_object_put(o);
	return bad ? -EIO : 0;
}

int histlog_head(FILE *f, uint64_t now)
{
	json_object *o = json_object_new_object();
	struct timespec ts;
	struct utsname u;

	clock_gettime(CLOCK_REALTIME, &ts);
	json_str(o, "schema", HISTLOG_SCHEMA);
	json_str(o, "host", uname(&u) ? "" : u.nodename);
	/* UNIX time at 0 of the times in the log. It may be negative if the clock was not set. */
	json_object_object_add(o, "unix_ns", json_object_new_int64(ts.tv_sec * 1000000000ll +
								   ts.tv_nsec - (int64_t)now));
	return put(f, o);
}

static json_object *buckets_json(const struct hist *h)
{
	json_object *all = json_object_new_array(), *pair;
	uint32_t i;

	for (i = 0; i < h->nbuckets; i++) {
		if (!h->buckets[i])
			continue;
		pair = json_object_new_array();
		json_object_array_add(pair, json_object_new_uint64(i));
		json_object_array_add(pair, json_object_new_uint64(h->buckets[i]));
		json_object_array_add(all, pair);
	}
	return all;
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
	json_object_object_add(o, "buckets", buckets_json(e->hist));
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

static bool number(const struct histlog *lg, const char *key, uint64_t *v)
{
	json_object *o;

	if (!json_object_object_get_ex(lg->entry, key, &o) ||
	    !json_object_is_type(o, json_type_int))
		return false;
	*v = json_object_get_uint64(o);
	return true;
}

int histlog_open(struct histlog *lg, const char *path)
{
	const char *schema;
	uint64_t day;
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
	if (!number(lg, "unix_ns", &day) || day > MAX_NS)
		return bad(lg, "\"unix_ns\" is not a time");
	lg->day_ns = day;
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
		    json_object_array_length(pair) != 2)
			return false;
		at = json_object_get_uint64(json_object_array_get_idx(pair, 0));
		v = json_object_get_uint64(json_object_array_get_idx(pair, 1));
		if (at >= h->nbuckets)
			return false;
		h->buckets[at] += v;
		count += v;
	}
	return count == h->count;
}

int histlog_read(struct histlog *lg, struct histlog_entry *e)
{
	uint64_t bits, nbuckets, ios, sum, min, max;
	const char *of;
	int ret;

	ret = next_line(lg);
	if (ret <= 0)
		return ret;
	memset(e, 0, sizeof(*e));
	e->step = text(lg, "step");
	e->device = text(lg, "device");
	e->name = text(lg, "name");
	e->op = text(lg, "op");
	of = text(lg, "of");
	if (!e->device || !e->op || !of || !number(lg, "start_ns", &e->start_ns) ||
	    !number(lg, "end_ns", &e->end_ns) || !number(lg, "bytes", &e->bytes) ||
	    !number(lg, "errors", &e->errors) || !number(lg, "bits", &bits) ||
	    !number(lg, "nbuckets", &nbuckets) || !number(lg, "ios", &ios) ||
	    !number(lg, "sum_ns", &sum) || !number(lg, "min_ns", &min) ||
	    !number(lg, "max_ns", &max))
		return bad(lg, "a member is missing or has the wrong type");
	if (e->start_ns > e->end_ns || e->end_ns > MAX_NS)
		return bad(lg, "\"start_ns\" and \"end_ns\" are not a span of time");
	if (!bits || bits > MAX_BITS || !nbuckets ||
	    nbuckets > (uint64_t)(ORDER - bits + 1) << bits)
		return bad(lg, "\"bits\" or \"nbuckets\" is not that of a histogram");
	e->service = !strcmp(of, "service");
	ret = set_size(lg, bits, nbuckets);
	if (ret)
		return ret;
	lg->hist.count = ios;
	lg->hist.sum = sum;
	lg->hist.min = min;
	lg->hist.max = max;
	e->hist = &lg->hist;
	if (!read_buckets(lg))
		return bad(lg, "the buckets are not valid, or do not sum to \"ios\"");
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
