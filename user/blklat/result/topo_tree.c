// SPDX-License-Identifier: GPL-2.0
/* Print stacks of devices as a tree and as JSON. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "core/log.h"
#include "core/units.h"
#include "blklat/result/topo_tree.h"
#include "output/facts.h"
#include "output/json.h"
#include "output/table.h"

enum { C_NAME, C_LAYER, C_ROLE, C_DETAILS, C_SIZE, C_BS, C_SCHED, C_MODEL };

static const struct column columns[] = {
	[C_NAME] = { "name", "name", COL_STR, COL_TREE },
	[C_LAYER] = { "layer", "layer", COL_STR, COL_LEFT },
	[C_ROLE] = { "role", "role", COL_STR, COL_LEFT },
	[C_DETAILS] = { "details", "details", COL_STR, COL_LEFT },
	[C_SIZE] = { "size", "size", COL_SIZE },
	[C_BS] = { "bs", "bs", COL_STR, COL_LEFT },
	[C_SCHED] = { "scheduler", "sched", COL_STR, COL_LEFT },
	[C_MODEL] = { "model", "model", COL_STR, COL_LEFT },
};

#define DETAILS_MAX 200

/* Text of phrases that are separated by commas. */
struct phrases {
	char buf[DETAILS_MAX];
	size_t len;
};

static void phrase(struct phrases *p, const char *fmt, ...) __printf(2, 3);
static void phrase(struct phrases *p, const char *fmt, ...)
{
	va_list ap;
	int n = 0;

	if (p->len && p->len + 2 < sizeof(p->buf))
		p->len += snprintf(p->buf + p->len, sizeof(p->buf) - p->len, ", ");
	va_start(ap, fmt);
	n = vsnprintf(p->buf + p->len, sizeof(p->buf) - p->len, fmt, ap);
	va_end(ap);
	p->len += n;
	if (p->len >= sizeof(p->buf))
		p->len = sizeof(p->buf) - 1;
}

/* Name a dm layer "dm-linear"; name each of several target types once: "dm-linear+striped". */
static void dm_layer(const struct topo_dm *dm, char *buf, size_t len)
{
	size_t n = snprintf(buf, len, "dm");

	for (size_t i = 0; i < dm->ntargets && n < len; i++) {
		size_t k = 0;

		while (k < i && strcmp(dm->targets[k].type, dm->targets[i].type))
			k++;
		if (k == i)
			n += snprintf(buf + n, len - n, "%c%s", i ? '+' : '-', dm->targets[i].type);
	}
}

char *stack_layer(const struct topo_node *n, char *buf, size_t len)
{
	const char *layer = topo_layer_name(n->layer);

	switch (n->layer) {
	case TOPO_DM:
		dm_layer(&n->dm, buf, len);
		break;
	case TOPO_MD:
		snprintf(buf, len, "md %s", n->md.level);
		break;
	case TOPO_DISK:
	case TOPO_STACKED:
		snprintf(buf, len, "%s", *n->dev.kind ? n->dev.kind : layer);
		break;
	default:
		snprintf(buf, len, "%s", layer);
		break;
	}
	return buf;
}

#define MAX_RANGES 3

/* Describe a single target in detail; of several targets give only the range and type of each. */
static void dm_details(const struct topo_dm *dm, struct phrases *p)
{
	char text[128], from[FMT_LEN], to[FMT_LEN];
	size_t i;

	phrase(p, "%s", dm->name);
	if (*dm->origin)
		phrase(p, "%s", dm->origin);
	if (dm->suspended)
		phrase(p, "suspended");
	if (*dm->no_table)
		phrase(p, "table: %s", dm->no_table);
	else if (!dm->ntargets)
		phrase(p, "no table");
	if (dm->ntargets == 1) {
		dm_table_detail(dm->targets->type, dm->targets->params, text, sizeof(text));
		if (*text)
			phrase(p, "%s", text);
		return;
	}
	for (i = 0; i < dm->ntargets && i < MAX_RANGES; i++) {
		const struct topo_target *t = &dm->targets[i];

		phrase(p, "%s-%s %s", fmt_size(from, sizeof(from), t->start),
		       fmt_size(to, sizeof(to), t->start + t->length), t->type);
	}
	if (i < dm->ntargets)
		phrase(p, "%zu more targets", dm->ntargets - i);
}

static void md_details(const struct topo_md *md, struct phrases *p)
{
	char chunk[FMT_LEN];

	phrase(p, "%u legs", md->raid_disks);
	if (md->chunk)
		phrase(p, "chunk %s", fmt_size(chunk, sizeof(chunk), md->chunk));
	if (*md->state)
		phrase(p, "%s", md->state);
	if (md->degraded)
		phrase(p, "degraded, %u missing", md->degraded);
	if (*md->sync_action && strcmp(md->sync_action, "idle"))
		phrase(p, "%s", md->sync_action);
}

