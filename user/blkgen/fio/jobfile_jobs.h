/* SPDX-License-Identifier: GPL-2.0 */
/* Declare the jobs of a job file, which have options of blkgen load in place of fio's keys. */
#ifndef BLKGEN_JOBFILE_JOBS_H
#define BLKGEN_JOBFILE_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include "core/log.h"

/*
 * This is an option of blkgen load: --@opt=@value, or --@opt if it has no value. The value of
 * --bytes may be "N%": N percent of the bytes of the device after --offset.
 */
struct job_opt {
	const char *opt, *value;	/* value: NULL for a flag */
	unsigned int line;		/* line of the key; for a default of fio: of the section */
};

/* This is a job of fio, or one of its clones (numjobs) if the clones have different options. */
struct job {
	const char *path, *name;
	unsigned int group;		/* the jobs of a group run at the same time; from 0 */
	unsigned int line;		/* line of the job's section */
	unsigned int thread;		/* number of the job's first fio thread in the file; 0.. */
	char **devices;
	size_t ndevices;
	struct job_opt *opts;
	size_t nopts;
};

struct jobfile {
	struct job *jobs;
	size_t njobs;
	char **notes;			/* "path:line: ...": how blkgen differs from fio */
	size_t nnotes;
	char *const *devices;		/* from the command line, for jobs that name no device */
	size_t ndevices;
	bool used;			/* true if some job uses @devices */
	char **strings;			/* the texts of the jobs and notes, to be freed */
	size_t nstrings;
};

/**
 * jobfile_text() - format a text that lives as long as the job file
 * @jf: owns the text
 * @fmt: as for printf()
 * @...: values for @fmt
 *
 * Return: the text; NULL without memory, reported.
 */
char *jobfile_text(struct jobfile *jf, const char *fmt, ...) __printf(2, 3);

/**
 * jobfile_free() - free the jobs of a job file, their texts and the notes
 * @jf: the job file, may be zeroed; zeroed afterwards
 */
void jobfile_free(struct jobfile *jf);

#endif
