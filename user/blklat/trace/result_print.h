/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_RESULT_PRINT_H
#define BLKLAT_TRACE_RESULT_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "blklat/result/result.h"

/**
 * result_print() - print the stage table (devices side by side), the stacks, the kinds of I/O, the
 *	tail tables, the ledgers and the cost
 * @devs: array of @n devices; those that the user named come first, and are @top
 * @ntops: number of devices that the user named
 * @n: number of @devs
 * @spans: true to print btt's gaps too
 * @f: where to print
 * Return: 0 or -errno, not reported.
 */
int result_print(const struct result_dev *devs, size_t ntops, size_t n, bool spans, FILE *f);

/**
 * hists_print() - print a histogram of the totals for each device and kind of I/O
 * @devs: array of @n devices
 * @n: number of devices
 * @f: where to print
 * Return: 0 or -errno, not reported.
 */
int hists_print(const struct result_dev *devs, size_t n, FILE *f);

#endif
