// SPDX-License-Identifier: GPL-2.0
/* Write events as a table for people, a line per I/O. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/names.h"
#include "blklat/trace/event_sink.h"
#include "core/text.h"
#include "core/units.h"

#define NR_COLUMNS 11
#define TASK_MIN 8
#define DEV_MAX 31
#define LINE_MAX_LEN 512

/* These are the cells of a line. They are cut at the width of their column. */
struct cells {
	char text[NR_COLUMNS][32];
};

/**
 * struct column - a column of the table
 * @title: its heading
 * @width: number of characters
 * @left: true if texts begin at the left
 * @drop: 0 if the column always stays; where lines have no room for all columns, the one with the
 *	highest number is left out first
 */
struct column {
	const char *title;
	unsigned int width;
	bool left;
	unsigned int drop;
};

enum { AT, DEV, OP, SIZE, SECTOR, PID, TASK, TOTAL, KERNEL, DRIVER, DEVICE };

static const struct column columns[NR_COLUMNS] = {
	[AT] = { "seconds", 10, false, 4 },
	[DEV] = { "dev", 7, true, 0 },
	[OP] = { "op", 7, true, 0 },
	[SIZE] = { "size", 7, false, 5 },
	[SECTOR] = { "sector", 15, false, 7 },
	[PID] = { "pid", 7, false, 6 },
	[TASK] = { "task", BLKLAT_COMM_LEN - 1, true, 0 },
	[TOTAL] = { "total", 7, false, 0 },
	[KERNEL] = { "kernel", 7, false, 3 },
	[DRIVER] = { "driver", 7, false, 2 },
	[DEVICE] = { "device", 7, false, 1 },
};

/* This is the width of each column in this table, 0 for those that are left out. */
struct widths {
	unsigned int of[NR_COLUMNS];
};

static size_t line_width(const struct widths *w)
{
	size_t width = 0;

	for (unsigned int c = 0; c < NR_COLUMNS; c++)
		width += w->of[c] ? w->of[c] + 1 : 0;
	return width - 1;
}

/* Leave out a column, the one that matters least. Return false if none is left that may go. */
static bool drop_column(struct widths *w)
{
	unsigned int worst = 0;

	for (unsigned int c = 1; c < NR_COLUMNS; c++)
		if (w->of[c] && (!w->of[worst] || columns[c].drop > columns[worst].drop))
			worst = c;
	if (!w->of[worst] || !columns[worst].drop)
		return false;
	w->of[worst] = 0;
	return true;
}

static unsigned int longest_name(const struct event_source *src)
{
	size_t longest = 0;

	for (unsigned int i = 0; i < BLKLAT_MAX_DEVS; i++)
		if (src->names[i] && strlen(src->names[i]) > longest)
			longest = strlen(src->names[i]);
	return longest < DEV_MAX ? longest : DEV_MAX;
}

/*
 * Choose the columns for lines of @width characters. If the lines are too long even without the
 * columns that may be dropped, cut the names of tasks, and then those of devices.
 */
static void choose_columns(struct widths *w, const struct event_source *src, size_t width)
{
	size_t least;

	for (unsigned int c = 0; c < NR_COLUMNS; c++)
		w->of[c] = columns[c].width;
	if (longest_name(src) > w->of[DEV])
		w->of[DEV] = longest_name(src);
	least = line_width(w) - w->of[TASK] + TASK_MIN;
	while (least > width && drop_column(w))
		least = line_width(w) - w->of[TASK] + TASK_MIN;
	if (line_width(w) > width)
		w->of[TASK] = least < width ? TASK_MIN + (width - least) : TASK_MIN;
	if (least > width)
		w->of[DEV] -= least - width;
}

static void put_line(struct event_sink *s, const struct cells *cells)
{
	const struct widths *w = s->priv;
	char *line = event_sink_room(s, LINE_MAX_LEN), *p = line;

	for (unsigned int c = 0; c < NR_COLUMNS; c++) {
		int width = w->of[c];

		if (width)
			p += sprintf(p, columns[c].left ? "%-*.*s " : "%*.*s ", width, width,
				     cells->text[c]);
	}
	while (p > line && p[-1] == ' ')
		p--;
	*p++ = '\n';
	s->len += p - line;
}

static int table_begin(struct event_sink *s, const struct event_source *src)
{
	struct cells head;

	s->priv = calloc(1, sizeof(struct widths));
	if (!s->priv)
		return -ENOMEM;
	choose_columns(s->priv, src, text_width(stdout));
	for (unsigned int c = 0; c < NR_COLUMNS; c++)
		snprintf(head.text[c], sizeof(head.text[c]), "%s", columns[c].title);
	put_line(s, &head);
	return 0;
}

/* A task may have any bytes in its name: those that could confuse a terminal become '?'. */
static void put_task(struct cells *cells, const struct blklat_event *e)
{
	char *to = cells->text[TASK];

	snprintf(cells->text[PID], sizeof(cells->text[PID]), "%u", e->origin.tgid);
	for (unsigned int i = 0; i < sizeof(e->comm) && e->comm[i]; i++)
		*to++ = e->comm[i] < ' ' || e->comm[i] > '~' ? '?' : e->comm[i];
	*to = '\0';
}

/*
 * Fill in the time of each group of stages. The time of a merged stage belongs to several groups,
 * so it is only in the total.
 */
static void put_groups(struct cells *cells, const struct io_event *ev)
{
	static const unsigned int column_of[NR_GROUPS] = {
		[GROUP_KERNEL] = KERNEL, [GROUP_DRIVER] = DRIVER, [GROUP_DEVICE] = DEVICE,
	};
	uint64_t ns[NR_GROUPS] = { 0 };

	for (unsigned int i = 0; i < ev->nr_stages; i++)
		ns[stage_group(ev->stages[i].row)] += ev->stages[i].ns;
	for (unsigned int g = 0; g < NR_GROUPS; g++)
		if (column_of[g])
			fmt_time(cells->text[column_of[g]], FMT_LEN, ns[g]);
}

static void table_event(struct event_sink *s, const struct event_source *src,
			const struct io_event *ev)
{
	const struct blklat_event *e = ev->raw;
	struct cells cells;

	snprintf(cells.text[AT], sizeof(cells.text[AT]), "%.6f",
		 (ev->begin_ns - src->start_ns) / 1e9);
	snprintf(cells.text[DEV], sizeof(cells.text[DEV]), "%s", src->names[e->dev]);
	snprintf(cells.text[OP], sizeof(cells.text[OP]), "%s", op_name(e->op));
	fmt_size(cells.text[SIZE], FMT_LEN, e->origin.bytes);
	snprintf(cells.text[SECTOR], sizeof(cells.text[SECTOR]), "%llu",
		 (unsigned long long)e->origin.sector);
	put_task(&cells, e);
	fmt_time(cells.text[TOTAL], FMT_LEN, ev->total_ns);
	put_groups(&cells, ev);
	put_line(s, &cells);
	if (e->status)
		s->len += sprintf(event_sink_room(s, LINE_MAX_LEN), "    error: %s\n",
				  event_status_name(e->status));
}

static void table_end(struct event_sink *s, const struct event_source *src)
{
	s->len += sprintf(event_sink_room(s, LINE_MAX_LEN), "%llu I/Os; %llu lost\n",
			  (unsigned long long)src->written, (unsigned long long)src->lost);
}

const struct event_sink_ops events_table_ops = {
	.begin = table_begin,
	.event = table_event,
	.end = table_end,
};
