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

_Static_assert(!(SYMBOLS_AT_ONCE & (SYMBOLS_AT_ONCE - 1)), "a mask makes a valid index");

/* The verifier of 6.1 follows a mask, but not a comparison with the number of elements. */
static struct symbol_asked *nth_asked(__u32 i)
{
	return &asked[i & (SYMBOLS_AT_ONCE - 1)];
}

static long find_one(__u32 i, void *unused)
{
	struct symbol_asked *a = nth_asked(i);
	__u64 addr = 0;

	if (bpf_kallsyms_lookup_name(a->text, sizeof(a->text), 0, &addr))
		return 0;
	a->addr = addr;
	return 0;
}

static long name_one(__u32 i, void *unused)
{
	struct symbol_asked *a = nth_asked(i);

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

static long nothing(__u32 i, void *unused)
{
	return 0;
}

/* blklat probe tries if the kernel accepts callbacks. */
SEC("?syscall")
int try_callback(void *ctx)
{
	bpf_loop(1, nothing, NULL, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
