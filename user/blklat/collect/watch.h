/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_WATCH_H
#define BLKLAT_WATCH_H

#include <poll.h>
#include <stdbool.h>

/*
 * A watch tells when something may have changed in the stack of block devices. It gets uevents
 * (of dm after the resume with a new table, of devices that come and go) and md's own events.
 * Some changes have no event, so the caller must look from time to time as well.
 */
#define WATCH_FDS 2

struct watch {
	struct pollfd fds[WATCH_FDS];	/* for poll(); fd is -1 if the file is not there */
};

/* Open a watch. Without permission or without md, it just never tells of that kind of events. */
void watch_open(struct watch *w);

/* Return true if something happened. Call it after poll(). */
bool watch_read(struct watch *w);

/* Close the files of a watch that watch_open() opened. */
void watch_close(struct watch *w);

#endif
