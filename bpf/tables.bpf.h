/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State shared by all programs: I/Os and requests under way, histograms,
 * the ledger, and how entries are found and taken.
 *
 * Everything lives in plain arrays. Requests, and the ways from a bio or kiocb
 * to its I/O, are found by hashing an address and looking at WAYS neighbours;
 * I/Os take the next free slot, since many of them can have ended and wait for
 * one fsync to return while their bios are used again. A lookup in an array is
 * inlined by the verifier, an entry is taken with one compare-and-swap, and no
 * lock is ever held: the programs run in hard interrupts that may interrupt one
 * another.
 */
#ifndef BLKLAT_TABLES_BPF_H
#define BLKLAT_TABLES_BPF_H

#include "compat.bpf.h"
#include "blklat.h"

#define WAYS 8
/* Slots looked at for a free one, and how far apart. */
#define SLOT_TRIES 16
#define SLOT_STEP 61
#define BATCHES 4096

/* An address and the slot it leads to. */
struct addr_entry {
	__u64 key;
	__u32 slot;
	__u32 reserved;
};

/* Requests whose doorbell is rung once for all of them. */
struct batch {
	__u64 seq;
	__u64 b;
};

/**
 * struct task_io - what a submitting task is doing
 * @enter_ns: entry of the I/O syscall it is in, 0 outside
 * @exit_ns: return of its last I/O syscall
 * @think_ns: time outside I/O syscalls not yet charged to an I/O
 * @batch: batch of requests it is handing to a driver, 0 for none
 * @head: slot + 1 of the first I/O submitted in this syscall
 * @in_syscall: it is in an I/O syscall (a ring's kernel thread never is)
 */
struct task_io {
	__u64 enter_ns;
	__u64 exit_ns;
	__u64 think_ns;
	__u64 batch;
	__u32 head;
	__u32 in_syscall;
};

#define TABLE(name, map_type, value_type, entries, flags) \
	struct { \
		__uint(type, map_type); \
		__uint(max_entries, entries); \
		__uint(map_flags, flags); \
		__type(key, __u32); \
		__type(value, value_type); \
	} name SEC(".maps")

/* max_entries of 1 are set by user space before loading. */
#define TABLES(DEF) \
	DEF(slots, BPF_MAP_TYPE_ARRAY, struct blklat_io, 1, BPF_F_MMAPABLE); \
	DEF(rqs, BPF_MAP_TYPE_ARRAY, struct blklat_rq, 1, 0); \
	DEF(bios, BPF_MAP_TYPE_ARRAY, struct addr_entry, 1, 0); \
	DEF(kiocbs, BPF_MAP_TYPE_ARRAY, struct addr_entry, 1, 0); \
	DEF(batches, BPF_MAP_TYPE_ARRAY, struct batch, BATCHES, 0); \
	DEF(hists, BPF_MAP_TYPE_ARRAY, struct blklat_hist, 1, BPF_F_MMAPABLE); \
	DEF(tails, BPF_MAP_TYPE_ARRAY, struct blklat_tail, 1, BPF_F_MMAPABLE); \
	DEF(ledgers, BPF_MAP_TYPE_ARRAY, struct blklat_ledger, BLKLAT_MAX_DEVS, BPF_F_MMAPABLE); \
	DEF(edges, BPF_MAP_TYPE_ARRAY, struct blklat_edge, BLKLAT_MAX_DEVS * BLKLAT_MAX_DEVS, \
	    BPF_F_MMAPABLE); \
	DEF(ends, BPF_MAP_TYPE_ARRAY, struct blklat_end, BLKLAT_MAX_DEVS * BLKLAT_ENDS, \
	    BPF_F_MMAPABLE); \
	DEF(cpus, BPF_MAP_TYPE_PERCPU_ARRAY, struct blklat_cpu, 1, 0)

/* The definitions are in tables.bpf.c, every other object declares them. */
#ifdef BLKLAT_DEFINE_TABLES
#define STORAGE
#else
#define STORAGE extern
#endif

#define DECLARE_TABLE(name, map_type, value_type, entries, flags) \
	STORAGE TABLE(name, map_type, value_type, entries, flags)

TABLES(DECLARE_TABLE);

STORAGE struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_io);
} tasks SEC(".maps");

extern const volatile struct blklat_config cfg;
extern struct blklat_state state;

/* account.bpf.c: charge one ended I/O and free its slot */
int blklat_account(__u32 idx);
/* end.bpf.c: a bio or a piece of one ended */
int blklat_end(__u32 idx, __u64 now);
/* end.bpf.c: an I/O whose end was missed */
int blklat_lose(__u32 idx);
/* join.bpf.c: index of the device that joined the stack meanwhile, or -1 */
int blklat_joined(__u32 disk, __u32 part);
/* stack.bpf.c: give a slot back, or leave it to the I/O above */
int blklat_release(__u32 idx);

