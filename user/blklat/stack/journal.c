// SPDX-License-Identifier: GPL-2.0
/* Write the journal of the things that a run makes. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include "blklat/stack/journal.h"

#define LINE_LEN	1024

int journal_create(struct journal *j)
{
	char hidden[64];
	uint32_t id;

	if (mkdir(JOURNAL_DIR, 0700) && errno != EEXIST)
		return err(-errno, JOURNAL_DIR ": cannot make: %s", strerror(errno));
	if (getrandom(&id, sizeof(id), 0) != sizeof(id))
		id = getpid();
	snprintf(j->id, sizeof(j->id), "%06x", id & 0xffffff);
	snprintf(j->path, sizeof(j->path), JOURNAL_DIR "/stacks-%s", j->id);
	/* Lock the file before it gets its name: else a cleanup would take it. */
	snprintf(hidden, sizeof(hidden), JOURNAL_DIR "/.stacks-%s", j->id);
	j->fd = open(hidden, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (j->fd < 0)
		return err(-errno, "%s: cannot make: %s", hidden, strerror(errno));
	if (flock(j->fd, LOCK_EX | LOCK_NB) || rename(hidden, j->path)) {
		int ret = -errno;

		unlink(hidden);
		close(j->fd);
		j->fd = -1;
		return err(ret, "%s: %s", j->path, strerror(-ret));
	}
	return journal_write(j, "blklat %d", getpid());
}

int journal_write(struct journal *j, const char *fmt, ...)
{
	char line[LINE_LEN];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof(line) - 1)
		return err(-ENAMETOOLONG, "%s: line too long", j->path);
	line[n++] = '\n';
	if (write(j->fd, line, n) != n)
		return err(-EIO, "%s: cannot write: %s", j->path, strerror(errno));
	return 0;
}

off_t journal_end(const struct journal *j)
{
	struct stat st;

	return fstat(j->fd, &st) ? 0 : st.st_size;
}

void journal_close(struct journal *j)
{
	if (!journal_end(j))
		unlink(j->path);
	close(j->fd);
	j->fd = -1;
}
