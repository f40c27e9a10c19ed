// SPDX-License-Identifier: GPL-2.0
/*
 * Plot how the mean time of an I/O is nested in the layers of a stack: a frame per layer, and
 * beneath it the layer's stages and the layer below, from left to right in the order of time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/result/compare_stats.h"
#include "blklat/result/names.h"

#define ROW 27		/* height of a row of blocks, in pixels */
#define TOP 34
#define BETWEEN 40
#define BELOW 56
#define MAX_ROWS 128	/* rows of a device: stages of all layers */
#define MAX_LAYERS 10	/* layers are named by one digit */
#define LAYER_PREFIX "layer "
/* A block that is narrower than this is left out. */
#define SEEN_PX 0.5
/* The colours of stages that got longer and shorter; the smallest difference has this opacity. */
#define LONGER 0xcf3a62
#define SHORTER 0x1a5f9e
#define LEAST 0.15
#define MOST 0.6

/**
 * struct block - a stage, or the frame of a layer
 * @from: where it begins, in ns
 * @to: where it ends, in ns
 * @depth: row of the picture, 0 is the uppermost
 * @row: the stage; of a frame a stage in it that names the layer; NULL for the device's frame
 * @frame: true for a frame
 */
struct block {
	double from, to;
	unsigned int depth;
	const struct result_row *row;
	bool frame;
};

/**
 * struct icicle - the blocks of a device
 * @layers: number of layers above the leaf
 * @n: number of blocks
 * @v: the blocks
 */
struct icicle {
	unsigned int layers;
	size_t n;
	struct block v[MAX_ROWS + MAX_LAYERS + 2];
};

/* Return the depth of a stage's layer, -1 for the leaf. */
static int layer_of(const struct result_row *row)
{
	return row->layer[0] >= '0' && row->layer[0] <= '9' && !row->layer[1] ?
	       row->layer[0] - '0' : -1;
}

static bool is_shown(const struct result_row *row)
{
	return row->hist.sum && strcmp(row->stage, stage_name(STAGE_THINK));
}

static unsigned int layers_of(const struct result_dev *d)
{
	int most = -1;

	for (size_t r = 0; r < d->rows.n; r++)
		if (is_shown(&d->rows.v[r]) && layer_of(&d->rows.v[r]) > most)
			most = layer_of(&d->rows.v[r]);
	return most + 1;
}

/*
 * Return the mark that a stage of the leaf begins with: the first one of its gaps. The stages of a
 * bio based driver have no gap; they begin with mark Q.
 */
static unsigned int first_mark(const char *stage)
{
	static const struct {
		unsigned int from, stage;
	} gaps[] = {
#define GAP(from, to, stage) { MARK_##from, STAGE_##stage },
		BLKLAT_GAPS(GAP)
#undef GAP
	};
	unsigned int first = NR_MARKS;

	for (size_t i = 0; i < sizeof(gaps) / sizeof(*gaps); i++)
		if (gaps[i].from < first && !strcmp(stage_name(gaps[i].stage), stage))
			first = gaps[i].from;
	return first == NR_MARKS ? (unsigned int)MARK_Q : first;
}

/*
 * Return a number by which the stages are in the order of time. The rows of a result are in the
 * order of the report, where "end" comes before "device". The submit sides of layers come before
 * the leaf's mark Q, the outermost first, and their completion sides before its mark Z, the
 * innermost first. A stage that has all the time below a layer comes between the two. What is
 * unattributed can be anywhere: it is put there too.
 */
static double time_of(const struct result_row *row)
{
	int layer = layer_of(row);

	if (layer >= 0 && !strcmp(row->stage, LAYER_PREFIX "submit"))
		return MARK_Q - 0.5 + layer * 0.01;
	if (layer >= 0 && !strcmp(row->stage, LAYER_PREFIX "complete"))
		return MARK_Z - 0.5 - layer * 0.01;
	if (layer >= 0 || !strcmp(row->stage, stage_name(STAGE_UNATTRIBUTED)))
		return MARK_Z - 0.75;
	return first_mark(row->stage);
}

