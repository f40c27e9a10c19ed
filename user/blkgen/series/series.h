/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_SERIES_H
#define BLKGEN_LOAD_SERIES_H

#include "blkgen/load/cfg.h"
#include "blkgen/series/step.h"

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

/**
 * load_series_add() - add a step to a series
 * @s: the series, zeroed before the first step
 * @name: copied; NULL if the step has no name
 *
 * Return: the step, valid until the next one is added; NULL without memory, reported.
 */
struct load_step *load_series_add(struct load_series *s, const char *name);

/**
 * load_step_add() - add a load to a step
 * @st: the step
 * @name: copied; NULL if the load has no name
 * @cfg: copied
 * @devs: indexes of @n devices in struct load, copied
 * @n: 0 for all devices
 *
 * Return: the load, valid until the next one is added; NULL without memory, reported.
 */
struct load_job *load_step_add(struct load_step *st, const char *name, const struct load_cfg *cfg,
			       const size_t *devs, size_t n);

/**
 * load_series_key() - add a key, which is a column of the table
 * @s: the series; it has LOAD_KEYS keys at most
 * @key: not copied; must live as long as @s
 *
 * Return: the number of the key, or -EUSAGE, reported.
 */
int load_series_key(struct load_series *s, const char *key);

/**
 * load_step_set() - set the value of a key in a step
 * @st: the step
 * @key: the number that load_series_key() returned
 * @value: copied
 *
 * Return: 0 or -ENOMEM, reported.
 */
int load_step_set(struct load_step *st, size_t key, const char *value);

/**
 * load_series_jobs() - find the largest number of jobs that a load of the series has
 * @s: the series
 *
 * Return: the number, at least 1.
 */
uint64_t load_series_jobs(const struct load_series *s);

/**
 * load_series_run() - check all steps, run them, print the table, fill @l->doc
 * @l: the devices of the steps
 * @s: the series with its steps; call load_series_free() afterwards
 *
 * A signal ends the step that runs, and the series. The results until then are printed, also after
 * an error.
 *
 * Return: 0; 1 if a step did not reach the goal; -EUSAGE or -errno, reported, except sometimes
 * -ENOMEM.
 */
int load_series_run(struct load *l, struct load_series *s);

/**
 * load_series_free() - free the steps and the table of a series
 * @s: the series, may be zeroed; zeroed afterwards
 */
void load_series_free(struct load_series *s);

/* This is in sweep.c. */

/**
 * load_sweep() - make the steps of --sweep and --scenario
 * @l: its @cfg has both options, and the defaults for the steps
 * @s: gets the steps; its @goal must be set before
 * @args: the options that the user gave
 *
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_sweep(struct load *l, struct load_series *s, struct opt_args *args);

#endif
