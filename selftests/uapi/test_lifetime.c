// SPDX-License-Identifier: GPL-2.0
/*
 * This test will end sessions in every way there is, kill -9 among them, and expect them to leave
 * nothing behind: no I/O, no thread, no claim, no memory.
 */
// needs: timeout=300 cpus=2
// kernels: core
#include "uapi.h"
#include <signal.h>

#define QD	1024
#define WORKERS	2

/* Return the reads and writes in flight, by /sys/block/nullb0/inflight. */
static unsigned int inflight(void)
{
	FILE *f = fopen("/sys/block/nullb0/inflight", "r");
	unsigned int rd, wr;

	if (!f || fscanf(f, "%u %u", &rd, &wr) != 2)
		bail("inflight");
	fclose(f);
	return rd + wr;
}

static long meminfo_kb(const char *what)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	while (f && kb < 0 && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, what, strlen(what)))
			kb = atol(strchr(line, ':') + 1);
	}
	if (kb < 0)
		bail("/proc/meminfo");
	fclose(f);
	return kb;
}

/* Open the device and a session, and start an endless run; only the session keeps the device. */
static int start_endless(unsigned int qd, unsigned int workers)
{
	int dev = open_or_bail(NULLB, O_RDWR | O_EXCL), fd = session_open();
	struct blkgen_setup set = setup_default(dev);

	set.ios = 0;
	set.qd = qd;
	set.workers = workers;
	run_or_bail(fd, &set);
	close(dev);
	return fd;
}

static bool wait_inflight(unsigned int want)
{
	int tries;

	for (tries = 0; tries < 1000 * slowness(); tries++) {
		if (inflight() == want)
			return true;
		msleep(10);
	}
	printf("# in flight: %u\n", inflight());
	return false;
}

static void test_kill(void)
{
	pid_t pid = fork();

	if (!pid) {
		start_endless(QD, WORKERS);
		pause();
	}
	check(wait_inflight(QD * WORKERS), "as many I/Os are in flight as asked for");
	check(!claim_is_free(NULLB), "the device is claimed while it runs");
	check(sh("rmmod blkgen 2>/dev/null") != 0, "rmmod is refused while it runs");
	kill(pid, SIGKILL);
	check(waitpid(pid, NULL, 0) == pid, "kill -9 ends the owner");
	check(claim_is_free(NULLB), "after kill -9 the claim is gone");
	check(!inflight(), "after kill -9 nothing is in flight");
	check(!threads_left(), "after kill -9 no thread is left");
	check(!sh("rmmod blkgen"), "after kill -9 the module can be removed");
	if (sh("modprobe blkgen"))
		bail("modprobe blkgen");
}

/* A session lives until its last descriptor is closed, in whatever process. */
static void test_shared(void)
{
	int fd = start_endless(4, 1), fd2 = dup(fd), p[2];
	pid_t pid;

	close(fd);
	check(status_get(fd2).state == BLKGEN_STATE_RUNNING, "a dup() keeps the run");
	if (pipe(p))
		bail("pipe");
	pid = fork();
	if (!pid) {
		char c;

		close(p[1]);
		_exit(read(p[0], &c, 1) != 0);
	}
	close(fd2);
	msleep(100);
	check(!claim_is_free(NULLB), "a child keeps the claim");
	close(p[1]);
	waitpid(pid, NULL, 0);
	close(p[0]);
	check(claim_is_free(NULLB) && !threads_left(), "the last one ends it");
}

static void cycle(unsigned int i)
{
	int dev = open_or_bail(NULLB, O_RDWR | O_EXCL), fd = session_open();
	struct blkgen_setup set = setup_default(dev);

	set.qd = 256;
	set.workers = 1 + i % 4;
	set.mix[BLKGEN_OP_WRITE] = i & 1;
	set.ios = i & 2 ? 1000 : 0;
	errno = ioc(fd, BLKGEN_IOC_SETUP, &set);
	if (errno)
		bail("SETUP");
	/* The session is closed in the state READY, RUNNING or DONE. */
	if (i & 3)
		ioc(fd, BLKGEN_IOC_START, NULL);
	if (i & 4)
		msleep(2);
	if (i & 8) {
		set.bs = 0;
		ioc(fd, BLKGEN_IOC_SETUP, &set);
	}
	close(fd);
	close(dev);
}

