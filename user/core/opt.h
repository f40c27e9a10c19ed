/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_OPT_H
#define BLKLAT_CORE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/log.h"

/*
 * Options are the rows of tables: a row has the type, the default and the help text of an option. A
 * sub-command is a struct cmd in a file of its own, and a row in the program's table of commands.
 */

enum opt_type {
	OPT_END,
	OPT_HEADING,	/* help only: starts a group of options */
	OPT_FLAG,	/* bool, or a bit of a uint64_t; --no-NAME clears it */
	OPT_COUNT,	/* uint64_t or uint32_t, k/M/G/T are powers of 1000 */
	OPT_SIZE,	/* uint64_t or uint32_t bytes, k/M/G/T are powers of 1024 */
	OPT_TIME,	/* uint64_t ns */
	OPT_RATE,	/* uint64_t per second: I/Os, or bytes if RATE_BYTES is set */
	OPT_PERCENT,	/* double, 0 to 100 */
	OPT_STRING,	/* const char * */
	OPT_OUTPUT,	/* const char *: FILE of --NAME=FILE, or "-" of --NAME alone */
	OPT_ENUM,	/* int or uint32_t, index into choices */
	OPT_SET,	/* uint64_t, bit n for choices[n]; a comma list, or "all" */
	OPT_LIST,	/* struct strlist; each use of the option adds a string */
	OPT_PARSE,	/* parse() decides what it stores */
};

struct strlist {
	const char **v;
	size_t n;
};

/* Parse @s, the value of option @opt, into @dst. Return: 0 or -EUSAGE, reported. */
typedef int (*opt_parse_fn)(const char *opt, const char *s, void *dst);

struct opt {
	const char *name;		/* long name without dashes */
	char key;			/* short name or 0 */
	enum opt_type type;
	size_t offset, size;		/* OPT_AT(): the destination in the command's config */
	const char *def;		/* default, in the option's own syntax; NULL: zero */
	const char *metavar;
	const char *help;
	const char *const *choices;	/* OPT_ENUM, OPT_SET: NULL-terminated */
	uint64_t min, max;		/* limits of numbers; max 0: what the destination holds */
	uint64_t bit;			/* set by a flag whose destination is not a bool */
	/*
	 * The meaning of the option in RST, if json_options() writes the option to JSON; else NULL.
	 * json_options() can write flags, enums, strings and numbers.
	 */
	const char *result;
	opt_parse_fn parse;		/* OPT_PARSE */
	/* Return value @i of those that shells offer for a string; NULL after the last one. */
	const char *(*names)(size_t i);
};

/* OPT_AT() names the member of the config of type @cfg that gets the value of an option. */
#define OPT_AT(cfg, member) offsetof(cfg, member), sizeof(((cfg *)NULL)->member)

#define OPT_MAX 128

struct cmd;

/* This is the command line of a sub-command, except the values of its options. */
struct opt_args {
	const struct cmd *cmd;	/* the sub-command that has the options */
	char **pos;		/* positional arguments */
	size_t npos;
	char **rest;		/* the command after "--", NULL-terminated, or NULL */
	uint64_t seen[OPT_MAX / 64];	/* a bit per table row: the user gave this option */
	char **argv;		/* the program's whole command line, for JSON */
};

struct cmd {
	const char *name;
	const char *brief;		/* one line for the list of commands */
	const char *usage;		/* arguments after the options: "DEV... [-- COMMAND...]" */
	const char *about;		/* paragraph in --help */
	const char *examples;		/* lines of "command\n", "# comment\n" */
	const struct opt *opts;
	size_t cfg_size;		/* size of run()'s config: zeroed, then defaults, options */
	bool takes_rest;		/* accepts "-- COMMAND..." */
	size_t max_pos;			/* number of positional arguments accepted */
	/*
	 * Return: 0, an exit status above 0, or -EUSAGE or -errno, both reported; the caller
	 * reports -ENOMEM if that is not done.
	 */
	int (*run)(void *cfg, struct opt_args *args);
	bool only_files;		/* it needs no capability but those for files */
};

/* These are outside errno's range. */
#define EUSAGE	4000	/* a usage error, already reported: main() exits with 2 */
#define EHELP	4001	/* opt_parse() has printed the help: main() exits with 0 */

