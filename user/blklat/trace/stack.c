// SPDX-License-Identifier: GPL-2.0
/* Find the devices of a trace: the named ones or those on top of them, and everything below. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include "blklat/trace/stack.h"
#include "core/log.h"
#include "device/topo.h"
#include "blklat/result/topo_tree.h"

/* Return the number of a device, also of the hidden disk of an NVMe path. */
static dev_t number_of(const struct device *d)
{
	return d->dev ?: device_hidden_number(d);
}

static int find_place(const struct trace_stack *s, const struct device *d)
{
	dev_t dev = number_of(d);

	for (size_t i = 0; i < s->ndevs; i++)
		if (s->devs[i].dev == dev && !(s->retired & DEV_BIT(i)))
			return i;
	return -1;
}

/*
 * Return the traced device that overlaps with @d, or NULL: an I/O of a partition would belong to
 * both the partition and its disk.
 */
static const struct device *find_overlap(const struct trace_stack *s, const struct device *d)
{
	for (size_t k = 0; k < s->ndevs; k++)
		if (s->devs[k].disk_dev == d->disk_dev && s->devs[k].partition != d->partition)
			return &s->devs[k];
	return NULL;
}

static int check_overlap(const struct trace_stack *s, const struct device *d)
{
	const struct device *other;

	if (find_place(s, d) >= 0)
		return usage_error("%s is named twice", d->name);
	other = find_overlap(s, d);
	return other ? usage_error("%s and %s overlap; name either the disk or its partitions",
				   other->name, d->name) : 0;
}

static int too_many(const struct trace_stack *s)
{
	if (*s->up)
		return err(-E2BIG, "--up %s: there are more than %d devices to trace; name some of "
			   "the devices on top instead (blklat topo --up %s lists them)",
			   s->up, BLKLAT_MAX_DEVS, s->up);
	return err(-E2BIG, "%s: there are more than %d devices to trace, including the devices "
		   "below; name some of them, or a part of the stack", s->devs[0].name,
		   BLKLAT_MAX_DEVS);
}

/* Return the index of a device in the trace, adding the device if it has none, or -errno. */
static int place_of(struct trace_stack *s, const struct device *from)
{
	struct device device = *from, *d = &device;
	int at = find_place(s, d);

	if (at >= 0)
		return at;
	if (!d->dev)
		d->dev = d->disk_dev = device_hidden_number(d);
	if (check_overlap(s, d))
		return -EUSAGE;
	if (s->ndevs == BLKLAT_MAX_DEVS)
		return too_many(s);
	s->devs[s->ndevs] = *d;
	return s->ndevs++;
}

/*
 * Add all devices below a device to the trace. Only a layer, which makes new bios from its bios,
 * has devices below; the others are leaves.
 */
static int add_below(struct trace_stack *s, const struct topo *topo, const struct topo_node *node,
		     int place)
{
	if (!device_is_layer(&s->devs[place]))
		return 0;
	/* A partition of a layer makes bios in the same way as the whole device. */
	if (node->dev.partition && node->below.n)
		node = &topo->nodes[node->below.v[0].node];
	s->shared[place] = topo_shares(node);
	for (size_t i = 0; i < node->below.n; i++) {
		const struct topo_node *below = &topo->nodes[node->below.v[i].node];
		int at = place_of(s, &below->dev), ret;

		if (at < 0)
			return at;
		stack_layer(below, s->kinds[at], sizeof(s->kinds[at]));
		s->roles[at].inner = true;
		s->below[place] |= DEV_BIT(at);
		ret = add_below(s, topo, below, at);
		if (ret)
			return ret;
	}
	return 0;
}

static int add_stacks(struct trace_stack *s)
{
	struct topo *topo = &s->topo;
	int ret = topo_build(s->devs, s->ndevs, TOPO_BELOW, topo);

	s->ntops = s->ndevs;
	for (size_t i = 0; i < s->ntops && !ret; i++) {
		int node = topo_find(topo, s->devs[i].sys);

		if (node < 0)
			continue;
		stack_layer(&topo->nodes[node], s->kinds[i], sizeof(s->kinds[i]));
		ret = add_below(s, topo, &topo->nodes[node], i);
	}
	s->inside = ~0ULL >> (BLKLAT_MAX_DEVS - s->ndevs);
	return ret;
}

