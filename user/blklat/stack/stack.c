// SPDX-License-Identifier: GPL-2.0
/* Build a set of stacks to measure, take them down, and never leave them behind. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/log.h"
#include "core/opt.h"
#include "device/keeper.h"
#include "device/nullblk.h"
#include "blklat/stack/build.h"
#include "blklat/stack/check.h"
#include "blklat/stack/command.h"
#include "blklat/stack/scratch.h"
#include "blklat/stack/undo.h"

#define KEEPER_TRIES	20	/* one try per second */

struct stacks_state {
	struct stack_plan *plans;	/* one for each stack */
	struct scratch scratch;
	struct journal j;
	struct keeper keeper;
	struct progress progress;
	off_t begin;			/* where the lines of the stacks begin in the journal */
	unsigned int seq;
};

/* --- building */

/*
 * End the progress line. Without a terminal, a new progress prints its first line at once. Set
 * "shown" so that it waits as for any other line: then only long jobs print lines.
 */
static void end_progress(struct stacks_state *st)
{
	progress_done(&st->progress);
	st->progress.shown = true;
}

static int get_legs(struct stacks *set, struct stack *s, const struct stack_plan *p)
{
	const struct stack_type *bottom = p->types[p->n - 1];
	struct stacks_state *st = set->state;
	size_t i;
	int ret;

	s->nlegs = set->temporary || !bottom->all ? bottom->about.legs : st->scratch.n;
	for (i = 0; i < s->nlegs; i++) {
		if (!set->temporary) {
			s->legs[i] = st->scratch.devs[i];
			continue;
		}
		ret = build_null_blk(&st->j, st->seq, i, 0, false, &s->legs[i]);
		if (ret)
			return ret;
	}
	st->seq++;
	return 0;
}

static void add_note(struct stack *s, const struct stack_build *b)
{
	size_t len = strlen(s->note);

	if (*b->note)
		snprintf(s->note + len, sizeof(s->note) - len, "%s%s", len ? "; " : "", b->note);
}

/* Build the layers of a stack, from the lowest up. */
static int build_layers(struct stacks *set, struct stack *s, const struct stack_plan *p)
{
	const struct device *legs = s->legs;
	struct device below = s->legs[0];
	size_t nlegs = s->nlegs, i;
	int ret;

	for (i = p->n; i-- > 0;) {
		struct stack_build b = {
			.type = p->types[i], .legs = legs, .nlegs = nlegs, .j = &set->state->j,
			.temporary = set->temporary, .seq = set->state->seq++,
		};

		if (!b.type->build)
			continue;
		ret = b.type->build(&b);
		if (ret)
			return ret;
		add_note(s, &b);
		below = b.out;
		legs = &below;
		nlegs = 1;
	}
	s->dev = below;
	return 0;
}

static void say_failed(const char *what)
{
	err(-EBUSY, "%s; 'blklat compare --cleanup' removes it later", what);
}

static int undo(struct stacks *set, off_t from)
{
	return journal_undo(set->state->j.path, from, NULL, say_failed);
}

int stack_build(struct stacks *set, struct stack *s)
{
	struct stacks_state *st = set->state;
	off_t from = journal_end(&st->j);
	int ret;

	if (s->built)
		return 0;
	/* Print no line for each of the many stacks: the comparison shows its own progress. */
	if (!set->temporary)
		st->progress.last_ns = now_ns();
	progress_line(&st->progress, "making %s", s->name);
	*s->note = 0;
	scratch_lend(&st->scratch);
	ret = get_legs(set, s, &st->plans[s - set->v]);
	ret = ret ?: build_layers(set, s, &st->plans[s - set->v]);
	end_progress(st);
	if (ret) {
		undo(set, from);
		scratch_take(&st->scratch);
		return ret;
	}
	s->built = true;
	return 0;
}

int stack_teardown(struct stacks *set, struct stack *s)
{
	int ret;

	if (!s->built || set->temporary)
		return 0;
	s->built = false;
	ret = undo(set, set->state->begin);
	return ret ?: scratch_take(&set->state->scratch);
}

/* --- a set */

