// SPDX-License-Identifier: GPL-2.0
/* Try which types of BPF program, which of their calls, and how large a map the kernel allows. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include "blklat/collect/hooks.h"
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/slots.h"
#include "blklat/collect/symbols_bpf.h"
#include "blklat/collect/trial.h"

/* An error of the kernel that libc does not know */
#define ENOTSUPP 524

#define SET(reg, value) \
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_##reg, .imm = (value) }

/* bpf_probe_read_kernel(fp - 8, 8, NULL); r0 = 0; exit */
static const struct bpf_insn reads[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_10 },
	{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1, .imm = -8 },
	SET(2, 8),
	SET(3, 0),
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel },
	SET(0, 0),
	{ .code = BPF_JMP | BPF_EXIT },
};

#define NR_READS (sizeof(reads) / sizeof(reads[0]))

/* The last two instructions alone do nothing. */
#define NR_NOTHING 2

/*
 * A program of one type, and what its trial is attached to; @symbol is NULL if it is not attached.
 * The program is the last @len of reads[]. A trace works without those that are @optional.
 */
struct trial_type {
	const char *what, *needed_for;
	enum bpf_prog_type prog_type;
	enum bpf_attach_type attach_type;
	enum hook_type hook;
	const char *symbol;
	size_t len;
	bool optional;
};

static const struct trial_type types[] = {
	{ "tracepoint", "marks", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, HOOK_TP,
	  "block_bio_queue", NR_NOTHING },
	{ "fentry", "marks at functions", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, HOOK_FENTRY,
	  "bio_endio", NR_NOTHING, .optional = true },
	{ "fexit", "marks at functions", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, HOOK_FEXIT,
	  "bio_endio", NR_NOTHING, .optional = true },
	{ "raw tracepoint", "I/O of blkgen", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, HOOK_RAW_TP,
	  "block_bio_queue", NR_NOTHING },
	{ "syscall program", "names of functions", BPF_PROG_TYPE_SYSCALL, 0, HOOK_RAW_TP, NULL,
	  NR_NOTHING },
	{ "reading memory", "marks", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, HOOK_TP,
	  "block_bio_queue", NR_READS },
};

#define NR_TYPES (sizeof(types) / sizeof(types[0]))

_Static_assert(NR_TYPES + 2 == NR_TRIALS, "a trial of each type, of callbacks and of the memory");

/* Copy the last line of the verifier's log that gives a reason. */
static void last_words(const char *log, char *reason, size_t len)
{
	const char *line = log, *next, *last = "";

	for (; *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (*line != '\n' && strncmp(line, "processed ", 10))
			last = line;
	}
	snprintf(reason, len, "%.*s", (int)strcspn(last, "\n"), last);
}

static int refused(struct trial *t, const char *step, int error, const char *log)
{
	char words[96];

	last_words(log, words, sizeof(words));
	t->error = error;
	t->whole_type = error == -ENOTSUPP;
	snprintf(t->reason, sizeof(t->reason), "%s: %s%s%s%s", step,
		 error == -ENOTSUPP ? "not supported" : strerror(-error), *words ? " (" : "", words,
		 *words ? ")" : "");
	return error;
}

static int try_program(const struct trial_type *type, const struct btf *btf, struct trial *t)
{
	char log[4096] = "";
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = type->attach_type,
		    .log_buf = log, .log_size = sizeof(log), .log_level = 1);
	int fd, link;

	if (type->prog_type == BPF_PROG_TYPE_TRACING) {
		int id = hook_btf_id(btf, type->hook, type->symbol);

		if (id <= 0)
			return refused(t, type->symbol, -ENOENT, "");
		opts.attach_btf_id = id;
	}
	if ((type->hook == HOOK_FENTRY || type->hook == HOOK_FEXIT) && ftrace_is_off())
		return refused(t, "running", -ENOTSUPP, "kernel.ftrace_enabled is 0");
	if (type->prog_type == BPF_PROG_TYPE_SYSCALL)
		opts.prog_flags = BPF_F_SLEEPABLE;
	fd = bpf_prog_load(type->prog_type, "blklat_trial", "GPL", reads + NR_READS - type->len,
			   type->len, &opts);
	if (fd < 0)
		return refused(t, "loading", fd, log);
	if (type->symbol) {
		/* A program of type tracing was told at load time what it is attached to. */
		link = bpf_raw_tracepoint_open(type->prog_type == BPF_PROG_TYPE_TRACING ?
					       NULL : type->symbol, fd);
		if (link < 0)
			refused(t, "attaching", link, "");
		else
			close(link);
	}
	close(fd);
	return t->error;
}

/* Without the JIT compiler the kernel refuses programs with callbacks, as those of a trace have. */
static int try_callback(struct trial *t)
{
	char log[4096] = "";
	int ret = symbols_try_callback(log, sizeof(log));

	return ret ? refused(t, "loading", ret, log) : 0;
}

/* All variables of the programs are in one map, so the kernel must allow a map of that size. */
static int try_memory(struct trial *t)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	const size_t size = slots_bytes(BLKLAT_FIRST_SLOTS);
	char step[64];
	int fd;

	snprintf(step, sizeof(step), "a map with one value of %zu MiB", size >> 20);
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "blklat_trial", sizeof(__u32), size, 1, &opts);
	if (fd < 0)
		return refused(t, step, fd, "");
	close(fd);
	return 0;
}

bool trial_refuses_memory(void)
{
	struct trial t = { 0 };

	return try_memory(&t) == -E2BIG;
}

int trials_run(struct trial trials[NR_TRIALS])
{
	const struct btf *btf;
	int error = 0, n = 0;

	btf = kernel_btf(&error);
	if (!btf)
		return error;
	memset(trials, 0, NR_TRIALS * sizeof(*trials));
	for (size_t i = 0; i < NR_TYPES; i++) {
		trials[i].what = types[i].what;
		trials[i].needed_for = types[i].needed_for;
		trials[i].optional = types[i].optional;
		trials[i].symbol = types[i].symbol;
		n += try_program(&types[i], btf, &trials[i]) && !types[i].optional;
	}
	trials += NR_TYPES;
	trials->what = "callback";
	trials->needed_for = "marks";
	n += try_callback(trials++) != 0;
	trials->what = "memory";
	trials->needed_for = "variables of the programs";
	n += try_memory(trials) != 0;
	return n;
}
