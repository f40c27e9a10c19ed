// SPDX-License-Identifier: GPL-2.0
/* Make the stacks of --stacks and take them down. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/compare/stacks.h"
#include "device/topo.h"
#include "blklat/result/topo_tree.h"
#include "blklat/stack/stack.h"
#include "output/json.h"

int compare_stacks_help(void)
{
	const struct stack_about *types;
	size_t n;

	types = stack_types(&n);
	for (size_t i = 0; i < n; i++)
		printf("%-12s  %s%s\n", types[i].name, types[i].brief,
		       types[i].legs > 2 ? ", on 4 devices" :
		       types[i].legs > 1 ? ", on 2 devices" : "");
	return 0;
}

static int allocate(struct compare *c, size_t n)
{
	if (n > BLKLAT_COMPARE_MAX)
		return usage_error("--stacks takes at most %d stacks", BLKLAT_COMPARE_MAX);
	c->devs = calloc(n, sizeof(*c->devs));
	c->res.devs = calloc(n, sizeof(*c->res.devs));
	return c->devs && c->res.devs ? 0 : err(-ENOMEM, "out of memory");
}

/*
 * Members of the JSON object "stack":
 * @stack: string: Name of the stack, as in ``--stacks``.
 * @device: string: The device on top of the stack, which was compared.
 * @legs: array of string: The devices at the bottom of the stack.
 * @note: string: Remarks about the stack, such as the cipher of dm-crypt; may be empty.
 * @topology[]: topology, optional: The device and the devices that it is made of.
 */
static json_object *stack_to_json(const struct stack *s)
{
	json_object *o = json_object_new_object();
	struct topo t;

	json_str(o, "stack", s->name);
	json_str(o, "device", s->dev.name);
	json_object_object_add(o, "legs", names_json(s->legs, s->nlegs));
	json_str(o, "note", s->note);
	if (!topo_build(&s->dev, 1, TOPO_BELOW, &t))
		json_object_object_add(o, "topology", stack_json(&t));
	topo_free(&t);
	return o;
}

static void note_device(struct compare *c, size_t i)
{
	struct result_dev *d = &c->res.devs[i];
	const struct stack *s = &c->stacks->v[i];

	c->devs[i] = s->dev;
	snprintf(d->name, sizeof(d->name), "%s", s->dev.name);
	snprintf(d->label, sizeof(d->label), "%s", s->name);
	d->top = true;
}

/*
 * Add one stack to the compared devices. A stack that is made by turns is made once here, to
 * learn what the device is and that the stack can be made.
 */
static int add_stack(struct compare *c)
{
	size_t i = c->n;
	const struct stack *s = &c->stacks->v[i];
	int ret = compare_stacks_enter(c, i);

	if (ret < 0)
		return ret;
	note_device(c, i);
	json_object_array_add(c->stacks_doc, stack_to_json(s));
	if (*s->note)
		info("%s: %s", s->name, s->note);
	c->res.ndevs = ++c->n;
	return compare_stacks_leave(c, i);
}

int compare_stacks_open(struct compare *c)
{
	const struct compare_cfg *cfg = c->cfg;
	int ret = stacks_open(cfg->stacks, cfg->on.v, cfg->on.n, cfg->destroy, &c->stacks);

	if (!ret)
		ret = allocate(c, c->stacks->n);
	c->stacks_doc = json_object_new_array();
	while (!ret && c->n < c->stacks->n)
		ret = add_stack(c);
	return ret;
}

int compare_stacks_enter(struct compare *c, size_t dev)
{
	int ret;

	if (!c->stacks || c->stacks->v[dev].built)
		return 0;
	ret = stack_build(c->stacks, &c->stacks->v[dev]);
	if (ret)
		return ret;
	note_device(c, dev);
	return 1;
}

int compare_stacks_leave(struct compare *c, size_t dev)
{
	return c->stacks ? stack_teardown(c->stacks, &c->stacks->v[dev]) : 0;
}

int compare_stacks_legs(struct compare *c, int (*fn)(struct compare *c, const struct device *d))
{
	int ret = 0;

	for (size_t i = 0; i < c->stacks->n; i++)
		for (size_t k = 0; k < c->stacks->v[i].nlegs && !ret; k++)
			ret = fn(c, &c->stacks->v[i].legs[k]);
	return ret;
}

int compare_stacks_close(struct compare *c)
{
	int ret = stacks_close(c->stacks);

	c->stacks = NULL;
	json_object_put(c->stacks_doc);
	return ret;
}
