/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_TREE_H
#define BLKLAT_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "blklat/result/result.h"
#include "output/table.h"

/*
 * The tables below show the stack below each device that is @top and has legs. A tree ends at
 * STACK_ROWS_MAX rows, because in a damaged file devices may lie below each other in a circle.
 */
#define STACK_ROWS_MAX 4096

/**
 * stack_add_fn - add a device to a table
 * @arg: as given to stack_walk()
 * @d: the device
 * @leg: what the device above knows of it; NULL for a device on top
 * @parent: the row of the device above; -1 for a device on top
 * Return: the row of the device.
 */
typedef int stack_add_fn(void *arg, const struct result_dev *d, const struct result_leg *leg,
			 int parent);

/**
 * stack_any() - tell if there is a stack
 * @devs: all devices of a trace or a file
 * @n: number of @devs
 *
 * Return: true if a device on top has devices below.
 */
bool stack_any(const struct result_dev *devs, size_t n);

/**
 * stack_walk() - visit the devices of all stacks, from the top down
 * @devs: all devices of a trace or a file
 * @n: number of @devs
 * @add: called for each device; a device that lies below two others is visited twice
 * @arg: for @add
 * Return: false if there were more than STACK_ROWS_MAX devices to visit.
 */
bool stack_walk(const struct result_dev *devs, size_t n, stack_add_fn *add, void *arg);

/**
 * tree_print() - print a tree and what there is to say about it, and free the tree
 * @t: the tree, NULL without memory
 * @title: printed above the tree, NULL for none
 * @whole: false to say that the tree was cut
 * @f: where to print
 * Return: 0 or -errno, not reported.
 */
int tree_print(struct report_table *t, const char *title, bool whole, FILE *f);

/**
 * layers_table() - show each device's share, and the time that it took itself
 * @devs: all devices of a trace or a file
 * @n: number of @devs
 * @whole: set to false if the tree was cut, else not changed
 * Return: the table; NULL if there are no layers, or no memory.
 */
struct report_table *layers_table(const struct result_dev *devs, size_t n, bool *whole);

/**
 * flow_table() - show the I/O that each layer got and made: I/Os and bytes of each kind, how many
 *	times as much went below, and the I/Os that were made for no single I/O above
 * @devs: all devices of a trace or a file
 * @n: number of @devs
 * @whole: set to false if the tree was cut, else not changed
 * Return: the table; NULL if there are no layers or no I/O, or no memory.
 */
struct report_table *flow_table(const struct result_dev *devs, size_t n, bool *whole);

/**
 * layers_print() - print both tables, if there are layers
 * @devs: all devices of a trace or a file
 * @n: number of @devs
 * @from: name of the file, for titles; "" for none; NULL for no titles
 * @f: where to print
 * Return: 0 or -errno, not reported.
 */
int layers_print(const struct result_dev *devs, size_t n, const char *from, FILE *f);

/**
 * unsplit_print() - print lines for the head of the result: which I/Os of layers are one stage
 *	with the time below, and which I/Os below are tied to no I/O above
 * @devs: all devices of a trace or a file
 * @n: number of @devs
 * @f: where to print
 */
void unsplit_print(const struct result_dev *devs, size_t n, FILE *f);

#endif
