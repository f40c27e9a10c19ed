// SPDX-License-Identifier: GPL-2.0
/* Read values of fio's keys, report what is wrong with them, and add options made of them. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/fio/jobfile_value.h"
#include "core/opt.h"

const struct job_setting *jf_get(const struct conv *c, const char *name)
{
	const struct job_setting *s = c->sec->set->key;

	while (strcmp(s->name, name))
		s++;
	return s;
}

bool jf_given(const struct conv *c, const char *name)
{
	return jf_get(c, name)->line != 0;
}

/* Format "path:line: key=value", or "path:line: [name]" if the file does not have the key. */
static char *place(const struct conv *c, const struct job_setting *s, char *buf, size_t len)
{
	if (s && s->line)
		snprintf(buf, len, "%s:%u: %s%s%s", c->sec->path, s->line, s->name,
			 s->value ? "=" : "", s->value ? s->value : "");
	else
		snprintf(buf, len, "%s:%u: [%s]", c->sec->path, c->sec->line, c->sec->name);
	return buf;
}

int __printf(3, 4) jf_bad(const struct conv *c, const struct job_setting *s, const char *fmt, ...)
{
	char why[300], at[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return err(-EUSAGE, "%s: %s", place(c, s, at, sizeof(at)), why);
}

int __printf(3, 4) jf_note(struct conv *c, const struct job_setting *s, const char *fmt, ...)
{
	char **all, why[300], at[600];
	va_list ap;

	/* All clones have the same notes, so add them only for the first clone. */
	if (c->clone)
		return 0;
	all = realloc(c->jf->notes, (c->jf->nnotes + 1) * sizeof(*all));
	if (!all)
		return err(-ENOMEM, "out of memory");
	c->jf->notes = all;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	all[c->jf->nnotes] = jobfile_text(c->jf, "%s: %s", place(c, s, at, sizeof(at)), why);
	if (!all[c->jf->nnotes])
		return -ENOMEM;
	c->jf->nnotes++;
	return 0;
}

int __printf(4, 5) jf_emit(struct conv *c, const char *opt, const struct job_setting *s,
			       const char *fmt, ...)
{
	struct job_opt *all = realloc(c->job->opts, (c->job->nopts + 1) * sizeof(*all));
	char text[4096];
	va_list ap;

	if (!all)
		return err(-ENOMEM, "out of memory");
	c->job->opts = all;
	all += c->job->nopts;
	*all = (struct job_opt) { .opt = opt, .line = s && s->line ? s->line : c->sec->line };
	if (fmt) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		all->value = jobfile_text(c->jf, "%s", text);
		if (!all->value)
			return -ENOMEM;
	}
	c->job->nopts++;
	return 0;
}

int jf_emit_num(struct conv *c, const char *opt, const struct job_setting *s, uint64_t v,
		    const char *unit)
{
	return jf_emit(c, opt, s, "%llu%s", (unsigned long long)v, unit);
}

int jf_boolean(const struct conv *c, const struct job_setting *s, bool *v)
{
	if (!s->line)
		return 0;
	if (s->value && strcmp(s->value, "0") && strcmp(s->value, "1"))
		return jf_bad(c, s, "must be 0 or 1");
	*v = !s->value || *s->value == '1';
	return 0;
}

bool jf_truth(const struct conv *c, const char *name)
{
	const struct job_setting *s = jf_get(c, name);

	return s->line && (!s->value || strcmp(s->value, "0"));
}

/* Read a number with one of the suffixes. @factor has one factor per suffix, in the same order. */
static int scaled(const char *text, const char *const *suffix, const uint64_t *factor,
		  uint64_t *v)
{
	char *end;
	uint64_t n;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, strncasecmp(text, "0x", 2) ? 10 : 16);
	if (errno)
		return -ERANGE;
	for (; *suffix && strcasecmp(*suffix, end); suffix++)
		factor++;
	if (!*suffix)
		return -EINVAL;
	return __builtin_mul_overflow(n, *factor, v) ? -ERANGE : 0;
}

