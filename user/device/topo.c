// SPDX-License-Identifier: GPL-2.0
/* Make a graph of a stack of block devices, from sysfs. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/log.h"
#include "core/text.h"
#include "device/topo.h"

/* Stop at this depth: real stacks are lower, and only a kernel bug makes a loop in sysfs. */
#define MAX_DEPTH 64

/*
 * These are directories of devices in /sys, with links resolved. All the devices are below the
 * device @of, or all are above it.
 */
struct dirs {
	char **v;
	size_t n;
	const struct device *of;
};

static int dirs_add(struct dirs *l, const char *path)
{
	char real[PATH_MAX], **v;

	/* If the path does not exist any more, the device went away meanwhile: leave it out. */
	if (!realpath(path, real))
		return 0;
	v = realloc(l->v, (l->n + 1) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	l->v = v;
	v[l->n] = strdup(real);
	if (!v[l->n])
		return -ENOMEM;
	l->n++;
	return 0;
}

static void dirs_free(struct dirs *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(path_base(*(char *const *)a), path_base(*(char *const *)b));
}

static int add_entry(const char *dir, const char *name, void *arg)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return dirs_add(arg, path);
}

static int add_partition(const char *dir, const char *name, void *arg)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return sys_num(path, "partition") ? dirs_add(arg, path) : 0;
}

static int add_path(const char *dir, const char *name, void *arg)
{
	struct dirs *l = arg;
	unsigned int ctrl;

	return device_is_nvme_path(name, l->of->name, &ctrl) ? add_entry(dir, name, l) : 0;
}

static int add_head(const char *dir, const char *name, void *arg)
{
	struct dirs *l = arg;
	unsigned int ctrl;

	return device_is_nvme_path(l->of->name, name, &ctrl) ? add_entry(dir, name, l) : 0;
}

/* List the devices directly below @d, sorted by name. */
static int lower_dirs(const struct device *d, struct dirs *l)
{
	char dir[600];
	int ret = 0;

	l->of = d;
	if (d->partition)
		return dirs_add(l, d->disk_sys);
	if (device_is_nvme_head(d))
		ret = sys_each("/sys/block", add_path, l);
	snprintf(dir, sizeof(dir), "%s/slaves", d->sys);
	if (!ret)
		ret = sys_each(dir, add_entry, l);
	if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), by_name);
	return ret == -ENOENT ? 0 : ret;
}

/* List the devices directly above @d, sorted by name. */
static int upper_dirs(const struct device *d, struct dirs *l)
{
	char dir[600];
	int ret = 0;

	l->of = d;
	if (!d->partition)
		ret = sys_each(d->sys, add_partition, l);
	/* Only the hidden disks of NVMe paths have no number. */
	if (!ret && !d->dev)
		ret = sys_each("/sys/block", add_head, l);
	snprintf(dir, sizeof(dir), "%s/holders", d->sys);
	if (!ret)
		ret = sys_each(dir, add_entry, l);
	if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), by_name);
	return ret == -ENOENT ? 0 : ret;
}

int topo_find(const struct topo *t, const char *sys)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->nodes[i].dev.sys, sys))
			return i;
	return -1;
}

static int add_node(struct topo *t, const struct device *d)
{
	struct topo_node *v = realloc(t->nodes, (t->n + 1) * sizeof(*v));

	if (!v)
		return -ENOMEM;
	t->nodes = v;
	v += t->n++;
	memset(v, 0, sizeof(*v));
	v->dev = *d;
	return 0;
}

/*
 * Add the device after all devices that are reached from it. With TOPO_BELOW, visit the devices
 * below in reverse order, because build() reverses the order of all devices at the end.
 */
static int visit(struct topo *t, const char *sys, enum topo_dir dir, unsigned int depth)
{
	struct dirs next = { 0 };
	struct device d;
	int ret;

	if (topo_find(t, sys) >= 0 || device_from_sys(sys, &d))
		return 0;
	if (depth > MAX_DEPTH)
		return -ELOOP;
	ret = dir == TOPO_BELOW ? lower_dirs(&d, &next) : upper_dirs(&d, &next);
	for (size_t i = 0; i < next.n && !ret; i++)
		ret = visit(t, next.v[dir == TOPO_BELOW ? next.n - 1 - i : i], dir, depth + 1);
	dirs_free(&next);
	return ret ?: add_node(t, &d);
}

static void reverse(struct topo *t)
{
	for (size_t i = 0; i < t->n / 2; i++) {
		struct topo_node tmp = t->nodes[i];

		t->nodes[i] = t->nodes[t->n - 1 - i];
		t->nodes[t->n - 1 - i] = tmp;
	}
}

