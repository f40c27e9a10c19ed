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
 * Results, as files have them: see Documentation/json.rst, "Result files". A result has one or more
 * devices. Each device has samples: the intervals of a recording, or the visits of a comparison.
 */

/* Raise this when programs that know the old format would misunderstand a new file. */
#define RESULT_FORMAT 1

/**
 * struct result_row - one stage of one layer; @stage and @layer together identify a row
 * @stage: name of the stage, as in bpf/stages.h
 * @group: name of the group, as in bpf/stages.h
 * @layer: "leaf", or the depth of the layer below the device: "0"...
 * @label: the name in tables: "sched", "dm-0 submit"
 * @hist: times of the stage, with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 */
struct result_row {
	char stage[48];
	char group[32];
	char layer[16];
	char label[DEV_TEXT];
	struct hist hist;
};

/* The stages of a device, in the order in which an I/O goes through them. */
struct result_rows {
	struct result_row *v;
	size_t n;
};

/**
 * struct result_sample - a part of the run
 * @round: number of the interval of a recording, or of the round of a comparison
 * @traced: false for visits of a comparison without tracing
 * @at_ns: when the sample began, since the start of the run
 * @elapsed_ns: how long the sample took
 * @ios: I/Os that ended in the sample
 * @bytes: bytes of these I/Os
 * @cpu_ns: CPU time per I/O, NAN if it is not known
 * @total: with tracing, the totals of the I/Os; without, the latencies that the load measured,
 *	empty if the load does not measure them
 * @rows: the stages; empty without tracing
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
 * struct result_dev - one device of a result
 * @name: the kernel's name
 * @label: the user's name: as on the command line, or the name of a stack ("lvm-stripe")
 * @top: true if the user asked for the device; false if it only lies below such a device
 * @doc: the device's element of "devices" in the file, borrowed; NULL while there is none
 * @total: totals of the I/Os of the whole run
 * @rows: the stages of the whole run
 * @samples: the parts of the run
 * @nsamples: number of @samples
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
 * @path: path of the file
 * @kind: "record" or "compare"
 * @doc: the whole document
 * @devs: the devices
 * @ndevs: number of @devs
 */
struct result {
	char *path;
	char kind[16];
	json_object *doc;
	struct result_dev *devs;
	size_t ndevs;
};

/**
 * result_load() - read a result file
 * @path: path of the file
 * @r: overwritten; free it with result_free(), also after a failure
 * Return: 0, -EINVAL if the file is no result of a known format, or another -errno;
 * reported in one line.
 */
int result_load(const char *path, struct result *r);
void result_free(struct result *r);

/**
 * result_load_hist() - read a histogram of a result file
 * @o: an object with the members of a latency, and "buckets"
 * @h: empty, with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 * Return: 0, or -EINVAL if there are no buckets, or they do not fit into @h.
 */
int result_load_hist(json_object *o, struct hist *h);

/* Add the kind ("record" or "compare"), the format and the machine to a document. */
void result_head(json_object *doc, const char *kind);

/* Add the label, @top and the samples to an element of "devices". */
void result_dev_json(json_object *o, const struct result_dev *d);

/* Return the user's name for a device without its directory: "vg-data" of "/dev/mapper/vg-data". */
const char *result_label(const char *name);

/* Free all that a device has, and zero it. */
void result_dev_free(struct result_dev *d);

/* Find the row of this stage and layer; NULL if there is none. */
const struct result_row *result_row_find(const struct result_rows *rows, const char *stage,
					 const char *layer);

/* Set the names of a row; see struct result_row. */
void result_row_name(struct result_row *row, const char *stage, const char *group,
		     const char *layer, const char *label);

/**
 * result_row_add() - add an empty row at the end
 * @rows: the rows
 * Return: the row with its histogram initialised, or NULL if there is no memory.
 */
struct result_row *result_row_add(struct result_rows *rows);

/**
 * result_sample_add() - add an empty sample at the end
 * @d: the device
 * Return: the sample with @total initialised and @cpu_ns NAN, or NULL if there is no memory.
 */
struct result_sample *result_sample_add(struct result_dev *d);

void result_sample_free(struct result_sample *s);

/**
 * result_own_turns() - keep only a device's own traced turns in its totals of the whole run
 * @d: a device of a comparison
 *
 * The device may also lie below another compared device. Then the trace counted the I/Os of that
 * device's turns for this one too. This sums up the traced samples anew, which have only own turns.
 *
 * Return: 0 or -ENOMEM.
 */
int result_own_turns(struct result_dev *d);

/**
 * result_merge_pairs() - merge each two neighbouring samples into one
 * @d: a device of a recording, whose samples are all traced
 * Return: 0 or -ENOMEM.
 */
int result_merge_pairs(struct result_dev *d);

#endif
