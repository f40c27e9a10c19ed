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

#define ADDR_DIGITS (2 * sizeof(long))

/*
 * Called for each symbol. @addr has the digits of the address; @module is "" for the kernel
 * itself.
 */
typedef void (*line_fn)(void *arg, const char *addr, const char *name, const char *module);

/* Cut up a line, "ffffffff81000000 T name\t[module]", and call @fn for it. */
static void take_line(char *line, char *end, line_fn fn, void *arg)
{
	char *name = line + ADDR_DIGITS + 3, *module;

	if (name >= end)
		return;
	*end = '\0';
	module = memchr(name, '\t', end - name);
	if (module) {
		*module = '\0';
		module += 2;
		end[-1] = '\0';
	}
	fn(arg, line, name, module ?: end);
}

/*
 * Call @fn for each line of /proc/kallsyms. This reads and parses by hand, because stdio and
 * sscanf() take a second for all lines.
 */
static int each_line(line_fn fn, void *arg)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	char buf[1 << 16], *p, *nl;
	size_t have = 0;
	ssize_t n;

	if (fd < 0)
		return err(-errno, "/proc/kallsyms: %s", strerror(errno));
	while ((n = read(fd, buf + have, sizeof(buf) - have)) > 0) {
		have += n;
		for (p = buf; (nl = memchr(p, '\n', buf + have - p)); p = nl + 1)
			take_line(p, nl, fn, arg);
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

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct symbol *const *)a)->name, (*(struct symbol *const *)b)->name);
}

/*
 * The functions to look for. @begins is true for each pair of characters with which one of the
 * names begins, because this check is enough for most symbols.
 */
struct wanted {
	struct symbol **v;
	size_t n;
	bool begins[1 << 16];
};

static unsigned int begin_of(const char *name)
{
	return (unsigned char)name[0] << 8 | (unsigned char)name[1];
}

static void match(void *arg, const char *addr, const char *name, const char *module)
{
	const struct wanted *w = arg;
	struct symbol key = { .name = name }, *k = &key, **at;

	if (!*name || !w->begins[begin_of(name)])
		return;
	at = bsearch(&k, w->v, w->n, sizeof(*w->v), by_name);
	if (!at)
		return;
	while (at > w->v && !by_name(&k, at - 1))
		at--;
	for (; at < w->v + w->n && !by_name(&k, at); at++)
		if (!*module || ((*at)->module && !strcmp(module, (*at)->module)))
			(*at)->addr = address(addr);
}

static int read_all(struct symbol *v, size_t n)
{
	struct wanted *w = calloc(1, sizeof(*w));
	int ret = -ENOMEM;

	if (w)
		w->v = calloc(n, sizeof(*w->v));
	if (!w || !w->v) {
		free(w);
		return err(ret, "out of memory");
	}
	w->n = n;
	for (size_t i = 0; i < n; i++) {
		w->v[i] = &v[i];
		w->begins[begin_of(v[i].name)] = true;
	}
	qsort(w->v, n, sizeof(*w->v), by_name);
	ret = each_line(match, w);
	free(w->v);
	free(w);
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

static void match_address(void *arg, const char *addr, const char *name, const char *module)
{
	const struct named *w = arg;
	uint64_t at = address(addr);

	for (size_t i = 0; i < w->n; i++) {
		if (w->v[i].addr != at || *w->v[i].name || !strncmp(name, "__pfx", 5))
			continue;
		snprintf(w->v[i].name, sizeof(w->v[i].name), "%.63s", name);
		snprintf(w->v[i].module, sizeof(w->v[i].module), "%.31s", module);
	}
}

int symbols_name(struct symbol_name *v, size_t n)
{
	struct named w = { v, n };

	if (!n || !symbols_ask_names(v, n))
		return 0;
	return each_line(match_address, &w);
}