/* Measure the memory that 128 sessions take and do not give back, in kB. */
static void leaked(long *slab, long *avail)
{
	unsigned int i;

	*slab = meminfo_kb("SUnreclaim");
	*avail = meminfo_kb("MemAvailable");
	for (i = 0; i < 128; i++)
		cycle(i);
	msleep(200);
	*slab = meminfo_kb("SUnreclaim") - *slab;
	*avail -= meminfo_kb("MemAvailable");
	printf("# after 128 sessions: slab %+ld kB, available %+ld kB\n", *slab, -*avail);
}

static void test_leak(void)
{
	long slab, avail;
	unsigned int i;

	for (i = 0; i < 32; i++)
		cycle(i);
	msleep(200);
	/* Other tasks take memory too, but not each time; a leak shows in each of three tries. */
	for (i = 0; i < 3; i++) {
		leaked(&slab, &avail);
		if (slab < 512 && avail < 12000)
			break;
	}
	/* If each session leaked a histogram or its buffers, this would be 23 MB and more. */
	check(i < 3, "128 sessions leak no memory");
	check(!threads_left(), "128 sessions leave no threads");
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/*
 * Kill the owner at any moment: while SETUP allocates, while threads are made, during the run. How
 * long the first two take depends on the machine, so find that out first, and spread the kills over
 * one and a half times as long.
 */
static void test_kill_anywhere(void)
{
	const unsigned int kills = 10, workers = 16;
	unsigned int i, begun = 0;
	bool ok = true;
	uint64_t took;
	int fd, p[2];
	char c;

	took = now_ns();
	fd = start_endless(QD, workers);
	took = now_ns() - took;
	close(fd);
	for (i = 0; i < kills; i++) {
		pid_t pid;

		if (pipe(p))
			bail("pipe");
		pid = fork();
		if (!pid) {
			start_endless(QD, workers);
			if (write(p[1], "", 1) == 1)
				pause();
			_exit(1);
		}
		usleep(took * 3 / 2 * i / (kills - 1) / 1000);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		close(p[1]);
		begun += read(p[0], &c, 1) == 1;
		close(p[0]);
		ok &= claim_is_free(NULLB) && !inflight();
	}
	printf("# SETUP and START took %llu us, %u of %u kills came after them\n",
	       (unsigned long long)took / 1000, begun, kills);
	check(ok && !threads_left(), "%u kills at any moment leave nothing", kills);
}

/* Let several processes call ioctls of one session at the same time. */
static void test_race(void)
{
	int dev = open_or_bail(NULLB, O_RDWR | O_EXCL), fd = session_open();
	static uint64_t hist[16384];
	pid_t pid[4];
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		pid[i] = fork();
		for (n = 0; !pid[i]; n++) {
			struct blkgen_setup set = setup_default(dev);
			struct blkgen_status st = { .size = sizeof(st) };
			struct blkgen_result res = {
				.size = sizeof(res),
				.hist_ptr = (uintptr_t)hist,
				.hist_len = ARRAY_SIZE(hist),
			};

			set.ios = 100;
			set.workers = 1 + n % 3;
			if (i & 1) {
				ioc(fd, BLKGEN_IOC_SETUP, &set);
				ioc(fd, BLKGEN_IOC_START, NULL);
				wait_done(fd, 1);
				ioc(fd, BLKGEN_IOC_STOP, NULL);
			} else {
				ioc(fd, BLKGEN_IOC_STATUS, &st);
				ioc(fd, BLKGEN_IOC_RESULT, &res);
			}
		}
	}
	msleep(1000);
	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	check(wait_done(fd, 5000) || status_get(fd).state != BLKGEN_STATE_RUNNING,
	      "four processes race on a session");
	close(fd);
	close(dev);
	check(claim_is_free(NULLB) && !threads_left(), "four processes leave nothing of a session");
}

static struct blkgen_worker_info worker_get(int fd)
{
	struct blkgen_worker_info info = { .size = sizeof(info), .worker = BLKGEN_ALL_WORKERS };

	if (ioc(fd, BLKGEN_IOC_WORKER, &info))
		bail("WORKER");
	return info;
}

/*
 * Fork a child that closes the session after the parent, and so waits until the device's I/Os
 * complete. Return its pid; the child goes on when the parent closes @pipe_fds.
 */
static pid_t leave_to_child(int fd, int pipe_fds[2])
{
	pid_t pid;
	char c;

	if (pipe(pipe_fds))
		bail("pipe");
	pid = fork();
	if (pid)
		return pid;
	close(pipe_fds[1]);
	if (read(pipe_fds[0], &c, 1))
		_exit(1);
	close(fd);
	_exit(0);
}

#define FROZEN	"blkgen_frozen"

