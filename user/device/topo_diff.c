// SPDX-License-Identifier: GPL-2.0
/* Find what changed between two looks at the same stack. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "core/log.h"
#include "device/topo_diff.h"

struct diff {
	void (*fn)(const struct topo_change *c, void *arg);
	void *arg;
};

const char *topo_change_name(enum topo_change_kind kind)
{
	static const char *const names[NR_TOPO_CHANGES] = {
		[TOPO_TABLE] = "table", [TOPO_STATE] = "state", [TOPO_ROLE] = "role",
		[TOPO_JOINED] = "joined", [TOPO_LEFT] = "left", [TOPO_GONE] = "gone",
		[TOPO_TRACED] = "traced",
	};

	return names[kind];
}

static void say(const struct diff *d, enum topo_change_kind kind, const struct device *dev,
		const char *fmt, ...) __printf(4, 5);
static void say(const struct diff *d, enum topo_change_kind kind, const struct device *dev,
		const char *fmt, ...)
{
	struct topo_change c = { .kind = kind };
	va_list ap;

	snprintf(c.device, sizeof(c.device), "%s", dev->name);
	va_start(ap, fmt);
	vsnprintf(c.what, sizeof(c.what), fmt, ap);
	va_end(ap);
	d->fn(&c, d->arg);
}

/*
 * Write a dm table as text: "linear 8:0 0". With @ranges, add the start and the length of each
 * target in sectors. A text that does not fit ends with "...".
 */
static void table_text(const struct topo_dm *dm, bool ranges, char *buf, size_t len)
{
	size_t n = 0;

	snprintf(buf, len, "%s", *dm->no_table ? dm->no_table : "none");
	for (size_t i = 0; i < dm->ntargets && n < len; i++) {
		const struct topo_target *t = &dm->targets[i];

		n += snprintf(buf + n, len - n, "%s", i ? "; " : "");
		if (ranges && n < len)
			n += snprintf(buf + n, len - n, "%llu %llu ",
				      (unsigned long long)t->start / 512,
				      (unsigned long long)t->length / 512);
		if (n < len)
			n += snprintf(buf + n, len - n, "%s%s%s", t->type, *t->params ? " " : "",
				      t->params);
	}
	if (n >= len)
		memcpy(buf + len - 4, "...", 4);
}

static bool same_table(const struct topo_dm *a, const struct topo_dm *b)
{
	if (a->ntargets != b->ntargets || strcmp(a->no_table, b->no_table))
		return false;
	for (size_t i = 0; i < a->ntargets; i++) {
		const struct topo_target *x = &a->targets[i], *y = &b->targets[i];

		if (x->start != y->start || x->length != y->length || strcmp(x->type, y->type) ||
		    strcmp(x->params, y->params))
			return false;
	}
	return true;
}

static void diff_dm(const struct diff *d, const struct topo_node *before,
		    const struct topo_node *after)
{
	const struct topo_dm *a = &before->dm, *b = &after->dm;
	char old[TOPO_CHANGE_TEXT / 2 - 16], new[TOPO_CHANGE_TEXT / 2 - 16];
	bool ranges = a->ntargets != 1 || b->ntargets != 1 ||
		      a->targets[0].length != b->targets[0].length;

	if (!same_table(a, b)) {
		table_text(a, ranges, old, sizeof(old));
		table_text(b, ranges, new, sizeof(new));
		say(d, TOPO_TABLE, &after->dev, "table changed: %s -> %s", old, new);
	}
	if (a->suspended != b->suspended)
		say(d, TOPO_STATE, &after->dev, b->suspended ? "suspended" : "resumed");
}

/* Return "active" for all states of a working array: these change with each pause in the writes. */
static const char *state_class(const char *state)
{
	static const char *const works[] = { "clean", "active", "write-pending", "active-idle" };

	for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++)
		if (!strcmp(state, works[i]))
			return "active";
	return state;
}

