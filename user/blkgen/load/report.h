/* SPDX-License-Identifier: GPL-2.0 */
/* Print loads and their results as text, table and JSON. */
#ifndef BLKGEN_LOAD_REPORT_H
#define BLKGEN_LOAD_REPORT_H

#include "blkgen/load/result.h"

/*
 * Print the facts of the devices. Return: false if nothing may be printed before the result,
 * because of --quiet or because stdout is for data.
 */
bool load_report_facts(const struct load *l);

/* Print the options of @l->cfg in a line, and for buffered writes if the times include an fsync. */
void load_report_options(const struct load *l);

/* Print devices and options; nothing with --quiet or if stdout is for data. */
void load_report_header(const struct load *l);

/* Return the "devices" member of the JSON. */
json_object *load_devices_json(const struct load *l, const struct load_results *rs);

/**
 * load_report() - read the results of all targets, print them, and add them to @l->doc
 * Return: 0 or -errno, reported.
 */
int load_report(struct load *l);

/* Return the "options" member of the JSON. */
json_object *load_options_json(const struct load_cfg *cfg);

#endif
