/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_ISSUE_H
#define BLKLAT_ISSUE_H

#include "blklat/collect/hooks.h"

/**
 * issue_wanted() - whether block_rq_issue adds to what the drivers' hooks tell
 * @devs: the traced devices, @ndevs of them
 * @status: from hooks_probe()
 */
bool issue_wanted(const struct device *devs, size_t ndevs, const struct hook_status *status);

/* Whether the kernel refused the hook of a way into a driver, after attaching. */
bool issue_entry_failed(const struct hook_status *status);

#endif
