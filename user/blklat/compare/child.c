// SPDX-License-Identifier: GPL-2.0
/* Run the program that makes the load of a comparison. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include "blklat/compare/child.h"
#include "core/child.h"

#define TICK_MS 100
#define GIVE_UP_MS 2000

static uint64_t ns_of(struct timeval tv)
{
	return tv.tv_sec * 1000000000ull + tv.tv_usec * 1000ull;
}

int compare_child(struct compare *c, const char *const *argv, int out, int keep,
		  void (*tick)(struct compare *c), uint64_t *cpu_ns)
{
	struct pollfd pfd = { .fd = c->sigfd, .events = POLLIN };
	struct child_opts opts = {
		.argv = argv, .in = CHILD_NULL, .out = out, .err = CHILD_OURS,
		.keep = &keep, .nkeep = keep >= 0, .ends_with_us = true,
	};
	struct child child;
	int ret = child_start(&opts, &child);

	if (ret) {
		/* A shell gives this status for a command that cannot be run. */
		c->status = 127;
		return err(-ECHILD, "%s: cannot be run: %s", argv[0], strerror(-ret));
	}
	do {
		poll(&pfd, 1, TICK_MS);
		if (tick)
			tick(c);
	} while (!child_look(c->sigfd, &child) && child.signalled < 2);
	/* A hanging device may hold up the load, so after a second signal wait only GIVE_UP_MS. */
	if (child.pid && !child_wait_for(&child, c->sigfd, GIVE_UP_MS)) {
		c->left = true;
		warn("%s has not ended: process %d is left behind", argv[0], child.pid);
	}
	c->interrupted |= child.signalled;
	*cpu_ns = ns_of(child.use.ru_utime) + ns_of(child.use.ru_stime);
	return c->interrupted ? -EINTR : child.status;
}
