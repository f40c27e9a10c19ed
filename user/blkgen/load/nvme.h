/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_NVME_H
#define BLKGEN_LOAD_NVME_H

#include <stdio.h>
#include <json-c/json.h>

struct load;
struct load_dev;

/*
 * Read the counters that NVMe devices keep of themselves, before and after a run. A failure to read
 * them does not fail the run: there is a warning, once for each device.
 */

/**
 * load_nvme_before() - read the counters of all devices of the targets, right before the start
 * @l: has the targets; its earlier readings are forgotten
 */
void load_nvme_before(struct load *l);

/**
 * load_nvme_after() - read the counters again after the end of the load
 * @l: its targets are done, or were given up
 *
 * A device with an I/O in flight is not read, because it may hang, and the reading with it.
 */
void load_nvme_after(struct load *l);

/**
 * load_nvme_round() - read the counters again while the load runs
 * @l: its targets run
 *
 * The change is then from the start, or from the last call of this function, to this call.
 */
void load_nvme_round(struct load *l);

/**
 * load_nvme_print() - print a table of the counters of all NVMe devices
 * @l: has the devices; those that were not read again are left out
 * @f: where to print; nothing is printed if the table has no rows
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int load_nvme_print(const struct load *l, FILE *f);

/**
 * load_nvme_json() - make the "nvme" member of a device
 * @d: the device
 *
 * Return: a new object, which the caller frees; NULL if @d is not NVMe or was not read again yet.
 */
json_object *load_nvme_json(const struct load_dev *d);

/**
 * load_nvme_free() - close the controllers and forget the readings
 * @l: load_nvme_before() need not have been called for it
 */
void load_nvme_free(struct load *l);

#endif
