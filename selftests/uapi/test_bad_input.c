// SPDX-License-Identifier: GPL-2.0
/*
 * This test will hand bad input to every ioctl, field by field, and expect the documented errno.
 */
// needs:
// kernels: core
#include "setup.h"
#include <sys/mman.h>

static int pipe_fd(void)
{
	int p[2];

	if (pipe(p))
		bail("pipe");
	close(p[1]);
	return p[0];
}

CHANGE(good, (void)set)
CHANGE(size_0, set->size = 0)
CHANGE(size_short, set->size = sizeof(*set) - 1)
CHANGE(size_page, set->size = sysconf(_SC_PAGESIZE) + 8)
CHANGE(flags, set->flags = 2)
CHANGE(fua_reads, set->flags = BLKGEN_SETUP_FUA)
CHANGE(apart_reads, set->flags = BLKGEN_SETUP_APART)
CHANGE(apart_random, set->flags = BLKGEN_SETUP_APART; set->pattern = BLKGEN_PATTERN_RANDOM;
	set->mix[BLKGEN_OP_WRITE] = 1)
CHANGE(apart_align, set->flags = BLKGEN_SETUP_APART; set->pattern = BLKGEN_PATTERN_SEQ;
	set->align = 512; set->mix[BLKGEN_OP_WRITE] = 1)
CHANGE(flags_high, set->flags = 1ULL << 63)
CHANGE(verify, set->flags = BLKGEN_SETUP_VERIFY; set->generation = UINT32_MAX)
CHANGE(verify_mix, set->flags = BLKGEN_SETUP_VERIFY; set->mix[BLKGEN_OP_WRITE] = 1)
CHANGE(verify_trim, set->flags = BLKGEN_SETUP_VERIFY; set->mix[BLKGEN_OP_TRIM] = 1;
	set->mix[BLKGEN_OP_READ] = 0)
CHANGE(generation_alone, set->generation = 1)
CHANGE(flush_reads, set->flush_every = 1)
CHANGE(engine, set->engine = BLKGEN_ENGINE_BUFFERED + 1)
CHANGE(engine_max, set->engine = UINT32_MAX)
CHANGE(pattern, set->pattern = 4)
CHANGE(pattern_max, set->pattern = UINT32_MAX)
CHANGE(op_flush, set->mix[BLKGEN_OP_FLUSH] = 1)
CHANGE(op_unknown, set->mix[BLKGEN_OP_FLUSH + 1] = 1)
CHANGE(op_last, set->mix[BLKGEN_NR_OPS - 1] = 1)
CHANGE(mix_none, set->mix[BLKGEN_OP_READ] = 0)
CHANGE(mix_max, set->mix[BLKGEN_OP_READ] = BLKGEN_MAX_MIX)
CHANGE(mix_over, set->mix[BLKGEN_OP_READ] = BLKGEN_MAX_MIX; set->mix[BLKGEN_OP_WRITE] = 1)
CHANGE(mix_wrap, set->mix[BLKGEN_OP_READ] = UINT32_MAX; set->mix[BLKGEN_OP_WRITE] = 2)
CHANGE(bs_0, set->bs = 0)
CHANGE(bs_odd, set->bs = 4095)
CHANGE(bs_half, set->bs = 256)
CHANGE(bs_max, set->bs = 1 << 20)
CHANGE(bs_over, set->bs = (1 << 20) + 512)
CHANGE(bs_huge, set->bs = UINT32_MAX)
CHANGE(qd_0, set->qd = 0)
CHANGE(qd_max, set->qd = 4096)
CHANGE(qd_over, set->qd = 4097)
CHANGE(qd_huge, set->qd = UINT32_MAX)
CHANGE(workers_0, set->workers = 0)
CHANGE(workers_max, set->workers = 256)
CHANGE(workers_over, set->workers = 257)
CHANGE(workers_huge, set->workers = UINT32_MAX)
CHANGE(batch_max, set->batch = BLKGEN_MAX_BATCH)
CHANGE(batch_over, set->batch = BLKGEN_MAX_BATCH + 1)
CHANGE(memory, set->bs = 1 << 20; set->qd = 4096; set->workers = 256; set->ios = 0)
CHANGE(fd_minus, set->dev_fd = -1)
CHANGE(fd_closed, set->dev_fd = 1000)
CHANGE(fd_char, set->dev_fd = open_or_bail("/dev/null", O_RDWR))
CHANGE(fd_file, set->dev_fd = open_or_bail("/proc/self/exe", O_RDONLY))
CHANGE(fd_dir, set->dev_fd = open_or_bail("/", O_RDONLY))
CHANGE(fd_path, set->dev_fd = open_or_bail(NULLB, O_PATH))
CHANGE(fd_self, set->dev_fd = session)
CHANGE(fd_pipe, set->dev_fd = pipe_fd())
CHANGE(offset_odd, set->offset = 1)
CHANGE(offset_half, set->offset = 511)
CHANGE(offset_last, set->offset = dev_bytes - set->bs)
CHANGE(offset_none, set->offset = dev_bytes - 512)
CHANGE(offset_end, set->offset = dev_bytes)
CHANGE(offset_past, set->offset = dev_bytes + 512)
CHANGE(offset_huge, set->offset = UINT64_MAX - 511)
CHANGE(length_odd, set->length = 4097)
CHANGE(length_all, set->length = dev_bytes)
CHANGE(length_past, set->length = dev_bytes + 512)
CHANGE(length_huge, set->length = UINT64_MAX - 511)
CHANGE(length_short, set->length = set->bs - 512)
CHANGE(length_bs, set->length = set->bs)
CHANGE(range_past, set->offset = 4096; set->length = dev_bytes - 4096 + 512)
CHANGE(range_wrap, set->offset = 4096; set->length = UINT64_MAX - 511)
CHANGE(few_blocks, set->workers = 3; set->length = 2 * set->bs)
CHANGE(just_blocks, set->workers = 3; set->length = 3 * set->bs)
CHANGE(few_ios, set->workers = 3; set->ios = 2)
CHANGE(just_ios, set->workers = 3; set->ios = 3)
CHANGE(no_limits, set->ios = 0; set->time_ns = 0)
CHANGE(limits_huge, set->ios = UINT64_MAX; set->time_ns = UINT64_MAX)
CHANGE(errors_huge, set->error_limit = UINT32_MAX)
CHANGE(seed_huge, set->seed = UINT64_MAX)

