// SPDX-License-Identifier: GPL-2.0
/*
 * Find the links of this kernel. The links table has the functions by which layers complete the
 * bios that they make, and how to get from such a bio to the bio that it was made for. To support
 * a target takes one row.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/btf.h>
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/links.h"
#include "blklat/collect/symbols.h"
#include "core/log.h"

#define LONG_BITS (8 * sizeof(long))

/* This is the row of bio_chain_endio(), whose address links_find() also stores by itself. */
#define LINK_CHAIN 0

struct member {
	const char *type;
	const char *name;
};

/**
 * struct link - a row of the links table
 * @end_io: the bi_end_io function
 * @module: module that has the function, NULL for the kernel itself
 * @types: module whose BTF has the types, NULL if that is @module
 * @below: the member that is the bio, in the structure that the bio lies in; none if bi_private
 *	is followed
 * @derefs: the pointers to follow; none if bi_private leads to the bio above itself
 * @low_bits: mask of the bits of bi_private that do not belong to the pointer
 * @outer: a member (dm_io.tio) that in most cases is the structure that the bio lies in. The
 *	structure that has this member (dm_io) also has the last pointer. See blklat_link.outer.
 *
 * Rows with the same function are alternatives: the first row whose types this kernel has is
 * used.
 */
static const struct link {
	const char *end_io;
	const char *module;
	const char *types;
	struct member below;
	struct member derefs[BLKLAT_LINK_DEREFS];
	uint16_t low_bits;
	struct member outer;
} links_table[] = {
	[LINK_CHAIN] = { "bio_chain_endio", NULL, NULL, {}, {} },
	{ "clone_endio", "dm_mod", NULL, { "dm_target_io", "clone" },
	  { { "dm_target_io", "io" }, { "dm_io", "orig_bio" } }, 0, { "dm_io", "tio" } },
	/* These targets take over the completion of the clone that dm made. */
	{ "overwrite_endio", "dm_thin_pool", "dm_mod", { "dm_target_io", "clone" },
	  { { "dm_target_io", "io" }, { "dm_io", "orig_bio" } }, 0, { "dm_io", "tio" } },
	{ "overwrite_endio", "dm_cache", "dm_mod", { "dm_target_io", "clone" },
	  { { "dm_target_io", "io" }, { "dm_io", "orig_bio" } }, 0, { "dm_io", "tio" } },
	{ "overwrite_endio", "dm_clone", "dm_mod", { "dm_target_io", "clone" },
	  { { "dm_target_io", "io" }, { "dm_io", "orig_bio" } }, 0, { "dm_io", "tio" } },
	{ "full_bio_end_io", "dm_snapshot", "dm_mod", { "dm_target_io", "clone" },
	  { { "dm_target_io", "io" }, { "dm_io", "orig_bio" } }, 0, { "dm_io", "tio" } },
	{ "integrity_end_io", "dm_integrity", "dm_mod", { "dm_target_io", "clone" },
	  { { "dm_target_io", "io" }, { "dm_io", "orig_bio" } }, 0, { "dm_io", "tio" } },
	{ "verity_end_io", "dm_verity", "dm_mod", { "dm_target_io", "clone" },
	  { { "dm_target_io", "io" }, { "dm_io", "orig_bio" } }, 0, { "dm_io", "tio" } },
	/*
	 * dm-io does I/O for the bio of a target (dm-mirror); other I/O of dm-io has no bio
	 * above.
	 */
	{ "endio", "dm_mod", NULL, {}, { { "io", "context" } }, LONG_BITS - 1 },
	{ "passdown_endio", "dm_thin_pool", NULL, {}, { { "dm_thin_new_mapping", "bio" } } },
	/* dm with requests: the clone of a request has a clone of each bio. */
	{ "end_clone_bio", "dm_mod", NULL, { "dm_rq_clone_bio_info", "clone" },
	  { { "dm_rq_clone_bio_info", "orig" } } },
	{ "crypt_endio", "dm_crypt", NULL, {}, { { "dm_crypt_io", "base_bio" } } },
	{ "md_end_clone_io", "md_mod", NULL, { "md_io_clone", "bio_clone" },
	  { { "md_io_clone", "orig_bio" } } },
	{ "md_end_io_acct", "md_mod", NULL, { "md_io_acct", "bio_clone" },
	  { { "md_io_acct", "orig_bio" } } },
	/* If several flush bios came at once, this leads to the one that md is serving. */
	{ "md_end_flush", "md_mod", NULL, {},
	  { { "md_rdev", "mddev" }, { "mddev", "flush_bio" } } },
	{ "md_end_flush", "md_mod", NULL, {}, {} },
	{ "raid1_end_read_request", "raid1", NULL, {}, { { "r1bio", "master_bio" } } },
	{ "raid1_end_write_request", "raid1", NULL, {}, { { "r1bio", "master_bio" } } },
	{ "raid10_end_read_request", "raid10", NULL, {}, { { "r10bio", "master_bio" } } },
	{ "raid10_end_write_request", "raid10", NULL, {}, { { "r10bio", "master_bio" } } },
	{ "raid10_end_discard_request", "raid10", NULL, {}, { { "r10bio", "master_bio" } } },
	/*
	 * Only reads of whole chunks have a link; raid5 shares all other I/O in its stripe cache.
	 */
	{ "raid5_align_endio", "raid456", NULL, {}, { { "md_io_acct", "orig_bio" } } },
	{ "raid5_align_endio", "raid456", NULL, {}, {} },
};

