/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attach and detach the programs on submitters: they see the submitter of an I/O enter the kernel
 * and leave it (marks E and W). They run for system calls and requests of io_uring to all
 * devices, so they are detached while no I/O of a traced device needs them.
 */
#ifndef BLKLAT_SUBMITTERS_H
#define BLKLAT_SUBMITTERS_H

#include "blklat/collect/hooks.h"

struct blklat;

/**
 * struct submitters - the programs on submitters of a session
 * @skel: all programs of the session
 * @status: status of all hooks
 * @links: links of all hooks; NULL for a hook that is not attached
 * @uring_ticks: calls of submitters_tick() that found I/O of io_uring, since the last call that
 *	found other I/O of a task
 * @quiet_ticks: calls in a row that found neither
 * @back_off: how often the programs had to be attached again, up to a maximum; each time they
 *	then stay attached twice as long
 * @detached: LEAVING_*, the programs that are detached now
 */
struct submitters {
	struct blklat *skel;
	struct hook_status *status;
	struct bpf_link **links;
	unsigned int uring_ticks;
	unsigned int quiet_ticks;
	unsigned int back_off;
	unsigned int detached;
};

/**
 * submitters_tick() - detach or attach the programs, by the I/O since the last call
 * @u: the programs; those whose hook the kernel has were all attached at first
 *
 * Call this every 0.1 s. It takes up to some 0.1 s when it attaches programs.
 */
void submitters_tick(struct submitters *u);

#endif
