/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_KEYS_H
#define BLKGEN_JOBFILE_KEYS_H

#include <stdint.h>
#include "blkgen/fio/jobfile.h"
#include "core/log.h"

#define JOB_MAX_KEYS	400

/* What a file says about a key */
struct job_setting {
	char *value;			/* NULL: the key alone */
	unsigned int line;		/* 0: nothing is said */
};

/* All that is said for a job, by key */
struct job_settings {
	struct job_setting key[JOB_MAX_KEYS];
};

/* A job's section, with what [global] says */
struct job_section {
	const char *path;
	const char *name;
	unsigned int line;
	const struct job_settings *set;
};

/**
 * job_key_find() - index of a key or alias, -1 if blkgen does not know it
 */
int job_key_find(const char *name, size_t len);

const char *job_key_name(size_t i);

/**
 * job_add() - convert a section into jobs
 * @threads: threads that fio has made so far; counts on
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_add(struct jobfile *jf, const struct job_section *sec, unsigned int *threads);

/* A text that lives as long as @jf; NULL if there is no memory (reported). */
char *jobfile_text(struct jobfile *jf, const char *fmt, ...) __printf(2, 3);

#endif
