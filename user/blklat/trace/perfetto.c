// SPDX-License-Identifier: GPL-2.0
/*
 * Write events as a trace for Perfetto, in its protobuf format: the TracePackets of
 * protos/perfetto/trace.
 *
 * Each top is a process. Below it there is a track per device that its I/O goes through, in which
 * I/Os are slices with their stages inside. The slices of one track must nest, but I/Os overlap.
 * So each track is made of as many tracks of the same name as are needed, which the UI draws as
 * one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/clocks.h"
#include "core/log.h"
#include "core/utf8.h"
#include "blklat/trace/event_sink.h"
#include "blklat/result/names.h"

/* These are field numbers of the messages, and values of enums. */
enum {
	TRACE_PACKET = 1,

	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,

	SNAPSHOT_CLOCKS = 1,
	SNAPSHOT_PRIMARY = 2,
	CLOCK_ID = 1,
	CLOCK_NS = 2,

	DEFAULTS_CLOCK_ID = 58,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_PARENT = 5,
	TRACK_CHILD_ORDERING = 11,
	TRACK_RANK = 12,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,

	EVENT_CATEGORY_IID = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,

	NOTE_NAME_IID = 1,
	NOTE_UINT = 3,
	NOTE_STRING = 6,

	INTERNED_CATEGORIES = 1,
	INTERNED_NAMES = 2,
	INTERNED_NOTES = 3,
	INTERNED_IID = 1,
	INTERNED_TEXT = 2,

	/* These are values of enums; all numbers above are fields. */
	ORDER_EXPLICIT = 3,
	SLICE_BEGIN = 1,
	SLICE_END = 2,
	INSTANT = 3,
	STATE_CLEARED = 1,
	NEEDS_STATE = 2,
	ON_REALTIME = 1,
	ON_MONOTONIC = 3,
	ON_BOOTTIME = 6,
};

/*
 * Users join traces by appending one to another. So the numbers here must not be those of a system
 * trace: no system tracer begins with these ids, and no process can have these pids.
 */
#define SEQUENCE_ID 0x626cU
#define FIRST_UUID 0x626c6b00000ULL
#define FIRST_PID 10000000

/*
 * These are ids of interned texts. The names of slices are the names of rows, of layer rows per
 * device, and of ops.
 */
#define IID_OP (NR_ALL_ROWS + BLKLAT_MAX_DEVS * NR_LAYER_STAGES + 1)
#define IID_LOST (IID_OP + NR_OPS)
#define CATEGORY_IO 1

/* NOTE(id, name) is an annotation of an I/O. */
#define NOTES(NOTE) \
	NOTE(SECTOR, "sector") NOTE(BYTES, "bytes") NOTE(PID, "pid") NOTE(TID, "tid") \
	NOTE(COMM, "comm") NOTE(FLAGS, "flags") NOTE(ERROR, "error") NOTE(TOTAL, "total_ns") \
	NOTE(THINK, "think_ns") NOTE(NUMBER, "number") NOTE(LOST, "lost")

enum note {
	NOTE_NONE,
#define NOTE(id, name) NOTE_##id,
	NOTES(NOTE)
#undef NOTE
	NR_NOTES
};

static const char *const note_names[NR_NOTES] = {
#define NOTE(id, name) [NOTE_##id] = name,
	NOTES(NOTE)
#undef NOTE
};

/* A lane is a track. Its slices do not overlap. */
struct lane {
	uint64_t uuid;
	uint64_t end_ns;
};

/* These are the tracks of one device below one top, sorted by @end_ns. */
struct lanes {
	struct lane *v;
	size_t n;
	size_t room;
};

struct perfetto {
	uint64_t next_uuid;
	uint64_t process[BLKLAT_MAX_DEVS];
	struct lanes lanes[BLKLAT_MAX_DEVS][BLKLAT_MAX_DEVS];
	bool named[IID_OP];
};

static char *put_varint(char *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = v | 0x80;
		v >>= 7;
	}
	*p++ = v;
	return p;
}

