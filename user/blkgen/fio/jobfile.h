/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_H
#define BLKGEN_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Convert fio's job files into options of blkgen load. A key that means the same is taken over, a
 * key that makes no difference to the load is left out, and a key that blkgen cannot follow is
 * refused with its line.
 */

/*
 * An option of blkgen load: --@opt=@value, or --@opt if it has no value. The value of --bytes may
 * be "N%": N percent of the bytes of the device behind --offset.
 */
struct job_opt {
	const char *opt, *value;	/* value: NULL for a flag */
	unsigned int line;		/* of the key; of the section for one of fio's defaults */
};

/* A job: a job of fio, or one of its clones (numjobs) if the clones have different options */
struct job {
	const char *path, *name;
	unsigned int group;		/* the jobs of a group run at the same time; from 0 */
	unsigned int line;		/* of the job's section */
	unsigned int thread;		/* number of the job's first fio thread in the file; 0.. */
	char **devices;
	size_t ndevices;
	struct job_opt *opts;
	size_t nopts;
};

struct jobfile {
	struct job *jobs;
	size_t njobs;
	char **notes;			/* "path:line: ...": what blkgen does otherwise than fio */
	size_t nnotes;
	char *const *devices;		/* of the command line, for jobs that name no device */
	size_t ndevices;
	bool used;			/* true if some job uses @devices */
	char **strings;			/* the texts of the jobs and notes, to be freed */
	size_t nstrings;
};

/**
 * jobfile_parse() - convert a job file in fio's ini format into jobs
 * @path: the file's name, for messages
 * @text: the file's contents
 * @jf: zeroed except for @devices and @ndevices; call jobfile_free() also after an error
 * Return: 0, -EUSAGE (reported, as "path:line: ...") or -ENOMEM (reported).
 */
int jobfile_parse(const char *path, const char *text, struct jobfile *jf);
void jobfile_free(struct jobfile *jf);

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
