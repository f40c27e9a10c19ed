/* SPDX-License-Identifier: GPL-2.0 */
/* Print loads and their results as text, table and JSON. */
#ifndef BLKGEN_LOAD_REPORT_H
#define BLKGEN_LOAD_REPORT_H

#include "blkgen/load/result.h"

struct load_cfg;

/**
 * load_report_facts() - print the facts of the devices to stdout
 * @l: has the devices and the options
 *
 * Return: false if nothing may be printed before the result, because of --quiet or because stdout
 * is for data; then it has printed nothing.
 */
bool load_report_facts(const struct load *l);

/**
 * load_report_options() - print the options of a load in a line to stdout
 * @l: only its cfg is used
 *
 * For buffered writes, a second line says if the times include an fsync. Call this only if
 * load_report_facts() returns true, because it does not look at --quiet.
 */
void load_report_options(const struct load *l);

/**
 * load_report_header() - print the devices and the options to stdout
 * @l: has the devices and the options; nothing is printed with --quiet or if stdout is for data
 */
void load_report_header(const struct load *l);

/**
 * load_devices_json() - make the "devices" member of the JSON
 * @l: its sessions are still open
 * @rs: results of its targets
 *
 * Return: a new array, which the caller frees.
 */
json_object *load_devices_json(const struct load *l, const struct load_results *rs);

/**
 * load_report() - read the results of all targets, print them, and add them to the JSON
 * @l: its sessions are still open; @l->doc gets the results, also after an error
 *
 * Return: 0 or -errno; reported, except an -ENOMEM while a table is filled or printed.
 */
int load_report(struct load *l);

/**
 * load_options_json() - make the "options" member of the JSON
 * @cfg: options of the load
 *
 * Return: a new object, which the caller frees.
 */
json_object *load_options_json(const struct load_cfg *cfg);

#endif
