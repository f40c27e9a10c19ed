// SPDX-License-Identifier: GPL-2.0
/* Parse fio's ini format: lines, sections, [global] and variables. jobfile_keys.c has the keys. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/fio/jobfile.h"
#include "blkgen/fio/jobfile_keys.h"
#include "core/memory.h"
#include "core/opt.h"

#define MAX_LINE 4096

/* This is the state of the parser. */
struct ini {
	struct jobfile *jf;
	const char *path;
	unsigned int line;
	struct job_settings global, own;
	const char *section;		/* name; NULL: before the first section */
	unsigned int section_line;
	bool in_global;
	unsigned int threads;
};

/* Cut off blanks on both sides, and a comment. As in fio, ; and # begin a comment anywhere. */
static char *strip(char *s)
{
	size_t len;

	s[strcspn(s, ";#")] = 0;
	while (isspace((unsigned char)*s))
		s++;
	len = strlen(s);
	while (len && (isspace((unsigned char)s[len - 1]) || iscntrl((unsigned char)s[len - 1])))
		s[--len] = 0;
	return s;
}

static int append(struct ini *ini, char *out, size_t *len, const char *s, size_t n)
{
	if (*len + n >= MAX_LINE)
		return err(-EUSAGE, "%s:%u: the line is longer than %d characters", ini->path,
			   ini->line, MAX_LINE - 1);
	memcpy(out + *len, s, n);
	out[*len += n] = 0;
	return 0;
}

/* Replace each ${NAME} by the environment variable NAME, or by nothing if it is not set. */
static int expand_env(struct ini *ini, const char *s, char *out)
{
	size_t len = 0;
	int ret = 0;

	*out = 0;
	while (*s && !ret) {
		const char *end = s[0] == '$' && s[1] == '{' ? strchr(s, '}') : NULL;
		char name[MAX_LINE];

		if (!end) {
			ret = append(ini, out, &len, s++, 1);
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)(end - s - 2), s + 2);
		s = end + 1;
		if (getenv(name))
			ret = append(ini, out, &len, getenv(name), strlen(getenv(name)));
	}
	return ret;
}

/* Replace the three words that fio replaces by numbers. */
static int expand_words(struct ini *ini, const char *s, char *out)
{
	const struct {
		const char *word;
		long value;
	} words[] = {
		{ "$pagesize", sysconf(_SC_PAGESIZE) },
		{ "$mb_memory", machine_memory() >> 20 },
		{ "$ncpus", sysconf(_SC_NPROCESSORS_CONF) },
	};
	const char *eq = strchr(s, '=');
	bool replaced = false;
	size_t len = 0, i;
	int ret = 0;

	*out = 0;
	while (*s && !ret) {
		char num[24];

		for (i = 0; i < 3 && strncmp(s, words[i].word, strlen(words[i].word)); i++)
			;
		if (i == 3) {
			ret = append(ini, out, &len, s++, 1);
			continue;
		}
		snprintf(num, sizeof(num), "%ld", words[i].value);
		ret = append(ini, out, &len, num, strlen(num));
		s += strlen(words[i].word);
		replaced = true;
	}
	if (!ret && replaced && eq && strpbrk(strchr(out, '='), "+-*/"))
		return err(-EUSAGE, "%s:%u: %s: blkgen does no arithmetic; give a number",
			   ini->path, ini->line, out);
	return ret;
}

static int end_section(struct ini *ini)
{
	struct job_section sec = {
		.path = ini->path, .name = ini->section, .line = ini->section_line, .set = &ini->own
	};

	if (!ini->section)
		return 0;
	if (ini->in_global) {
		ini->global = ini->own;
		return 0;
	}
	return job_add(ini->jf, &sec, &ini->threads);
}

static int begin_section(struct ini *ini, char *s)
{
	size_t len = strlen(s);
	int ret = end_section(ini);

	if (ret)
		return ret;
	if (len < 3 || s[len - 1] != ']')
		return err(-EUSAGE, "%s:%u: %s: a section must be written as [name]", ini->path,
			   ini->line, s);
	s[len - 1] = 0;
	ini->section = jobfile_text(ini->jf, "%s", s + 1);
	if (!ini->section)
		return -ENOMEM;
	ini->section_line = ini->line;
	ini->in_global = !strncmp(s + 1, "global", 6);
	ini->own = ini->global;
	return 0;
}

static int setting(struct ini *ini, char *s)
{
	char *eq = strchr(s, '='), *value = NULL;
	size_t len = eq ? (size_t)(eq - s) : strlen(s);
	int i;

	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	i = job_key_find(s, len);
	if (i < 0)
		return err(-EUSAGE, "%s:%u: %s: blkgen does not know %.*s", ini->path, ini->line, s,
			   (int)len, s);
	if (eq) {
		value = jobfile_text(ini->jf, "%s", eq + 1 + strspn(eq + 1, " \t"));
		if (!value)
			return -ENOMEM;
		if (*value == '(')
			return err(-EUSAGE, "%s:%u: %s: blkgen does no arithmetic; give a number",
				   ini->path, ini->line, s);
	}
	ini->own.key[i].value = value;
	ini->own.key[i].line = ini->line;
	return 0;
}

static int one_line(struct ini *ini, char *raw)
{
	char env[MAX_LINE], words[MAX_LINE], *s = strip(raw);
	int ret;

	if (!*s)
		return 0;
	if (*s == '[')
		return begin_section(ini, s);
	if (!ini->section)
		return err(-EUSAGE, "%s:%u: %s: comes before the first [section]", ini->path,
			   ini->line, s);
	if (!strncmp(s, "include", 7))
		return err(-EUSAGE, "%s:%u: %s: blkgen does not include files", ini->path,
			   ini->line, s);
	ret = expand_env(ini, s, env);
	if (!ret)
		ret = expand_words(ini, env, words);
	return ret ? ret : setting(ini, words);
}

int jobfile_parse(const char *path, const char *text, struct jobfile *jf)
{
	struct ini *ini = calloc(1, sizeof(*ini));
	char *copy = strdup(text), *rest = copy, *line;
	int ret = ini && copy ? 0 : err(-ENOMEM, "out of memory");

	if (!ret) {
		ini->jf = jf;
		ini->path = path;
		job_settings_init(&ini->global);
	}
	while (!ret && (line = strsep(&rest, "\n"))) {
		ini->line++;
		ret = one_line(ini, line);
	}
	if (!ret)
		ret = end_section(ini);
	if (!ret && !jf->njobs)
		ret = err(-EUSAGE, "%s:%u: the file has no job", path, ini->line);
	if (!ret && jf->ndevices && !jf->used)
		ret = err(-EUSAGE, "%s: all its jobs name their devices, and none is on %s", path,
			  jf->devices[0]);
	free(copy);
	free(ini);
	return ret;
}

char *jobfile_read(const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char *text = NULL;
	size_t len = 0;

	if (!f) {
		err(-errno, "%s: %s", path, strerror(errno));
		return NULL;
	}
	/* Read up to a zero byte. A text file has none, so this is the whole file. */
	errno = 0;
	if (getdelim(&text, &len, 0, f) < 0) {
		err(-EINVAL, "%s: %s", path, errno ? strerror(errno) : "is empty");
		free(text);
		text = NULL;
	}
	if (f != stdin)
		fclose(f);
	return text;
}
