/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_H
#define BLKGEN_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * fio's job files as options of blkgen load. What means the same is taken over, what makes no
 * difference is left out, what cannot be followed is refused with its line.
 */

/*
 * One option of blkgen load: --@opt=@value, --@opt without a value. The value of bytes may be "N%": of
 * the device behind offset.
 */
struct job_opt {
	const char *opt, *value;	/* value: NULL for a flag */
	unsigned int line;		/* that says so; of the section where fio's default does */
};

/* One job: fio's job, or one of its clones where they differ in their options */
struct job {
	const char *path, *name;
	unsigned int group;		/* those of a group run at the same time; from 0 */
	unsigned int line;		/* of its section */
	unsigned int thread;		/* of fio's threads in the file its first; from 0 */
	char **devices;
	size_t ndevices;
	struct job_opt *opts;
	size_t nopts;
};

struct jobfile {
	struct job *jobs;
	size_t njobs;
	char **notes;			/* "path:line: ..." what is done otherwise than by fio */
	size_t nnotes;
	char *const *devices;		/* of the command line, for jobs that name none */
	size_t ndevices;
	bool used;			/* some job uses them */
	char **strings;			/* all texts above */
	size_t nstrings;
};

/**
 * jobfile_parse() - read fio's ini format
 * @path: for messages
 * @text: the file's contents
 * @jf: zeroed but for @devices and @ndevices; jobfile_free() it, also after an error
 * Return: 0, -EUSAGE (reported, as "path:line: ...") or -ENOMEM (reported).
 */
int jobfile_parse(const char *path, const char *text, struct jobfile *jf);
void jobfile_free(struct jobfile *jf);

/**
 * jobfile_read() - a whole file as text
 * @path: "-" is stdin
 * Return: the text, to be freed, or NULL (reported).
 */
char *jobfile_read(const char *path);

/* What becomes of fio's keys, a line each: "KEY, ALIAS: --OPTION; remark" or "KEY: 0 only; why". */
void jobfile_print_keys(FILE *f);

#endif
