// SPDX-License-Identifier: GPL-2.0
/* Find commands, parse options, set defaults and print help, all from the rows of tables. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/log.h"
#include "core/opt.h"
#include "core/text.h"
#include "core/units.h"

#define HELP_COL	27	/* column at which the text of an option begins */

const char *const color_choices[] = { "auto", "always", "never", NULL };

/* A usage error names the command whose --help explains more: "blkgen load". */
static char cmd_name[64];

int usage_error(const char *fmt, ...)
{
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return err(-EUSAGE, "%s (see %s --help)", msg,
		   *cmd_name ? cmd_name : log_progname());
}

static const struct opt *find_long(const struct cmd *cmd, const char *name, size_t len)
{
	const struct opt *o;

	for (o = cmd->opts; o && o->type != OPT_END; o++)
		if (o->name && strlen(o->name) == len && !strncmp(o->name, name, len))
			return o;
	return NULL;
}

static const struct opt *find_short(const struct cmd *cmd, char key)
{
	const struct opt *o;

	for (o = cmd->opts; o && o->type != OPT_END; o++)
		if (o->key && o->key == key)
			return o;
	return NULL;
}

static int join_choices(char *buf, size_t len, const char *const *choices, const char *between)
{
	size_t n = 0;

	*buf = 0;
	for (; *choices; choices++) {
		n += snprintf(buf + n, n < len ? len - n : 0, "%s%s", n ? between : "", *choices);
		if (n >= len)
			break;
	}
	return n;
}

static int find_choice(const struct opt *o, const char *s, size_t len)
{
	int i;

	for (i = 0; o->choices[i]; i++)
		if (strlen(o->choices[i]) == len && !strncmp(o->choices[i], s, len))
			return i;
	return -1;
}

static int bad_choice(const struct opt *o, const char *s, size_t len)
{
	char all[200];

	join_choices(all, sizeof(all), o->choices, "|");
	return usage_error("--%s: '%.*s' is none of %s", o->name, (int)len, s, all);
}

static int set_choices(const struct opt *o, const char *s, uint64_t *set)
{
	*set = 0;
	while (1) {
		size_t len = strcspn(s, ",");
		int i = find_choice(o, s, len);

		if (i >= 0)
			*set |= 1ull << i;
		else if (len == 3 && !strncmp(s, "all", 3))
			*set = ~0ull;
		else
			return bad_choice(o, s, len);
		if (!s[len])
			return 0;
		s += len + 1;
	}
}

static int list_add(struct strlist *l, const char *s)
{
	const char **v = realloc(l->v, (l->n + 1) * sizeof(*v));

	if (!v)
		return err(-ENOMEM, "out of memory");
	v[l->n++] = s;
	l->v = v;
	return 0;
}

/* Copy the bytes, as the destination can be a __u64, which is another type than uint64_t. */
static void store_number(const struct opt *o, uint64_t v, void *dst)
{
	uint32_t narrow = v;

	if (o->size == sizeof(narrow))
		memcpy(dst, &narrow, sizeof(narrow));
	else
		memcpy(dst, &v, sizeof(v));
}

static int set_number(const struct opt *o, const char *s, void *dst)
{
	static const struct {
		int (*parse)(const char *s, uint64_t *v);
		const char *what;
	} kinds[] = {
		[OPT_COUNT] = { parse_count, "a number such as 64 or 10k" },
		[OPT_SIZE] = { parse_size, "a size such as 512, 4k, 1M or 2G" },
		[OPT_TIME] = { parse_time, "a time such as 10s, 500ms or 2m" },
		[OPT_RATE] = { parse_rate, "a rate such as 10k (I/Os a second) or 50MB/s" },
	};
	uint64_t v, max = o->max ?: o->size == sizeof(uint32_t) ? UINT32_MAX : 0;
	int ret = kinds[o->type].parse(s, &v);

	if (ret == -ERANGE && !max)
		return usage_error("--%s: '%s' is too large", o->name, s);
	/* A number beyond 64 bits is above any limit: let the message say what the limit is. */
	if (ret == -ERANGE)
		v = UINT64_MAX;
	else if (ret)
		return usage_error("--%s: '%s' is not %s", o->name, s, kinds[o->type].what);
	if (v < o->min || (max && v > max)) {
		char lo[FMT_LEN], hi[FMT_LEN];
		char *(*fmt)(char *, size_t, double) = o->type == OPT_TIME ? fmt_time : NULL;

		if (o->type == OPT_SIZE) {
			fmt_size(lo, sizeof(lo), o->min);
			fmt_size(hi, sizeof(hi), max);
		} else if (fmt) {
			fmt(lo, sizeof(lo), o->min);
			fmt(hi, sizeof(hi), max);
		} else {
			snprintf(lo, sizeof(lo), "%llu", (unsigned long long)o->min);
			snprintf(hi, sizeof(hi), "%llu", (unsigned long long)max);
		}
		if (!max)
			return usage_error("--%s: '%s' is below %s", o->name, s, lo);
		return usage_error("--%s: '%s' is not within %s to %s", o->name, s, lo, hi);
	}
	store_number(o, v, dst);
	return 0;
}

