/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_H
#define BLKLAT_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <json-c/json.h>
#include "blklat.h"
#include "core/edge.h"
#include "core/hist.h"
#include "core/io_hist.h"
#include "core/own_end.h"
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
 * @device: name of the device that has the stage; "" in the rows of a sample
 * @label: the name in tables: "sched", "dm-0 submit"
 * @kind: what the device is as a layer: "dm-linear", "md raid0"; "" for a leaf, or if not known
 * @tracing_ns: the part of the sum of @hist that tracing itself took, in ns; 0 if not known
 * @hist: times of the stage, with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 */
struct result_row {
	char stage[48];
	char group[32];
	char layer[16];
	char device[DEV_TEXT];
	char label[DEV_TEXT];
	char kind[DEV_TEXT];
	uint64_t tracing_ns;
	struct hist hist;
};

/* The stages of a device, in the order of stage_order(). */
struct result_rows {
	struct result_row *v;
	size_t n;
};

/**
 * struct result_group - some of a device's I/Os: those of one kind, or one group of --by; or a span
 *	of its I/Os
 * @name: "read"; "fio", "4KiB"; "Q2C"; borrowed
 * @has_id: true if @id is valid
 * @id: of a group of --by: bytes, pid, or id of the control group
 * @others: number of groups that are summed up here because each was too small for a group of its
 *	own; else 0
 * @total: totals of these I/Os; without buckets if the file has none
 * @p50_ns: 50th percentile of @total
 * @p99_ns: 99th percentile of @total
 * @rows: their stages; none for a span
 */
struct result_group {
	const char *name;
	bool has_id;
	uint64_t id;
	size_t others;
	struct hist total;
	uint64_t p50_ns;
	uint64_t p99_ns;
	struct result_rows rows;
};

struct result_groups {
	struct result_group *v;
	size_t n;
};

/**
 * struct result_leg - a device directly below a layer
 * @device: its name
 * @place: its index among all devices of the trace or file; SIZE_MAX if it is not among them
 * @linked: I/Os that the layer's I/Os made on it
 * @bytes: bytes of these I/Os
 * @critical: how many of these I/Os were the critical child: the last to end of the I/Os that one
 *	I/O above made
 * @share_pct: @linked as a share of the I/Os on all legs
 * @critical_pct: @critical as a share of those of all legs
 * @ios: I/Os that the device completed, others' included
 * @mean_ns: mean of their totals
 * @p99_ns: 99th percentile of their totals
 * @edge: @linked, @bytes and @critical per kind of I/O; only a trace knows them
 * @total: the totals of @ios, borrowed from the device; only a trace knows them, else NULL
 */
struct result_leg {
	char device[DEV_NAME];
	size_t place;
	uint64_t linked;
	uint64_t bytes;
	uint64_t critical;
	double share_pct;
	double critical_pct;
	uint64_t ios;
	double mean_ns;
	uint64_t p99_ns;
	struct blklat_edge edge;
	const struct hist *total;
};

/* Number of tails of a trace */
#define NR_TAILS 4

/**
 * struct result_tail - the slowest I/Os
 * @pct: a percentile; these I/Os are those of its range of totals and all slower ones
 * @from_ns: where the range begins, at most 6 % below the percentile
 * @count: how many they are
 * @sum_ns: sum of their totals
 * @rows: their stages, of which only the sum of @hist is known; it has no buckets
 */
struct result_tail {
	double pct;
	uint64_t from_ns;
	uint64_t count;
	uint64_t sum_ns;
	struct result_rows rows;
};

/**
 * struct result_flow - the I/Os of one kind that a device got and sent below
 * @got: what it got, also what was lost
 * @own: the part of @got that was made for no single I/O of a traced layer above
 * @below: what it sent to the devices directly below; a device below that no other layer uses
 *	counts with its own I/Os, too
 */
struct result_flow {
	struct blklat_flow got;
	struct blklat_flow own;
	struct blklat_flow below;
};

/**
 * struct result_self - the mean time per I/O that a layer itself took, in ns
 * @known: true if devices lie below, else all is 0
 * @submit: in stage "layer submit"
 * @complete: in stage "layer complete"
 * @unsplit: in stage "layer+below"
 * @tracing_known: true if it is known how much of @submit and @complete tracing took
 * @submit_tracing: the part of @submit that tracing took; 0 if it is not known
 * @complete_tracing: the part of @complete
 */