static int by_time(const void *a, const void *b)
{
	double x = time_of(*(const struct result_row *const *)a);
	double y = time_of(*(const struct result_row *const *)b);

	return (x > y) - (x < y);
}

/* Put the stages that are shown into @rows, in the order of time, and return how many they are. */
static size_t sort_rows(const struct result_dev *d, const struct result_row **rows)
{
	size_t n = 0;

	for (size_t r = 0; r < d->rows.n && n < MAX_ROWS; r++)
		if (is_shown(&d->rows.v[r]))
			rows[n++] = &d->rows.v[r];
	qsort(rows, n, sizeof(*rows), by_time);
	return n;
}

/* Add a frame around all blocks that lie below @depth. */
static void add_frame(struct icicle *ic, unsigned int depth, int layer)
{
	struct block frame = { .from = INFINITY, .depth = depth, .frame = true };

	for (size_t i = 0; i < ic->n; i++) {
		const struct block *b = &ic->v[i];

		if (b->frame || b->depth <= depth)
			continue;
		frame.from = fmin(frame.from, b->from);
		frame.to = fmax(frame.to, b->to);
		if (layer_of(b->row) == layer)
			frame.row = b->row;
	}
	if (frame.to > frame.from)
		ic->v[ic->n++] = frame;
}

/*
 * Return true if a stage lies within the layers: it begins after the mark that comes before Q, with
 * which "entry" or "throttle" begin, and before mark Z, with which "deliver" begins.
 */
static bool is_inside(const struct result_row *row)
{
	double at = time_of(row);

	return at > MARK_Q - 1 && at < MARK_Z;
}

/* The frame of layer k is in row k + 1, its stages are in row k + 2. */
static void make_icicle(struct icicle *ic, const struct result_dev *d)
{
	const struct result_row *rows[MAX_ROWS];
	size_t n = sort_rows(d, rows);
	double at = 0;

	*ic = (struct icicle){ .layers = layers_of(d) };
	for (size_t r = 0; r < n && d->total.count; r++) {
		struct block b = { .from = at, .row = rows[r], .depth = 1 };
		int layer = layer_of(rows[r]);

		if (ic->layers && is_inside(rows[r]))
			b.depth += 1 + (layer < 0 ? ic->layers : (unsigned int)layer);
		at += (double)rows[r]->hist.sum / d->total.count;
		b.to = at;
		ic->v[ic->n++] = b;
	}
	for (unsigned int k = 0; k < ic->layers; k++)
		add_frame(ic, k + 1, k);
	if (ic->layers)
		add_frame(ic, ic->layers + 1, -1);
	ic->v[ic->n++] = (struct block){ .to = at, .frame = true };
}

static unsigned int rows_of(const struct result_dev *d)
{
	unsigned int layers = layers_of(d);

	return layers ? layers + 3 : 2;
}

/* Return the figure of a stage that a difference is about, or NULL. */
static const struct compare_value *value_of(const struct plot_set *set, const struct result_dev *d,
					    const struct result_row *row)
{
	const struct comparison *c = set->cmp;

	for (size_t r = COMPARE_STAGES; row && r < c->nrows; r++) {
		if (strcmp(c->rows[r].stage, row->stage) || strcmp(c->rows[r].layer, row->layer))
			continue;
		for (size_t i = 0; i < c->ndevs; i++) {
			const struct compare_value *v = c->rows[r].v[i];

			if (c->devs[i] == d)
				return isnan(v[COMPARE_NET].value) ? &v[COMPARE_MEAN] :
								     &v[COMPARE_NET];
		}
	}
	return NULL;
}

/* Return how much longer a stage takes than the baseline's, 0 if that may be chance. */
static double longer(const struct plot_set *set, const struct result_dev *d,
		     const struct result_row *row)
{
	const struct compare_value *v = value_of(set, d, row);

	return v && v->has_diff && v->significant ? v->diff.estimate : 0;
}

static double largest(const struct plot_set *set, const struct result_dev *d)
{
	double most = 0;

	for (size_t r = 0; r < d->rows.n; r++)
		most = fmax(most, fabs(longer(set, d, &d->rows.v[r])));
	return most;
}