/* Undo the whole journal; runs in the keeper. Try again, as users of a stack may need a while. */
static int keeper_undo(void *arg)
{
	const char *path = arg;
	int fd, i;

	/* Let the keeper's tools hold the lock on the journal, as the parent's tools did. */
	command_keep(-1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	command_keep(fd);
	for (i = 0; i < KEEPER_TRIES; i++) {
		if (!journal_undo(path, 0, NULL, NULL)) {
			unlink(path);
			return 0;
		}
		sleep(1);
	}
	return 1;
}

static int start_keeper(struct stacks_state *st)
{
	const struct keeper_task task = { .end = keeper_undo, .arg = st->j.path, .fd = st->j.fd };
	int ret = keeper_start(&st->keeper, &task);

	if (ret)
		return ret;
	command_keep(st->keeper.lifeline);
	command_keep(st->j.fd);
	return 0;
}

/*
 * Load null_blk, if needed. No line before it in the journal names a thing to be removed, so it is
 * unloaded last.
 */
static int get_null_blk(struct stacks_state *st)
{
	char why[250];
	int ret = 0;

	if (!nullblk_loaded())
		ret = journal_write(&st->j, "null_blk");
	if (ret)
		return ret;
	ret = nullblk_load(why, sizeof(why));
	return ret ? err(ret, "cannot make temporary devices, so name devices with --on: %s", why) :
		     0;
}

static int build_all(struct stacks *set)
{
	size_t i;
	int ret = get_null_blk(set->state);

	for (i = 0; i < set->n && !ret; i++)
		ret = stack_build(set, &set->v[i]);
	return ret;
}

static int prepare(struct stacks *set, const char *const *on, size_t non)
{
	struct stacks_state *st = set->state;
	int ret = 0;

	if (non)
		ret = scratch_open(&st->scratch, on, non);
	ret = ret ?: journal_create(&st->j);
	ret = ret ?: start_keeper(st);
	if (ret)
		return ret;
	st->begin = journal_end(&st->j);
	st->progress.plain_every_ns = 2000000000;
	st->progress.last_ns = now_ns();
	end_progress(st);
	return set->temporary ? build_all(set) : 0;
}

static void name_stacks(struct stacks *set, const struct stack_plan *plans)
{
	size_t i, j, same;

	for (i = 0; i < set->n; i++) {
		for (j = 0, same = 1; j < i; j++)
			same += !strcmp(plans[j].name, plans[i].name);
		if (same == 1)
			snprintf(set->v[i].name, sizeof(set->v[i].name), "%s", plans[i].name);
		else
			snprintf(set->v[i].name, sizeof(set->v[i].name), "%.*s (%zu)", DEV_TEXT - 8,
				 plans[i].name, same);
	}
}

static struct stacks *new_set(struct stack_plan *plans, size_t n, bool temporary)
{
	struct stacks *set = calloc(1, sizeof(*set));

	if (!set)
		return NULL;
	set->v = calloc(n, sizeof(*set->v));
	set->state = calloc(1, sizeof(*set->state));
	if (!set->v || !set->state) {
		free(set->v);
		free(set->state);
		free(set);
		return NULL;
	}
	set->n = n;
	set->temporary = temporary;
	set->state->plans = plans;
	set->state->j.fd = -1;
	name_stacks(set, plans);
	return set;
}

/*
 * Split words with names and commas between into @names, at most STACK_LEGS. @text: set to the
 * memory that the names are in; the caller frees it with free().
 */
static int split_names(const char *const *on, size_t non, const char **names, size_t *n,
		       char **text)
{
	char *save = NULL, *word;
	size_t i, len = 1;

	*n = 0;
	for (i = 0; i < non; i++)
		len += strlen(on[i]) + 1;
	*text = calloc(1, len);
	if (!*text)
		return err(-ENOMEM, "out of memory");
	for (i = 0; i < non; i++) {
		strcat(*text, on[i]);
		strcat(*text, ",");
	}
	for (word = strtok_r(*text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		if (*n == STACK_LEGS)
			return usage_error("--on takes at most %d devices", STACK_LEGS);
		names[(*n)++] = word;
	}
	return non && !*n ? usage_error("--on needs the names of devices") : 0;
}

static int open_plans(const char *names, const char *const *on, size_t non, bool destroy,
		      struct stacks **out)
{
	struct stack_plan *plans;
	struct stacks *set;
	size_t n;
	int ret;

	ret = plans_parse(names, &plans, &n);
	if (ret)
		return ret;
	ret = plans_check(plans, n, non, destroy, on);
	set = ret ? NULL : new_set(plans, n, !non);
	if (!set) {
		free(plans);
		return ret ?: err(-ENOMEM, "out of memory");
	}
	ret = prepare(set, on, non);
	if (ret)
		stacks_close(set);
	else
		*out = set;
	return ret;
}

int stacks_open(const char *names, const char *const *on, size_t non, bool destroy,
		struct stacks **set)
{
	const char *devs[STACK_LEGS];
	char *text;
	size_t n;
	int ret;

	ret = split_names(on, non, devs, &n, &text);
	ret = ret ?: open_plans(names, devs, n, destroy, set);
	free(text);
	return ret;
}

int stacks_close(struct stacks *set)
{
	struct stacks_state *st;
	int ret = 0;

	if (!set)
		return 0;
	st = set->state;
	/* Until the stacks are down, the locks keep udev away from the disks. */
	scratch_lend(&st->scratch);
	if (st->j.fd >= 0) {
		progress_line(&st->progress, "taking down the stacks");
		ret = undo(set, 0);
		end_progress(st);
		journal_close(&st->j);
	}
	scratch_close(&st->scratch);
	command_keep(-1);
	/* The keeper tries again to undo what could not be undone, which may take minutes. */
	if (ret && st->keeper.pid)
		warn("process %d goes on trying to remove what is left", keeper_leave(&st->keeper));
	else
		keeper_end(&st->keeper);
	free(st->plans);
	free(st);
	free(set->v);
	free(set);
	return ret;
}
