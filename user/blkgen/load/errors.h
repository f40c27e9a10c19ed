/* SPDX-License-Identifier: GPL-2.0 */
/* Limit the number of failures of a load. */
#ifndef BLKGEN_LOAD_ERRORS_H
#define BLKGEN_LOAD_ERRORS_H

#include <linux/types.h>

/*
 * Parse --errors into the limits of struct blkgen_setup. @in_a_row: failures in a row of
 * a job, UINT32_MAX for no limit; @in_all: failures of all jobs, 0 for no limit.
 * Return: 0 or -EUSAGE, reported.
 */
int load_errors_parse(const char *text, __u32 *in_a_row, __u64 *in_all);

#endif