static double width_of(const struct plot_set *set)
{
	double most = 1;

	for (size_t i = 0; i < set->n; i++)
		most = fmax(most, hist_mean(&set->devs[i].dev->total));
	return most;
}

static double axes_px(const struct plot_look *look)
{
	return look->width - 32;
}

/* Choose the colours of a block and of its text. */
static void choose_colours(const struct plot_set *set, const struct result_dev *d, bool diff,
			   const struct block *b, uint32_t *fill, uint32_t *ink)
{
	double by;

	*fill = palette_roles[GRID].light;
	*ink = palette_roles[INK].light;
	if (b->frame)
		return;
	if (!diff) {
		*fill = palette_stage(b->row->stage, b->row->group, b->row->layer);
		*ink = palette_ink_on(*fill);
		return;
	}
	by = longer(set, d, b->row);
	if (by)
		*fill = palette_shade(by > 0 ? LONGER : SHORTER, LEAST + (MOST - LEAST) *
				      fabs(by) / largest(set, d));
}

static void name_of(const struct plot_dev *dev, const struct block *b, char *buf, size_t len)
{
	size_t skip = sizeof(LAYER_PREFIX) - 1;

	if (!b->row)
		snprintf(buf, len, "%s", dev->label);
	else if (b->frame && layer_of(b->row) < 0)
		snprintf(buf, len, "disk");
	else if (b->frame)
		snprintf(buf, len, "%s", *b->row->kind ? b->row->kind : b->row->label);
	else
		snprintf(buf, len, "%s", b->row->stage +
			 (strncmp(b->row->stage, LAYER_PREFIX, skip) ? 0 : skip));
}

/* Write the name and the time, or only the name, or nothing, as far as the block has room. */
static void put_text(const struct plot_set *set, size_t i, bool diff, const struct block *b,
		     double px, FILE *f)
{
	char name[DEV_TEXT], time[PLOT_TIME_LEN], both[DEV_TEXT + PLOT_TIME_LEN];
	double by = diff && !b->frame ? longer(set, set->devs[i].dev, b->row) : 0;

	name_of(&set->devs[i], b, name, sizeof(name));
	plot_time(time, sizeof(time), by ? fabs(by) : b->to - b->from);
	snprintf(both, sizeof(both), "%s %s%s", name, by > 0 ? "+" : by < 0 ? "-" : "", time);
	fputc('\t', f);
	if (px > strlen(both) * PLOT_CHAR_PX)
		plot_quote_data(both, f);
	else
		plot_quote_data(px > strlen(name) * PLOT_CHAR_PX ? name : "", f);
	fputc('\n', f);
}

static bool shown(const struct plot_set *set, size_t i, bool diff)
{
	const struct result_dev *d = set->devs[i].dev;

	return d->total.count && (!diff || largest(set, d) > 0);
}

static void put_data(const struct plot_set *set, const struct plot_look *look, bool diff, FILE *f)
{
	double scale = axes_px(look) / width_of(set);
	const char *blank = "";

	fprintf(f, "# a line per block, one block of lines per device\n"
		"# from_ns\tto_ns\trow\tcolour\tcolour of the text\tstage\tlayer\ttext\n");
	for (size_t i = 0; i < set->n; i++) {
		struct icicle ic;

		if (!shown(set, i, diff))
			continue;
		fprintf(f, "%s# ", blank);
		plot_quote_data(set->devs[i].label, f);
		fputc('\n', f);
		blank = "\n\n";
		make_icicle(&ic, set->devs[i].dev);
		for (size_t k = 0; k < ic.n; k++) {
			const struct block *b = &ic.v[k];
			double px = (b->to - b->from) * scale;
			uint32_t fill, ink;

			/* The device's own frame always has a line, as gnuplot counts devices. */
			if (px < SEEN_PX && b->depth)
				continue;
			choose_colours(set, set->devs[i].dev, diff, b, &fill, &ink);
			fprintf(f, "%.3f\t%.3f\t%u\t%u\t%u\t", b->from, b->to, b->depth, fill,
				ink);
			plot_quote_data(b->frame ? "" : b->row->stage, f);
			fputc('\t', f);
			plot_quote_data(b->frame ? "" : b->row->layer, f);
			put_text(set, i, diff, b, px, f);
		}
	}
}

