// SPDX-License-Identifier: GPL-2.0
/* Undo a journal: remove what its lines name, after a check that each thing exists and is ours. */
#include <blkid.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "device/device.h"
#include "device/module.h"
#include "device/nullblk.h"
#include "blklat/stack/command.h"
#include "blklat/stack/dm.h"
#include "blklat/stack/lvm.h"
#include "blklat/stack/undo.h"
#include "core/log.h"

/* The first MiB has the labels, the superblocks and LVM's metadata. */
#define HEAD	(1024 * 1024)

/* Try this often, because udev and others open devices for a moment when they come and go. */
#define TRIES	25
#define PAUSE	200000000

#define WORDS	24	/* most words of a line */
#define BLANKS	"\n "

static void pause_a_moment(void)
{
	const struct timespec t = { .tv_nsec = PAUSE };

	nanosleep(&t, NULL);
}

static int not_removed(char *what, size_t len, const char *name, int error)
{
	snprintf(what, len, "%s: cannot be removed: %s", name, strerror(-error));
	return error;
}

static int undo_module(char *const *args, char *what, size_t len)
{
	snprintf(what, len, "module null_blk");
	/* A module that others use stays. */
	return nullblk_loaded() && !unload_module("null_blk");
}

static int undo_nullb(char *const *args, char *what, size_t len)
{
	int ret;

	if (!nullblk_there(args[0]))
		return 0;
	snprintf(what, len, "null_blk device %s", args[0]);
	ret = nullblk_free(args[0]);
	return ret ? not_removed(what, len, args[0], ret) : 1;
}

static int undo_dm(char *const *args, char *what, size_t len)
{
	int ret = dm_remove(args[0], args[1]);

	snprintf(what, len, "dm device %s", args[0]);
	return ret < 0 ? not_removed(what, len, args[0], ret) : ret;
}

struct members {
	char *const *names;	/* NULL-terminated */
	size_t seen;
	bool other;
};

static int look_at_member(const char *dir, const char *name, void *arg)
{
	struct members *m = arg;
	size_t i;

	m->seen++;
	for (i = 0; m->names[i] && strcmp(m->names[i], name); i++)
		;
	m->other |= !m->names[i];
	return 0;
}

/* Return true if this is an array that has only these devices. */
static bool is_array_of(const char *name, char *const *legs)
{
	struct members m = { .names = legs };
	char dir[160], state[32];

	snprintf(dir, sizeof(dir), "/sys/block/%s/md", name);
	if (sys_read(dir, "array_state", state, sizeof(state)) || !strcmp(state, "clear"))
		return false;
	snprintf(dir, sizeof(dir), "/sys/block/%s/slaves", name);
	return !sys_each(dir, look_at_member, &m) && m.seen && !m.other;
}

static int undo_md(char *const *args, char *what, size_t len)
{
	char path[DEV_NAME + 8];
	const char *const argv[] = { "mdadm", "--stop", path, NULL };
	int i;

	snprintf(path, sizeof(path), "/dev/%s", args[0]);
	snprintf(what, len, "md array %s", args[0]);
	for (i = 0; is_array_of(args[0], args + 1); i++) {
		if (i == TRIES / 5)
			return not_removed(what, len, args[0], -EBUSY);
		if (command_try(argv))
			pause_a_moment();
	}
	return i ? 1 : 0;
}

static int undo_vg(char *const *args, char *what, size_t len)
{
	int ret = lvm_remove_group(args[0], args + 1);

	snprintf(what, len, "volume group %s", args[0]);
	return ret < 0 ? not_removed(what, len, args[0], ret) : ret;
}

/* Compare without punctuation: "626c6b6c:6174..." and "626c6b6c-6174-..." are the same. */
static bool same_uuid(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (*a != *b)
			return false;
		if (!*a)
			return true;
	}
}

/* Return true if the first signature on the device has this type and uuid. */
static bool carries(int fd, dev_t dev, const char *type, const char *uuid)
{
	const char *has_type = NULL, *has_uuid = NULL;
	struct stat st;
	bool found = false;
	blkid_probe pr;

	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != dev)
		return false;
	pr = blkid_new_probe();
	if (!pr)
		return false;
	if (!blkid_probe_set_device(pr, fd, 0, 0)) {
		blkid_probe_enable_superblocks(pr, 1);
		blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_UUID |
						  BLKID_SUBLKS_MAGIC);
		found = !blkid_do_probe(pr) &&
			!blkid_probe_lookup_value(pr, "TYPE", &has_type, NULL) &&
			!blkid_probe_lookup_value(pr, "UUID", &has_uuid, NULL) &&
			!strcmp(type, has_type) && same_uuid(uuid, has_uuid);
	}
	blkid_free_probe(pr);
	return found;
}

