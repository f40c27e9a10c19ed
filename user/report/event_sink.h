/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_EVENT_SINK_H
#define BLKLAT_EVENT_SINK_H

#include <stddef.h>
#include <stdint.h>
#include "core/io_event.h"

#define EVENT_FLAGS 32

/**
 * struct event_source - where the events come from
 * @argv: the command line
 * @names: of the devices, by their index; set before the first event that has it
 * @flags: names of the bits of bi_opf, "" for those that are not flags
 * @start_ns: of the trace, monotonic clock
 * @start_realtime_ns: the same moment since 1970
 * @slower_ns: what was asked for: only I/Os whose total is at least this
 * @sample: one in so many of these
 * @written: events so far
 * @lost: those for which the ring had no room; at the end
 */
struct event_source {
	char *const *argv;
	const char *names[BLKLAT_MAX_DEVS];
	char flags[EVENT_FLAGS][24];
	uint64_t start_ns;
	uint64_t start_realtime_ns;
	uint64_t slower_ns;
	uint64_t sample;
	uint64_t written;
	uint64_t lost;
};

/**
 * struct event_sink - a file that events are written to
 * @ops: what kind of
 * @fd: of the file
 * @buf: what is not yet in it
 * @len: bytes of that
 * @error: 0, or -errno of the write that failed: nothing is written from then on
 * @priv: the kind's own
 */
struct event_sink {
	const struct event_sink_ops *ops;
	int fd;
	char *buf;
	size_t len;
	int error;
	void *priv;
};

/**
 * struct event_sink_ops - a format
 * @begin: what comes before the first event; 0 or -ENOMEM
 * @event: one event
 * @end: what comes after the last one
 * @free: @priv
 */
struct event_sink_ops {
	int (*begin)(struct event_sink *s, const struct event_source *src);
	void (*event)(struct event_sink *s, const struct event_source *src, const struct io_event *ev);
	void (*end)(struct event_sink *s, const struct event_source *src);
	void (*free)(struct event_sink *s);
};

extern const struct event_sink_ops events_json_ops;
extern const struct event_sink_ops perfetto_ops;

/* Return: 0 or -ENOMEM. @fd stays the caller's. */
int event_sink_open(struct event_sink *s, const struct event_sink_ops *ops, int fd,
		    const struct event_source *src);

/* Write what is in the buffer. */
void event_sink_flush(struct event_sink *s);

/* @src: NULL for one that did not come to its end. */
void event_sink_close(struct event_sink *s, const struct event_source *src);

/* Room for @len bytes at the end of the buffer, at most SINK_ROOM. @s->len is the caller's to move. */
#define SINK_ROOM (16U << 10)
char *event_sink_room(struct event_sink *s, size_t len);

/* "medium": what went wrong with an I/O, as the kernel's block layer calls it. */
const char *event_status_name(unsigned int status);

#endif
