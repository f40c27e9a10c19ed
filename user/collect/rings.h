/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_COLLECT_RINGS_H
#define BLKLAT_COLLECT_RINGS_H

#include <stdbool.h>

/**
 * rings_have_threads() - whether an io_uring has a kernel thread that takes up its requests
 *
 * By the names of all threads there are (IORING_SETUP_SQPOLL: iou-sqp-PID), in our PID
 * namespace.
 * Return: true also when that cannot be known.
 */
bool rings_have_threads(void);

#endif
