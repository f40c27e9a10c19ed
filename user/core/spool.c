// SPDX-License-Identifier: GPL-2.0
/* Keep records in a file until there is time to make lines of them. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include "core/spool.h"

#define AT_ONCE (64U << 10)
#define GIVE_BACK (4U << 20)
#define WAIT_NS 200000000

/*
 * @put: bytes in the file, whole records; written only by spool_put()
 * @taken: bytes that the user has got; written only by the thread
 * @given_back: bytes at the start of the file whose space was freed; used only by the thread
 * @broken: the records in the file cannot be read; used only by the thread
 * @given_up: the rest of the records is not wanted; written only by spool_close()
 * @asleep: set by the thread before it sleeps, cleared by the one that wakes it
 *
 * There is no lock: the thread is SCHED_IDLE and could hold a lock for long, but spool_put() must
 * not wait.
 */
struct spool {
	size_t size;
	struct spool_user user;
	pthread_t thread;
	int fd, wake_fd;
	bool asleep, stop, broken, given_up;
	uint64_t put, taken, given_back;
	char *buf;
};

/* Open a file without a name, so that it goes away with the process, however this ends. */
static int open_unnamed(const char *path)
{
	char *copy = strdup(path), *name = NULL;
	int fd = -ENOMEM;

	if (!copy)
		return fd;
	fd = open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0 && asprintf(&name, "%s.XXXXXX", path) >= 0) {
		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
		free(name);
	}
	free(copy);
	return fd < 0 ? -errno : fd;
}

/* Free the file's space of the records that were read, if the file system can do this. */
static void give_back(struct spool *s)
{
	if (s->taken - s->given_back < GIVE_BACK)
		return;
	fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, s->given_back,
		  s->taken - s->given_back);
	s->given_back = s->taken;
}

static bool take_some(struct spool *s)
{
	uint64_t left = __atomic_load_n(&s->put, __ATOMIC_ACQUIRE) - s->taken;
	size_t len = AT_ONCE - AT_ONCE % s->size;
	ssize_t n = pread(s->fd, s->buf, left < len ? left : len, s->taken);

	if (n < (ssize_t)s->size) {
		s->broken = left;
		return false;
	}
	n -= n % s->size;
	s->user.records(s->user.arg, s->buf, n / s->size);
	s->user.pause(s->user.arg);
	__atomic_store_n(&s->taken, s->taken + n, __ATOMIC_RELAXED);
	give_back(s);
	return true;
}

static void *take(void *arg)
{
	struct spool *s = arg;
	bool last = false;
	eventfd_t n;

	sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){ 0 });
	while (!last) {
		__atomic_store_n(&s->asleep, true, __ATOMIC_SEQ_CST);
		if (s->broken || __atomic_load_n(&s->put, __ATOMIC_SEQ_CST) == s->taken)
			eventfd_read(s->wake_fd, &n);
		last = __atomic_load_n(&s->stop, __ATOMIC_ACQUIRE);
		while (!__atomic_load_n(&s->given_up, __ATOMIC_RELAXED) && take_some(s))
			;
	}
	return NULL;
}

static void wake(struct spool *s)
{
	if (__atomic_exchange_n(&s->asleep, false, __ATOMIC_SEQ_CST))
		eventfd_write(s->wake_fd, 1);
}

static void free_spool(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->wake_fd >= 0)
		close(s->wake_fd);
	free(s->buf);
	free(s);
}

int spool_open(const char *path, size_t size, const struct spool_user *user,
	       struct spool **out)
{
	struct spool *s = calloc(1, sizeof(*s));
	int ret = -ENOMEM;

	if (!s)
		return ret;
	s->size = size;
	s->user = *user;
	s->wake_fd = -1;
	s->buf = malloc(AT_ONCE);
	s->fd = open_unnamed(path);
	if (s->buf)
		ret = s->fd < 0 ? s->fd : 0;
	if (!ret) {
		s->wake_fd = eventfd(0, EFD_CLOEXEC);
		ret = s->wake_fd < 0 ? -errno : -pthread_create(&s->thread, NULL, take, s);
	}
	if (!ret)
		*out = s;
	else
		free_spool(s);
	return ret;
}

size_t spool_put(struct spool *s, const char *first, size_t n)
{
	size_t len = n * s->size, done = 0;

	while (done < len) {
		ssize_t now = pwrite(s->fd, first + done, len - done, s->put + done);

		if (now > 0)
			done += now;
		else if (!now || errno != EINTR)
			break;
	}
	done /= s->size;
	__atomic_store_n(&s->put, s->put + done * s->size, __ATOMIC_SEQ_CST);
	wake(s);
	return done;
}

static size_t left(const struct spool *s)
{
	return (s->put - __atomic_load_n(&s->taken, __ATOMIC_RELAXED)) / s->size;
}

static void join(struct spool *s)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	for (;;) {
		at.tv_nsec += WAIT_NS;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
		if (pthread_timedjoin_np(s->thread, NULL, &at) != ETIMEDOUT)
			return;
		if (!s->user.wait(s->user.arg, left(s)))
			__atomic_store_n(&s->given_up, true, __ATOMIC_RELAXED);
	}
}

size_t spool_close(struct spool *s)
{
	struct sched_param param;
	size_t lost;
	int policy;

	if (!s)
		return 0;
	if (!pthread_getschedparam(pthread_self(), &policy, &param))
		pthread_setschedparam(s->thread, policy, &param);
	__atomic_store_n(&s->stop, true, __ATOMIC_SEQ_CST);
	eventfd_write(s->wake_fd, 1);
	join(s);
	lost = left(s);
	free_spool(s);
	return lost;
}
