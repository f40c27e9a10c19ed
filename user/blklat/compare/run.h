/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_RUN_H
#define COMPARE_RUN_H

#include "blklat/compare/compare.h"

/**
 * compare_measure() - run all rounds and put the samples into @c->res
 *
 * Rounds that not all devices have completed are dropped.
 *
 * Return: 0; -EINTR after a signal; -ECHILD if the load failed; or -errno, reported.
 */
int compare_measure(struct compare *c);

#endif