static int zero_head(int fd)
{
	void *zeros = calloc(1, HEAD);
	int ret = 0;

	if (!zeros)
		return -ENOMEM;
	if (pwrite(fd, zeros, HEAD, 0) != HEAD || fsync(fd))
		ret = -(errno ?: EIO);
	free(zeros);
	return ret;
}

static int open_alone(const char *path)
{
	int fd, i;

	for (i = 0; i < TRIES; i++) {
		fd = open(path, O_RDWR | O_EXCL | O_CLOEXEC);
		if (fd >= 0 || errno != EBUSY)
			break;
		pause_a_moment();
	}
	return fd < 0 ? -errno : fd;
}

static int undo_wipe(char *const *args, char *what, size_t len)
{
	unsigned int ma, mi;
	struct device d;
	int fd, ret;

	if (sscanf(args[1], "%u:%u", &ma, &mi) != 2 || device_from_dev(makedev(ma, mi), &d) ||
	    strcmp(d.name, args[0]))
		return 0;
	fd = open(d.path, O_RDONLY | O_CLOEXEC);
	snprintf(what, len, "signature of %s on %s", args[2], args[0]);
	if (fd < 0)
		return errno == ENXIO || errno == ENODEV || errno == ENOENT ? 0 :
			not_removed(what, len, args[0], -errno);
	ret = carries(fd, d.dev, args[2], args[3]);
	close(fd);
	if (!ret)
		return 0;
	fd = open_alone(d.path);
	if (fd < 0)
		return not_removed(what, len, args[0], fd);
	/* Others had the device while this waited, and may have put their data there. */
	if (carries(fd, d.dev, args[2], args[3]))
		ret = zero_head(fd) ?: 1;
	else
		ret = 0;
	close(fd);
	return ret < 0 ? not_removed(what, len, args[0], ret) : ret;
}

/*
 * Remove what a line of a journal names. @words: the words of the line, @n of them, at least 1.
 * @what: set to what was removed, or what could not be removed and why. Return: 1 if the thing was
 * there and is removed, 0 if it was not there, or -errno.
 */
static int undo_line(char *const *words, size_t n, char *what, size_t len)
{
	static const struct {
		const char *word;
		size_t args;	/* least number of arguments */
		int (*undo)(char *const *args, char *what, size_t len);
	} kinds[] = {
		{ "null_blk", 0, undo_module }, { "nullb", 1, undo_nullb }, { "dm", 2, undo_dm },
		{ "md", 2, undo_md }, { "vg", 2, undo_vg }, { "wipe", 4, undo_wipe },
		{ "blklat", 0, NULL },
	};
	char *args[32] = { NULL };
	size_t i;

	for (i = 1; i < n && i < 31; i++)
		args[i - 1] = words[i];
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		/* A line with too few words was half written: its thing was not begun. */
		if (strcmp(words[0], kinds[i].word) || n - 1 < kinds[i].args)
			continue;
		return kinds[i].undo ? kinds[i].undo(args, what, len) : 0;
	}
	return 0;
}

/* Undo a line of the journal. This changes the text of @line. Return: as undo_line(). */
static int undo_text(char *line, char *what, size_t len)
{
	char *words[WORDS], *save = NULL, *w;
	size_t n = 0;

	for (w = strtok_r(line, BLANKS, &save); w && n < WORDS; w = strtok_r(NULL, BLANKS, &save))
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

static char *read_all(int fd, off_t *size)
{
	struct stat st;
	char *text;

	*size = 0;
	if (fstat(fd, &st))
		return NULL;
	text = calloc(1, st.st_size + 1);
	*size = text ? pread(fd, text, st.st_size, 0) : 0;
	if (*size == st.st_size)
		return text;
	free(text);
	return NULL;
}

int journal_undo(const char *path, off_t from, void (*done)(const char *what),
		 void (*failed)(const char *what))
{
	int fd = open(path, O_RDWR | O_CLOEXEC), ret = 0, error;
	off_t size, start, end;
	char *text;

	if (fd < 0)
		return errno == ENOENT ? 0 : err(-errno, "%s: %s", path, strerror(errno));
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
	if (!text)
		ret = err(-EIO, "%s: the list of what was made cannot be read", path);
	free(text);
	close(fd);
	return ret;
}