static const struct setup_case cases[] = {
	CASE(good, 0),
	CASE(size_0, EINVAL),
	CASE(size_short, EINVAL),
	CASE(size_page, E2BIG),
	CASE(flags, EINVAL),
	CASE(fua_reads, EINVAL),
	CASE(apart_reads, EINVAL),
	CASE(apart_random, EINVAL),
	CASE(apart_align, EINVAL),
	CASE(flags_high, EINVAL),
	CASE(verify, 0),
	CASE(verify_mix, EINVAL),
	CASE(verify_trim, EINVAL),
	CASE(generation_alone, EINVAL),
	CASE(flush_reads, EINVAL),
	CASE(engine, EOPNOTSUPP),
	CASE(engine_max, EOPNOTSUPP),
	CASE(pattern, EOPNOTSUPP),
	CASE(pattern_max, EOPNOTSUPP),
	CASE(op_flush, EOPNOTSUPP),
	CASE(op_unknown, EOPNOTSUPP),
	CASE(op_last, EOPNOTSUPP),
	CASE(mix_none, EINVAL),
	CASE(mix_max, 0),
	CASE(mix_over, EINVAL),
	CASE(mix_wrap, EINVAL),
	CASE(bs_0, EINVAL),
	CASE(bs_odd, EINVAL),
	CASE(bs_half, EINVAL),
	CASE(bs_max, 0),
	CASE(bs_over, ERANGE),
	CASE(bs_huge, ERANGE),
	CASE(qd_0, EINVAL),
	CASE(qd_max, 0),
	CASE(qd_over, ERANGE),
	CASE(qd_huge, ERANGE),
	CASE(workers_0, EINVAL),
	CASE(workers_max, 0),
	CASE(workers_over, ERANGE),
	CASE(workers_huge, ERANGE),
	CASE(batch_max, 0),
	CASE(batch_over, ERANGE),
	CASE(memory, ENOMEM),
	CASE(fd_minus, EBADF),
	CASE(fd_closed, EBADF),
	CASE(fd_path, EBADF),
	CASE(fd_char, ENOTBLK),
	CASE(fd_file, ENOTBLK),
	CASE(fd_dir, ENOTBLK),
	CASE(fd_self, ENOTBLK),
	CASE(fd_pipe, ENOTBLK),
	CASE(offset_odd, EINVAL),
	CASE(offset_half, EINVAL),
	CASE(offset_last, 0),
	CASE(offset_none, ENOSPC),
	CASE(offset_end, ENXIO),
	CASE(offset_past, ENXIO),
	CASE(offset_huge, ENXIO),
	CASE(length_odd, EINVAL),
	CASE(length_all, 0),
	CASE(length_past, ENXIO),
	CASE(length_huge, ENXIO),
	CASE(length_short, ENOSPC),
	CASE(length_bs, 0),
	CASE(range_past, ENXIO),
	CASE(range_wrap, EOVERFLOW),
	CASE(few_blocks, ENOSPC),
	CASE(just_blocks, 0),
	CASE(few_ios, EINVAL),
	CASE(just_ios, 0),
	CASE(no_limits, 0),
	CASE(limits_huge, 0),
	CASE(errors_huge, 0),
	CASE(seed_huge, 0),
};

