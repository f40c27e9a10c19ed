/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_COST_H
#define BLKLAT_COST_H

#include <stdint.h>

struct blklat;

/* Have the programs loaded that cost_calibrate() needs. Before blklat__load(). */
void cost_autoload(struct blklat *skel);

/**
 * cost_calibrate() - find out what the kernel takes to call an empty program
 * @skel: loaded, with nothing attached yet
 *
 * Sets state.call_ns for the programs to add. Takes some ms, and the time to attach
 * and detach three programs. Where one cannot be attached, its kind costs what the
 * dearest other one does.
 */
void cost_calibrate(struct blklat *skel);

/**
 * cost_read() - what the programs took so far, on all CPUs
 * @ns: time, with that of calling them
 * @runs: how often they ran
 * Return: 0 or -errno, not reported.
 */
int cost_read(struct blklat *skel, uint64_t *ns, uint64_t *runs);

#endif
