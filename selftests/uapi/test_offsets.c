// SPDX-License-Identifier: GPL-2.0
/*
 * This test will look where I/O goes: write a pass to a disk in memory and read it back, and read
 * the trace events of the module.
 */
// needs: timeout=300
#include "uapi.h"
#include <linux/blkpg.h>

#define CFS	"/sys/kernel/config/nullb/t"
#define TRACE	"/sys/kernel/tracing"
#define BLOCKS	2048U
#define BS	4096U
#define NR	500

static char dev_path[64];

static void device_make(void)
{
	if (sh("mkdir " CFS " && cd " CFS " && echo 8 > size && "
	       "echo 1 > memory_backed && echo 1 > power"))
		skip_all("null_blk has no configfs");
	if (!access("/dev/t", F_OK)) {
		strcpy(dev_path, "/dev/t");
	} else {
		FILE *f = fopen(CFS "/index", "r");
		unsigned int n;

		if (!f || fscanf(f, "%u", &n) != 1)
			bail(CFS "/index");
		fclose(f);
		snprintf(dev_path, sizeof(dev_path), "/dev/nullb%u", n);
	}
}

static bool is_zero(const char *p, size_t len)
{
	return !*p && !memcmp(p, p + 1, len - 1);
}

static char image[BLOCKS * BS];

/* Return the number of blocks in [@from, @to) that are not zero. */
static unsigned int written(int dev, unsigned int from, unsigned int to)
{
	ssize_t len = (ssize_t)(to - from) * BS;
	unsigned int i, n = 0;

	if (pread(dev, image, len, (off_t)from * BS) != len)
		bail("pread");
	for (i = 0; i < to - from; i++)
		n += !is_zero(image + (size_t)i * BS, BS);
	return n;
}

static void zero(int dev)
{
	memset(image, 0, sizeof(image));
	if (pwrite(dev, image, sizeof(image), 0) != sizeof(image) || fsync(dev))
		bail("pwrite");
	sh("blockdev --flushbufs %s", dev_path);
}

/*
 * Write as often as there are blocks. If no block is left out, each was written exactly once.
 */
static void test_pass(int dev, const char *name, unsigned int pattern, unsigned int workers,
		      unsigned int qd, unsigned int from, unsigned int to)
{
	struct blkgen_setup set = setup_default(dev);
	struct blkgen_status st;
	unsigned int in, out;
	int fd = session_open();

	zero(dev);
	set.pattern = pattern;
	set.workers = workers;
	set.qd = qd;
	set.mix[BLKGEN_OP_READ] = 0;
	set.mix[BLKGEN_OP_WRITE] = 1;
	set.offset = (uint64_t)from * BS;
	set.length = (uint64_t)(to - from) * BS;
	set.ios = to - from;
	run_or_bail(fd, &set);
	if (!wait_done(fd, 20000))
		bail("the run does not end");
	st = status_get(fd);
	close(fd);
	sh("blockdev --flushbufs %s", dev_path);
	in = written(dev, from, to);
	out = written(dev, 0, from) + written(dev, to, BLOCKS);
	printf("# %llu writes, %u of %u blocks in the range, %u outside\n",
	       (unsigned long long)st.ios[BLKGEN_OP_WRITE], in, to - from, out);
	check(st.ios[BLKGEN_OP_WRITE] == to - from && in == to - from && !out, "%s", name);
}

/* Expect I/O to a partition to stay in it. */
static void test_partition(int dev)
{
	const unsigned int start = 256, len = 512;
	struct blkpg_partition part = {
		.pno = 1,
		.start = (long long)start * BS,
		.length = (long long)len * BS,
	};
	struct blkpg_ioctl_arg arg = {
		.op = BLKPG_ADD_PARTITION,
		.datalen = sizeof(part),
		.data = &part,
	};
	unsigned int in, out;
	char path[80];
	int pdev;

	zero(dev);
	if (ioctl(dev, BLKPG, &arg))
		bail("BLKPG");
	snprintf(path, sizeof(path), "%s%s1", dev_path,
		 dev_path[strlen(dev_path) - 1] >= '0' && dev_path[strlen(dev_path) - 1] <= '9' ?
		 "p" : "");
	close(dev);
	pdev = open_or_bail(path, O_RDWR | O_EXCL);
	for (in = 0; in < 2; in++) {
		struct blkgen_setup set = setup_default(pdev);
		int fd = session_open();

		set.mix[BLKGEN_OP_READ] = 0;
		set.mix[BLKGEN_OP_WRITE] = 1;
		set.ios = len;
		/* Try a range one block longer than the partition, then the whole partition. */
		set.length = in ? 0 : (uint64_t)(len + 1) * BS;
		if (!in) {
			check(ioc(fd, BLKGEN_IOC_SETUP, &set) == ENXIO,
			      "a range past the end of a partition is refused");
		} else {
			run_or_bail(fd, &set);
			if (!wait_done(fd, 20000))
				bail("the run does not end");
		}
		close(fd);
	}
	close(pdev);
	dev = open_or_bail(dev_path, O_RDWR | O_EXCL);
	in = written(dev, start, start + len);
	out = written(dev, 0, start) + written(dev, start + len, BLOCKS);
	check(in == len && !out, "a pass over a partition covers it and stays in it");
	arg.op = BLKPG_DEL_PARTITION;
	ioctl(dev, BLKPG, &arg);
	close(dev);
}