static int reopen(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags);
}

static void test_modes(void)
{
	struct blkgen_setup set;
	int fd;

	fd = open_or_bail(NULLB, O_RDONLY | O_EXCL);
	set = setup_default(fd);
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), 0, "read of an O_RDONLY device");
	set.mix[BLKGEN_OP_WRITE] = 1;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EBADF, "write to an O_RDONLY device");
	close(fd);

	fd = open_or_bail(NULLB, O_WRONLY | O_EXCL);
	set = setup_default(fd);
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EBADF, "read of an O_WRONLY device");
	set.mix[BLKGEN_OP_READ] = 0;
	set.mix[BLKGEN_OP_WRITE] = 1;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), 0, "write to an O_WRONLY device");
	set.dev_fd = -1;
	ioc(session, BLKGEN_IOC_SETUP, &set);

	set = setup_default(reopen(fd, O_RDWR));
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EPERM,
	       "a device that another file has exclusively");
	close(set.dev_fd);
	close(fd);

	fd = open_or_bail(NULLB, O_RDWR);
	set = setup_default(fd);
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EPERM, "a device without O_EXCL");
	close(fd);

	fd = open_or_bail(NULLB, O_RDWR | O_EXCL);
	if (sh("blockdev --setro " NULLB))
		bail("blockdev");
	set = setup_default(fd);
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), 0, "read of a read-only device");
	set.mix[BLKGEN_OP_WRITE] = 1;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EROFS, "write to a read-only device");
	sh("blockdev --setrw " NULLB);
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), 0, "write to it when it is not");
	sh("blockdev --setro " NULLB);
	expect(ioc(session, BLKGEN_IOC_START, NULL), EROFS,
	       "start of writes to a device that has become read-only");
	sh("blockdev --setrw " NULLB);
	close(fd);
}

/* Expect a failed SETUP to leave nothing behind. */
static void test_failed_setup(int fd)
{
	struct blkgen_setup set = setup_default(dev);

	expect(ioc(fd, BLKGEN_IOC_SETUP, &set), 0, "SETUP before one that fails");
	set.size = 0;
	expect(ioc(fd, BLKGEN_IOC_SETUP, &set), EINVAL, "SETUP that is malformed");
	check(status_get(fd).state == BLKGEN_STATE_READY,
	      "SETUP that is malformed changes nothing");
	set.size = sizeof(set);
	set.bs = 0;
	expect(ioc(fd, BLKGEN_IOC_SETUP, &set), EINVAL, "SETUP that fails");
	check(status_get(fd).state == BLKGEN_STATE_IDLE,
	      "SETUP that fails leaves the session IDLE");
	expect(ioc(fd, BLKGEN_IOC_START, NULL), EINVAL, "START after SETUP that fails");
}

/*
 * Test that a struct may grow: @arg, of @size bytes, is good. Pass it at the end of mapped
 * memory, with a longer size and a tail of zeroes, and with a tail that is not zero.
 */
static void test_size(const char *name, unsigned long cmd, const void *arg, uint32_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *mem = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	char what[80];
	uint32_t *p;

#define EXPECT(ptr, err, text) do { \
		snprintf(what, sizeof(what), "%s %s", name, text); \
		expect(ioc(session, cmd, ptr), err, what); \
	} while (0)

	if (mem == MAP_FAILED || mprotect(mem + page, page, PROT_NONE))
		bail("mmap");
	p = memcpy(mem + page - size, arg, size);
	EXPECT(p, 0, "at the end of memory");
	memcpy(p, arg, size);
	*p = size + 8;
	EXPECT(p, EFAULT, "over the end of memory");
	EXPECT(NULL, EFAULT, "of NULL");
	EXPECT(mem + page - 2, EFAULT, "with half of its size in memory");
	p = memcpy(mem, arg, size);
	memset(mem + size, 0, page - size);
	*p = size + 64;
	EXPECT(p, 0, "with a tail of zeroes");
	memcpy(p, arg, size);
	*p = page;
	EXPECT(p, 0, "of a page");
	memcpy(p, arg, size);
	*p = size + 64;
	mem[size + 63] = 1;
	EXPECT(p, E2BIG, "with a tail that is not zero");
	memcpy(p, arg, size);
	*p = size - 1;
	EXPECT(p, EINVAL, "too short");
	*p = 4;
	EXPECT(p, EINVAL, "of its size alone");
	memset(p, 0, 4);
	EXPECT(p, EINVAL, "of no size");
	*p = UINT32_MAX;
	EXPECT(p, E2BIG, "of a huge size");
	munmap(mem, 2 * page);
