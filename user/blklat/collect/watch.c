// SPDX-License-Identifier: GPL-2.0
/* Watch the kernel's events about block devices. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/netlink.h>
#include "blklat/collect/watch.h"
#include "core/log.h"

enum { FD_UEVENT, FD_MDSTAT };

static int open_uevents(void)
{
	/* Group 1 has the kernel's own events; those of udev may not be there. */
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		verbose("cannot receive uevents of block devices: %s", strerror(errno));
	return fd;
}

/* Read mdstat to its end, because that tells md that its events up to now were seen. */
static void read_mdstat(int fd)
{
	char buf[4096];

	if (lseek(fd, 0, SEEK_SET) < 0)
		return;
	while (read(fd, buf, sizeof(buf)) > 0)
		;
}

void watch_open(struct watch *w)
{
	w->fds[FD_UEVENT] = (struct pollfd){ .fd = open_uevents(), .events = POLLIN };
	w->fds[FD_MDSTAT] = (struct pollfd){
		.fd = open("/proc/mdstat", O_RDONLY | O_CLOEXEC), .events = POLLPRI,
	};
	if (w->fds[FD_MDSTAT].fd >= 0)
		read_mdstat(w->fds[FD_MDSTAT].fd);
}

/*
 * Return true if a uevent is about a block device. Its text is
 * "change@/devices/virtual/block/dm-0", then KEY=VALUE strings, each with a 0 at its end.
 */
static bool is_block(const char *text, size_t len)
{
	static const char key[] = "SUBSYSTEM=block";

	for (size_t at = 0; at < len; at += strnlen(text + at, len - at) + 1)
		if (len - at >= sizeof(key) && !memcmp(text + at, key, sizeof(key)))
			return true;
	return false;
}

static bool read_uevents(int fd)
{
	bool block = false;
	char buf[8192];
	ssize_t n;

	while ((n = recv(fd, buf, sizeof(buf), 0)) > 0 || (n < 0 && errno == ENOBUFS))
		block |= n < 0 || is_block(buf, n);
	return block;
}

bool watch_read(struct watch *w)
{
	bool some = false;

	if (w->fds[FD_UEVENT].revents & POLLIN)
		some |= read_uevents(w->fds[FD_UEVENT].fd);
	if (w->fds[FD_MDSTAT].revents & (POLLPRI | POLLERR)) {
		read_mdstat(w->fds[FD_MDSTAT].fd);
		some = true;
	}
	return some;
}

void watch_close(struct watch *w)
{
	for (int i = 0; i < WATCH_FDS; i++)
		if (w->fds[i].fd >= 0)
			close(w->fds[i].fd);
}
