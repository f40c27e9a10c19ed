/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_KEYS_H
#define BLKGEN_JOBFILE_KEYS_H

#include <stdint.h>
#include "blkgen/fio/jobfile.h"
#include "core/log.h"

#define JOB_MAX_KEYS	400

/* A key in a file, with its value */
struct job_setting {
	char *value;			/* NULL: the key stands alone, without a value */
	unsigned int line;		/* 0: the file does not have the key */
};

/* The settings of a job, indexed by key as job_key_find() returns it */
struct job_settings {
	struct job_setting key[JOB_MAX_KEYS];
};

/* A section that is a job. @set includes the settings of [global] before it. */
struct job_section {
	const char *path;
	const char *name;
	unsigned int line;
	const struct job_settings *set;
};

/**
 * job_key_find() - find a key or alias in the table of keys
 * @len: length of @name, which need not be terminated
 * Return: its index, or -1 if blkgen does not know it.
 */
int job_key_find(const char *name, size_t len);

/* Return the name of the key with index @i, also if the file uses its alias. */
const char *job_key_name(size_t i);

/**
 * job_add() - convert a section into jobs
 * @threads: number of fio threads of the sections before; those of this section are added
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_add(struct jobfile *jf, const struct job_section *sec, unsigned int *threads);

/* Format a text that lives as long as @jf. Return: NULL if there is no memory (reported). */
char *jobfile_text(struct jobfile *jf, const char *fmt, ...) __printf(2, 3);

#endif
