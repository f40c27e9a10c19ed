/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_KEYS_H
#define BLKGEN_JOBFILE_KEYS_H

#include "blkgen/fio/jobfile_value.h"

/**
 * job_key_find() - find a key or alias in the table of keys
 * @name: name of the key
 * @len: bytes of @name, which need not be terminated
 *
 * Return: its index, or -1 if blkgen does not know it.
 */
int job_key_find(const char *name, size_t len);

/**
 * job_settings_init() - give settings the names of all keys
 * @set: overwritten; no key has a value yet
 */
void job_settings_init(struct job_settings *set);

/**
 * job_add() - convert a section into jobs
 * @jf: gets the jobs and the notes; call jobfile_free() also after an error
 * @sec: the section, whose texts must live as long as @jf
 * @threads: number of fio threads of the sections before; those of this section are added
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_add(struct jobfile *jf, const struct job_section *sec, unsigned int *threads);

#endif
