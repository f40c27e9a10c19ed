// SPDX-License-Identifier: GPL-2.0
/* Read and write small files of sysfs, and walk its directories. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "core/log.h"
#include "core/utf8.h"
#include "device/device.h"

int sys_check(void)
{
	if (!access("/sys/class", F_OK))
		return 0;
	return err(-ENOENT, "sysfs is not mounted at /sys (mount -t sysfs none /sys)");
}

int sys_read(const char *dir, const char *file, char *buf, size_t len)
{
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	*buf = 0;
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, len - 1);
	if (n < 0) {
		n = -errno;
		close(fd);
		return n;
	}
	close(fd);
	buf[n] = 0;
	/* Model and serial strings are padded with blanks. */
	while (n && strchr(" \t\n", buf[n - 1]))
		buf[--n] = 0;
	memmove(buf, buf + strspn(buf, " \t"), strlen(buf + strspn(buf, " \t")) + 1);
	/* A device gives its model and serial itself, and may put anything in them. */
	utf8_clean(buf);
	return 0;
}

int sys_read_chosen(const char *dir, const char *file, char *buf, size_t len)
{
	char text[256], *from, *to;
	int ret = sys_read(dir, file, text, sizeof(text));

	if (ret)
		return ret;
	from = strchr(text, '[');
	to = from ? strchr(from, ']') : NULL;
	if (to)
		*to = 0;
	snprintf(buf, len, "%s", to ? from + 1 : text);
	return 0;
}

/* This is a flag in /proc/PID/stat, see include/linux/sched.h of the kernel. */
#define PF_KTHREAD 0x00200000

bool sys_task(const char *dir, struct sys_task *task)
{
	char stat[1024], *open, *close;
	unsigned long flags;

	if (sys_read(dir, "stat", stat, sizeof(stat)))
		return false;
	/* The text is "12 (name) D 1 ...". A name may have parentheses and blanks itself. */
	open = strchr(stat, '(');
	close = strrchr(stat, ')');
	/* Five numbers are between state and flags: parent, group, session, tty and tty's group. */
	if (!open || !close || close < open ||
	    sscanf(close + 1, " %c %*d %*d %*d %*d %*d %lu", &task->state, &flags) != 2)
		return false;
	*close = '\0';
	snprintf(task->comm, sizeof(task->comm), "%s", open + 1);
	task->kernel = flags & PF_KTHREAD;
	return true;
}

int sys_write(const char *dir, const char *file, const char *value)
{
	char path[PATH_MAX];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

uint64_t sys_num(const char *dir, const char *file)
{
	char buf[32];

	if (sys_read(dir, file, buf, sizeof(buf)))
		return 0;
	return strtoull(buf, NULL, 10);
}

size_t sys_nums(const char *dir, const char *file, uint64_t *v, size_t max)
{
	char text[512], *p = text, *end;
	size_t n = 0;

	if (sys_read(dir, file, text, sizeof(text)))
		return 0;
	for (; n < max; n++, p = end) {
		v[n] = strtoull(p, &end, 10);
		if (end == p)
			break;
	}
	return n;
}

dev_t sys_dev(const char *dir)
{
	unsigned int ma, mi;
	char buf[32];

	if (sys_read(dir, "dev", buf, sizeof(buf)) || sscanf(buf, "%u:%u", &ma, &mi) != 2)
		return 0;
	return makedev(ma, mi);
}

int sys_each(const char *dir, int (*fn)(const char *dir, const char *name, void *arg), void *arg)
{
	DIR *dp = opendir(dir);
	struct dirent *e;
	int ret = 0;

	if (!dp)
		return -errno;
	while (!ret && (e = readdir(dp))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		ret = fn(dir, e->d_name, arg);
	}
	closedir(dp);
	return ret;
}
