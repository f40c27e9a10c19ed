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

/* An error is reported with the line of @s, or of the section if the file lacks the key. */

/**
 * jf_get() - get the setting of a key
 * @c: the conversion
 * @name: name of the key, which must be in the table and must not be an alias
 *
 * Return: the setting, whose line is 0 if the file does not have the key.
 */
const struct job_setting *jf_get(const struct conv *c, const char *name);

/**
 * jf_given() - tell if the file has a key
 * @c: the conversion
 * @name: as for jf_get()
 *
 * Return: true if it has.
 */
bool jf_given(const struct conv *c, const char *name);

/**
 * jf_truth() - tell if a boolean key is set
 * @c: the conversion
 * @name: as for jf_get()
 *
 * Return: true for the key alone, and for every value but "0"; false if the file lacks the key.
 */
bool jf_truth(const struct conv *c, const char *name);

/**
 * jf_bad() - report that blkgen cannot follow a setting
 * @c: the conversion
 * @s: the setting; NULL: the section
 * @fmt: the reason, as for printf()
 * @...: values for @fmt
 *
 * Return: -EUSAGE.
 */
int jf_bad(const struct conv *c, const struct job_setting *s, const char *fmt, ...) __printf(3, 4);

/**
 * jf_note() - add a note that blkgen does not treat a setting as fio does
 * @c: the conversion, whose @jf gets the note; only the first clone adds one
 * @s: the setting; NULL: the section
 * @fmt: the difference, as for printf()
 * @...: values for @fmt
 *
 * Return: 0 or -ENOMEM, reported.
 */
int jf_note(struct conv *c, const struct job_setting *s, const char *fmt, ...) __printf(3, 4);

/**
 * jf_emit() - add an option to the job
 * @c: the conversion, whose @job gets the option
 * @opt: name of the option without dashes, not copied
 * @s: setting that the option is made of, which gives it its line; NULL: the section
 * @fmt: the value, as for printf(), at most 4095 bytes; NULL: the option is a flag
 * @...: values for @fmt
 *
 * Return: 0 or -ENOMEM, reported.
 */
int jf_emit(struct conv *c, const char *opt, const struct job_setting *s, const char *fmt, ...)
	__printf(4, 5);

/**
 * jf_emit_num() - add an option with a number to the job
 * @c: the conversion, whose @job gets the option
 * @opt: as for jf_emit()
 * @s: as for jf_emit()
 * @v: the number
 * @unit: text after the number, such as "ns"; may be ""
 *
 * Return: 0 or -ENOMEM, reported.
 */
int jf_emit_num(struct conv *c, const char *opt, const struct job_setting *s, uint64_t v,
		const char *unit);

/**
 * jf_boolean() - read the value of a boolean key
 * @c: the conversion
 * @s: the setting; the value "1" means true, and so does a key without a value
 * @v: set to the value; not changed if the file lacks the key
 *
 * Return: 0 or -EUSAGE, reported.
 */
int jf_boolean(const struct conv *c, const struct job_setting *s, bool *v);

/**
 * jf_number() - read the value of a key that is a whole number
 * @c: the conversion, which has kb_base
 * @s: the setting; its value may have a suffix such as k
 * @v: set to the number; not changed if the file lacks the key
 *
 * Return: 0 or -EUSAGE, reported.
 */
int jf_number(const struct conv *c, const struct job_setting *s, uint64_t *v);

/**
 * jf_duration() - read the value of a key that is a time
 * @c: the conversion
 * @s: the setting; its value may have a suffix such as ms
 * @seconds: a number without a suffix is in seconds, not in microseconds
 * @ns: set to the time in ns; not changed if the file lacks the key
 *
 * Return: 0 or -EUSAGE, reported.
 */
int jf_duration(const struct conv *c, const struct job_setting *s, bool seconds, uint64_t *ns);

/**
 * jf_number_of() - read a number from a part of a value
 * @c: the conversion, which has kb_base
 * @s: the setting that has the value
 * @text: the part, which must be a number with or without a suffix, and nothing else
 * @v: set to the number
 *
 * Return: 0 or -EUSAGE, reported.
 */
int jf_number_of(const struct conv *c, const struct job_setting *s, const char *text, uint64_t *v);

/**
 * jf_times() - multiply a number, for instance the I/Os of one fio thread by the number of threads
 * @c: the conversion
 * @s: the setting that has the number
 * @v: the number, replaced by the product
 * @n: factor
 *
 * Return: 0; -EUSAGE, reported, if the product does not fit.
 */
int jf_times(const struct conv *c, const struct job_setting *s, uint64_t *v, uint64_t n);

/**
 * jf_divide() - divide a number among the job's devices, as fio does among its files
 * @c: the conversion; its @job has devices
 * @s: the setting that has the number
 * @v: the number, replaced by the share of a device
 *
 * Return: 0; -EUSAGE, reported, if there is a remainder.
 */
int jf_divide(const struct conv *c, const struct job_setting *s, uint64_t *v);

/**
 * jf_directed() - find the part of a value that applies to the ops of the job
 * @c: the conversion, after job_find_rw()
 * @s: the setting
 * @buf: gets the part; not changed if the file lacks the key
 * @len: bytes in @buf
 *
 * In fio, commas separate the values for reads, writes and trims; a value that is missing is the
 * same as the last one. If the job has several ops, their values must be the same.
 *
 * Return: 1 with the text in @buf, 0 if there is no text, or -EUSAGE, reported.
 */
int jf_directed(const struct conv *c, const struct job_setting *s, char *buf, size_t len);

/**
 * jf_directed_of() - do as jf_directed(), but for a part of a value
 * @c: the conversion, after job_find_rw()
 * @s: the setting that has the value
 * @p: the part of the value
 * @buf: gets the part of @p that applies
 * @len: bytes in @buf
 *
 * Return: as jf_directed().
 */
int jf_directed_of(const struct conv *c, const struct job_setting *s, const char *p, char *buf,
		   size_t len);

#endif
