// SPDX-License-Identifier: GPL-2.0
/* Run --steady and --target-latency, where the results of a load decide what runs next. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/hang.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/nvme.h"
#include "blkgen/load/result.h"
#include "blkgen/load/run.h"
#include "blkgen/load/target.h"
#include "blkgen/load/wait.h"
#include "blkgen/series/adapt.h"
#include "blkgen/series/step.h"
#include "core/log.h"
#include "core/search.h"
#include "core/steady.h"
#include "core/units.h"

/* These are the rounds of a step. */
struct rounds {
	double *iops;		/* [t * STEADY_ROUNDS + i] is that of target t in round i */
	size_t n;
	struct steady worst;	/* the test of the least steady target */
	bool reached;		/* all targets are steady */
	struct load_results at;	/* results at the end of the last round */
	uint64_t at_ns;
	uint64_t errors;	/* failed I/Os of the rounds; they are reported already */
};

/* Test whether all targets are steady, and find the least steady one. */
static void judge(struct rounds *r, size_t ntargets)
{
	size_t t;

	r->reached = true;
	for (t = 0; t < ntargets; t++) {
		struct steady s = steady_test(r->iops + t * STEADY_ROUNDS, r->n);

		r->reached &= s.reached;
		if (!t || (r->worst.reached && !s.reached) ||
		    (r->worst.reached == s.reached && s.range > r->worst.range))
			r->worst = s;
	}
}

static int record_round(struct load *l, struct load_series *s, const struct load_step *st,
			struct rounds *r, const struct load_results *diff)
{
	char nr[16], range[16] = "-", slope[16] = "-";
	const char *extra[] = { nr, range, slope };
	json_object *o;

	snprintf(nr, sizeof(nr), "%zu", r->n);
	if (r->n >= STEADY_WINDOW) {
		snprintf(range, sizeof(range), "%.1f%%", r->worst.range);
		snprintf(slope, sizeof(slope), "%+.1f%%", r->worst.slope);
	}
	o = load_step_record(l, s, st, diff, extra, NULL);
	if (!o)
		return -ENOMEM;
	json_u64(o, "round", r->n);
	json_flag(o, "steady", r->reached);
	if (r->n >= STEADY_WINDOW) {
		json_real(o, "range_percent", r->worst.range);
		json_real(o, "slope_percent", r->worst.slope);
	}
	return 0;
}

/* End a round: record what was done since the end of the last one, and test for steadiness. */
static int end_round(struct load *l, struct load_series *s, const struct load_step *st,
		     struct rounds *r)
{
	struct load_results now = { 0 }, diff = { 0 };
	uint64_t now_at;
	size_t t;
	int ret;

	now_at = now_ns();
	ret = load_results_read(l, &now, NULL);
	if (!ret)
		ret = load_results_since(l, &diff, &now, now_at, &r->at, r->at_ns);
	if (!ret) {
		for (t = 0; t < l->ntargets; t++) {
			r->iops[t * STEADY_ROUNDS + r->n] =
				load_sum_rate(&diff.of[t].all, diff.of[t].all.ios);
			r->errors += diff.of[t].all.errors;
		}
		r->n++;
		judge(r, l->ntargets);
		load_nvme_round(l);
		ret = record_round(l, s, st, r, &diff);
	}
	load_results_free(&diff);
	load_results_free(&r->at);
	r->at = now;
	r->at_ns = now_at;
	return ret;
}

static void note_rounds(const struct load *l, struct load_series *s, const struct load_step *st,
			const struct rounds *r)
{
	char text[200], iops[FMT_LEN];
	const char *sep;

	load_step_text(s, st, text, sizeof(text));
	sep = *text ? ": " : "";
	if (r->reached)
		load_series_note(s, "%s%ssteady in rounds %zu to %zu: range %.1f%% of the mean, "
				 "slope %.1f%%, mean %s IOPS", text, sep, r->n - STEADY_WINDOW + 1,
				 r->n, r->worst.range, r->worst.slope,
				 fmt_count(iops, sizeof(iops), r->worst.mean));
	else
		load_series_note(s, "%s%snot steady: %s after %zu rounds", text, sep,
				 l->interrupted_ns ? "interrupted" :
				 r->n == STEADY_ROUNDS ? "given up" : "the load ended", r->n);
}

