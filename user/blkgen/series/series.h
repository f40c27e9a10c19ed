/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_SERIES_H
#define BLKGEN_LOAD_SERIES_H

#include "blkgen/load/load.h"
#include "device/queue.h"

/*
 * Loads one after the other, a row of results for each. A step is one or more
 * loads at the same time. Make the steps, then load_series_run():
 *
 *	load_device_add(l, "nvme0n1", &i);
 *	st = load_series_add(&s, "group 1");
 *	load_step_add(st, "job1", &cfg, &i, 1);
 *	ret = load_series_run(l, &s);
 *	load_series_free(&s);
 */

/* One load of a step. */
struct load_job {
	char *name;		/* NULL: needs none */
	struct load_cfg cfg;
	size_t *devs;		/* places in struct load's devs */
	size_t ndevs;		/* 0: all of them */
	const void *from;	/* for the series' @where */
	unsigned int part;	/* of each device only one part of so many is used; 0: see cfg */
};

struct load_step {
	char *name;		/* NULL: needs none */
	char **values;		/* of the keys of the series, each may be NULL */
	char *queue[NR_QUEUE_ATTRS];	/* of all disks while it runs; NULL: as it was */
	struct load_job *jobs;
	size_t njobs;
	bool steady;		/* rounds of its time, until they are alike */
};

/* Columns of a table of steps before the usual ones. */
#define LOAD_KEYS	16
#define LOAD_EXTRA	3

struct load_series {
	const char *keys[LOAD_KEYS];	/* what differs between the steps: a column each */
	size_t nkeys;
	struct load_step *steps;
	size_t nsteps;
	bool named;			/* steps have names: a column of them */
	bool loads_named;		/* and so have their loads */
	/* Columns that tell the rows of a step apart; NULL ends them. */
	const char *extra[LOAD_EXTRA + 1];
	const struct load_goal *goal;	/* for each step look for what holds it; NULL: one load */
	/* What goes before messages about a load, see log_where(); NULL: nothing */
	const char *(*where)(const void *from, const char *message);

	/* while it runs */
	size_t at;			/* step */
	struct report_table *tb;
	json_object *doc;		/* array of steps */
	json_object *found;		/* array of answers */
	char **notes;			/* lines to print below the table */
	size_t nnotes;

	char *keep[LOAD_KEYS];		/* memory to free at the end */
	char **keep_lists[LOAD_KEYS];
};

/* Return: the new step, or NULL without memory, reported. Good until the next one is added. */
struct load_step *load_series_add(struct load_series *s, const char *name);

/**
 * load_step_add() - one more load for a step
 * @cfg: copied
 * @devs: copied, @n of them; 0: all devices
 * Return: the load, or NULL without memory, reported. Good until the next one is added.
 */
struct load_job *load_step_add(struct load_step *st, const char *name, const struct load_cfg *cfg,
			       const size_t *devs, size_t n);

/* Name a column (a constant text, or one that lives as long as @s). Return: its number, or -EUSAGE. */
int load_series_key(struct load_series *s, const char *key);
/* What a step has there. Return: 0 or -ENOMEM, reported. */
int load_step_set(struct load_step *st, size_t key, const char *value);

/**
 * load_series_run() - check all steps, run them, print the table, fill @l->doc
 *
 * A signal ends the step that runs, and the series; what was measured is
 * printed then, and also after an error. Return: 0, 1 when the goal was not
 * reached, -EUSAGE or -errno, reported.
 */
int load_series_run(struct load *l, struct load_series *s);

void load_series_free(struct load_series *s);

/* For what runs a step. */

/* Say in the progress which step this is, and which part of it if it has several ("round 3"). */
void load_series_progress(struct load *l, const struct load_series *s,
			  const struct load_step *st, const char *part);

/* Targets of the step on @l, ready to start. @endless: see struct load_target. */
int load_step_prepare(struct load *l, struct load_series *s, const struct load_step *st,
		      bool endless);

/**
 * load_step_record() - a row and a JSON object of what the targets did
 * @extra: what the extra columns have; NULL ends it, and there may be none
 * @jobs: for the JSON, or NULL; taken
 * Return: the object, which is the series', or NULL without memory, reported.
 */
json_object *load_step_record(struct load *l, struct load_series *s, const struct load_step *st,
			      const struct load_results *rs,
			      const char *const *extra, json_object *jobs);

/* The tables of --per and --hist, at once. Return: 0 or -errno, reported. */
int load_step_details(struct load *l, const struct load_results *rs);

/* A line below the table. */
void load_series_note(struct load_series *s, const char *fmt, ...) __printf(2, 3);

/* {"qd": "4"} */
json_object *load_values_json(const struct load_series *s, const struct load_step *st);

/* "qd=4, scheduler=none"; "" if there is only one step. */
char *load_step_text(const struct load_series *s, const struct load_step *st, char *buf,
		     size_t len);

/* load_sweep.c */

/**
 * load_sweep() - the steps of --sweep and --scenario
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_sweep(struct load *l, struct load_series *s, struct opt_args *args);

#endif
