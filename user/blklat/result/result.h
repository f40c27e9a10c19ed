/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_H
#define BLKLAT_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <json-c/json.h>
#include "core/hist.h"
#include "core/io_hist.h"
#include "device/device.h"

/*
 * Results as files keep them, see Documentation/json.rst, "Result files". A
 * result is of several devices, and of each device in parts: the intervals of a
 * recording, the visits of a comparison.
 */

/* Raised when readers of the format before would misunderstand a file. */
#define RESULT_FORMAT 1

/**
 * struct result_row - one stage
 * @stage, @group: as in bpf/stages.h
 * @layer: "leaf", or how deep the layer lies below the device: "0"...
 *	@stage and @layer together name a row.
 * @label: as tables have it: "sched", "dm-0 submit"
 * @hist: of BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 */
struct result_row {
	char stage[48];
	char group[32];
	char layer[16];
	char label[DEV_TEXT];
	struct hist hist;
};

/**
 * struct result_rows - the stages of a device, in the order in which an I/O has them
 */
struct result_rows {
	struct result_row *v;
	size_t n;
};

/**
 * struct result_sample - a part of the run
 * @round: recording: number of the interval; comparison: of the round
 * @traced: false for the visits of a comparison without tracing
 * @at_ns: since the start
 * @elapsed_ns: how long it took
 * @ios, @bytes: what ended in it
 * @cpu_ns: CPU time per I/O, NAN where it is not known
 * @total: traced: totals of the I/Os; not traced: latency as the load has it,
 *	empty where it does not tell
 * @rows: traced only
 */
struct result_sample {
	unsigned int round;
	bool traced;
	uint64_t at_ns;
	uint64_t elapsed_ns;
	uint64_t ios;
	uint64_t bytes;
	double cpu_ns;
	struct hist total;
	struct result_rows rows;
};

/**
 * struct result_dev - what a result has of one device
 * @name: the kernel's
 * @label: what the user calls it: as on the command line, or a stack ("lvm-stripe")
 * @top: it was asked for, not only found below
 * @doc: its element of "devices" in the file, borrowed; NULL while there is none
 * @total, @rows: of the whole run
 */
struct result_dev {
	char name[DEV_NAME];
	char label[DEV_TEXT];
	bool top;
	json_object *doc;
	struct hist total;
	struct result_rows rows;
	struct result_sample *samples;
	size_t nsamples;
};

/**
 * struct result - a result file
 * @path: where it came from
 * @kind: "record" or "compare"
 * @doc: the whole document
 */
struct result {
	char *path;
	char kind[16];
	json_object *doc;
	struct result_dev *devs;
	size_t ndevs;
};

/**
 * result_load() - read a file that result_decorate() made
 * @r: overwritten; result_free() it also after a failure
 * Return: 0, -errno, or -EINVAL for what is no result of a format known here;
 * reported in one line.
 */
int result_load(const char *path, struct result *r);
void result_free(struct result *r);

/**
 * result_load_hist() - add a distribution of a result file
 * @o: has the members of a latency, and "buckets"
 * @h: of BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 * Return: 0, or -EINVAL when there are no buckets, or none of a histogram like that.
 */
int result_load_hist(json_object *o, struct hist *h);

/* "record" or "compare" and the format, and what the machine is, into a document. */
void result_head(json_object *doc, const char *kind);

/* Label, place and samples into an element of "devices". */
void result_dev_json(json_object *o, const struct result_dev *d);

/* "vg-data" of "/dev/mapper/vg-data": what the user named, without the directory of devices. */
const char *result_label(const char *name);

/* The label of a device, its samples freed and emptied. */
void result_dev_free(struct result_dev *d);

/* Its row of this stage and layer, or NULL. */
const struct result_row *result_row_find(const struct result_rows *rows, const char *stage,
					 const char *layer);

/**
 * result_row_add() - an empty row at the end
 * Return: the row with its histogram initialised, or NULL for -ENOMEM.
 */
struct result_row *result_row_add(struct result_rows *rows);

/**
 * result_sample_add() - an empty sample at the end
 * Return: the sample with its total initialised and @cpu_ns NAN, or NULL for -ENOMEM.
 */
struct result_sample *result_sample_add(struct result_dev *d);

void result_sample_free(struct result_sample *s);

/**
 * result_own_turns() - leave in the whole of a compared device only its own traced turns
 * @d: of a comparison
 *
 * It may also lie below another one that is compared, whose turns the trace counted for it too.
 *
 * Return: 0 or -ENOMEM.
 */
int result_own_turns(struct result_dev *d);

/**
 * result_merge_pairs() - make one sample of each two neighbours
 * @d: samples of a recording, all traced
 * Return: 0 or -ENOMEM.
 */
int result_merge_pairs(struct result_dev *d);

#endif
