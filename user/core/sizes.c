// SPDX-License-Identifier: GPL-2.0
/* Parse block sizes (one size, a range, or a weighted split) and make tables of them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/opt.h"
#include "core/sizes.h"
#include "core/units.h"

#define MIN_BS	512
#define MAX_BS	(1u << 30)

/* Parse a size such as "4k". */
static int size_value(const char *s, double *v)
{
	uint64_t bytes;
	int ret = parse_size(s, &bytes);

	if (!ret && (bytes < MIN_BS || bytes > MAX_BS))
		ret = -ERANGE;
	if (!ret)
		*v = bytes;
	return ret;
}

int io_sizes_parse(const char *opt, const char *s, void *dst)
{
	struct io_sizes *sizes = dst;
	const char *dash = strchr(s, '-');
	char low[32] = "";
	double max, min;
	int ret;

	if (dash && (size_t)(dash - s) < sizeof(low))
		snprintf(low, sizeof(low), "%.*s", (int)(dash - s), s);
	ret = size_value(dash ? dash + 1 : s, &max);
	min = max;
	if (!ret && dash)
		ret = size_value(low, &min);
	if (ret == -ERANGE)
		return usage_error("--%s: '%s' is not within 512B to 1GiB", opt, s);
	if (ret)
		return usage_error("--%s: '%s' is not a size such as 4k or a range such as 4k-64k",
				   opt, s);
	if (min > max)
		return usage_error("--%s: the smaller size must come first in '%s', as in 4k-64k",
				   opt, s);
	sizes->max = max;
	sizes->min = min;
	sizes->nsplit = 0;
	sizes->text = s;
	return 0;
}

/* Let the parts without a percentage share the rest of 100. */
static int share_rest(const char *opt, const char *s, struct io_part *part, unsigned int n)
{
	unsigned int i, open = 0;
	double sum = 0;

	for (i = 0; i < n; i++) {
		if (part[i].percent < 0)
			open++;
		else
			sum += part[i].percent;
	}
	if (sum > 100 + 1e-6 || (!open && sum < 100 - 1e-6))
		return usage_error("--%s: the percentages in '%s' sum to %.10g, not to 100",
				   opt, s, sum);
	for (i = 0; i < n; i++)
		if (part[i].percent < 0)
			part[i].percent = fmax(100 - sum, 0) / open;
	return 0;
}

int io_parts_parse(const char *opt, const char *s, int (*value)(const char *s, double *v),
		   struct io_part *part, unsigned int *n)
{
	const char *p = s;

	for (*n = 0; ; (*n)++) {
		size_t len = strcspn(p, ":");
		char item[64], *slash;
		int ret;

		if (*n == IO_SPLIT_MAX)
			return usage_error("--%s: at most %d parts are possible",
					   opt, IO_SPLIT_MAX);
		snprintf(item, sizeof(item), "%.*s", (int)len, p);
		slash = strchr(item, '/');
		part[*n].percent = -1;
		if (slash)
			*slash++ = 0;
		ret = len < sizeof(item) ? value(item, &part[*n].value) : -EINVAL;
		if (!ret && slash && *slash)
			ret = parse_percent(slash, &part[*n].percent);
		if (ret)
			return usage_error("--%s: '%.*s' in '%s' is %s", opt, (int)len, p, s,
					   ret == -ERANGE ? "out of range" :
					   "not a pair such as 60/40");
		if (!p[len])
			break;
		p += len + 1;
	}
	(*n)++;
	return share_rest(opt, s, part, *n);
}

int io_split_parse(const char *opt, const char *s, void *dst)
{
	struct io_sizes new = { .text = s }, *sizes = dst;
	unsigned int i;
	int ret;

	ret = io_parts_parse(opt, s, size_value, new.split, &new.nsplit);
	if (ret)
		return ret;
	new.min = new.max = new.split[0].value;
	for (i = 1; i < new.nsplit; i++) {
		new.max = fmax(new.max, new.split[i].value);
		new.min = fmin(new.min, new.split[i].value);
	}
	*sizes = new;
	return 0;
}

int io_sizes_differ(const struct io_sizes *s)
{
	return s->min != s->max;
}

/*
 * Return the step between the sizes of a range: the alignment if it is below the smallest size,
 * else the smallest size.
 */
static uint64_t range_step(const struct io_sizes *s, uint64_t align)
{
	return align && align < s->min ? align : s->min;
}

uint64_t io_sizes_odd(const struct io_sizes *s, uint64_t align)
{
	uint64_t step = range_step(s, align);

	if (s->nsplit || !io_sizes_differ(s))
		return 0;
	return s->min % step ? s->min : s->max % step ? s->max : 0;
}

unsigned int io_sizes_table(const struct io_sizes *s, uint64_t align, struct blkgen_size *t)
{
	uint64_t step = range_step(s, align), bytes;
	unsigned int i, n = 0;

	if (!io_sizes_differ(s))
		return 0;
	for (i = 0; i < s->nsplit; i++)
		/* A weight of 1 is a millionth of a percent; a weight of 0 is never drawn. */
		t[n++] = (struct blkgen_size) { .bytes = s->split[i].value,
						.weight = llround(s->split[i].percent * 1e6) };
	if (s->nsplit)
		return n;
	for (bytes = s->min; bytes <= s->max && n < BLKGEN_MAX_TABLE; bytes += step)
		t[n++] = (struct blkgen_size) { .bytes = bytes, .weight = 1 };
	return n;
}