static int add_top(struct trace_stack *s, const struct device *d)
{
	int ret;

	if (s->ndevs == BLKLAT_MAX_DEVS)
		return too_many(s);
	s->devs[s->ndevs] = *d;
	device_facts(&s->devs[s->ndevs]);
	ret = check_overlap(s, d);
	if (ret)
		return ret;
	s->roles[s->ndevs++].top = true;
	return 0;
}

/* Return true if the disk of this partition is, as a whole, a part of another device. */
static bool disk_is_used(const struct topo *topo, const struct device *d)
{
	int disk = d->partition ? topo_find(topo, d->disk_sys) : -1;

	if (disk < 0)
		return false;
	for (size_t i = 0; i < topo->nodes[disk].above.n; i++)
		if (!topo->nodes[topo->nodes[disk].above.v[i].node].dev.partition)
			return true;
	return false;
}

/* Add what is on top of the graph above or below these devices. */
static int add_tops(struct trace_stack *s, const struct device *devs, size_t n, enum topo_dir dir)
{
	struct topo topo;
	int ret = topo_build(devs, n, dir, &topo);

	for (size_t i = 0; i < topo.n && !ret; i++) {
		const struct topo_node *node = &topo.nodes[i];

		if (node->above.n)
			continue;
		if (disk_is_used(&topo, &node->dev))
			verbose("%s: left out, because its whole disk is part of another device",
				node->dev.name);
		else
			ret = add_top(s, &node->dev);
	}
	topo_free(&topo);
	return ret;
}

static void note_up(struct trace_stack *s, const struct device *named, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n && len < sizeof(s->up); i++)
		len += snprintf(s->up + len, sizeof(s->up) - len, "%s%s", i ? " " : "",
				named[i].name);
}

static int add_named(struct trace_stack *s, const struct device *devs, size_t n, bool up)
{
	int ret = 0;

	if (up) {
		note_up(s, devs, n);
		return add_tops(s, devs, n, TOPO_ABOVE);
	}
	for (size_t i = 0; i < n && !ret; i++)
		ret = add_top(s, &devs[i]);
	return ret;
}

int trace_stack_find(struct trace_stack *s, const struct opt_args *args, bool up)
{
	struct device *devs = NULL;
	size_t n = args->npos;
	int ret = n ? device_resolve_all(args->pos, n, &devs) : topo_tops(&devs, &n);

	if (!ret && !n)
		ret = err(-ENODEV, "this machine has no block device to trace");
	if (!ret)
		ret = args->npos ? add_named(s, devs, n, up) : add_tops(s, devs, n, TOPO_BELOW);
	free(devs);
	return ret ?: add_stacks(s);
}

void trace_stack_free(struct trace_stack *s)
{
	topo_free(&s->topo);
}

bool trace_stack_merge(struct trace_stack *s, const struct trace_stack *more)
{
	size_t n = s->ndevs;

	for (size_t i = 0; i < more->ndevs; i++) {
		if (find_place(s, &more->devs[i]) >= 0)
			continue;
		if (s->ndevs == BLKLAT_MAX_DEVS || find_overlap(s, &more->devs[i])) {
			s->ndevs = n;
			return false;
		}
		s->devs[s->ndevs++] = more->devs[i];
	}
	return true;
}

size_t trace_stack_size(const struct trace_stack *s, size_t top)
{
	uint64_t all = DEV_BIT(top), last;

	do {
		last = all;
		for (size_t i = 0; i < s->ndevs; i++)
			if (all & DEV_BIT(i))
				all |= s->below[i];
	} while (all != last);
	return __builtin_popcountll(all);
}

static void trace_stack_take(struct trace_stack *s, struct session *session)
{
	size_t n = session_ndevs(session);

	for (; s->ndevs < n; s->ndevs++) {
		struct device *d = &s->devs[s->ndevs];
		dev_t dev = session_dev(session, s->ndevs);

		if (device_from_dev(dev, d)) {
			d->dev = dev;
			snprintf(d->name, sizeof(d->name), "%u:%u", major(dev), minor(dev));
		} else {
			device_facts(d);
			session_describe(session, s->ndevs, d);
		}
		snprintf(s->kinds[s->ndevs], sizeof(s->kinds[0]), "%s",
			 d->partition ? "partition" : d->kind);
		s->roles[s->ndevs].inner = true;
	}
}

