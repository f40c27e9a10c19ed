// SPDX-License-Identifier: GPL-2.0
/* Convert fio's keys into options of blkgen load. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "blkgen/fio/jobfile_conv.h"
#include "core/opt.h"

/* --- Convert ops and engine. */

static const struct {
	const char *fio, *blkgen;
	unsigned int ops;
	bool random;
} patterns[] = {
	{ "read", "read", R, false }, { "write", "write", W, false },
	{ "trim", "trim", T, false }, { "randread", "randread", R, true },
	{ "randwrite", "randwrite", W, true }, { "randtrim", "randtrim", T, true },
	{ "rw", "rw", R | W, false }, { "readwrite", "rw", R | W, false },
	{ "randrw", "randrw", R | W, true },
};

int job_find_rw(struct conv *c)
{
	const struct job_setting *s = jf_get(c, "rw");
	const char *v = s->line ? s->value : "read";
	size_t i;

	if (!v)
		return jf_bad(c, s, "needs a value");
	for (i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		if (strcmp(patterns[i].fio, v))
			continue;
		c->rw = patterns[i].blkgen;
		c->ops = patterns[i].ops;
		c->random = patterns[i].random;
		return 0;
	}
	if (strchr(v, ':'))
		return jf_bad(c, s, "blkgen supports nothing after a colon: it does not repeat "
			      "offsets, and skips offsets only with zonemode=strided");
	return jf_bad(c, s, "is none of read, write, trim, rw, randread, randwrite, randtrim, "
		      "randrw");
}

int job_conv_rw(struct conv *c, const struct job_setting *s)
{
	int ret = jf_emit(c, "rw", s, "%s", c->rw);

	/* In fio, sequential reads and sequential writes each go through the whole range. */
	return ret || c->random || c->ops != (R | W) ? ret : jf_emit(c, "apart", s, NULL);
}

int job_conv_mix(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *w = jf_get(c, "rwmixwrite");
	uint64_t pct = 50;
	int ret;

	if (c->ops != (R | W))
		return 0;
	if (w->line > s->line)
		s = w;
	ret = jf_number(c, s, &pct);
	if (!ret && pct > 100)
		return jf_bad(c, s, "is more than 100 percent");
	return ret ? ret : jf_emit_num(c, "mix", s, s == w ? 100 - pct : pct, "");
}

static const struct {
	const char *name;
	bool queued;			/* keeps iodepth I/Os in flight */
	bool waits;			/* submission of a buffered I/O waits until it is done */
} engines[] = {
	{ "psync", false, true }, { "sync", false, true }, { "pvsync", false, true },
	{ "pvsync2", false, true }, { "libaio", true, true }, { "io_uring", true, false },
	{ "posixaio", true, false }, { "windowsaio", true, false }, { "solarisaio", true, false },
};

int job_find_engine(struct conv *c)
{
	const struct job_setting *s = jf_get(c, "ioengine");
	const char *name = s->line ? s->value : "psync";
	size_t i;

	for (i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		if (!name || strcmp(engines[i].name, name))
			continue;
		c->engine = name;
		c->queued = engines[i].queued;
		c->waits = engines[i].waits;
		return 0;
	}
	return jf_bad(c, s, "blkgen has no such engine: it takes psync, sync, pvsync, pvsync2, "
		      "libaio, io_uring, posixaio, windowsaio and solarisaio");
}

/* Return true if the I/O is direct. If the file has direct and buffered, the later key counts. */
static bool is_direct(const struct conv *c)
{
	const struct job_setting *d = jf_get(c, "direct"), *b = jf_get(c, "buffered");

	if (b->line > d->line)
		return !jf_truth(c, "buffered");
	return jf_truth(c, "direct");
}

