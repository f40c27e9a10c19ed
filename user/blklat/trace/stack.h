/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_STACK_H
#define BLKLAT_TRACE_STACK_H

#include "blklat/collect/session.h"
#include "core/opt.h"
#include "device/device.h"
#include "device/topo.h"
#include "report/breakdown.h"

/**
 * struct trace_stack - the devices of a trace, and what lies on what
 * @devs: those on top, then all below them
 * @roles: of each
 * @kinds: "dm-linear", "md raid1", "nvme", as stack_layer() has it
 * @shared: ops whose children are shared, as topo_shares() has it; or NULL
 * @below: bit per device directly below
 * @ntops: how many are on top
 * @ndevs: how many in all
 * @inside: bit per device that belongs to the stack now
 * @retired: bit per device whose number is another's by now
 * @up: what was named with --up, "" without
 * @topo: the stack as it was looked at last
 */
struct trace_stack {
	struct device devs[BLKLAT_MAX_DEVS];
	struct session_role roles[BLKLAT_MAX_DEVS];
	char kinds[BLKLAT_MAX_DEVS][64];
	const char *shared[BLKLAT_MAX_DEVS];
	uint64_t below[BLKLAT_MAX_DEVS];
	size_t ntops;
	size_t ndevs;
	uint64_t inside;
	uint64_t retired;
	char up[256];
	struct topo topo;
};

/**
 * trace_stack_find() - the named devices and all below them
 * @up: begin with what is on top of the named devices instead
 * Return: 0 or -errno, reported.
 */
int trace_stack_find(struct trace_stack *s, const struct opt_args *args, bool up);

void trace_stack_free(struct trace_stack *s);

/**
 * trace_stack_take() - add the devices that the session has beyond those known
 *
 * They are in @s->devs after those that were there, in the session's order.
 */
void trace_stack_take(struct trace_stack *s, struct session *session);

/**
 * trace_stack_follow() - trace what lies below now, by another look at the stack
 * @topo: it becomes @s->topo
 * @refused: called for each device for which there is no room
 */
void trace_stack_follow(struct trace_stack *s, struct session *session, struct topo *topo,
			void (*refused)(const struct device *d, void *arg), void *arg);

/* The names of what lies at each depth below @s->devs[@top], for @b->layers. */
void trace_stack_layers(const struct trace_stack *s, size_t top, struct breakdown *b);

#endif
