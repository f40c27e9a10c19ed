// SPDX-License-Identifier: GPL-2.0
/* Group I/Os by kind, size, process, name of the task or control group. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blklat/collect/by.h"
#include "core/utf8.h"

#define CGROUPS "/sys/fs/cgroup"
/* A handle of a file in cgroupfs has this type, FILEID_KERNFS of include/linux/exportfs.h. */
#define HANDLE_KERNFS 0xfe
#define PLACES (2 * BY_GROUPS)

const char *const by_names[] = { "none", "op", "size", "pid", "comm", "cgroup", NULL };
_Static_assert(sizeof(by_names) / sizeof(*by_names) == NR_BY_KEYS + 1, "a key has no name");

static const char *const op_names[] = {
#define OP(id, name) name,
	BLKLAT_OPS(OP)
#undef OP
};

/**
 * struct by_dev - the groups of one device
 * @groups: the groups; the last entry is for the I/Os of all further groups
 * @n: number of groups
 * @at: hash table by key, with 1 + index of each group; 0 in an empty place
 */
struct by_dev {
	struct by_group groups[BY_GROUPS + 1];
	uint16_t n;
	uint16_t at[PLACES];
};

struct by {
	enum by_key key;
	unsigned int max_devs;
	struct by_dev **devs;
};

struct by *by_new(enum by_key key, unsigned int max_devs)
{
	struct by *by = calloc(1, sizeof(*by));

	if (!by)
		return NULL;
	by->key = key;
	by->max_devs = max_devs;
	by->devs = calloc(max_devs, sizeof(*by->devs));
	for (unsigned int i = 0; by->devs && i < max_devs; i++)
		by->devs[i] = calloc(1, sizeof(**by->devs));
	for (unsigned int i = 0; i < max_devs; i++) {
		if (!by->devs || !by->devs[i]) {
			by_free(by);
			return NULL;
		}
	}
	return by;
}

void by_free(struct by *by)
{
	for (unsigned int i = 0; by && by->devs && i < by->max_devs; i++) {
		for (unsigned int g = 0; by->devs[i] && g <= BY_GROUPS; g++) {
			for (unsigned int row = 0; row < NR_ALL_ROWS; row++) {
				struct hist *h = by->devs[i]->groups[g].rows[row];

				if (h)
					hist_free(h);
				free(h);
			}
			free(by->devs[i]->groups[g].path);
		}
		free(by->devs[i]);
	}
	if (by)
		free(by->devs);
	free(by);
}

static void key_of(enum by_key key, const struct blklat_io *io, uint64_t id[2])
{
	id[0] = id[1] = 0;
	switch (key) {
	case BY_OP:
		id[0] = io->op;
		break;
	case BY_SIZE:
		id[0] = io->bytes;
		break;
	case BY_PID:
		id[0] = io->origin.tgid;
		break;
	case BY_COMM:
		memcpy(id, io->comm, BLKLAT_COMM_LEN);
		break;
	case BY_CGROUP:
		id[0] = io->origin.cgroup;
		break;
	default:
		break;
	}
}

/* Return the path of a control group below the mount point, NULL if it is gone. */
static char *cgroup_path(uint64_t id)
{
	struct {
		struct file_handle head;
		uint64_t id;
	} handle = { .head = { .handle_bytes = sizeof(id), .handle_type = HANDLE_KERNFS } };
	char link[64], path[4096];
	int root, fd;
	ssize_t n;

	memcpy(handle.head.f_handle, &id, sizeof(id));
	root = open(CGROUPS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return NULL;
	fd = open_by_handle_at(root, &handle.head, O_PATH | O_CLOEXEC);
	close(root);
	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	close(fd);
	if (n < (ssize_t)strlen(CGROUPS))
		return NULL;
	path[n] = '\0';
	return strdup(path[strlen(CGROUPS)] ? path + strlen(CGROUPS) : "/");
}

/* Find or make the group with this key; if there is no room, return that of all further groups. */
static struct by_group *find_group(struct by_dev *d, const uint64_t id[2])
{
	uint32_t hash = (id[0] ^ id[1] * 31) * 0x9E3779B97F4A7C15ULL >> 32;

	for (unsigned int i = 0; i < PLACES; i++) {
		uint16_t *at = &d->at[(hash + i) % PLACES];

		if (*at && !memcmp(d->groups[*at - 1].id, id, sizeof(d->groups[0].id)))
			return &d->groups[*at - 1];
		if (*at)
			continue;
		if (d->n == BY_GROUPS)
			break;
		*at = ++d->n;
		memcpy(d->groups[*at - 1].id, id, sizeof(d->groups[0].id));
		return &d->groups[*at - 1];
	}
	return &d->groups[BY_GROUPS];
}

struct hist **by_rows(struct by *by, const struct blklat_io *io)
{
	struct by_group *g;
	uint64_t id[2];

	key_of(by->key, io, id);
	g = find_group(by->devs[io->dev], id);
	if (!g->comm[0])
		memcpy(g->comm, io->comm, sizeof(g->comm));
	/* Look up the path now, because the control group may be gone at the end of the trace. */
	if (by->key == BY_CGROUP && id[0] && !g->known) {
		g->known = true;
		g->path = cgroup_path(id[0]);
	}
	return g->rows;
}

size_t by_groups(const struct by *by, unsigned int dev, const struct by_group **groups,
		 const struct by_group **rest)
{
	const struct by_dev *d = by->devs[dev];

	*groups = d->groups;
	*rest = d->groups[BY_GROUPS].rows[ROW_OF_SPAN(SPAN_TOTAL)] ? &d->groups[BY_GROUPS] : NULL;
	return d->n;
}

/*
 * Write a size in the largest unit of which it is a multiple. If it were rounded, two sizes could
 * have the same label.
 */
static void size_label(uint64_t bytes, char *buf, size_t len)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB" };
	unsigned int unit = 0;

	while (unit < 3 && bytes && !(bytes % 1024)) {
		bytes /= 1024;
		unit++;
	}
	snprintf(buf, len, "%llu%s", (unsigned long long)bytes, units[unit]);
}

void by_label(enum by_key key, const struct by_group *g, char *buf, size_t len)
{
	switch (key) {
	case BY_OP:
		snprintf(buf, len, "%s", op_names[g->id[0]]);
		break;
	case BY_SIZE:
		size_label(g->id[0], buf, len);
		break;
	case BY_PID:
		snprintf(buf, len, "%llu %.*s", (unsigned long long)g->id[0], BLKLAT_COMM_LEN,
			 g->comm);
		break;
	case BY_COMM:
		snprintf(buf, len, "%.*s", BLKLAT_COMM_LEN, g->comm[0] ? g->comm : "(no name)");
		break;
	case BY_CGROUP:
		if (g->path)
			snprintf(buf, len, "%s", g->path);
		else
			snprintf(buf, len, g->id[0] ? "%llu (gone)" : "(none)",
				 (unsigned long long)g->id[0]);
		break;
	default:
		*buf = '\0';
	}
	/* A task may give itself any name. */
	utf8_clean(buf);
}
