/* SPDX-License-Identifier: GPL-2.0 */
/* Run one load, after which others may follow. */
#ifndef BLKGEN_LOAD_RUN_H
#define BLKGEN_LOAD_RUN_H

#include "blkgen/load/target.h"

/* Functions that return int return 0 or -errno, reported. */

/* Read what the module can do into @l->feat. */
int load_features(struct load *l);

/* Check that no one else uses the device, and that the device can take this load. */
int load_check_device(const struct load_target *t);

/* Claim the devices of all targets, and set up their sessions. */
int load_prepare(struct load *l);

/*
 * Start all targets, show progress, wait until all are done, and verify. A signal ends the targets
 * and is no error.
 */
int load_execute(struct load *l);

#endif
