// SPDX-License-Identifier: GPL-2.0
/*
 * This test will make stages from the marks of I/Os on disks and below layers, with flushes and
 * with marks that are missing or out of order, compare the lines that are written of them, and
 * expect a table of them to fit.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/io_event.h"
#include "blklat/trace/event_sink.h"
#include "unit.h"

static uint64_t sum(const struct io_event *ev)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < ev->nr_stages; i++)
		n += ev->stages[i].ns;
	return n;
}

static bool in_order(const struct io_event *ev)
{
	uint64_t at = ev->begin_ns;

	for (unsigned int i = 0; i < ev->nr_stages; i++) {
		if (ev->stages[i].at_ns != at)
			return false;
		at += ev->stages[i].ns;
	}
	return at == ev->begin_ns + ev->total_ns;
}

/* Return "row:depth:ns row:depth:ns" of an event, in a buffer that the next call overwrites. */
static const char *stages_of(const struct io_event *ev)
{
	static char text[1024];
	size_t n = 0;

	*text = '\0';
	for (unsigned int i = 0; i < ev->nr_stages; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%u:%u:%llu", n ? " " : "",
			      ev->stages[i].row, ev->stages[i].depth,
			      (unsigned long long)ev->stages[i].ns);
	return text;
}

static void expect(const struct blklat_event *e, uint64_t total, const char *stages,
		   const char *what)
{
	struct io_event ev;

	io_event_decode(e, &ev);
	check(ev.total_ns == total && sum(&ev) == total,
	      "%s: the stages sum to the total, %llu of %llu",
	      what, (unsigned long long)sum(&ev), (unsigned long long)total);
	check(in_order(&ev), "%s: each begins where the one before ends", what);
	if (!check(!strcmp(stages_of(&ev), stages), "%s: they are these", what))
		printf("# %s\n# %s\n", stages_of(&ev), stages);
}