/*
 * The verifier allows no arithmetic on a typed kernel pointer, but a 32 bit
 * move makes a number of its lower half; that is enough to spread entries, as
 * the whole address is compared afterwards.
 */
static __always_inline __u32 hash_ptr(__u64 ptr, __u32 shift)
{
	__u32 lower;

	asm volatile("%0 = %1" : "=w"(lower) : "w"((__u32)ptr));
	/* The upper bits of the product are the mixed ones. */
	return (lower * 0x9E3779B1U) >> shift;
}

static __always_inline struct blklat_io *io_at(__u32 idx)
{
	return bpf_map_lookup_elem(&slots, &idx);
}

/* The entry of this address, or where there is room for it if @take, or NULL. */
#define DEFINE_ADDR_FIND(map) \
	static __always_inline struct addr_entry *map##_find(__u64 key, bool take) \
	{ \
		__u32 h = hash_ptr(key, cfg.slot_shift); \
		struct addr_entry *free = NULL; \
\
		_Pragma("unroll") \
		for (int i = 0; i < WAYS; i++) { \
			__u32 idx = (h + i) & cfg.slot_mask; \
			struct addr_entry *e = bpf_map_lookup_elem(&map, &idx); \
\
			if (e && e->key == key) \
				return e; \
			if (take && e && !free && !e->key) \
				free = e; \
		} \
		return free; \
	}

DEFINE_ADDR_FIND(bios)
DEFINE_ADDR_FIND(kiocbs)

/* Slot of the I/O of this bio, or -1. */
static __always_inline int io_find(__u64 bio)
{
	struct addr_entry *e = bios_find(bio, false);

	return e ? (int)e->slot : -1;
}

/* Nobody looks between taking the room for an address and the address itself. */
#define ADDR_TAKEN 2ULL

/* Take a slot for @bio, which has none, or return -1. The slot holds old data. */
static __always_inline int io_take(__u64 bio)
{
	struct addr_entry *e = bios_find(bio, true);
	__u32 next;

	/* Another CPU, or a task that preempted us, may take the room first. */
	if (e && __sync_val_compare_and_swap(&e->key, 0, ADDR_TAKEN)) {
		e = bios_find(bio, true);
		if (e && __sync_val_compare_and_swap(&e->key, 0, ADDR_TAKEN))
			return -1;
	}
	if (!e)
		return -1;
	next = __sync_fetch_and_add(&state.next_slot, 1);
	for (int i = 0; i < SLOT_TRIES; i++) {
		__u32 idx = (next + i * SLOT_STEP) & cfg.slot_mask;
		struct blklat_io *io = io_at(idx);

		if (io && !io->key && !__sync_val_compare_and_swap(&io->key, 0, bio)) {
			e->slot = idx;
			__sync_lock_test_and_set(&e->key, bio);
			return idx;
		}
	}
	e->key = 0;
	return -1;
}

/* The bio may be used again: it leads to this I/O no longer. */
static __always_inline void io_forget_bio(struct blklat_io *io)
{
	struct addr_entry *e;

	if (io->key == IO_KEY_ENDED)
		return;
	e = bios_find(io->key, false);
	io->key = IO_KEY_ENDED;
	if (e)
		e->key = 0;
}

/* Free a slot whose bio is forgotten. */
static __always_inline void io_put(struct blklat_io *io)
{
	io->flags = 0;
	__sync_lock_test_and_set(&io->key, 0);
}

/* Everything of this I/O must have been read. */
static __always_inline void io_free(struct blklat_io *io)
{
	io_forget_bio(io);
	io_put(io);
}

static __always_inline struct blklat_rq *rq_at(__u32 idx)
{
	return bpf_map_lookup_elem(&rqs, &idx);
}

static __always_inline int rq_find(__u64 key)
{
	__u32 h = hash_ptr(key, cfg.rq_shift);

#pragma unroll
	for (int i = 0; i < WAYS; i++) {
		__u32 idx = (h + i) & cfg.rq_mask;
		struct blklat_rq *rq = rq_at(idx);

		if (rq && rq->key == key)
			return idx;
	}
	return -1;
}

/*
 * Take an entry for a request that has none. A finished request's entry is
 * taken over only a second after its end: its bios may still be on their way
 * from block_rq_complete to bio_endio.
 */
static __always_inline int rq_take(__u64 key, __u64 now)
{
	__u32 h = hash_ptr(key, cfg.rq_shift);

#pragma unroll
	for (int i = 0; i < WAYS; i++) {
		__u32 idx = (h + i) & cfg.rq_mask;
		struct blklat_rq *rq = rq_at(idx);
		__u64 old;

		if (!rq)
			continue;
		old = rq->key;
		if (old && !(rq->done && now - rq->c > 1000000000ULL))
			continue;
		if (__sync_val_compare_and_swap(&rq->key, old, key) == old)
			return idx;
	}
	return -1;
}

