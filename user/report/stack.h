/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_STACK_H
#define BLKLAT_REPORT_STACK_H

#include "device/topo.h"
#include "report/report.h"

/**
 * stack_print() - the graph as a tree; what is reached twice is shown twice, but
 *	only once with all that follows
 * @roots: the @n devices to begin with, all in @t
 * @dir: which way the tree grows
 * Return: 0 or -errno, not reported.
 */
int stack_print(const struct topo *t, const struct device *roots, size_t n, enum topo_dir dir,
		FILE *f);

/* "devices" of blklat topo as Documentation/json.rst has it: an array, parents first. */
json_object *stack_json(const struct topo *t);

/* The layer with what it is in particular: "dm-striped", "md raid1", "nvme". Return: @buf. */
char *stack_layer(const struct topo_node *n, char *buf, size_t len);

#endif
