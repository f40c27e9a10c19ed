/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_SERIES_H
#define BLKGEN_LOAD_SERIES_H

#include "blkgen/load/cfg.h"
#include "blkgen/load/result.h"
#include "blkgen/load/target.h"
#include "device/queue.h"

/*
 * Run loads one after the other, with a row of results for each. A step is one load, or several
 * loads at the same time. Make the steps, then call load_series_run():
 *
 *	load_device_add(l, "nvme0n1", &i);
 *	st = load_series_add(&s, "group 1");
 *	load_step_add(st, "job1", &cfg, &i, 1);
 *	ret = load_series_run(l, &s);
 *	load_series_free(&s);
 */

/* One load of a step. */
struct load_job {
	char *name;		/* NULL: the load has no name */
	struct load_cfg cfg;
	size_t *devs;		/* indexes in @devs of struct load */
	size_t ndevs;		/* 0: all devices */
	const void *from;	/* argument of the series' @where */
	unsigned int part;	/* use the first 1/@part of the range of @cfg; 0: all of it */
};

struct load_step {
	char *name;		/* NULL: the step has no name */
	char **values;		/* one for each key of the series; each may be NULL */
	char *queue[NR_QUEUE_ATTRS];	/* settings for all disks; NULL: do not set it */
	struct load_job *jobs;
	size_t njobs;
	bool steady;		/* run rounds of --time until the rounds are alike */
};

/* The most columns of keys, and of @extra, that a table of steps has before the usual ones */
#define LOAD_KEYS	16
#define LOAD_EXTRA	3

struct load_series {
	const char *keys[LOAD_KEYS];	/* what differs between steps ("qd"): a column each */
	size_t nkeys;
	struct load_step *steps;
	size_t nsteps;
	bool named;			/* steps have names: there is a column of them */
	bool loads_named;		/* the loads have names: there is a column of them */
	/* Columns that tell the rows of a step apart; NULL ends them. */
	const char *extra[LOAD_EXTRA + 1];
	const struct load_goal *goal;	/* search in each step; NULL: no --target-latency */
	/* Returns the text to put before a message about a load, see log_where(); may be NULL. */
	const char *(*where)(const void *from, const char *message);

	/* while the series runs */
	size_t at;			/* index of the step that runs */
	struct report_table *tb;
	json_object *doc;		/* array of steps */
	json_object *found;		/* array of the answers of load_search() */
	char **notes;			/* lines to print below the table */
	size_t nnotes;

	char *keep[LOAD_KEYS];		/* memory to free at the end */
	char **keep_lists[LOAD_KEYS];
};

/* Add a step. Return: the step, valid until the next is added; NULL without memory, reported. */
struct load_step *load_series_add(struct load_series *s, const char *name);

/**
 * load_step_add() - add a load to a step
 * @name: copied; NULL if the load has no name
 * @cfg: copied
 * @devs: indexes of @n devices in struct load, copied
 * @n: 0 for all devices
 * Return: the load, valid until the next one is added; NULL without memory, reported.
 */
struct load_job *load_step_add(struct load_step *st, const char *name, const struct load_cfg *cfg,
			       const size_t *devs, size_t n);

/*
 * Add a key, which is a column of the table. @key is not copied and must live as long as @s.
 * Return: the number of the key, or -EUSAGE, reported.
 */
int load_series_key(struct load_series *s, const char *key);
/* Set the step's value for the key with this number. Return: 0 or -ENOMEM, reported. */
int load_step_set(struct load_step *st, size_t key, const char *value);

/* Return the largest number of jobs that a load of the series has. */
uint64_t load_series_jobs(const struct load_series *s);

/**
 * load_series_run() - check all steps, run them, print the table, fill @l->doc
 *
 * A signal ends the step that runs, and the series. What was measured until then is printed, also
 * after an error.
 * Return: 0, 1 if a step did not reach the goal, or -EUSAGE or -errno, reported.
 */
int load_series_run(struct load *l, struct load_series *s);

void load_series_free(struct load_series *s);

/* The functions below are for code that runs a step. */

/*
 * Set the text of the progress line that names the step. @part: part of the step that runs
 * ("round 3"), or ""
 */
void load_series_progress(struct load *l, const struct load_series *s,
			  const struct load_step *st, const char *part);

/*
 * Close the sessions of the step before, and make the targets of this step on @l, ready to start.
 * @endless: see struct load_target. Return: 0 or -errno, reported.
 */
int load_step_prepare(struct load *l, struct load_series *s, const struct load_step *st,
		      bool endless);

/**
 * load_step_record() - add rows and a JSON object with what the targets did
 * @rs: the results of the targets
 * @extra: values of the extra columns; NULL ends them, and @extra may be NULL
 * @jobs: JSON array of the jobs' results, which this function takes over; may be NULL
 * Return: the object, which belongs to the series, or NULL without memory, reported.
 */
json_object *load_step_record(struct load *l, struct load_series *s, const struct load_step *st,
			      const struct load_results *rs,
			      const char *const *extra, json_object *jobs);

/* Print the tables of --per and --hist now. Return: 0 or -errno, reported. */
int load_step_details(struct load *l, const struct load_results *rs);

/* Add a line to be printed below the table. */
void load_series_note(struct load_series *s, const char *fmt, ...) __printf(2, 3);

/* Return the step's values of the keys as a JSON object: {"qd": "4"}. */
json_object *load_values_json(const struct load_series *s, const struct load_step *st);

/* Format the step's name and values: "qd=4, scheduler=none"; "" if it has none. Return: @buf. */
char *load_step_text(const struct load_series *s, const struct load_step *st, char *buf,
		     size_t len);

/* sweep.c */

/**
 * load_sweep() - make the steps of --sweep and --scenario
 * @s: gets the steps
 * @args: the options that the user gave
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_sweep(struct load *l, struct load_series *s, struct opt_args *args);

#endif
