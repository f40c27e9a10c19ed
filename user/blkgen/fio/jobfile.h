/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_H
#define BLKGEN_JOBFILE_H

#include <stdio.h>
#include "blkgen/fio/jobfile_jobs.h"

/*
 * Convert fio's job files into options of blkgen load. A key becomes the option that does the same.
 * A key that makes no difference to the load is ignored. If blkgen cannot do what a key says, it
 * refuses the file and reports the line of the key.
 */

/**
 * jobfile_parse() - convert a job file in fio's ini format into jobs
 * @path: the file's name, for messages; not copied, so it must live as long as @jf
 * @text: the file's contents
 * @jf: zeroed except for @devices and @ndevices; call jobfile_free() also after an error
 *
 * Return: 0, -EUSAGE (reported, as "path:line: ...") or -ENOMEM (reported).
 */
int jobfile_parse(const char *path, const char *text, struct jobfile *jf);

/**
 * jobfile_read() - read a whole file as text
 * @path: "-" is stdin
 *
 * Return: the text, to be freed, or NULL (reported).
 */
char *jobfile_read(const char *path);

/**
 * jobfile_print_keys() - print what becomes of each of fio's keys
 * @f: where to print, one line per key: "KEY, ALIAS: --OPTION; remark" or "KEY: 0 only; why"
 */
void jobfile_print_keys(FILE *f);

#endif