static __always_inline struct blklat_ledger *ledger_of(__u32 dev)
{
	return bpf_map_lookup_elem(&ledgers, &dev);
}

static __always_inline void count_add(__u32 dev, enum blklat_counter c, __u64 n)
{
	struct blklat_ledger *l = ledger_of(dev);

	if (l)
		__sync_fetch_and_add(&l->n[c], n);
}

static __always_inline void count(__u32 dev, enum blklat_counter c)
{
	count_add(dev, c, 1);
}

static __always_inline struct blklat_edge *edge_of(struct blklat_io *above, struct blklat_io *below)
{
	__u32 i = EDGE((__u32)above->dev, below->dev);

	return bpf_map_lookup_elem(&edges, &i);
}

/*
 * A bio that may not wait and would have to ends at once; io_uring comes again
 * from a worker. The end of a piece of a split bio is not the whole's.
 */
static __always_inline void count_retried(__u32 idx, __u8 status)
{
	struct blklat_io *io = status == BLK_STS_AGAIN ? io_at(idx) : NULL;

	if (io && !(io->flags & IO_SELF_ENDED) && (!io->parent || io->flags & IO_CHILD))
		count(io->dev, COUNT_RETRIED);
}

static __always_inline bool filtering(void)
{
	return cfg.tgid || cfg.has_comm || cfg.cgroup_level >= 0 ||
	       cfg.op_mask != (1U << NR_OPS) - 1;
}

/*
 * An I/O that nobody saw begin. With a filter it may be somebody else's, while
 * draining it may be new.
 */
static __always_inline void count_missed_start(__u32 dev)
{
	if (state.phase != PHASE_TRACE || filtering())
		return;
	count(dev, COUNT_STARTED);
	count(dev, COUNT_LOST_QUEUE);
}

static __always_inline struct blklat_cpu *this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

static __always_inline __u32 kdev(struct gendisk *disk)
{
	return (__u32)disk->major << 20 | disk->first_minor;
}

/*
 * Index of the traced device that has this disk and partition, or -1. @part 0:
 * not known (a flush request, or iostats are off), any will do.
 */
static __always_inline int dev_of(__u32 disk, __u32 part)
{
	bool spare = cfg.max_devs > cfg.nr_devs;
	int at;

#pragma unroll
	for (__u32 i = 0; i < BLKLAT_MAX_DEVS; i++) {
		if (i >= cfg.nr_devs)
			break;
		if (cfg.devs[i].disk != disk)
			continue;
		if (cfg.devs[i].part && part && cfg.devs[i].part != part)
			continue;
		if (!spare || !(state.devs[i].flags & DEV_GONE))
			return i;
	}
	if (!spare || !state.joined)
		return -1;
	at = blklat_joined(disk, part);
	/* Beside its definition clang knows its range, which the verifier does not. */
	asm volatile("" : "+r"(at));
	return at;
}

static __always_inline const volatile struct blklat_dev_cfg *dev_cfg(__u32 dev)
{
	dev &= BLKLAT_MAX_DEVS - 1;
	return cfg.max_devs > cfg.nr_devs ? &state.devs[dev] : &cfg.devs[dev];
}

static __always_inline int dev_of_bdev(struct block_device *bdev)
{
	return dev_of(kdev(bdev->bd_disk), bdev->bd_dev);
}

/* Requests of admin queues have no disk. */
static __always_inline int dev_of_rq(struct request *rq)
{
	struct gendisk *gd = rq->q->disk;
	struct block_device *part = rq->part;

	return gd ? dev_of(kdev(gd), part ? part->bd_dev : 0) : -1;
}

static __always_inline bool is_passthrough(__u32 opf)
{
	__u32 op = opf & REQ_OP_MASK;

	return op == REQ_OP(DRV_IN) || op == REQ_OP(DRV_OUT);
}

/* The kind of I/O of a bio, as the reports keep them apart. */
static __always_inline enum blklat_op op_of(__u32 opf)
{
	__u32 op = opf & REQ_OP_MASK;

	if (op == REQ_OP(FLUSH) || (opf & REQ_PREFLUSH))
		return BLKLAT_OP_FLUSH;
	if (op == REQ_OP(DISCARD) || op == REQ_OP(SECURE_ERASE))
		return BLKLAT_OP_DISCARD;
	return op & 1 ? BLKLAT_OP_WRITE : BLKLAT_OP_READ;
}

#endif /* BLKLAT_TABLES_BPF_H */
