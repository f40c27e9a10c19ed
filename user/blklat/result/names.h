/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NAMES_H
#define BLKLAT_NAMES_H

#include "blklat.h"

/* @row: enum blklat_stage, or ROW_OF_LAYER(): "alloc", "layer submit" */
const char *stage_name(unsigned int row);
enum blklat_group stage_group(unsigned int row);
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
