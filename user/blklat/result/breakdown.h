/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_BREAKDOWN_H
#define BLKLAT_BREAKDOWN_H

#include <stdint.h>
#include "blklat.h"
#include "core/edge.h"
#include "core/hist.h"
#include "core/io_hist.h"
#include "core/own_end.h"
#include "device/device.h"
#include "blklat/result/result.h"

/**
 * struct tail_part - the I/Os whose total is at or above a percentile
 * @pct: the percentile
 * @from_ns: lower bound of the totals
 * @sum: count, sum of totals and sums of stages of these I/Os
 */
struct tail_part {
	double pct;
	uint64_t from_ns;
	struct blklat_tail sum;
};

/**
 * struct breakdown_by - a group of I/Os of one device
 * @name: "fio", "4KiB"; "others" if @others is not 0
 * @has_id: true if @id is valid
 * @id: bytes, pid, or id of the control group
 * @others: number of groups that are summed up here because each was too small for a group of its
 *	own; else 0
 * @rows: distributions, as in struct breakdown
 */
struct breakdown_by {
	char name[4096];
	bool has_id;
	uint64_t id;
	size_t others;
	struct hist rows[NR_ALL_ROWS];
};

/**
 * struct breakdown - the breakdown of the time of one device's I/Os
 * @dev: the device, with its facts
 * @kind: kind of the device as a layer: "dm-linear", "md raid1", "nvme"
 * @layers: names of the devices of each layer; layer 0 is the device itself
 * @layer_kinds: kinds of the devices of each layer
 * @layer_devs: bit i is set if the device of breakdown i of the same array is in the layer
 * @leaf_devs: bit i is set if the device of breakdown i of the same array lies below all layers
 * @shared: resource below that many of the device's I/Os share, so that they cannot be told apart
 *	there ("stripe cache"); NULL if there is none
 * @below: bit i is set if the device of breakdown i of the same array lies directly below
 * @elapsed_ns: how long the device was traced
 * @joined_ns: when the device became a part of the stack; 0: it was from the start
 * @left_ns: when the device ceased to be a part of the stack; 0: it did not
 * @rows: distributions (see ROW_OF_SPAN, ROW_OF_LAYER), all ops together
 * @ops: distributions per op
 * @tails: I/Os at or above p50, p90, p99, p99.9
 * @ledger: counters
 * @edges: the I/Os that the device's I/Os made on each device of the same array
 * @ends: functions that ended the bios that layers sent to the device for no single I/O above
 * @nends: number of @ends
 * @by: the device's I/Os in groups; the group with the largest sum of totals is the first
 * @nby: number of @by
 * @by_key: property by which I/Os are grouped ("comm"); NULL if there are no groups
 * @cost: cost of tracing; the same for all devices of a trace
 */
struct breakdown {
	const struct device *dev;
	const char *kind;
	const char *shared;
	char layers[BLKLAT_MAX_LAYERS][DEV_TEXT];
	char layer_kinds[BLKLAT_MAX_LAYERS][DEV_TEXT];
	uint64_t layer_devs[BLKLAT_MAX_LAYERS];
	uint64_t leaf_devs;
	uint64_t below;
	uint64_t elapsed_ns;
	uint64_t joined_ns;
	uint64_t left_ns;
	struct hist rows[NR_ALL_ROWS];
	struct hist ops[NR_OPS][NR_ALL_ROWS];
	struct tail_part tails[NR_TAILS];
	struct blklat_ledger ledger;
	struct blklat_edge edges[BLKLAT_MAX_DEVS];
	struct own_end ends[BLKLAT_ENDS];
	size_t nends;
	struct breakdown_by *by;
	size_t nby;
	const char *by_key;
	struct trace_cost cost;
};

#define NR_LINES (NR_STAGES + NR_LAYER_ROWS)

/**
 * breakdown_init() - set up an empty breakdown
 * @b: overwritten; free it with breakdown_free(), also after a failure
 * @dev: its device, borrowed
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int breakdown_init(struct breakdown *b, const struct device *dev);

/**
 * breakdown_free() - free the distributions of a breakdown
 * @b: the breakdown; its groups @by are not freed
 */
void breakdown_free(struct breakdown *b);

/**
 * breakdown_total() - return the distribution of the totals of all I/Os
 * @b: the breakdown
 *
 * Return: the distribution, which belongs to @b.
 */
static inline const struct hist *breakdown_total(const struct breakdown *b)
{
	return &b->rows[ROW_OF_SPAN(SPAN_TOTAL)];
}

/**
 * breakdown_stack() - set what a device is in its stack: its legs, flow, own time and own I/Os, and
 *	why I/Os are not split
 * @b: all breakdowns of the trace
 * @n: number of breakdowns
 * @index: index of the device in @b
 * @d: the members are set
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int breakdown_stack(const struct breakdown *b, size_t n, size_t index, struct result_dev *d);

/**
 * breakdown_row_name() - set the names of a stage
 * @b: the breakdown that has the stage
 * @row: the stage, as for stage_name()
 * @to: zeroed; its stage, group, layer, device, label and kind are set
 */
void breakdown_row_name(const struct breakdown *b, unsigned int row, struct result_row *to);

/**
 * breakdown_row_order() - list the rows of all stages in the order of the report
 *
 * The stages are in the order of their groups, with the layers' submit sides before stage alloc and
 * the completion sides before deliver.
 *
 * Return: NR_LINES rows, as for stage_name().
 */
const unsigned int *breakdown_row_order(void);

/**
 * breakdown_tracing() - find the rows that tell how much of a stage tracing took
 * @b: the breakdown that has the stage
 * @index: its place in the array of all breakdowns
 * @row: the stage
 * @span: set to the row of the time that tracing took, unless 0 is returned
 * @own: set to the row of the stage; both rows are those of the returned devices
 *
 * These devices may have had other I/Os too, so the mean of all their I/Os is the best that is
 * known.
 *
 * Return: a bit for each device that has these rows; 0 if the time is not measured.
 */
uint64_t breakdown_tracing(const struct breakdown *b, size_t index, unsigned int row,
			   unsigned int *span, unsigned int *own);

/**
 * breakdown_dev() - make a breakdown the device of a result
 * @b: all breakdowns of the trace
 * @n: number of breakdowns
 * @index: index of the breakdown in @b; its histograms are used, not copied
 * @d: set; free it with result_dev_free(), also after a failure
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int breakdown_dev(const struct breakdown *b, size_t n, size_t index, struct result_dev *d);

#endif
