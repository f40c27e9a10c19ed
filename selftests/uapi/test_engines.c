// SPDX-License-Identifier: GPL-2.0
/*
 * This test will ask the module itself for each engine, on devices that can be polled and that
 * cannot, and expect the documented errno where an engine cannot do the load.
 */
// needs: cpus=2
#include "uapi.h"

static int session;

static void expect(int dev, unsigned int engine, int want, const char *what,
		   void (*change)(struct blkgen_setup *set))
{
	struct blkgen_setup set = setup_default(dev);
	int got;

	set.engine = engine;
	set.qd = 1;
	if (change)
		change(&set);
	got = ioc(session, BLKGEN_IOC_SETUP, &set);
	if (got != want)
		printf("# %s: %s\n", what, got ? strerror(got) : "no error");
	check(got == want, "%s: %s", what, want ? strerror(want) : "accepted");
}

#define CHANGE(name, ...) \
	static void name(struct blkgen_setup *set) { __VA_ARGS__; }

CHANGE(qd_2, set->qd = 2)
CHANGE(qd_64, set->qd = 64)
CHANGE(fua, set->mix[BLKGEN_OP_WRITE] = 1; set->flags = BLKGEN_SETUP_FUA)
CHANGE(flush, set->mix[BLKGEN_OP_WRITE] = 1; set->flush_every = 8)
CHANGE(trim, set->mix[BLKGEN_OP_TRIM] = 1)
CHANGE(zeroes, set->mix[BLKGEN_OP_ZEROES] = 1)
CHANGE(bs_64k, set->bs = 65536)
CHANGE(bs_68k, set->bs = 65536 + 4096)
CHANGE(align_512, set->align = 512)
CHANGE(offset_512, set->offset = 512)
CHANGE(bs_3, set->bs = 3 * 512)

static void test_polling(int dev)
{
	struct blkgen_worker_info info = { .size = sizeof(info), .worker = BLKGEN_ALL_WORKERS };
	struct blkgen_setup set = setup_default(dev);
	int fd = session_open();

	expect(dev, BLKGEN_ENGINE_POLLED, 0, "polled", NULL);
	expect(dev, BLKGEN_ENGINE_POLLED, 0, "polled, qd 64", qd_64);
	expect(dev, BLKGEN_ENGINE_POLLED, 0, "polled, with flushes", flush);
	expect(dev, BLKGEN_ENGINE_POLLED, 0, "polled, with FUA", fua);
	expect(dev, BLKGEN_ENGINE_POLLED, EOPNOTSUPP, "polled trims", trim);
	expect(dev, BLKGEN_ENGINE_POLLED, EOPNOTSUPP, "polled zeroes", zeroes);
	if (sh("echo 64 >/sys/block/nullb0/queue/max_sectors_kb"))
		bail("max_sectors_kb");
	expect(dev, BLKGEN_ENGINE_POLLED, 0, "polled, as large as the queue takes", bs_64k);
	expect(dev, BLKGEN_ENGINE_POLLED, EOPNOTSUPP, "polled, and larger", bs_68k);
	expect(dev, BLKGEN_ENGINE_BIO, 0, "bio, and larger", bs_68k);

	set.engine = BLKGEN_ENGINE_POLLED;
	set.workers = 3;
	run_or_bail(fd, &set);
	check(wait_done(fd, 20000), "a polled run ends");
	check(!ioc(fd, BLKGEN_IOC_WORKER, &info), "a worker of a polled run can be asked about");
	check(status_get(fd).ios[BLKGEN_OP_READ] == 1000 && info.submitted == 1000,
	      "a polled run does all its I/Os");
	check(!info.unpolled, "all I/Os of a polled run were polled");
	close(fd);
}

