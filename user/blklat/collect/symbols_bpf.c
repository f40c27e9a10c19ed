// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols by a small program that asks the kernel for the few wanted: to have
 * it print all of them takes most of a second on a slow machine. The programs
 * are made here instruction by instruction, as the names are part of them.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <bpf/bpf.h>
#include "blklat/collect/symbols_bpf.h"

#define MAX_INSNS 4096
#define NAME_LEN 96	/* "module:function", a multiple of 4 */

struct code {
	struct bpf_insn insns[MAX_INSNS];
	unsigned int n;
};

static void emit(struct code *c, __u8 op, __u8 dst, __u8 src, __s16 off, __s32 imm)
{
	if (c->n < MAX_INSNS)
		c->insns[c->n++] = (struct bpf_insn){ .code = op, .dst_reg = dst, .src_reg = src,
						      .off = off, .imm = imm };
}

static void set(struct code *c, __u8 dst, __s32 value)
{
	emit(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value);
}

/* dst = the address of @off on the stack */
static void set_stack(struct code *c, __u8 dst, __s32 off)
{
	emit(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, BPF_REG_10, 0, 0);
	emit(c, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, off);
}

static void call(struct code *c, __s32 helper)
{
	emit(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/* The context, which helpers overwrite as an argument, stays in r6. */
static void begin(struct code *c)
{
	c->n = 0;
	emit(c, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_1, 0, 0);
}

static int finish_and_run(struct code *c, void *ctx, size_t len)
{
	LIBBPF_OPTS(bpf_prog_load_opts, load, .prog_flags = BPF_F_SLEEPABLE);
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = ctx, .ctx_size_in = len);
	int fd, ret;

	set(c, BPF_REG_0, 0);
	emit(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	if (c->n == MAX_INSNS)
		return -E2BIG;
	fd = bpf_prog_load(BPF_PROG_TYPE_SYSCALL, "symbols", "GPL", c->insns, c->n, &load);
	if (fd < 0)
		return fd;
	ret = bpf_prog_test_run_opts(fd, &run);
	close(fd);
	return ret;
}

/* Context[@slot] = the address of the symbol, 0 if there is none */
static void emit_lookup(struct code *c, const char *module, const char *name, size_t slot)
{
	char text[NAME_LEN] = "";
	size_t len;
	__s32 word;

	len = snprintf(text, sizeof(text), "%s%s%s", module ?: "", module ? ":" : "", name) + 1;
	for (size_t i = 0; i < len && i < sizeof(text); i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
		emit(c, BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, (int)i - NAME_LEN - 8, word);
	}
	emit(c, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0);
	set_stack(c, BPF_REG_1, -NAME_LEN - 8);
	set(c, BPF_REG_2, len);
	set(c, BPF_REG_3, 0);
	set_stack(c, BPF_REG_4, -8);
	call(c, BPF_FUNC_kallsyms_lookup_name);
	emit(c, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, -8, 0);
	emit(c, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_1, slot * sizeof(__u64), 0);
}

/* Per symbol, where its module has it and where anything has it; last, the kernel's bounds. */
static int look_up(const struct symbol *v, size_t n, __u64 *found)
{
	struct code *c = malloc(sizeof(*c));
	int ret;

	if (!c)
		return -ENOMEM;
	begin(c);
	for (size_t i = 0; i < n; i++) {
		if (v[i].module)
			emit_lookup(c, v[i].module, v[i].name, 2 * i);
		emit_lookup(c, NULL, v[i].name, 2 * i + 1);
	}
	emit_lookup(c, NULL, "_stext", 2 * n);
	emit_lookup(c, NULL, "_etext", 2 * n + 1);
	ret = finish_and_run(c, found, (2 * n + 2) * sizeof(*found));
	free(c);
	return ret;
}

int symbols_ask(struct symbol *v, size_t n)
{
	__u64 *found = calloc(2 * n + 2, sizeof(*found));
	int ret;

	if (!found)
		return -ENOMEM;
	ret = look_up(v, n, found);
	if (!ret && (!found[2 * n] || !found[2 * n + 1]))
		ret = -ENOENT;
	for (size_t i = 0; i < n && !ret; i++) {
		__u64 any = found[2 * i + 1];

		v[i].addr = found[2 * i];
		/* Another module may have one of this name. */
		if (!v[i].addr && any >= found[2 * n] && any < found[2 * n + 1])
			v[i].addr = any;
	}
	free(found);
	return ret;
}

#define TEXT_LEN 128	/* "function [module]", a multiple of 8 */

/* One run: the address comes in the first word, the text goes over all of it. */
union name_ctx {
	__u64 addr;
	__u64 words[TEXT_LEN / sizeof(__u64)];
	char text[TEXT_LEN];
};

/* The format has to be where nobody can change it. */
static int format_map(const char *format)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_RDONLY_PROG);
	char value[8] = "";
	__u32 key = 0;
	int fd;

	snprintf(value, sizeof(value), "%s", format);
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "format", sizeof(key), sizeof(value), 1, &opts);
	if (fd < 0)
		return fd;
	if (!bpf_map_update_elem(fd, &key, value, BPF_ANY) && !bpf_map_freeze(fd))
		return fd;
	close(fd);
	return -errno;
}

static void emit_name(struct code *c, int format)
{
	const int words = TEXT_LEN / sizeof(__u64);

	emit(c, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_6, 0, 0);
	emit(c, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1, -8, 0);
	for (int i = 0; i < words; i++)
		emit(c, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8 - TEXT_LEN + 8 * i, 0);
	set_stack(c, BPF_REG_1, -8 - TEXT_LEN);
	set(c, BPF_REG_2, TEXT_LEN);
	emit(c, BPF_LD | BPF_IMM | BPF_DW, BPF_REG_3, BPF_PSEUDO_MAP_VALUE, 0, format);
	emit(c, 0, 0, 0, 0, 0);
	set_stack(c, BPF_REG_4, -8);
	set(c, BPF_REG_5, sizeof(__u64));
	call(c, BPF_FUNC_snprintf);
	for (int i = 0; i < words; i++) {
		emit(c, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, -8 - TEXT_LEN + 8 * i, 0);
		emit(c, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_1, 8 * i, 0);
	}
}

/* "function [module]", or the address as a number where there is no symbol */
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
	struct code *c = malloc(sizeof(*c));
	int format = format_map("%ps"), ret = c ? format : -ENOMEM;

	for (size_t i = 0; i < n && ret >= 0; i++) {
		union name_ctx ctx = { .addr = v[i].addr };

		begin(c);
		emit_name(c, format);
		ret = finish_and_run(c, &ctx, sizeof(ctx));
		ctx.text[TEXT_LEN - 1] = '\0';
		if (ret >= 0)
			take_name(&v[i], ctx.text);
	}
	if (format >= 0)
		close(format);
	free(c);
	return ret < 0 ? ret : 0;
}
