/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_NVME_H
#define BLKGEN_LOAD_NVME_H

#include "blkgen/load/load.h"

/* What NVMe devices count of themselves, before and after a run. Nothing here fails the run. */

/* Read the counters of all devices under load, right before its start. Forgets an earlier load. */
void load_nvme_before(struct load *l);
/* Read them again, after the end. */
void load_nvme_after(struct load *l);
/* Read them while the load goes on: from the start or the last such reading to this one. */
void load_nvme_round(struct load *l);
/* A table of all devices that are NVMe; nothing when none is. Return: 0 or -errno. */
int load_nvme_print(const struct load *l, FILE *f);
/* The "nvme" member of a device, NULL when it is not NVMe or was not read again yet. */
json_object *load_nvme_json(const struct load_dev *d);
void load_nvme_free(struct load *l);

#endif
