/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TOPO_TREE_H
#define BLKLAT_TOPO_TREE_H

#include "device/topo.h"
#include "output/json.h"

/**
 * stack_print() - print the graph of devices as a tree
 * @t: the graph, made by topo_build() with the same @dir
 * @roots: the devices at the roots, all in @t
 * @n: number of @roots
 * @dir: direction in which the tree grows
 * @f: where to print
 *
 * A device that is reached twice is shown twice, but the devices below it in the tree only once.
 * Return: 0 or -errno, not reported.
 */
int stack_print(const struct topo *t, const struct device *roots, size_t n, enum topo_dir dir,
		FILE *f);

/**
 * stack_json() - make the array of the JSON objects "topology"
 * @t: the graph
 *
 * Return: the array, parents first, owned by the caller.
 */
json_object *stack_json(const struct topo *t);

/**
 * names_json() - make an array of the names of some devices
 * @devs: the devices
 * @n: number of @devs
 *
 * Return: the array, owned by the caller.
 */
json_object *names_json(const struct device *devs, size_t n);

/**
 * stack_layer() - name the layer of a device in detail
 * @n: the device
 * @buf: set to "dm-striped", "md raid1", "nvme"
 * @len: bytes in @buf
 *
 * Return: @buf.
 */
char *stack_layer(const struct topo_node *n, char *buf, size_t len);

#endif
