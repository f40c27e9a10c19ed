/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_CHANGES_H
#define BLKLAT_TRACE_CHANGES_H

#include <json-c/json.h>
#include "blklat/trace/stack.h"
#include "blklat/collect/watch.h"
#include "device/topo_diff.h"

/* Something that happened to the stack, @at_ns after the start of the trace. */
struct trace_change {
	uint64_t at_ns;
	struct topo_change change;
};

/**
 * struct trace_changes - what happens to a stack while it is traced
 * @watch: the kernel's events; only with @active
 * @active: some device is a layer, so there is something to look at
 * @list: what happened, @n of them
 * @joined_ns, @left_ns: of each device, after the start; 0: it did not
 * @diskseq: which disk has each device's number
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

/* @stack and @session stay the caller's. */
void trace_changes_begin(struct trace_changes *c, struct trace_stack *stack, struct session *session,
			 unsigned long long start_ns);

/* poll(), with the kernel's events about the stack beside @fd. */
void trace_changes_poll(struct trace_changes *c, int fd, int timeout_ms);

/**
 * trace_changes_look() - see what changed since the last look, say it, follow it
 *
 * Cheap when the watch has no news and the last look is less than a second ago.
 */
void trace_changes_look(struct trace_changes *c, unsigned long long now);

/* The last look, however short ago the one before was. */
void trace_changes_end(struct trace_changes *c, unsigned long long now);

void trace_changes_free(struct trace_changes *c);

/* A line per change. */
void trace_changes_print(const struct trace_changes *c, FILE *f);

/* "changes" of Documentation/json.rst. */
json_object *trace_changes_json(const struct trace_changes *c);

#endif
