// SPDX-License-Identifier: GPL-2.0
/* Find the loads of --scenario, and set their options. */
#include <errno.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/series/scenario.h"
#include "core/log.h"

/* Return the option's name in a setting such as "!rw=read". @len is set to the name's length. */
static const char *option_of(const char *setting, size_t *len)
{
	setting += *setting == '!';
	*len = strcspn(setting, "=");
	return setting;
}

static bool sets(const char *setting, const char *option)
{
	char own[32];
	size_t len;
	const char *name = option_of(setting, &len);

	snprintf(own, sizeof(own), "%.*s", (int)len, name);
	return load_same_option(own, option);
}

bool scenario_sets(const struct scenario *sc, const char *option)
{
	const struct scenario_step *st;
	size_t i;

	for (st = sc->steps; st->name; st++)
		for (i = 0; st->settings[i]; i++)
			if (*st->settings[i] == '!' && sets(st->settings[i], option))
				return true;
	return false;
}

static int check_given(const struct scenario *sc, const struct opt_args *args)
{
	const struct opt *o;

	for (o = args->cmd->opts; o->type != OPT_END; o++) {
		/* The user may give --time. Steps that must end by themselves ignore it. */
		if (!o->name || !strcmp(o->name, "time"))
			continue;
		if (scenario_sets(sc, o->name) && load_opt_seen(args, o->name))
			return usage_error("--scenario %s sets --%s itself", sc->name, o->name);
	}
	return 0;
}

int scenario_find(const char *name, const struct opt_args *args, const struct scenario **sc)
{
	char names[100] = "";
	size_t n = 0;

	for (*sc = scenarios; (*sc)->name; (*sc)++) {
		if (!strcmp((*sc)->name, name))
			return check_given(*sc, args);
		n += snprintf(names + n, sizeof(names) - n, "%s, ", (*sc)->name);
	}
	return usage_error("--scenario: '%s' is none of %slist", name, names);
}

int scenario_apply(const struct scenario_step *st, struct load_cfg *c,
		   const struct opt_args *args)
{
	char option[32];
	size_t i, len;
	int ret = 0;

	for (i = 0; st->settings[i] && !ret; i++) {
		const char *name = option_of(st->settings[i], &len);

		snprintf(option, sizeof(option), "%.*s", (int)len, name);
		if (*st->settings[i] == '!' || !load_opt_seen(args, option))
			ret = opt_set(args->cmd, c, option, name + len + 1);
	}
	return ret;
}

void scenario_left_out(const struct scenario *sc)
{
	char names[600] = "";
	const struct scenario_step *st;
	size_t n = 0;

	for (st = sc->steps; st->name && n < sizeof(names); st++)
		if (st->writes)
			n += snprintf(names + n, sizeof(names) - n, "%s%s", n ? ", " : "",
				      st->name);
	if (n)
		warn("without --write these steps are left out: %s", names);
}

static void list_step(const struct scenario_step *st)
{
	size_t i;

	printf("  %-22s", st->name);
	for (i = 0; st->settings[i]; i++) {
		const char *s = st->settings[i];

		printf(" --%s", s + (*s == '!'));
	}
	if (st->part)
		printf(", the first 1/%u of the device", st->part);
	if (st->steady)
		printf(" --steady");
	printf("%s\n", st->writes ? " --write" : "");
}

void scenario_list(void)
{
	const struct scenario_step *st;
	const struct scenario *sc;

	for (sc = scenarios; sc->name; sc++) {
		printf("%s%s: %s\n", sc == scenarios ? "" : "\n", sc->name, sc->brief);
		for (st = sc->steps; st->name; st++)
			list_step(st);
	}
}
