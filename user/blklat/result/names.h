/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NAMES_H
#define BLKLAT_NAMES_H

#include <stddef.h>
#include "blklat.h"

/**
 * stage_name() - return the name of a stage
 * @row: enum blklat_stage, or ROW_OF_LAYER(); not ROW_OF_SPAN()
 *
 * Return: the name, "alloc" or "layer submit".
 */
const char *stage_name(unsigned int row);

/* Number of the rows of stages, with those of layers. */
#define NR_LINES (NR_STAGES + NR_LAYER_ROWS)

/**
 * stage_order() - list the rows of all stages in the order of the report
 *
 * The stages are in the order of their groups, with the layers' submit sides before stage alloc and
 * the completion sides before deliver.
 *
 * Return: NR_LINES rows, as for stage_name().
 */
const unsigned int *stage_order(void);

/**
 * stage_group() - return the group of a stage
 * @row: as for stage_name()
 *
 * Return: the group.
 */
enum blklat_group stage_group(unsigned int row);

/**
 * layer_stage() - tell a stage of a layer from other stages
 * @stage: the name as stage_name() has it
 *
 * Return: the end of @stage after "layer", as in " submit"; NULL for other stages.
 */
const char *layer_stage(const char *stage);

/**
 * stage_label() - name a stage as tables do: "alloc", "dm-0 submit"
 * @buf: set to the label
 * @len: bytes in @buf
 * @stage: the name as stage_name() has it
 * @device: the device whose stage it is; "" if a layer is to be called "layer"
 */
void stage_label(char *buf, size_t len, const char *stage, const char *device);

/**
 * stage_after() - find the stage in which an unfinished I/O of a disk is
 * @mark: the last mark of the I/O so far
 *
 * Return: the stage; STAGE_UNATTRIBUTED if no stage begins at this mark.
 */
enum blklat_stage stage_after(enum blklat_mark mark);

/**
 * group_name() - return the name of a group of stages
 * @group: enum blklat_group
 *
 * Return: the name, "kernel+driver".
 */
const char *group_name(unsigned int group);

/**
 * op_name() - return the name of a kind of I/O
 * @op: the kind, below NR_OPS
 *
 * Return: the name, "read".
 */
const char *op_name(unsigned int op);
/* The same names as a table; NULL ends it. */
extern const char *const op_names[];

/**
 * span_name() - return the name of a span
 * @span: enum blklat_span
 *
 * Return: the name, "Q2C".
 */
const char *span_name(unsigned int span);

/**
 * counter_name() - return the name that a counter of the ledger has in JSON
 * @counter: enum blklat_counter
 *
 * Return: the name, "lost_full".
 */
const char *counter_name(unsigned int counter);

/**
 * counter_doc() - describe what a counter of the ledger counts
 * @counter: enum blklat_counter
 *
 * Return: the description, without a full stop.
 */
const char *counter_doc(unsigned int counter);

#endif
