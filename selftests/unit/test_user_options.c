// SPDX-License-Identifier: GPL-2.0
/* This test will parse good and bad command lines, and compare the values and the messages. */
/* needs: host */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/log.h"
#include "core/opt.h"
#include "core/program.h"
#include "unit.h"

struct cfg {
	struct common_cfg common;
	uint64_t n, size, time, set;
	double pct;
	bool flag;
	int choice;
	const char *text;
	struct strlist list;
	uint32_t narrow, behind;
	uint64_t bits;
};

static const char *const colours[] = { "red", "green", "blue", NULL };

static const struct opt table[] = {
	{ .type = OPT_HEADING, .help = "Things" },
	{ "number", 'n', OPT_COUNT, OPT_AT(struct cfg, n), "7", "N", "a number", .min = 1,
	  .max = 99 },
	{ "size", 's', OPT_SIZE, OPT_AT(struct cfg, size), "4k", "SIZE", "a size" },
	{ "time", 't', OPT_TIME, OPT_AT(struct cfg, time), NULL, "TIME", "a time", .min = 1000 },
	{ "percent", 0, OPT_PERCENT, OPT_AT(struct cfg, pct), "70", "P", "a part" },
	{ "flag", 'f', OPT_FLAG, OPT_AT(struct cfg, flag), .help = "a flag" },
	{ "colour", 'c', OPT_ENUM, OPT_AT(struct cfg, choice), "green", "C", "one", colours },
	{ "colours", 0, OPT_SET, OPT_AT(struct cfg, set), "all", "LIST", "some", colours },
	{ "text", 0, OPT_STRING, OPT_AT(struct cfg, text), NULL, "TEXT", "a text" },
	{ "narrow", 0, OPT_COUNT, OPT_AT(struct cfg, narrow), "5", "N", "a small number" },
	{ "bit", 0, OPT_FLAG, OPT_AT(struct cfg, bits), .bit = 1ull << 40, .help = "a bit" },
	{ "other", 0, OPT_FLAG, OPT_AT(struct cfg, bits), .bit = 1, .help = "another bit" },
	{ "item", 'i', OPT_LIST, OPT_AT(struct cfg, list), NULL, "ITEM", "items" },
	{ "json", 0, OPT_OUTPUT, OPT_AT(struct cfg, text), NULL, "FILE", "a file" },
	OPT_COMMON(struct cfg)
};

static struct cfg got;
static char got_pos[64], got_rest[64], got_items[64];
static bool got_seen;

static int run(void *cfg, struct opt_args *args)
{
	size_t i;

	got = *(struct cfg *)cfg;
	*got_pos = *got_rest = *got_items = 0;
	for (i = 0; i < args->npos; i++)
		strcat(strcat(got_pos, args->pos[i]), ";");
	for (i = 0; args->rest && args->rest[i]; i++)
		strcat(strcat(got_rest, args->rest[i]), ";");
	for (i = 0; i < got.list.n; i++)
		strcat(strcat(got_items, got.list.v[i]), ";");
	got_seen = opt_seen(args, "number");
	if (got.n == 97)
		return usage_error("97 it must not be");
	return got.n == 99 ? err(-5, "it failed") : got.n == 98 ? 42 : 0;
}

static const struct cmd go = {
	"go", "go", "[THING]...", "About.", "tool go\n", table, sizeof(struct cfg), true, 3, run
};
static const struct cmd gone = { .name = "gone", .brief = "gone", .run = run,
	.cfg_size = sizeof(struct cfg) };
static const struct cmd *const cmds[] = { &go, &gone, NULL };
static char doc_file[64];

static void error_doc(const char *name, const char *file, char *const *argv)
{
	snprintf(doc_file, sizeof(doc_file), "%s %s %s", name, file, argv[0]);
}

static const struct program prog = { "tool", "1.2", "gcc 14", "does it", cmds, error_doc };

/* Run "tool LINE" with its stdout on /dev/null. */
static int tool(const char *line)
{
	char text[300], *argv[32] = { "tool" }, *save;
	int argc = 1, out = dup(1), null = open("/dev/null", O_WRONLY), ret;

	snprintf(text, sizeof(text), "%s", line);
	for (argv[argc] = strtok_r(text, " ", &save); argv[argc];)
		argv[++argc] = strtok_r(NULL, " ", &save);
	fflush(stdout);
	dup2(null, 1);
	ret = program_main(&prog, argc, argv);
	fflush(stdout);
	dup2(out, 1);
	close(out);
	close(null);
	return ret;
}

static void bad(const char *line, const char *words)
{
	int ret = tool(line);

	check(ret == 2 && strstr(log_last_error(), words), "'%s' is refused: %s", line,
	      log_last_error());
}

