/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_CONV_H
#define BLKGEN_JOBFILE_CONV_H

#include "blkgen/fio/jobfile_keys.h"

enum { R = 1, W = 2, T = 4 };	/* reads, writes, trims */

/* A section on its way to a job. Facts are what more than one conversion wants to know. */
struct conv {
	struct jobfile *jf;
	const struct job_section *sec;
	struct job *job;
	uint64_t clones, clone;		/* jobs that the section becomes; which one this is */
	uint64_t thread;		/* fio's number of the (first) thread, from 1 */
	/* facts */
	uint64_t kilo;			/* kb_base */
	const char *rw;			/* blkgen's name */
	unsigned int ops;
	bool random;
	bool draws;			/* places are drawn, so that there are no passes */
	bool strided;
	bool sizes;			/* of several block sizes */
	bool verifies;
	const char *engine;
	bool queued;			/* it keeps iodepth in flight */
	bool waits;			/* for each I/O in its submission, if it is not direct */
	uint64_t threads;		/* kernel threads of the job: clones that are alike */
};

/* jobfile_value.c. All that return int: 0, -EUSAGE or -ENOMEM, reported with the line of @s. */

const struct job_setting *jf_get(const struct conv *c, const char *name);
bool jf_given(const struct conv *c, const char *name);
/* Of a key that is a boolean: the key alone and "1" are true. */
bool jf_truth(const struct conv *c, const char *name);

/* That @s (NULL: the section) cannot be followed. Return: -EUSAGE. */
int jf_bad(const struct conv *c, const struct job_setting *s, const char *fmt, ...) __printf(3, 4);
/* That it is followed otherwise than by fio. */
int jf_note(struct conv *c, const struct job_setting *s, const char *fmt, ...) __printf(3, 4);
/* --@opt=@fmt, because of @s; NULL @fmt: a flag. */
int jf_emit(struct conv *c, const char *opt, const struct job_setting *s, const char *fmt, ...)
	__printf(4, 5);
int jf_emit_num(struct conv *c, const char *opt, const struct job_setting *s, uint64_t v,
		const char *unit);

/* These leave @v as it is if the key is not there. */
int jf_boolean(const struct conv *c, const struct job_setting *s, bool *v);
int jf_number(const struct conv *c, const struct job_setting *s, uint64_t *v);
/* Into ns; a bare number is in s or us. */
int jf_duration(const struct conv *c, const struct job_setting *s, bool seconds, uint64_t *ns);

/* A part of a value. */
int jf_number_of(const struct conv *c, const struct job_setting *s, const char *text, uint64_t *v);
/* What several fio threads do together. */
int jf_times(const struct conv *c, const struct job_setting *s, uint64_t *v, uint64_t n);
/* fio divides what is a job's among its files. */
int jf_divide(const struct conv *c, const struct job_setting *s, uint64_t *v);

/**
 * jf_directed() - the part of a value that is about what the job does
 *
 * fio's values for reads, writes and trims are separated by commas; those that are missing are as the
 * last one. Return: 1 and the text, 0 if there is none, or an error.
 */
int jf_directed(const struct conv *c, const struct job_setting *s, char *buf, size_t len);

/* Of a part of the value. */
int jf_directed_of(const struct conv *c, const struct job_setting *s, const char *p, char *buf,
		   size_t len);

/* jobfile_conv.c: facts, and options. */

int job_find_rw(struct conv *c);
int job_find_engine(struct conv *c);
int job_find_devices(struct conv *c);
int job_conv_rw(struct conv *c, const struct job_setting *s);
int job_conv_mix(struct conv *c, const struct job_setting *s);
int job_conv_engine(struct conv *c, const struct job_setting *s);
int job_conv_batch(struct conv *c, const struct job_setting *s);
int job_conv_bs(struct conv *c, const struct job_setting *s);
int job_conv_offset(struct conv *c, const struct job_setting *s);
int job_conv_size(struct conv *c, const struct job_setting *s);
int job_conv_zones(struct conv *c, const struct job_setting *s);
int job_conv_dist(struct conv *c, const struct job_setting *s);
int job_conv_limits(struct conv *c, const struct job_setting *s);
int job_conv_ramp(struct conv *c, const struct job_setting *s);
int job_conv_rate(struct conv *c, const struct job_setting *s);
int job_conv_think(struct conv *c, const struct job_setting *s);
int job_conv_jobs(struct conv *c, const struct job_setting *s);
int job_conv_cpus(struct conv *c, const struct job_setting *s);
int job_conv_seed(struct conv *c, const struct job_setting *s);
int job_conv_flush(struct conv *c, const struct job_setting *s);
int job_conv_sync(struct conv *c, const struct job_setting *s);
int job_conv_verify(struct conv *c, const struct job_setting *s);
int job_conv_errors(struct conv *c, const struct job_setting *s);

#endif
