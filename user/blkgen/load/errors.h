/* SPDX-License-Identifier: GPL-2.0 */
/* Limit the number of failures of a load. */
#ifndef BLKGEN_LOAD_ERRORS_H
#define BLKGEN_LOAD_ERRORS_H

#include <linux/types.h>

/**
 * load_errors_parse() - parse --errors into the limits of struct blkgen_setup
 * @text: "stop", "continue", "max=N" or "row=N"
 * @in_a_row: set to the failures in a row of one job that end the load; UINT32_MAX for no limit
 * @in_all: set to the failures of all jobs together that end the load; 0 for no limit
 *
 * Return: 0 or -EUSAGE, reported.
 */
int load_errors_parse(const char *text, __u32 *in_a_row, __u64 *in_all);

#endif
