// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the least that random 4 KiB reads of a block device cost a process: use io_uring with a
 * registered file and registered buffers, submit 32 at a time of 128 in flight, and count and time
 * nothing, as fio's t/io_uring does it. That program is in no package and can't always be built.
 *
 *	uring [-p] DEVICE IOS		-p: poll for completions
 *
 * It prints the time per read in ns.
 */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/fs.h>
#include <time.h>
#include <unistd.h>

#define BS	4096u
#define DEPTH	128u
#define BATCH	32u

struct load {
	struct io_uring ring;
	char *data;			/* DEPTH buffers */
	unsigned int idle[DEPTH];	/* those not in use */
	unsigned int nr_idle;
	uint64_t nr_blocks;
	uint64_t lcg;
};

static void die(const char *what, int err)
{
	fprintf(stderr, "uring: %s: %s\n", what, strerror(err));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void setup(struct load *l, const char *path, unsigned int flags)
{
	struct iovec iov[DEPTH];
	uint64_t size;
	int fd, ret;

	fd = open(path, O_RDONLY | O_DIRECT);
	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &size))
		die(path, errno);
	l->nr_blocks = size / BS;
	ret = io_uring_queue_init(DEPTH, &l->ring, flags);
	if (ret)
		die("io_uring_queue_init", -ret);
	if (posix_memalign((void **)&l->data, BS, DEPTH * BS))
		die("buffers", ENOMEM);
	memset(l->data, 0, DEPTH * BS);
	for (unsigned int i = 0; i < DEPTH; i++) {
		iov[i] = (struct iovec){ l->data + i * BS, BS };
		l->idle[l->nr_idle++] = i;
	}
	ret = io_uring_register_buffers(&l->ring, iov, DEPTH);
	if (!ret)
		ret = io_uring_register_files(&l->ring, &fd, 1);
	if (!ret)
		ret = io_uring_register_ring_fd(&l->ring) == 1 ? 0 : -EINVAL;
	if (ret)
		die("registering", -ret);
}

static void prepare(struct load *l)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&l->ring);
	unsigned int i = l->idle[--l->nr_idle];

	l->lcg = l->lcg * 6364136223846793005ull + 1442695040888963407ull;
	io_uring_prep_read_fixed(sqe, 0, l->data + i * BS, BS,
				 ((l->lcg >> 32) * l->nr_blocks >> 32) * BS, i);
	sqe->flags = IOSQE_FIXED_FILE;
	sqe->user_data = i;
}

/* Reap all completions. Return how many reads have completed. */
static unsigned int reap(struct load *l)
{
	struct io_uring_cqe *cqe;
	unsigned int head, n = 0;

	io_uring_for_each_cqe(&l->ring, head, cqe) {
		if (cqe->res != (int)BS)
			die("read", cqe->res < 0 ? -cqe->res : EIO);
		l->idle[l->nr_idle++] = cqe->user_data;
		n++;
	}
	io_uring_cq_advance(&l->ring, n);
	return n;
}

static void run(struct load *l, uint64_t ios)
{
	uint64_t sent = 0, done = 0;
	int ret;

	while (done < ios) {
		unsigned int n;

		for (n = 0; n < BATCH && l->nr_idle && sent < ios; n++, sent++)
			prepare(l);
		n = sent - done < BATCH ? sent - done : BATCH;
		ret = io_uring_submit_and_wait(&l->ring, n);
		if (ret < 0)
			die("io_uring_enter", -ret);
		done += reap(l);
	}
}

int main(int argc, char **argv)
{
	int polled = argc == 4 && !strcmp(argv[1], "-p");
	static struct load load;
	uint64_t ios, t0;

	if (argc != 3 + polled) {
		fprintf(stderr, "usage: uring [-p] DEVICE IOS\n");
		return 2;
	}
	ios = strtoull(argv[2 + polled], NULL, 0);
	setup(&load, argv[1 + polled], polled ? IORING_SETUP_IOPOLL : 0);
	t0 = now_ns();
	run(&load, ios);
	printf("%.1f\n", (double)(now_ns() - t0) / ios);
	return 0;
}
