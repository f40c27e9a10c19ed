// SPDX-License-Identifier: GPL-2.0
/* List the scenarios, which are sets of loads with a name. */
#include <stddef.h>
#include "core/scenario.h"

/* 64 jobs have one small I/O in flight each, as many users would. */
#define SMALL	"bs=4k", "jobs=64", "qd=1"

static const struct scenario_step classic[] = {
	{ "randread", { "!rw=randread", SMALL } },
	{ "randwrite", { "!rw=randwrite", SMALL }, .writes = true },
	{ "read", { "!rw=read", SMALL } },
	{ "write", { "!rw=write", SMALL }, .writes = true },
	{ "randrw", { "!rw=randrw", "mix=70", SMALL }, .writes = true },
	{ NULL }
};

static const struct scenario_step ssd[] = {
	{ "fill", { "!rw=write", "!bs=1M", "qd=32", "!pass=2", "!time=0" }, .writes = true },
	{ "seq-read-1M", { "!rw=read", "!bs=1M", "qd=32" } },
	{ "seq-write-1M", { "!rw=write", "!bs=1M", "qd=32" }, .writes = true },
	{ "rand-read-1M", { "!rw=randread", "!bs=1M", "qd=32" } },
	{ "rand-write-1M", { "!rw=randwrite", "!bs=1M", "qd=32" }, .writes = true },
	{ "rand-read-1M-at-4k", { "!rw=randread", "!bs=1M", "!align=4k", "qd=32" } },
	{ "rand-write-1M-at-4k", { "!rw=randwrite", "!bs=1M", "!align=4k", "qd=32" },
	  .writes = true },
	{ "seq-read-8-streams", { "!rw=read", "!bs=128k", "!streams=8", "qd=32" } },
	{ "seq-write-8-streams", { "!rw=write", "!bs=128k", "!streams=8", "qd=32" },
	  .writes = true },
	{ "seq-read-32-streams", { "!rw=read", "!bs=128k", "!streams=32", "qd=32" } },
	{ "seq-write-32-streams", { "!rw=write", "!bs=128k", "!streams=32", "qd=32" },
	  .writes = true },
	{ "steady-4k", { "!rw=randwrite", "!bs=4k", "qd=32" }, .writes = true, .steady = true },
	{ "rand-read-4k", { "!rw=randread", "!bs=4k", "qd=32" } },
	{ "rand-write-4k-1/64", { "!rw=randwrite", "!bs=4k", "qd=32" },
	  .writes = true, .part = 64 },
	{ "rand-write-4k-1/16", { "!rw=randwrite", "!bs=4k", "qd=32" },
	  .writes = true, .part = 16 },
	{ "rand-write-4k-1/4", { "!rw=randwrite", "!bs=4k", "qd=32" }, .writes = true, .part = 4 },
	{ "rand-write-4k", { "!rw=randwrite", "!bs=4k", "qd=32" }, .writes = true },
	{ "rand-read-4k-1/64", { "!rw=randread", "!bs=4k", "qd=32" }, .part = 64 },
	{ "rand-read-4k-1/16", { "!rw=randread", "!bs=4k", "qd=32" }, .part = 16 },
	{ "rand-read-4k-1/4", { "!rw=randread", "!bs=4k", "qd=32" }, .part = 4 },
	{ NULL }
};

const struct scenario scenarios[] = {
	{ "classic", "five loads of 64 users; each user has one I/O of 4 KiB in flight", classic,
	  .compared = true },
	{ "ssd", "a study of an SSD: fill it twice, then large and small I/O, many streams, "
		 "and parts of the disk", ssd },
	{ NULL }
};

const char *scenario_name(size_t i)
{
	return i < sizeof(scenarios) / sizeof(*scenarios) ? scenarios[i].name : NULL;
}

const char *scenario_name_compared(size_t i)
{
	const struct scenario *s;

	for (s = scenarios; s->name; s++)
		if (s->compared && !i--)
			return s->name;
	return NULL;
}
