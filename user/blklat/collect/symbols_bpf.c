// SPDX-License-Identifier: GPL-2.0
/* Look up symbols by the programs of bpf/symbols.bpf.c, which ask the kernel only for these. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/symbols_bpf.h"
#include "symbols_asked.h"
#include "symbols.skel.h"

/* Run find_symbols (@find) or name_symbols to answer the questions. Return 0 or -errno. */
static int ask(struct symbol_asked *v, size_t n, bool find)
{
	struct symbols *skel = symbols__open_and_load();
	int ret = skel ? 0 : -errno;

	for (size_t i = 0, m; i < n && !ret; i += m) {
		LIBBPF_OPTS(bpf_test_run_opts, run);
		const struct bpf_program *prog;

		m = n - i < SYMBOLS_AT_ONCE ? n - i : SYMBOLS_AT_ONCE;
		memcpy(skel->bss->asked, v + i, m * sizeof(*v));
		skel->bss->nr_asked = m;
		prog = find ? skel->progs.find_symbols : skel->progs.name_symbols;
		ret = bpf_prog_test_run_opts(bpf_program__fd(prog), &run);
		memcpy(v + i, skel->bss->asked, m * sizeof(*v));
	}
	symbols__destroy(skel);
	return ret;
}

int symbols_try_callback(char *log, size_t len)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .kernel_log_buf = log, .kernel_log_size = len);
	struct symbols *skel;
	int ret;

	libbpf_follow_log();
	skel = symbols__open_opts(&opts);
	if (!skel)
		return -errno;
	bpf_program__set_autoload(skel->progs.find_symbols, false);
	bpf_program__set_autoload(skel->progs.name_symbols, false);
	bpf_program__set_autoload(skel->progs.try_callback, true);
	ret = symbols__load(skel);
	symbols__destroy(skel);
	return ret;
}

/*
 * Fill in the questions. There are two for each function: its address in its module, and its
 * address anywhere. The last two questions ask for the bounds of the kernel's own code.
 */
static void fill_in(const struct symbol *v, size_t n, struct symbol_asked *asked)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].module)
			snprintf(asked[2 * i].text, SYMBOL_TEXT_LEN, "%s:%s", v[i].module,
				 v[i].name);
		snprintf(asked[2 * i + 1].text, SYMBOL_TEXT_LEN, "%s", v[i].name);
	}
	strcpy(asked[2 * n].text, "_stext");
	strcpy(asked[2 * n + 1].text, "_etext");
}

int symbols_ask(struct symbol *v, size_t n)
{
	struct symbol_asked *asked = calloc(2 * n + 2, sizeof(*asked));
	uint64_t begin, end;
	int ret;

	if (!asked)
		return -ENOMEM;
	fill_in(v, n, asked);
	ret = ask(asked, 2 * n + 2, true);
	begin = asked[2 * n].addr;
	end = asked[2 * n + 1].addr;
	if (!ret && (!begin || !end))
		ret = -ENOENT;
	for (size_t i = 0; i < n && !ret; i++) {
		uint64_t any = asked[2 * i + 1].addr;

		v[i].addr = asked[2 * i].addr;
		/*
		 * If the module does not have the function, it may be built into the kernel. An
		 * address outside the kernel's code is a function of this name in another module.
		 */
		if (!v[i].addr && any >= begin && any < end)
			v[i].addr = any;
	}
	free(asked);
	return ret;
}

/* Take apart an answer, "function [module]"; it is a number if there is no symbol. */
static void take_name(struct symbol_name *s, char *text)
{
	char *module = strchr(text, ' ');

	s->name[0] = s->module[0] = '\0';
	if (!strncmp(text, "0x", 2))
		return;
	if (module) {
		*module++ = '\0';
		module += *module == '[';
		module[strcspn(module, "]")] = '\0';
		snprintf(s->module, sizeof(s->module), "%.31s", module);
	}
	snprintf(s->name, sizeof(s->name), "%.63s", text);
}

int symbols_ask_names(struct symbol_name *v, size_t n)
{
	struct symbol_asked *asked = calloc(n, sizeof(*asked));
	int ret;

	if (!asked)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		asked[i].addr = v[i].addr;
	ret = ask(asked, n, false);
	for (size_t i = 0; i < n && !ret; i++) {
		asked[i].text[SYMBOL_TEXT_LEN - 1] = '\0';
		take_name(&v[i], asked[i].text);
	}
	free(asked);
	return ret;
}