#define NR_LINKS (sizeof(links_table) / sizeof(links_table[0]))

static int offset_in(const struct btf *btf, const struct btf_type *t, const char *name)
{
	const struct btf_member *member = btf_members(t);

	for (int i = 0; i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, member[i].name_off), name))
			return btf_member_bit_offset(t, i) / 8;
	return -1;
}

/*
 * Return the byte offset of a member, or -1. Different types can have the same name, because
 * names are local to a source file. The types of the module come last, so search from the end.
 */
static int offset_of(const struct btf *btf, const struct member *m)
{
	int off = -1;

	for (__u32 id = btf__type_cnt(btf) - 1; id > 0 && off < 0; id--) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (btf_is_struct(t) && !strcmp(btf__name_by_offset(btf, t->name_off), m->type))
			off = offset_in(btf, t, m->name);
	}
	return off;
}

/*
 * Set l->outer if one read can get both pointers. The read needs them BLKLAT_LINK_NEAR words apart,
 * as they are in all kernels until now.
 */
static void resolve_outer(const struct btf *btf, const struct link *row, struct blklat_link *l)
{
	int tio = row->outer.type ? offset_of(btf, &row->outer) : -1;

	l->outer = 0;
	if (tio >= 0 && tio + l->offset[0] - l->offset[1] == BLKLAT_LINK_NEAR * (int)sizeof(__u64))
		l->outer = tio + l->below;
}

static int resolve(const struct btf *btf, const struct link *row, struct blklat_link *l)
{
	int off;

	l->from = row->below.type ? LINK_FROM_BIO : LINK_FROM_PRIVATE;
	l->below = row->low_bits;
	l->nr_derefs = 0;
	if (row->below.type) {
		off = offset_of(btf, &row->below);
		if (off < 0)
			return -ENOENT;
		l->below = off;
	}
	for (int i = 0; i < BLKLAT_LINK_DEREFS && row->derefs[i].type; i++) {
		off = offset_of(btf, &row->derefs[i]);
		if (off < 0)
			return -ENOENT;
		l->offset[l->nr_derefs++] = off;
	}
	resolve_outer(btf, row, l);
	return 0;
}