int job_conv_engine(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *depth = jf_get(c, "iodepth");
	bool direct = is_direct(c) || c->ops == T, polled = jf_truth(c, "hipri");
	const char *name = polled ? "polled" : !direct ? "buffered" : c->queued ? "bio" : "sync";
	uint64_t qd = 1;
	int ret = jf_number(c, depth, &qd);

	if (ret)
		return ret;
	if (!qd)
		return jf_bad(c, depth, "must be at least 1");
	if (polled && c->ops == T)
		return jf_bad(c, jf_get(c, "hipri"), "trims cannot be polled");
	if (polled && (!direct || (strcmp(c->engine, "io_uring") && strcmp(c->engine, "pvsync2"))))
		return jf_bad(c, jf_get(c, "hipri"), "blkgen polls only with direct=1 and "
			      "ioengine=io_uring or pvsync2");
	if (c->ops == T && qd > 1 && !c->waits)
		return jf_bad(c, depth, "whether fio queues trims depends on its version; set "
			      "iodepth=1");
	if (!direct && qd > 1 && !c->waits)
		return jf_bad(c, depth, "blkgen keeps one buffered I/O in flight; set direct=1 or "
			      "iodepth=1");
	if (qd > 1 && (!c->queued || !direct || c->ops == T)) {
		ret = jf_note(c, depth, "one I/O in flight at a time, as fio does with %s%s",
			      c->engine, !c->queued ? "" :
			      c->ops == T ? " and trims" : " and direct=0");
		qd = 1;
	}
	if (!ret && c->job->ndevices > 1)
		ret = jf_divide(c, depth->line ? depth : s, &qd);
	if (!ret)
		ret = jf_emit(c, "engine", s, "%s", c->ops == T ? "sync" : name);
	return ret ? ret : jf_emit_num(c, "qd", depth, qd, "");
}

int job_conv_batch(struct conv *c, const struct job_setting *s)
{
	uint64_t n = 1;
	int ret = jf_number(c, s, &n);

	if (!ret && !n)
		return jf_bad(c, s, "must be at least 1");
	/* blkgen submits at most 32 I/Os at once (BLKGEN_MAX_BATCH). */
	return ret ? ret : jf_emit_num(c, "batch", s, n > 32 ? 32 : n, "");
}

/* --- Convert block sizes. */

/*
 * Add --bs for a range such as "4k-64k": all multiples of the smaller size up to the larger one,
 * each with the same probability.
 */
static int emit_range(struct conv *c, const struct job_setting *s, char *text, uint64_t *min)
{
	char *dash = strpbrk(text, "-:");
	uint64_t max, bs;
	int ret;

	if (!dash)
		return jf_bad(c, s, "is not a range such as 4k-64k");
	*dash = 0;
	ret = jf_number_of(c, s, text, min);
	if (!ret)
		ret = jf_number_of(c, s, dash + 1, &max);
	if (ret)
		return ret;
	if (*min > max) {
		bs = max;
		max = *min;
		*min = bs;
	}
	if (!*min || max % *min)
		return jf_bad(c, s, "the larger size must be a multiple of the smaller one");
	return jf_emit(c, "bs", s, "%llu-%llu", (unsigned long long)*min, (unsigned long long)max);
}

/* Add --bssplit for "4k/60:64k/40". Sizes without a percentage share what is left of 100. */
static int emit_split(struct conv *c, const struct job_setting *s, char *text, uint64_t *min)
{
	uint64_t size[64], pct[64], sum = 0;
	char list[4096] = "", *part;
	size_t n = 0, open = 0, i, len = 0;
	int ret;

	*min = UINT64_MAX;
	while ((part = strsep(&text, ":"))) {
		char *p = strchr(part, '/');

		if (n == 64)
			return jf_bad(c, s, "has more than 64 sizes");
		if (p)
			*p++ = 0;
		ret = jf_number_of(c, s, part, &size[n]);
		pct[n] = UINT64_MAX;
		if (!ret && p && *p)
			ret = jf_number_of(c, s, p, &pct[n]);
		if (ret)
			return ret;
		if (pct[n] == UINT64_MAX)
			open++;
		else
			sum += pct[n];
		*min = size[n] < *min ? size[n] : *min;
		n++;
	}
	if (sum > 100 || (!open && sum != 100))
		return jf_bad(c, s, "the percentages add up to %llu, not to 100",
			      (unsigned long long)sum);
	for (i = 0; i < n; i++) {
		if (!pct[i])
			continue;
		len += snprintf(list + len, sizeof(list) - len, "%s%llu", len ? ":" : "",
				(unsigned long long)size[i]);
		if (pct[i] != UINT64_MAX)
			len += snprintf(list + len, sizeof(list) - len, "/%llu",
					(unsigned long long)pct[i]);
	}
	return jf_emit(c, "bssplit", s, "%s", list);
}

