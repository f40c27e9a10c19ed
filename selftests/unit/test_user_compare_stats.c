// SPDX-License-Identifier: GPL-2.0
/*
 * This test will compare made devices, and expect means of stages to add up, rounds to be paired,
 * only real differences to be significant, and tables and JSON to say the same.
 */
/* needs: host */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat.h"
#include "core/log.h"
#include "blklat/result/compare_stats.h"
#include "blklat/result/verdict.h"
#include "output/json.h"
#include "random.h"
#include "unit.h"

#define IOS 400

static struct result_row *row_of(struct result_sample *s, const char *stage, const char *layer)
{
	struct result_row *r = (struct result_row *)result_row_find(&s->rows, stage, layer);

	if (r)
		return r;
	r = result_row_add(&s->rows);
	snprintf(r->stage, sizeof(r->stage), "%s", stage);
	snprintf(r->layer, sizeof(r->layer), "%s", layer);
	snprintf(r->label, sizeof(r->label), "%s", stage);
	strcpy(r->group, "kernel");
	return r;
}

/* Add an I/O to a traced sample: its stages, and their sum as its total. */
static void add_io(struct result_sample *s, const double *ns, size_t n)
{
	static const char *const stages[][2] = {
		{ "entry", "leaf" }, { "layer submit", "0" }, { "sched", "leaf" },
		{ "device", "leaf" },
	};
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (ns[i] < 0)
			continue;
		hist_add(&row_of(s, stages[i][0], stages[i][1])->hist, ns[i]);
		sum += (uint64_t)ns[i];
	}
	hist_add(&s->total, sum);
	s->ios++;
}

struct model {
	double entry, layer, sched, device;
	double noise;		/* of a round, as a part */
	double spread;		/* of I/Os */
	double every_round;	/* what rounds have in common */
};

static double rounds_noise[64];

static void fill_dev(struct result_dev *d, const char *label, const struct model *m, size_t rounds,
		     bool plain)
{
	memset(d, 0, sizeof(*d));
	snprintf(d->name, sizeof(d->name), "%s", label);
	snprintf(d->label, sizeof(d->label), "%s", label);
	d->top = true;
	for (size_t i = 0; i < rounds * (plain ? 2 : 1); i++) {
		struct result_sample *s = result_sample_add(d);
		double f = 1 + m->noise * random_normal() +
			   m->every_round * rounds_noise[i % rounds];

		s->round = i % rounds;
		s->traced = i >= rounds || !plain;
		s->elapsed_ns = 1000000000;
		for (size_t k = 0; k < IOS; k++) {
			double x = f * (1 + m->spread * random_normal());
			double ns[] = { m->entry * x, m->layer * x, m->sched * x, m->device * x };

			if (s->traced)
				add_io(s, ns, 4);
			else
				hist_add(&s->total,
					 x * (m->entry + fmax(0, m->layer) + m->sched + m->device));
		}
		s->ios = IOS / f;
		s->cpu_ns = s->traced ? NAN : 1000 * f;
	}
}

static const struct compare_row *row(const struct comparison *c, const char *stage)
{
	for (size_t i = COMPARE_STAGES; i < c->nrows; i++)
		if (!strcmp(c->rows[i].stage, stage))
			return &c->rows[i];
	return NULL;
}

static const struct compare_value *head(const struct comparison *c, int what)
{
	return &c->rows[COMPARE_HEAD].v[1][what];
}

static bool near(double a, double b, double part)
{
	return fabs(a - b) <= part * fabs(b) + 1e-9;
}

/* Add as many I/Os again without "sched", as merged I/Os are: a stage's mean is of all I/Os. */
static void add_merged(struct result_dev *d, const struct model *m)
{
	double ns[] = { m->entry, m->layer, -1, m->device };

	for (size_t i = 0; i < d->nsamples; i++)
		for (size_t k = 0; k < IOS && d->samples[i].traced; k++)
			add_io(&d->samples[i], ns, 4);
}

/*
 * One device has a layer more and a stage that takes 30 ns longer. No time varies, as under an
 * instruction clock.
 */