static char *put_uint(char *p, unsigned int field, uint64_t v)
{
	p = put_varint(p, field << 3);
	return put_varint(p, v);
}

static char *put_bytes(char *p, unsigned int field, const char *s, size_t len)
{
	p = put_varint(p, field << 3 | 2);
	p = put_varint(p, len);
	memcpy(p, s, len);
	return p + len;
}

static char *put_text(char *p, unsigned int field, const char *s)
{
	return put_bytes(p, field, s, strlen(s));
}

/* Write the name of a task. It may have any bytes, but readers expect UTF-8. */
static char *put_name(char *p, unsigned int field, const char *s, size_t max)
{
	char text[64];
	size_t len = strnlen(s, max < sizeof(text) ? max : sizeof(text) - 1), n;

	memcpy(text, s, len);
	text[len] = '\0';
	for (char *c = text; *c; c += n ?: 1) {
		n = utf8_len(c);
		if (!n)
			*c = '?';
	}
	return put_bytes(p, field, text, len);
}

/* Begin a message in a message. end() fills in its length, which is below 2^14. */
static char *begin(char *p, unsigned int field)
{
	p = put_varint(p, field << 3 | 2);
	return p + 2;
}

static char *end(char *start, char *p)
{
	size_t len = p - start;

	start[-2] = len | 0x80;
	start[-1] = len >> 7;
	return p;
}

static char *packet(struct event_sink *s, char **p)
{
	char *start = begin(event_sink_room(s, SINK_ROOM), TRACE_PACKET);

	*p = start;
	return start;
}

static void packet_done(struct event_sink *s, char *start, char *p)
{
	p = put_uint(p, PACKET_SEQUENCE_ID, SEQUENCE_ID);
	s->len = end(start, p) - s->buf;
}

static char *put_clock(char *p, unsigned int id, uint64_t ns)
{
	char *start = p = begin(p, SNAPSHOT_CLOCKS);

	p = put_uint(p, CLOCK_ID, id);
	p = put_uint(p, CLOCK_NS, ns);
	return end(start, p);
}

/*
 * Relate the clocks to each other: the marks use the monotonic clock, but a system trace uses
 * boot time.
 */
static void put_snapshot(struct event_sink *s)
{
	char *p, *pkt = packet(s, &p), *start;
	uint64_t now = now_ns();

	start = p = begin(p, PACKET_CLOCK_SNAPSHOT);
	p = put_clock(p, ON_BOOTTIME, now + clock_offset(CLOCK_BOOTTIME));
	p = put_clock(p, ON_MONOTONIC, now);
	p = put_clock(p, ON_REALTIME, now + clock_offset(CLOCK_REALTIME));
	p = put_uint(p, SNAPSHOT_PRIMARY, ON_BOOTTIME);
	packet_done(s, pkt, end(start, p));
}

static char *put_interned(char *p, unsigned int field, unsigned int iid, const char *text)
{
	char *start = p = begin(p, field);

	p = put_uint(p, INTERNED_IID, iid);
	p = put_text(p, INTERNED_TEXT, text);
	return end(start, p);
}

static int perfetto_begin(struct event_sink *s, const struct event_source *src)
{
	struct perfetto *pf = calloc(1, sizeof(*pf));
	char *p, *pkt, *start;

	if (!pf)
		return -ENOMEM;
	s->priv = pf;
	pf->next_uuid = FIRST_UUID;
	put_snapshot(s);
	pkt = packet(s, &p);
	p = put_uint(p, PACKET_SEQUENCE_FLAGS, STATE_CLEARED);
	start = p = begin(p, PACKET_DEFAULTS);
	p = put_uint(p, DEFAULTS_CLOCK_ID, ON_MONOTONIC);
	p = end(start, p);
	start = p = begin(p, PACKET_INTERNED_DATA);
	for (unsigned int n = NOTE_NONE + 1; n < NR_NOTES; n++)
		p = put_interned(p, INTERNED_NOTES, n, note_names[n]);
	p = put_interned(p, INTERNED_CATEGORIES, CATEGORY_IO, "io");
	for (unsigned int g = 0; g < NR_GROUPS; g++)
		p = put_interned(p, INTERNED_CATEGORIES, CATEGORY_IO + 1 + g, group_name(g));
	for (unsigned int op = 0; op < NR_OPS; op++)
		p = put_interned(p, INTERNED_NAMES, IID_OP + op, op_name(op));
	p = put_interned(p, INTERNED_NAMES, IID_LOST, "lost I/Os");
	for (unsigned int st = 0; st < NR_STAGES; st++)
		p = put_interned(p, INTERNED_NAMES, st + 1, stage_name(st));
	packet_done(s, pkt, end(start, p));
	return 0;
}

