// SPDX-License-Identifier: GPL-2.0
/* blkgen load: what a load did, read from its sessions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/load.h"
#include "core/log.h"
#include "uapi/loglin.h"

int load_sum_init(struct load_sum *s, const struct blkgen_features *f)
{
	memset(s, 0, sizeof(*s));
	return hist_init(&s->lat, f->hist_bits, f->hist_buckets);
}

void load_sum_free(struct load_sum *s)
{
	hist_free(&s->lat);
	hist_free(&s->service);
}

static void hist_reset(struct hist *h)
{
	h->count = h->sum = h->min = h->max = 0;
	if (h->buckets)
		memset(h->buckets, 0, h->nbuckets * sizeof(*h->buckets));
}

static void sum_reset(struct load_sum *s)
{
	struct hist lat = s->lat, service = s->service;

	memset(s, 0, sizeof(*s));
	s->lat = lat;
	s->service = service;
	hist_reset(&s->lat);
	hist_reset(&s->service);
}

/* Only the module knows how coarse they are: the first one tells. */
static void add_service(struct hist *to, const struct hist *h)
{
	if (!h->buckets)
		return;
	if (!to->buckets && hist_init(to, h->bits, h->nbuckets))
		err(-ENOMEM, "out of memory: service times are not complete");
	else if (hist_merge(to, h))
		err(-EINVAL, "service times are not alike, and not complete");
}

static void add_errors(struct load_sum *to, const struct load_sum *s)
{
	size_t i;

	to->errors += s->errors;
	for (i = 0; i < 256; i++)
		to->by_errno[i] += s->by_errno[i];
}

void load_sum_add(struct load_sum *to, const struct load_sum *s)
{
	to->ios += s->ios;
	to->bytes += s->bytes;
	to->cpu_ns += s->cpu_ns;
	to->unpolled += s->unpolled;
	add_errors(to, s);
	if (s->start_ns && (!to->start_ns || s->start_ns < to->start_ns))
		to->start_ns = s->start_ns;
	if (s->end_ns > to->end_ns)
		to->end_ns = s->end_ns;
	hist_merge(&to->lat, &s->lat);
	add_service(&to->service, &s->service);
}

uint64_t load_sum_elapsed(const struct load_sum *s)
{
	return s->end_ns > s->start_ns ? s->end_ns - s->start_ns : 0;
}

double load_sum_rate(const struct load_sum *s, uint64_t n)
{
	uint64_t ns = load_sum_elapsed(s);

	return ns ? n * 1e9 / ns : 0;
}

bool load_target_has_op(const struct load_target *t, unsigned int op)
{
	return t->setup.mix[op] || (op == BLKGEN_OP_FLUSH && t->setup.flush_every);
}

static int result_init(struct load_result *r, const struct load_target *t,
		       const struct blkgen_features *f)
{
	unsigned int op;
	int ret;

	load_result_free(r);
	ret = load_sum_init(&r->all, f);
	for (op = 0; op < BLKGEN_NR_OPS && !ret; op++)
		if (load_target_has_op(t, op))
			ret = load_sum_init(&r->op[op], f);
	return ret;
}

void load_result_free(struct load_result *r)
{
	unsigned int op;

	load_sum_free(&r->all);
	for (op = 0; op < BLKGEN_NR_OPS; op++)
		load_sum_free(&r->op[op]);
	memset(r, 0, sizeof(*r));
}

/* The largest of a difference is known by its bucket only. */
static void fix_max(struct hist *h)
{
	uint64_t most = h->max;
	uint32_t i = h->nbuckets;

	if (!h->count)
		return;
	while (i && !h->buckets[i - 1])
		i--;
	h->max = i && i < h->nbuckets ? loglin_high(i - 1, h->bits) : most;
	h->max = h->max < most ? h->max : most;
}

static int sum_since(struct load_sum *d, const struct load_sum *now, uint64_t now_ns,
		     const struct load_sum *before, uint64_t before_ns)
{
	size_t i;
	int ret;

	ret = hist_delta(&d->lat, &now->lat, &before->lat);
	fix_max(&d->lat);
	add_service(&d->service, &now->service);
	if (!ret && before->service.buckets) {
		ret = hist_delta(&d->service, &now->service, &before->service);
		fix_max(&d->service);
	}
	d->ios = now->ios - before->ios;
	d->bytes = now->bytes - before->bytes;
	d->errors = now->errors - before->errors;
	d->cpu_ns = now->cpu_ns - before->cpu_ns;
	for (i = 0; i < 256; i++)
		d->by_errno[i] = now->by_errno[i] - before->by_errno[i];
	d->start_ns = before_ns;
	d->end_ns = now_ns;
	return ret;
}