static void exact_devices(void)
{
	static const struct model raw = { 100, -1, 300, 1000 }, layered = { 100, 250, 330, 1000 };
	struct result_dev a, b;
	const struct result_dev *devs[] = { &a, &b };
	struct comparison c = { .devs = devs, .ndevs = 2, .paired = true };
	double sum = 0, value = 0;

	fill_dev(&a, "raw", &raw, 4, true);
	fill_dev(&b, "dm-linear", &layered, 4, true);
	add_merged(&a, &raw);
	add_merged(&b, &layered);
	check(!compare_stats(&c), "two devices that repeat exactly, one with a layer more");
	for (size_t i = COMPARE_STAGES; i < c.nrows; i++) {
		sum += c.rows[i].v[1][COMPARE_MEAN].diff.estimate;
		value += c.rows[i].v[1][COMPARE_MEAN].value;
	}
	check(c.nrows == COMPARE_STAGES + 4 &&
	      !strcmp(c.rows[COMPARE_STAGES + 1].stage, "layer submit"),
	      "stages of both, in the order of an I/O");
	check(near(sum, 265, 1e-9) &&
	      near(c.rows[COMPARE_TOTAL].v[1][COMPARE_MEAN].diff.estimate, 265, 1e-9),
	      "differences of stages add up to that of the total: %g", sum);
	check(near(value, 1515, 1e-9), "means of stages add up to that of the total: %g", value);
	check(row(&c, "layer submit")->v[1][COMPARE_MEAN].significant &&
	      row(&c, "layer submit")->v[0][COMPARE_MEAN].value == 0 &&
	      near(row(&c, "layer submit")->v[1][COMPARE_MEAN].diff.low, 250, 1e-9),
	      "a stage that the baseline does not have counts as 0 there");
	check(!row(&c, "layer submit")->v[1][COMPARE_P50].has_diff,
	      "a stage that the baseline does not have has no percentile differences");
	check(row(&c, "sched")->v[1][COMPARE_P99].significant &&
	      row(&c, "sched")->v[1][COMPARE_MEAN].significant,
	      "30 ns in a stage are seen");
	check(!row(&c, "device")->v[1][COMPARE_MEAN].significant &&
	      !row(&c, "entry")->v[1][COMPARE_P50].significant,
	      "there is no difference in stages that are the same");
	check(!head(&c, COMPARE_IOPS)->significant && head(&c, COMPARE_MEAN)->significant &&
	      !c.traced[COMPARE_IOPS] && !c.traced[COMPARE_MEAN],
	      "the head is of rounds without tracing");
	check(head(&c, COMPARE_CPU)->n == 4 && near(head(&c, COMPARE_CPU)->value, 1000, 1e-9),
	      "CPU time is of those that have it");
	comparison_free(&c);
	result_dev_free(&a);
	result_dev_free(&b);
}

/* Rounds differ by 20 %, and devices by 2 %: pairs of rounds show the difference of devices. */
static void rounds_are_paired(void)
{
	static const struct model slow = { 1000, -1, 3000, 51000, 0.002, 0.01, 0.2 };
	static const struct model fast = { 1000, -1, 3000, 50000, 0.002, 0.01, 0.2 };
	struct result_dev a, b;
	const struct result_dev *devs[] = { &b, &a };
	struct comparison c = { .devs = devs, .ndevs = 2, .baseline = 1, .paired = true };
	struct result_sample swap;
	size_t first;

	for (size_t i = 0; i < 8; i++)
		rounds_noise[i] = random_normal();
	fill_dev(&a, "fast", &fast, 8, false);
	fill_dev(&b, "slow", &slow, 8, false);
	/* Give one device another order of rounds, and take a round from it. */
	swap = b.samples[1];
	b.samples[1] = b.samples[6];
	b.samples[6] = swap;
	result_sample_free(&b.samples[--b.nsamples]);
	compare_stats(&c);
	check(c.rows[COMPARE_TOTAL].v[0][COMPARE_MEAN].significant &&
	      fabs(c.rows[COMPARE_TOTAL].v[0][COMPARE_MEAN].diff.estimate - 1000) < 350,
	      "1 of 54 us is found in rounds that differ by 20 %%: %g",
	      c.rows[COMPARE_TOTAL].v[0][COMPARE_MEAN].diff.estimate);
	check(c.rows[COMPARE_TOTAL].v[0][COMPARE_MEAN].diff.n == 7,
	      "the difference is from the rounds that both have");
	check(row(&c, "device")->v[0][COMPARE_MEAN].significant &&
	      !row(&c, "sched")->v[0][COMPARE_MEAN].significant,
	      "the difference is found in the stage that has it");
	check(!c.rows[COMPARE_TOTAL].v[1][COMPARE_MEAN].has_diff,
	      "the baseline differs from nothing");
	check(c.traced[COMPARE_IOPS] && c.traced[COMPARE_P99],
	      "where all was traced, the head says so");
	comparison_free(&c);
	c.paired = false;
	compare_stats(&c);
	first = c.rows[COMPARE_TOTAL].v[0][COMPARE_MEAN].significant;
	check(!first, "rounds as samples of their own tell nothing");
	comparison_free(&c);
	result_dev_free(&a);
	result_dev_free(&b);
}

