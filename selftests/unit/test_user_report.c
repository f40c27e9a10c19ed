// SPDX-License-Identifier: GPL-2.0
/* This test will parse the JSON and CSV that reports with hostile contents write. */
/* needs: host */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/log.h"
#include "output/document.h"
#include "output/json.h"
#include "output/table.h"
#include "unit.h"

static char dir[] = "/tmp/test_user_report.XXXXXX";

static char *slurp(const char *path)
{
	static char buf[65536];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(buf, 1, sizeof(buf) - 1, f) : 0;

	if (f)
		fclose(f);
	buf[n] = 0;
	return buf;
}

static json_object *parse(const char *path)
{
	enum json_tokener_error e;
	json_object *o = NULL;
	json_tokener *t = json_tokener_new();
	const char *text = slurp(path);

	/* Do not set STRICT: json-c 0.18 takes bytes above 0x7f for control characters then. */
	json_tokener_set_flags(t, JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(t, text, strlen(text) + 1);
	e = json_tokener_get_error(t);
	json_tokener_free(t);
	if (e != json_tokener_success)
		printf("# %s\n", json_tokener_error_desc(e));
	return o;
}

static json_object *get(json_object *o, const char *key)
{
	json_object *v = NULL;

	json_object_object_get_ex(o, key, &v);
	return v;
}

static const struct column cols[] = {
	{ "name", "name", COL_STR, COL_TREE },
	{ "mean_ns", "mean", COL_TIME, 0, "nvme0n1" },
	{ NULL, "", COL_BAR, 0, "nvme0n1" },
	{ "mean_ns", "mean", COL_TIME, 0, "sda" },
	{ "extra", "extra", COL_EXACT, COL_NOTABLE },
	{ "shown", "shown", COL_STR, COL_NOJSON },
};

static struct report_table *make_table(void)
{
	struct report_table *t = report_table_new(cols, 6);
	int a = report_row(t, -1), b = report_row(t, a);

	report_row_bold(t, a);
	report_set_str(t, a, 0, "kernel, \"all\"");
	report_set_u64(t, a, 1, 18446744073709551615ull);
	report_set(t, a, 2, 50);
	report_set(t, a, 3, NAN);
	report_set_u64(t, a, 4, 12345);
	report_set_str(t, a, 5, "only here");
	report_set_str(t, b, 0, "entry \xff\xc0\x80 \xed\xa0\x80 \xe2\x82\xac\n\t\x01");
	report_set(t, b, 3, 1.5);
	report_set(t, 99, 0, 1);
	report_set(t, -12, 0, 1);
	return t;
}

static void documents(void)
{
	char *argv[] = { "tool", "x\xff\"\\", NULL }, path[100];
	json_object *doc = report_doc_new("blklat", argv), *o, *l;
	struct report_table *t = make_table();
	struct stat st;
	struct hist h;
	int i;

	snprintf(path, sizeof(path), "%s/a.json", dir);
	hist_init(&h, 6, 4096);
	json_object_object_add(doc, "empty", report_latency(NULL, &h));
	for (i = 1; i <= 1000; i++)
		hist_add(&h, i);
	json_object_object_add(doc, "lat", report_latency(NULL, &h));
	json_object_object_add(doc, "rows", report_json(t));
	json_real(doc, "nan", NAN);
	json_real(doc, "inf", INFINITY);
	json_u64(doc, "big", UINT64_MAX);
	report_doc_error(doc, "line\nwith \"quotes\" and \x80");
	check(!report_doc_write(doc, path), "a document is written");
	o = parse(path);
	if (!check(o != NULL, "a document is valid JSON in valid UTF-8"))
		exit(1);
	check(!strstr(slurp(path), "NaN") && !strstr(slurp(path), "nfinity"),
	      "a document has nothing that JSON has no words for");
	check(!strcmp(json_object_get_string(get(o, "schema")), "blklat/1") &&
	      json_object_array_length(get(o, "command")) == 2 && get(get(o, "kernel"), "release"),
	      "a document has schema, command and kernel");
	check(json_object_get_uint64(get(o, "big")) == UINT64_MAX && !get(o, "nan") &&
	      !get(o, "inf"),
	      "64 bits are exact, what is no number is null");
	l = get(o, "lat");
	check(json_object_get_int(get(l, "count")) == 1000 &&
	      json_object_get_int(get(l, "sum_ns")) == 500500 &&
	      json_object_get_double(get(l, "mean_ns")) == 500.5 &&
	      json_object_get_int(get(l, "min_ns")) == 1 &&
	      json_object_get_int(get(l, "max_ns")) == 1000 &&
	      json_object_object_length(get(l, "percentiles_ns")) == 7 &&
	      get(get(l, "percentiles_ns"), "99.999"), "latencies have all their members");
	l = json_object_array_get_idx(get(o, "rows"), 0);
	check(json_object_get_uint64(get(get(l, "nvme0n1"), "mean_ns")) == UINT64_MAX &&
	      !get(l, "sda") && !get(l, "shown") && json_object_get_int(get(l, "extra")) == 12345,
	      "table rows become objects by group and key");
	check(!stat(path, &st) && !(st.st_mode & 0111) && (st.st_mode & 0400),
	      "modes as umask says");
	json_object_put(o);
	check(report_doc_write(doc, "/nonexistent/x") < 0 &&
	      strstr(log_last_error(), "/nonexistent/x"),
	      "a bad path is an error");
	check(!report_doc_write(doc, "/dev/null") && !stat("/dev/null", &st) && S_ISCHR(st.st_mode),
	      "devices are written to and not replaced");
	json_object_put(doc);
	report_table_free(t);
	hist_free(&h);
}

static void tables(void)
{
	struct report_table *t = make_table();
	char path[100], *text;
	FILE *f;

	snprintf(path, sizeof(path), "%s/b", dir);
	f = fopen(path, "w");
	check(!report_print(t, f), "a table prints");
	fclose(f);
	text = slurp(path);
	check(strstr(text, "nvme0n1") && strstr(text, "only here") && !strstr(text, "extra") &&
	      !strstr(text, "nan") && !strchr(text, '\033') && strstr(text, "######"),
	      "a table has its columns, no colours, and a bar in ASCII");
	f = fopen(path, "w");
	check(!report_csv(t, f), "a table prints as CSV");
	fclose(f);
	text = slurp(path);
	check(!strncmp(text, "name,nvme0n1.mean_ns,sda.mean_ns,extra\r\n"
		       "\"kernel, \"\"all\"\"\",18446744073709551615,,12345\r\n", 80),
	      "CSV has quotes and exact numbers");
	report_table_free(t);
}

/* Print a table whose texts would do something to a terminal or to a line of CSV. */
static void hostile(void)
{
	static const struct column bad[] = {
		{ "name", "na\033[1mme", COL_STR },
		{ "mean_ns", "mean", COL_STR, 0, "a,\"b\007\"" },
	};
	struct report_table *t = report_table_new(bad, 2);
	struct report_live live = { 0 };
	char path[100], *text;
	int row = report_row(t, -1);
	FILE *f;

	snprintf(path, sizeof(path), "%s/hostile", dir);
	report_set_str(t, row, 0, "x\ny\tz");
	report_set_str(t, row, 1, "\x9b\xc2\x9b\x7f\xe2\x82\xac");
	report_set_str(t, report_row(t, -1), 0, "=1+1");
	f = fopen(path, "w");
	check(!report_live(t, &live, f), "a table with hostile texts prints row by row");
	fclose(f);
	text = slurp(path);
	check(strstr(text, "na?[1mme") && strstr(text, "a,\"b?\"") && strstr(text, "x y z") &&
	      strstr(text, "????\xe2\x82\xac"), "each hostile text is only a text");
	f = fopen(path, "w");
	report_print(t, f);
	fclose(f);
	text = slurp(path);
	check(strstr(text, "na?[1mme") && strstr(text, "a,\"b?\"") && strstr(text, "x y z"),
	      "the same in a whole table");
	f = fopen(path, "w");
	report_csv(t, f);
	fclose(f);
	check(!strcmp(slurp(path), "name,\"a,\"\"b?\"\".mean_ns\"\r\n"
		      "\"x\ny\tz\",????\xe2\x82\xac\r\n'=1+1,\r\n"),
	      "CSV quotes a group, too, and a formula is a text");
	report_table_free(t);
}

/* Print the table where a line has this many columns; "": where no width is known. */
static const char *printed(const struct report_table *t, const char *columns, size_t *longest)
{
	char path[64];
	const char *text, *line;
	FILE *f;

	snprintf(path, sizeof(path), "%s/fits", dir);
	f = fopen(path, "w");
	if (*columns)
		setenv("COLUMNS", columns, 1);
	report_print(t, f);
	unsetenv("COLUMNS");
	fclose(f);
	text = slurp(path);
	for (*longest = 0, line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (strcspn(line, "\n") > *longest)
			*longest = strcspn(line, "\n");
	return text;
}

static void tables_fit(void)
{
	static const struct column wide[] = {
		{ "device", "device", COL_STR },
		{ "mean_ns", "mean", COL_TIME },
		{ "share_pct", "share", COL_PERCENT },
		{ "p99_ns", "p99", COL_TIME },
		{ "difference", "", COL_STR, COL_RIGHT },
		{ "p99.99_ns", "p99.99", COL_TIME },
		{ "why", "why", COL_STR },
	};
	struct report_table *t = report_table_new(wide, 7);
	const char *text;
	size_t longest;
	int row;

	row = report_row(t, -1);
	report_set_str(t, row, 0, "nvme0n1");
	for (size_t c = 1; c < 6; c++)
		if (c != 4)
			report_set(t, row, c, 12345);
	report_set_str(t, row, 4, "+12.3% of another");
	report_set_str(t, row, 6, "because of a long story in many words");
	text = printed(t, "", &longest);
	check(longest > 90 && strstr(text, "p99.99") && strstr(text, "share") &&
	      !strstr(text, "no room"),
	      "without a terminal, lines are whole: %zu columns", longest);
	text = printed(t, "200", &longest);
	check(longest > 90 && !strstr(text, "no room"), "lines are whole on a wide terminal");
	text = printed(t, "95", &longest);
	check(longest <= 95 && strstr(text, "share  ") &&
	      strstr(text, "\n(95 columns have no room for: p99.99)\n"),
	      "where lines do not fit, what is missed least goes first: %zu columns", longest);
	text = printed(t, "60", &longest);
	check(longest <= 60 && !strstr(text, "share  ") && !strstr(text, "of another") &&
	      strstr(text, "mean") &&
	      strstr(text, "(60 columns have no room for: p99.99, share, p99)"),
	      "on a narrow one more goes, with its differences: %zu columns", longest);
	text = printed(t, "50", &longest);
	check(longest <= 50 && strstr(text, " words\n") && !strstr(text, "many words"),
	      "on the narrowest, texts are broken: %zu columns", longest);
	report_table_free(t);
}

int main(void)
{
	char cmd[100];

	unsetenv("LC_ALL");
	log_init("test");
	if (!mkdtemp(dir))
		return 1;
	documents();
	tables();
	hostile();
	tables_fit();
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	if (system(cmd))
		printf("# cannot remove %s\n", dir);
	return unit_end();
}
