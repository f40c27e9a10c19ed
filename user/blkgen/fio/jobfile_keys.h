/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_KEYS_H
#define BLKGEN_JOBFILE_KEYS_H

#include "blkgen/fio/jobfile_value.h"

/**
 * job_key_find() - find a key or alias in the table of keys
 * @len: length of @name, which need not be terminated
 * Return: its index, or -1 if blkgen does not know it.
 */
int job_key_find(const char *name, size_t len);

/* Initialise @set with the names of all keys; no key has a value yet. */
void job_settings_init(struct job_settings *set);

/**
 * job_add() - convert a section into jobs
 * @threads: number of fio threads of the sections before; those of this section are added
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_add(struct jobfile *jf, const struct job_section *sec, unsigned int *threads);

#endif