static bool has_dir(const struct device *d, const char *name)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", d->sys, name);
	return !access(path, F_OK);
}

static void load_node(struct topo_node *n, bool facts)
{
	struct dirs below = { 0 };

	if (facts)
		device_facts(&n->dev);
	if (n->dev.partition) {
		n->layer = TOPO_PARTITION;
	} else if (has_dir(&n->dev, "dm")) {
		n->layer = TOPO_DM;
		topo_dm_load(&n->dev, &n->dm);
	} else if (has_dir(&n->dev, "md")) {
		n->layer = TOPO_MD;
		topo_md_load(&n->dev, &n->md);
	} else {
		lower_dirs(&n->dev, &below);
		n->layer = !below.n ? TOPO_DISK :
			   device_is_nvme_head(&n->dev) ? TOPO_NVME_HEAD : TOPO_STACKED;
		dirs_free(&below);
	}
}

static struct topo_link *add_link(struct topo_links *l, unsigned int node)
{
	struct topo_link *v = realloc(l->v, (l->n + 1) * sizeof(*v));

	if (!v)
		return NULL;
	l->v = v;
	v += l->n++;
	*v = (struct topo_link) { .node = node, .leg = -1, .order = l->n };
	return v;
}

/* Describe the link to an NVMe path. Paths are numbered in the order of their names. */
static void path_link(const struct device *path, unsigned int number, struct topo_link *link)
{
	char state[24];

	link->leg = number;
	sys_read(path->sys, "ana_state", state, sizeof(state));
	snprintf(link->role, sizeof(link->role), "path %u%s%s", number, *state ? ", " : "", state);
}

static void set_role(const struct topo_node *up, const struct device *down, unsigned int number,
		     struct topo_link *link)
{
	switch (up->layer) {
	case TOPO_DM:
		topo_dm_link(&up->dm, down->dev, link);
		break;
	case TOPO_MD:
		topo_md_link(&up->dev, down, link);
		break;
	case TOPO_NVME_HEAD:
		path_link(down, number, link);
		break;
	default:
		break;
	}
}

static int by_order(const void *a, const void *b)
{
	const struct topo_link *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/*
 * Number the devices below a dm device that have no role, such as those of dm-linear, because only
 * their order distinguishes them. Devices without an order are last and get no number: they may be
 * in a table that is not in use yet.
 */
static void number_legs(struct topo_node *n)
{
	struct topo_links *l = &n->below;
	size_t used = 0;

	while (used < l->n && l->v[used].order != TOPO_NO_ORDER)
		used++;
	if (n->layer != TOPO_DM || !n->dm.ntargets || used < 2)
		return;
	for (size_t i = 0; i < used; i++) {
		if (*l->v[i].role)
			continue;
		l->v[i].leg = i;
		snprintf(l->v[i].role, sizeof(l->v[i].role), "leg %zu", i);
	}
}

#define NOT_HERE UINT_MAX

/* Drop links to devices that are not in the graph: an upward graph lacks some lower devices. */
static void drop_others(struct topo_links *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].node != NOT_HERE)
			l->v[kept++] = l->v[i];
	l->n = kept;
}

/* Add the links from node @i to the nodes below. */
static int link_below(struct topo *t, unsigned int i)
{
	struct topo_node *n = &t->nodes[i];
	struct dirs below = { 0 };
	int ret = lower_dirs(&n->dev, &below);

	for (size_t k = 0; k < below.n && !ret; k++) {
		int j = topo_find(t, below.v[k]);
		struct topo_link *link;
		struct device d;

		if (device_from_sys(below.v[k], &d))
			continue;
		link = add_link(&n->below, j < 0 ? NOT_HERE : (unsigned int)j);
		if (link)
			set_role(n, &d, k, link);
		else
			ret = -ENOMEM;
	}
	dirs_free(&below);
	if (n->below.n)
		qsort(n->below.v, n->below.n, sizeof(*n->below.v), by_order);
	number_legs(n);
	drop_others(&n->below);
	return ret;
}

static int link_above(struct topo *t)
{
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->nodes[i].below.n; k++) {
			const struct topo_link *down = &t->nodes[i].below.v[k];
			struct topo_link *up = add_link(&t->nodes[down->node].above, i);

			if (!up)
				return -ENOMEM;
			up->leg = down->leg;
			snprintf(up->role, sizeof(up->role), "%s", down->role);
		}
	}
	return 0;
}