struct result_self {
	bool known;
	double submit;
	double complete;
	double unsplit;
	bool tracing_known;
	double submit_tracing;
	double complete_tracing;
};

/**
 * struct trace_cost - the cost of tracing itself, for all devices together
 * @per_io_ns: run time of all programs per I/O; negative if not measured
 * @programs: number of attached programs
 * @runs: number of program runs
 * @misses: events that a program skipped because it was already running
 * @attach_ns: time to load and attach the programs
 * @user_per_io_ns: CPU time per I/O in user space; negative if there was no I/O
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
 * @own_turns: true if @total and @rows have only I/Os of the device's own turns, and the trace
 *	counted others, too: see result_own_turns()
 * @doc: the device's element of "devices" in the file, borrowed; NULL while there is none
 * @facts: what the device is
 * @kind: what it is as a layer, or its driver: "dm-linear", "md raid1", "nvme"
 * @elapsed_ns: how long the device was traced
 * @joined_ns: when the device became a part of the stack; 0: it was from the start
 * @left_ns: when the device ceased to be a part of the stack; 0: it did not
 * @total: totals of the I/Os of the whole run
 * @rows: the stages of the whole run
 * @ops: the kinds of I/O that the device had
 * @by: the device's I/Os in groups; the group with the largest sum of totals is the first
 * @by_key: property by which @by are grouped ("comm"), borrowed; NULL if there are no groups
 * @by_text: the names of @by; NULL if they are borrowed
 * @tails: the slowest I/Os, for several percentiles
 * @ntails: number of @tails
 * @legs: the devices directly below
 * @nlegs: number of @legs
 * @spans: btt's gaps, and the time that tracing took in some stages; each is a group without rows
 * @flow: the I/Os that the device got and sent below, by kind
 * @self: the time that it took itself, if it is a layer
 * @own: what ended the I/Os that were sent to it for no single I/O above, the most frequent first
 * @nr_own: number of @own
 * @shared: resource below that many of its I/Os share ("stripe cache"); "" if there is none
 * @ledger: counters; LEDGER_UNKNOWN for one that the file does not have
 * @unsplit: number of I/Os whose time below is one stage with the layer's time
 * @why_unsplit: the reason in words; "" if there are none
 * @cost: cost of tracing
 * @samples: the parts of the run
 * @nsamples: number of @samples
 */
struct result_dev {
	char name[DEV_NAME];
	char label[DEV_TEXT];
	bool top;
	bool own_turns;
	json_object *doc;
	struct device facts;
	char kind[DEV_TEXT];
	uint64_t elapsed_ns;
	uint64_t joined_ns;
	uint64_t left_ns;
	struct hist total;
	struct result_rows rows;
	struct result_groups ops;
	struct result_groups by;
	const char *by_key;
	char (*by_text)[4096];
	struct result_tail *tails;
	size_t ntails;
	struct result_leg *legs;
	size_t nlegs;
	struct result_groups spans;
	struct result_flow flow[NR_OPS];
	struct result_self self;
	struct own_end *own;
	size_t nr_own;
	char shared[32];
	struct blklat_ledger ledger;
	uint64_t unsplit;
	char why_unsplit[128];
	struct trace_cost cost;
	struct result_sample *samples;
	size_t nsamples;
};

/**
 * struct result_layers - the layers below a device of a trace
 * @names: names of the devices of each layer; layer 0 is the device itself
 * @kinds: kinds of the devices of each layer, see result_kinds_add()
 * @devs: bit i is set if device i of the trace is in the layer
 * @leaf_devs: bit i is set if device i of the trace lies below all layers
 */
struct result_layers {
	char names[BLKLAT_MAX_LAYERS][DEV_TEXT];
	char kinds[BLKLAT_MAX_LAYERS][DEV_TEXT];
	uint64_t devs[BLKLAT_MAX_LAYERS];
	uint64_t leaf_devs;
};

/* Value of a counter that is not known. */
#define LEDGER_UNKNOWN (~0ULL)

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
 * doc_get() - return a member of an object
 * @o: the object, or NULL
 * @key: name of the member
 * Return: the member; NULL if it is absent or null.
 */
json_object *doc_get(json_object *o, const char *key);

/**
 * doc_u64() - return a member of an object as an integer
 * @o: the object, or NULL
 * @key: name of the member
 *
 * Return: the integer; 0 if the member is absent or null.
 */
uint64_t doc_u64(json_object *o, const char *key);