static void details(const struct topo_node *n, struct phrases *p)
{
	char start[FMT_LEN], file[200];

	switch (n->layer) {
	case TOPO_DM:
		dm_details(&n->dm, p);
		break;
	case TOPO_MD:
		md_details(&n->md, p);
		break;
	case TOPO_PARTITION:
		phrase(p, "at %s", fmt_size(start, sizeof(start), n->dev.start));
		break;
	case TOPO_NVME_HEAD:
		phrase(p, "%zu paths", n->below.n);
		break;
	default:
		if (!sys_read(n->dev.sys, "loop/backing_file", file, sizeof(file)))
			phrase(p, "%s", file);
		if (*n->dev.transport)
			phrase(p, "%s", n->dev.transport);
		break;
	}
	if (n->dev.read_only)
		phrase(p, "read-only");
}

struct tree {
	const struct topo *topo;
	enum topo_dir dir;
	struct report_table *table;
	bool *shown;
};

static int add_row(struct tree *tree, const struct topo_node *n, int parent, bool again,
		   const char *role)
{
	int row = report_row(tree->table, parent);
	const struct device *d = &n->dev;
	struct phrases p = { 0 };
	char text[64];

	report_set_str(tree->table, row, C_NAME, d->name);
	report_set_str(tree->table, row, C_LAYER, stack_layer(n, text, sizeof(text)));
	if (role && *role)
		report_set_str(tree->table, row, C_ROLE, role);
	if (again)
		phrase(&p, "see above");
	else
		details(n, &p);
	if (*p.buf)
		report_set_str(tree->table, row, C_DETAILS, p.buf);
	report_set_u64(tree->table, row, C_SIZE, d->size);
	snprintf(text, sizeof(text), d->physical_bs > d->logical_bs ? "%u/%u" : "%u", d->logical_bs,
		 d->physical_bs);
	report_set_str(tree->table, row, C_BS, text);
	if (!d->bio_based && *d->scheduler && n->layer != TOPO_PARTITION)
		report_set_str(tree->table, row, C_SCHED, d->scheduler);
	/* In other layers the model is the name of the array or mapping */
	if (*d->model && (n->layer == TOPO_DISK || n->layer == TOPO_NVME_HEAD))
		report_set_str(tree->table, row, C_MODEL, d->model);
	return row;
}

static void add_tree(struct tree *tree, unsigned int i, int parent, const char *role)
{
	const struct topo_node *n = &tree->topo->nodes[i];
	const struct topo_links *next = tree->dir == TOPO_BELOW ? &n->below : &n->above;
	bool again = tree->shown[i];
	int row = add_row(tree, n, parent, again && next->n, role);

	tree->shown[i] = true;
	for (size_t k = 0; k < next->n && !again; k++)
		add_tree(tree, next->v[k].node, row, next->v[k].role);
}

int stack_print(const struct topo *t, const struct device *roots, size_t n, enum topo_dir dir,
		FILE *f)
{
	struct tree tree = { .topo = t, .dir = dir };
	int ret = -ENOMEM;

	tree.table = report_table_new(columns, sizeof(columns) / sizeof(*columns));
	tree.shown = calloc(t->n + 1, sizeof(*tree.shown));
	if (tree.table && tree.shown) {
		for (size_t i = 0; i < n; i++)
			add_tree(&tree, topo_find(t, roots[i].sys), -1, NULL);
		ret = report_print(tree.table, f);
	}
	report_table_free(tree.table);
	free(tree.shown);
	return ret;
}

/*
 * Members of the JSON object "dm":
 * @name: string: Name of the device in /dev/mapper.
 * @uuid: string: Uuid of the device, may be empty.
 * @origin: string or null: Software that made the device, as its uuid tells: ``LVM``, ``CRYPT``,
 *	``mpath``.
 * @suspended: boolean: True if the device is suspended.
 * @no_table: string or null: Reason why ``targets`` is empty: ``needs root``. null if the table was
 *	read.
 * @targets[]: dm target: One per line of the table of the device.
 */

/*
 * Members of the JSON object "dm target":
 * @type: string: Type of the target: ``linear``, ``striped``, ``crypt``...
 * @start: integer: First byte of the device that the target serves.
 * @length: integer: Number of bytes that the target serves.
 * @params: string: Parameters of the target, as dmsetup(8) shows them: keys are shown as zeros.
 * @status: string or null: Status of the target, as dmsetup(8) shows it. null if it has none.
 */
