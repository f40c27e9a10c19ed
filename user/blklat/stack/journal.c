// SPDX-License-Identifier: GPL-2.0
/* Write the journal of the things that a run makes, and undo its lines. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include "blklat/stack/journal.h"
#include "blklat/stack/undo.h"

#define LINE_LEN	1024
#define JOURNAL_BLANKS	"\n "

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

static char *read_all(int fd, off_t *size)
{
	struct stat st;
	char *text;

	*size = 0;
	if (fstat(fd, &st))
		return NULL;
	text = calloc(1, st.st_size + 1);
	if (text && pread(fd, text, st.st_size, 0) == st.st_size)
		*size = st.st_size;
	return text;
}

/* Undo a line, whose text this changes. Return: as undo_line(). */
static int undo_text(char *line, char *what, size_t len)
{
	char *words[JOURNAL_WORDS], *save = NULL, *w;
	size_t n = 0;

	for (w = strtok_r(line, JOURNAL_BLANKS, &save); w && n < JOURNAL_WORDS;
	     w = strtok_r(NULL, JOURNAL_BLANKS, &save))
		words[n++] = w;
	/* Skip empty lines, and lines that are marked as done. */
	if (!n || *words[0] == '#')
		return 0;
	return undo_line(words, n, what, len);
}

/* Undo the line at @start, and mark it as done. Return: 0 or -errno. */
static int undo_at(int fd, char *text, off_t start, void (*done)(const char *what),
		   void (*failed)(const char *what))
{
	char what[300] = "";
	int ret = undo_text(text + start, what, sizeof(what));

	if (ret < 0) {
		if (failed)
			failed(what);
		return ret;
	}
	if (ret > 0 && done)
		done(what);
	if (pwrite(fd, "#", 1, start) != 1)
		return -EIO;
	return 0;
}

int journal_undo(const char *path, off_t from, void (*done)(const char *what),
		 void (*failed)(const char *what))
{
	int fd = open(path, O_RDWR | O_CLOEXEC), ret = 0, error;
	off_t size, start, end;
	char *text;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	text = read_all(fd, &size);
	for (end = size; text && end > from; end = start) {
		start = end - 1;
		while (start > from && text[start - 1] != '\n')
			start--;
		error = undo_at(fd, text, start, done, failed);
		ret = ret ?: error;
		/* After a failure, lines that are undone stay in the file, marked as done. */
		if (!ret && ftruncate(fd, start))
			ret = -errno;
		text[start] = 0;
	}
	free(text);
	close(fd);
	return text ? ret : -ENOMEM;
}

void journal_close(struct journal *j)
{
	if (!journal_end(j))
		unlink(j->path);
	close(j->fd);
	j->fd = -1;
}