/*
 * The times are less than a bucket apart, on both sides of the edge between two buckets: nobody can
 * know how far apart they are.
 */
static void buckets_are_no_difference(void)
{
	static const struct model below = { 0, -1, 0, 65535 }, above = { 0, -1, 0, 65537, 0, 0 };
	struct result_dev a, b;
	const struct result_dev *devs[] = { &a, &b };
	struct comparison c = { .devs = devs, .ndevs = 2, .paired = true };
	bool exact;

	fill_dev(&a, "below", &below, 6, false);
	fill_dev(&b, "above", &above, 6, false);
	for (size_t i = 0; i < 6; i++) {
		/* Both devices get the same extremes, so that these do not tell them apart. */
		double ns[] = { 0, -1, 0, 60000 }, most[] = { 0, -1, 0, 70000 };

		add_io(&a.samples[i], ns, 4);
		add_io(&b.samples[i], ns, 4);
		add_io(&a.samples[i], most, 4);
		add_io(&b.samples[i], most, 4);
	}
	compare_stats(&c);
	check(head(&c, COMPARE_P50)->diff.estimate > 500 && head(&c, COMPARE_P50)->diff.low <= 2,
	      "percentiles in neighbour buckets: %g ns may be %g",
	      head(&c, COMPARE_P50)->diff.estimate, head(&c, COMPARE_P50)->diff.low);
	exact = near(head(&c, COMPARE_MEAN)->diff.estimate, 2 * IOS / (IOS + 2.0), 1e-6);
	check(head(&c, COMPARE_MEAN)->significant && exact, "the means are exact");
	comparison_free(&c);
	result_dev_free(&a);
	result_dev_free(&b);
}

/* Count how often a device differs from itself: in any stage, and in each figure of the head. */
static void nothing_is_nothing(void)
{
	static const struct model m = { 1000, 2000, 3000, 50000, 0.01, 0.1, 0.05 };
	size_t stages = 0, figures[NR_COMPARE] = { 0 }, runs = 300, most = 0;

	for (size_t r = 0; r < runs; r++) {
		struct result_dev a, b;
		const struct result_dev *devs[] = { &a, &b };
		struct comparison c = { .devs = devs, .ndevs = 2, .paired = r % 2 };
		bool any = false;

		fill_dev(&a, "a", &m, 6 + r % 3, false);
		fill_dev(&b, "a again", &m, 6 + r % 3, false);
		compare_stats(&c);
		for (size_t i = COMPARE_STAGES; i < c.nrows; i++)
			for (int w = 0; w < NR_COMPARE; w++)
				any |= c.rows[i].v[1][w].significant;
		stages += any;
		for (int w = 0; w < NR_COMPARE; w++)
			figures[w] += head(&c, w)->significant;
		comparison_free(&c);
		result_dev_free(&a);
		result_dev_free(&b);
	}
	for (int w = 0; w < NR_COMPARE; w++)
		most = figures[w] > most ? figures[w] : most;
	/* 0.05 of 300 are expected; allow 3.1 standard deviations more. */
	check(most <= 27, "%zu times a device and itself: a figure differs at most %zu times", runs,
	      most);
	check(stages <= 27, "any stage in %zu", stages);
}

