// SPDX-License-Identifier: GPL-2.0
/*
 * Look up a few of the kernel's symbols, because reading all of them from /proc/kallsyms takes
 * most of a second on a slow machine. User space runs these programs, which have a skeleton of
 * their own.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "symbols_asked.h"

struct symbol_asked asked[SYMBOLS_AT_ONCE];
__u32 nr_asked;

/* bpf_snprintf() takes only a format string in read-only memory. */
static const char symbol_at[] = "%ps";

static long find_one(__u32 i, void *unused)
{
	struct symbol_asked *a = i < SYMBOLS_AT_ONCE ? &asked[i] : NULL;
	__u64 addr = 0;

	if (!a || bpf_kallsyms_lookup_name(a->text, sizeof(a->text), 0, &addr))
		return 0;
	a->addr = addr;
	return 0;
}

static long name_one(__u32 i, void *unused)
{
	struct symbol_asked *a = i < SYMBOLS_AT_ONCE ? &asked[i] : NULL;

	if (a)
		bpf_snprintf(a->text, sizeof(a->text), symbol_at, &a->addr, sizeof(a->addr));
	return 0;
}

SEC("syscall")
int find_symbols(void *ctx)
{
	bpf_loop(nr_asked, find_one, NULL, 0);
	return 0;
}

SEC("syscall")
int name_symbols(void *ctx)
{
	bpf_loop(nr_asked, name_one, NULL, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
