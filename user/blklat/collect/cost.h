/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_COST_H
#define BLKLAT_COST_H

#include <stdint.h>

struct blklat;

/**
 * cost_autoload() - choose to load the programs that cost_calibrate() needs
 * @skel: the programs; call this before blklat__load()
 *
 * Those that this kernel cannot attach or would not run are left out.
 */
void cost_autoload(struct blklat *skel);

/**
 * cost_calibrate() - measure the time that the kernel takes to call an empty program
 * @skel: loaded, with nothing attached yet
 *
 * This sets state.half_call_ns, which the programs add to their time. It takes some ms, and the
 * time to attach and detach three programs. If a program cannot be attached, its kind gets the
 * longest time of the other kinds.
 */
void cost_calibrate(struct blklat *skel);

/**
 * cost_read() - read the time that the programs took so far, on all CPUs
 * @skel: the programs
 * @ns: set to the time in ns, with the time to call the programs
 * @runs: set to how often they ran; a program that ran inside another one does not count
 */
void cost_read(const struct blklat *skel, uint64_t *ns, uint64_t *runs);

#endif
