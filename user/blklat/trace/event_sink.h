/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_EVENT_SINK_H
#define BLKLAT_EVENT_SINK_H

#include <stddef.h>
#include <stdint.h>
#include "core/io_event.h"

#define EVENT_FLAGS 32

/**
 * struct event_source - the trace that the events come from
 * @argv: the command line
 * @names: names of the devices, by index; a name is set before the first event with its index
 * @flags: names of the bits of bi_opf, "" for bits that are not flags
 * @start_ns: start of the trace, CLOCK_MONOTONIC
 * @start_realtime_ns: start of the trace, UNIX time
 * @slower_ns: only I/Os whose total is at least this are written
 * @sample: of the I/Os that are slow enough, one in this many is written
 * @written: number of events so far
 * @lost: number of events for which the ring had no room; set at the end
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
 * @ops: format of the file
 * @fd: file descriptor
 * @buf: data that is not yet written to the file
 * @len: bytes in @buf
 * @error: 0, or -errno of the write that failed; nothing is written after an error
 * @priv: private data of the format, which event_sink_close() frees
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
 * struct event_sink_ops - a format of event files
 * @begin: write the part before the first event; returns 0 or -ENOMEM
 * @event: write one event
 * @end: write the part after the last event
 * @free: free what is in @priv, which may be NULL, but not @priv itself; NULL: there is nothing
 */
struct event_sink_ops {
	int (*begin)(struct event_sink *s, const struct event_source *src);
	void (*event)(struct event_sink *s, const struct event_source *src,
		      const struct io_event *ev);
	void (*end)(struct event_sink *s, const struct event_source *src);
	void (*free)(struct event_sink *s);
};

extern const struct event_sink_ops events_json_ops;
/* This format is a table that fits the terminal on stdout. */
extern const struct event_sink_ops events_table_ops;
extern const struct event_sink_ops perfetto_ops;

/**
 * event_sink_open() - open a sink, and write the part before the first event
 * @s: overwritten; closed again after a failure
 * @ops: format of the file
 * @fd: file to write to; the caller still owns it, and closes it after event_sink_close()
 * @src: the trace that the events come from
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int event_sink_open(struct event_sink *s, const struct event_sink_ops *ops, int fd,
		    const struct event_source *src);

/**
 * event_sink_flush() - write the contents of the buffer to the file
 * @s: open sink; its error is set if the file cannot be written, and the contents are lost then
 */
void event_sink_flush(struct event_sink *s);

/**
 * event_sink_close() - write the part after the last event, and close a sink
 * @s: the sink, which may be zeroed or closed already; its error stays valid
 * @src: the trace; NULL if it did not come to its end: then the sink writes nothing, and what is in
 *	its buffer is lost
 */
void event_sink_close(struct event_sink *s, const struct event_source *src);

#define SINK_ROOM (16U << 10)
/**
 * event_sink_room() - make room at the end of the buffer
 * @s: open sink; the caller adds the bytes that it writes to the sink's len
 * @len: number of bytes, at most SINK_ROOM
 *
 * Return: the room, valid until the next call for this sink.
 */
char *event_sink_room(struct event_sink *s, size_t len);

/**
 * event_status_name() - name the error of an I/O as the kernel's block layer does
 * @status: bi_status of the I/O
 *
 * Return: the name, such as "medium"; "" without an error; "other" for a status whose number
 * differs by kernel.
 */
const char *event_status_name(unsigned int status);

#endif
