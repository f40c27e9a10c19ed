/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NAMES_H
#define BLKLAT_NAMES_H

#include <stddef.h>
#include "blklat.h"

/* @row: enum blklat_stage, or ROW_OF_LAYER(): "alloc", "layer submit" */
const char *stage_name(unsigned int row);
enum blklat_group stage_group(unsigned int row);

/* Return the name of a layer's stage without "layer", as in " submit"; NULL for other stages. */
const char *layer_stage(const char *stage);

/**
 * stage_label() - name a stage as tables do: "alloc", "dm-0 submit"
 * @buf: the label, of at most @len bytes
 * @stage: the name as stage_name() has it
 * @device: the device whose stage it is; "" if a layer is to be called "layer"
 */
void stage_label(char *buf, size_t len, const char *stage, const char *device);

/* Return the stage in which an I/O of a disk is whose last mark so far is @mark. */
enum blklat_stage stage_after(enum blklat_mark mark);
const char *group_name(unsigned int group);
const char *op_name(unsigned int op);
/* The same names as a table; NULL ends it. */
extern const char *const op_names[];
const char *span_name(unsigned int span);

/* The name of a counter in JSON, and what it counts. */
const char *counter_name(unsigned int counter);
const char *counter_doc(unsigned int counter);

#endif
