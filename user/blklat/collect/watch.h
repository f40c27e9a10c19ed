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

/**
 * watch_open() - open a watch
 * @w: filled in; close it with watch_close()
 *
 * Without permission or without md, it just never tells of that kind of events.
 */
void watch_open(struct watch *w);

/**
 * watch_read() - read the events that came, and tell if there were any
 * @w: the watch, after poll() of its @fds
 *
 * Return: true if something happened.
 */
bool watch_read(struct watch *w);

/**
 * watch_close() - close the files of a watch
 * @w: from watch_open()
 */
void watch_close(struct watch *w);

#endif
