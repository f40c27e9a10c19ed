/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_OPT_H
#define BLKLAT_CORE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/log.h"

/*
 * Typed option tables: one row is an option's parser, default and help text.
 * A sub-command is a row in a table of struct cmd plus the file that has it.
 */

enum opt_type {
	OPT_END,
	OPT_HEADING,	/* help only: starts a group of options */
	OPT_FLAG,	/* bool; --no-NAME clears it */
	OPT_COUNT,	/* uint64_t, k/M/G are powers of 1000 */
	OPT_SIZE,	/* uint64_t bytes, k/M/G/T are powers of 1024 */
	OPT_TIME,	/* uint64_t ns */
	OPT_RATE,	/* uint64_t per second; with RATE_BYTES it is bytes */
	OPT_PERCENT,	/* double, 0 to 100 */
	OPT_STRING,	/* const char * */
	OPT_ENUM,	/* int, index into choices */
	OPT_SET,	/* uint64_t, bit n for choices[n]; comma list, "all" */
	OPT_LIST,	/* struct strlist; may be given again and again */
	OPT_PARSE,	/* whatever parse() stores */
};

struct strlist {
	const char **v;
	size_t n;
};

/* Reads @s, the value of option @opt, into @dst. Return: 0 or -EUSAGE, reported. */
typedef int (*opt_parse_fn)(const char *opt, const char *s, void *dst);

struct opt {
	const char *name;		/* long name without dashes */
	char key;			/* short name or 0 */
	enum opt_type type;
	size_t offset;			/* of the destination in the command's config */
	const char *def;		/* default, in the option's own syntax; NULL: zero */
	const char *metavar;
	const char *help;
	const char *const *choices;	/* OPT_ENUM, OPT_SET: NULL-terminated */
	uint64_t min, max;		/* of numbers; max 0: no limit */
	opt_parse_fn parse;		/* OPT_PARSE */
};

#define OPT_MAX 128

/* What is left beside the options. */
struct opt_args {
	char **pos;		/* positional arguments */
	size_t npos;
	char **rest;		/* the command after "--", NULL-terminated, or NULL */
	uint64_t seen[OPT_MAX / 64];	/* bit per table row: given by the user */
	char **argv;		/* the whole command line, for JSON */
};

struct cmd {
	const char *name;
	const char *brief;		/* one line for the list of commands */
	const char *usage;		/* after the options: "DEV... [-- COMMAND...]" */
	const char *about;		/* paragraph in --help */
	const char *examples;		/* lines of "command\n", "# comment\n" */
	const struct opt *opts;
	size_t cfg_size;		/* zeroed config handed to run, defaults filled in */
	bool takes_rest;		/* accepts "-- COMMAND..." */
	size_t max_pos;			/* positional arguments accepted, 0 none */
	/* 0, an exit status above 0, -EUSAGE (said what is wrong) or -errno (said so). */
	int (*run)(void *cfg, struct opt_args *args);
};

struct program {
	const char *name;
	const char *version;
	const char *about;
	const struct cmd *const *cmds;	/* NULL-terminated */
	/*
	 * Called after a usage error with the FILE of --json, if it was given: what the
	 * command line has wrong may come before it. May be NULL.
	 */
	int (*usage_doc)(const char *name, const char *file, char *const *argv);
};

/* Usage error, already reported: main() exits with 2. Outside errno's range. */
#define EUSAGE	4000
/* opt_parse() printed the help: exit with 0. */
#define EHELP	4001

/**
 * program_main() - find the sub-command, parse its options, run it
 * Return: exit status for main(): 0, 1 for errors, 2 for usage errors, or what
 * the command returned above 0.
 */
int program_main(const struct program *prog, int argc, char **argv);

/**
 * opt_parse() - fill @cfg with defaults and with what @argv says
 * @argv: argv[0] is skipped; positional arguments may stand between options
 * Return: 0, -EHELP, -EUSAGE (reported) or -ENOMEM.
 */
int opt_parse(const char *prog, const struct cmd *cmd, int argc, char **argv,
	      void *cfg, struct opt_args *args);
void opt_free(const struct cmd *cmd, void *cfg, struct opt_args *args);

/* The row of --@name, or NULL. */
const struct opt *opt_find(const struct cmd *cmd, const char *name);

/**
 * opt_set() - set an option as --@name=@value does; of a flag it is "yes" or "no"
 * @value: texts are not copied
 * Return: 0, -EUSAGE (reported) or -ENOMEM.
 */
int opt_set(const struct cmd *cmd, void *cfg, const char *name, const char *value);

/* True when the user gave --@name. */
bool opt_seen(const struct cmd *cmd, const struct opt_args *args, const char *name);

/* Report a usage error in one line that ends with where to find help. Return: -EUSAGE. */
int usage_error(const char *fmt, ...) __printf(1, 2);

/*
 * Options every command has: OPT_COMMON(struct cfg) is the last row of its table
 * (it ends the table), struct common_cfg common a member of its config. They
 * take effect before the command runs.
 */
struct common_cfg {
	int color;
	bool verbose;
	bool quiet;
};
extern const char *const color_choices[];

#define OPT_COMMON(cfg)								\
	{ .type = OPT_HEADING, .help = "Common" },				\
	{ "color", 0, OPT_ENUM, offsetof(cfg, common.color), "auto", "WHEN",	\
	  "colours on the output", color_choices },				\
	{ "verbose", 'v', OPT_FLAG, offsetof(cfg, common.verbose),		\
	  .help = "say more about what is done" },				\
	{ "quiet", 'q', OPT_FLAG, offsetof(cfg, common.quiet),			\
	  .help = "no progress, errors only" },					\
	{ .type = OPT_END }

#endif