struct follow {
	struct trace_stack *stack;
	struct session *session;
	const struct topo *topo;
	void (*refused)(const struct device *d, void *arg);
	void *arg;
};

static int join(const struct follow *f, const struct topo_node *node)
{
	struct trace_stack *s = f->stack;
	struct device d = node->dev;
	size_t known = s->ndevs;
	int at;

	d.dev = number_of(&d);
	if (!d.disk_dev)
		d.disk_dev = d.dev;
	device_facts(&d);
	at = session_join(f->session, &d);
	trace_stack_take(s, f->session);
	if (at < 0 || (size_t)at >= s->ndevs) {
		f->refused(&d, f->arg);
		return -1;
	}
	if ((size_t)at >= known)
		s->devs[at] = d;
	return at;
}

/*
 * Set the kind of a device. @node comes from topo_look(), which fills in no facts: take those of
 * the traced device.
 */
static void set_kind(struct trace_stack *s, int at, const struct topo_node *node)
{
	struct topo_node full = *node;

	full.dev = s->devs[at];
	stack_layer(&full, s->kinds[at], sizeof(s->kinds[at]));
}

static void follow_below(const struct follow *f, const struct topo_node *node, int place)
{
	struct trace_stack *s = f->stack;

	s->inside |= DEV_BIT(place);
	if (!device_is_layer(&s->devs[place]))
		return;
	if (node->dev.partition && node->below.n)
		node = &f->topo->nodes[node->below.v[0].node];
	s->shared[place] = topo_shares(node) ?: s->shared[place];
	for (size_t i = 0; i < node->below.n; i++) {
		const struct topo_node *below = &f->topo->nodes[node->below.v[i].node];
		int at = find_place(s, &below->dev);

		if (at < 0)
			at = join(f, below);
		if (at < 0)
			continue;
		if (!(s->below[place] & DEV_BIT(at)))
			set_kind(s, at, below);
		s->below[place] |= DEV_BIT(at);
		follow_below(f, below, at);
	}
}

/*
 * Fill in the facts of the devices in a new look, which has none. Ask a device only if nothing is
 * known of it, because a device that hangs may not answer.
 */
static void take_facts(const struct trace_stack *s, struct topo *topo)
{
	for (size_t i = 0; i < topo->n; i++) {
		struct device *d = &topo->nodes[i].dev, bare = *d;
		int at = find_place(s, d), old = topo_find(&s->topo, d->sys);

		if (at >= 0 && *s->devs[at].sys)
			*d = s->devs[at];
		else if (old >= 0)
			*d = s->topo.nodes[old].dev;
		else
			device_facts(d);
		/* The hidden disk of an NVMe path has a number in the trace only. */
		d->dev = bare.dev;
		d->disk_dev = bare.disk_dev;
	}
}

void trace_stack_follow(struct trace_stack *s, struct session *session, struct topo *topo,
			void (*refused)(const struct device *d, void *arg), void *arg)
{
	const struct follow f = { s, session, topo, refused, arg };

	trace_stack_take(s, session);
	s->inside = 0;
	for (size_t i = 0; i < s->ntops; i++) {
		int node = topo_find(topo, s->devs[i].sys);

		if (node >= 0 && !(s->retired & DEV_BIT(i)))
			follow_below(&f, &topo->nodes[node], i);
	}
	take_facts(s, topo);
	topo_free(&s->topo);
	s->topo = *topo;
}

void trace_stack_layers(const struct trace_stack *s, size_t top, struct result_layers *l)
{
	uint64_t at = DEV_BIT(top), next;

	*l = (struct result_layers){ .leaf_devs = 0 };
	for (unsigned int depth = 0; depth < BLKLAT_MAX_LAYERS && at; depth++, at = next) {
		char *p = l->names[depth];

		next = 0;
		for (size_t i = 0; i < s->ndevs; i++) {
			if (!(at & DEV_BIT(i)))
				continue;
			if (!device_is_layer(&s->devs[i])) {
				l->leaf_devs |= DEV_BIT(i);
				continue;
			}
			snprintf(p + strlen(p), DEV_TEXT - strlen(p), "%s%s", *p ? " " : "",
				 s->devs[i].name);
			result_kinds_add(l->kinds[depth], DEV_TEXT, s->kinds[i]);
			l->devs[depth] |= DEV_BIT(i);
			next |= s->below[i];
		}
	}
}
