/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers for tests that call the ioctls of /dev/blkgen themselves: print KTAP, load null_blk, and
 * set up and watch a session.
 */
#ifndef _SELFTESTS_UAPI_H
#define _SELFTESTS_UAPI_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../kmod/uapi/blkgen.h"
#include "../../kmod/uapi/loglin.h"

#define NULLB	"/dev/nullb0"
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static int ktap_nr, ktap_failed;

/* Print the result of a test. Return @ok. */
static bool __attribute__((format(printf, 2, 3))) check(bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", ok ? "" : "not ", ++ktap_nr);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	ktap_failed += !ok;

	return ok;
}

static inline void check_eq(uint64_t got, uint64_t want, const char *what)
{
	if (got != want)
		printf("# %s: %llu, expected %llu\n", what, (unsigned long long)got,
		       (unsigned long long)want);
	check(got == want, "%s", what);
}

/* Print the plan. Return the exit status for main(): 1 if a test failed. */
static inline int ktap_end(void)
{
	printf("1..%d\n", ktap_nr);
	return ktap_failed ? 1 : 0;
}

/* End the program with errno's text: the test cannot go on without @what. */
static inline void __attribute__((noreturn)) bail(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline int __attribute__((format(printf, 1, 2))) sh(const char *fmt, ...)
{
	char cmd[512];
	va_list ap;
	int rc;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	fflush(stdout);
	rc = system(cmd);

	return rc < 0 || !WIFEXITED(rc) ? 255 : WEXITSTATUS(rc);
}

static inline void skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

/* Load null_blk with the module parameters @param, and blkgen. */
static inline void load_modules(const char *param)
{
	sh("rmmod null_blk 2>/dev/null");
	if (sh("modprobe null_blk %s", param))
		skip_all("null_blk is not there");
	if (sh("modprobe blkgen") && sh("insmod ${BLKGEN_KO:-blkgen.ko}"))
		bail("modprobe blkgen");
}

/* Mount configfs, by which tests make null_blk devices one by one. */
static inline void mount_configfs(void)
{
	sh("modprobe -q configfs; mountpoint -q /sys/kernel/config || "
	   "mount -t configfs none /sys/kernel/config");
}

static inline void unload_null_blk(void)
{
	check(!sh("rmmod null_blk"), "nobody holds the device");
}

static inline int open_or_bail(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		bail(path);
	return fd;
}

static inline int session_open(void)
{
	return open_or_bail(BLKGEN_DEVICE, O_RDWR);
}

/* Call an ioctl. Return 0, or the errno. */
static inline int ioc(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) < 0 ? errno : 0;
}

/* Return true if a worker of any session is there. */
static inline bool threads_left(void)
{
	return !sh("grep -qs '^blkgen/' /proc/[0-9]*/comm");
}

/* Return true if nobody has claimed the device. */
static inline bool claim_is_free(const char *path)
{
	int fd = open(path, O_RDWR | O_EXCL);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static inline struct blkgen_setup setup_default(int dev)
{
	return (struct blkgen_setup) {
		.size = sizeof(struct blkgen_setup),
		.dev_fd = dev,
		.pattern = BLKGEN_PATTERN_RANDOM,
		.bs = 4096,
		.qd = 16,
		.workers = 1,
		.mix = { [BLKGEN_OP_READ] = 1 },
		.ios = 1000,
	};
}

static inline struct blkgen_status status_get(int fd)
{
	struct blkgen_status st = { .size = sizeof(st) };

	if (ioc(fd, BLKGEN_IOC_STATUS, &st))
		bail("STATUS");
	return st;
}

static inline struct blkgen_result result_get(int fd, unsigned int worker, unsigned int op,
					      uint64_t *hist, unsigned int len)
{
	struct blkgen_result res = {
		.size = sizeof(res),
		.worker = worker,
		.op = op,
		.hist_ptr = (uintptr_t)hist,
		.hist_len = len,
	};

	if (ioc(fd, BLKGEN_IOC_RESULT, &res))
		bail("RESULT");
	return res;
}

/* Return how many times as long as others this kernel takes: see selftests/vm/kernels. */
static inline int slowness(void)
{
	const char *text = getenv("VM_SLOW");
	int n = text ? atoi(text) : 0;

	return n > 1 ? n : 1;
}

/* Wait until the run has ended. Return false if it has not after @ms; longer on a slow kernel. */
static inline bool wait_done(int fd, int ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, ms * slowness()) == 1 && (pfd.revents & POLLIN);
}

static inline void run_or_bail(int fd, struct blkgen_setup *setup)
{
	errno = ioc(fd, BLKGEN_IOC_SETUP, setup);
	if (errno)
		bail("SETUP");
	errno = ioc(fd, BLKGEN_IOC_START, NULL);
	if (errno)
		bail("START");
}

static inline void msleep(unsigned int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&ts, NULL);
}

/* Wait until a run has read and written. Return false if it ends before, or has not after 20 s. */
static inline bool wait_begun(int fd)
{
	struct blkgen_status st;
	int tries;

	for (tries = 0; tries < 2000 * slowness(); tries++) {
		st = status_get(fd);
		if (st.ios[BLKGEN_OP_READ] && st.ios[BLKGEN_OP_WRITE])
			return true;
		if (st.state != BLKGEN_STATE_RUNNING)
			return false;
		msleep(10);
	}
	return false;
}

#endif /* _SELFTESTS_UAPI_H */