/**
 * doc_real() - return a member of an object as a number
 * @o: the object, or NULL
 * @key: name of the member
 *
 * Return: the number; 0 if the member is absent or null.
 */
double doc_real(json_object *o, const char *key);

/**
 * doc_str() - return a member of an object as a text
 * @o: the object, or NULL
 * @key: name of the member; one that is no text is written as JSON
 *
 * Return: the text, which belongs to the member; "" if the member is absent or null.
 */
const char *doc_str(json_object *o, const char *key);

/**
 * doc_len() - count the elements of a list
 * @list: the list, or NULL
 *
 * Return: the number of elements; 0 if @list is NULL or no list.
 */
size_t doc_len(json_object *list);

/**
 * doc_at() - return an element of a list
 * @list: the list, or NULL
 * @i: index of the element
 *
 * Return: the element, which belongs to @list; NULL after the last one.
 */
json_object *doc_at(json_object *list, size_t i);

/**
 * result_load() - read a result file
 * @path: path of the file
 * @r: overwritten; free it with result_free(), also after a failure
 * Return: 0, -EINVAL if the file is no result of a known format, or another -errno;
 * reported in one line.
 */
int result_load(const char *path, struct result *r);

/**
 * result_free() - free all that result_load() has read
 * @r: the result; zeroed
 */
void result_free(struct result *r);

/**
 * result_head() - add the kind, the format and the machine to a document
 * @doc: the document; gets the members "result" and "machine"
 * @kind: "record" or "compare"
 */
void result_head(json_object *doc, const char *kind);

/**
 * result_dev_json() - put a device into an element of "devices": name, facts, total, stages, kinds
 *	and groups of I/O, slowest I/Os, legs, ledger, what it is in its stack, cost of tracing
 * @d: the device; each leg must have its @total
 * @buckets: true to include the buckets of totals and stages
 * Return: the element, owned by the caller.
 */
json_object *result_dev_json(const struct result_dev *d, bool buckets);

/**
 * result_samples_json() - add the members that only result files have to an element of "devices"
 * @o: the element; gets "label", "top" and "samples"
 * @d: the device
 */
void result_samples_json(json_object *o, const struct result_dev *d);

/**
 * ledger_count() - return a counter of a ledger
 * @l: the ledger
 * @counter: the counter
 *
 * Return: its value; 0 if it is LEDGER_UNKNOWN.
 */
uint64_t ledger_count(const struct blklat_ledger *l, enum blklat_counter counter);

/**
 * ledger_lost() - count the I/Os that were lost, by any cause
 * @l: the ledger; counters that are not known count as 0
 *
 * Return: the number of I/Os.
 */
uint64_t ledger_lost(const struct blklat_ledger *l);

/**
 * result_group_sum() - add up the times of the stages of a group
 * @rows: the stages
 * @group: the group
 *
 * Return: the sum in ns; 0 for GROUP_APP, because the thinking of a task is no part of an I/O.
 */
uint64_t result_group_sum(const struct result_rows *rows, enum blklat_group group);

/**
 * result_per_io() - divide a sum by the number of I/Os
 * @sum: the sum
 * @total: the totals of the I/Os
 *
 * Return: the mean; 0 without I/Os.
 */
double result_per_io(uint64_t sum, const struct hist *total);

/**
 * result_group_mean() - find the mean time per I/O that the stages of a group take
 * @rows: the stages
 * @group: the group
 * @total: the totals of the I/Os
 *
 * Return: the mean in ns, as the sum of result_group_sum(); 0 without I/Os.
 */
double result_group_mean(const struct result_rows *rows, enum blklat_group group,
			 const struct hist *total);

/**
 * result_unsplit_mean() - find the mean time per I/O of the stages that cannot be charged to one of
 *	kernel, driver and device
 * @rows: the stages
 * @total: the totals of the I/Os
 *
 * Return: the mean in ns; 0 without I/Os.
 */
double result_unsplit_mean(const struct result_rows *rows, const struct hist *total);

/**
 * result_label() - return the user's name for a device without its directory
 * @name: the name, "/dev/mapper/vg-data"
 *
 * Return: the end of @name, "vg-data".
 */
const char *result_label(const char *name);

/**
 * result_file_label() - find a short name of a result file that no other file has
 * @results: the results that are shown together
 * @n: number of @results
 * @file: index of the file in @results
 *
 * Return: the name without its directories, or the whole path if another file has this name, too.
 */
