// SPDX-License-Identifier: GPL-2.0
/* Look up the kernel's symbols: ask the kernel, or read /proc/kallsyms. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/btf.h>
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/symbols.h"
#include "blklat/collect/symbols_bpf.h"
#include "core/log.h"
#include "core/name_index.h"

#define ADDR_DIGITS (2 * sizeof(long))

/*
 * This is called for each symbol. @addr has the digits of the address; @module is "" for the kernel
 * itself. Return true if no more symbols are needed.
 */
typedef bool (*line_fn)(void *arg, const char *addr, const char *name, const char *module);

/* Cut up a line, "ffffffff81000000 T name\t[module]", and call @fn for it. */
static bool take_line(char *line, char *end, line_fn fn, void *arg)
{
	char *name = line + ADDR_DIGITS + 3, *module;

	if (name >= end)
		return false;
	*end = '\0';
	module = memchr(name, '\t', end - name);
	if (module) {
		*module = '\0';
		module += 2;
		end[-1] = '\0';
	}
	return fn(arg, line, name, module ?: end);
}

/*
 * Call @fn for each line of /proc/kallsyms until it returns true. This reads and parses by hand,
 * because stdio and sscanf() take a second for all lines.
 */
static int each_line(line_fn fn, void *arg)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	char buf[1 << 16], *p, *nl;
	bool done = false;
	size_t have = 0;
	ssize_t n = 0;

	if (fd < 0)
		return err(-errno, "/proc/kallsyms: %s", strerror(errno));
	while (!done && (n = read(fd, buf + have, sizeof(buf) - have)) > 0) {
		have += n;
		for (p = buf; !done && (nl = memchr(p, '\n', buf + have - p)); p = nl + 1)
			done = take_line(p, nl, fn, arg);
		have -= p - buf;
		memmove(buf, p, have);
	}
	close(fd);
	return n < 0 ? err(-errno, "/proc/kallsyms: %s", strerror(errno)) : 0;
}

static uint64_t address(const char *line)
{
	return strtoull(line, NULL, 16);
}

/*
 * These are the functions to look for, of which @missing were not found yet, and the line of
 * /proc/kallsyms that is just looked at.
 */
struct wanted {
	struct symbol *v;
	size_t missing;
	struct name_index *names;
	const char *addr;
	const char *module;
};

static void set_address(void *arg, size_t place)
{
	struct wanted *w = arg;
	struct symbol *s = &w->v[place];

	if (*w->module && !(s->module && !strcmp(w->module, s->module)))
		return;
	w->missing -= !s->addr;
	s->addr = address(w->addr);
}

static bool match(void *arg, const char *addr, const char *name, const char *module)
{
	struct wanted *w = arg;

	w->addr = addr;
	w->module = module;
	name_index_each(w->names, name, set_address, w);
	return !w->missing;
}

static int read_all(struct symbol *v, size_t n)
{
	const char **list = calloc(n ?: 1, sizeof(*list));
	struct wanted w = { .v = v, .missing = n };
	int ret;

	for (size_t i = 0; list && i < n; i++)
		list[i] = v[i].name;
	w.names = list ? name_index_new(list, n) : NULL;
	ret = w.names ? each_line(match, &w) : err(-ENOMEM, "out of memory");
	name_index_free(w.names);
	free(list);
	return ret;
}

/*
 * Return true if the kernel has an index of the names, as it has since 6.2. Without it, a kernel
 * takes as long to look up one name as to go through all.
 */
static bool has_index(void)
{
	int error = 0;
	struct btf *btf = kernel_btf(&error);

	return btf && btf__find_by_name_kind(btf, "kallsyms_on_each_match_symbol",
					     BTF_KIND_FUNC) > 0;
}

int symbols_find(struct symbol *v, size_t n)
{
	if (has_index() && !symbols_ask(v, n))
		return 0;
	return read_all(v, n);
}

struct named {
	struct symbol_name *v;
	size_t n;
};

static bool match_address(void *arg, const char *addr, const char *name, const char *module)
{
	const struct named *w = arg;
	uint64_t at = address(addr);

	for (size_t i = 0; i < w->n; i++) {
		if (w->v[i].addr != at || *w->v[i].name || !strncmp(name, "__pfx", 5))
			continue;
		snprintf(w->v[i].name, sizeof(w->v[i].name), "%.63s", name);
		snprintf(w->v[i].module, sizeof(w->v[i].module), "%.31s", module);
	}
	return false;
}

int symbols_name(struct symbol_name *v, size_t n)
{
	struct named w = { v, n };

	if (!n || !symbols_ask_names(v, n))
		return 0;
	return each_line(match_address, &w);
}
