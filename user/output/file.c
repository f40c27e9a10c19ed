// SPDX-License-Identifier: GPL-2.0
/* Write results to files so that no reader sees an incomplete file. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/log.h"
#include "output/file.h"

bool report_is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

mode_t report_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

int report_file_no_disk(const char *path)
{
	struct stat st;

	if (!path || report_is_stdout(path) || stat(path, &st) || !S_ISBLK(st.st_mode))
		return 0;
	return err(-ENOTSUP, "%s: is a block device, whose data would be overwritten; name a file",
		   path);
}

/* Open an output file and empty it. Return the fd, or -errno: -ENOTSUP for a block device. */
static int open_empty(const char *path, mode_t mode)
{
	int flags = O_WRONLY | O_CLOEXEC, fd, ret = 0;
	struct stat st;

	/*
	 * With O_CREAT, root may not open another user's pipe in a directory like /tmp
	 * (fs.protected_fifos). Another user's regular file there stays protected.
	 */
	if (stat(path, &st) || S_ISREG(st.st_mode))
		flags |= O_CREAT;
	/* Even to open a disk for writing has effects: udev reads it again when it is closed. */
	else if (S_ISBLK(st.st_mode))
		return -ENOTSUP;
	fd = open(path, flags, mode);
	if (fd < 0)
		return -errno;
	/* The path may lead to another file by now. */
	if (fstat(fd, &st))
		ret = -errno;
	else if (S_ISBLK(st.st_mode))
		ret = -ENOTSUP;
	else if (S_ISREG(st.st_mode) && ftruncate(fd, 0))
		ret = -errno;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int report_file_open(const char *path)
{
	int fd = report_file_no_disk(path);

	if (fd)
		return fd;
	fd = open_empty(path, 0666);
	return fd < 0 ? err(fd, "%s: cannot be written: %s", path, strerror(-fd)) : fd;
}

static int put_all(int fd, const char *s)
{
	size_t left = strlen(s);

	while (left) {
		ssize_t n = write(fd, s, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		s += n;
		left -= n;
	}
	return 0;
}

static int replace_file(const char *path, const char *text, mode_t mode)
{
	char tmp[PATH_MAX];
	int fd, ret;

	if (snprintf(tmp, sizeof(tmp), "%s.XXXXXX", path) >= (int)sizeof(tmp))
		return -ENAMETOOLONG;
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = put_all(fd, text);
	if (!ret && fchmod(fd, mode))
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(tmp, path))
		ret = -errno;
	if (ret)
		unlink(tmp);
	return ret;
}

static bool in_system(const char *path)
{
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/*
 * Write the path of the file that a link leads to into @real. Return false if @path is no link to a
 * regular file. Also return false for /dev/stdout and for a link to it: other programs may write to
 * that file, so it must not be replaced.
 */
static bool linked_file(const char *path, char real[PATH_MAX])
{
	struct stat st;
	ssize_t n = readlink(path, real, PATH_MAX - 1);

	if (n < 0 || in_system(path))
		return false;
	real[n] = '\0';
	return !in_system(real) && !stat(path, &st) && S_ISREG(st.st_mode) && realpath(path, real);
}

int report_file_write(const char *path, const char *text, mode_t mode)
{
	char real[PATH_MAX];
	struct stat st;
	int fd, ret;

	if (report_is_stdout(path))
		return fflush(stdout) ? -errno : put_all(STDOUT_FILENO, text);
	/*
	 * A file must not be renamed over devices, pipes and links such as /dev/stdout: write to
	 * them directly.
	 */
	if (linked_file(path, real)) {
		ret = replace_file(real, text, mode);
		/* The file may be writable where its directory takes no new file. */
		if (ret != -EACCES && ret != -EPERM && ret != -EROFS && ret != -EBUSY)
			return ret;
	}
	if (lstat(path, &st) || S_ISREG(st.st_mode))
		return replace_file(path, text, mode);
	fd = open_empty(path, mode);
	if (fd < 0)
		return fd;
	ret = put_all(fd, text);
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}
