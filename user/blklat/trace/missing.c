// SPDX-License-Identifier: GPL-2.0
/* Say which hooks a trace lacks, and what becomes of the stages without them. */
#include <string.h>
#include "blklat/trace/missing.h"
#include "output/json.h"

static bool is_missing(const struct trace *t, const struct hook_status *st, size_t i)
{
	return (st[i].state == HOOK_MISSING || st[i].state == HOOK_FAILED) && hooks[i].without &&
	       hook_wanted(hooks[i].family, t->stack.devs, t->stack.ndevs);
}

/* Return the next missing hook from @i on, nr_hooks if there is none. Skip what was said before. */
static size_t next_missing(const struct trace *t, size_t i)
{
	const struct hook_status *st = session_hooks(t->session);

	for (; i < nr_hooks; i++) {
		bool said = !is_missing(t, st, i);

		for (size_t k = 0; k < i && !said; k++)
			said = is_missing(t, st, k) && !strcmp(st[i].reason, st[k].reason) &&
			       !strcmp(hooks[i].without, hooks[k].without);
		if (!said)
			break;
	}
	return i;
}

void missing_print(const struct trace *t, FILE *f)
{
	const struct hook_status *st = session_hooks(t->session);

	for (size_t i = 0; (i = next_missing(t, i)) < nr_hooks; i++)
		fprintf(f, "missing: %s: %s\n", st[i].reason, hooks[i].without);
}

/*
 * Members of the JSON object "missing hook":
 * @symbol: string: Tracepoint or function that has the hook.
 * @reason: string: Reason for which blklat has no program there.
 * @effect: string: Consequence for the stages.
 */
json_object *missing_json(const struct trace *t)
{
	const struct hook_status *st = session_hooks(t->session);
	json_object *list = json_object_new_array();

	for (size_t i = 0; (i = next_missing(t, i)) < nr_hooks; i++) {
		json_object *o = json_object_new_object();

		json_str(o, "symbol", hooks[i].symbol);
		json_str(o, "reason", st[i].reason);
		json_str(o, "effect", hooks[i].without);
		json_object_array_add(list, o);
	}
	return list;
}
