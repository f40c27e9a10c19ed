// SPDX-License-Identifier: GPL-2.0
/* Run the tools that make and remove stacks. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "core/child.h"
#include "core/log.h"
#include "blklat/stack/command.h"

#define SECONDS		60
#define MAX_KEPT	4

static int kept[MAX_KEPT];
static size_t nkept;

void command_keep(int fd)
{
	if (fd < 0)
		nkept = 0;
	else if (nkept < MAX_KEPT)
		kept[nkept++] = fd;
}

bool command_there(const char *name)
{
	char path[PATH_MAX];

	return child_find(name, true, path, sizeof(path));
}

/* Join several lines into one, with single blanks between the words. */
static void fold(char *text)
{
	char *to = text;

	for (const char *c = text; *c; c++) {
		bool space = isspace((unsigned char)*c);

		if (!space)
			*to++ = *c;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* Run a tool. Return: 0 or -errno; @said has the tool's messages, or why it was not run. */
static int run(const char *const argv[], char *said, size_t len)
{
	/* LVM counts its open files and complains about ours. */
	static const char *const env[] = { "LC_ALL=C", "LVM_SUPPRESS_FD_WARNINGS=1", NULL };
	struct child_opts opts = {
		.argv = argv, .env = env, .in = CHILD_NULL, .keep = kept, .nkeep = nkept,
		.sbin = true, .apart = true, .seconds = SECONDS,
	};
	int ret = child_hear(&opts, said, len);

	fold(said);
	if (ret == -ENOENT)
		snprintf(said, len, "is not installed");
	else if (ret == -ETIMEDOUT)
		snprintf(said, len, "did not end within %u s", SECONDS);
	else if (ret < 0)
		snprintf(said, len, "%s", strerror(-ret));
	return ret > 0 ? -EIO : ret;
}

int command_run(const char *const argv[])
{
	char said[800];
	int ret;

	verbose("running %s %s", argv[0], argv[1]);
	ret = run(argv, said, sizeof(said));
	if (ret)
		return err(ret, "%s %s: %s", argv[0], argv[1], *said ? said : "failed");
	return 0;
}

int command_try(const char *const argv[])
{
	char said[800];
	int ret = run(argv, said, sizeof(said));

	if (ret)
		verbose("%s %s: %s", argv[0], argv[1], *said ? said : "failed");
	return ret;
}
