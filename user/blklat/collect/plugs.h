/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attach and detach the program that sees plugs flushed (mark P). It runs for each flush of the
 * machine, and a task that submits one I/O at a time flushes once per I/O. So it is detached while
 * the traced I/Os hardly wait for one another in a plug.
 */
#ifndef BLKLAT_PLUGS_H
#define BLKLAT_PLUGS_H

#include <stdint.h>
#include "blklat/collect/hooks.h"

struct blklat;

/**
 * struct plugs - the program of a session that sees plugs flushed
 * @skel: all programs of the session
 * @status: status of its hook
 * @link: its link, NULL while it is not attached
 * @hook: its hook
 * @ended: I/Os with requests that had ended at the last call of plugs_tick()
 * @batched: how many of these were batched, see account_batched()
 * @quiet_ticks: calls in a row that found few batched I/Os
 * @back_off: how often it had to be attached again, up to a maximum; each time it then stays
 *	attached twice as long
 */
struct plugs {
	struct blklat *skel;
	struct hook_status *status;
	struct bpf_link **link;
	const struct hook *hook;
	uint64_t ended;
	uint64_t batched;
	unsigned int quiet_ticks;
	unsigned int back_off;
};

/* Begin with the program attached, if the kernel has its hook. */
void plugs_begin(struct plugs *p);

/**
 * plugs_tick() - detach or attach the program, by the I/O since the last call
 * @p: the program
 * @ended: number of I/Os with requests that have ended by now
 * @batched: how many of these were batched
 *
 * Call this every 0.1 s. It takes up to some 0.1 s when it attaches or detaches.
 */
void plugs_tick(struct plugs *p, uint64_t ended, uint64_t batched);

#endif
