// SPDX-License-Identifier: GPL-2.0
/* Parse the names of stacks, and check that the stacks can be made. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/log.h"
#include "core/opt.h"
#include "device/module.h"
#include "blklat/stack/check.h"
#include "blklat/stack/command.h"

static const struct stack_type base_types[] = {
	{ { "raw", "the device itself", 1 } },
	{ }
};

static const struct stack_type *const families[] = { base_types, dm_types, lvm_types, md_types };

#define NFAMILIES	(sizeof(families) / sizeof(*families))
#define MAX_TYPES	32

/* Short names for stacks that are often wanted. */
static const struct {
	struct stack_about about;
	const char *is;
} aliases[] = {
	{ { "nested", "dm-crypt/lvm-linear/md-raid1", 2 }, "dm-crypt/lvm-linear/md-raid1" },
};

#define NALIASES	(sizeof(aliases) / sizeof(*aliases))

static const struct stack_type *find_type(const char *name)
{
	const struct stack_type *t;
	size_t i;

	for (i = 0; i < NFAMILIES; i++)
		for (t = families[i]; t->about.name; t++)
			if (!strcmp(t->about.name, name))
				return t;
	return NULL;
}

const struct stack_about *stack_types(size_t *n)
{
	static struct stack_about list[MAX_TYPES];
	const struct stack_type *t;
	size_t i;

	*n = 0;
	for (i = 0; i < NFAMILIES; i++)
		for (t = families[i]; t->about.name && *n < MAX_TYPES; t++)
			list[(*n)++] = t->about;
	for (i = 0; i < NALIASES && *n < MAX_TYPES; i++)
		list[(*n)++] = aliases[i].about;
	return list;
}

const char *stack_type_name(size_t i)
{
	size_t n;
	const struct stack_about *all = stack_types(&n);

	return i < n ? all[i].name : NULL;
}

static int unknown_type(const char *name)
{
	char list[600] = "";
	const struct stack_about *all;
	size_t n, i;

	all = stack_types(&n);
	for (i = 0; i < n; i++) {
		strncat(list, i ? ", " : "", sizeof(list) - strlen(list) - 1);
		strncat(list, all[i].name, sizeof(list) - strlen(list) - 1);
	}
	return usage_error("--stacks: there is no '%s'; the types are: %s", name, list);
}

static int parse_plan(const char *name, struct stack_plan *p)
{
	char text[DEV_TEXT], *save = NULL, *word;
	size_t i;

	snprintf(p->name, sizeof(p->name), "%s", name);
	snprintf(text, sizeof(text), "%s", name);
	for (i = 0; i < NALIASES; i++)
		if (!strcmp(name, aliases[i].about.name))
			snprintf(text, sizeof(text), "%s", aliases[i].is);
	for (word = strtok_r(text, "/", &save); word; word = strtok_r(NULL, "/", &save)) {
		const struct stack_type *t = find_type(word);

		if (!t)
			return unknown_type(word);
		if (p->n == PLAN_LAYERS)
			return usage_error("--stacks: '%s' has more than %d layers", name,
					   PLAN_LAYERS);
		p->types[p->n++] = t;
	}
	for (i = 0; i + 1 < p->n; i++)
		if (p->types[i]->about.legs > 1 || !p->types[i]->build)
			return usage_error("--stacks: '%s': %s cannot be made on a single device",
					   name, p->types[i]->about.name);
	return p->n ? 0 : unknown_type(name);
}

int plans_parse(const char *names, struct stack_plan **plans, size_t *n)
{
	char *text = strdup(names), *save = NULL, *word;
	struct stack_plan *v = NULL, *more;
	int ret = text ? 0 : no_memory();

	*n = 0;
	for (word = text ? strtok_r(text, ", ", &save) : NULL; word && !ret;
	     word = strtok_r(NULL, ", ", &save)) {
		more = realloc(v, (*n + 1) * sizeof(*v));
		if (!more) {
			ret = err(-ENOMEM, "out of memory");
			break;
		}
		v = more;
		memset(&v[*n], 0, sizeof(*v));
		ret = parse_plan(word, &v[(*n)++]);
	}
	if (!ret && !*n)
		ret = usage_error("--stacks needs the names of stacks");
	free(text);
	if (ret)
		free(v);
	else
		*plans = v;
	return ret;
}

/* Load a kernel module. @names: "a|b", either of which is enough. */
static int need_module(const struct stack_type *t, const char *names)
{
	char text[80], sys[96], why[200] = "", first[40], *save = NULL, *word, *p;

	snprintf(text, sizeof(text), "%s", names);
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(names, "|"), names);
	for (word = strtok_r(text, "|", &save); word; word = strtok_r(NULL, "|", &save)) {
		if (!load_module(word, NULL, why, sizeof(why)))
			return 0;
		snprintf(sys, sizeof(sys), "/sys/module/%s", word);
		for (p = sys; *p; p++)
			if (*p == '-')
				*p = '_';
		if (!access(sys, F_OK))
			return 0;
	}
	/* Drop modprobe's message if it says the same as ours, only longer. */
	if (strstr(why, "not found in directory"))
		*why = 0;
	return err(-ENOENT, "%s: this kernel has no module %s%s%s", t->about.name, first,
		   *why ? ": " : "", why);
}

static int check_type(const struct stack_plan *p, const struct stack_type *t, size_t non)
{
	const char *const *m;
	int ret;

	if (t == p->types[p->n - 1] && non && non < t->about.legs)
		return usage_error("%s needs %zu devices, but --on names %zu", p->name,
				   t->about.legs, non);
	if (t == p->types[p->n - 1] && t->even && non % 2)
		return usage_error("%s needs an even number of devices, but --on names %zu",
				   p->name, non);
	if (t->tool && !command_there(t->tool))
		return err(-ENOENT, "%s: needs %s, which is not installed", t->about.name, t->tool);
	for (m = t->modules; m && *m; m++) {
		ret = need_module(t, *m);
		if (ret)
			return ret;
	}
	return 0;
}

int plans_check(const struct stack_plan *plans, size_t n, size_t non, bool destroy,
		const char *const *on)
{
	size_t i, j;
	int ret;

	if (non && !destroy)
		return usage_error("the data on %s%s would be lost; give --destroy to allow this",
				   on[0], non > 1 ? " and the other devices" : "");
	if (geteuid())
		return err(-EPERM, "making stacks needs root");
	for (i = 0; i < n; i++)
		for (j = 0; j < plans[i].n; j++) {
			ret = check_type(&plans[i], plans[i].types[j], non);
			if (ret)
				return ret;
		}
	return 0;
}