static int run_rounds(struct load *l, struct load_series *s, const struct load_step *st,
		      struct rounds *r)
{
	const struct load_cfg *c = &st->jobs[0].cfg;
	char round[32];
	uint64_t next;
	int ret;

	ret = load_start(l);
	/* The first round begins after the ramp, in which no completions are counted. */
	next = now_ns() + c->set.ramp_ns;
	if (!ret && c->set.ramp_ns) {
		ret = load_wait(l, next);
		ret = ret < 0 ? ret : 0;
		load_nvme_round(l);
	}
	if (!ret)
		ret = load_results_read(l, &r->at, NULL);
	r->at_ns = now_ns();
	next = r->at_ns;
	while (!ret && r->n < STEADY_ROUNDS && !r->reached) {
		snprintf(round, sizeof(round), "round %zu", r->n + 1);
		load_series_progress(l, s, st, round);
		next += c->set.time_ns;
		ret = load_wait(l, next);
		/* 1 means that the load still runs. A round that was cut short is not recorded. */
		if (ret != 1 || l->interrupted_ns)
			break;
		ret = end_round(l, s, st, r);
	}
	if (ret < 0)
		return ret;
	load_stop(l);
	return load_wait(l, 0);
}

/*
 * Report I/Os that failed during the ramp, in a round that was cut short, or while they were in
 * flight after the last round. No row of the table counts these failures.
 */
static void count_errors(struct load *l, const struct rounds *r, const struct load_results *rs)
{
	uint64_t errors = 0;
	size_t t;

	for (t = 0; t < rs->n; t++)
		errors += rs->of[t].all.errors;
	if (errors <= r->errors)
		return;
	warn("%llu I/Os failed outside of the measured rounds",
	     (unsigned long long)(errors - r->errors));
	l->errors += errors - r->errors;
}

/* Report the load as a whole. */
static int after_rounds(struct load *l, struct load_series *s, const struct load_step *st,
			const struct rounds *r)
{
	struct load_results rs = { 0 };
	int ret;

	note_rounds(l, s, st, r);
	load_series_progress(l, s, st, "all rounds");
	ret = load_results_read(l, &rs, NULL);
	if (!ret) {
		count_errors(l, r, &rs);
		ret = load_step_details(l, &rs);
	}
	load_results_free(&rs);
	return ret;
}

int load_steady(struct load *l, struct load_series *s, struct load_step *st)
{
	struct rounds r = { 0 };
	int ret;

	ret = load_step_prepare(l, s, st, true);
	if (ret)
		return ret;
	r.iops = calloc(l->ntargets * STEADY_ROUNDS, sizeof(*r.iops));
	ret = r.iops ? run_rounds(l, s, st, &r) : err(-ENOMEM, "out of memory");
	if (!ret)
		ret = after_rounds(l, s, st, &r);
	/* Drop the intervals after the last round: otherwise the next step would report them. */
	json_object_put(load_intervals_json(l));
	load_results_free(&r.at);
	free(r.iops);
	return ret;
}

int load_goal_parse(const char *text, struct load_goal *g)
{
	const char *eq = strchr(text, '=');
	char number[16];

	if (*text == 'p' && eq && eq > text + 1 && (size_t)(eq - text) < sizeof(number)) {
		snprintf(number, sizeof(number), "%.*s", (int)(eq - text - 1), text + 1);
		snprintf(g->name, sizeof(g->name), "p%s", number);
		if (!strchr(number, '%') && !parse_percent(number, &g->pct) && g->pct > 0 &&
		    !parse_time(eq + 1, &g->limit_ns) && g->limit_ns)
			return 0;
	}
	return usage_error("--target-latency: '%s' is not a percentile and a time such as "
			   "p99=500us", text);
}

/* The search looks for the highest value of this option that holds the goal. */
struct knob {
	const char *name;	/* "rate" in I/Os or bytes per second, or "qd" */
	uint64_t unit;		/* RATE_BYTES or 0 */
	double precision;	/* per cent */
	uint64_t min, first, max;
};

/*
 * Return the lowest rate, in I/Os per second, at which --time has enough I/Os to measure the
 * percentile. At least one I/O must lie above the percentile, so p99 needs 100 I/Os.
 */
