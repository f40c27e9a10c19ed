// SPDX-License-Identifier: GPL-2.0
/* Parse options, set defaults and print help, all from the rows of option tables. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/complete.h"
#include "core/log.h"
#include "core/opt.h"
#include "core/reader.h"
#include "core/text.h"
#include "core/units.h"

/* The same everywhere, so that manual pages and tests see what a user sees. */
#define HELP_WIDTH	78
#define HELP_COL	27	/* where the text of an option begins */

/* opt_parse() printed the help: main() exits with 0. As EUSAGE, it is outside errno's range. */
#define EHELP	4001

const char *const color_choices[] = { "auto", "always", "never", NULL };

/* The program's own argv. */
static char **whole_argv;
/* The program and the sub-command, "blkgen load", for messages. */
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

/* Return the edit distance of two names, to offer "--jobs" for "--job"; 99 for long names. */
static size_t distance(const char *a, size_t alen, const char *b)
{
	size_t blen = strlen(b), i, j;
	size_t row[33];

	if (alen > 32 || blen > 32)
		return 99;
	for (j = 0; j <= blen; j++)
		row[j] = j;
	for (i = 1; i <= alen; i++) {
		size_t diag = row[0];

		row[0] = i;
		for (j = 1; j <= blen; j++) {
			size_t best = diag + (a[i - 1] != b[j - 1]);

			diag = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[blen];
}

#define TOO_FAR 3 /* a name that differs by so many letters is not proposed */

/*
 * Return true if what the user wrote is closer to @name than to all names before. *@best is the
 * smallest distance so far, and is TOO_FAR at first.
 */
static bool is_nearer(const char *written, size_t len, const char *name, size_t *best)
{
	size_t d = distance(written, len, name);

	if (d >= *best || d >= len)
		return false;
	*best = d;
	return true;
}

static int unknown_option(const struct cmd *cmd, const char *name, size_t len)
{
	const struct opt *o, *near = NULL;
	size_t best = TOO_FAR;

	for (o = cmd->opts; o && o->type != OPT_END; o++)
		if (o->name && is_nearer(name, len, o->name, &best))
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

/*
 * Fill @cfg, which is zeroed, with the defaults, then with the options in @argv. argv[0] is
 * skipped, positional arguments may stand between options, and strings in @cfg point into @argv.
 * Call opt_free() also after an error. Return: 0, -EHELP, -EUSAGE or -ENOMEM; errors are reported.
 */
static int opt_parse(const char *prog, const struct cmd *cmd, int argc, char **argv,
		     void *cfg, struct opt_args *args)
{
	int i, ret;

	snprintf(cmd_name, sizeof(cmd_name), "%s %s", prog, cmd->name);
	memset(args, 0, sizeof(*args));
	args->cmd = cmd;
	args->argv = whole_argv;
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

/* Free @args and the lists in @cfg. */
static void opt_free(const struct cmd *cmd, void *cfg, struct opt_args *args)
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

static void print_commands(const struct program *prog, FILE *f)
{
	const struct cmd *const *c;

	fprintf(f, "%s - %s\n\nUsage: %s COMMAND [OPTION]... [ARG]...\n\nCommands:\n",
		prog->name, prog->about, prog->name);
	for (c = prog->cmds; *c; c++) {
		fprintf(f, "  %-12s", (*c)->name);
		text_wrap(f, (*c)->brief, 14, 14, HELP_WIDTH);
	}
	fprintf(f, "  %-12s%s\n  %-12s%s\n\n", "help", "show this list, or the help of a command",
		"--version", "show the version");
	fprintf(f, "Commands may be shortened as long as they are unambiguous.\n"
		"For the options of a command, see %s COMMAND --help.\n", prog->name);
}

/* Find a command; set @n to the number of commands that begin with @name. */
static const struct cmd *begins_with(const struct program *prog, const char *name, int *n)
{
	const struct cmd *const *c, *found = NULL;

	*n = 0;
	for (c = prog->cmds; *c; c++) {
		if (!strcmp((*c)->name, name)) {
			*n = 1;
			return *c;
		}
		if (*name && !strncmp((*c)->name, name, strlen(name))) {
			found = *c;
			(*n)++;
		}
	}
	return *n == 1 ? found : NULL;
}

const struct cmd *program_cmd(const struct program *prog, const char *name)
{
	int n;

	return begins_with(prog, name, &n);
}

static const struct cmd *find_cmd(const struct program *prog, const char *name)
{
	const struct cmd *const *c, *found, *near = NULL;
	size_t best = TOO_FAR;
	int n;

	found = begins_with(prog, name, &n);
	if (found)
		return found;
	for (c = prog->cmds; *c; c++)
		if (is_nearer(name, strlen(name), (*c)->name, &best))
			near = *c;
	if (n)
		usage_error("command '%s' is ambiguous", name);
	else if (near)
		usage_error("no command '%s'; did you mean '%s'?", name, near->name);
	else
		usage_error("no command '%s'", name);
	return NULL;
}

static void apply_common(const struct cmd *cmd, void *cfg)
{
	const struct opt *o = find_long(cmd, "color", 5);
	const struct common_cfg *c;

	if (!o)
		return;
	c = (void *)((char *)cfg + o->offset);
	log_set_color(c->color);
	/* -v wins over -q: errors tell users to add -v, also users who gave -q. */
	log_set_level(c->verbose ? 2 : c->quiet ? 0 : 1);
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

/*
 * Call the program's error_doc() if the command line has --json. @cmd is NULL when the user
 * named no command. Return: @error.
 */
static int error_doc(const struct program *prog, const struct cmd *cmd, int argc, char **argv,
		     int error)
{
	const char *file = NULL;
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		bool next = i + 1 < argc && strcmp(argv[i + 1], "--");

		if (!strncmp(argv[i], "--json=", 7))
			file = argv[i] + 7;
		else if (!strcmp(argv[i], "--json"))
			file = "-";
		else if (next && cmd && opt_awaits_value(cmd, argv[i]))
			i++;
	}
	if (prog->error_doc && file && *file)
		prog->error_doc(prog->name, file, whole_argv);
	return error;
}

static int run_cmd(const struct program *prog, const struct cmd *cmd, int argc, char **argv)
{
	struct opt_args args = { 0 };
	void *cfg = calloc(1, cmd->cfg_size + 1);
	int ret;

	if (!cfg)
		return err(-ENOMEM, "out of memory");
	ret = opt_parse(prog->name, cmd, argc, argv, cfg, &args);
	if (!ret) {
		apply_common(cmd, cfg);
		ret = cmd->run(cfg, &args);
	}
	opt_free(cmd, cfg, &args);
	free(cfg);
	return ret < 0 && ret != -EHELP ? error_doc(prog, cmd, argc, argv, ret) : ret;
}

/* Open closed standard files as /dev/null: else a disk that we open could become stdout. */
static void have_std_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int run_program(const struct program *prog, int argc, char **argv)
{
	const struct cmd *cmd;
	char *help[] = { NULL, "--help", NULL };
	int ret;

	if (argc < 2) {
		print_commands(prog, stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("%s %s\nbuilt with %s\n", prog->name, prog->version, prog->built_with);
		return 0;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    (!strcmp(argv[1], "help") && argc == 2)) {
		print_commands(prog, stdout);
		return 0;
	}
	/* completion.bash calls this, with the command line in the environment. */
	if (!strcmp(argv[1], "--complete") && getenv("COMP_LINE") && getenv("COMP_POINT")) {
		complete_print(prog, getenv("COMP_LINE"), strtoul(getenv("COMP_POINT"), NULL, 10),
			       argc > 2 ? argv[2] : NULL);
		return 0;
	}
	if (argv[1][0] == '-') {
		usage_error("the first argument must be a command, not '%s'", argv[1]);
		ret = error_doc(prog, NULL, argc, argv, -EUSAGE);
	} else if (!strcmp(argv[1], "help")) {
		cmd = find_cmd(prog, argv[2]);
		ret = cmd ? run_cmd(prog, cmd, 2, help) : -EUSAGE;
	} else {
		cmd = find_cmd(prog, argv[1]);
		ret = cmd ? run_cmd(prog, cmd, argc - 1, argv + 1) :
			    error_doc(prog, NULL, argc, argv, -EUSAGE);
	}
	if (ret >= 0)
		return ret;
	return ret == -EUSAGE ? 2 : ret == -EHELP ? 0 : 1;
}

int program_main(const struct program *prog, int argc, char **argv)
{
	int ret;

	have_std_files();
	/* A file that grows too large is then an error of write(), which is reported. */
	signal(SIGXFSZ, SIG_IGN);
	log_init(prog->name);
	whole_argv = argv;
	ret = run_program(prog, argc, argv);
	/* Lost output (a full disk) is an error too; a command that failed has reported its own. */
	if (reader_release() && !ret) {
		err(-EIO, "the output is not complete: cannot write to stdout");
		ret = 1;
	}
	return ret;
}
