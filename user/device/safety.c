// SPDX-License-Identifier: GPL-2.0
/* Refuse devices that are in use, and open others for exclusive use. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <blkid.h>
#include <libmount.h>
#include "core/log.h"
#include "device/safety.h"

/* Stop at this depth: real stacks are lower, and only a kernel bug makes a loop in sysfs. */
#define MAX_DEPTH 16

struct walk {
	dev_t want;
	int depth;
	bool found;
};

static bool stands_on(dev_t upper, dev_t want, int depth);

static dev_t node_dev(const char *path)
{
	struct stat st;

	if (!path || *path != '/' || stat(path, &st) || !S_ISBLK(st.st_mode))
		return 0;
	return st.st_rdev;
}

/* Return the device that a path is on; 0 if its file system has an anonymous number (btrfs). */
static dev_t path_dev(const char *path)
{
	struct stat st;

	return stat(path, &st) || !major(st.st_dev) ? 0 : st.st_dev;
}

/*
 * Return the device below a loop device: the device that it reads and writes, or the device that
 * its file is on; 0 if @sys is not a loop device in use. The kernel lists neither slaves nor
 * holders for a loop device, and a loop device does not claim the device below.
 */
static dev_t below_loop(const char *sys)
{
	char dir[PATH_MAX], file[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s/loop", sys);
	if (sys_read(dir, "backing_file", file, sizeof(file)))
		return 0;
	return node_dev(file) ?: path_dev(file);
}

static int walk_slave(const char *dir, const char *name, void *arg)
{
	struct walk *w = arg;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	w->found = stands_on(sys_dev(path), w->want, w->depth + 1);
	return w->found;
}

/* Return true if @upper is @want, or is built on it through partitions, dm, md, loop... */
static bool stands_on(dev_t upper, dev_t want, int depth)
{
	struct walk w = { .want = want, .depth = depth };
	char dir[PATH_MAX];
	struct device d;

	if (!upper || depth > MAX_DEPTH)
		return false;
	if (upper == want)
		return true;
	if (device_from_dev(upper, &d))
		return false;
	if (d.partition && stands_on(d.disk_dev, want, depth + 1))
		return true;
	snprintf(dir, sizeof(dir), "%s/slaves", d.sys);
	sys_each(dir, walk_slave, &w);
	return w.found || stands_on(below_loop(d.disk_sys), want, depth + 1);
}

/* Return true if any directory of an overlay file system is on the device. */
static bool overlay_stands_on(struct libmnt_fs *fs, dev_t want)
{
	static const char *const names[] = { "lowerdir", "upperdir", "workdir" };
	char text[PATH_MAX], *dir, *save;
	size_t len, i;
	char *val;

	for (i = 0; i < 3; i++) {
		if (mnt_fs_get_option(fs, names[i], &val, &len) || !val)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)len, val);
		for (dir = strtok_r(text, ":", &save); dir; dir = strtok_r(NULL, ":", &save))
			if (stands_on(path_dev(dir), want, 0))
				return true;
	}
	return false;
}

static bool fs_stands_on(struct libmnt_fs *fs, dev_t want)
{
	const char *type = mnt_fs_get_fstype(fs);
	dev_t dev = mnt_fs_get_devno(fs);

	if (major(dev) && stands_on(dev, want, 0))
		return true;
	/* btrfs and others have anonymous numbers, but their source names a device. */
	if (stands_on(node_dev(mnt_fs_get_srcpath(fs)), want, 0))
		return true;
	return type && !strcmp(type, "overlay") && overlay_stands_on(fs, want);
}

static int check_mounts(const struct device *d)
{
	struct libmnt_table *tb = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	const char *at = NULL;
	struct libmnt_fs *fs;
	bool root = false;
	int ret = 0;

	if (!tb || !it) {
		ret = err(-EBUSY, "%s: cannot read /proc/self/mountinfo to check if it is mounted",
			  d->name);
		goto out;
	}
	while (!mnt_table_next_fs(tb, it, &fs)) {
		if (!fs_stands_on(fs, d->dev))
			continue;
		at = mnt_fs_get_target(fs);
		root |= at && !strcmp(at, "/");
		if (root)
			break;
	}
	if (root)
		ret = err(-EBUSY, "%s: holds the root file system; such a device is never used",
			  d->name);
	else if (at)
		ret = err(-EBUSY, "%s: is mounted on %s; unmount it first", d->name, at);
out:
	mnt_free_iter(it);
	mnt_unref_table(tb);
	return ret;
}

static int check_swap(const struct device *d)
{
	struct libmnt_table *tb = mnt_new_table();
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int ret = 0;

	/* Without /proc/swaps the kernel has no swap at all. */
	if (!tb || !it || mnt_table_parse_swaps(tb, NULL))
		goto out;
	while (!ret && !mnt_table_next_fs(tb, it, &fs)) {
		const char *src = mnt_fs_get_source(fs);

		if (stands_on(node_dev(src), d->dev, 0))
			ret = err(-EBUSY, "%s: is used as swap (%s); run swapoff first", d->name,
				  src);
	}
out:
	mnt_free_iter(it);
	mnt_unref_table(tb);
	return ret;
}

static int name_holder(const char *dir, const char *name, void *arg)
{
	const struct device *d = arg;
	char dm[PATH_MAX], label[DEV_TEXT];

	snprintf(dm, sizeof(dm), "%s/%s/dm", dir, name);
	if (!sys_read(dm, "name", label, sizeof(label)))
		return err(-EBUSY, "%s: is held by %s (%s); remove %s first", d->name, name,
			   label, name);
	return err(-EBUSY, "%s: is held by %s; stop %s first", d->name, name, name);
}

