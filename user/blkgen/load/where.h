/* SPDX-License-Identifier: GPL-2.0 */
/* Choose the offsets and sizes of I/Os. */
#ifndef BLKGEN_LOAD_WHERE_H
#define BLKGEN_LOAD_WHERE_H

#include <stdio.h>
#include <json-c/json.h>
#include "blkgen/load/cfg.h"
#include "device/device.h"

/* Return the bytes of the range on a device; 0 if --offset is past the device's end. */
uint64_t load_length(const struct load_cfg *c, const struct device *d);

/* All others return 0, -EUSAGE or -errno, reported. */

/* Check the options without looking at a device. */
int load_where_check(const struct load_cfg *c);
/* Check the options against a device. @size: bytes of the range; @lbs: logical block size */
int load_where_check_range(const struct load_cfg *c, const struct device *d, uint64_t size,
			   unsigned int lbs);
/*
 * Fill in pattern, sizes, zones and streams of @s. Call load_where_done() after the setup, when
 * the module has copied the arrays, and also after a failure: it frees what @s points to.
 */
int load_where_fill(const struct load_cfg *c, const struct device *d, struct blkgen_setup *s);
void load_where_done(struct blkgen_setup *s);
/* Add the members of "options", and print the text that follows the pattern in the header. */
void load_where_json(json_object *o, const struct load_cfg *c);
void load_where_print(const struct load_cfg *c, FILE *f);

#endif