static json_object *dm_json(const struct topo_dm *dm)
{
	json_object *o = json_object_new_object(), *list = json_object_new_array();

	json_str(o, "name", dm->name);
	json_str(o, "uuid", dm->uuid);
	json_str(o, "origin", *dm->origin ? dm->origin : NULL);
	json_flag(o, "suspended", dm->suspended);
	json_str(o, "no_table", *dm->no_table ? dm->no_table : NULL);
	for (size_t i = 0; i < dm->ntargets; i++) {
		const struct topo_target *t = &dm->targets[i];
		json_object *target = json_object_new_object();

		json_str(target, "type", t->type);
		json_u64(target, "start", t->start);
		json_u64(target, "length", t->length);
		json_str(target, "params", t->params);
		json_str(target, "status", t->status);
		json_object_array_add(list, target);
	}
	json_object_object_add(o, "targets", list);
	return o;
}

/*
 * Members of the JSON object "md":
 * @level: string: Level of the array: ``raid0``, ``raid1``, ``linear``...
 * @metadata: string: Version of its superblocks.
 * @chunk_bytes: integer: Size of a chunk; 0 if the level has no chunks.
 * @raid_disks: integer: Number of legs that the array should have.
 * @degraded: integer: Number of legs that the array lacks.
 * @state: string: ``array_state`` of the array in sysfs.
 * @sync_action: string or null: ``idle``, ``resync``, ``recover``... null if the level has none.
 */
static json_object *md_json(const struct topo_md *md)
{
	json_object *o = json_object_new_object();

	json_str(o, "level", md->level);
	json_str(o, "metadata", md->metadata);
	json_u64(o, "chunk_bytes", md->chunk);
	json_u64(o, "raid_disks", md->raid_disks);
	json_u64(o, "degraded", md->degraded);
	json_str(o, "state", md->state);
	json_str(o, "sync_action", *md->sync_action ? md->sync_action : NULL);
	return o;
}

/*
 * Members of the JSON object "link":
 * @device: string: Name of the device below.
 * @role: string or null: Role of the device below: ``leg 0``, ``path 1, failed``, ``metadata``,
 *	``origin``, ``cow``, ``journal``, ``spare``, ``leg 1, faulty``... null if there is nothing
 *	to say, and for dm devices without root.
 * @leg: integer, optional: Number of the leg or path that the device below is.
 */

/*
 * Members of the JSON object "link up":
 * @device: string: Name of the device above.
 * @role: string or null: Role of this device in the device above, as in ``below[]``.
 * @leg: integer, optional: Number of the leg or path of the device above that this device is.
 */
static json_object *links_json(const struct topo *t, const struct topo_links *links)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < links->n; i++) {
		json_object *o = json_object_new_object();

		json_str(o, "device", t->nodes[links->v[i].node].dev.name);
		json_str(o, "role", *links->v[i].role ? links->v[i].role : NULL);
		if (links->v[i].leg >= 0)
			json_u64(o, "leg", links->v[i].leg);
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "topology":
 * @name: string: Name of the device in the kernel.
 * @layer: string: ``disk``, ``partition``, ``dm``, ``md``, ``nvme multipath``; ``stacked`` for
 *	another driver that uses other devices.
 * @kind: string: The layer in more detail: the driver of a disk, ``md raid1``, ``dm-striped``.
 * @facts: facts: Properties of the device.
 * @below[]: link: One per device that this device is made of, in the order of the legs; only
 *	devices of the same array.
 * @above[]: link up: One per device that is made of this device; only devices of the same array.
 * @dm: dm, optional: Only for a dm device: its state and its table.
 * @md: md, optional: Only for an md array: its level and its state.
 */
json_object *stack_json(const struct topo *t)
{
	json_object *list = json_object_new_array();
	char text[64];

	for (size_t i = 0; i < t->n; i++) {
		const struct topo_node *n = &t->nodes[i];
		json_object *o = json_object_new_object();

		json_str(o, "name", n->dev.name);
		json_str(o, "layer", topo_layer_name(n->layer));
		json_str(o, "kind", stack_layer(n, text, sizeof(text)));
		json_object_object_add(o, "facts", report_facts(&n->dev));
		json_object_object_add(o, "below", links_json(t, &n->below));
		json_object_object_add(o, "above", links_json(t, &n->above));
		if (n->layer == TOPO_DM)
			json_object_object_add(o, "dm", dm_json(&n->dm));
		if (n->layer == TOPO_MD)
			json_object_object_add(o, "md", md_json(&n->md));
		json_object_array_add(list, o);
	}
	return list;
}

json_object *names_json(const struct device *devs, size_t n)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_string(devs[i].name));
	return list;
}
