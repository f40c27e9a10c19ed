// SPDX-License-Identifier: GPL-2.0
/*
 * This test will load a device with bad blocks, and a device that is removed under load, and
 * expect failures to be counted and limits to hold.
 */
// needs:
#include "uapi.h"

#define CFS	"/sys/kernel/config/nullb/t"
#define BLOCKS	1024

static char dev_path[64];

static int set_attr(const char *attr, const char *value)
{
	return sh("echo %s > " CFS "/%s", value, attr);
}

/*
 * Make all blocks of the device bad (@sign '+') or good ('-'). Give the blocks in pieces of 512
 * sectors: Linux 6.1 splits a longer range itself, and lists its pieces in the wrong order.
 */
static void set_all(char sign)
{
	sh("cd " CFS "; i=0; while [ $i -lt %u ]; do "
	   "echo %c$i-$((i + 511)) > badblocks; i=$((i + 512)); done", BLOCKS * 8, sign);
}

/* Make a null_blk device of 4 MiB. */
static void device_make(void)
{
	unsigned int n;
	FILE *f;

	if (sh("mkdir " CFS))
		skip_all("null_blk has no configfs");
	if (set_attr("size", "4") || set_attr("irqmode", "1") || set_attr("power", "1"))
		bail(CFS);
	f = fopen(CFS "/index", "r");
	if (!f || fscanf(f, "%u", &n) != 1)
		bail(CFS "/index");
	fclose(f);
	snprintf(dev_path, sizeof(dev_path), "/dev/nullb%u", n);
	if (access(dev_path, F_OK))
		/* Later kernels name the device after its configfs directory. */
		strcpy(dev_path, "/dev/t");
}

static void device_remove(void)
{
	sh("rmdir " CFS);
}

static struct blkgen_status run(int fd, struct blkgen_setup *set)
{
	run_or_bail(fd, set);
	check(wait_done(fd, 20000), "the run ends");
	return status_get(fd);
}

/* One block of many is bad: the failure is counted by its cause, and the run goes on. */
static void test_bad_block(int dev)
{
	struct blkgen_setup set = setup_default(dev);
	struct blkgen_status st;
	struct blkgen_result res;
	int fd = session_open();

	set.ios = BLOCKS;
	set.qd = 8;
	set_attr("badblocks", "+80-87");
	st = run(fd, &set);
	check_eq(st.errors, 1, "one pass meets one bad block once");
	check_eq(st.ios[BLKGEN_OP_READ], BLOCKS - 1, "one pass reads the blocks that are not bad");
	check(st.stop == BLKGEN_STOP_IOS, "one pass over a bad block goes to the end");
	res = result_get(fd, 0, BLKGEN_OP_READ, NULL, 0);
	check(res.errors == 1 && res.nr_error == 1 && res.error[0].err == EIO &&
	      res.error[0].count == 1, "the result says EIO");
	check(res.ios == BLOCKS - 1 && res.bytes == res.ios * set.bs,
	      "failures are not in its counts");
	set_attr("badblocks", "-80-87");
	close(fd);
}

/* All blocks are bad: the error limit ends the run. */
static void test_limit(int dev)
{
	struct blkgen_setup set = setup_default(dev);
	struct blkgen_status st;
	int fd = session_open();

	set_all('+');
	set.ios = 0;
	set.qd = 4;
	set.error_limit = 100;
	st = run(fd, &set);
	check(st.stop == BLKGEN_STOP_ERRORS, "100 failures in a row end the run");
	/* The I/Os that are in flight when the limit is reached fail too. */
	check(st.errors >= 100 && st.errors <= 100 + set.qd && !st.ios[0],
	      "100 failures in a row end the run soon");
	check(!st.inflight, "a run that failures end has nothing in flight");
	set.error_limit = UINT32_MAX;
	set.time_ns = 1000000000;
	st = run(fd, &set);
	check(st.stop == BLKGEN_STOP_TIME, "without a limit of failures, time ends the run");
	printf("# %llu failures in a second\n", (unsigned long long)st.errors);
	/* It submits qd I/Os in a tick at most, and a kernel has up to 1000 ticks in a second. */
	check(st.errors < 5000, "a worker whose I/Os fail does not spin");
	set_all('-');
	close(fd);
}

static void test_removal(void)
{
	int dev = open_or_bail(dev_path, O_RDWR | O_EXCL), fd = session_open();
	struct blkgen_setup set = setup_default(dev);
	struct blkgen_status st;

	set.ios = 0;
	set.workers = 3;
	set.mix[BLKGEN_OP_WRITE] = 1;
	run_or_bail(fd, &set);
	close(dev);
	check(wait_begun(fd), "there is a load");
	if (set_attr("power", "0"))
		bail("power 0");
	check(wait_done(fd, 20000), "removal of the device ends the run");
	st = status_get(fd);
	check(st.stop == BLKGEN_STOP_ERRORS, "failures are the reason when the device is removed");
	check(st.ios[0] && st.ios[1] && st.errors && !st.inflight,
	      "a removed disk has good I/Os, errors, nothing in flight");
	close(fd);
}

int main(void)
{
	int dev;

	printf("KTAP version 1\n");
	load_modules("nr_devices=0");
	mount_configfs();
	device_make();
	dev = open_or_bail(dev_path, O_RDWR | O_EXCL);
	test_bad_block(dev);
	test_limit(dev);
	close(dev);
	test_removal();
	device_remove();
	unload_null_blk();
	check(!sh("rmmod blkgen"), "the module can be removed");

	return ktap_end();
}
