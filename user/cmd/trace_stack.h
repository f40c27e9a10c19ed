/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_STACK_H
#define BLKLAT_TRACE_STACK_H

#include "collect/session.h"
#include "core/opt.h"
#include "device/device.h"
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
 * @up: what was named with --up, "" without
 */
struct trace_stack {
	struct device devs[BLKLAT_MAX_DEVS];
	struct session_role roles[BLKLAT_MAX_DEVS];
	char kinds[BLKLAT_MAX_DEVS][64];
	const char *shared[BLKLAT_MAX_DEVS];
	uint32_t below[BLKLAT_MAX_DEVS];
	size_t ntops;
	size_t ndevs;
	char up[256];
};

/**
 * trace_stack_find() - the named devices and all below them
 * @up: begin with what is on top of the named devices instead
 * Return: 0 or -errno, reported.
 */
int trace_stack_find(struct trace_stack *s, const struct opt_args *args, bool up);

/* The names of what lies at each depth below @s->devs[@top], for @b->layers. */
void trace_stack_layers(const struct trace_stack *s, size_t top, struct breakdown *b);

#endif