int load_result_since(const struct load *l, const struct load_target *t, struct load_result *d,
		      const struct load_result *now, uint64_t now_ns,
		      const struct load_result *before, uint64_t before_ns)
{
	unsigned int op;
	int ret;

	ret = result_init(d, t, &l->feat);
	if (!ret)
		ret = sum_since(&d->all, &now->all, now_ns, &before->all, before_ns);
	for (op = 0; op < BLKGEN_NR_OPS && !ret; op++)
		if (load_target_has_op(t, op))
			ret = sum_since(&d->op[op], &now->op[op], now_ns, &before->op[op], before_ns);
	return ret ? err(ret, "out of memory") : 0;
}

static int read_service(const struct load_target *t, const struct blkgen_worker_info *w,
			unsigned int op, struct load_sum *s)
{
	struct blkgen_result r;

	if (!t->setup.rate || op == BLKGEN_OP_FLUSH)
		return 0;
	if (!s->service.buckets && hist_init(&s->service, s->lat.bits, s->lat.nbuckets))
		return -ENOMEM;
	/* There is as much room as for latencies; what is used comes back. */
	s->service.nbuckets = s->lat.nbuckets;
	return kctl_result(t->ctl, BLKGEN_WHAT_SERVICE, w->worker, op, &r, &s->service);
}

static int read_op(const struct load_target *t, const struct blkgen_worker_info *w,
		   unsigned int op, struct load_result *job)
{
	struct load_sum *s = &job->op[op];
	struct blkgen_result r;
	unsigned int i;
	int ret;

	sum_reset(s);
	ret = kctl_result(t->ctl, BLKGEN_WHAT_LATENCY, w->worker, op, &r, &s->lat);
	if (ret)
		return ret;
	s->ios = r.ios;
	s->bytes = r.bytes;
	s->start_ns = w->start_ns;
	ret = read_service(t, w, op, s);
	if (ret)
		return ret;
	/* Nothing came back to the end, but that is a part of the run. */
	s->end_ns = w->start_ns && t->ended_ns > w->end_ns ? t->ended_ns : w->end_ns;
	s->errors = r.errors;
	for (i = 0; i < r.nr_error && i < BLKGEN_NR_ERRORS; i++)
		s->by_errno[r.error[i].err & 255] += r.error[i].count;
	/* Flushes are not of the I/Os that were asked for; that they failed is. */
	if (op == BLKGEN_OP_FLUSH)
		add_errors(&job->all, s);
	else
		load_sum_add(&job->all, s);
	return 0;
}

static int read_job(const struct load_target *t, struct blkgen_worker_info *w,
		    struct load_result *job)
{
	unsigned int op;
	int ret;

	ret = kctl_worker(t->ctl, w->worker, w);
	if (ret)
		return ret;
	sum_reset(&job->all);
	for (op = 0; op < BLKGEN_NR_OPS && !ret; op++)
		if (load_target_has_op(t, op))
			ret = read_op(t, w, op, job);
	job->all.cpu_ns = w->cpu_ns;
	job->all.unpolled = w->unpolled;
	return ret;
}

int load_result_read(const struct load *l, const struct load_target *t, struct load_result *r,
		     load_job_fn fn, void *arg)
{
	struct load_result *job = calloc(1, sizeof(*job));
	struct blkgen_worker_info w = { 0 };
	unsigned int i, op;
	int ret;

	if (!job)
		return err(-ENOMEM, "out of memory");
	ret = result_init(r, t, &l->feat);
	if (!ret)
		ret = result_init(job, t, &l->feat);
	if (ret)
		err(ret, "out of memory");
	for (i = 0; i < t->setup.workers && !ret; i++) {
		w.worker = i;
		ret = read_job(t, &w, job);
		if (ret) {
			err(ret, "%s: cannot read the result of job %u: %s", t->on->dev.name, i,
			    strerror(-ret));
			break;
		}
		load_sum_add(&r->all, &job->all);
		for (op = 0; op < BLKGEN_NR_OPS; op++)
			if (load_target_has_op(t, op))
				load_sum_add(&r->op[op], &job->op[op]);
		if (fn)
			fn(t, &w, job, arg);
	}
	load_result_free(job);
	free(job);
	return ret;
}
