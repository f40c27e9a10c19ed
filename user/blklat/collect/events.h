/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_EVENTS_H
#define BLKLAT_EVENTS_H

#include <stdint.h>
#include "blklat/collect/session.h"
#include "core/io_event.h"

struct events;

/**
 * struct events_user - callbacks that get the records; a thread that only does this calls them
 * @records: gets @n records, struct blklat_event, each event_ring.size bytes long
 * @pause: called after @records, when there are no more records for now
 * @arg: passed to both
 */
struct events_user {
	void (*records)(void *arg, const char *first, size_t n);
	void (*pause)(void *arg);
	void *arg;
};

/**
 * events_open() - start a thread that reads the records of single I/Os
 * @session: opened with session_opts.events
 * @user: copied
 * @events: set on success
 *
 * Return: 0 or -errno, reported.
 */
int events_open(struct session *session, const struct events_user *user, struct events **events);

/**
 * events_close() - read the records that are left, stop the thread and free @ev
 * @ev: from events_open(); NULL does nothing
 *
 * Call it after session_stop(), and before session_close() frees the ring of the records.
 */
void events_close(struct events *ev);

/**
 * events_flag_names() - get the names that this kernel has for the bits of bi_opf
 * @names: set to "sync", "fua" and so on, by bit; "" for a bit that is no flag
 * @n: number of @names
 *
 * Return: 0 or -errno, reported.
 */
int events_flag_names(char names[][24], unsigned int n);

#endif