static void few_rounds(void)
{
	static const struct model m = { 100, 200, 300, 1000, 0.01 };
	static const struct model n = { 100, 200, 300, 2000, 0.01 };
	struct result_dev a, b, none = { .label = "none" };
	const struct result_dev *devs[] = { &a, &b, &none };
	struct comparison c = { .devs = devs, .ndevs = 3, .paired = true };
	char text[96];

	fill_dev(&a, "a", &m, 2, true);
	fill_dev(&b, "b", &n, 2, true);
	compare_stats(&c);
	check(head(&c, COMPARE_MEAN)->has_diff && !head(&c, COMPARE_MEAN)->diff.interval &&
	      !head(&c, COMPARE_MEAN)->significant, "two rounds have a difference and no interval");
	compare_diff_text(text, sizeof(text), head(&c, COMPARE_MEAN), &c.rows[0].v[0][COMPARE_MEAN],
			  true);
	check(!strncmp(text, "? +6", 4) && !strchr(text, 'n'),
	      "a difference without an interval is shown: %s", text);
	check(!c.rows[COMPARE_HEAD].v[2][COMPARE_MEAN].has_diff &&
	      isnan(c.rows[COMPARE_HEAD].v[2][COMPARE_MEAN].value),
	      "a device without samples has no figures");
	comparison_free(&c);
	result_dev_free(&a);
	result_dev_free(&b);
}

static void blocks(void)
{
	static const size_t lengths[] = { 1, 3, 6, 7, 20, 22, 23, 45, 300 };
	static const size_t wants[] = { 1, 3, 6, 5, 18, 20, 10, 10, 18 };
	struct result_dev d;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		static const struct model m = { 100, 200, 300, 1000 };
		uint64_t ios = 0;

		fill_dev(&d, "a", &m, lengths[i] > 64 ? 64 : lengths[i], false);
		while (d.nsamples < lengths[i]) {
			struct result_sample *s = result_sample_add(&d);

			s->traced = true;
			s->elapsed_ns = 1000000000;
			s->ios = IOS;
		}
		compare_blocks(&d);
		for (size_t k = 0; k < d.nsamples; k++)
			ios += d.samples[k].ios;
		check(d.nsamples == wants[i] && ios % d.nsamples == 0,
		      "%zu intervals are %zu blocks", lengths[i], d.nsamples);
		result_dev_free(&d);
	}
}

static void output(void)
{
	static const struct model raw = { 100, -1, 300, 1000, 0.001 };
	static const struct model layered = { 100, 250, 330, 1000, 0.001 };
	struct result_dev a, b;
	const struct result_dev *devs[] = { &a, &b };
	struct comparison c = { .devs = devs, .ndevs = 2, .paired = true };
	json_object *doc, *list, *o;
	char *text = NULL;
	size_t len = 0;
	FILE *f;

	fill_dev(&a, "raw", &raw, 8, true);
	fill_dev(&b, "dm-linear", &layered, 8, true);
	compare_stats(&c);
	f = open_memstream(&text, &len);
	check(!comparison_print(&c, true, f), "prints");
	fclose(f);
	check(strstr(text, "Differences to raw, with 95% confidence intervals from 8 rounds"),
	      "the text says what the devices are compared with");
	check(strstr(text, "dm-linear against raw"), "the text has a table of dm-linear");
	check(strstr(text, "+250") || strstr(text, "+249."), "the layer's time as a difference");
	check(strstr(text, "+20.0%") || strstr(text, "+19.9%") || strstr(text, "+20.1%"),
	      "the mean in per cent");
	check(!strstr(text, "nan") && !strstr(text, "inf"), "no figure is nan or inf");
	free(text);
	doc = comparison_json(&c);
	json_object_object_get_ex(doc, "devices", &list);
	json_object_object_get_ex(json_object_array_get_idx(list, 1), "values", &o);
	json_object_object_get_ex(o, "mean_ns", &o);
	check(json_object_get_boolean(json_object_object_get(o, "significant")) &&
	      near(json_object_get_double(json_object_object_get(o, "difference")),
		   head(&c, COMPARE_MEAN)->diff.estimate, 1e-9), "JSON has the same");
	check(!strstr(json_object_to_json_string(doc), "nan") &&
	      !strstr(json_object_to_json_string(doc), "NaN"),
	      "JSON has nothing that is no number");
	json_object_put(doc);
	comparison_free(&c);
	result_dev_free(&a);
	result_dev_free(&b);
}