const char *result_file_label(const struct result *results, size_t n, size_t file);

/**
 * result_dev_new() - make the result of a device without I/O: all stages, spans and tails are empty
 * @d: overwritten; free it with result_dev_free(), also after a failure
 * @dev: the device, with its facts
 * @layers: the layers below the device, which name the stages; zeroed if they are not known
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int result_dev_new(struct result_dev *d, const struct device *dev,
		   const struct result_layers *layers);

/**
 * result_dev_free() - free all that a device has
 * @d: the device; zeroed. Its @doc is not freed.
 */
void result_dev_free(struct result_dev *d);

/**
 * result_kinds_add() - add the kinds that are missing to a list of kinds
 * @kinds: the list, "dm-linear/md raid0"; "" without kinds; cut if it gets too long
 * @len: bytes in @kinds
 * @more: the kinds to add, a list too
 */
void result_kinds_add(char *kinds, size_t len, const char *more);

/**
 * result_stage_label() - label a stage that several devices have
 * @buf: set to "sched", "dm-linear submit", "dm-linear submit, layer 1", or "layer 0 submit" if the
 *	kinds of the devices are too many or not known
 * @len: size of @buf
 * @stage: as in struct result_row
 * @layer: as in struct result_row
 * @kinds: the kinds of the devices, see result_kinds_add()
 */
void result_stage_label(char *buf, size_t len, const char *stage, const char *layer,
			const char *kinds);

/**
 * result_row_name() - set the names of a stage
 * @row: its stage, group, layer, device, label and kind are set
 * @stage: the stage, as for stage_name()
 * @device: name of the device that the stages below all layers get
 * @layers: the layers below the device
 */
void result_row_name(struct result_row *row, unsigned int stage, const char *device,
		     const struct result_layers *layers);

/**
 * result_row_find() - find the row of a stage
 * @rows: the rows
 * @stage: as in struct result_row
 * @layer: as in struct result_row
 *
 * Return: the row, or NULL if there is none.
 */
const struct result_row *result_row_find(const struct result_rows *rows, const char *stage,
					 const char *layer);

/**
 * result_row_add() - add an empty row at the end
 * @rows: the rows
 * Return: the row with its histogram initialised, or NULL if there is no memory.
 */
struct result_row *result_row_add(struct result_rows *rows);

/**
 * result_row_like() - add an empty row with the names of another one
 * @rows: the rows
 * @like: the row that has the names; no element of @rows
 * Return: as result_row_add().
 */
struct result_row *result_row_like(struct result_rows *rows, const struct result_row *like);

/**
 * result_sample_add() - add an empty sample at the end
 * @d: the device
 * Return: the sample with @total initialised and @cpu_ns NAN, or NULL if there is no memory.
 */
struct result_sample *result_sample_add(struct result_dev *d);

/**
 * result_sample_free() - free the histograms and the rows of a sample
 * @s: the sample, which is an element of an array and is not freed itself
 */
void result_sample_free(struct result_sample *s);

/**
 * result_own_turns() - keep only a device's own traced turns in its totals of the whole run
 * @d: a device of a comparison
 *
 * The device may also lie below another compared device. Then the trace counted the I/Os of that
 * device's turns for this one too. This sums up the traced samples anew, which have only own turns.
 * @d->tails and @d->ops cannot be summed up: they are dropped if the trace counted other I/Os too,
 * also those of turns that were repeated.
 *
 * Return: 0, -ENOMEM, or -EINVAL if samples have different buckets; not reported.
 */
int result_own_turns(struct result_dev *d);

/**
 * result_has_untraced() - tell if a device has a sample without tracing
 * @d: the device
 * @latency: count only samples that have latencies
 *
 * Return: true if it has one.
 */
bool result_has_untraced(const struct result_dev *d, bool latency);

/**
 * result_bytes() - count the bytes of the I/Os in @d->total
 * @d: the device
 *
 * Return: the bytes; 0 if they are not known.
 */
uint64_t result_bytes(const struct result_dev *d);

/**
 * result_merge_pairs() - merge the samples of each two intervals that follow one another
 * @d: a device of a recording, whose samples are all traced
 *
 * The intervals with the numbers 2N and 2N + 1 become interval N, for all devices alike. If a
 * device has a sample of only one of the two, this sample stays as it is.
 *
 * Return: 0 or -errno, not reported. After an error no sample is lost, but some are not merged.
 */
int result_merge_pairs(struct result_dev *d);

#endif