static uint64_t load_number(const struct opt *o, const void *src)
{
	uint64_t v;
	uint32_t narrow;

	if (o->size == sizeof(v)) {
		memcpy(&v, src, sizeof(v));
		return v;
	}
	memcpy(&narrow, src, sizeof(narrow));
	return narrow;
}

static void set_flag(const struct opt *o, bool on, void *dst)
{
	uint64_t bits;

	if (!o->bit) {
		*(bool *)dst = on;
		return;
	}
	bits = load_number(o, dst);
	store_number(o, on ? bits | o->bit : bits & ~o->bit, dst);
}

uint64_t opt_number(const struct opt *opt, const void *cfg)
{
	const void *src = (const char *)cfg + opt->offset;

	if (opt->type != OPT_FLAG)
		return load_number(opt, src);
	return opt->bit ? (load_number(opt, src) & opt->bit) != 0 : *(const bool *)src;
}

static int set_value(const struct opt *o, const char *s, void *cfg)
{
	void *dst = (char *)cfg + o->offset;
	int i;

	switch (o->type) {
	case OPT_FLAG:
		set_flag(o, strcmp(s, "no"), dst);
		return 0;
	case OPT_COUNT:
	case OPT_SIZE:
	case OPT_TIME:
	case OPT_RATE:
		return set_number(o, s, dst);
	case OPT_PERCENT:
		if (parse_percent(s, dst))
			return usage_error("--%s: '%s' is not a percentage from 0 to 100",
					   o->name, s);
		return 0;
	case OPT_STRING:
	case OPT_OUTPUT:
		*(const char **)dst = s;
		return 0;
	case OPT_ENUM:
		i = find_choice(o, s, strlen(s));
		if (i < 0)
			return bad_choice(o, s, strlen(s));
		*(int *)dst = i;
		return 0;
	case OPT_SET:
		return set_choices(o, s, dst);
	case OPT_LIST:
		return list_add(dst, s);
	case OPT_PARSE:
		return o->parse(o->name, s, dst);
	case OPT_END:
	case OPT_HEADING:
		break;
	}
	return -EINVAL;
}

static int unknown_option(const struct cmd *cmd, const char *name, size_t len)
{
	const struct opt *o, *near = NULL;
	size_t best = TEXT_TOO_FAR;

	for (o = cmd->opts; o && o->type != OPT_END; o++)
		if (o->name && text_is_nearer(name, len, o->name, &best))
			near = o;
	if (near)
		return usage_error("no option --%.*s; did you mean --%s?", (int)len, name,
				   near->name);
	return usage_error("no option --%.*s", (int)len, name);
}