static const char *fmt(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *fmt(const char *format, ...)
{
	static char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return text;
}

static struct blklat_event disk(void)
{
	return (struct blklat_event){
		.m = {
			[MARK_E] = 1000, [MARK_Q] = 1100, [MARK_G] = 1150, [MARK_X] = 1170,
			[MARK_B] = 1200, [MARK_H] = 1900, [MARK_C] = 1920, [MARK_Z] = 1930,
			[MARK_W] = 2000,
		},
		.origin = {
			.sector = 8, .bytes = 4096, .opf = 1U << 11 | 1U << 17, .pid = 77,
			.tgid = 70,
		},
		.comm = "a\xc2\x9b \"b\"\xff",
		.op = BLKLAT_OP_READ, .flags = EVENT_THINK, .think_ns = 5, .dev = 2,
	};
}

static void test_disk(void)
{
	struct blklat_event e = disk();

	expect(&e, 1000, fmt("%d:0:100 %d:0:50 %d:0:20 %d:0:30 %d:0:700 %d:0:20 %d:0:10 %d:0:70",
			     STAGE_ENTRY, STAGE_ALLOC, STAGE_SCHED, STAGE_SUBMIT, STAGE_DEVICE,
			     STAGE_REAP, STAGE_END, STAGE_DELIVER), "a read");
	e.m[MARK_B] = 0;
	e.m[MARK_C] = 1800;
	expect(&e, 1000, fmt("%d:0:100 %d:0:50 %d:0:20 %d:0:730 %d:0:30 %d:0:70",
			     STAGE_ENTRY, STAGE_ALLOC, STAGE_SCHED, STAGE_SUBMIT_DEVICE,
			     STAGE_REAP_END, STAGE_DELIVER),
	       "a read without B, and with C before H");
	e = disk();
	e.op = BLKLAT_OP_FLUSH;
	e.m[MARK_F] = 1925;
	expect(&e, 1000,
	       fmt("%d:0:100 %d:0:50 %d:0:20 %d:0:30 %d:0:700 %d:0:20 %d:0:5 %d:0:5 %d:0:70",
		   STAGE_ENTRY, STAGE_ALLOC, STAGE_FLUSH, STAGE_SUBMIT, STAGE_DEVICE, STAGE_REAP,
		   STAGE_FLUSH, STAGE_END, STAGE_DELIVER), "a flush with flushes before and after");
	e = (struct blklat_event){ .m = { [MARK_Q] = 10, [MARK_Z] = 25 },
				   .flags = EVENT_BIO_BASED };
	expect(&e, 15, fmt("%d:0:15", STAGE_BIO_DRIVER), "a driver without requests");
}

/* Return an I/O on a layer over a layer over a leaf: E at 100, Q at 110, Z at 900 and W at 1000. */
static struct blklat_event stack(void)
{
	return (struct blklat_event){
		.m = { [MARK_E] = 100, [MARK_Q] = 110, [MARK_Z] = 900, [MARK_W] = 1000 },
		.flags = EVENT_LAYER | EVENT_LEAF, .op = BLKLAT_OP_WRITE, .nr_hops = 2,
		.hops = {
			{ .begin = 200, .end = 880, .ended = 880, .dev = 1, .op = BLKLAT_OP_WRITE },
			{ .begin = 300, .end = 800, .ended = 800, .dev = 2, .op = BLKLAT_OP_WRITE },
		},
		.leaf = {
			[MARK_Q] = 300, [MARK_G] = 310, [MARK_X] = 330, [MARK_B] = 340,
			[MARK_H] = 790, [MARK_C] = 795, [MARK_Z] = 800,
		},
	};
}

static void test_stack(void)
{
	struct blklat_event e = stack();
	struct io_event ev;

	expect(&e, 900,
	       fmt("%d:0:10 %d:0:90 %d:1:100 %d:2:10 %d:2:20 %d:2:10 %d:2:450 %d:2:5 %d:2:5 "
		   "%d:1:80 %d:0:20 %d:0:100", STAGE_ENTRY, ROW_OF_LAYER(0, LAYER_SUBMIT),
		   ROW_OF_LAYER(1, LAYER_SUBMIT), STAGE_ALLOC, STAGE_SCHED, STAGE_SUBMIT,
		   STAGE_DEVICE, STAGE_REAP, STAGE_END, ROW_OF_LAYER(1, LAYER_COMPLETE),
		   ROW_OF_LAYER(0, LAYER_COMPLETE), STAGE_DELIVER), "two layers");
	io_event_decode(&e, &ev);
	check(ev.nr_path == 3 && ev.path[0] == 0 && ev.path[1] == 1 && ev.path[2] == 2,
	      "the path of two layers is that of the critical children");
	e.hops[0].flush_begin = 120;
	e.hops[0].flush_end = 150;
	expect(&e, 900,
	       fmt("%d:0:10 %d:0:10 %d:0:30 %d:0:50 %d:1:100 %d:2:10 %d:2:20 %d:2:10 %d:2:450 "
		   "%d:2:5 %d:2:5 %d:1:80 %d:0:20 %d:0:100", STAGE_ENTRY,
		   ROW_OF_LAYER(0, LAYER_SUBMIT), STAGE_FLUSH, ROW_OF_LAYER(0, LAYER_SUBMIT),
		   ROW_OF_LAYER(1, LAYER_SUBMIT), STAGE_ALLOC, STAGE_SCHED, STAGE_SUBMIT,
		   STAGE_DEVICE, STAGE_REAP, STAGE_END, ROW_OF_LAYER(1, LAYER_COMPLETE),
		   ROW_OF_LAYER(0, LAYER_COMPLETE), STAGE_DELIVER),
	       "two layers, the first of which waits for a flush");
	e = stack();
	e.flags = EVENT_LAYER;
	e.nr_hops = 1;
	expect(&e, 900, fmt("%d:0:10 %d:0:90 %d:1:680 %d:0:20 %d:0:100", STAGE_ENTRY,
			    ROW_OF_LAYER(0, LAYER_SUBMIT), ROW_OF_LAYER(1, LAYER_WHOLE),
			    ROW_OF_LAYER(0, LAYER_COMPLETE), STAGE_DELIVER),
	       "two layers, the second of which cannot be split");
	e.nr_hops = 0;
	expect(&e, 900, fmt("%d:0:10 %d:0:790 %d:0:100", STAGE_ENTRY, ROW_OF_LAYER(0, LAYER_WHOLE),
			    STAGE_DELIVER), "two layers, neither of which can be split");
	e.m[MARK_Z] = e.m[MARK_W] = 0;
	e.m[MARK_C] = 890;
	expect(&e, 790, fmt("%d:0:10 %d:0:780", STAGE_ENTRY, ROW_OF_LAYER(0, LAYER_WHOLE)),
	       "two layers, with the end of the request only");
}

/* An event with all marks on as many layers as there can be must fit. */
static void test_room(void)
{
	struct blklat_event e = {
		.m = { [MARK_E] = 1, [MARK_T] = 2, [MARK_Q] = 3, [MARK_Z] = 3000, [MARK_W] = 3001 },
		.flags = EVENT_LAYER | EVENT_LEAF, .nr_hops = BLKLAT_MAX_LAYERS,
	};
	struct io_event ev;

	for (unsigned int d = 0; d < BLKLAT_MAX_LAYERS; d++)
		e.hops[d] = (struct blklat_hop){
			.begin = 100 * (d + 1), .end = 2900 - 100 * d, .ended = 2900 - 100 * d,
			.flush_begin = 100 * d + 20, .flush_end = 100 * d + 40, .dev = d + 1,
		};
	for (unsigned int i = 0; i < NR_MARKS - 1; i++)
		e.leaf[i] = e.hops[BLKLAT_MAX_LAYERS - 1].begin + i;
	e.leaf[MARK_Z] = e.hops[BLKLAT_MAX_LAYERS - 1].ended;
	io_event_decode(&e, &ev);
	check(sum(&ev) == ev.total_ns && ev.total_ns == 3000 && in_order(&ev),
	      "six layers with flushes and all marks: %u stages find room", ev.nr_stages);
}

static char *written(const struct event_sink_ops *ops, const struct blklat_event *e, unsigned int n)
{
	struct event_source src = {
		.names = { "md0", "dm-1", "nvme0n1" }, .flags = { [11] = "sync", [17] = "fua" },
		.start_ns = 500, .sample = 1, .lost = 3,
	};
	char path[] = "/tmp/test_user_events.XXXXXX", *text;
	struct event_sink s;
	struct io_event ev;
	int fd = mkstemp(path);
	off_t len;

	unlink(path);
	if (fd < 0 || event_sink_open(&s, ops, fd, &src))
		return NULL;
	io_event_decode(e, &ev);
	for (; src.written < n; src.written++)
		ops->event(&s, &src, &ev);
	event_sink_close(&s, &src);
	len = lseek(fd, 0, SEEK_END);
	text = calloc(1, len + 1);
	if (text && pread(fd, text, len, 0) != len)
		*text = '\0';
	close(fd);
	return text;
}

static void test_json(void)
{
	static const char want[] =
		"{\"at_ns\":500,\"device\":\"nvme0n1\",\"op\":\"read\",\"sector\":8,\"bytes\":4096,"
		"\"pid\":70,\"tid\":77,\"comm\":\"a\\u009b \\\"b\\\"?\","
		"\"flags\":[\"sync\",\"fua\"],"
		"\"total_ns\":1000,\"think_ns\":5,"
		"\"stages\":{\"entry\":100,\"alloc\":50,\"sched\":20,\"submit\":30,"
		"\"device\":700,\"reap\":20,\"end\":10,\"deliver\":70},\"layers\":[\"nvme0n1\"]}\n";
	struct blklat_event e = disk();
	char *text = written(&events_json_ops, &e, 5000), *p;
	unsigned int lines = 0;

	p = text ? strchr(text, '\n') : NULL;
	for (p = p ? p + 1 : NULL; p && !strncmp(p, want, sizeof(want) - 1); p += sizeof(want) - 1)
		lines++;
	check(lines == 5000, "an I/O is this line, 5000 of them (%u)", lines);
	if (lines != 5000)
		printf("# %.600s\n# %s", p ?: "nothing", want);
	check(p && !strcmp(p, "{\"end\":{\"events\":5000,\"lost\":3}}\n"),
	      "the last one has how many and the loss");
	free(text);
	e = stack();
	e.hops[0].flush_begin = 120;
	e.hops[0].flush_end = 150;
	e.status = 10;
	text = written(&events_json_ops, &e, 1);
	check(text &&
	      strstr(text, "\"md0 submit\":60,\"flush\":30,\"dm-1 submit\":100,\"alloc\":10") &&
	      strstr(text, "\"dm-1 complete\":80,\"md0 complete\":20,\"deliver\":100}"),
	      "stages of layers have the name of the device, one that is there twice is one");
	check(text && strstr(text, "\"error\":\"I/O\""), "an error");
	free(text);
}

/* Return the words of a line, one blank apart, in a buffer that the next call overwrites. */
static const char *words_of(const char *line)
{
	static char text[256];
	size_t n = 0;

	for (; *line && *line != '\n' && n < sizeof(text) - 1; line++)
		if (*line != ' ' || (n && text[n - 1] != ' '))
			text[n++] = *line;
	text[n] = '\0';
	return text;
}

static void test_table(void)
{
	static const struct {
		const char *width, *head, *line;
	} tables[] = {
		{ "120", "seconds dev op size sector pid task total kernel driver device",
		  "0.000000 nvme0n1 read 4KiB 8 70 a?? \"b\"? 1.00us 250ns 50ns 700ns" },
		{ "80", "seconds dev op size task total kernel driver device",
		  "0.000000 nvme0n1 read 4KiB a?? \"b\"? 1.00us 250ns 50ns 700ns" },
		{ "40", "dev op task total device", "nvme0n1 read a?? \"b\"? 1.00us 700ns" },
	};
	struct blklat_event e = disk();

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		unsigned int lines = 0, same = 0;
		size_t longest = 0, len;
		char *text, *p;

		setenv("COLUMNS", tables[i].width, 1);
		text = written(&events_table_ops, &e, 5);
		for (p = text; p && *p; p += len + (p[len] == '\n'), lines++) {
			len = strcspn(p, "\n");
			longest = len > longest ? len : longest;
			if (!lines && !check(!strcmp(words_of(p), tables[i].head),
					     "%s columns have room for these", tables[i].width))
				printf("# %s\n", words_of(p));
			same += !strcmp(words_of(p), tables[i].line);
			if (lines == 1 && !same)
				printf("# %s\n", words_of(p));
		}
		check(lines == 7 && same == 5, "an I/O has its cells, 5 of them (%u)", same);
		check(longest && longest <= strtoul(tables[i].width, NULL, 10),
		      "no line is longer than %s columns (%zu)", tables[i].width, longest);
		free(text);
	}
	unsetenv("COLUMNS");
}

static void test_errors(void)
{
	struct event_source src = { .names = { [2] = "x" } };
	struct blklat_event e = disk();
	int fd = open("/dev/full", O_WRONLY);
	struct event_sink s;
	struct io_event ev;

	io_event_decode(&e, &ev);
	check(fd >= 0 && !event_sink_open(&s, &events_json_ops, fd, &src),
	      "a disk that is full can be opened");
	for (unsigned int i = 0; i < 10000; i++)
		events_json_ops.event(&s, &src, &ev);
	event_sink_close(&s, &src);
	check(s.error == -ENOSPC, "the error is kept, nothing else happens");
	close(fd);
}

int main(void)
{
	test_disk();
	test_stack();
	test_room();
	test_json();
	test_table();
	test_errors();
	return unit_end();
}
