/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_CHANGES_H
#define BLKLAT_TRACE_CHANGES_H

#include <json-c/json.h>
#include "blklat/trace/stack.h"
#include "blklat/collect/watch.h"
#include "device/topo_diff.h"

/* The stack changed in this way, @at_ns after the start of the trace. */
struct trace_change {
	uint64_t at_ns;
	struct topo_change change;
};

/**
 * struct trace_changes - follows the changes of a stack while it is traced
 * @stack: the stack, which is updated when it changes
 * @session: the trace of the stack
 * @watch: the kernel's events; open only if @active
 * @active: true if some device is a layer; otherwise there is nothing to look at
 * @start_ns: start of the trace, monotonic clock
 * @looked_ns: time of the last look; 0 makes the next call look at once
 * @list: the changes until now
 * @n: number of changes in @list
 * @joined_ns: for each device, when it joined the stack, in ns after the start; 0 if it was there
 *	from the start
 * @left_ns: for each device, when it left the stack, in ns after the start; 0 if it did not, or
 *	is back
 * @diskseq: for each device, the sequence number of its disk, which tells a new disk with the same
 *	device number from the old one
 * @gone: bit per device that was reported to be gone
 * @refused: number of names in @refusals
 * @refusals: names of the devices that were reported to have no room in the trace
 */
struct trace_changes {
	struct trace_stack *stack;
	struct session *session;
	struct watch watch;
	bool active;
	unsigned long long start_ns;
	unsigned long long looked_ns;
	struct trace_change *list;
	size_t n;
	uint64_t joined_ns[BLKLAT_MAX_DEVS];
	uint64_t left_ns[BLKLAT_MAX_DEVS];
	uint64_t diskseq[BLKLAT_MAX_DEVS];
	uint64_t gone;
	uint32_t refused;
	char refusals[BLKLAT_MAX_DEVS][DEV_NAME];
};

/**
 * trace_changes_begin() - start to follow the stack, and look at it once
 * @c: overwritten; free it with trace_changes_free()
 * @stack: the stack, updated by each look; it stays the caller's
 * @session: the trace of @stack, started; it stays the caller's
 * @start_ns: start of the trace, monotonic clock in ns
 */
void trace_changes_begin(struct trace_changes *c, struct trace_stack *stack,
			 struct session *session, unsigned long long start_ns);

/**
 * trace_changes_poll() - do a poll() for input and for the kernel's events about the stack
 * @c: the changes
 * @fd: the file that has the input
 * @timeout_ms: longest wait in ms
 *
 * Call trace_changes_look() afterwards, which reads the events.
 */
void trace_changes_poll(struct trace_changes *c, int fd, int timeout_ms);

/**
 * trace_changes_look() - find what changed since the last look, report and follow the changes
 * @c: the changes
 * @now: monotonic clock, ns
 *
 * This is cheap if the watch has no news, no device has joined, and the last look is less than a
 * second ago.
 */
void trace_changes_look(struct trace_changes *c, unsigned long long now);

/**
 * trace_changes_end() - look at the stack one last time, even if the look before was a moment ago
 * @c: the changes
 * @now: monotonic clock, ns
 */
void trace_changes_end(struct trace_changes *c, unsigned long long now);

/**
 * trace_changes_time() - compute how long a device was traced
 * @c: the changes
 * @dev: index of the device in the stack
 * @elapsed_ns: time since the start of the trace, in ns
 *
 * A device may also be seen to join when the trace has just ended.
 *
 * Return: the part of @elapsed_ns since the device joined; 0 if it joined later.
 */
static inline uint64_t trace_changes_time(const struct trace_changes *c, size_t dev,
					  uint64_t elapsed_ns)
{
	return elapsed_ns > c->joined_ns[dev] ? elapsed_ns - c->joined_ns[dev] : 0;
}

/**
 * trace_changes_free() - close the watch and free the changes
 * @c: the changes, which may be zeroed; do not use them any more
 */
void trace_changes_free(struct trace_changes *c);

/**
 * trace_changes_print() - print a line per change
 * @c: the changes
 * @f: where to print
 */
void trace_changes_print(const struct trace_changes *c, FILE *f);

/**
 * trace_changes_json() - put the changes into JSON
 * @c: the changes
 *
 * Return: an array of the JSON object "change", which the caller frees.
 */
json_object *trace_changes_json(const struct trace_changes *c);

#endif