static int frozen_open(char *path, size_t len)
{
	FILE *f = popen("dmsetup create --noudevsync " FROZEN " --table \"0 131072 linear " NULLB
			" 0\" && dmsetup info -c --noheadings -o blkdevname " FROZEN, "r");
	char name[32];
	int tries;

	if (!f || fscanf(f, "%31s", name) != 1)
		bail("dmsetup create");
	pclose(f);
	snprintf(path, len, "/dev/%s", name);
	for (tries = 0; access(path, F_OK) && tries < 500; tries++)
		msleep(10);
	return open_or_bail(path, O_RDWR | O_EXCL);
}

/* The device takes I/Os and completes none of them. */
static void test_frozen(void)
{
	struct blkgen_worker_info info;
	struct blkgen_status st;
	struct blkgen_setup set;
	int dev, fd, p[2], tries;
	char path[64];
	uint64_t was;
	pid_t pid;

	if (sh("modprobe -q dm-mod && dmsetup version >/dev/null"))
		bail("dm");
	dev = frozen_open(path, sizeof(path));
	if (sh("dmsetup suspend --noudevsync --noflush --nolockfs " FROZEN))
		bail("dmsetup suspend");
	fd = session_open();
	set = setup_default(dev);
	set.ios = 0;
	set.qd = 8;
	set.workers = 2;
	/*
	 * In 2 s both workers submit all their I/Os; wait_done() waits longer than that, to see
	 * that the run's time is over.
	 */
	set.time_ns = 2000000000;
	was = now_ns();
	run_or_bail(fd, &set);
	close(dev);
	for (tries = 0; status_get(fd).inflight < 16 && tries < 500; tries++)
		msleep(10);
	check(!wait_done(fd, 2500), "a device that gives nothing back keeps the run");
	st = status_get(fd);
	check(st.stop == BLKGEN_STOP_TIME && st.state == BLKGEN_STATE_RUNNING && st.inflight == 16,
	      "STATUS sees that its time is over");
	info = worker_get(fd);
	check(info.oldest_ns > was && info.oldest_ns < now_ns() - 900000000ULL,
	      "WORKER tells since when the oldest I/O is in flight");
	pid = leave_to_child(fd, p);
	was = now_ns();
	close(fd);
	/* If this close() waited, it would wait until the device is resumed. */
	check(now_ns() - was < 5000000000ULL,
	      "a close() that is not the last does not wait");
	close(p[0]);
	close(p[1]);
	msleep(300);
	check(open(path, O_RDWR | O_EXCL) < 0 && errno == EBUSY, "the device stays claimed");
	kill(pid, SIGKILL);
	msleep(300);
	check(!waitpid(pid, NULL, WNOHANG), "the last one to close waits, even when it is killed");
	sh("dmsetup resume --noudevsync " FROZEN);
	check(waitpid(pid, NULL, 0) == pid && !threads_left(),
	      "the last one to close waits until the device lets go");
	check(!sh("dmsetup remove --noudevsync --retry " FROZEN),
	      "the device is free when the last one is gone");
}

/* A run that is over has nothing in flight, and so no oldest I/O. */
static void test_oldest(void)
{
	int dev = open_or_bail(NULLB, O_RDWR | O_EXCL), fd = session_open();
	struct blkgen_setup set = setup_default(dev);

	set.ios = 100;
	run_or_bail(fd, &set);
	close(dev);
	check(wait_done(fd, 20000) && !worker_get(fd).oldest_ns,
	      "a run that is over has no oldest I/O");
	close(fd);
}

int main(void)
{
	char params[128];

	/*
	 * null_blk takes 20 ms per I/O, so that the tests can see I/Os in flight. On a slow kernel,
	 * submitting 1024 I/Os takes longer than that, and the first would end before the last
	 * begins, so null_blk takes a second there.
	 */
	printf("KTAP version 1\n");
	snprintf(params, sizeof(params), "nr_devices=1 gb=1 irqmode=2 completion_nsec=%u "
		 "submit_queues=2 hw_queue_depth=2048", slowness() > 1 ? 1000000000 : 20000000);
	load_modules(params);
	test_kill();
	test_shared();
	test_kill_anywhere();
	test_oldest();
	test_frozen();
	unload_null_blk();

	if (sh("modprobe null_blk nr_devices=1 gb=1 irqmode=1"))
		bail("modprobe null_blk");
	test_leak();
	test_race();
	unload_null_blk();
	check(!sh("rmmod blkgen"), "the module can be removed");

	return ktap_end();
}