/* Give each I/O of a traced sample @ns of tracing in its layer, which is of this kind. */
static void add_tracing(struct result_dev *d, const char *kind, uint64_t ns)
{
	for (size_t i = 0; i < d->nsamples; i++) {
		struct result_row *r;

		if (!d->samples[i].traced)
			continue;
		r = row_of(&d->samples[i], "layer submit", "0");
		snprintf(r->kind, sizeof(r->kind), "%s", kind);
		r->tracing_ns = ns * r->hist.count;
	}
}

static const char *label(const struct comparison *c, const size_t *devs, size_t n)
{
	static char text[DEV_TEXT];

	return compare_label(text, sizeof(text), row(c, "layer submit"), devs, n);
}

/* Net figures leave out tracing's part in a layer's stage and in the total, and no more. */
static void net_of_tracing(void)
{
	static const struct model raw = { 100, -1, 300, 1000 }, layered = { 100, 250, 300, 1000 };
	static const char *const kinds[] = { "dm-linear", "md raid1", "dm-writecache" };
	struct result_dev d[4];
	const struct result_dev *devs[] = { &d[0], &d[1], &d[2], &d[3] };
	struct comparison c = { .devs = devs, .ndevs = 4, .paired = true };
	const struct compare_value (*v)[NR_COMPARE];
	char *text = NULL;
	size_t len;
	FILE *f;

	fill_dev(&d[0], "raw", &raw, 4, true);
	for (int i = 1; i < 4; i++) {
		fill_dev(&d[i], kinds[i - 1], &layered, 4, true);
		add_tracing(&d[i], kinds[i - 1], 100);
	}
	compare_stats(&c);
	v = (const void *)row(&c, "layer submit")->v;
	check(near(v[1][COMPARE_MEAN].value, 250, 1e-9) && near(v[1][COMPARE_NET].value, 150, 1e-9),
	      "the layer's stage is net of tracing");
	check(near(v[1][COMPARE_NET].diff.estimate, 150, 1e-9),
	      "the difference of the layer's stage is net of tracing");
	check(near(row(&c, "device")->v[1][COMPARE_NET].value, 1000, 1e-9),
	      "the disk's stage is all there");
	v = (const void *)c.rows[COMPARE_TOTAL].v;
	check(near(v[1][COMPARE_NET].value, v[1][COMPARE_MEAN].value - 100, 1e-9) &&
	      near(v[0][COMPARE_NET].value, v[0][COMPARE_MEAN].value, 1e-9),
	      "the total is less by as much");
	check(!strcmp(label(&c, (size_t[]){ 0, 1 }, 2), "dm-linear submit"),
	      "a layer's stage has the name of its kind");
	check(!strcmp(label(&c, (size_t[]){ 1, 2 }, 2), "dm-linear/md raid1 submit"),
	      "a stage of two kinds has the names of both");
	check(!strcmp(label(&c, (size_t[]){ 1, 2, 3 }, 3), "layer 0 submit"),
	      "a stage of too many kinds has its number");
	f = open_memstream(&text, &len);
	comparison_print(&c, false, f);
	fclose(f);
	check(strstr(text, "\ndm-linear submit") && strstr(text, "\nmd raid1 submit"),
	      "each kind of layer has a row");
	free(text);
	/* A file of an old version has no kinds. */
	for (int i = 1; i < 4; i++)
		for (size_t k = 0; k < c.nrows; k++)
			*c.rows[k].kinds[i] = '\0';
	((struct compare_row *)row(&c, "layer submit"))->shared = true;
	f = open_memstream(&text, &len);
	comparison_print(&c, false, f);
	fclose(f);
	check(strstr(text, "\nlayer 0 submit"), "a layer has one row if the kinds are not known");
	free(text);
	comparison_free(&c);
	for (size_t i = 0; i < 4; i++)
		result_dev_free(&d[i]);
}

