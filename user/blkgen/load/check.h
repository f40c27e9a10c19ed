/* SPDX-License-Identifier: GPL-2.0 */
/* Refuse loads that are not possible before they are tried. */
#ifndef BLKGEN_LOAD_CHECK_H
#define BLKGEN_LOAD_CHECK_H

#include "blkgen/load/cfg.h"
#include "blkgen/load/kctl.h"
#include "device/device.h"

/* The messages say what to change. All return 0, -EUSAGE or -errno, reported. */

/* Check the options without looking at a device. */
int load_check_options(const struct load_cfg *c);

/* Check that a temporary device can do this load. */
int load_check_temp(const struct load_cfg *c);
/* Check the options against the limits of the module. */
int load_check_limits(const struct load_cfg *c, const struct blkgen_features *feat);
/* Check the options against the size and the features of the device. */
int load_check_range(const struct load_cfg *c, const struct device *d);

#endif
