// SPDX-License-Identifier: GPL-2.0
/* Complete words of command lines for shells, from the tables of commands and options. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/complete.h"
#include "core/utf8.h"

#define MAX_WORDS	256
#define BLANKS		" \t\n"

/*
 * This is the word to complete. Each word that is offered has two parts: @before, which the shell
 * wants to have back unchanged, and a name that begins with @text.
 */
struct partial {
	char before[256];
	const char *text;
};

static void offer(const struct partial *p, const char *name)
{
	if (!strncmp(name, p->text, strlen(p->text)))
		printf("%s%s\n", p->before, name);
}

/* Move what comes before the last of @marks in the text to @before. */
static void split_off(struct partial *p, const char *marks)
{
	const char *next = p->text + strlen(p->text);
	size_t len = strlen(p->before);

	while (next > p->text && !strchr(marks, next[-1]))
		next--;
	if (len + (next - p->text) >= sizeof(p->before))
		return;
	memcpy(p->before + len, p->text, next - p->text);
	p->before[len + (next - p->text)] = 0;
	p->text = next;
}

static void offer_devices(struct partial p)
{
	DIR *dir = opendir("/sys/class/block");
	struct dirent *e;

	if (!strncmp(p.text, "/dev/", 5))
		split_off(&p, "/");
	while (dir && (e = readdir(dir)))
		if (*e->d_name != '.')
			offer(&p, e->d_name);
	if (dir)
		closedir(dir);
}

static void offer_commands(const struct cmd *const *cmds, const struct partial *p)
{
	for (; *cmds; cmds++)
		offer(p, (*cmds)->name);
}

static void offer_options(const struct cmd *cmd, const struct partial *p)
{
	const struct opt *o;
	char name[64];

	for (o = cmd->opts; o && o->type != OPT_END; o++) {
		if (!o->name)
			continue;
		snprintf(name, sizeof(name), "--%s", o->name);
		offer(p, name);
		if (o->type == OPT_OUTPUT) {
			snprintf(name, sizeof(name), "--%s=", o->name);
			offer(p, name);
		}
		/*
		 * Offer negations only to a user who typed --no-: one for each flag would make
		 * the list long.
		 */
		snprintf(name, sizeof(name), "--no-%s", o->name);
		if (o->type == OPT_FLAG && !strncmp(p->text, "--no-", 5))
			offer(p, name);
	}
	offer(p, "--help");
}

/* Offer the values of an option. In a list, such as raw,A/B, offer its next word. */
static void offer_values(const struct opt *o, struct partial p)
{
	size_t i;

	if (o->type != OPT_ENUM)
		split_off(&p, o->names ? ",/" : ",");
	for (i = 0; o->choices && o->choices[i]; i++)
		offer(&p, o->choices[i]);
	for (i = 0; o->names && o->names(i); i++)
		offer(&p, o->names(i));
	if (o->metavar && !strncmp(o->metavar, "DEV", 3))
		offer_devices(p);
}

/*
 * Offer the words that can replace the last word. words[0] is the sub-command. @back: the shell
 * expects "--OPTION=" at the start of each word.
 */
static void offer_words(const struct cmd *cmd, char **words, size_t n, bool back)
{
	struct partial p = { .text = words[n - 1] };
	const struct opt *o;
	size_t i;

	for (i = 1; i + 1 < n; i++) {
		if (!strcmp(words[i], "--"))
			return;
		o = opt_awaits_value(cmd, words[i]);
		if (o && i + 2 == n) {
			offer_values(o, p);
			return;
		}
		/* The value may look like an option. */
		if (o)
			i++;
	}
	if (!strncmp(p.text, "--", 2) && strchr(p.text, '=')) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(p.text + 2, "="), p.text + 2);
		o = opt_find(cmd, name);
		if (back)
			snprintf(p.before, sizeof(p.before), "--%s=", name);
		p.text = strchr(p.text, '=') + 1;
		if (o)
			offer_values(o, p);
	} else if (*p.text == '-') {
		offer_options(cmd, &p);
	} else if (cmd->usage && strstr(cmd->usage, "DEV")) {
		offer_devices(p);
	}
}

/* Return how many bytes the first @n characters of a text have. */
static size_t bytes_of(const char *text, size_t n)
{
	const char *s = text;

	for (; n && *s; n--) {
		size_t len = utf8_len(s);

		s += len ? len : 1;
	}
	return s - text;
}

void complete_print(const struct cmd *const *cmds, const char *line, size_t point,
		    const char *word)
{
	char *text = strndup(line, bytes_of(line, point)), *words[MAX_WORDS], *save = NULL, *w;
	const struct cmd *cmd;
	char empty[] = "";
	unsigned int found;
	size_t n = 0, len;
	bool blank;

	if (!text)
		return;
	len = strlen(text);
	/* After a blank a new word begins. */
	blank = len && strchr(BLANKS, text[len - 1]);
	for (w = strtok_r(text, BLANKS, &save); w && n < MAX_WORDS - 1;
	     w = strtok_r(NULL, BLANKS, &save))
		words[n++] = w;
	if (blank)
		words[n++] = empty;
	if (n == 2 || (n == 3 && !strcmp(words[1], "help"))) {
		struct partial p = { .text = words[n - 1] };

		offer_commands(cmds, &p);
		if (n == 2) {
			offer(&p, "help");
			offer(&p, "--version");
		}
	} else if (n > 2) {
		cmd = cmd_find(cmds, words[1], &found);
		if (cmd)
			offer_words(cmd, words + 1, n - 1, word && !strncmp(word, "--", 2));
	}
	free(text);
}