/* Return the id of a stage's name. The name of a layer's stage includes the device. */
static unsigned int name_iid(struct event_sink *s, const struct event_source *src,
			     const struct io_event *ev, const struct io_stage *st)
{
	struct perfetto *pf = s->priv;
	unsigned int iid, dev = ev->path[st->depth];
	char label[256], *p, *pkt, *start;

	if (st->row < NR_ROWS)
		return st->row + 1;
	iid = NR_ALL_ROWS + dev * NR_LAYER_STAGES + (st->row - NR_ROWS) % NR_LAYER_STAGES;
	if (pf->named[iid])
		return iid;
	pf->named[iid] = true;
	stage_label(label, sizeof(label), stage_name(st->row), src->names[dev]);
	pkt = packet(s, &p);
	p = put_uint(p, PACKET_SEQUENCE_FLAGS, NEEDS_STATE);
	start = p = begin(p, PACKET_INTERNED_DATA);
	p = put_interned(p, INTERNED_NAMES, iid, label);
	packet_done(s, pkt, end(start, p));
	return iid;
}

static uint64_t process_track(struct event_sink *s, const struct event_source *src,
			      unsigned int top)
{
	struct perfetto *pf = s->priv;
	char *p, *pkt, *start, *process;

	if (pf->process[top])
		return pf->process[top];
	pf->process[top] = pf->next_uuid++;
	pkt = packet(s, &p);
	start = p = begin(p, PACKET_TRACK_DESCRIPTOR);
	p = put_uint(p, TRACK_UUID, pf->process[top]);
	process = p = begin(p, TRACK_PROCESS);
	p = put_uint(p, PROCESS_PID, FIRST_PID + top);
	p = put_text(p, PROCESS_NAME, src->names[top]);
	p = end(process, p);
	p = put_uint(p, TRACK_CHILD_ORDERING, ORDER_EXPLICIT);
	packet_done(s, pkt, end(start, p));
	return pf->process[top];
}

/* Create a track. @depth is its rank, so that layers are drawn from the top down. */
static uint64_t new_track(struct event_sink *s, const struct event_source *src, unsigned int top,
			  unsigned int dev, unsigned int depth)
{
	struct perfetto *pf = s->priv;
	uint64_t parent = process_track(s, src, top), uuid = pf->next_uuid++;
	char *p, *pkt = packet(s, &p), *start;

	start = p = begin(p, PACKET_TRACK_DESCRIPTOR);
	p = put_uint(p, TRACK_UUID, uuid);
	p = put_uint(p, TRACK_PARENT, parent);
	p = put_text(p, TRACK_NAME, src->names[dev]);
	p = put_uint(p, TRACK_RANK, depth);
	packet_done(s, pkt, end(start, p));
	return uuid;
}

