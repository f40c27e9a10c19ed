// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of QEMU's emulation: count the executed instructions by block of code and by the calls
 * that led there. The guest does not notice it: the clock that counts instructions stays as it is.
 *
 * The guest starts and ends a section with selftests/bench/mark, which calls MARK_START and
 * MARK_STOP. The file that out= names gets one line for each thing that was counted:
 *
 *	section N INSTRUCTIONS
 *	node ID PARENT SITE ENTRY
 *	block NODE ADDRESS INSTRUCTIONS BYTES CRC EXECUTIONS
 *
 * A node is a call at a place in the tree of calls; node 0 is the root, and the node 1 has all of
 * user space. ENTRY is the address that was called, and SITE is that of the block that called it.
 * A block that belongs to another function than its node's ENTRY was reached by a jump: a tail
 * call, a retpoline, whose return jumps to a function, or an interrupt. So was a SITE that belongs
 * to another function than the ENTRY of PARENT. CRC is of the block's bytes, and tells programs
 * apart that have different code at the same address.
 *
 * The calls are followed by the stack pointer. It is read where a block follows a call or a
 * return. Each stack of a task or CPU has its own frames, so an interrupt that has a stack of its
 * own has a tree of its own, and a switch of tasks needs no special case.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"
#include "qemu_plugin.h"

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = QEMU_PLUGIN_INTERFACE;

#define KERNEL		0x800000000000ull
#define STACK_SHIFT	14	/* a task's kernel stack begins at a multiple of 16 KiB */
#define DEPTH		512	/* frames of a stack; deeper ones are counted in the last one */
#define HASH_BITS	20
#define HASH_SIZE	(1u << HASH_BITS)

enum after { AFTER_OTHER, AFTER_CALL, AFTER_RETURN };

struct block {
	struct block *next;
	uint64_t addr;
	uint32_t insns, bytes, crc;
	enum after ends;
};

struct count {
	struct count *next;
	struct block *block;
	uint32_t node;
	uint64_t n;
};

struct node {
	uint32_t parent;
	uint32_t next; /* in its hash chain */
	uint64_t site, entry;
};

struct frame {
	uint64_t sp;
	uint32_t node;
};

struct stack {
	struct stack *next;
	uint64_t id;
	int depth;
	struct frame frames[DEPTH];
};

enum { ROOT, USER };

static struct block *blocks[HASH_SIZE];
static struct count *counts[HASH_SIZE];
static uint32_t node_heads[HASH_SIZE];
static struct node *nodes;
static uint32_t nr_nodes, max_nodes;
static struct stack *stacks[1024];

static FILE *out;
static bool on;
static int sections;
static enum after last = AFTER_OTHER;
static uint64_t last_addr;
static struct stack *stack;
static uint32_t node = ROOT;
static struct qemu_plugin_register *rsp_handle;
static struct bytes *rsp_bytes;

static void *get(size_t size)
{
	void *p = calloc(1, size);

	if (!p) {
		fprintf(stderr, "count: no memory\n");
		exit(1);
	}
	return p;
}

static uint32_t hash(uint64_t a, uint64_t b)
{
	return (a * 0x9e3779b97f4a7c15ull ^ b * 0xc2b2ae3d27d4eb4full) >> (64 - HASH_BITS);
}

