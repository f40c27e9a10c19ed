// SPDX-License-Identifier: GPL-2.0
/*
 * This test will give runs several limits at once, and expect the limit that is met first to end
 * the run, to let no I/O more through than it allows, and to be named as the reason.
 */
// needs: cpus=2
#include "setup.h"

static const struct blkgen_size two_sizes[] = { { 4096, 1 }, { 8192, 1 } };

/* Values of @worker_ios of the cases: an index of ios_of_two[], or 0 for none */
#define FEW	1
#define ENOUGH	2
#define APART	3
static const uint64_t ios_of_two[][2] = { [FEW] = { 100, 120 }, [ENOUGH] = { 200, 300 },
					  [APART] = { 10, 2000 } };

/* The cases load a range of 1 MiB in blocks of 4 KiB, so that a pass is 256 I/Os. */
static const struct stop_case {
	const char *what;
	enum blkgen_stop why;
	uint64_t ios;		/* 0: not known beforehand */
	struct blkgen_setup set;
} cases[] = {
#define CASE_OF(what, why, ios, ...) { what, BLKGEN_STOP_##why, ios, { __VA_ARGS__ } }
#define KIB(n)		((n) * 1024ULL)
#define STREAMS		.pattern = BLKGEN_PATTERN_STREAMS, .streams = 4
#define RANDOM		.pattern = BLKGEN_PATTERN_RANDOM
#define MS		1000000ULL
	CASE_OF("ios", IOS, 100, .ios = 100),
	CASE_OF("bytes", BYTES, 100, .bytes = KIB(400)),
	CASE_OF("a pass", PASS, 256, .passes = 1),
	CASE_OF("ios before bytes", IOS, 99, .ios = 99, .bytes = KIB(400)),
	CASE_OF("bytes before ios", BYTES, 100, .ios = 101, .bytes = KIB(400)),
	CASE_OF("ios before a pass", IOS, 255, .ios = 255, .passes = 1, RANDOM),
	CASE_OF("a pass before ios", PASS, 256, .ios = 257, .passes = 1, RANDOM),
	CASE_OF("bytes before a pass", BYTES, 255, .bytes = KIB(1020), .passes = 1),
	CASE_OF("passes before bytes", PASS, 512, .bytes = KIB(2052), .passes = 2),
	CASE_OF("bytes before both", BYTES, 80, .ios = 100, .bytes = KIB(320), .passes = 1),
	CASE_OF("a pass before both", PASS, 256, .ios = 400, .bytes = KIB(1200), .passes = 1),
	CASE_OF("two workers' pass before ios", PASS, 256, .ios = 1000, .passes = 1, .workers = 2),
	CASE_OF("two workers' ios before bytes", IOS, 100, .ios = 100, .bytes = KIB(1024),
		.workers = 2),
	CASE_OF("ios of each before a pass", IOS, 220, .worker_ios = FEW, .passes = 1),
	CASE_OF("a pass before ios of each", PASS, 256, .worker_ios = ENOUGH, .passes = 1),
	CASE_OF("ios of one, and a pass of the last", PASS, 138, .worker_ios = APART, .passes = 1,
		.rate = 1000),
	CASE_OF("bytes of two sizes before ios", BYTES, 0, .ios = 1000, .bytes = KIB(1024),
		.nr_sizes = 2),
	CASE_OF("ios of two sizes before bytes", IOS, 50, .ios = 50, .bytes = KIB(1024),
		.nr_sizes = 2),
	CASE_OF("a pass of two sizes before both", PASS, 0, .ios = 1000, .bytes = KIB(2048),
		.passes = 1, .nr_sizes = 2),
	CASE_OF("a pass of streams before ios", PASS, 256, .ios = 1000, .passes = 1, STREAMS),
	CASE_OF("ios before a pass of streams", IOS, 200, .ios = 200, .passes = 1, STREAMS),
	CASE_OF("bytes before a pass of streams", BYTES, 200, .bytes = KIB(800), .passes = 1,
		STREAMS),
	CASE_OF("with a rate, bytes before ios", BYTES, 100, .ios = 101, .bytes = KIB(400),
		.rate = 100000),
	CASE_OF("of two ops, a pass before ios", PASS, 256, .ios = 257, .passes = 1,
		.mix = { 1, 1 }),
	CASE_OF("one at a time, bytes before ios", BYTES, 100, .ios = 101, .bytes = KIB(400),
		.engine = BLKGEN_ENGINE_SYNC, .qd = 1),
	CASE_OF("time before ios", TIME, 0, .ios = UINT64_MAX, .time_ns = 500 * MS),
	CASE_OF("ios before time", IOS, 100, .ios = 100, .time_ns = 60000 * MS),
	CASE_OF("time before as many bytes as there can be", TIME, 0, .bytes = UINT64_MAX,
		.time_ns = 500 * MS),
};

static void test_case(const struct stop_case *c)
{
	struct blkgen_setup set = c->set;
	struct blkgen_status st;
	uint64_t ios;

	set.size = sizeof(set);
	set.dev_fd = dev;
	set.bs = set.nr_sizes ? 8192 : 4096;
	set.length = 1 << 20;
	set.qd = set.qd ?: 16;
	set.workers = set.workers ?: 1;
	set.mix[BLKGEN_OP_READ] = 1;
	if (set.nr_sizes)
		set.sizes = (uintptr_t)two_sizes;
	if (set.worker_ios) {
		set.workers = 2;
		set.worker_ios = (uintptr_t)ios_of_two[set.worker_ios];
	}
	run_or_bail(session, &set);
	if (!wait_done(session, 30000))
		bail(c->what);
	st = status_get(session);
	ios = st.ios[BLKGEN_OP_READ] + st.ios[BLKGEN_OP_WRITE];
	if (st.stop != c->why || (c->ios && ios != c->ios))
		printf("# %s: reason %u after %llu I/Os, expected %u after %llu\n", c->what,
		       st.stop, (unsigned long long)ios, c->why, (unsigned long long)c->ios);
	check(st.stop == c->why, "%s: named as the reason", c->what);
	check(c->ios ? ios == c->ios : ios > 0, "%s: as many I/Os", c->what);
}

/* STOP ends a run that has I/Os and passes left. */
static void test_user(void)
{
	struct blkgen_setup set = setup_default(dev);

	set.ios = 1 << 30;
	set.passes = 1 << 20;
	run_or_bail(session, &set);
	expect(ioc(session, BLKGEN_IOC_STOP, NULL), 0, "STOP before ios and passes");
	check(wait_done(session, 30000) && status_get(session).stop == BLKGEN_STOP_USER,
	      "STOP: named as the reason");
}

int main(void)
{
	unsigned int i;

	setup_begin();
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		test_case(&cases[i]);
	test_user();

	return setup_end();
}
