// SPDX-License-Identifier: GPL-2.0
/* Write events as JSON lines: a head, one line per I/O, and at the end how many were lost. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/utf8.h"
#include "device/device.h"
#include "blklat/trace/event_sink.h"
#include "blklat/result/names.h"
#include "output/document.h"
#include "output/json.h"

/* A line needs less than this: its members are numbers and short texts (comm, devices, flags). */
#define LINE_MAX_LEN 6144

static inline char *put_text(char *p, const char *s, size_t n)
{
	memcpy(p, s, n);
	return p + n;
}

/* Write a string literal. */
#define PUT(p, text) put_text(p, text, sizeof(text) - 1)

#define TENS(n) #n "0" #n "1" #n "2" #n "3" #n "4" #n "5" #n "6" #n "7" #n "8" #n "9"

static char *put_u64(char *p, uint64_t v)
{
	static const char pairs[] = TENS(0) TENS(1) TENS(2) TENS(3) TENS(4)
				    TENS(5) TENS(6) TENS(7) TENS(8) TENS(9);
	char digits[20], *d = digits + sizeof(digits);

	for (; v >= 100; v /= 100)
		memcpy(d -= 2, pairs + v % 100 * 2, 2);
	if (v >= 10)
		memcpy(d -= 2, pairs + v * 2, 2);
	else
		*--d = '0' + v;
	return put_text(p, d, digits + sizeof(digits) - d);
}

#define PUT_MEMBER(p, key, v) put_u64(PUT(p, key), v)

/* Write the name of a task, which may have any bytes. */
static char *put_escaped(char *p, const char *s, size_t max)
{
	size_t len = strnlen(s, max);
	char text[256];

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	memcpy(text, s, len);
	text[len] = '\0';
	*p++ = '"';
	for (const char *c = text; *c;) {
		size_t n = utf8_len(c);

		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			p += sprintf(p, "\\u%04x", (unsigned char)*c++);
		} else if (n == 2 && !utf8_printable_len(c)) {
			/* U+0080 to U+009F are control characters of terminals, too. */
			p += sprintf(p, "\\u%04x", (unsigned char)c[1]);
			c += n;
		} else if (!n) {
			*p++ = '?';
			c++;
		} else {
			if (*c == '"' || *c == '\\')
				*p++ = '\\';
			while (n--)
				*p++ = *c++;
		}
	}
	*p++ = '"';
	return p;
}

/* Write a string. Nearly all strings take the fast path: they have no characters to escape. */
static char *put_string(char *start, const char *s, size_t max)
{
	char *p = start;

	*p++ = '"';
	for (size_t i = 0; i < max && i < 256 && s[i]; i++) {
		if ((signed char)s[i] < 0x20 || s[i] == 0x7f || s[i] == '"' || s[i] == '\\')
			return put_escaped(start, s, max);
		*p++ = s[i];
	}
	*p++ = '"';
	return p;
}

/* Write a name of this program, which has nothing to escape. */
static char *put_name(char *p, const char *name)
{
	*p++ = '"';
	p = put_text(p, name, strlen(name));
	*p++ = '"';
	return p;
}

static char *put_task(char *p, const struct blklat_event *e)
{
	p = PUT_MEMBER(p, ",\"pid\":", e->origin.tgid);
	p = PUT_MEMBER(p, ",\"tid\":", e->origin.pid);
	p = PUT(p, ",\"comm\":");
	return put_string(p, e->comm, sizeof(e->comm));
}

static char *put_flags(char *p, const struct event_source *src, uint32_t opf)
{
	const char *sep = "";

	p = PUT(p, ",\"flags\":[");
	for (unsigned int i = 0; i < EVENT_FLAGS; i++) {
		if (!(opf & 1U << i) || !*src->flags[i])
			continue;
		p = put_text(p, sep, strlen(sep));
		p = put_name(p, src->flags[i]);
		sep = ",";
	}
	return PUT(p, "]");
}