static int emit_bs(struct conv *c, const struct job_setting *s, const char *text, uint64_t *min)
{
	int ret = *text ? jf_number_of(c, s, text, min) : 0;

	if (!ret && !*min)
		ret = jf_bad(c, s, "must be at least one sector");
	return ret ? ret : jf_emit_num(c, "bs", s, *min, "");
}

/*
 * Add the option for the block sizes. Like fio, prefer bssplit to bsrange and bsrange to bs, in
 * any order of the keys in the file. @from is bs at first, and is set to the key that counts. Set
 * @min to the smallest size.
 */
static int emit_sizes(struct conv *c, const struct job_setting **from, uint64_t *min)
{
	const struct job_setting *range = jf_get(c, "bsrange"), *split = jf_get(c, "bssplit");
	const struct job_setting *bs = *from;
	char text[1024];
	int ret;

	*from = split;
	ret = jf_directed(c, split, text, sizeof(text));
	if (ret)
		return ret < 0 ? ret : emit_split(c, split, text, min);
	*from = range;
	ret = jf_directed(c, range, text, sizeof(text));
	if (ret)
		return ret < 0 ? ret : emit_range(c, range, text, min);
	*from = bs;
	ret = jf_directed(c, bs, text, sizeof(text));
	if (!ret)
		*text = 0;
	return ret < 0 ? ret : emit_bs(c, bs, text, min);
}

int job_conv_bs(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *ba = jf_get(c, "ba"), *from = s;
	uint64_t min = 4096, align = 0;
	char text[1024];
	int ret;

	ret = emit_sizes(c, &from, &min);
	if (!ret && c->random && c->sizes && !jf_truth(c, "norandommap"))
		ret = jf_note(c, from, "fio shortens I/Os to the blocks that its random map has "
			      "left, and blkgen does not");
	if (!ret && !c->random && c->sizes && c->ops == (R | W))
		return jf_bad(c, from, "in a job with sequential reads and writes, blkgen needs "
			      "one size for all I/Os");
	if (ret || !c->random)
		return ret;
	ret = jf_directed(c, ba, text, sizeof(text));
	if (ret > 0)
		ret = jf_number_of(c, ba, text, &align);
	if (ret)
		return ret;
	if (align && from == jf_get(c, "bsrange") && align < min)
		return jf_bad(c, ba, "must be at least the smallest size of bsrange: otherwise "
			      "blkgen's sizes would grow in steps of it");
	if (align && align != min)
		return jf_emit_num(c, "align", ba, align, "");
	return c->sizes ? jf_emit_num(c, "align", from, min, "") : 0;
}

/* --- Convert range, zones and places. */

int job_conv_offset(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *inc = jf_get(c, "offset_increment");
	uint64_t offset = 0, step = 0;
	int ret = jf_number(c, s, &offset);

	if (!ret)
		ret = jf_number(c, inc, &step);
	if (!ret)
		ret = jf_times(c, inc, &step, c->clone);
	if (!ret && __builtin_add_overflow(offset, step, &offset))
		ret = jf_bad(c, inc, "is too large");
	return ret || !offset ? ret : jf_emit_num(c, "offset", s->line ? s : inc, offset, "");
}

/* Set @size to the bytes to use of each device; 0: all that the device has. */
static int find_size(const struct conv *c, uint64_t *size)
{
	const struct job_setting *s = jf_get(c, "size");
	int ret;

	*size = 0;
	if (s->value && !strcmp(s->value, "100%"))
		return 0;
	ret = jf_number(c, s, size);
	return ret ? ret : jf_divide(c, s, size);
}

int job_conv_size(struct conv *c, const struct job_setting *s)
{
	uint64_t size;
	int ret = find_size(c, &size);

	if (ret || !size)
		return ret;
	/* With zones, fio's size says how much I/O the job does, not where. */
	if (c->strided)
		return jf_truth(c, "time_based") ?
			jf_bad(c, s, "blkgen does not support size together with zones and "
			       "time_based") : 0;
	return jf_emit_num(c, "size", s, size, "");
}