static const char *said(const struct comparison *c, size_t i)
{
	static char text[VERDICT_LEN];

	return verdict_text(text, sizeof(text), c, &c->verdicts[i]);
}

/* Each of the three devices has the same figures in all rounds: a disk, and two layers on it. */
static void verdicts_are_sentences(void)
{
	static const struct model model[] = {
		{ 100, -1, 300, 10000 }, { 100, 2500, 300, 10000 }, { 100, 2000, 800, 10000 },
	};
	static const char *const labels[] = { "raw", "lvm", "md" };
	struct result_dev d[3];
	const struct result_dev *devs[] = { &d[0], &d[1], &d[2] };
	struct comparison c = { .devs = devs, .ndevs = 3, .paired = true };

	for (size_t i = 0; i < 3; i++)
		fill_dev(&d[i], labels[i], &model[i], 4, true);
	compare_stats(&c);
	check(c.nverdicts == 3, "each pair has a verdict");
	check(c.verdicts[0].more == 1 && c.verdicts[0].less == 0 &&
	      near(c.verdicts[0].mean.diff.estimate, 2500, 0.001) && c.verdicts[0].nstages == 1,
	      "the first layer: %s", said(&c, 0));
	check(!strncmp(said(&c, 0), "An I/O of lvm takes 2.50 ", 25) &&
	      strstr(said(&c, 0), "longer than one of raw: net of tracing +2.50 ") &&
	      strstr(said(&c, 0), " in layer submit."), "a verdict is a sentence");
	check(c.verdicts[1].nstages == 2 && c.verdicts[1].more == 2 &&
	      !strcmp(c.rows[c.verdicts[1].where[0]].stage, "layer submit") &&
	      !strcmp(c.rows[c.verdicts[1].where[1]].stage, "sched"),
	      "a layer with two stages: %s", said(&c, 1));
	check(!c.verdicts[2].mean.significant &&
	      strstr(said(&c, 2), " are not known to differ in mean latency; ") &&
	      strstr(said(&c, 2), " is less than 1ns."),
	      "two layers against each other, which cost the same: %s", said(&c, 2));
	check(c.verdicts[2].more + c.verdicts[2].less == 3,
	      "the last verdict is about the two layers");
	comparison_free(&c);
	for (size_t i = 0; i < 3; i++)
		result_dev_free(&d[i]);
}

/* Compare devices of which the second takes @more ns longer. Return what was found in the mean. */
static int verdict_of(double more)
{
	struct model fast = { 1000, -1, 3000, 50000, 0.002, 0.01, 0.2 }, slow = fast;
	struct result_dev a, b;
	const struct result_dev *devs[] = { &a, &b };
	struct comparison c = { .devs = devs, .ndevs = 2, .paired = true };
	int found;

	slow.device += more;
	for (size_t i = 0; i < 8; i++)
		rounds_noise[i] = random_normal();
	fill_dev(&a, "a", &fast, 8, false);
	fill_dev(&b, "b", &slow, 8, false);
	compare_stats(&c);
	found = !c.verdicts[0].mean.significant ? 0 : c.verdicts[0].more ? 1 : -1;
	comparison_free(&c);
	result_dev_free(&a);
	result_dev_free(&b);
	return found;
}

/*
 * Rounds differ by 20 %, and the difference of two devices by some 0.3 % of 54 us between rounds.
 * The half width of the interval of 8 rounds is then some 130 ns.
 */
static void verdicts_are_right(void)
{
	int right = 0, same = 0;

	for (int i = 0; i < 20; i++)
		right += verdict_of(i % 2 ? 400 : -400) == (i % 2 ? 1 : -1);
	check(right == 20, "the slower one of two devices is found: %d of 20 times", right);
	for (int i = 0; i < 20; i++)
		same += !verdict_of(0);
	check(same >= 19, "two devices that are alike do not differ: %d of 20 times", same);
}

int main(void)
{
	log_init("test_user_compare_stats");
	exact_devices();
	rounds_are_paired();
	buckets_are_no_difference();
	few_rounds();
	blocks();
	output();
	nothing_is_nothing();
	net_of_tracing();
	verdicts_are_sentences();
	verdicts_are_right();
	return unit_end();
}