/* This caches the text of the last I/O's flags, because the next I/O mostly has the same flags. */
struct flags_text {
	uint32_t opf;
	size_t len;
	char text[EVENT_FLAGS * 27 + 16];
};

static char *put_same_flags(char *p, const struct event_source *src, struct flags_text *last,
			    uint32_t opf)
{
	if (!last->len || last->opf != opf) {
		last->opf = opf;
		last->len = put_flags(last->text, src, opf) - last->text;
	}
	return put_text(p, last->text, last->len);
}

/* Write the name of a stage as in the tables: "dm-0 submit". */
static char *put_stage_name(char *p, const struct event_source *src, const struct io_event *ev,
			    const struct io_stage *st)
{
	const char *name = stage_name(st->row);

	if (st->row < NR_ROWS) {
		*p++ = '"';
	} else {
		/* Overwrite the closing quote: the device's name takes the place of "layer". */
		p = put_string(p, src->names[ev->path[st->depth]], DEV_TEXT) - 1;
		name = layer_stage(name);
	}
	p = put_text(p, name, strlen(name));
	return PUT(p, "\":");
}

/* Write the stages of an I/O. A stage that occurs twice is one member. */
static char *put_stages(char *p, const struct event_source *src, const struct io_event *ev)
{
	uint64_t ns[NR_ALL_ROWS], left = io_event_times(ev, ns);

	p = PUT(p, ",\"stages\":{");
	for (unsigned int i = 0; i < ev->nr_stages; i++) {
		const struct io_stage *st = &ev->stages[i];

		if (!(left >> st->row & 1))
			continue;
		left &= ~(1ULL << st->row);
		if (i)
			*p++ = ',';
		p = put_stage_name(p, src, ev, st);
		p = put_u64(p, ns[st->row]);
	}
	return PUT(p, "}");
}

/*
 * Members of the JSON document "event":
 * @at_ns: integer: Time from the start of the trace to the begin of the I/O.
 * @device: string: Name of the device that got the I/O, one of those named.
 * @op: string: ``read``, ``write``, ``flush`` or ``discard``.
 * @sector: integer: First sector of the I/O on the disk, in units of 512 bytes. If a partition got
 *	the I/O, this is the sector on its disk, too.
 * @bytes: integer: Size of the I/O.
 * @pid: integer: Id of the process whose task submitted the bio.
 * @tid: integer: Id of that task.
 * @comm: string: Name of that task when it submitted the bio.
 * @flags: array of string: The bio's flags, as this kernel names them: ``sync``, ``fua``,
 *	``preflush``...
 * @error: string, optional: Reason why the I/O failed: ``I/O``, ``medium``, ``timeout``,
 *	``again``... Absent if it did not fail.
 * @total_ns: integer: Time that the I/O took.
 * @think_ns: integer, optional: Time that the task spent outside of I/O system calls before the
 *	I/O. It is not a part of the total. Absent if it is not known.
 * @stages: map of integer: Time in each stage, in the order of time. These times sum to
 *	``total_ns``. The names are those of stage-model.rst; a stage of a layer has the device in
 *	place of "layer", as in the tables: ``dm-0 submit``.
 * @layers: array of string: The devices to which the stages belong, from the top down to the disk:
 *	below each layer the device of the critical child, which the I/O waited for.
 *
 * There is a line for each I/O, in the order in which the I/Os ended.
 */
