/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_BREAKDOWN_H
#define BLKLAT_BREAKDOWN_H

#include <stdint.h>
#include <stdio.h>
#include <json-c/json.h>
#include "blklat.h"
#include "core/hist.h"
#include "core/io_hist.h"
#include "core/own_end.h"
#include "device/device.h"

#define NR_TAILS 4

/**
 * struct tail_part - the I/Os whose total is at or above a percentile
 * @name: "p99"
 * @pct: the percentile
 * @from_ns: lower bound of the totals
 * @sum: their count, totals and stages
 */
struct tail_part {
	const char *name;
	double pct;
	uint64_t from_ns;
	struct blklat_tail sum;
};

/**
 * struct trace_cost - what tracing itself took, for all devices together
 * @per_io_ns: run time of all programs per I/O, below 0 when not measured
 * @programs: attached
 * @runs: program runs
 * @misses: events skipped by a program that was already running
 * @attach_ns: time to load and attach
 * @user_per_io_ns: CPU time per I/O in user space, -1 when there was no I/O
 */
struct trace_cost {
	double per_io_ns;
	uint64_t programs;
	uint64_t runs;
	uint64_t misses;
	uint64_t attach_ns;
	double user_per_io_ns;
};

/**
 * struct breakdown_by - I/Os of one device that belong together
 * @name: "fio", "4KiB"; of @others together "others"
 * @has_id: @id is one
 * @id: bytes, pid or the id of the control group
 * @others: how many groups these are, which were not large enough for one of their own; else 0
 * @rows: distributions, as those of struct breakdown
 */
struct breakdown_by {
	char name[4096];
	bool has_id;
	uint64_t id;
	size_t others;
	struct hist rows[NR_ALL_ROWS];
};

/**
 * struct breakdown - where the time of one device's I/Os went
 * @dev: the device, with its facts
 * @kind: what it is as a layer: "dm-linear", "md raid1", "nvme"
 * @layers: names of the devices of each layer, itself being layer 0
 * @shared: what many of its I/Os share below, so that they cannot be told
 *	apart there ("stripe cache"); NULL for nothing
 * @below: bit per breakdown of the same array whose device lies directly below
 * @elapsed_ns: how long it was traced
 * @joined_ns: when it became a part of the stack, 0: it was from the start
 * @left_ns: when it ceased to be, 0: it did not
 * @rows: distributions (see ROW_OF_SPAN, ROW_OF_LAYER), all ops together
 * @ops: the same per op
 * @tails: at or above p50, p90, p99, p99.9
 * @ledger: what was counted
 * @edges: what its I/Os made on each device of the same array
 * @ends: who ended the bios that layers sent it for no single I/O above
 * @nends: how many
 * @by: its I/Os in groups, that with the largest sum of totals first
 * @nby: how many
 * @by_key: what is the same in a group ("comm"), NULL for no groups
 * @cost: the same for all devices of a trace
 * @buckets: give the buckets of totals and stages in JSON too
 */
struct breakdown {
	const struct device *dev;
	const char *kind;
	const char *shared;
	char layers[BLKLAT_MAX_LAYERS][DEV_TEXT];
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
	bool buckets;
};

#define NR_LINES (NR_STAGES + NR_LAYER_ROWS)

/* Return: 0 or -ENOMEM. */
int breakdown_init(struct breakdown *b, const struct device *dev);
void breakdown_free(struct breakdown *b);

/* The totals of all I/Os. */
static inline const struct hist *breakdown_total(const struct breakdown *b)
{
	return &b->rows[ROW_OF_SPAN(SPAN_TOTAL)];
}

/* I/Os that were lost, by any cause. */
uint64_t breakdown_lost(const struct breakdown *b);

/**
 * breakdown_print() - the stage table (devices side by side), the stacks, the
 * kinds of I/O, the tail tables, the ledgers and the cost
 * @b: array of @n, those that were asked for first
 * @ntops: how many those are
 * @spans: print btt's gaps too
 * Return: 0 or -errno, not reported.
 */
int breakdown_print(const struct breakdown *b, size_t ntops, size_t n, bool spans, FILE *f);

/**
 * layers_print() - the stacks below the first @ntops as trees, with each
 * device's share and what it took itself; nothing where there are no layers
 * @b: array of @n, tops first
 * Return: 0 or -errno, not reported.
 */
int layers_print(const struct breakdown *b, size_t ntops, size_t n, FILE *f);

/**
 * flow_print() - what each layer made of the I/O it got, as trees: I/Os and
 * bytes of each kind, how many times as much went below, and what was made for
 * no single I/O above; nothing where there are no layers
 * @b: array of @n, tops first
 * Return: 0 or -errno, not reported.
 */
int flow_print(const struct breakdown *b, size_t ntops, size_t n, FILE *f);

/**
 * unsplit_print() - which I/Os of layers are one stage with what lies below, and
 * what layers sent below that is tied to none: lines for the head of the result
 * @b: array of @n
 */
void unsplit_print(const struct breakdown *b, size_t n, FILE *f);

/* The same of one device, as "unsplit" and "own" of Documentation/json.rst. */
json_object *unsplit_json(const struct breakdown *b, size_t n, size_t index);
json_object *own_json(const struct breakdown *b);

/* Per kind of I/O, as "flow" of Documentation/json.rst. */
json_object *flow_json(const struct breakdown *b, size_t n, size_t index);

/* What a layer took itself, as "self" of Documentation/json.rst. */
json_object *self_json(const struct breakdown *b);

/* The devices directly below @b[@index], as "legs" of Documentation/json.rst. */
json_object *legs_json(const struct breakdown *b, size_t n, size_t index);

/* One element of "devices" as Documentation/json.rst has it: @b[@index] of @n. */
json_object *breakdown_json(const struct breakdown *b, size_t n, size_t index);

/**
 * struct row_name - what a row of a breakdown is called
 * @stage, @group: as in bpf/stages.h
 * @layer: "leaf", or how deep the layer lies below the device: "0"...
 * @label: as tables have it: "alloc", "dm-0 submit"
 */
struct row_name {
	const char *stage;
	const char *group;
	char layer[16];
	char label[DEV_TEXT];
};

void breakdown_row_name(const struct breakdown *b, unsigned int row, struct row_name *name);

/* The NR_LINES rows of all stages as an I/O goes through them: down the layers, then up. */
const unsigned int *breakdown_row_order(void);

/* Mean time in ns per I/O of the device, over all of its stages in a group. */
double breakdown_group_mean(const struct breakdown *b, unsigned int group);

/* @row: enum blklat_stage, or ROW_OF_LAYER(): "alloc", "layer submit" */
const char *stage_name(unsigned int row);
enum blklat_group stage_group(unsigned int row);
const char *group_name(unsigned int group);
const char *op_name(unsigned int op);

#endif
