// SPDX-License-Identifier: GPL-2.0
/* Make a step for each combination of the values of --sweep, and for each step of --scenario. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/target.h"
#include "blkgen/series/scenario.h"
#include "blkgen/series/series.h"
#include "core/log.h"

#define MAX_STEPS	10000

/* An axis is one --sweep KEY=V1,V2... */
struct axis {
	char *text;		/* memory that key and values point into */
	const char *key;
	char **values;
	size_t n;
	int queue;		/* enum queue_attr, or -1: the key is an option */
	int column;		/* number of the key, see load_series_key() */
};

struct sweep {
	struct axis axes[LOAD_KEYS];
	size_t n;
};

static int queue_attr(const char *key)
{
	int a;

	for (a = 0; a < NR_QUEUE_ATTRS; a++)
		if (!strcmp(queue_attr_names[a], key))
			return a;
	return -1;
}

/* Return true if @key is an option of a single load, not an option of the whole command. */
static bool can_sweep(const struct cmd *cmd, const char *key)
{
	static const char *const other[] = { "Series", "Safety", "Results", "Common" };
	const struct opt *o, *heading = NULL;
	size_t i;

	for (o = cmd->opts; o->type != OPT_END; o++) {
		if (o->type == OPT_HEADING)
			heading = o;
		if (o->name && !strcmp(o->name, key))
			break;
	}
	if (o->type == OPT_END)
		return false;
	for (i = 0; i < sizeof(other) / sizeof(*other); i++)
		if (heading && !strcmp(heading->help, other[i]))
			return false;
	return true;
}

static int split(struct axis *a, char *list)
{
	char *save = NULL, *v;
	size_t i;

	a->values = calloc(strlen(list) + 1, sizeof(*a->values));
	if (!a->values)
		return err(-ENOMEM, "out of memory");
	if (!*list || *list == ',' || list[strlen(list) - 1] == ',' || strstr(list, ",,"))
		return usage_error("--sweep %s: a value is missing", a->key);
	for (v = strtok_r(list, ",", &save); v; v = strtok_r(NULL, ",", &save)) {
		for (i = 0; i < a->n; i++)
			if (!strcmp(a->values[i], v))
				return usage_error("--sweep %s: '%s' is given twice", a->key, v);
		a->values[a->n++] = v;
	}
	return 0;
}

static int parse_axis(struct sweep *sw, const char *text, bool goal,
		      const struct opt_args *args)
{
	struct axis *a = &sw->axes[sw->n];
	char *eq;
	size_t i;

	if (sw->n == LOAD_KEYS)
		return usage_error("--sweep is given more than %d times", LOAD_KEYS);
	sw->n++;
	a->text = strdup(text);
	if (!a->text)
		return err(-ENOMEM, "out of memory");
	eq = strchr(a->text, '=');
	if (!eq || eq == a->text)
		return usage_error("--sweep: '%s' is not KEY=VALUE,VALUE...", text);
	*eq = 0;
	a->key = a->text;
	a->queue = queue_attr(a->key);
	if (a->queue < 0 && !can_sweep(args->cmd, a->key))
		return usage_error("--sweep: '%s' is no option of a load, nor scheduler or "
				   "rq_affinity", a->key);
	for (i = 0; i + 1 < sw->n; i++)
		if (load_same_option(sw->axes[i].key, a->key))
			return usage_error("--sweep %s is given twice%s", a->key,
					   strcmp(sw->axes[i].key, a->key) ?
					   ": bs and bssplit set the same" : "");
	if (a->queue < 0 && load_opt_seen(args, a->key))
		return usage_error("--%s and --sweep %s exclude each other",
				   opt_seen(args, a->key) ? a->key : strcmp(a->key, "bs") ?
				   "bs" : "bssplit", a->key);
	if (goal && (!strcmp(a->key, "qd") || !strcmp(a->key, "rate")))
		return usage_error("--sweep %s cannot be used with --target-latency, which "
				   "searches for the highest --rate or --qd itself", a->key);
	return split(a, eq + 1);
}

static int set_axis(const struct cmd *cmd, const struct axis *a, size_t value,
		    struct load_step *st, struct load_cfg *c)
{
	const char *v = a->values[value];
	int ret;