#undef EXPECT
}

static void test_sizes(void)
{
	struct blkgen_features f = { .size = sizeof(f) };
	struct blkgen_setup set = setup_default(dev);
	struct blkgen_status st = { .size = sizeof(st) };
	struct blkgen_worker_info info = { .size = sizeof(info) };
	struct blkgen_result res = { .size = sizeof(res) };
	struct blkgen_mismatches mm = { .size = sizeof(mm) };

	test_size("SETUP", BLKGEN_IOC_SETUP, &set, sizeof(set));
	set.size = sizeof(set);
	ioc(session, BLKGEN_IOC_SETUP, &set);
	test_size("FEATURES", BLKGEN_IOC_FEATURES, &f, sizeof(f));
	test_size("STATUS", BLKGEN_IOC_STATUS, &st, sizeof(st));
	test_size("WORKER", BLKGEN_IOC_WORKER, &info, sizeof(info));
	test_size("RESULT", BLKGEN_IOC_RESULT, &res, sizeof(res));
	test_size("MISMATCH", BLKGEN_IOC_MISMATCH, &mm, sizeof(mm));
}

static void test_queries(void)
{
	struct blkgen_features f = { .size = sizeof(f), .reserved = 1 };
	struct blkgen_status st = { .size = sizeof(st), .reserved = 1 };
	struct blkgen_worker_info info = { .size = sizeof(info) };
	struct blkgen_result res = { .size = sizeof(res) };
	struct blkgen_mismatches mm = { .size = sizeof(mm) };
	static uint64_t hist[16384];
	int fd = session_open();

	expect(ioc(session, BLKGEN_IOC_FEATURES, &f), EINVAL, "FEATURES reserved");
	expect(ioc(session, BLKGEN_IOC_STATUS, &st), EINVAL, "STATUS reserved");
	info.reserved = 1;
	expect(ioc(session, BLKGEN_IOC_WORKER, &info), EINVAL, "WORKER reserved");
	info.reserved = 0;
	info.worker = 1;
	expect(ioc(session, BLKGEN_IOC_WORKER, &info), EINVAL, "WORKER out of range");
	info.worker = UINT32_MAX - 1;
	expect(ioc(session, BLKGEN_IOC_WORKER, &info), EINVAL, "WORKER far out of range");
	info.worker = 0;
	expect(ioc(fd, BLKGEN_IOC_WORKER, &info), ENODATA, "WORKER without SETUP");

	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), ENODATA, "RESULT without SETUP");
	expect(ioc(fd, BLKGEN_IOC_MISMATCH, &mm), ENODATA, "MISMATCH without SETUP");
	mm.reserved = 1;
	expect(ioc(session, BLKGEN_IOC_MISMATCH, &mm), EINVAL, "MISMATCH reserved");
	res.reserved = 1;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT reserved");
	res.reserved = 0;
	res.worker = 1;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT worker out of range");
	res.worker = 0;
	res.op = BLKGEN_NR_OPS;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT op out of range");
	res.op = BLKGEN_OP_WRITE;
	res.hist_len = ARRAY_SIZE(hist);
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT hist_ptr of 0");
	res.hist_ptr = 8;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), EFAULT, "RESULT bad hist_ptr");
	res.op = BLKGEN_OP_READ;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), EFAULT,
	       "RESULT bad hist_ptr of an op in use");
	res.hist_ptr = (uintptr_t)hist;
	res.hist_len = 0;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT hist_len of 0");
	res.hist_len = 1;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), ENOSPC, "RESULT short hist_len");
	res.hist_len = ARRAY_SIZE(hist);
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), 0, "RESULT long hist_len");
	res.op = BLKGEN_NR_OPS - 1;
	hist[0] = 1;
	expect(ioc(session, BLKGEN_IOC_RESULT, &res), 0, "RESULT of an op not in the mix");
	check(!res.ios && !hist[0] && res.hist_len < ARRAY_SIZE(hist),
	      "RESULT of an op not in the mix is empty");
	close(fd);
}

