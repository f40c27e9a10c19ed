/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_ISSUE_H
#define BLKLAT_ISSUE_H

#include "blklat/collect/hooks.h"

/**
 * issue_wanted() - check if a traced device needs block_rq_issue
 * @devs: the traced devices
 * @ndevs: number of devices
 * @status: status of the hooks from hooks_probe()
 *
 * Return: true if some device has requests, and not each way into its driver has a hook.
 */
bool issue_wanted(const struct device *devs, size_t ndevs, const struct hook_status *status);

#endif
