// SPDX-License-Identifier: GPL-2.0
/* Read the results of a load from its sessions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/result.h"
#include "blkgen/load/target.h"
#include "core/log.h"
#include "output/histogram.h"

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

static void sum_reset(struct load_sum *s)
{
	struct hist lat = s->lat, service = s->service;

	memset(s, 0, sizeof(*s));
	s->lat = lat;
	s->service = service;
	hist_clear(&s->lat);
	hist_clear(&s->service);
}

/*
 * Add the service times @h to @to. Only the module knows the width of their buckets, so an empty
 * @to takes the buckets of the first @h.
 */
static void add_service(struct hist *to, const struct hist *h)
{
	if (!h->buckets)
		return;
	if (!to->buckets && hist_init(to, h->bits, h->nbuckets))
		err(-ENOMEM, "out of memory: the service times are incomplete");
	else if (hist_merge(to, h))
		err(-EINVAL, "histograms of service times have different buckets and cannot be "
		    "merged: the service times are incomplete");
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

static int sum_since(struct load_sum *d, const struct load_sum *now, uint64_t now_ns,
		     const struct load_sum *before, uint64_t before_ns)
{
	size_t i;
	int ret;

	ret = hist_since(&d->lat, &now->lat, &before->lat);
	add_service(&d->service, &now->service);
	/* Without memory for it, the service times are incomplete, which add_service() reports. */
	if (!ret && before->service.buckets && d->service.buckets)
		ret = hist_since(&d->service, &now->service, &before->service);
	d->ios = now->ios - before->ios;
	d->bytes = now->bytes - before->bytes;
	d->errors = now->errors - before->errors;
	d->unpolled = now->unpolled - before->unpolled;
	/* CPU time can fall: at the end of a ramp, the module begins to count it again from 0. */
	d->cpu_ns = now->cpu_ns > before->cpu_ns ? now->cpu_ns - before->cpu_ns : 0;
	for (i = 0; i < 256; i++)
		d->by_errno[i] = now->by_errno[i] - before->by_errno[i];
	d->start_ns = before_ns;
	d->end_ns = now_ns;
	return ret;
}

static int load_result_since(const struct load *l, const struct load_target *t,
			     struct load_result *d,
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
			ret = sum_since(&d->op[op], &now->op[op], now_ns, &before->op[op],
					before_ns);
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
	/* Tell the module the room for buckets. The call reduces it to the buckets in use. */
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
	/* A hung target completed nothing at the end, but the run includes this time. */
	s->end_ns = w->start_ns && t->ended_ns > w->end_ns ? t->ended_ns : w->end_ns;
	s->errors = r.errors;
	for (i = 0; i < r.nr_error && i < BLKGEN_NR_ERRORS; i++)
		s->by_errno[r.error[i].err & 255] += r.error[i].count;
	/* Flushes do not count as I/Os that the user asked for, but their failures count. */
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

/*
 * Members of the JSON object "errors":
 * @total: integer: Number of I/Os that failed.
 * @by_error: map of integer: Number of I/Os that failed with each errno of their block status:
 *	``EIO``, ``ENODATA`` (medium error), ``ETIMEDOUT``, ``ENOLINK`` (transport), ``ENODEV``
 *	(offline) and others.
 */
static json_object *errors_json(const struct load_sum *s)
{
	json_object *o = json_object_new_object(), *by = json_object_new_object();
	size_t i;

	json_u64(o, "total", s->errors);
	for (i = 0; i < 256; i++) {
		const char *name = strerrorname_np(i);
		char number[16];

		if (!s->by_errno[i])
			continue;
		snprintf(number, sizeof(number), "%zu", i);
		json_u64(by, name ? name : number, s->by_errno[i]);
	}
	json_object_object_add(o, "by_error", by);
	return o;
}

/*
 * Members of the JSON object "run":
 * @ios: integer: I/Os that completed without an error.
 * @bytes: integer: Bytes of these I/Os.
 * @elapsed_ns: integer: Time from the first submission to the last completion.
 * @iops: number: ``ios`` per second of ``elapsed_ns``.
 * @bytes_per_s: number: ``bytes`` per second of ``elapsed_ns``.
 * @latency_ns: latency: Time from right before ``submit_bio()`` to the bio's end_io. It includes
 *	the time in the job's plug. With ``--rate``, it begins when the I/O was due.
 * @service_ns: latency, optional: Service time: from right before ``submit_bio()`` to the bio's
 *	end_io. The histogram buckets are 3.1 % wide. Only with ``--rate``.
 * @histogram: array of range, optional: Histogram of the latencies, from the range of the smallest
 *	to the range of the largest. Only with ``--hist``, and only of a device and its ops.
 * @errors: errors: I/Os that failed. No other member includes them.
 */
void load_sum_json(json_object *o, const struct load_sum *s, bool hist)
{
	struct report_table *t;

	json_u64(o, "ios", s->ios);
	json_u64(o, "bytes", s->bytes);
	json_u64(o, "elapsed_ns", load_sum_elapsed(s));
	json_real(o, "iops", load_sum_rate(s, s->ios));
	json_real(o, "bytes_per_s", load_sum_rate(s, s->bytes));
	json_object_object_add(o, "latency_ns", report_latency(NULL, &s->lat));
	if (s->service.buckets)
		json_object_object_add(o, "service_ns", report_latency(NULL, &s->service));
	json_object_object_add(o, "errors", errors_json(s));
	t = hist ? report_histogram(&s->lat) : NULL;
	if (t)
		json_object_object_add(o, "histogram", report_json(t));
	report_table_free(t);
}

json_object *load_ops_json(const struct load_target *t, const struct load_result *r, bool hist)
{
	json_object *ops = json_object_new_object();
	unsigned int op;

	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		json_object *x;

		if (!load_target_has_op(t, op))
			continue;
		x = json_object_new_object();
		load_sum_json(x, &r->op[op], hist);
		json_object_object_add(ops, load_op_names[op], x);
	}
	return ops;
}

void load_cpu_json(json_object *o, const struct load_sum *s)
{
	json_u64(o, "cpu_ns", s->cpu_ns);
	json_real(o, "cpu_ns_per_io", s->ios ? (double)s->cpu_ns / s->ios : 0);
	json_u64(o, "unpolled", s->unpolled);
}

/*
 * Members of the JSON object "job":
 * @device: string: Device that the job loads.
 * @job: integer: Number of the job on this device, from 0.
 * @pid: integer: Process ID of the job's kernel thread.
 * @submitted: integer: I/Os submitted, flushes included.
 * @*: run: The members of a run object.
 * @cpu_ns: integer: CPU time of the kernel thread, after the ramp. It does not include interrupts
 *	that the CPUs handle while other tasks run.
 * @cpu_ns_per_io: number: ``cpu_ns`` divided by ``ios``; 0 if no I/O completed.
 * @unpolled: integer: I/Os of the engine ``polled`` that completed by interrupt, because a layer
 *	had no free tag below it and stopped polling them. 0 with the other engines.
 * @ops: map of run: Results of each op: ``read``, ``write``, ``trim``, ``zeroes`` and ``flush``.
 *	Only ops that are in the load. The members of the job itself are the sums of all ops except
 *	``flush``, but its ``errors`` include those of ``flush``.
 */
static void job_json(const struct load_target *t, const struct blkgen_worker_info *w,
		     const struct load_result *r, void *arg)
{
	json_object *job = json_object_new_object(), *jobs = arg;

	json_str(job, "device", t->on->dev.name);
	json_u64(job, "job", w->worker);
	json_u64(job, "pid", w->pid);
	json_u64(job, "submitted", w->submitted);
	load_sum_json(job, &r->all, false);
	load_cpu_json(job, &r->all);
	json_object_object_add(job, "ops", load_ops_json(t, r, false));
	json_object_array_add(jobs, job);
}

int load_results_read(const struct load *l, struct load_results *rs, json_object *jobs)
{
	size_t i;
	int ret = 0;

	rs->of = calloc(l->ntargets, sizeof(*rs->of));
	if (!rs->of)
		return err(-ENOMEM, "out of memory");
	for (i = 0; i < l->ntargets && !ret; i++) {
		ret = load_result_read(l, &l->targets[i], &rs->of[i], jobs ? job_json : NULL, jobs);
		if (ret)
			load_result_free(&rs->of[i]);
		else
			rs->n++;
	}
	return ret;
}

void load_results_free(struct load_results *rs)
{
	size_t i;

	for (i = 0; i < rs->n; i++)
		load_result_free(&rs->of[i]);
	free(rs->of);
	memset(rs, 0, sizeof(*rs));
}

int load_results_since(const struct load *l, struct load_results *d,
		       const struct load_results *now, uint64_t now_at,
		       const struct load_results *before, uint64_t before_at)
{
	size_t i;
	int ret = 0;

	d->of = calloc(now->n, sizeof(*d->of));
	if (!d->of)
		return err(-ENOMEM, "out of memory");
	d->n = now->n;
	for (i = 0; i < d->n && !ret; i++)
		ret = load_result_since(l, &l->targets[i], &d->of[i], &now->of[i], now_at,
					&before->of[i], before_at);
	return ret;
}