static void print_opt(const struct opt *o)
{
	char left[80], choices[200] = "", text[600];
	int n = 0;

	n += snprintf(left, sizeof(left), o->key ? "  -%c, " : "      ", o->key);
	n += snprintf(left + n, sizeof(left) - n, "--%s", o->name);
	if (o->type == OPT_OUTPUT)
		snprintf(left + n, sizeof(left) - n, "[=%s]", o->metavar);
	else if (o->type != OPT_FLAG)
		snprintf(left + n, sizeof(left) - n, " %s", o->metavar ? o->metavar : "ARG");
	if (o->choices)
		join_choices(choices, sizeof(choices), o->choices, "|");
	/* A long list needs places where the line can be broken. */
	if (strlen(choices) > HELP_WIDTH - HELP_COL)
		join_choices(choices, sizeof(choices), o->choices, ", ");
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", o->help ? o->help : "",
		 *choices ? ": " : "", choices,
		 o->def ? " [" : "", o->def ? o->def : "", o->def ? "]" : "");
	printf("%-*s", HELP_COL, left);
	if (strlen(left) >= HELP_COL)
		printf("\n%*s", HELP_COL, "");
	text_wrap(stdout, text, HELP_COL, HELP_COL, HELP_WIDTH);
}

static void print_help(const char *prog, const struct cmd *cmd)
{
	const struct opt *o;

	int col = printf("%s %s - ", prog, cmd->name);

	text_wrap(stdout, cmd->brief, 4, col, HELP_WIDTH);
	printf("\nUsage: %s %s [OPTION]... %s\n", prog, cmd->name, cmd->usage ? cmd->usage : "");
	if (cmd->about) {
		putchar('\n');
		text_wrap(stdout, cmd->about, 0, 0, HELP_WIDTH);
	}
	if (cmd->opts && cmd->opts->type != OPT_HEADING)
		puts("\nOptions:");
	for (o = cmd->opts; o && o->type != OPT_END; o++) {
		if (o->type == OPT_HEADING)
			printf("\n%s:\n", o->help);
		else
			print_opt(o);
	}
	printf("  -h, %-21s%s\n", "--help", "show this help");
	if (cmd->examples) {
		const char *p = cmd->examples;

		puts("\nExamples:");
		while (*p) {
			size_t len = strcspn(p, "\n");

			printf("  %.*s\n", (int)len, p);
			p += len + (p[len] == '\n');
		}
	}
}

static int parse_long(const struct cmd *cmd, char **argv, int *i, void *cfg,
		      struct opt_args *args)
{
	const char *name = argv[*i] + 2;
	size_t len = strcspn(name, "=");
	const char *val = name[len] ? name + len + 1 : NULL;
	const struct opt *o = find_long(cmd, name, len);
	bool no = false;

	if (!o && len > 3 && !strncmp(name, "no-", 3)) {
		o = find_long(cmd, name + 3, len - 3);
		no = true;
		if (o && o->type != OPT_FLAG)
			o = NULL;
	}
	if (!o)
		return unknown_option(cmd, name, len);
	if (o->type == OPT_FLAG) {
		if (val)
			return usage_error("--%s takes no value", o->name);
		val = no ? "no" : "yes";
	} else if (o->type == OPT_OUTPUT) {
		if (val && !*val)
			return usage_error("--%s= needs a file: --%s=%s, or --%s alone for stdout",
					   o->name, o->name, o->metavar, o->name);
		val = val ? val : "-";
	} else if (!val) {
		val = argv[*i + 1];
		if (!val || !strcmp(val, "--"))
			return usage_error("--%s needs a value: %s", o->name,
					   o->metavar ? o->metavar : "ARG");
		(*i)++;
	}
	args->seen[(o - cmd->opts) / 64] |= 1ull << (o - cmd->opts) % 64;
	return set_value(o, val, cfg);
}

static int parse_short(const struct cmd *cmd, char **argv, int *i, void *cfg,
		       struct opt_args *args)
{
	const char *p = argv[*i] + 1;

	for (; *p; p++) {
		const struct opt *o = find_short(cmd, *p);
		int ret;

		if (!o)
			return usage_error("no option -%c", *p);
		args->seen[(o - cmd->opts) / 64] |= 1ull << (o - cmd->opts) % 64;
		if (o->type == OPT_FLAG) {
			set_value(o, "yes", cfg);
			continue;
		}
		if (p[1]) {
			ret = set_value(o, p + 1, cfg);
		} else {
			if (!argv[*i + 1] || !strcmp(argv[*i + 1], "--"))
				return usage_error("-%c needs a value: %s", *p,
						   o->metavar ? o->metavar : "ARG");
			ret = set_value(o, argv[++*i], cfg);
		}
		return ret;
	}
	return 0;
}

