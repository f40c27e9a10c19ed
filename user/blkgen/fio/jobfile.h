/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_H
#define BLKGEN_JOBFILE_H

#include <stdio.h>
#include "blkgen/fio/jobfile_jobs.h"

/*
 * Convert fio's job files into options of blkgen load. A key that means the same is taken over, a
 * key that makes no difference to the load is left out, and a key that blkgen cannot follow is
 * refused with its line.
 */

/**
 * jobfile_parse() - convert a job file in fio's ini format into jobs
 * @path: the file's name, for messages
 * @text: the file's contents
 * @jf: zeroed except for @devices and @ndevices; call jobfile_free() also after an error
 * Return: 0, -EUSAGE (reported, as "path:line: ...") or -ENOMEM (reported).
 */
int jobfile_parse(const char *path, const char *text, struct jobfile *jf);

/**
 * jobfile_read() - read a whole file as text
 * @path: "-" is stdin
 * Return: the text, to be freed, or NULL (reported).
 */
char *jobfile_read(const char *path);

/*
 * Print what becomes of each of fio's keys, one line per key: "KEY, ALIAS: --OPTION; remark" or
 * "KEY: 0 only; why".
 */
void jobfile_print_keys(FILE *f);

#endif