int job_conv_zones(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *zs = jf_get(c, "zonesize"), *zr = jf_get(c, "zonerange");
	uint64_t size = 0, range = 0, skip = 0;
	int ret;

	if (s->line && (!s->value || (strcmp(s->value, "none") && strcmp(s->value, "strided"))))
		return jf_bad(c, s, "blkgen supports only none and strided");
	if (!c->strided)
		return zs->line ? jf_bad(c, zs, "needs zonemode=strided, as in fio") : 0;
	ret = jf_number(c, zs, &size);
	if (!ret)
		ret = jf_number(c, zr, &range);
	if (!ret)
		ret = jf_number(c, jf_get(c, "zoneskip"), &skip);
	if (ret)
		return ret;
	if (!size)
		return jf_bad(c, s, "needs zonesize");
	range = range ? range : size;
	if (c->random || c->ops == (R | W))
		return jf_bad(c, s, "blkgen supports zones only for jobs with sequential reads, "
			      "writes or trims, not for random or mixed ones");
	if (size > range)
		return jf_bad(c, zs, "must be at most zonerange, because blkgen does not repeat a "
			      "zone");
	if (c->job->ndevices > 1)
		return jf_bad(c, s, "fio supports no zones on several devices; name one device");
	ret = jf_emit(c, "streams", zs, "1");
	if (!ret)
		ret = jf_emit_num(c, "zone-size", zs, size, "");
	return ret ? ret : jf_emit_num(c, "zone-skip", zs, range - size + skip, "");
}

/*
 * Add --dist normal. fio takes the mean of 12 uniform numbers over the range and adds a uniform
 * number whose width is @param percent of the range. The deviation in percent of the range is the
 * root of the sum of both variances, 100^2 / 144 and dev^2 / 12.
 */
static int emit_normal(struct conv *c, const struct job_setting *s, const char *param)
{
	double dev = strtod(param, NULL);
	int ret;

	if (dev > 50)
		return jf_bad(c, s, "the deviation must be at most 50");
	ret = jf_note(c, s, "blkgen has the frequent blocks in the middle of the range, and fio "
		      "all over the range");
	return ret ? ret : jf_emit(c, "dist", s, "normal:%.4g", sqrt(1e4 / 144 + dev * dev / 12));
}

/*
 * Add --dist for "zoned:50/5:30/15:20/80". Each pair is a zone: its part of the I/Os and its part
 * of the range, both in percent.
 */
static int emit_zoned(struct conv *c, const struct job_setting *s)
{
	const char *list = strchr(s->value, ':');
	char text[1024];
	int ret;

	if (!list++ || strspn(list, "0123456789.:/,") != strlen(list))
		return jf_bad(c, s, "is not a list such as zoned:90/10:10/90");
	ret = jf_directed_of(c, s, list, text, sizeof(text));
	if (ret < 0)
		return ret;
	ret = 0;
	if (!jf_truth(c, "norandommap"))
		ret = jf_note(c, s, "blkgen may access a block again before it has accessed all "
			      "blocks, as with norandommap");
	return ret ? ret : jf_emit(c, "dist", s, "zones:%s", text);
}

int job_conv_dist(struct conv *c, const struct job_setting *s)
{
	size_t len = s->value ? strcspn(s->value, ":") : 0;
	const char *param = len && s->value[len] ? s->value + len + 1 : NULL;
	const struct job_setting *map = jf_get(c, "norandommap");

	if (!c->draws)
		return 0;
	if (!s->line || (len == 6 && !strncmp(s->value, "random", len)))
		return jf_emit(c, "dist", map->line ? map : s, "uniform");
	if (len == 5 && !strncmp(s->value, "zoned", len))
		return emit_zoned(c, s);
	if (s->value && strncmp(s->value, "zoned_abs", 9) && param &&
	    strspn(param, "0123456789.") != strlen(param))
		return jf_bad(c, s, "blkgen supports one number after the colon, and no centre of "
			      "the distribution");
	if (len == 4 && !strncmp(s->value, "zipf", len))
		return jf_emit(c, "dist", s, "zipf:%s", param ? param : "1.1");
	if (len == 6 && !strncmp(s->value, "pareto", len))
		return jf_emit(c, "dist", s, "pareto:%s", param ? param : "0.2");
	if (len == 6 && !strncmp(s->value, "normal", len))
		return emit_normal(c, s, param ? param : "0");
	return jf_bad(c, s, "blkgen supports random, zipf, pareto, normal and zoned");
}