static int build(const struct device *devs, size_t n, enum topo_dir dir, bool facts, struct topo *t)
{
	int ret = 0;

	memset(t, 0, sizeof(*t));
	for (size_t i = 0; i < n && !ret; i++)
		ret = visit(t, devs[dir == TOPO_BELOW ? n - 1 - i : i].sys, dir, 0);
	if (dir == TOPO_BELOW)
		reverse(t);
	for (size_t i = 0; i < t->n && !ret; i++)
		load_node(&t->nodes[i], facts);
	for (size_t i = 0; i < t->n && !ret; i++)
		ret = link_below(t, i);
	return ret ?: link_above(t);
}

static int walk_entry(const char *dir, const char *name, void *arg)
{
	char path[PATH_MAX], real[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return realpath(path, real) ? visit(arg, real, TOPO_BELOW, 0) : 0;
}

int topo_walk(const struct device *devs, size_t n, struct topo *t)
{
	int ret = 0;

	memset(t, 0, sizeof(*t));
	if (!devs)
		ret = sys_each("/sys/block", walk_entry, t);
	for (size_t i = n; i-- && !ret;)
		ret = visit(t, devs[i].sys, TOPO_BELOW, 0);
	reverse(t);
	return ret;
}

int topo_look(const struct device *devs, size_t n, struct topo *t)
{
	return build(devs, n, TOPO_BELOW, false, t);
}

void topo_facts(struct topo *t)
{
	for (size_t i = 0; i < t->n; i++)
		device_facts(&t->nodes[i].dev);
}

int topo_build(const struct device *devs, size_t n, enum topo_dir dir, struct topo *t)
{
	int ret = build(devs, n, dir, true, t);

	if (ret)
		return err(ret, "cannot read the stack of devices: %s", strerror(-ret));
	for (size_t i = 0; i < n; i++)
		if (topo_find(t, devs[i].sys) < 0)
			return err(-ENODEV, "%s: the device is gone", devs[i].name);
	return 0;
}

void topo_free(struct topo *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->nodes[i].below.v);
		free(t->nodes[i].above.v);
		topo_dm_free(&t->nodes[i].dm);
	}
	free(t->nodes);
	memset(t, 0, sizeof(*t));
}

const char *topo_layer_name(enum topo_layer layer)
{
	static const char *const names[NR_TOPO_LAYERS] = {
		[TOPO_DISK] = "disk",
		[TOPO_PARTITION] = "partition",
		[TOPO_DM] = "dm",
		[TOPO_MD] = "md",
		[TOPO_NVME_HEAD] = "nvme multipath",
		[TOPO_STACKED] = "stacked",
	};

	return names[layer];
}

static bool has_stripe_cache(const char *level)
{
	return !strncmp(level, "raid4", 5) || !strncmp(level, "raid5", 5) ||
	       !strncmp(level, "raid6", 5);
}

const char *topo_shares(const struct topo_node *n)
{
	bool cache = n->layer == TOPO_MD && has_stripe_cache(n->md.level);

	for (size_t i = 0; n->layer == TOPO_DM && i < n->dm.ntargets; i++)
		cache |= !strcmp(n->dm.targets[i].type, "raid") &&
			 has_stripe_cache(n->dm.targets[i].params);
	return cache ? "stripe cache" : NULL;
}

/* Return true for a device of size 0, and for a ram disk: nothing shows if that has content. */
static bool is_empty(const struct device *d)
{
	unsigned int n;

	return !sys_num(d->sys, "size") || sscanf(d->name, "ram%u", &n) == 1;
}

static int add_top(const char *dir, const char *name, void *arg)
{
	struct dirs *tops = arg, above = { 0 };
	char path[PATH_MAX], real[PATH_MAX];
	struct device d;
	int ret;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!realpath(path, real) || device_from_sys(real, &d) || is_empty(&d))
		return 0;
	ret = upper_dirs(&d, &above);
	if (!ret && !above.n)
		ret = dirs_add(tops, real);
	dirs_free(&above);
	return ret;
}

int topo_tops(struct device **devs, size_t *n)
{
	struct dirs tops = { 0 };
	int ret = sys_check();

	*n = 0;
	*devs = NULL;
	if (ret)
		return ret;
	ret = sys_each("/sys/class/block", add_top, &tops);
	if (!ret && tops.n) {
		qsort(tops.v, tops.n, sizeof(*tops.v), by_name);
		*devs = calloc(tops.n, sizeof(**devs));
		ret = *devs ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < tops.n && !ret; i++)
		if (!device_from_sys(tops.v[i], &(*devs)[*n]))
			(*n)++;
	dirs_free(&tops);
	return ret ? err(ret, "cannot list the block devices: %s", strerror(-ret)) : 0;
}