static void test_single(int dev)
{
	static const unsigned int engines[] = { BLKGEN_ENGINE_SYNC, BLKGEN_ENGINE_BUFFERED };
	unsigned int i;
	int direct;

	for (i = 0; i < ARRAY_SIZE(engines); i++) {
		printf("# engine %u\n", engines[i]);
		expect(dev, engines[i], 0, "one I/O at a time", NULL);
		expect(dev, engines[i], 0, "a load with flushes", flush);
		expect(dev, engines[i], ERANGE, "two I/Os at a time", qd_2);
	}
	expect(dev, BLKGEN_ENGINE_SYNC, 0, "sync with FUA", fua);
	expect(dev, BLKGEN_ENGINE_BUFFERED, EOPNOTSUPP, "buffered with FUA", fua);
	expect(dev, BLKGEN_ENGINE_BUFFERED, EOPNOTSUPP, "buffered trims", trim);
	expect(dev, BLKGEN_ENGINE_BUFFERED, EOPNOTSUPP, "buffered zeroes", zeroes);
	close(dev);
	direct = open_or_bail(NULLB, O_RDWR | O_EXCL | O_DIRECT);
	expect(direct, BLKGEN_ENGINE_BUFFERED, EOPNOTSUPP, "buffered, of a file with O_DIRECT",
	       NULL);
	expect(direct, BLKGEN_ENGINE_SYNC, 0, "sync, of a file with O_DIRECT", NULL);
	close(direct);
}

static void cpus(int dev, int first, int second, int want, const char *what)
{
	int32_t cpu[] = { first, second };
	struct blkgen_setup set = setup_default(dev);

	set.workers = 2;
	set.cpus = (uintptr_t)cpu;
	check(ioc(session, BLKGEN_IOC_SETUP, &set) == want, "%s", what);
}

static void test_cpus(int dev)
{
	struct blkgen_setup set = setup_default(dev);

	cpus(dev, 0, -1, 0, "a CPU for one of two workers");
	cpus(dev, 0, -2, EINVAL, "a CPU below -1");
	cpus(dev, 100000, 0, EINVAL, "a CPU that can't be");
	cpus(dev, 0, 8000, EINVAL, "a CPU that is not there");
	set.cpus = 4096;
	check(ioc(session, BLKGEN_IOC_SETUP, &set) == EFAULT, "CPUs that can't be read");
}

int main(void)
{
	struct blkgen_features f = { .size = sizeof(f) };
	int dev;

	printf("KTAP version 1\n");
	load_modules("nr_devices=1 gb=1 irqmode=0 poll_queues=1");
	session = session_open();
	check(!ioc(session, BLKGEN_IOC_FEATURES, &f) && f.engines == 0xf, "there are four engines");
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);
	test_polling(dev);
	test_cpus(dev);
	test_single(dev);
	close(session);
	unload_null_blk();

	load_modules("nr_devices=1 gb=1 irqmode=0 poll_queues=0");
	session = session_open();
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);
	expect(dev, BLKGEN_ENGINE_POLLED, EOPNOTSUPP, "polled, without poll queues", NULL);
	close(dev);
	close(session);
	unload_null_blk();

	/* The zones of a zoned device are chunks: no I/O may cross the end of a chunk. */
	load_modules("nr_devices=1 gb=1 irqmode=0 poll_queues=1 "
		     "zoned=1 zone_size=1 zone_nr_conv=1");
	session = session_open();
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);
	expect(dev, BLKGEN_ENGINE_POLLED, 0, "polled, with blocks that fit into a chunk", NULL);
	expect(dev, BLKGEN_ENGINE_POLLED, EOPNOTSUPP, "polled, places that cross its end",
	       align_512);
	expect(dev, BLKGEN_ENGINE_POLLED, EOPNOTSUPP, "polled, a range that does", offset_512);
	expect(dev, BLKGEN_ENGINE_POLLED, EOPNOTSUPP, "polled, blocks that do", bs_3);
	expect(dev, BLKGEN_ENGINE_BIO, 0, "bio, blocks that do", bs_3);
	close(dev);
	close(session);
	unload_null_blk();

	return ktap_end();
}