/*
 * In fio every number that is not a time takes suffixes, also iodepth and rate_iops. With
 * kb_base=1024, the default, k and kb mean 1024 and kib means 1000. With kb_base=1000 it is the
 * other way round.
 */
static int parse_bytes(const struct conv *c, const char *text, uint64_t *v)
{
	static const char *const suffix[] = {
		"", "k", "kb", "m", "mb", "g", "gb", "t", "tb", "p", "pb",
		"kib", "mib", "gib", "tib", "pib", NULL
	};
	uint64_t factor[17] = { 1 }, k = c->kilo, other = k == 1000 ? 1024 : 1000;
	int i;

	for (i = 0; i < 5; i++) {
		factor[1 + 2 * i] = (i ? factor[2 * i] : 1) * k;
		factor[2 + 2 * i] = factor[1 + 2 * i];
		factor[11 + i] = (i ? factor[10 + i] : 1) * other;
	}
	return scaled(text, suffix, factor, v);
}

int jf_number_of(const struct conv *c, const struct job_setting *s, const char *text, uint64_t *v)
{
	int ret = parse_bytes(c, text, v);

	if (ret == -ERANGE)
		return jf_bad(c, s, "is too large");
	if (ret && strchr(text, '%'))
		return jf_bad(c, s, "must be in bytes, not in per cent of the device");
	return ret ? jf_bad(c, s, "is not a whole number such as 4096, 4k or 1m") : 0;
}

int jf_number(const struct conv *c, const struct job_setting *s, uint64_t *v)
{
	if (!s->line)
		return 0;
	return s->value ? jf_number_of(c, s, s->value, v) : jf_bad(c, s, "needs a value");
}

int jf_times(const struct conv *c, const struct job_setting *s, uint64_t *v, uint64_t n)
{
	return __builtin_mul_overflow(*v, n, v) ? jf_bad(c, s, "is too large") : 0;
}

int jf_divide(const struct conv *c, const struct job_setting *s, uint64_t *v)
{
	if (*v % c->job->ndevices)
		return jf_bad(c, s, "cannot be divided evenly among the %zu devices of the job",
			      c->job->ndevices);
	*v /= c->job->ndevices;
	return 0;
}

int jf_duration(const struct conv *c, const struct job_setting *s, bool seconds, uint64_t *ns)
{
	static const char *const suffix[] = {
		"", "us", "usec", "ms", "msec", "s", "m", "h", "d", NULL
	};
	uint64_t factor[] = {
		seconds ? 1000000000 : 1000, 1000, 1000, 1000000, 1000000, 1000000000,
		60000000000, 3600000000000, 86400000000000
	};

	if (!s->line)
		return 0;
	if (!s->value || scaled(s->value, suffix, factor, ns))
		return jf_bad(c, s, "is not a time that fio knows: N, Nus, Nms, Ns, Nm, Nh or Nd");
	return 0;
}

int jf_directed_of(const struct conv *c, const struct job_setting *s, const char *p, char *buf,
		   size_t len)
{
	const char *part[3];
	size_t n[3] = { 0 }, i;
	int first = -1;

	for (i = 0; i < 3; i++) {
		part[i] = p;
		n[i] = strcspn(p, ",");
		if (p[n[i]])
			p += n[i] + 1;
	}
	for (i = 0; i < 3; i++) {
		if (!(c->ops & 1u << i))
			continue;
		if (first < 0)
			first = i;
		else if (n[i] != n[first] || strncmp(part[i], part[first], n[i]))
			return jf_bad(c, s, "blkgen needs the same value for the reads, writes and "
				      "trims of a job");
	}
	if (n[first] >= len)
		return jf_bad(c, s, "is too long");
	snprintf(buf, len, "%.*s", (int)n[first], part[first]);
	return n[first] > 0;
}

int jf_directed(const struct conv *c, const struct job_setting *s, char *buf, size_t len)
{
	if (!s->line)
		return 0;
	return s->value ? jf_directed_of(c, s, s->value, buf, len) : jf_bad(c, s, "needs a value");
}
