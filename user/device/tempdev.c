// SPDX-License-Identifier: GPL-2.0
/* Temporary null_blk devices, made through configfs. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/log.h"
#include "device/module.h"
#include "device/tempdev.h"

#define CONFIGFS	"/sys/kernel/config"
#define SIZE_MB		4096u

/* What the keeper tells its parent, once. */
struct answer {
	int error;
	char name[DEV_NAME];
	char text[300];
};

static int put_attr(const char *dir, const char *name, const char *value)
{
	char path[200];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static int fail(struct answer *a, int error, const char *fmt, ...) __printf(3, 4);
static int fail(struct answer *a, int error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a->text, sizeof(a->text), fmt, ap);
	va_end(ap);
	a->error = error;
	return error;
}

/* Sets @loaded when null_blk was not there before. */
static int get_null_blk(struct answer *a, bool *loaded)
{
	char why[200] = "";

	if (geteuid())
		return fail(a, -EPERM, "making a null_blk device needs root");
	if (access("/sys/module/null_blk", F_OK)) {
		/* Without nr_devices=0 it makes a nullb0 that nobody asked for. */
		if (load_module("null_blk", "nr_devices=0", why, sizeof(why)))
			return fail(a, -ENOENT, "no temporary device, name one to load: %s",
				    *why ? why : "null_blk cannot be loaded");
		*loaded = true;
	}
	if (access(CONFIGFS "/nullb", F_OK) &&
	    mount("configfs", CONFIGFS, "configfs", 0, NULL) && errno != EBUSY)
		return fail(a, -errno, CONFIGFS ": cannot mount: %s", strerror(errno));
	if (access(CONFIGFS "/nullb", F_OK))
		return fail(a, -ENOENT, "this null_blk has no configfs; name a device to load");
	return 0;
}

static int configure(const char *dir, unsigned int queues, unsigned int depth)
{
	const struct {
		const char *name;
		unsigned int value;
	} attrs[] = {
		{ "size", SIZE_MB }, { "blocksize", 512 }, { "queue_mode", 2 },
		{ "irqmode", 0 }, { "memory_backed", 0 }, { "submit_queues", queues },
		{ "hw_queue_depth", depth }, { "power", 1 },
	};
	char value[16];
	size_t i;
	int ret;

	for (i = 0; i < sizeof(attrs) / sizeof(*attrs); i++) {
		snprintf(value, sizeof(value), "%u", attrs[i].value);
		ret = put_attr(dir, attrs[i].name, value);
		if (ret)
			return ret;
	}
	return 0;
}

static int create(struct answer *a, const char *item, char *dir, size_t len,
		  unsigned int queues, unsigned int depth)
{
	char sys[128];
	int ret;

	snprintf(dir, len, CONFIGFS "/nullb/%s", item);
	if (mkdir(dir, 0755))
		return fail(a, -errno, "%s: cannot make: %s", dir, strerror(errno));
	ret = configure(dir, queues, depth);
	if (ret) {
		rmdir(dir);
		return fail(a, ret, "cannot set up a null_blk device: %s", strerror(-ret));
	}
	/* Newer kernels name the disk after the item, older ones by index. */
	snprintf(a->name, sizeof(a->name), "%s", item);
	snprintf(sys, sizeof(sys), "/sys/block/%s", item);
	if (access(sys, F_OK))
		snprintf(a->name, sizeof(a->name), "nullb%u", (unsigned int)sys_num(dir, "index"));
	return 0;
}

static void detach(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	int null = open("/dev/null", O_RDWR);
	size_t i;

	/* Ctrl-C goes to the whole process group, and must not hit the keeper. */
	setsid();
	for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	/* Whoever reads the parent's output must not have to wait for us. */
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

static void keep(int lifeline, int tell, unsigned int queues, unsigned int depth)
{
	struct answer a = { 0 };
	char item[32], dir[128], c;
	bool loaded = false;
	ssize_t n;
	int ret;

	detach();
	snprintf(item, sizeof(item), "nullb_blkgen%d", getpid());
	ret = get_null_blk(&a, &loaded);
	if (!ret)
		ret = create(&a, item, dir, sizeof(dir), queues, depth);
	/* A parent that is gone does not read it; the lifeline says so as well. */
	n = write(tell, &a, sizeof(a));
	(void)n;
	close(tell);
	if (!ret) {
		while (read(lifeline, &c, 1) < 0 && errno == EINTR)
			;
		put_attr(dir, "power", "0");
		rmdir(dir);
	}
	if (loaded)
		execlp("modprobe", "modprobe", "-q", "-r", "null_blk", (char *)NULL);
	_exit(0);
}

int tempdev_create(struct tempdev *t, unsigned int queues, unsigned int depth)
{
	int life[2], tell[2];
	struct answer a;
	ssize_t n;

	if (pipe2(life, O_CLOEXEC))
		return err(-errno, "no pipe: %s", strerror(errno));
	if (pipe2(tell, O_CLOEXEC)) {
		close(life[0]);
		close(life[1]);
		return err(-errno, "no pipe: %s", strerror(errno));
	}
	fflush(NULL);
	t->keeper = fork();
	if (!t->keeper) {
		close(life[1]);
		close(tell[0]);
		keep(life[0], tell[1], queues, depth);
	}
	close(life[0]);
	close(tell[1]);
	t->lifeline = life[1];
	do {
		n = t->keeper < 0 ? 0 : read(tell[0], &a, sizeof(a));
	} while (n < 0 && errno == EINTR);
	close(tell[0]);
	if (n == sizeof(a) && !a.error) {
		snprintf(t->name, sizeof(t->name), "%s", a.name);
		return 0;
	}
	tempdev_destroy(t);
	if (n != sizeof(a))
		return err(-EAGAIN, "cannot start the process that keeps the temporary device");
	return err(a.error, "%s", a.text);
}

void tempdev_destroy(struct tempdev *t)
{
	if (t->lifeline > 0)
		close(t->lifeline);
	t->lifeline = 0;
	if (t->keeper > 0)
		while (waitpid(t->keeper, NULL, 0) < 0 && errno == EINTR)
			;
	t->keeper = 0;
}
