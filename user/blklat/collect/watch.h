/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_WATCH_H
#define BLKLAT_WATCH_H

#include <poll.h>
#include <stdbool.h>

/*
 * Tells when something may have changed in the stack of block devices: uevents
 * (dm after the resume with a new table, devices that come and go) and md's own
 * events. Not everything has one, so looking from time to time is needed too.
 */
#define WATCH_FDS 2

struct watch {
	struct pollfd fds[WATCH_FDS];	/* for poll(); fd -1: not there */
};

/* Without permission or without md the watch just never tells. */
void watch_open(struct watch *w);

/* After poll(): whether something happened. */
bool watch_read(struct watch *w);

void watch_close(struct watch *w);

#endif