static void test_commands(void)
{
	struct blkgen_setup set = setup_default(dev);
	int fd = session_open();
	unsigned int nr;

	expect(ioc(fd, _IO(BLKGEN_IOC_MAGIC, 0x40), NULL), ENOTTY, "unknown ioctl");
	expect(ioc(fd, _IO(BLKGEN_IOC_MAGIC, 0xff), NULL), ENOTTY, "unknown ioctl 0xff");
	for (nr = 0; nr <= _IOC_NR(BLKGEN_IOC_MISMATCH); nr++) {
		char what[64];

		snprintf(what, sizeof(what), "ioctl %u of another type", nr);
		expect(ioc(fd, _IO('B', nr), &set), ENOTTY, what);
		snprintf(what, sizeof(what), "ioctl %u with a size in its number", nr);
		expect(ioc(fd, _IOWR(BLKGEN_IOC_MAGIC, nr, struct blkgen_setup), &set), ENOTTY,
		       what);
	}
	expect(ioc(fd, BLKGEN_IOC_START, NULL), EINVAL, "START without SETUP");
	expect(ioc(fd, BLKGEN_IOC_STOP, NULL), EINVAL, "STOP without SETUP");
	expect(ioc(fd, BLKGEN_IOC_SETUP, &set), 0, "SETUP");
	expect(ioc(fd, BLKGEN_IOC_STOP, NULL), EINVAL, "STOP without START");
	expect(ioc(fd, BLKGEN_IOC_START, &set), EINVAL, "START with an argument");
	check(!wait_done(fd, 50), "poll() says nothing before START");
	expect(ioc(fd, BLKGEN_IOC_START, NULL), 0, "START");
	check(wait_done(fd, 10000), "poll() says when a run is done");
	expect(ioc(fd, BLKGEN_IOC_START, NULL), EINVAL, "START when DONE");
	expect(ioc(fd, BLKGEN_IOC_STOP, &set), EINVAL, "STOP with an argument");
	expect(ioc(fd, BLKGEN_IOC_STOP, NULL), 0, "STOP when DONE");
	check(status_get(fd).stop == BLKGEN_STOP_IOS, "STOP when DONE changes nothing");

	set.ios = 0;
	expect(ioc(fd, BLKGEN_IOC_SETUP, &set), 0, "SETUP when DONE");
	expect(ioc(fd, BLKGEN_IOC_START, NULL), 0, "START of an endless run");
	expect(ioc(fd, BLKGEN_IOC_START, NULL), EINVAL, "START when RUNNING");
	expect(ioc(fd, BLKGEN_IOC_SETUP, &set), EBUSY, "SETUP when RUNNING");
	check(status_get(fd).state == BLKGEN_STATE_RUNNING,
	      "SETUP when RUNNING does not end the run");
	expect(ioc(fd, BLKGEN_IOC_STOP, NULL), 0, "STOP");
	check(wait_done(fd, 10000), "STOP ends the run");
	check(status_get(fd).stop == BLKGEN_STOP_USER, "STOP is the reason why the run ended");
	close(fd);
}

/* Sizes that are good with 512-byte blocks are bad with 4096-byte blocks. */
static void test_large_blocks(void)
{
	struct blkgen_setup set;

	unload_null_blk();
	load_modules("nr_devices=1 gb=1 bs=4096");
	session = session_open();
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);
	set = setup_default(dev);
	set.bs = 4096 + 512;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EINVAL, "4096-byte blocks: bs of 4608");
	set.bs = 512;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EINVAL, "4096-byte blocks: bs of 512");
	set.bs = 8192;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), 0, "4096-byte blocks: bs of 8192");
	set.offset = 512;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EINVAL, "4096-byte blocks: offset of 512");
	set.offset = 4096;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), 0, "4096-byte blocks: offset of 4096");
	set.length = 8192 + 512;
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EINVAL, "4096-byte blocks: length of 8704");
}

int main(void)
{
	setup_begin();
	test_setups(cases, ARRAY_SIZE(cases));
	test_failed_setup(session);
	test_sizes();
	test_queries();
	test_commands();

	/* Close all descriptors, so that nothing claims the device any more. */
	close(session);
	close(dev);
	session = session_open();
	test_modes();
	close(session);
	test_large_blocks();

	return setup_end();
}
