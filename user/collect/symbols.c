// SPDX-License-Identifier: GPL-2.0
/* The kernel's symbols, from /proc/kallsyms. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "collect/symbols.h"
#include "core/log.h"

/* Cut off what follows a blank; returns what comes after it. */
static char *cut(char *p)
{
	p += strcspn(p, " \t\n");
	if (*p)
		*p++ = '\0';
	return p;
}

/* "ffffffff81000000 T name\t[module]"; by hand, as sscanf() takes a second for them all. */
int symbols_each(void (*fn)(void *arg, uint64_t addr, const char *name, const char *module),
		 void *arg)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[512], *name, *module, *p;

	if (!f)
		return err(-errno, "/proc/kallsyms: %s", strerror(errno));
	setvbuf(f, NULL, _IOFBF, 1 << 16);
	while (fgets(line, sizeof(line), f)) {
		p = cut(line);
		name = cut(p);
		module = cut(name);
		if (*module == '[') {
			module++;
			module[strcspn(module, "]")] = '\0';
		}
		fn(arg, strtoull(line, NULL, 16), name, module);
	}
	fclose(f);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct symbol *const *)a)->name, (*(struct symbol *const *)b)->name);
}

struct wanted {
	struct symbol **v;
	size_t n;
};

static void match(void *arg, uint64_t addr, const char *name, const char *module)
{
	const struct wanted *w = arg;
	struct symbol key = { .name = name }, *k = &key, **at;

	at = bsearch(&k, w->v, w->n, sizeof(*w->v), by_name);
	if (!at)
		return;
	while (at > w->v && !by_name(&k, at - 1))
		at--;
	for (; at < w->v + w->n && !by_name(&k, at); at++)
		if (!*module || ((*at)->module && !strcmp(module, (*at)->module)))
			(*at)->addr = addr;
}

int symbols_find(struct symbol *v, size_t n)
{
	struct wanted w = { .v = calloc(n, sizeof(*w.v)), .n = n };
	int ret;

	if (!w.v)
		return err(-ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		w.v[i] = &v[i];
	qsort(w.v, n, sizeof(*w.v), by_name);
	ret = symbols_each(match, &w);
	free(w.v);
	return ret;
}