static void json_event(struct event_sink *s, const struct event_source *src,
		       const struct io_event *ev)
{
	const struct blklat_event *e = ev->raw;
	char *line = event_sink_room(s, LINE_MAX_LEN), *p = line;

	p = PUT_MEMBER(p, "{\"at_ns\":", ev->begin_ns - src->start_ns);
	p = PUT(p, ",\"device\":");
	p = put_string(p, src->names[e->dev], DEV_TEXT);
	p = PUT(p, ",\"op\":");
	p = put_name(p, op_name(e->op));
	p = PUT_MEMBER(p, ",\"sector\":", e->origin.sector);
	p = PUT_MEMBER(p, ",\"bytes\":", e->origin.bytes);
	p = put_task(p, e);
	p = put_same_flags(p, src, s->priv, e->origin.opf);
	if (e->status) {
		p = PUT(p, ",\"error\":");
		p = put_name(p, event_status_name(e->status));
	}
	p = PUT_MEMBER(p, ",\"total_ns\":", ev->total_ns);
	if (e->flags & EVENT_THINK)
		p = PUT_MEMBER(p, ",\"think_ns\":", e->think_ns);
	p = put_stages(p, src, ev);
	p = PUT(p, ",\"layers\":[");
	for (unsigned int i = 0; i < ev->nr_path; i++) {
		if (i)
			*p++ = ',';
		p = put_string(p, src->names[ev->path[i]], DEV_TEXT);
	}
	p = PUT(p, "]}\n");
	s->len += p - line;
}

static int put_object(struct event_sink *s, json_object *o)
{
	const char *text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							  JSON_C_TO_STRING_NOSLASHESCAPE);
	size_t len = text ? strlen(text) : 0;
	int ret = text ? 0 : -ENOMEM;

	/* The command line may be longer than SINK_ROOM, so write it in pieces. */
	for (size_t done = 0, n; done < len; done += n) {
		n = len - done < SINK_ROOM ? len - done : SINK_ROOM;
		memcpy(event_sink_room(s, n), text + done, n);
		s->len += n;
	}
	*event_sink_room(s, 1) = '\n';
	s->len++;
	json_object_put(o);
	return ret;
}

/*
 * Members of the JSON document "events":
 * @events: events head: Start of the trace, and the I/Os for which there are lines.
 *
 * ``blklat trace --events FILE``, and ``blklat record`` with this option, write lines of JSON. The
 * first line describes the file, and has the members of every document, too.
 */

/*
 * Members of the JSON object "events head":
 * @start_monotonic_ns: integer: Time of CLOCK_MONOTONIC at which the trace began.
 * @start_realtime_ns: integer: The same moment as UNIX time, since 1970.
 * @slower_ns: integer: Value of ``--slower``: only I/Os that took at least this long have a line.
 * @sample: integer: Value of ``--sample``: of these I/Os, one in this many has a line.
 */
static int json_begin(struct event_sink *s, const struct event_source *src)
{
	json_object *doc, *o;

	s->priv = calloc(1, sizeof(struct flags_text));
	if (!s->priv)
		return -ENOMEM;
	doc = report_doc_new("blklat", src->argv);
	o = json_object_new_object();
	json_u64(o, "start_monotonic_ns", src->start_ns);
	json_u64(o, "start_realtime_ns", src->start_realtime_ns);
	json_u64(o, "slower_ns", src->slower_ns);
	json_u64(o, "sample", src->sample);
	json_object_object_add(doc, "events", o);
	return put_object(s, doc);
}

/*
 * Members of the JSON document "events end":
 * @end: events sums: Numbers of I/Os.
 *
 * The last line says how many I/Os there were; a file without it is not complete.
 */

/*
 * Members of the JSON object "events sums":
 * @events: integer: Number of I/Os in the file. Each has a line.
 * @lost: integer: Number of records that were not written, because the ring had no room or Ctrl-C
 *	ended the writing.
 */
static void json_end(struct event_sink *s, const struct event_source *src)
{
	json_object *line = json_object_new_object(), *o = json_object_new_object();

	json_u64(o, "events", src->written);
	json_u64(o, "lost", src->lost);
	json_object_object_add(line, "end", o);
	put_object(s, line);
}

const struct event_sink_ops events_json_ops = {
	.begin = json_begin,
	.event = json_event,
	.end = json_end,
};