/* Expect the JSON of the bad command line "tool LINE" to go to @file; "" for nowhere. */
static void doc(const char *line, const char *file)
{
	char want[64] = "";
	int ret;

	if (*file)
		snprintf(want, sizeof(want), "tool %s tool", file);
	*doc_file = 0;
	ret = tool(line);
	check(ret == 2 && !strcmp(doc_file, want), "'%s' gives JSON: '%s'", line, doc_file);
}

int main(void)
{
	check(tool("go") == 0 && got.n == 7 && got.size == 4096 && got.pct == 70 && !got.flag &&
	      got.choice == 1 && got.set == ~0ull && !got.text && !got_seen, "defaults");
	check(tool("go --number 9 --size=1M -t5ms -f -c blue --colours red,blue "
		   "a --text x b") == 0 &&
	      got.n == 9 && got.size == 1 << 20 && got.time == 5000000 && got.flag &&
	      got.choice == 2 && got.set == 5 && !strcmp(got.text, "x") &&
	      !strcmp(got_pos, "a;b;") && got_seen, "values in all spellings");
	check(tool("go -i a --item=b -ic --no-flag -fn 3") == 0 && got.list.n == 3 &&
	      !strcmp(got_items, "a;b;c;") && got.flag && got.n == 3,
	      "lists and grouped short options");
	check(tool("go --narrow 4294967295 --bit --other") == 0 && got.narrow == UINT32_MAX &&
	      !got.behind && got.bits == (1ull << 40 | 1),
	      "narrow numbers, and flags that are bits");
	check(tool("go --bit --other --no-bit") == 0 && got.narrow == 5 && got.bits == 1 &&
	      opt_number(opt_find(&go, "narrow"), &got) == 5 &&
	      !opt_number(opt_find(&go, "bit"), &got) && opt_number(opt_find(&go, "other"), &got),
	      "one bit is cleared, the other one is left");
	bad("go --narrow 4294967296", "--narrow: '4294967296' is not within 0 to 4294967295");
	check(tool("go a -- cmd -x --number 5") == 0 && !strcmp(got_rest, "cmd;-x;--number;5;") &&
	      got.n == 7, "a command after --");
	check(tool("go -f --no-flag") == 0 && !got.flag, "--no-flag");
	check(tool("--version") == 0 && tool("--help") == 0 && tool("help") == 0 &&
	      tool("help go") == 0 && tool("go --help") == 0 && tool("gon") == 0,
	      "help, version and shortened commands");
	check(tool("go -n 99") == 1, "an error is exit status 1");
	check(tool("go -n 98") == 42, "a status is handed through");
	check(tool("") == 2, "no command is a usage error");
	bad("g", "ambiguous");
	bad("went", "no command 'went'");
	bad("--number 5", "first argument must be a command");
	bad("go --numbr 5", "did you mean --number");
	bad("go --xyzzy", "no option --xyzzy");
	bad("go -z", "no option -z");
	bad("go --number", "needs a value: N");
	bad("go -n", "needs a value: N");
	bad("go --text -- x", "needs a value");
	bad("go --number 0", "1 to 99");
	bad("go --number 100", "1 to 99");
	bad("go --number 18446744073709551616", "1 to 99");
	bad("go --size 18446744073709551616", "is too large");
	bad("go --number x", "such as 64");
	bad("go --size 4q", "such as 512, 4k");
	check(tool("go --size 4\nq\033") == 2 &&
	      strstr(log_last_error(), "--size: '4 q?' is not a size"),
	      "an error is one line without control characters: %s", log_last_error());
	bad("go --time soon", "such as 10s");
	bad("go --time 5ns", "below 1.00us");
	bad("go --percent 101", "percentage");
	bad("go --colour pink", "red|green|blue");
	bad("go --colours red,pink", "'pink' is none of");
	bad("go --flag=1", "takes no value");
	bad("go --json=", "--json alone for stdout");
	bad("go a b c d", "too many: 'd'");
	bad("go --", "followed by a command");
	bad("gone x", "unexpected argument 'x'");
	bad("gone -- x", "no command is run");
	doc("go --json f --xyzzy", "-");
	doc("go --xyzzy --json=f", "f");
	doc("go -n 97 --json a", "-");
	doc("go --json=e --json=f --size x", "f");
	doc("went --json=f", "f");
	doc("--json=f go", "f");
	doc("go --xyzzy", "");
	doc("go --json --xyzzy -- x", "-");
	doc("go --xyzzy -- cmd --json=f", "");
	doc("go --xyzzy --text --json=f", "");
	doc("go --xyzzy -fc --json=f", "");
	doc("go --xyzzy -cred --json=f", "f");
	doc("go --xyzzy -f --json=f", "f");
	return unit_end();
}