/* Help texts have this width everywhere, so that manual pages and tests see what a user sees. */
#define HELP_WIDTH	78

/**
 * cmd_find() - find a command by its name, which may be shortened
 * @cmds: the commands; NULL ends the list
 * @name: the name as the user wrote it
 * @n: set to the number of commands that begin with @name; 1 if one has just this name
 * Return: the command; NULL if there is none or several.
 */
const struct cmd *cmd_find(const struct cmd *const *cmds, const char *name, unsigned int *n);

/**
 * opt_parse() - fill a config with the defaults, then with the options of a command line
 * @prog: name of the program, for messages
 * @cmd: the sub-command
 * @argc: number of words in @argv
 * @argv: the command line of the sub-command; argv[0] is skipped
 * @cfg: config of @cmd, zeroed; its strings will point into @argv
 * @args: zeroed, but for @args->argv
 *
 * Positional arguments may stand between options. Call opt_free() also after an error.
 * Return: 0, -EHELP, -EUSAGE or -ENOMEM; errors are reported.
 */
int opt_parse(const char *prog, const struct cmd *cmd, int argc, char **argv, void *cfg,
	      struct opt_args *args);

/**
 * opt_free() - free what opt_parse() allocated
 * @cmd: the sub-command
 * @cfg: its config; the lists in it are freed
 * @args: its positional arguments are freed
 */
void opt_free(const struct cmd *cmd, void *cfg, struct opt_args *args);

/**
 * opt_awaits_value() - find the option whose value is the next word of a command line
 * @cmd: the sub-command
 * @arg: a word of the command line, "--rw" or "-qt"
 *
 * Return: the option in @arg that takes the next word as its value; NULL if there is none.
 */
const struct opt *opt_awaits_value(const struct cmd *cmd, const char *arg);

/**
 * opt_find() - find an option by its name
 * @cmd: the sub-command that has the option
 * @name: the whole name without dashes
 *
 * Return: the row of the option; NULL if there is none.
 */
const struct opt *opt_find(const struct cmd *cmd, const char *name);

/**
 * opt_set() - set an option as --@name=@value does
 * @cmd: the sub-command that has the option
 * @cfg: config of @cmd
 * @name: name of the option without dashes
 * @value: "yes" or "no" for a flag. Strings are not copied: the text must live as long as @cfg.
 * Return: 0, -EUSAGE or -ENOMEM; errors are reported.
 */
int opt_set(const struct cmd *cmd, void *cfg, const char *name, const char *value);

/**
 * opt_seen() - tell if the user gave an option
 * @args: filled in by opt_parse()
 * @name: name of the option without dashes
 *
 * Return: true if the option was on the command line, also as --no-NAME; a default does not count.
 */
bool opt_seen(const struct opt_args *args, const char *name);

/**
 * opt_number() - read the value of an option from a config
 * @opt: the option, of a type whose value is a flag, a whole number, a choice or a set
 * @cfg: the config of the command
 *
 * Return: the number, the index of the choice, the bits of the set, or 0 or 1 for a flag.
 */
uint64_t opt_number(const struct opt *opt, const void *cfg);

/**
 * usage_error() - report a usage error in one line that ends with the command for help
 * @fmt: the message without the program's name and the end of line
 * @...: the values for @fmt
 *
 * Return: -EUSAGE.
 */
int usage_error(const char *fmt, ...) __printf(1, 2);

/*
 * Every command has these options. OPT_COMMON(struct cfg) is the last row of the command's table
 * and ends it; the config has the member "struct common_cfg common". These options take effect
 * before the command runs.
 */
struct common_cfg {
	int color;
	bool verbose;
	bool quiet;
};
extern const char *const color_choices[];

#define OPT_COMMON(cfg)								\
	{ .type = OPT_HEADING, .help = "Common" },				\
	{ "color", 0, OPT_ENUM, OPT_AT(cfg, common.color), "auto", "WHEN",	\
	  "use colours in the output", color_choices },				\
	{ "verbose", 'v', OPT_FLAG, OPT_AT(cfg, common.verbose),		\
	  .help = "print more about what is done" },				\
	{ "quiet", 'q', OPT_FLAG, OPT_AT(cfg, common.quiet),			\
	  .help = "print no progress, only warnings and errors" },		\
	{ .type = OPT_END }

#endif