/* Return how many tracks are free at @ns. */
static size_t lanes_free(const struct lanes *l, uint64_t ns)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (l->v[mid].end_ns <= ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int lanes_grow(struct lanes *l)
{
	size_t room = l->room ? 2 * l->room : 16;
	struct lane *v = realloc(l->v, room * sizeof(*v));

	if (!v)
		return -ENOMEM;
	l->v = v;
	l->room = room;
	return 0;
}

/*
 * Take a track that is free from @from on, and occupy it until @until. Create a track only if
 * none is free. I/Os come nearly in the order of their ends; in this order, taking the track that
 * became free last needs only as many tracks as there are I/Os at once.
 */
static uint64_t take_lane(struct event_sink *s, const struct event_source *src,
			  const struct io_event *ev, unsigned int depth, uint64_t from,
			  uint64_t until)
{
	unsigned int top = ev->path[0], dev = ev->path[depth];
	struct perfetto *pf = s->priv;
	struct lanes *l = &pf->lanes[top][dev];
	size_t at = lanes_free(l, from), to;
	struct lane lane;

	if (at) {
		lane = l->v[--at];
		memmove(&l->v[at], &l->v[at + 1], (l->n - at - 1) * sizeof(lane));
		l->n--;
	} else {
		if (l->n == l->room && lanes_grow(l))
			return 0;
		lane.uuid = new_track(s, src, top, dev, depth);
	}
	lane.end_ns = until;
	to = lanes_free(l, until);
	memmove(&l->v[to + 1], &l->v[to], (l->n - to) * sizeof(lane));
	l->v[to] = lane;
	l->n++;
	return lane.uuid;
}

static char *begin_event(char *p, unsigned int type, uint64_t track, uint64_t ns, char **start)
{
	p = put_uint(p, PACKET_TIMESTAMP, ns);
	p = put_uint(p, PACKET_SEQUENCE_FLAGS, NEEDS_STATE);
	*start = p = begin(p, PACKET_TRACK_EVENT);
	p = put_uint(p, EVENT_TYPE, type);
	return put_uint(p, EVENT_TRACK, track);
}

static char *note_uint(char *p, enum note note, uint64_t v)
{
	char *start = p = begin(p, EVENT_ANNOTATION);

	p = put_uint(p, NOTE_NAME_IID, note);
	return end(start, put_uint(p, NOTE_UINT, v));
}

static char *note_text(char *p, enum note note, const char *s)
{
	char *start = p = begin(p, EVENT_ANNOTATION);

	p = put_uint(p, NOTE_NAME_IID, note);
	return end(start, put_text(p, NOTE_STRING, s));
}

static char *note_comm(char *p, const char *comm)
{
	char *start = p = begin(p, EVENT_ANNOTATION);

	p = put_uint(p, NOTE_NAME_IID, NOTE_COMM);
	return end(start, put_name(p, NOTE_STRING, comm, BLKLAT_COMM_LEN));
}

static char *note_flags(char *p, const struct event_source *src, uint32_t opf)
{
	char text[EVENT_FLAGS * 25] = "";
	size_t n = 0;

	for (unsigned int i = 0; i < EVENT_FLAGS; i++)
		if (opf & 1U << i && *src->flags[i])
			n += snprintf(text + n, sizeof(text) - n, "%s%s", n ? " " : "",
				      src->flags[i]);
	return n ? note_text(p, NOTE_FLAGS, text) : p;
}

/* Annotate an I/O, in the track of its top. */
static char *put_notes(char *p, const struct event_source *src, const struct io_event *ev)
{
	const struct blklat_event *e = ev->raw;

	p = note_uint(p, NOTE_BYTES, e->origin.bytes);
	p = note_uint(p, NOTE_SECTOR, e->origin.sector);
	p = note_uint(p, NOTE_TOTAL, ev->total_ns);
	p = note_uint(p, NOTE_TID, e->origin.pid);
	p = note_uint(p, NOTE_PID, e->origin.tgid);
	p = note_comm(p, e->comm);
	if (e->flags & EVENT_THINK)
		p = note_uint(p, NOTE_THINK, e->think_ns);
	if (e->status)
		p = note_text(p, NOTE_ERROR, event_status_name(e->status));
	return note_flags(p, src, e->origin.opf);
}

static void put_io(struct event_sink *s, const struct event_source *src, const struct io_event *ev,
		   unsigned int depth, uint64_t track, uint64_t ns)
{
	char *p, *pkt = packet(s, &p), *start;

	p = begin_event(p, SLICE_BEGIN, track, ns, &start);
	p = put_uint(p, EVENT_CATEGORY_IID, CATEGORY_IO);
	p = put_uint(p, EVENT_NAME_IID,
		     IID_OP + (depth ? ev->raw->hops[depth - 1].op : ev->raw->op));
	/* The number is the same in all tracks of an I/O. */
	p = note_uint(p, NOTE_NUMBER, src->written);
	if (!depth)
		p = put_notes(p, src, ev);
	packet_done(s, pkt, end(start, p));
}

static void put_end(struct event_sink *s, uint64_t track, uint64_t ns)
{
	char *p, *pkt = packet(s, &p), *start;

	p = begin_event(p, SLICE_END, track, ns, &start);
	packet_done(s, pkt, end(start, p));
}

static void put_stage(struct event_sink *s, const struct event_source *src,
		      const struct io_event *ev, const struct io_stage *st, uint64_t track)
{
	unsigned int iid = name_iid(s, src, ev, st);
	char *p, *pkt = packet(s, &p), *start;

	p = begin_event(p, SLICE_BEGIN, track, st->at_ns, &start);
	p = put_uint(p, EVENT_CATEGORY_IID, CATEGORY_IO + 1 + stage_group(st->row));
	p = put_uint(p, EVENT_NAME_IID, iid);
	packet_done(s, pkt, end(start, p));
	put_end(s, track, st->at_ns + st->ns);
}

/* Draw what the I/O did at one device of its path. */
static void put_layer(struct event_sink *s, const struct event_source *src,
		      const struct io_event *ev, unsigned int depth)
{
	uint64_t from = UINT64_MAX, until = 0, track;

	for (unsigned int i = 0; i < ev->nr_stages; i++) {
		const struct io_stage *st = &ev->stages[i];

		if (st->depth != depth)
			continue;
		if (st->at_ns < from)
			from = st->at_ns;
		if (st->at_ns + st->ns > until)
			until = st->at_ns + st->ns;
	}
	track = from <= until ? take_lane(s, src, ev, depth, from, until) : 0;
	if (!track)
		return;
	put_io(s, src, ev, depth, track, from);
	for (unsigned int i = 0; i < ev->nr_stages; i++)
		if (ev->stages[i].depth == depth)
			put_stage(s, src, ev, &ev->stages[i], track);
	put_end(s, track, until);
}

static void perfetto_event(struct event_sink *s, const struct event_source *src,
			   const struct io_event *ev)
{
	for (unsigned int depth = 0; depth < ev->nr_path; depth++)
		put_layer(s, src, ev, depth);
}

/* Add the number of lost events at the end, to the first top that had an event. */
static void put_lost(struct event_sink *s, const struct event_source *src)
{
	struct perfetto *pf = s->priv;
	unsigned int top = 0;
	uint64_t track;
	char *p, *pkt, *start;

	while (top < BLKLAT_MAX_DEVS - 1 && !pf->process[top])
		top++;
	track = process_track(s, src, pf->process[top] ? top : 0);
	pkt = packet(s, &p);
	p = begin_event(p, INSTANT, track, now_ns(), &start);
	p = put_uint(p, EVENT_NAME_IID, IID_LOST);
	p = note_uint(p, NOTE_LOST, src->lost);
	packet_done(s, pkt, end(start, p));
}

static void perfetto_end(struct event_sink *s, const struct event_source *src)
{
	if (src->lost)
		put_lost(s, src);
	put_snapshot(s);
}

static void perfetto_free(struct event_sink *s)
{
	struct perfetto *pf = s->priv;

	for (size_t i = 0; pf && i < BLKLAT_MAX_DEVS; i++)
		for (size_t k = 0; k < BLKLAT_MAX_DEVS; k++)
			free(pf->lanes[i][k].v);
}

const struct event_sink_ops perfetto_ops = {
	.begin = perfetto_begin,
	.event = perfetto_event,
	.end = perfetto_end,
	.free = perfetto_free,
};
