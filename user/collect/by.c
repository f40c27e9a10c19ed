// SPDX-License-Identifier: GPL-2.0
/* I/Os in groups: of one kind, size, process, task's name or control group. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "collect/by.h"
#include "core/units.h"

#define CGROUPS "/sys/fs/cgroup"
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
 * @groups: @n of them, and behind them place for the rest
 * @n: how many
 * @at: 1 + index of a group, by the hash of its key
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
	if (by->devs && by->devs[max_devs - 1])
		return by;
	by_free(by);
	return NULL;
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

/* Finds the group with this key, or makes it. */
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

static uint64_t wanted_cgroup;
static char *found_cgroup;

/* A directory's inode number is the id of its control group. */
static int is_cgroup(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	if (type != FTW_D || st->st_ino != wanted_cgroup)
		return 0;
	found_cgroup = strdup(path + strlen(CGROUPS));
	return 1;
}

static void cgroup_label(uint64_t id, char *buf, size_t len)
{
	wanted_cgroup = id;
	found_cgroup = NULL;
	if (id)
		nftw(CGROUPS, is_cgroup, 16, FTW_PHYS | FTW_MOUNT);
	if (found_cgroup)
		snprintf(buf, len, "%s", *found_cgroup ? found_cgroup : "/");
	else if (id)
		snprintf(buf, len, "%llu (gone)", (unsigned long long)id);
	else
		snprintf(buf, len, "(none)");
	free(found_cgroup);
}

void by_label(enum by_key key, const struct by_group *g, char *buf, size_t len)
{
	char size[FMT_LEN];

	switch (key) {
	case BY_OP:
		snprintf(buf, len, "%s", op_names[g->id[0]]);
		break;
	case BY_SIZE:
		fmt_size(size, sizeof(size), g->id[0]);
		snprintf(buf, len, "%s", size);
		break;
	case BY_PID:
		snprintf(buf, len, "%llu %.*s", (unsigned long long)g->id[0], BLKLAT_COMM_LEN,
			 g->comm[0] ? g->comm : "(gone)");
		break;
	case BY_COMM:
		snprintf(buf, len, "%.*s", BLKLAT_COMM_LEN, g->comm[0] ? g->comm : "(gone)");
		break;
	case BY_CGROUP:
		cgroup_label(g->id[0], buf, len);
		break;
	default:
		*buf = '\0';
	}
}
