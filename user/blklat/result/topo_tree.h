/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TOPO_TREE_H
#define BLKLAT_TOPO_TREE_H

#include "device/topo.h"
#include "output/json.h"

/**
 * stack_print() - print the graph of devices as a tree
 * @roots: the @n devices at the roots, all in @t
 * @dir: direction in which the tree grows
 *
 * A device that is reached twice is shown twice, but the devices below it in the tree only once.
 * Return: 0 or -errno, not reported.
 */
int stack_print(const struct topo *t, const struct device *roots, size_t n, enum topo_dir dir,
		FILE *f);

/* Return an array of the JSON object "topology", parents first. */
json_object *stack_json(const struct topo *t);

/* Return the names of some devices as an array. */
json_object *names_json(const struct device *devs, size_t n);

/* Name the layer of a device in detail: "dm-striped", "md raid1", "nvme". Return: @buf. */
char *stack_layer(const struct topo_node *n, char *buf, size_t len);

#endif