/* Put a link where the programs look for it. Return false if all these entries are taken. */
static bool insert(struct blklat_link *links, const struct blklat_link *l)
{
	for (unsigned int i = 0; i < BLKLAT_LINK_TRIES; i++) {
		struct blklat_link *at = &links[(blklat_link_slot(l->end_io) + i) % BLKLAT_LINKS];

		if (!at->end_io) {
			*at = *l;
			return true;
		}
	}
	return false;
}

/* These are the purposes of bios that a layer makes for itself, or for many I/Os at once. */
static const struct {
	const char *end_io;
	const char *module;
	const char *what;
} own_table[] = {
	{ "endio", "dm_mod", "copies, metadata and logs of dm" },
	{ "bio_complete", "dm_bufio", "metadata of dm" },
	{ "writecache_writeback_endio", "dm_writecache", "writeback" },
	{ "super_written", "md_mod", "superblock" },
	{ "end_bitmap_write", "md_mod", "bitmap" },
	{ "end_sync_read", NULL, "resync" },
	{ "end_sync_write", NULL, "resync" },
	{ "end_reshape_read", "raid10", "reshape" },
	{ "end_reshape_write", "raid10", "reshape" },
	{ "raid5_end_read_request", "raid456", "stripe cache" },
	{ "raid5_end_write_request", "raid456", "stripe cache" },
	{ "r5l_log_endio", "raid456", "journal" },
	{ "r5l_log_flush_endio", "raid456", "journal" },
	{ "ppl_log_endio", "raid456", "partial parity log" },
};

static void name_end(struct own_end *e, const struct symbol_name *s)
{
	if (*s->name) {
		snprintf(e->name, sizeof(e->name), "%s", s->name);
		snprintf(e->module, sizeof(e->module), "%s", s->module);
	} else {
		snprintf(e->name, sizeof(e->name), "0x%llx", (unsigned long long)e->addr);
	}
	for (size_t k = 0; k < sizeof(own_table) / sizeof(*own_table); k++)
		if (!strcmp(e->name, own_table[k].end_io) &&
		    (!own_table[k].module || !strcmp(e->module, own_table[k].module)))
			snprintf(e->what, sizeof(e->what), "%s", own_table[k].what);
}

void links_name_ends(struct own_end *v, size_t n)
{
	struct symbol_name *names = calloc(n ?: 1, sizeof(*names));

	if (!names)
		return;
	for (size_t i = 0; i < n; i++)
		names[i].addr = v[i].addr;
	symbols_name(names, n);
	for (size_t i = 0; i < n; i++)
		name_end(&v[i], &names[i]);
	free(names);
}

static struct btf *module_btf(const char *module, struct btf *kernel)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", module);
	return access(path, R_OK) ? NULL : btf__load_module_btf(module, kernel);
}

static bool known(const struct blklat_link *links, __u64 end_io)
{
	for (unsigned int i = 0; i < BLKLAT_LINKS; i++)
		if (links[i].end_io == end_io)
			return true;
	return false;
}

/*
 * Return the value of an enum constant, -1 if there is none. CO-RE cannot look up a constant of
 * an enum without a name.
 */
static int enum_constant(const struct btf *btf, const char *name)
{
	for (__u32 id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		for (int i = 0; btf_is_enum(t) && i < btf_vlen(t); i++)
			if (!strcmp(btf__name_by_offset(btf, btf_enum(t)[i].name_off), name))
				return btf_enum(t)[i].val;
	}
	return -1;
}

/* Return the mask of a BIO_* flag in bi_flags, 0 if this kernel has no such flag. */
static __u32 bio_flag(const struct btf *kernel, const char *name)
{
	int bit = enum_constant(kernel, name);

	return bit < 0 ? 0 : 1U << bit;
}