static int set_defaults(const struct cmd *cmd, void *cfg)
{
	const struct opt *o;
	int ret;

	for (o = cmd->opts; o && o->type != OPT_END; o++) {
		if (!o->def)
			continue;
		ret = set_value(o, o->def, cfg);
		if (ret)
			return ret;
	}
	return 0;
}

int opt_parse(const char *prog, const struct cmd *cmd, int argc, char **argv, void *cfg,
	      struct opt_args *args)
{
	int i, ret;

	snprintf(cmd_name, sizeof(cmd_name), "%s %s", prog, cmd->name);
	args->cmd = cmd;
	args->pos = calloc(argc + 1, sizeof(*args->pos));
	if (!args->pos)
		return err(-ENOMEM, "out of memory");
	ret = set_defaults(cmd, cfg);
	for (i = 1; i < argc && !ret; i++) {
		char *a = argv[i];

		if (!strcmp(a, "--")) {
			if (!cmd->takes_rest)
				return usage_error("'--' is not allowed: no command is run");
			if (i + 1 == argc)
				return usage_error("'--' must be followed by a command");
			args->rest = argv + i + 1;
			break;
		}
		if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
			print_help(prog, cmd);
			return -EHELP;
		}
		if (a[0] == '-' && a[1] == '-')
			ret = parse_long(cmd, argv, &i, cfg, args);
		else if (a[0] == '-' && a[1])
			ret = parse_short(cmd, argv, &i, cfg, args);
		else if (args->npos == cmd->max_pos)
			ret = cmd->max_pos ?
				usage_error("one argument too many: '%s'", a) :
				usage_error("unexpected argument '%s'", a);
		else
			args->pos[args->npos++] = a;
	}
	return ret;
}

void opt_free(const struct cmd *cmd, void *cfg, struct opt_args *args)
{
	const struct opt *o;

	for (o = cmd->opts; o && o->type != OPT_END; o++)
		if (o->type == OPT_LIST)
			free(((struct strlist *)((char *)cfg + o->offset))->v);
	free(args->pos);
	args->pos = NULL;
}

const struct opt *opt_find(const struct cmd *cmd, const char *name)
{
	return find_long(cmd, name, strlen(name));
}

int opt_set(const struct cmd *cmd, void *cfg, const char *name, const char *value)
{
	const struct opt *o = opt_find(cmd, name);

	if (!o)
		return unknown_option(cmd, name, strlen(name));
	if (o->type == OPT_FLAG && strcmp(value, "yes") && strcmp(value, "no"))
		return usage_error("--%s: '%s' is neither yes nor no", o->name, value);
	return set_value(o, value, cfg);
}

bool opt_seen(const struct opt_args *args, const char *name)
{
	const struct opt *o = opt_find(args->cmd, name);
	size_t row = o ? o - args->cmd->opts : 0;

	return o && (args->seen[row / 64] & 1ull << row % 64);
}

const struct cmd *cmd_find(const struct cmd *const *cmds, const char *name, unsigned int *n)
{
	const struct cmd *found = NULL;

	*n = 0;
	for (; *cmds; cmds++) {
		if (!strcmp((*cmds)->name, name)) {
			*n = 1;
			return *cmds;
		}
		if (*name && !strncmp((*cmds)->name, name, strlen(name))) {
			found = *cmds;
			(*n)++;
		}
	}
	return *n == 1 ? found : NULL;
}

const struct opt *opt_awaits_value(const struct cmd *cmd, const char *arg)
{
	const struct opt *o;
	const char *p;

	if (*arg != '-')
		return NULL;
	if (arg[1] == '-') {
		o = find_long(cmd, arg + 2, strlen(arg + 2));
		return o && o->type != OPT_FLAG && o->type != OPT_OUTPUT ? o : NULL;
	}
	for (p = arg + 1; *p; p++) {
		o = find_short(cmd, *p);
		if (!o || o->type != OPT_FLAG)
			return o && !p[1] ? o : NULL;
	}
	return NULL;
}
