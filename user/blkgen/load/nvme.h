/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_NVME_H
#define BLKGEN_LOAD_NVME_H

#include "blkgen/load/target.h"

/*
 * Read the counters that NVMe devices keep of themselves, before and after a run. A failure here
 * does not fail the run.
 */

/* Read the counters of all devices of the targets, right before the start. Forget earlier ones. */
void load_nvme_before(struct load *l);
/* Read the counters again after the end of the load. */
void load_nvme_after(struct load *l);
/*
 * Read the counters again while the load runs. The change is then from the start, or from the last
 * call of this function, to this call.
 */
void load_nvme_round(struct load *l);
/* Print a table of all NVMe devices; nothing if there are none. Return: 0 or -errno. */
int load_nvme_print(const struct load *l, FILE *f);
/* Return the "nvme" member of a device, or NULL if it is not NVMe or was not read again yet. */
json_object *load_nvme_json(const struct load_dev *d);
/* Close the controllers and forget the readings. */
void load_nvme_free(struct load *l);

#endif