static unsigned int height_of(const struct plot_set *set, bool diff)
{
	unsigned int height = TOP + BELOW;

	for (size_t i = 0, n = 0; i < set->n; i++)
		if (shown(set, i, diff))
			height += rows_of(set->devs[i].dev) * ROW + (n++ ? BETWEEN : 0);
	return height;
}

static void put_script(const struct plot_set *set, const struct plot_look *look, bool diff, FILE *f)
{
	unsigned int height = height_of(set, diff), n = 0, count = 0;
	double top = TOP, most = width_of(set), ns;
	const char *unit;

	for (size_t i = 0; i < set->n; i++)
		count += shown(set, i, diff);
	plot_unit(most, &unit, &ns);
	fprintf(f, "set multiplot\nset border 1\nset tics nomirror scale 0\nunset grid\n"
		"unset ytics\nns = %g\nset xrange [0:%g]\n", ns, most / ns);
	for (size_t i = 0; i < set->n; i++) {
		unsigned int rows = rows_of(set->devs[i].dev);

		if (!shown(set, i, diff))
			continue;
		plot_frame(look, height, 16, look->width - 16, top, top + rows * ROW, f);
		top += rows * ROW + BETWEEN;
		fprintf(f, "unset label\nset yrange [%u:0]\n", rows);
		/* All have the same axis: only the last one gets its title. */
		if (n + 1 == count)
			fprintf(f, "set xlabel 'mean time per I/O, %s'\n", unit);
		fprintf(f, "plot data index %u using (($1+$2)/2/ns):($3+0.5):($1/ns):($2/ns):"
			"($3+0.04):($3+0.96):4 with boxxyerror fillstyle solid 1.0 noborder "
			"linecolor rgb variable notitle, \\\n"
			"  data index %u using (($1+$2)/2/ns):($3+0.5):8:5 with labels font ',12' "
			"textcolor rgb variable notitle\n", n, n);
		n++;
	}
	fprintf(f, "unset multiplot\n");
}

static bool icicle_shows(const struct plot_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->devs[i].dev->total.count && layers_of(set->devs[i].dev))
			return true;
	return false;
}

static void icicle_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	put_data(set, look, false, f);
}

static void icicle_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	put_script(set, look, false, f);
}

static unsigned int icicle_height(const struct plot_set *set, const struct plot_look *look)
{
	return height_of(set, false);
}

const struct plot plot_icicle = {
	.name = "icicle",
	.title = "Layers",
	.note = "The mean time of an I/O on its way through the layers, in the order of time from "
		"left to right. Below the frame of a layer are its own stages, and between them "
		"the layer below. The times include what tracing takes.",
	.shows = icicle_shows,
	.data = icicle_data,
	.script = icicle_script,
	.height = icicle_height,
};

static bool differs_shows(const struct plot_set *set)
{
	if (!set->cmp || !icicle_shows(set))
		return false;
	for (size_t i = 0; i < set->n; i++)
		if (shown(set, i, true))
			return true;
	return false;
}

static void differs_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	put_data(set, look, true, f);
}

static void differs_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	put_script(set, look, true, f);
}

static unsigned int differs_height(const struct plot_set *set, const struct plot_look *look)
{
	return height_of(set, true);
}

const struct plot plot_icicle_diffs = {
	.name = "layer-differences",
	.title = "Layers that differ from the baseline",
	.note = "The same, with a colour only for the stages whose mean differs from that of the "
		"baseline: red ones are longer, blue ones shorter, by the time that is in them if "
		"there is room. The stronger the colour, the larger the difference, net of "
		"tracing. Grey ones may differ by chance.",
	.shows = differs_shows,
	.data = differs_data,
	.script = differs_script,
	.height = differs_height,
};
