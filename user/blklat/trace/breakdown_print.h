/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_BREAKDOWN_PRINT_H
#define BLKLAT_BREAKDOWN_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "blklat/result/breakdown.h"

/**
 * breakdown_print() - print the stage table (devices side by side), the stacks, the kinds of I/O,
 *	the tail tables, the ledgers and the cost
 * @b: array of @n breakdowns; those of the devices that the user named come first
 * @ntops: number of devices that the user named
 * @spans: true to print btt's gaps too
 * Return: 0 or -errno, not reported.
 */
int breakdown_print(const struct breakdown *b, size_t ntops, size_t n, bool spans, FILE *f);

/**
 * hists_print() - print a histogram of the totals for each device and kind of I/O
 * @b: array of @n breakdowns
 * @n: number of devices
 * @f: where to print
 * Return: 0 or -errno, not reported.
 */
int hists_print(const struct breakdown *b, size_t n, FILE *f);

#endif