static uint64_t least_rate(const struct load_cfg *c, const struct load_goal *g)
{
	double ios = g->pct < 100 ? 100 / (100 - g->pct) : 1, rate;

	rate = ceil(ios * 1e9 / c->set.time_ns);
	return rate > 1 ? rate : 1;
}

/*
 * Return the highest --qd to try. The data buffers of all jobs must fit into the memory that the
 * module allows. If the user gave --qd, or the engine has one I/O in flight per job, --qd itself is
 * the limit.
 */
static uint64_t most_qd(const struct load *l, const struct load_cfg *c)
{
	const long page = sysconf(_SC_PAGESIZE);
	uint64_t each = (c->sizes.max + page - 1) / page * page * c->set.workers, n;

	if (l->qd_given || load_single(c))
		return c->set.qd;
	each *= load_has_op(c, BLKGEN_OP_READ) + load_has_op(c, BLKGEN_OP_WRITE);
	n = each ? l->feat.max_buffer / each : l->feat.max_qd;
	return n > l->feat.max_qd ? l->feat.max_qd : n ? n : 1;
}

/*
 * Return the lowest rate to try, in the unit of --rate. A lower rate gives too few I/Os for the
 * percentile, or is refused by the module.
 */
static uint64_t lowest_rate(const struct load_cfg *c, const struct load_goal *g)
{
	uint64_t worth = least_rate(c, g);
	/* See check_rate() of check.c. */
	double taken = ceil(c->set.burst * (double)c->set.workers * 1e9 / BLKGEN_MAX_WAIT);

	if (taken > worth)
		worth = taken;
	return c->rate & RATE_BYTES ? worth * c->sizes.max : worth;
}

static struct knob find_knob(const struct load *l, const struct load_cfg *c,
			     const struct load_goal *g)
{
	uint64_t bs = c->rate & RATE_BYTES ? c->sizes.max : 1;

	if (!c->rate)
		return (struct knob) { "qd", 0, 0, 1, 1, most_qd(l, c) };
	return (struct knob) { "rate", c->rate & RATE_BYTES, 1, lowest_rate(c, g), 1000 * bs,
			       c->rate & ~RATE_BYTES };
}

static void turn(struct load_step *st, const struct knob *k, uint64_t v)
{
	size_t i;

	for (i = 0; i < st->njobs; i++) {
		if (*k->name == 'q')
			st->jobs[i].cfg.set.qd = v;
		else
			st->jobs[i].cfg.rate = v | k->unit;
	}
}

/*
 * Return true if the target kept up with --rate. If it did not, some I/Os were due but not done
 * when the time was over. They waited longer than the I/Os that were counted, so the percentile
 * would look too good. Tolerate that 1 % of the I/Os and one burst are missing, and three standard
 * deviations if arrivals are random.
 */
static bool kept_rate(const struct load_target *t, const struct load_sum *s)
{
	const struct load_cfg *c = t->cfg;
	double due = (c->rate & ~RATE_BYTES) * (c->set.time_ns / 1e9), least;

	if (c->rate & RATE_BYTES)
		due /= c->sizes.max;
	least = 0.99 * due - c->set.burst;
	if (c->set.arrival == BLKGEN_ARRIVAL_POISSON)
		least -= 3 * sqrt(due * c->set.burst);
	return (c->rate & RATE_BYTES ? (double)s->bytes / c->sizes.max : s->ios) >= least;
}

static const char *verdict(const struct load *l, const struct load_results *rs,
			   const struct load_goal *g)
{
	size_t i;

	for (i = 0; i < rs->n; i++) {
		const struct load_sum *s = &rs->of[i].all;

		if (s->errors || l->targets[i].hung)
			return "errors";
		if (!s->ios || hist_percentile(&s->lat, g->pct) > g->limit_ns)
			return "no";
		if (!kept_rate(&l->targets[i], s))
			return "rate missed";
	}
	return "yes";
}

static void value_text(const struct knob *k, uint64_t v, char *buf, size_t len)
{
	if (k->unit)
		fmt_bw(buf, len, v);
	else
		snprintf(buf, len, "%llu", (unsigned long long)v);
}

/* Return true if a try ended early: then it does not show if its value holds the goal. */
static bool cut_short(const struct load *l)
{
	return l->interrupted_ns || load_intervals_failed(l);
}

