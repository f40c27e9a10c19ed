/* SPDX-License-Identifier: GPL-2.0 */
/* Read the values of a section's keys, and add the options that they become. */
#ifndef BLKGEN_JOBFILE_VALUE_H
#define BLKGEN_JOBFILE_VALUE_H

#include <stdint.h>
#include "blkgen/fio/jobfile_jobs.h"
#include "core/log.h"

#define JOB_MAX_KEYS	400

/* This is a key in a file, with its value. */
struct job_setting {
	const char *name;		/* name of the key, also if the file uses its alias */
	char *value;			/* NULL: the key stands alone, without a value */
	unsigned int line;		/* 0: the file does not have the key */
};

/* A job has a setting for each key. job_settings_init() gives the settings their names. */
struct job_settings {
	struct job_setting key[JOB_MAX_KEYS];
};

/* This is a section that is a job. @set includes the settings of [global] before it. */
struct job_section {
	const char *path;
	const char *name;
	unsigned int line;
	const struct job_settings *set;
};

enum { R = 1, W = 2, T = 4 };	/* reads, writes, trims */

/* This is the state of the conversion of a section into jobs. */
struct conv {
	struct jobfile *jf;
	const struct job_section *sec;
	struct job *job;
	uint64_t clones, clone;		/* number of jobs of the section; index of @job */
	uint64_t thread;		/* fio's number of the first thread of @job, from 1 */
	/* The members from here on are facts that several conversions need, so find them first. */
	uint64_t kilo;			/* kb_base: 1000 or 1024 */
	const char *rw;			/* blkgen's name of the pattern */
	unsigned int ops;		/* R, W and T bits */
	bool random;
	bool draws;			/* a random I/O may repeat an offset: no passes */
	bool strided;
	bool sizes;			/* true if there are several block sizes */
	bool verifies;
	const char *engine;
	bool queued;			/* the engine keeps iodepth I/Os in flight */
	bool waits;			/* submission of a buffered I/O waits until it is done */
	uint64_t threads;		/* kernel threads: identical clones of the job */
};

/*
 * The functions that return int return 0, -EUSAGE (reported with the line of @s) or -ENOMEM
 * (reported), unless their comment says otherwise.
 */

/*
 * Return the setting of the key @name, which must be in the table and must not be an alias. The
 * line of the setting is 0 if the file does not have the key.
 */
const struct job_setting *jf_get(const struct conv *c, const char *name);
/* Return true if the file has the key @name. */
bool jf_given(const struct conv *c, const char *name);
/* Return true if the boolean key @name is set: the key alone, and every value but "0", is true. */
bool jf_truth(const struct conv *c, const char *name);

/* Report that blkgen cannot follow @s (NULL: the section). Return: -EUSAGE. */
int jf_bad(const struct conv *c, const struct job_setting *s, const char *fmt, ...) __printf(3, 4);
/* Add a note that blkgen does not treat @s (NULL: the section) as fio does. */
int jf_note(struct conv *c, const struct job_setting *s, const char *fmt, ...) __printf(3, 4);
/* Add the option --@opt=@fmt to the job because of @s; a flag if @fmt is NULL. */
int jf_emit(struct conv *c, const char *opt, const struct job_setting *s, const char *fmt, ...)
	__printf(4, 5);
/* Add the option --@opt with the number @v and its @unit, which may be "". */
int jf_emit_num(struct conv *c, const char *opt, const struct job_setting *s, uint64_t v,
		const char *unit);

/* Read the value of @s. These functions do not change @v or @ns if the file lacks the key. */
int jf_boolean(const struct conv *c, const struct job_setting *s, bool *v);
int jf_number(const struct conv *c, const struct job_setting *s, uint64_t *v);
/* A number without a suffix is in seconds if @seconds is true, else in microseconds. */
int jf_duration(const struct conv *c, const struct job_setting *s, bool seconds, uint64_t *ns);

/* Read a number from @text, a part of the value of @s. */
int jf_number_of(const struct conv *c, const struct job_setting *s, const char *text, uint64_t *v);
/* Multiply @v of one fio thread or loop by their number @n. An overflow is an error. */
int jf_times(const struct conv *c, const struct job_setting *s, uint64_t *v, uint64_t n);
/* Divide @v among the job's devices, as fio does among its files. A remainder is an error. */
int jf_divide(const struct conv *c, const struct job_setting *s, uint64_t *v);

/**
 * jf_directed() - find the part of a value that applies to the ops of the job
 *
 * In fio, commas separate the values for reads, writes and trims; a value that is missing is the
 * same as the last one. If the job has several ops, their values must be the same.
 * Return: 1 with the text in @buf, 0 if there is no text, or an error.
 */
int jf_directed(const struct conv *c, const struct job_setting *s, char *buf, size_t len);

/* Do as jf_directed(), but for @p, a part of the value of @s. */
int jf_directed_of(const struct conv *c, const struct job_setting *s, const char *p, char *buf,
		   size_t len);

#endif
