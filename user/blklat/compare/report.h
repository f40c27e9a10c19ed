/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_REPORT_H
#define COMPARE_REPORT_H

#include "blklat/compare/compare.h"

/**
 * compare_conclude() - report the complete rounds, also when the comparison ended early
 * @c: the comparison, after compare_measure()
 * @measured: the return value of compare_measure()
 * @doc: gets the result
 *
 * Return: 0; -ENODATA if too few rounds are complete, reported; or -errno, reported.
 */
int compare_conclude(struct compare *c, int measured, json_object *doc);

#endif