/* --- Convert limits, ramp, rate, think time, jobs, CPUs and seed. */

int job_conv_limits(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *ios = jf_get(c, "number_ios"), *io = jf_get(c, "io_size");
	bool time_based = jf_truth(c, "time_based");
	uint64_t ns = 0, nios = 0, bytes = 0, loops = 1, size;
	int ret = jf_duration(c, s, true, &ns);

	if (!ret && time_based && !ns)
		return jf_bad(c, jf_get(c, "time_based"), "needs runtime");
	if (!ret)
		ret = jf_emit_num(c, "time", s, ns, ns ? "ns" : "");
	/* With time_based, fio ignores all other limits. */
	if (ret || time_based)
		return ret;
	ret = jf_number(c, jf_get(c, "loops"), &loops);
	if (!ret)
		ret = jf_number(c, ios, &nios);
	if (!ret)
		ret = jf_number(c, io, &bytes);
	if (!ret)
		ret = find_size(c, &size);
	if (ret)
		return ret;
	if (!loops)
		return jf_bad(c, jf_get(c, "loops"), "must be at least 1");
	if (nios) {
		ret = jf_times(c, ios, &nios, c->threads) ?: jf_times(c, ios, &nios, loops);
		if (!ret)
			ret = jf_divide(c, ios, &nios);
		if (!ret)
			ret = jf_emit_num(c, "ios", ios, nios, "");
	}
	if (ret)
		return ret;
	if (bytes) {
		ret = jf_divide(c, io, &bytes);
	} else if (!c->draws && !c->strided) {
		/* Each fio thread goes over the whole range, but blkgen's jobs share a pass. */
		ret = jf_times(c, jf_get(c, "numjobs"), &loops, c->threads);
		return ret ? ret : jf_emit_num(c, "pass", jf_get(c, "loops"), loops, "");
	} else if (size) {
		io = jf_get(c, "size");
		bytes = size;
	} else {
		/* The device's size is not known here: give the bytes in percent of it. */
		return jf_times(c, s, &loops, 100 * c->threads) ? -EUSAGE :
			jf_emit_num(c, "bytes", NULL, loops, "%");
	}
	if (!ret)
		ret = jf_times(c, io, &bytes, c->threads) ?: jf_times(c, io, &bytes, loops);
	return ret ? ret : jf_emit_num(c, "bytes", io, bytes, "");
}

int job_conv_ramp(struct conv *c, const struct job_setting *s)
{
	uint64_t ns = 0;
	int ret = jf_duration(c, s, true, &ns);

	if (ret || !ns)
		return ret;
	if (!jf_truth(c, "time_based"))
		return jf_bad(c, s, "fio counts the I/O of this time towards the end of the job, "
			      "and blkgen does not; add time_based");
	return jf_emit_num(c, "ramp", s, ns, "ns");
}

int job_conv_rate(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *iops = jf_get(c, "rate_iops"), *from = s->line ? s : iops;
	const struct job_setting *process = jf_get(c, "rate_process");
	uint64_t rate = 0;
	char text[64];
	int ret;

	if (s->line && iops->line)
		return jf_bad(c, iops, "cannot be used together with rate, as in fio");
	ret = jf_directed(c, from, text, sizeof(text));
	if (ret > 0)
		ret = jf_number_of(c, from, text, &rate);
	if (ret)
		return ret;
	if (process->line && (!process->value || (strcmp(process->value, "linear") &&
						  strcmp(process->value, "poisson"))))
		return jf_bad(c, process, "must be linear or poisson");
	if (!rate)
		return 0;
	if (c->ops == (R | W))
		return jf_bad(c, from, "fio gives reads and writes a rate each, and blkgen does "
			      "not");
	ret = jf_times(c, from, &rate, c->threads);
	if (!ret)
		ret = jf_divide(c, from, &rate);
	if (!ret)
		ret = jf_emit_num(c, "rate", from, rate, from == s ? "B/s" : "");
	return ret ? ret : jf_emit(c, "arrival", process, "%s",
				process->line && *process->value == 'p' ? "poisson" : "fixed");
}