static int find_links(const __u64 *addr, struct blklat_link *links, struct btf *kernel)
{
	const char *loaded = NULL, *types;
	struct btf *btf = NULL;
	int n = 0;

	for (size_t i = 0; i < NR_LINKS; i++) {
		const struct link *row = &links_table[i];
		struct blklat_link l = { .end_io = addr[i] };

		if (!addr[i] || known(links, addr[i]))
			continue;
		types = row->types ?: row->module;
		if (types && (!loaded || strcmp(loaded, types))) {
			btf__free(btf);
			btf = module_btf(types, kernel);
			loaded = types;
		}
		if (resolve(types && btf ? btf : kernel, row, &l)) {
			verbose("%s: its bios are not followed, because its structures are not "
				"as expected", row->end_io);
			continue;
		}
		if (insert(links, &l))
			n++;
		else
			verbose("%s: its bios are not followed: the table has no room for its "
				"address", row->end_io);
	}
	btf__free(btf);
	return n;
}

/* These functions end bios of direct I/O. A kiocb can be found from such a bio. */
static const char *const enders[NR_ENDERS] = {
	[ENDER_BLKDEV] = "blkdev_bio_end_io",
	[ENDER_BLKDEV_ASYNC] = "blkdev_bio_end_io_async",
	[ENDER_IOMAP] = "iomap_dio_bio_end_io",
	[ENDER_DIO] = "dio_bio_end_aio",
};

/* libaio and io_uring put these functions into ki_complete. */
static const char *const tellers[NR_TELLERS] = {
	[TELLER_AIO] = "aio_complete_rw",
	[TELLER_URING] = "io_complete_rw",
	[TELLER_URING_POLLED] = "io_complete_rw_iopoll",
};

/* links_find() looks up all functions at once. These are the places of each kind. */
enum {
	AT_ENDERS = NR_LINKS,
	AT_TELLERS = AT_ENDERS + NR_ENDERS,
	AT_FLUSH_END = AT_TELLERS + NR_TELLERS,
	NR_SYMBOLS
};

int links_find(struct blklat_config *cfg)
{
	struct symbol symbols[NR_SYMBOLS];
	__u64 addr[NR_LINKS];
	struct btf *kernel;
	size_t first;
	int ret = 0;

	for (size_t i = 0; i < NR_LINKS; i++)
		symbols[i] = (struct symbol){ links_table[i].end_io, links_table[i].module };
	for (size_t i = 0; i < NR_ENDERS; i++)
		symbols[AT_ENDERS + i] = (struct symbol){ enders[i] };
	for (size_t i = 0; i < NR_TELLERS; i++)
		symbols[AT_TELLERS + i] = (struct symbol){ tellers[i] };
	symbols[AT_FLUSH_END] = (struct symbol){ "mq_flush_data_end_io" };
	/* Without layers no links are needed. */
	first = cfg->stack ? 0 : NR_LINKS;
	ret = symbols_find(symbols + first, NR_SYMBOLS - first);
	if (ret)
		return ret;
	for (size_t i = 0; i < NR_ENDERS; i++)
		cfg->enders[i] = symbols[AT_ENDERS + i].addr;
	/* A kernel without libaio or without io_uring has only the functions of the other one. */
	for (size_t i = 0; i < NR_TELLERS; i++) {
		cfg->tellers[i] = symbols[AT_TELLERS + i].addr;
		cfg->tellers_known |= cfg->tellers[i] != 0;
	}
	cfg->flush_end_io = symbols[AT_FLUSH_END].addr;
	if (!cfg->stack)
		return 0;
	kernel = kernel_btf(&ret);
	if (!kernel)
		return ret;
	cfg->queued_flag = bio_flag(kernel, "BIO_TRACE_COMPLETION");
	for (size_t i = 0; i < NR_LINKS; i++)
		addr[i] = symbols[i].addr;
	cfg->chain_end_io = addr[LINK_CHAIN];
	cfg->cloned_flag = cfg->chain_end_io ? bio_flag(kernel, "BIO_CLONED") : 0;
	return find_links(addr, cfg->links, kernel);
}