	ret = load_step_set(st, a->column, v);
	if (ret || a->queue < 0)
		return ret ? ret : opt_set(cmd, c, a->key, v);
	st->queue[a->queue] = strdup(v);
	return st->queue[a->queue] ? 0 : err(-ENOMEM, "out of memory");
}

static bool gives(const struct sweep *sw, const char *key)
{
	size_t i;

	for (i = 0; i < sw->n; i++)
		if (!strcmp(sw->axes[i].key, key))
			return true;
	return false;
}

/* Add the step of combination @nr. The last axis changes fastest. */
static int add_step(struct load *l, struct load_series *s, const struct sweep *sw, size_t nr,
		    const struct scenario_step *sc, const struct opt_args *args)
{
	struct load_step *st = load_series_add(s, sc ? sc->name : NULL);
	struct load_cfg c = *l->cfg;
	size_t i = sw->n;
	int ret = st ? 0 : -ENOMEM;

	if (!ret && sc)
		ret = scenario_apply(sc, &c, args);
	while (i-- && !ret) {
		ret = set_axis(args->cmd, &sw->axes[i], nr % sw->axes[i].n, st, &c);
		nr /= sw->axes[i].n;
	}
	if (ret)
		return ret;
	load_defaults(&c, gives(sw, "time") || opt_seen(args, "time"),
		      gives(sw, "qd") || l->qd_given || (sc && c.set.qd != l->cfg->set.qd));
	if (!load_step_add(st, NULL, &c, NULL, 0))
		return -ENOMEM;
	st->steady = c.steady || (sc && sc->steady);
	st->jobs[0].part = sc ? sc->part : 0;
	return 0;
}

/* Without --write, leave out the steps that write. scenario_left_out() tells the user. */
static int add_combination(struct load *l, struct load_series *s, const struct sweep *sw, size_t nr,
			   const struct scenario *scenario, const struct opt_args *args)
{
	const struct scenario_step *sc;
	int ret = 0;

	if (!scenario)
		return add_step(l, s, sw, nr, NULL, args);
	for (sc = scenario->steps; sc->name && !ret; sc++) {
		if (!sc->writes || l->cfg->write || !args->npos)
			ret = add_step(l, s, sw, nr, sc, args);
	}
	return ret;
}

static int make_steps(struct load *l, struct load_series *s, struct sweep *sw,
		      const struct scenario *scenario, const struct opt_args *args)
{
	size_t n = 1, i;
	int ret = 0;

	for (i = 0; i < sw->n; i++) {
		struct axis *a = &sw->axes[i];

		n *= a->n;
		if (n > MAX_STEPS)
			return usage_error("--sweep makes more than %d steps", MAX_STEPS);
		if (scenario && scenario_sets(scenario, a->key))
			return usage_error("--sweep %s: --scenario %s sets --%s itself", a->key,
					   scenario->name, a->key);
		a->column = load_series_key(s, a->key);
		if (a->column < 0)
			return a->column;
	}
	for (i = 0; i < n && !ret; i++)
		ret = add_combination(l, s, sw, i, scenario, args);
	return ret;
}

int load_sweep(struct load *l, struct load_series *s, struct opt_args *args)
{
	const struct load_cfg *c = l->cfg;
	const struct scenario *scenario = NULL;
	struct sweep sw = { 0 };
	size_t i;
	int ret = 0;

	if (c->scenario)
		ret = scenario_find(c->scenario, args, &scenario);
	for (i = 0; i < c->sweep.n && !ret; i++)
		ret = parse_axis(&sw, c->sweep.v[i], s->goal != NULL, args);
	if (!ret && scenario && !c->write && args->npos)
		scenario_left_out(scenario);
	if (!ret)
		ret = make_steps(l, s, &sw, scenario, args);
	for (i = 0; i < s->nsteps; i++) {
		if (!s->steps[i].steady)
			continue;
		s->extra[0] = "round";
		s->extra[1] = "range";
		s->extra[2] = "slope";
	}
	/* The names of columns and the values of options point into this memory. */
	for (i = 0; i < sw.n; i++) {
		s->keep[i] = sw.axes[i].text;
		s->keep_lists[i] = sw.axes[i].values;
	}
	return ret;
}