int job_conv_think(struct conv *c, const struct job_setting *s)
{
	uint64_t ns = 0, qd = 1;
	int ret = jf_duration(c, s, false, &ns);

	if (!ret)
		ret = jf_number(c, jf_get(c, "iodepth"), &qd);
	if (ret || !ns)
		return ret;
	if (c->queued && qd > 1)
		return jf_bad(c, s, "before this pause fio waits for all I/Os in flight, and "
			      "blkgen for one; set iodepth=1");
	if (jf_given(c, "rate") || jf_given(c, "rate_iops"))
		return jf_bad(c, s, "blkgen supports thinktime or a rate, not both");
	return jf_emit_num(c, "think", s, ns, "ns");
}

int job_conv_jobs(struct conv *c, const struct job_setting *s)
{
	return jf_emit_num(c, "jobs", s, c->threads, "");
}

int job_conv_cpus(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *mask = jf_get(c, "cpumask");
	char list[1024] = "";
	uint64_t m = 0;
	size_t len = 0;
	int ret = jf_number(c, mask, &m), cpu;

	if (ret || (!s->line && !m))
		return ret;
	if (!s->line) {
		for (cpu = 0; cpu < 64; cpu++)
			if (m >> cpu & 1)
				len += snprintf(list + len, sizeof(list) - len, "%s%d",
						len ? "," : "", cpu);
		return jf_emit(c, "cpus", mask, "%s", list);
	}
	if (!s->value || !*s->value || strspn(s->value, "0123456789,-") != strlen(s->value))
		return jf_bad(c, s, "is not a list of CPUs such as 0-3,8");
	return jf_emit(c, "cpus", s, "%s", s->value);
}

int job_conv_seed(struct conv *c, const struct job_setting *s)
{
	bool repeat = true;
	uint64_t seed = 1;
	int ret = jf_boolean(c, jf_get(c, "randrepeat"), &repeat);

	if (!ret)
		ret = jf_number(c, s, &seed);
	if (ret)
		return ret;
	/* The data to verify depends on the seed: readers need the seed of the writers. */
	if (c->verifies)
		return jf_emit_num(c, "seed", s, seed, "");
	/* In fio, randseed overrides randrepeat. */
	if (!repeat && !s->line && getrandom(&seed, 4, 0) != 4)
		return jf_bad(c, jf_get(c, "randrepeat"), "cannot get a random seed: %s",
			      strerror(errno));
	return jf_emit_num(c, "seed", s, seed + c->thread - 1, "");
}

/* --- Convert flushes, FUA, verify, errors and devices. */

int job_conv_flush(struct conv *c, const struct job_setting *s)
{
	const struct job_setting *data = jf_get(c, "fdatasync");
	uint64_t n = 0, d = 0;
	int ret = jf_number(c, s, &n);

	if (!ret)
		ret = jf_number(c, data, &d);
	if (ret || !(c->ops & W))
		return ret;
	if (n && d)
		return jf_bad(c, data, "blkgen supports fdatasync or fsync, not both");
	return n || d ? jf_emit_num(c, "flush", n ? s : data, n + d, "") : 0;
}

int job_conv_sync(struct conv *c, const struct job_setting *s)
{
	int ret;

	if (!s->line || !s->value || !(c->ops & W) || !strcmp(s->value, "0") ||
	    !strcmp(s->value, "none"))
		return s->line && !s->value ? jf_bad(c, s, "needs a value") : 0;
	if (strcmp(s->value, "1") && strcmp(s->value, "sync") && strcmp(s->value, "dsync"))
		return jf_bad(c, s, "must be none, sync or dsync");
	if (!is_direct(c))
		return jf_bad(c, s, "blkgen supports sync only with direct=1");
	if (jf_given(c, "fsync") || jf_given(c, "fdatasync"))
		return jf_bad(c, s, "blkgen supports sync or fsync and fdatasync, not both");
	/* For a block device the kernel turns O_SYNC and O_DSYNC into a FUA write, then a flush. */
	ret = jf_emit(c, "fua", s, NULL);
	return ret ? ret : jf_emit(c, "flush", s, "1");
}