/* Run the load with the value @v. Return: 1 if it holds the goal, 0 if it does not, or -errno. */
static int try_value(struct load *l, struct load_series *s, struct load_step *st,
		     const struct knob *k, uint64_t v)
{
	json_object *jobs = json_object_new_array(), *o = NULL;
	struct load_results rs = { 0 };
	char text[FMT_LEN], part[FMT_LEN + 16];
	const char *held = "";
	int ret;

	turn(st, k, v);
	ret = load_step_prepare(l, s, st, false);
	value_text(k, v, text, sizeof(text));
	snprintf(part, sizeof(part), "--%s %s", k->name, text);
	load_series_progress(l, s, st, part);
	if (!ret)
		ret = load_execute(l);
	if (!ret)
		ret = load_results_read(l, &rs, jobs);
	if (ret) {
		json_object_put(jobs);
	} else {
		held = cut_short(l) ? "interrupted" : verdict(l, &rs, s->goal);
		o = load_step_record(l, s, st, &rs, (const char *[]) { text, held, NULL }, jobs);
		ret = o ? load_step_details(l, &rs) : -ENOMEM;
		ret = ret ? ret : !strcmp(held, "yes");
	}
	if (o)
		json_str(o, "held", held);
	load_results_free(&rs);
	return ret;
}

/*
 * Members of the JSON object "found":
 * @option: string: Option whose highest value was searched: ``qd`` or ``rate``.
 * @set: map of string: Value of each key of ``--sweep`` in the steps of this search.
 * @value: integer or null: Highest value that held the latency goal, null if none did. A rate is in
 *	I/Os or bytes per second, as ``--rate`` was given.
 * @complete: boolean: The search ran to its end. false if it ended early: by a signal, because I/Os
 *	hang, or because a file could not be written.
 */
static void note_answer(const struct load *l, struct load_series *s, const struct load_step *st,
			const struct knob *k, const struct search *se, bool over)
{
	char step[200], text[FMT_LEN], limit[FMT_LEN];
	json_object *o = json_object_new_object();
	const char *sep;

	load_step_text(s, st, step, sizeof(step));
	sep = *step ? ": " : "";
	fmt_time(limit, sizeof(limit), s->goal->limit_ns);
	value_text(k, se->held, text, sizeof(text));
	if (over && se->held)
		load_series_note(s, "%s%s--%s %s holds %s=%s%s", step, sep, k->name, text,
				 s->goal->name, limit, se->held == k->max ?
				 ", and is the highest value allowed" : "");
	else if (over)
		load_series_note(s, "%s%snot even --%s %llu%s holds %s=%s", step, sep, k->name,
				 (unsigned long long)k->min, k->unit ? " B/s" : "", s->goal->name,
				 limit);
	else
		load_series_note(s, "%s%s%s: the highest --%s that held so far is %s", step, sep,
				 l->hung ? "given up" : "interrupted", k->name,
				 se->held ? text : "none");
	json_str(o, "option", k->name);
	json_object_object_add(o, "set", load_values_json(s, st));
	json_object_object_add(o, "value", se->held ? json_object_new_int64(se->held) : NULL);
	json_flag(o, "complete", over);
	json_object_array_add(s->found, o);
}

int load_search_check(const struct load *l, const struct load_cfg *c, const struct load_goal *g)
{
	struct knob k = find_knob(l, c, g);

	if (k.max >= k.min)
		return 0;
	return usage_error("--target-latency: --rate must be at least %llu%s to measure %s within "
			   "--time", (unsigned long long)k.min, k.unit ? "B/s" : "", g->name);
}

int load_search(struct load *l, struct load_series *s, struct load_step *st)
{
	struct knob k = find_knob(l, &st->jobs[0].cfg, s->goal);
	struct search se;
	uint64_t v;
	bool over;
	int ret = 0;

	search_init(&se, k.min, k.first, k.max, k.precision);
	while (ret >= 0 && !load_interrupted(l) && search_next(&se, &v)) {
		ret = try_value(l, s, st, &k, v);
		if (ret >= 0 && !cut_short(l))
			search_tell(&se, v, ret);
	}
	if (ret < 0)
		return ret;
	over = !load_interrupted(l);
	note_answer(l, s, st, &k, &se, over);
	return !se.held && over;
}
