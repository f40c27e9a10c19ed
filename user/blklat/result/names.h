/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NAMES_H
#define BLKLAT_NAMES_H

#include "blklat.h"

/* @row: enum blklat_stage, or ROW_OF_LAYER(): "alloc", "layer submit" */
const char *stage_name(unsigned int row);
enum blklat_group stage_group(unsigned int row);
const char *group_name(unsigned int group);
const char *op_name(unsigned int op);
const char *span_name(unsigned int span);

/* The name of a counter in JSON, and what it counts. */
const char *counter_name(unsigned int counter);
const char *counter_doc(unsigned int counter);

#endif
