/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_RUN_H
#define COMPARE_RUN_H

#include "blklat/compare/compare.h"

/**
 * compare_measure() - run all rounds and put the samples into @c->res
 * @c: the comparison with its devices and its load
 *
 * Rounds that not all devices have completed are dropped. The schedulers are set before the first
 * round, and restored before this returns.
 *
 * Return: 0; -EINTR after a signal, not reported; -ECHILD if the load failed, with its exit status
 * in @c->status; -EAGAIN if a stack of devices keeps changing; -EUSAGE if the load names a device
 * itself; or another -errno. All but -EINTR are reported.
 */
int compare_measure(struct compare *c);

#endif