/* Return true if the array syncs. "frozen" (its legs are being changed) is not syncing. */
static bool syncs(const struct topo_md *md)
{
	return *md->sync_action && strcmp(md->sync_action, "idle") &&
	       strcmp(md->sync_action, "frozen");
}

static void diff_md(const struct diff *d, const struct topo_node *before,
		    const struct topo_node *after)
{
	const struct topo_md *a = &before->md, *b = &after->md;
	const char *was = state_class(a->state), *is = state_class(b->state);

	if (strcmp(a->level, b->level))
		say(d, TOPO_TABLE, &after->dev, "level %s -> %s", a->level, b->level);
	if (a->raid_disks != b->raid_disks)
		say(d, TOPO_TABLE, &after->dev, "%u legs -> %u legs", a->raid_disks, b->raid_disks);
	if (a->chunk != b->chunk)
		say(d, TOPO_TABLE, &after->dev, "chunk %llu -> %llu", (unsigned long long)a->chunk,
		    (unsigned long long)b->chunk);
	if (strcmp(was, is))
		say(d, TOPO_STATE, &after->dev, "%s -> %s", was, is);
	if (a->degraded != b->degraded && b->degraded)
		say(d, TOPO_STATE, &after->dev, "degraded: %u of %u legs missing", b->degraded,
		    b->raid_disks);
	else if (a->degraded != b->degraded)
		say(d, TOPO_STATE, &after->dev, "no longer degraded");
	if (!strcmp(a->sync_action, b->sync_action))
		return;
	if (syncs(a))
		say(d, TOPO_STATE, &after->dev, "%s ended", a->sync_action);
	if (syncs(b))
		say(d, TOPO_STATE, &after->dev, "%s began", b->sync_action);
}

/* Find the link from @up, of topology @t, to the device with this directory; NULL if none. */
static const struct topo_link *find_link(const struct topo *t, const struct topo_node *up,
					 const char *sys)
{
	for (size_t i = 0; i < up->below.n; i++)
		if (!strcmp(t->nodes[up->below.v[i].node].dev.sys, sys))
			return &up->below.v[i];
	return NULL;
}

static void diff_links(const struct diff *d, const struct topo *before, const struct topo_node *a,
		       const struct topo *after, const struct topo_node *b)
{
	for (size_t i = 0; a && i < a->below.n; i++) {
		const struct topo_link *was = &a->below.v[i], *is;
		const struct device *dev = &before->nodes[was->node].dev;

		is = b ? find_link(after, b, dev->sys) : NULL;
		if (!is)
			say(d, TOPO_LEFT, dev, "left %s%s%s", a->dev.name,
			    *was->role ? ", was " : "", was->role);
		else if (*was->role && *is->role && strcmp(was->role, is->role))
			say(d, TOPO_ROLE, dev, "in %s: %s -> %s", a->dev.name, was->role, is->role);
	}
	for (size_t i = 0; b && i < b->below.n; i++) {
		const struct topo_link *is = &b->below.v[i];
		const struct device *dev = &after->nodes[is->node].dev;

		if (!a || !find_link(before, a, dev->sys))
			say(d, TOPO_JOINED, dev, "joined %s%s%s", b->dev.name,
			    *is->role ? " as " : "", is->role);
	}
}

void topo_diff(const struct topo *before, const struct topo *after,
	       void (*fn)(const struct topo_change *c, void *arg), void *arg)
{
	const struct diff d = { fn, arg };

	for (size_t i = 0; i < after->n; i++) {
		const struct topo_node *b = &after->nodes[i], *a;
		int was = topo_find(before, b->dev.sys);

		a = was < 0 ? NULL : &before->nodes[was];
		if (a && a->layer == TOPO_DM && b->layer == TOPO_DM)
			diff_dm(&d, a, b);
		if (a && a->layer == TOPO_MD && b->layer == TOPO_MD)
			diff_md(&d, a, b);
		diff_links(&d, before, a, after, b);
	}
	for (size_t i = 0; i < before->n; i++)
		if (topo_find(after, before->nodes[i].dev.sys) < 0)
			diff_links(&d, before, &before->nodes[i], after, NULL);
}
