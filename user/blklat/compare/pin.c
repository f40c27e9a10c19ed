// SPDX-License-Identifier: GPL-2.0
/*
 * Check that the compared devices agree in block sizes and in being read-only, and check or set
 * the schedulers of their disks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/compare/pin.h"
#include "blklat/compare/stacks.h"
#include "device/topo.h"
#include "output/json.h"

const char *const compare_allow[] = {
	[PIN_BLOCK_SIZE] = "block-size",
	[PIN_SCHEDULER] = "scheduler",
	[PIN_READ_ONLY] = "read-only",
	[NR_PINS] = NULL
};

static bool allowed(const struct compare *c, enum compare_pin pin)
{
	return c->cfg->allow & 1ull << pin;
}

static int check_sizes(const struct compare *c)
{
	const struct device *a = &c->devs[c->baseline];

	for (size_t i = 0; i < c->n && !allowed(c, PIN_BLOCK_SIZE); i++) {
		const struct device *d = &c->devs[i];

		if (d->logical_bs != a->logical_bs)
			return err(-EINVAL, "%s has logical blocks of %u bytes and %s of %u: "
				   "format them alike, or give --allow block-size",
				   c->res.devs[i].label, d->logical_bs,
				   c->res.devs[c->baseline].label, a->logical_bs);
		if (d->physical_bs != a->physical_bs)
			return err(-EINVAL, "%s has physical blocks of %u bytes and %s of %u: "
				   "compare devices that are alike, or give --allow block-size",
				   c->res.devs[i].label, d->physical_bs,
				   c->res.devs[c->baseline].label, a->physical_bs);
	}
	for (size_t i = 0; i < c->n && !allowed(c, PIN_READ_ONLY); i++)
		if (c->devs[i].read_only != a->read_only)
			return err(-EINVAL, "%s is read-only and %s is not: make it writable with "
				   "blockdev --setrw, or give --allow read-only",
				   c->res.devs[a->read_only ? c->baseline : i].label,
				   c->res.devs[a->read_only ? i : c->baseline].label);
	return 0;
}

static int add_leaf(struct compare *c, const struct device *d)
{
	struct device *v;

	if (d->bio_based || !*d->scheduler)
		return 0;
	for (size_t i = 0; i < c->nleaves; i++)
		if (c->leaves[i].disk_dev == d->disk_dev)
			return 0;
	v = realloc(c->leaves, (c->nleaves + 1) * sizeof(*v));
	if (!v)
		return err(-ENOMEM, "out of memory");
	c->leaves = v;
	v[c->nleaves++] = *d;
	return 0;
}

/* Find the disks that have a scheduler. A bio-based device has none. */
static int find_leaves(struct compare *c)
{
	struct topo t;
	int ret;

	if (compare_stacks_by_turns(c))
		return compare_stacks_legs(c, add_leaf);
	ret = topo_build(c->devs, c->n, TOPO_BELOW, &t);

	for (size_t i = 0; i < t.n && !ret; i++)
		if (!t.nodes[i].below.n)
			ret = add_leaf(c, &t.nodes[i].dev);
	topo_free(&t);
	return ret;
}

static int check_schedulers(const struct compare *c)
{
	for (size_t i = 1; i < c->nleaves && !allowed(c, PIN_SCHEDULER); i++)
		if (strcmp(c->leaves[i].scheduler, c->leaves[0].scheduler))
			return err(-EINVAL, "%s has the scheduler %s and %s has %s: "
				   "give --scheduler none for all while they are compared, "
				   "or --allow scheduler",
				   c->leaves[0].disk, c->leaves[0].scheduler, c->leaves[i].disk,
				   c->leaves[i].scheduler);
	return 0;
}

static int set_schedulers(struct compare *c)
{
	const struct device **list = calloc(c->nleaves + 1, sizeof(*list));
	int ret = list ? 0 : err(-ENOMEM, "out of memory");

	for (size_t i = 0; i < c->nleaves && !ret; i++) {
		list[i] = &c->leaves[i];
		ret = queue_check(list[i], QUEUE_SCHEDULER, c->cfg->scheduler);
	}
	if (!ret)
		ret = queue_keep(&c->queues, list, c->nleaves);
	for (size_t i = 0; i < c->nleaves && !ret; i++) {
		ret = queue_set(&c->leaves[i], QUEUE_SCHEDULER, c->cfg->scheduler);
		device_facts(&c->leaves[i]);
	}
	free(list);
	return ret;
}

int compare_pin(struct compare *c)
{
	int ret = check_sizes(c);

	if (!ret)
		ret = find_leaves(c);
	if (ret)
		return ret;
	return c->cfg->scheduler ? set_schedulers(c) : check_schedulers(c);
}

int compare_unpin(struct compare *c)
{
	return queue_keep_end(&c->queues, c->left);
}

/*
 * Members of the JSON object "pinned":
 * @logical_block_size: integer: Logical block size of the baseline. All devices have the same block
 *	sizes, unless ``--allow`` let them differ.
 * @physical_block_size: integer: Physical block size of the baseline.
 * @schedulers: map of string: I/O scheduler of each disk that has one, by name of the disk.
 * @allowed: array of string: Properties that were allowed to differ.
 */
json_object *compare_pin_json(const struct compare *c)
{
	json_object *o = json_object_new_object(), *all = json_object_new_object(), *list;
	const struct device *a = &c->devs[c->baseline];

	json_u64(o, "logical_block_size", a->logical_bs);
	json_u64(o, "physical_block_size", a->physical_bs);
	for (size_t i = 0; i < c->nleaves; i++)
		json_str(all, c->leaves[i].disk, c->leaves[i].scheduler);
	json_object_object_add(o, "schedulers", all);
	list = json_object_new_array();
	for (size_t i = 0; i < NR_PINS; i++)
		if (allowed(c, i))
			json_object_array_add(list, json_object_new_string(compare_allow[i]));
	json_object_object_add(o, "allowed", list);
	return o;
}
