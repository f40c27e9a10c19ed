// SPDX-License-Identifier: GPL-2.0
/* Run a program of sub-commands: find the command, have its options parsed, set the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/complete.h"
#include "core/log.h"
#include "core/program.h"
#include "core/reader.h"
#include "core/rights.h"
#include "core/text.h"

/* JSON shows the whole command line, but a command gets only its part of it, so keep it here. */
static char **whole_argv;

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

static const struct cmd *find_cmd(const struct program *prog, const char *name)
{
	const struct cmd *const *c, *found, *near = NULL;
	size_t best = TEXT_TOO_FAR;
	unsigned int n;

	found = cmd_find(prog->cmds, name, &n);
	if (found)
		return found;
	for (c = prog->cmds; *c; c++)
		if (text_is_nearer(name, strlen(name), (*c)->name, &best))
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
	const struct opt *o = opt_find(cmd, "color");
	const struct common_cfg *c;

	if (!o)
		return;
	c = (void *)((char *)cfg + o->offset);
	log_set_color(c->color);
	/* -v wins over -q: errors tell users to add -v, also users who gave -q. */
	log_set_level(c->verbose ? 2 : c->quiet ? 0 : 1);
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
	struct opt_args args = { .argv = whole_argv };
	void *cfg = calloc(1, cmd->cfg_size + 1);
	int ret;

	if (!cfg)
		return err(-ENOMEM, "out of memory");
	ret = opt_parse(prog->name, cmd, argc, argv, cfg, &args);
	if (!ret) {
		apply_common(cmd, cfg);
		if (cmd->only_files)
			rights_for_files();
		ret = log_memory(cmd->run(cfg, &args));
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
		complete_print(prog->cmds, getenv("COMP_LINE"),
			       strtoul(getenv("COMP_POINT"), NULL, 10), argc > 2 ? argv[2] : NULL);
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