static int check_part_holders(const char *dir, const char *name, void *arg)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!sys_num(path, "partition"))
		return 0;
	strncat(path, "/holders", sizeof(path) - strlen(path) - 1);
	return sys_each(path, name_holder, arg) == -EBUSY ? -EBUSY : 0;
}

static int check_holders(const struct device *d)
{
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s/holders", d->sys);
	if (sys_each(dir, name_holder, (void *)d) == -EBUSY)
		return -EBUSY;
	if (d->partition)
		return 0;
	return sys_each(d->sys, check_part_holders, (void *)d) == -EBUSY ? -EBUSY : 0;
}

/* Return true if a user of @used also uses @d: @d is below @used, or is a partition of it. */
static bool is_used_through(const struct device *d, dev_t used)
{
	return used && (used == d->disk_dev || stands_on(used, d->dev, 0));
}

static int check_loop(const char *dir, const char *name, void *arg)
{
	const struct device *d = arg;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!is_used_through(d, below_loop(path)))
		return 0;
	return err(-EBUSY, "%s: is used by %s; run losetup -d /dev/%s first", d->name, name, name);
}

/* Refuse a device that a namespace of the NVMe target uses: it does not claim the device either. */
static int check_nvmet_ns(const char *dir, const char *name, void *arg)
{
	const struct device *d = arg;
	char path[PATH_MAX], node[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!sys_num(path, "enable") || sys_read(path, "device_path", node, sizeof(node)) ||
	    !is_used_through(d, node_dev(node)))
		return 0;
	return err(-EBUSY, "%s: is exported by the NVMe target (%s); disable that first", d->name,
		   path);
}

static int check_nvmet(const char *dir, const char *name, void *arg)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/namespaces", dir, name);
	return sys_each(path, check_nvmet_ns, arg) == -EBUSY ? -EBUSY : 0;
}

/* Refuse a device whose user is not among its holders in sysfs, and does not claim it either. */
static int check_silent_users(const struct device *d)
{
	if (sys_each("/sys/block", check_loop, (void *)d) == -EBUSY)
		return -EBUSY;
	return sys_each("/sys/kernel/config/nvmet/subsystems", check_nvmet, (void *)d) == -EBUSY ?
		-EBUSY : 0;
}

int device_in_use(const struct device *d)
{
	int ret;

	ret = check_mounts(d);
	if (!ret)
		ret = check_swap(d);
	if (!ret)
		ret = check_holders(d);
	if (!ret)
		ret = check_silent_users(d);
	return ret;
}

/* Refuse a device with a signature. @hint ends the message: it says what the user can do. */
static int probe_signature(const struct device *d, blkid_probe pr, const char *hint)
{
	const char *type = NULL, *pt = NULL;
	int ret;

	blkid_probe_enable_superblocks(pr, 1);
	/* Refuse damaged superblocks too: they are still somebody's data. */
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_MAGIC |
					  BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(pr, 1);
	ret = blkid_do_safeprobe(pr);
	if (ret == 1)
		return 0;
	if (ret == -2)
		return err(-EPERM, "%s: carries several signatures; %s", d->name, hint);
	if (ret < 0)
		return err(-EIO, "%s: cannot be read to look for signatures", d->name);
	blkid_probe_lookup_value(pr, "TYPE", &type, NULL);
	blkid_probe_lookup_value(pr, "PTTYPE", &pt, NULL);
	if (type)
		return err(-EPERM, "%s: carries a signature of %s; %s", d->name, type, hint);
	return err(-EPERM, "%s: carries a partition table (%s); %s", d->name,
		   pt ? pt : "unknown", hint);
}

static int check_signature(const struct device *d, int fd, const char *hint)
{
	blkid_probe pr = blkid_new_probe();
	int ret;

	if (!pr)
		return err(-ENOMEM, "out of memory");
	if (blkid_probe_set_device(pr, fd, 0, 0))
		ret = err(-EIO, "%s: cannot be probed for signatures", d->name);
	else
		ret = probe_signature(d, pr, hint);
	blkid_free_probe(pr);
	return ret;
}

int device_claim(const struct device *d, bool write, bool force_signature, const char *hint)
{
	struct stat st;
	int fd, ret;

	ret = device_in_use(d);
	if (ret)
		return ret;
	fd = open(d->path, (write ? O_RDWR : O_RDONLY) | O_EXCL | O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
		if (ret == -EBUSY)
			return err(ret, "%s: is in use, by another program (fuser -v %s) or by "
				   "the kernel", d->name, d->path);
		if (ret == -EROFS || (ret == -EACCES && write && !geteuid()))
			return err(ret, "%s: is read-only", d->name);
		if (ret == -EACCES || ret == -EPERM)
			return err(ret, "%s: no permission to open it; run as root", d->name);
		return err(ret, "%s: cannot open: %s", d->name, strerror(-ret));
	}
	/* The node or the disk may have been replaced since the device was resolved. */
	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != d->dev ||
	    sys_num(d->disk_sys, "diskseq") != d->diskseq)
		ret = err(-ENXIO, "%s: %s is no longer this device", d->name, d->path);
	else if (write && !force_signature)
		ret = check_signature(d, fd, hint);
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}