int job_conv_verify(struct conv *c, const struct job_setting *s)
{
	static const char *const own[] = { "pattern", "pattern_hdr", "null", NULL };
	size_t i;
	int ret;

	if (!c->verifies)
		return 0;
	for (i = 0; own[i]; i++)
		if (s->value && !strcmp(s->value, own[i]))
			return jf_bad(c, s, "blkgen checks its own tags and checksums, not a "
				      "pattern");
	if (!s->value)
		return jf_bad(c, s, "needs a value");
	if (c->ops == (R | W) || c->ops == T)
		return jf_bad(c, s, "blkgen verifies jobs that only read or only write, not %s",
			      c->rw);
	if (c->ops == W && jf_given(c, "do_verify") && !jf_truth(c, "do_verify"))
		return jf_bad(c, jf_get(c, "do_verify"),
			      "with verify, blkgen always reads back what it has written");
	if (c->ops == W && jf_truth(c, "time_based"))
		return jf_bad(c, jf_get(c, "time_based"),
			      "with verify, fio then writes and checks in turn, and blkgen does "
			      "not");
	ret = jf_note(c, s, "blkgen has its own tags and checksums: data that fio has written does "
		      "not match");
	return ret ? ret : jf_emit(c, "verify", s, NULL);
}

int job_conv_errors(struct conv *c, const struct job_setting *s)
{
	const char *v = s->line && s->value ? s->value : "none";

	if (!strcmp(v, "none"))
		return jf_emit(c, "errors", s, "stop");
	if (!strcmp(v, "all") || !strcmp(v, "io") || (!strcmp(v, "read") && c->ops == R) ||
	    (!strcmp(v, "write") && c->ops == W))
		return jf_emit(c, "errors", s, "continue");
	return jf_bad(c, s, "blkgen continues after all errors or after none");
}

/* Use the devices of the command line in place of the file that fio would make. */
static int use_devices(struct conv *c, const struct job_setting *s)
{
	size_t i, n = c->jf->ndevices;

	if (!n)
		return jf_bad(c, s->line ? s : NULL, "the job has no device, and blkgen makes no "
			      "files; give filename=/dev/..., or DEV on the command line");
	c->job->devices = calloc(n, sizeof(*c->job->devices));
	if (!c->job->devices)
		return err(-ENOMEM, "out of memory");
	for (i = 0; i < n; i++)
		c->job->devices[i] = c->jf->devices[i];
	c->job->ndevices = n;
	c->jf->used = true;
	return jf_note(c, s, "the job runs on %s%s instead of a file", c->jf->devices[0],
		       n > 1 ? " and the other devices given" : "");
}

int job_find_devices(struct conv *c)
{
	const struct job_setting *s = jf_get(c, "filename");
	const char *p = s->line ? s->value : c->sec->name;
	char name[1024];
	size_t n = 0;

	if (!p || strncmp(p, "/dev/", 5))
		return use_devices(c, s);
	do {
		char **all = realloc(c->job->devices, (c->job->ndevices + 1) * sizeof(*all));

		if (!all)
			return err(-ENOMEM, "out of memory");
		c->job->devices = all;
		for (n = 0; *p && *p != ':' && n < sizeof(name) - 1; p++) {
			p += p[0] == '\\' && p[1] == ':';
			name[n++] = *p;
		}
		name[n] = 0;
		if (*p && *p != ':')
			return jf_bad(c, s, "is too long");
		if (strncmp(name, "/dev/", 5))
			return jf_bad(c, s, "%s is not a device; give /dev/...", name);
		all[c->job->ndevices] = jobfile_text(c->jf, "%s", name);
		if (!all[c->job->ndevices])
			return -ENOMEM;
		c->job->ndevices++;
	} while (*p++);
	return 0;
}