/* CRC-32 as zlib has it, so that the reader can use its library's. */
static uint32_t crc32_of(uint32_t crc, const uint8_t *p, size_t n)
{
	crc = ~crc;
	while (n--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static uint64_t stack_pointer(void)
{
	uint64_t sp;

	g_byte_array_set_size(rsp_bytes, 0);
	qemu_plugin_read_register(rsp_handle, rsp_bytes);
	if (rsp_bytes->len != sizeof(sp)) {
		fprintf(stderr, "count: this QEMU gives %u bytes of the register rsp, not %zu\n",
			rsp_bytes->len, sizeof(sp));
		exit(1);
	}
	memcpy(&sp, rsp_bytes->data, sizeof(sp));
	return sp;
}

static struct stack *stack_at(uint64_t sp)
{
	uint64_t id = sp >> STACK_SHIFT;
	struct stack **head = &stacks[id % 1024], *s;

	for (s = *head; s; s = s->next)
		if (s->id == id)
			return s;
	s = get(sizeof(*s));
	s->id = id;
	s->next = *head;
	*head = s;
	return s;
}

/* The reader needs no order, so a new node is simply the next one. */
static uint32_t node_of(uint32_t parent, uint64_t site, uint64_t entry)
{
	uint32_t *head = &node_heads[hash(entry, (uint64_t)parent << 32 ^ site)], n;

	for (n = *head; n; n = nodes[n].next)
		if (nodes[n].entry == entry && nodes[n].site == site && nodes[n].parent == parent)
			return n;
	if (nr_nodes == max_nodes) {
		max_nodes = max_nodes ? max_nodes * 2 : 4096;
		nodes = realloc(nodes, max_nodes * sizeof(*nodes));
		if (!nodes)
			exit(1);
	}
	n = nr_nodes++;
	nodes[n] = (struct node){ .parent = parent, .site = site, .entry = entry, .next = *head };
	*head = n;
	return n;
}

static void drop_frames(uint64_t sp)
{
	while (stack->depth && stack->frames[stack->depth - 1].sp <= sp)
		stack->depth--;
}

static uint32_t top_node(void)
{
	return stack->depth ? stack->frames[stack->depth - 1].node : ROOT;
}

/*
 * The block at @site has called a function, which begins at @addr. The return address is at the
 * stack pointer.
 */
static void enter(uint64_t site, uint64_t addr)
{
	uint64_t sp = stack_pointer();

	stack = stack_at(sp);
	drop_frames(sp);
	if (stack->depth < DEPTH) {
		node = node_of(top_node(), site, addr);
		stack->frames[stack->depth++] = (struct frame){ .sp = sp, .node = node };
	}
	node = top_node();
}

/* A function has returned: its return address was below the stack pointer. */
static void leave(void)
{
	uint64_t sp = stack_pointer();

	stack = stack_at(sp);
	drop_frames(sp - 1);
	node = top_node();
}

static void count(uint32_t at, struct block *b)
{
	struct count **head = &counts[hash((uintptr_t)b, at)], *c;

	for (c = *head; c; c = c->next)
		if (c->block == b && c->node == at)
			break;
	if (!c) {
		c = get(sizeof(*c));
		c->block = b;
		c->node = at;
		c->next = *head;
		*head = c;
	}
	c->n++;
}

static void executed(unsigned int cpu, void *data)
{
	struct block *b = data;

	(void)cpu;
	if (!on)
		return;
	if (b->addr < KERNEL) {
		last = AFTER_RETURN; /* The next code of the kernel may be on any stack. */
		count(USER, b);
		return;
	}
	if (last == AFTER_CALL)
		enter(last_addr, b->addr);
	else if (last == AFTER_RETURN)
		leave();
	last = b->ends;
	last_addr = b->addr;
	count(node, b);
}

static void write_section(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < HASH_SIZE; i++)
		for (struct count *c = counts[i]; c; c = c->next)
			sum += c->n * c->block->insns;
	fprintf(out, "section %d %llu\n", ++sections, (unsigned long long)sum);
	for (uint32_t i = 0; i < nr_nodes; i++)
		fprintf(out, "node %u %u %llx %llx\n", i, nodes[i].parent,
			(unsigned long long)nodes[i].site, (unsigned long long)nodes[i].entry);
	for (size_t i = 0; i < HASH_SIZE; i++)
		for (struct count *c = counts[i]; c; c = c->next)
			if (c->n)
				fprintf(out, "block %u %llx %u %u %x %llu\n", c->node,
					(unsigned long long)c->block->addr, c->block->insns,
					c->block->bytes, c->block->crc, (unsigned long long)c->n);
	if (fflush(out) || ferror(out)) {
		perror("count: cannot write");
		exit(1);
	}
}

static void start(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	for (size_t i = 0; i < HASH_SIZE; i++)
		for (struct count *c = counts[i]; c; c = c->next)
			c->n = 0;
	last = AFTER_OTHER;
	on = true;
}

static void stop(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (on)
		write_section();
	on = false;
}

/* An operand of the group 0xff /2 or /3 is an indirect call. */
static enum after ends(const uint8_t *p, size_t len)
{
	size_t i = 0;

	while (i + 1 < len && ((p[i] & 0xf0) == 0x40 || p[i] == 0xf3 || p[i] == 0xf2 ||
			       p[i] == 0x2e || p[i] == 0x3e || p[i] == 0x66))
		i++;
	if (p[i] == 0xe8)
		return AFTER_CALL;
	if (p[i] == 0xff && i + 1 < len && ((p[i + 1] >> 3 & 7) == 2 || (p[i + 1] >> 3 & 7) == 3))
		return AFTER_CALL;
	/* ret, iret and sysret */
	if (p[i] == 0xc3 || p[i] == 0xc2 || p[i] == 0xcf ||
	    (p[i] == 0x0f && i + 1 < len && p[i + 1] == 0x07))
		return AFTER_RETURN;
	return AFTER_OTHER;
}

static struct block *block_of(struct qemu_plugin_tb *tb)
{
	struct block new = { .addr = qemu_plugin_tb_vaddr(tb),
			     .insns = qemu_plugin_tb_n_insns(tb) }, *b;
	struct block **head;
	uint8_t code[16];
	size_t len = 0;

	for (size_t i = 0; i < new.insns; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		len = qemu_plugin_insn_size(insn);
		if (len > sizeof(code))
			len = sizeof(code);
		qemu_plugin_insn_data(insn, code, len);
		new.crc = crc32_of(new.crc, code, len);
		new.bytes += len;
	}
	new.ends = ends(code, len);
	head = &blocks[hash(new.addr, new.crc)];
	for (b = *head; b; b = b->next)
		if (b->addr == new.addr && b->insns == new.insns && b->crc == new.crc)
			return b;
	b = get(sizeof(*b));
	*b = new;
	b->next = *head;
	*head = b;
	return b;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	uint64_t addr = qemu_plugin_tb_vaddr(tb);

	(void)id;
	if (addr == MARK_START)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, start, REGS_NONE, NULL);
	else if (addr == MARK_STOP)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, stop, REGS_NONE, NULL);
	else
		qemu_plugin_register_vcpu_tb_exec_cb(tb, executed,
						     addr < KERNEL ? REGS_NONE : REGS_READ,
						     block_of(tb));
}

static void cpu_comes(qemu_plugin_id_t id, unsigned int cpu)
{
	struct bytes *all = qemu_plugin_get_registers();
	struct qemu_plugin_reg_descriptor *regs = (void *)all->data;

	(void)id;
	(void)cpu;
	for (unsigned int i = 0; i < all->len; i++)
		if (!strcmp(regs[i].name, "rsp"))
			rsp_handle = regs[i].handle;
	if (!rsp_handle) {
		fprintf(stderr, "count: this QEMU shows no register rsp\n");
		exit(1);
	}
	rsp_bytes = g_byte_array_new();
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
	if (!out) {
		fprintf(stderr, "count: out= must name a file that can be written\n");
		return 1;
	}
	node_of(ROOT, 0, 0);
	node_of(ROOT, 0, 1);
	stack = stack_at(0);
	qemu_plugin_register_vcpu_init_cb(id, cpu_comes);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
