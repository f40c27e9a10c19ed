/* SPDX-License-Identifier: GPL-2.0 */
/* Define the steps of a series of loads, and help the code that runs a step. */
#ifndef BLKGEN_LOAD_STEP_H
#define BLKGEN_LOAD_STEP_H

#include "blkgen/load/cfg.h"
#include "blkgen/load/result.h"
#include "device/queue.h"

/* This is one load of a step. */
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
	bool steady;		/* run rounds of --time until they are steady */
};

/* A table has at most this many key columns and @extra columns, before the usual columns. */
#define LOAD_KEYS	16
#define LOAD_EXTRA	3

struct load_series {
	const char *keys[LOAD_KEYS];	/* keys that differ between steps ("qd") */
	size_t nkeys;
	struct load_step *steps;
	size_t nsteps;
	bool named;			/* steps have names: there is a column of them */
	bool loads_named;		/* the loads have names: there is a column of them */
	/* These columns tell the rows of a step apart; NULL ends them. */
	const char *extra[LOAD_EXTRA + 1];
	const struct load_goal *goal;	/* search in each step; NULL: no --target-latency */
	/*
	 * This returns the text to put before a message about a load, see log_where(). It may be
	 * NULL.
	 */
	const char *(*where)(const void *from, const char *message);

	/* The members from here on are used while the series runs. */
	size_t at;			/* index of the step that runs */
	struct report_table *tb;
	json_object *doc;		/* array of steps */
	json_object *found;		/* array of the answers of load_search() */
	char **notes;			/* lines to print below the table */
	size_t nnotes;

	char *keep[LOAD_KEYS];		/* memory to free at the end */
	char **keep_lists[LOAD_KEYS];
};

/**
 * load_series_progress() - set the texts that name the step, for the progress line and results
 * @l: the load, whose @what and @step are set
 * @s: the series; if it has one step, only @part is named
 * @st: the step
 * @part: part of the step that runs ("round 3"), or ""
 */
void load_series_progress(struct load *l, const struct load_series *s,
			  const struct load_step *st, const char *part);

/**
 * load_step_targets() - make the targets of a step: one for each device of each load
 * @l: gets the targets; call load_release() first if earlier ones have sessions
 * @st: the step
 *
 * Return: 0 or -ENOMEM, reported.
 */
int load_step_targets(struct load *l, const struct load_step *st);

/**
 * load_step_prepare() - close the sessions of the step before, and make those of this step
 * @l: gets the targets of the step, ready to start
 * @s: the series
 * @st: the step; its queue settings are set on all devices of @l
 * @endless: see struct load_target
 *
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_step_prepare(struct load *l, struct load_series *s, const struct load_step *st,
		      bool endless);

/**
 * load_step_record() - add rows and a JSON object with what the targets did
 * @l: the load with the targets; gets the number of failed I/Os
 * @s: the series, which gets the rows, the object, and notes on events such as stalls
 * @st: the step
 * @rs: the results of the targets
 * @extra: values of the extra columns, ended by NULL if they are fewer; may be NULL
 * @jobs: JSON array of the jobs' results, which this function takes over; may be NULL
 *
 * Return: the object, which belongs to the series; NULL without memory, not always reported.
 */
json_object *load_step_record(struct load *l, struct load_series *s, const struct load_step *st,
			      const struct load_results *rs,
			      const char *const *extra, json_object *jobs);

/**
 * load_step_details() - print the tables of --per and --hist now, unless stdout is for data
 * @l: the load, whose sessions are still open
 * @rs: the results of its targets
 *
 * Return: 0 or -errno, reported, except sometimes -ENOMEM.
 */
int load_step_details(struct load *l, const struct load_results *rs);

/**
 * load_series_note() - add a line to be printed below the table
 * @s: the series; without memory it does not get the line, which is not reported
 * @fmt: the line without its end, as for printf()
 * @...: values for @fmt
 */
void load_series_note(struct load_series *s, const char *fmt, ...) __printf(2, 3);

/**
 * load_values_json() - make a JSON object of the step's values of the keys: {"qd": "4"}
 * @s: the series, which has the keys
 * @st: the step; keys for which it has no value are left out
 *
 * Return: the object, which the caller owns.
 */
json_object *load_values_json(const struct load_series *s, const struct load_step *st);

/**
 * load_step_text() - format the name and the values of a step: "qd=4, scheduler=none"
 * @s: the series, which has the keys
 * @st: the step
 * @buf: gets the text, which is cut off if it is too long; "" if the step has no name and no values
 * @len: bytes in @buf
 *
 * Return: @buf.
 */
char *load_step_text(const struct load_series *s, const struct load_step *st, char *buf,
		     size_t len);

#endif
