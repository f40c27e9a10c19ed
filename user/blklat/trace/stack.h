/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_STACK_H
#define BLKLAT_TRACE_STACK_H

#include "blklat/collect/session.h"
#include "core/opt.h"
#include "device/device.h"
#include "device/topo.h"
#include "blklat/result/result.h"

/**
 * struct trace_stack - the devices of a trace and how they are stacked
 * @devs: the @ntops devices on top, then all devices below them
 * @roles: role of each device
 * @kinds: kind of each device, from stack_layer(): "dm-linear", "md raid1", "nvme"
 * @shared: for each device, what its I/Os share below, from topo_shares(); or NULL
 * @below: for each device, a bit per device directly below
 * @ntops: number of devices on top
 * @ndevs: number of all devices
 * @inside: bit per device that belongs to the stack now
 * @retired: bit per device whose number belongs to another device by now
 * @up: names of the devices given with --up; "" without --up
 * @topo: the stack at the last look
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
 * trace_stack_find() - find the named devices and everything below them
 * @s: zeroed; filled in
 * @args: its positional arguments name the devices; if there are none, this takes all devices that
 *	are no part of another device
 * @up: start with the devices on top of the named ones instead
 *
 * Return: 0 or -errno, reported. Call trace_stack_free() in both cases.
 */
int trace_stack_find(struct trace_stack *s, const struct opt_args *args, bool up);

/**
 * trace_stack_free() - free the topology of a stack
 * @s: the stack, which may be zeroed; its other members stay valid
 */
void trace_stack_free(struct trace_stack *s);

/**
 * trace_stack_merge() - add the devices of another stack, if one trace can have all of them
 * @s: the stack; only its devs and ndevs change
 * @more: the other stack
 *
 * Return: false, with @s as it was, if these are too many devices, or a disk and a partition of it.
 */
bool trace_stack_merge(struct trace_stack *s, const struct trace_stack *more);

/**
 * trace_stack_size() - count a device and all devices below it
 * @s: the stack
 * @top: index of the device in @s
 *
 * Return: the number of devices, at least 1.
 */
size_t trace_stack_size(const struct trace_stack *s, size_t top);

/**
 * trace_stack_follow() - update the stack after a new look, and trace the devices that joined
 * @s: the stack
 * @session: the trace of @s
 * @topo: the new look; moved to @s->topo
 * @refused: called for each device for which there is no room
 * @arg: passed to @refused
 */
void trace_stack_follow(struct trace_stack *s, struct session *session, struct topo *topo,
			void (*refused)(const struct device *d, void *arg), void *arg);

/**
 * trace_stack_layers() - describe the layers below a device
 * @s: the stack
 * @top: index of the device in @s, which is itself at depth 0
 * @l: overwritten
 */
void trace_stack_layers(const struct trace_stack *s, size_t top, struct result_layers *l);

#endif
