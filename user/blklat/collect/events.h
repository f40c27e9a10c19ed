/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_EVENTS_H
#define BLKLAT_EVENTS_H

#include <stdint.h>
#include "blklat/collect/session.h"
#include "core/io_event.h"

struct events;

/**
 * struct events_user - who gets the records; called from a thread of their own
 * @records: @n of them, struct blklat_event, each as long as event_ring.size says
 * @pause: for now there are no more
 */
struct events_user {
	void (*records)(void *arg, const char *first, size_t n);
	void (*pause)(void *arg);
	void *arg;
};

/**
 * events_open() - begin to read the records of single I/Os
 * @session: opened with session_opts.events
 * Return: 0 or -errno, reported.
 */
int events_open(struct session *session, const struct events_user *user, struct events **events);

/* Read what is left and stop; after session_stop(). NULL is nothing. */
void events_close(struct events *ev);

/**
 * events_flag_names() - what this kernel calls the bits of bi_opf
 * @names: "sync", "fua"...; "" for those that are no flags
 * Return: 0 or -errno, reported.
 */
int events_flag_names(char names[][24], unsigned int n);

#endif
