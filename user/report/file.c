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
#include "report/file.h"
#include "report/report.h"

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

int report_file_write(const char *path, const char *text, mode_t mode)
{
	struct stat st;
	int fd, ret;

	if (report_is_stdout(path))
		return fflush(stdout) ? -errno : put_all(STDOUT_FILENO, text);
	/*
	 * A file must not be renamed over devices, pipes and links such as /dev/stdout: write to
	 * them directly.
	 */
	if (lstat(path, &st) || S_ISREG(st.st_mode))
		return replace_file(path, text, mode);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	ret = put_all(fd, text);
	close(fd);
	return ret;
}
