// SPDX-License-Identifier: GPL-2.0
/*
 * This test will group I/Os of two devices by each key, and expect each group to have its I/Os and
 * its label, and the I/Os of all groups that find no room to be in one group.
 */
#include <stdlib.h>
#include <string.h>
#include "blklat/collect/by.h"
#include "core/io_hist.h"
#include "unit.h"

/* The I/Os are on the second of two devices. */
#define DEV 1

static const struct {
	struct blklat_io io;
	unsigned int n;
} load[] = {
	{ { .op = BLKLAT_OP_READ, .bytes = 4096, .origin.tgid = 7, .comm = "dd" }, 200 },
	{ { .op = BLKLAT_OP_READ, .bytes = 16384, .origin.tgid = 8, .comm = "a \x1b[31m" }, 50 },
	{ { .op = BLKLAT_OP_WRITE, .bytes = 1536, .origin.tgid = 9, .comm = "dd" }, 30 },
	{ { .op = BLKLAT_OP_DISCARD, .bytes = 1U << 30, .origin.tgid = 9 }, 5 },
};

/* Count an I/O in the total of its group, as the collector does. */
static void add(struct by *by, const struct blklat_io *io)
{
	struct hist **total = &by_rows(by, io)[ROW_OF_SPAN(SPAN_TOTAL)];

	if (!*total) {
		*total = calloc(1, sizeof(**total));
		if (!*total || hist_init(*total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
			abort();
	}
	hist_add(*total, 1000);
}

static uint64_t ios(const struct by_group *g)
{
	return g && g->rows[ROW_OF_SPAN(SPAN_TOTAL)] ? g->rows[ROW_OF_SPAN(SPAN_TOTAL)]->count : 0;
}

/* Return the I/Os of the groups with this label. */
static uint64_t ios_of(const struct by *by, enum by_key key, const char *label)
{
	const struct by_group *groups, *rest;
	size_t n = by_groups(by, DEV, &groups, &rest);
	uint64_t sum = 0;
	char text[64];

	for (size_t i = 0; i < n; i++) {
		by_label(key, &groups[i], text, sizeof(text));
		if (!strcmp(text, label))
			sum += ios(&groups[i]);
	}
	return sum;
}

static void test_keys(void)
{
	static const struct {
		enum by_key key;
		struct {
			const char *label;
			uint64_t ios;
		} groups[4];
	} want[] = {
		{ BY_OP, { { "read", 250 }, { "write", 30 }, { "discard", 5 } } },
		{ BY_SIZE, { { "4KiB", 200 }, { "16KiB", 50 }, { "1536B", 30 }, { "1GiB", 5 } } },
		{ BY_PID, { { "7 dd", 200 }, { "8 a ?[31m", 50 }, { "9 dd", 35 } } },
		{ BY_COMM, { { "dd", 230 }, { "a ?[31m", 50 }, { "(no name)", 5 } } },
		{ BY_CGROUP, { { "(none)", 285 } } },
	};

	for (size_t w = 0; w < sizeof(want) / sizeof(*want); w++) {
		struct by *by = by_new(want[w].key, DEV + 1);
		const struct by_group *groups, *rest;
		const char *name = by_names[want[w].key];
		size_t n = 0;

		for (size_t l = 0; by && l < sizeof(load) / sizeof(*load); l++) {
			struct blklat_io io = load[l].io;

			io.dev = DEV;
			for (unsigned int i = 0; i < load[l].n; i++)
				add(by, &io);
		}
		for (; by && n < 4 && want[w].groups[n].label; n++) {
			uint64_t got = ios_of(by, want[w].key, want[w].groups[n].label);

			check(got == want[w].groups[n].ios, "by %s: %llu of '%s'", name,
			      (unsigned long long)got, want[w].groups[n].label);
		}
		check(by && by_groups(by, DEV, &groups, &rest) == n && !rest,
		      "by %s: there are no other groups", name);
		check(by && !by_groups(by, 0, &groups, &rest) && !rest,
		      "by %s: the other device has none", name);
		by_free(by);
	}
}

static void test_gone(void)
{
	struct by_group g = { .id = { 77 } };
	char text[64];

	by_label(BY_CGROUP, &g, text, sizeof(text));
	check(!strcmp(text, "77 (gone)"), "a control group that is gone: %s", text);
	g.path = "/system.slice";
	by_label(BY_CGROUP, &g, text, sizeof(text));
	check(!strcmp(text, "/system.slice"), "a control group that is there: %s", text);
}

/* Each size comes twice, the second time after there is no more room. */
static void test_room(void)
{
	struct by *by = by_new(BY_SIZE, DEV + 1);
	const struct by_group *groups, *rest = NULL;
	unsigned int each = 0;
	size_t n = 0;

	for (unsigned int i = 0; by && i < 2 * (BY_GROUPS + 44); i++) {
		struct blklat_io io = { .bytes = 512 * (1 + i % (BY_GROUPS + 44)), .dev = DEV };

		add(by, &io);
	}
	if (by)
		n = by_groups(by, DEV, &groups, &rest);
	for (size_t i = 0; i < n; i++)
		each += ios(&groups[i]) == 2;
	check(n == BY_GROUPS && each == BY_GROUPS, "there is room for %u groups (%zu)", BY_GROUPS,
	      n);
	check(ios(rest) == 88, "the I/Os of the 44 further ones are in one (%llu)",
	      (unsigned long long)ios(rest));
	by_free(by);
}

int main(void)
{
	test_keys();
	test_gone();
	test_room();
	return unit_end();
}