/* Run NR I/Os, and store their sectors, as the tracepoint shows them, in @sector. */
static void trace_run(int dev, uint64_t seed, unsigned int pattern, uint64_t *sector)
{
	struct blkgen_setup set = setup_default(dev);
	unsigned int n = 0, completed = 0;
	char line[512], *s;
	int fd = session_open();
	FILE *f;

	set.ios = NR;
	set.qd = 4;
	set.seed = seed;
	set.pattern = pattern;
	sh("echo > " TRACE "/trace; echo 1 > " TRACE "/events/blkgen/enable");
	run_or_bail(fd, &set);
	if (!wait_done(fd, 20000))
		bail("the run does not end");
	sh("echo 0 > " TRACE "/events/blkgen/enable");
	close(fd);
	f = fopen(TRACE "/trace", "r");
	while (f && fgets(line, sizeof(line), f)) {
		completed += !!strstr(line, "blkgen_complete:");
		s = strstr(line, "blkgen_submit:") ? strstr(line, "sector=") : NULL;
		if (s && n < NR)
			sector[n++] = strtoull(s + 7, NULL, 10);
	}
	if (f)
		fclose(f);
	if (n != NR || completed != NR)
		printf("# seed %llu: %u submitted, %u completed\n", (unsigned long long)seed, n,
		       completed);
	check(n == NR && completed == NR, "each I/O has its two events");
}

static void test_seed(int dev)
{
	static uint64_t a[NR], b[NR], c[NR];
	unsigned int i, same = 0, up = 0;
	bool seq = true;

	trace_run(dev, 1, BLKGEN_PATTERN_RANDOM, a);
	trace_run(dev, 1, BLKGEN_PATTERN_RANDOM, b);
	trace_run(dev, 2, BLKGEN_PATTERN_RANDOM, c);
	check(!memcmp(a, b, sizeof(a)), "the same seed goes the same way");
	for (i = 0; i < NR; i++)
		same += a[i] == c[i];
	check(same < 10, "another seed draws other offsets");
	for (i = 1; i < NR; i++)
		up += a[i] > a[i - 1];
	check(up > NR * 2 / 5 && up < NR * 3 / 5, "half of the steps go up");
	trace_run(dev, 1, BLKGEN_PATTERN_SEQ, a);
	for (i = 0; i < NR; i++)
		seq &= a[i] == i * (BS / 512);
	check(seq, "sequential is");
}

int main(void)
{
	int dev;

	printf("KTAP version 1\n");
	load_modules("nr_devices=0");
	mount_configfs();
	device_make();
	dev = open_or_bail(dev_path, O_RDWR | O_EXCL);

	test_pass(dev, "random", BLKGEN_PATTERN_RANDOM, 1, 1, 0, BLOCKS);
	test_pass(dev, "random, 3 workers", BLKGEN_PATTERN_RANDOM, 3, 32, 0, BLOCKS);
	test_pass(dev, "random, in a range", BLKGEN_PATTERN_RANDOM, 5, 7, 251, 1000);
	test_pass(dev, "sequential", BLKGEN_PATTERN_SEQ, 1, 64, 0, BLOCKS);
	test_pass(dev, "sequential, 3 workers, in a range", BLKGEN_PATTERN_SEQ, 3, 8, 13, 2000);
	test_pass(dev, "as many workers as blocks", BLKGEN_PATTERN_RANDOM, 100, 2, 8, 108);
	test_seed(dev);
	test_partition(dev);

	sh("rmdir " CFS);
	unload_null_blk();

	return ktap_end();
}
