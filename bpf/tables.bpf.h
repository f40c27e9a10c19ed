/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State shared by all programs: I/Os and requests under way, the ledger, and
 * how entries are found and taken.
 *
 * Everything lives in plain arrays. Requests, and the ways from a bio or kiocb
 * to its I/O, are found by hashing an address and looking at WAYS neighbours,
 * of which the first is nearly always enough, tasks in the same way by their
 * pids; I/Os take the next free slot when that at their bio's place is not, since
 * many of them can have ended and wait for one fsync to return while their bios
 * are used again. A lookup in an array is
 * inlined by the verifier, an entry is taken with one compare-and-swap, and no
 * lock is ever held: the programs run in hard interrupts that may interrupt one
 * another.
 */
#ifndef BLKLAT_TABLES_BPF_H
#define BLKLAT_TABLES_BPF_H

#include "compat.bpf.h"
#include "blklat.h"

#define WAYS 8
#define ADDR_MASK (BLKLAT_ADDRS - 1)
#define BATCHES 4096

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
	DEF(cpus, BPF_MAP_TYPE_ARRAY, struct blklat_cpu, 1, BPF_F_MMAPABLE)

/* The definitions are in tables.bpf.c, every other object declares them. */
#ifdef BLKLAT_DEFINE_TABLES
#define STORAGE
#else
#define STORAGE extern
#endif

#define DECLARE_TABLE(name, map_type, value_type, entries, flags) \
	STORAGE TABLE(name, map_type, value_type, entries, flags)

TABLES(DECLARE_TABLE);

/* Set before the programs are loaded; volatile only where clang would see that they are 0. */
#ifdef BLKLAT_DEFINE_TABLES
#define SET_BY_USER const volatile
#else
#define SET_BY_USER const
#endif
extern SET_BY_USER struct blklat_config cfg;
extern struct blklat_state state;
/* Variables: their address is known when a program is loaded, and need not be looked up. */
extern struct blklat_io slots[BLKLAT_MAX_SLOTS];
extern __u32 ended[BLKLAT_MAX_SLOTS];
extern struct blklat_rq rqs[1U << BLKLAT_RQS_LOG2];
extern struct batch batches[BATCHES];
extern struct blklat_ledger ledgers[BLKLAT_MAX_DEVS];
extern struct blklat_edge edges[BLKLAT_MAX_DEVS * BLKLAT_MAX_DEVS];
extern struct blklat_end ends[BLKLAT_MAX_DEVS * BLKLAT_ENDS];
extern struct addr_entry bios[BLKLAT_ADDRS];
extern struct addr_entry kiocbs[BLKLAT_ADDRS];
extern struct task_io tasks[BLKLAT_TASKS];

/* events.bpf.c: note who the task of an I/O is, before it ends */
int blklat_note_task(__u32 idx);
/* end.bpf.c: a bio or a piece of one ended */
int blklat_end(__u32 idx, __u64 now);
/* end.bpf.c: an I/O whose end was missed */
int blklat_lose(__u32 idx);
/* end.bpf.c: free the slot of a piece of a split bio */
int blklat_free(__u32 idx);
/* join.bpf.c: index of the traced device that has this disk and partition, or -1 */
int blklat_dev_search(__u32 disk, __u32 part);
/*
 * addr.bpf.c: what is not in its first place. By a pointer: functions take no
 * address of the kernel's. The index of the entry or the slot, or -1.
 */
int bios_far(__u64 *key);
int bios_far_drop(__u64 *key);
int kiocbs_far(__u64 *key);
int kiocbs_far_take(__u64 *key);
int kiocbs_far_drop(__u64 *key);
int slot_take_next(__u64 *bio);
int io_take_far(__u64 *bio);
int task_far(__u32 key, bool create);

/*
 * The verifier allows no arithmetic on a typed kernel pointer, but a 32 bit
 * move makes a number of its lower half; that is enough to spread entries, as
 * the whole address is compared afterwards.
 */
static __always_inline __u32 hash_ptr(__u64 ptr, __u32 shift)
{
	__u32 lower;

	asm("%0 = %1" : "=w"(lower) : "w"((__u32)ptr));
	/* The upper bits of the product are the mixed ones. */
	return (lower * 0x9E3779B1U) >> shift;
}

/*
 * Code that seldom runs is in a function of its own. In the program it would take registers, which
 * each run of the program would save.
 */
#define APART __attribute__((noinline))

/* Let clang hold a value that it would else work out anew where it is used. */
#define KEEP(p) asm volatile("" : "+r"(p))
/* The same of one that is not NULL, which clang forgets by that. */
#define KEEP_ADDRESS(p) do { KEEP(p); __builtin_assume(p); } while (0)

/* The I/O in this slot, never NULL. @idx: known to be that of a slot. */
static __always_inline struct blklat_io *io_at(__u32 idx)
{
	struct blklat_io *io = &slots[idx & cfg.last_slot];

	KEEP_ADDRESS(io);
	return io;
}

/* The first place for this address in a table of addresses. */
static __always_inline __u32 addr_home(__u64 key)
{
	return hash_ptr(key, 32 - BLKLAT_ADDRS_LOG2);
}

/*
 * Nearly every address lies in its first place, which is all that is looked at
 * here. Where it was taken the address lies in one of the next ones, and the
 * first place counts it. A function that is called takes a copy, as an address that is
 * pointed at would be on the stack all the time.
 */
#define DEFINE_ADDR_TABLE(map) \
	/* The entry of this address, or NULL. */ \
	static __always_inline struct addr_entry *map##_find(__u64 key) \
	{ \
		struct addr_entry *e = &map[addr_home(key)]; \
		__u64 copy; \
		int idx; \
\
		KEEP_ADDRESS(e); \
		if (e->key == key) \
			return e; \
		if (!e->away) \
			return NULL; \
		copy = key; \
		idx = map##_far(&copy); \
		return idx < 0 ? NULL : &map[idx & ADDR_MASK]; \
	} \
	/* The address leads nowhere any more. */ \
	static __always_inline void map##_drop(__u64 key) \
	{ \
		struct addr_entry *e = &map[addr_home(key)]; \
		__u64 copy; \
\
		if (e->key == key) { \
			e->key = 0; \
		} else if (e->away) { \
			copy = key; \
			map##_far_drop(&copy); \
		} \
	}

DEFINE_ADDR_TABLE(bios)
DEFINE_ADDR_TABLE(kiocbs)

/* The I/O of this bio, whose slot is then *@idx, or NULL. */
static __always_inline struct blklat_io *io_of(__u64 bio, __u32 *idx)
{
	struct addr_entry *e = bios_find(bio);

	/*
	 * Where it is not known clang spills half of whatever is in its register, which may be a
	 * pointer.
	 */
	*idx = 0;
	if (!e)
		return NULL;
	*idx = e->slot;
	return io_at(*idx);
}

/*
 * A free slot for @bio, or NULL. In turn, so that one is used again late: a program that
 * was preempted may still have the I/O before in its hands.
 */
static __always_inline struct blklat_io *slot_take(__u64 bio, __u32 *index)
{
	struct blklat_io *io;
	__u64 copy, old;
	int idx;

	*index = __sync_fetch_and_add(&state.next_slot, 1) & state.window;
	io = io_at(*index);
	old = __sync_val_compare_and_swap(&io->key, 0, bio);
	KEEP(old);
	if (!old)
		return io;
	copy = bio;
	idx = slot_take_next(&copy);
	*index = idx;
	return idx < 0 ? NULL : io_at(idx);
}

/*
 * Let an entry that was taken for this address lead to a slot. Nobody looks for the bio meanwhile,
 * which is in the hands of this task. @index: the slot's; returns the slot or NULL.
 */
static __always_inline struct blklat_io *addr_lead(struct addr_entry *e, __u64 bio, __u32 *index)
{
	struct blklat_io *io = slot_take(bio, index);

	if (!io) {
		e->key = 0;
		return NULL;
	}
	e->slot = *index;
	return io;
}

/* Take a slot for @bio, which has none, or return NULL. */
static __always_inline struct blklat_io *io_take(__u64 bio, __u32 *index)
{
	struct addr_entry *e;
	__u64 copy, old;
	int idx;

	*index = addr_home(bio);
	e = &bios[*index];
	KEEP_ADDRESS(e);
	/* Another CPU, or a task that preempted us, may take the room first. */
	old = __sync_val_compare_and_swap(&e->key, 0, bio);
	KEEP(old);
	if (!old)
		return addr_lead(e, bio, index);
	copy = bio;
	idx = io_take_far(&copy);
	*index = idx;
	return idx < 0 ? NULL : io_at(idx);
}

/* The bio may be used again: it leads to this I/O no longer. */
static __always_inline void io_forget_bio(struct blklat_io *io)
{
	__u64 key = io->key;

	/* 0 in a slot that is free, which sweep may have found a moment before. */
	if (key <= IO_KEY_ENDED)
		return;
	io->key = IO_KEY_ENDED;
	bios_drop(key);
}

static __always_inline __u32 task_home(__u32 key)
{
	return key & (BLKLAT_TASKS - 1);
}

/* The entry of the current task, or NULL; one for all that have no pid (idle) is of no use. */
static __always_inline struct task_io *this_task(bool create)
{
	__u32 key = (__u32)bpf_get_current_pid_tgid() + 1;
	struct task_io *task = &tasks[task_home(key)];
	int idx;

	KEEP_ADDRESS(task);
	if (task->key == key)
		return task;
	if (key == 1 || (!create && !task->away))
		return NULL;
	idx = task_far(key, create);
	return idx < 0 ? NULL : &tasks[idx & (BLKLAT_TASKS - 1)];
}

static __always_inline struct blklat_ledger *ledger_of(__u32 dev)
{
	struct blklat_ledger *l = &ledgers[dev & (BLKLAT_MAX_DEVS - 1)];

	KEEP_ADDRESS(l);
	return l;
}

static __always_inline void count_add(__u32 dev, enum blklat_counter c, __u64 n)
{
	__sync_fetch_and_add(&ledger_of(dev)->n[c], n);
}

static __always_inline void count(__u32 dev, enum blklat_counter c)
{
	count_add(dev, c, 1);
}

/*
 * Leave an I/O to user space, which makes samples of its marks and frees its slot. Its bio is
 * forgotten, and io_is_over() or io_is_over_now() returned true to the caller. There is room for all
 * slots.
 */
static __always_inline void io_hand_over(__u32 idx, struct blklat_io *io)
{
	__u32 at;

	io->over = 1;
	if (cfg.events && (io->m[MARK_W] ?: io->m[MARK_Z]) - begin_of(io) >= cfg.slower_ns)
		blklat_note_task(idx);
	count_add(io->dev, COUNT_INFLIGHT, -1);
	at = __sync_fetch_and_add(&state.ended, 1) & (BLKLAT_MAX_SLOTS - 1);
	store_release(&ended[at], idx + 1);
}

/*
 * An I/O is over by two things, IO_DONE_Z and IO_DONE_W. Set @flags, with one of the two; @other is the
 * other one. Return true if it was set before: to one program only.
 */
static __always_inline bool io_is_over(struct blklat_io *io, __u32 flags, __u32 other)
{
	return (__sync_fetch_and_or(&io->flags, flags) & (IO_DONE_Z | IO_DONE_W)) == other;
}

/* Set @flags, with both of the two. Return true if one was missing: to one program only. */
static __always_inline bool io_is_over_now(struct blklat_io *io, __u32 flags)
{
	__u32 both = IO_DONE_Z | IO_DONE_W;

	return (__sync_fetch_and_or(&io->flags, flags | both) & both) != both;
}

static __always_inline struct blklat_edge *edge_of(struct blklat_io *above, struct blklat_io *below)
{
	__u64 row = EDGE(above->dev & (BLKLAT_MAX_DEVS - 1), 0);

	/* Else clang would or the two, and 6.1's verifier knows no bounds of that. */
	KEEP(row);
	return &edges[row + (below->dev & (BLKLAT_MAX_DEVS - 1))];
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

/*
 * An I/O that nobody saw begin. With a filter it may be somebody else's, while
 * draining it may be new.
 */
static __always_inline void count_missed_start(__u32 dev)
{
	/* When slots ran out it may have been counted. */
	if (state.phase != PHASE_TRACE || state.full || cfg.filter)
		return;
	count(dev, COUNT_STARTED);
	count(dev, COUNT_LOST_QUEUE);
	count_add(dev, COUNT_INFLIGHT, -1);
}

static __always_inline struct blklat_cpu *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&cpus, &cpu);
}

static __always_inline __u32 kdev(struct gendisk *disk)
{
	return (__u32)disk->major << 20 | disk->first_minor;
}

static __always_inline const volatile struct blklat_dev_cfg *dev_cfg(__u32 dev)
{
	dev &= BLKLAT_MAX_DEVS - 1;
	return cfg.joins ? &state.devs[dev] : &cfg.devs[dev];
}

/* Whether this disk and partition are what is traced as @d. */
static __always_inline bool dev_is(const volatile struct blklat_dev_cfg *d, __u32 disk, __u32 part)
{
	return d->disk == disk && (!d->part || !part || d->part == part) &&
	       !(d->flags & DEV_GONE);
}

/*
 * Index of the traced device that has this disk and partition, or -1. @part 0:
 * not known (a flush request, or iostats are off), any will do.
 */
static __always_inline int dev_of(__u32 disk, __u32 part)
{
	int at;

	if (cfg.max_devs == 1)
		return dev_is(&cfg.devs[0], disk, part) ? 0 : -1;
	at = state.disk_at[blklat_dev_place(disk)];
	if (!at)
		return -1;
	at = (at - 1) & (BLKLAT_MAX_DEVS - 1);
	if (dev_is(dev_cfg(at), disk, part))
		return at;
	at = blklat_dev_search(disk, part);
	/* Beside its definition clang knows its range, which the verifier does not. */
	asm volatile("" : "+r"(at));
	return at;
}

/*
 * Whether this I/O cannot be what came to a request of @dev: its device has none, and hands
 * no bio on as a layer does. Then the bio is used again, and both its end and its new
 * start were missed.
 */
static __always_inline bool is_stray(struct blklat_io *io, __u32 dev)
{
	return io->dev != dev && dev_cfg(io->dev)->bio_based && !dev_cfg(io->dev)->layer;
}

/* Without layers, every device is named by the user, and its I/O comes from outside. */
static __always_inline bool is_top(__u32 dev)
{
	return !cfg.stack || dev_cfg(dev)->top;
}

/* I/O of others is made of this one's, which is followed as bios. */
static __always_inline bool makes_bios(__u32 dev)
{
	return cfg.stack && dev_cfg(dev)->layer && !dev_cfg(dev)->requests;
}

/* Index of the device whose own number this is, or -1; nearly always it is. A hidden one has 0. */
static __always_inline int dev_numbered(__u32 number)
{
	__u32 dev = state.dev_at[blklat_dev_place(number)];

	return number && dev_cfg(dev)->number == number ? (int)(dev & (BLKLAT_MAX_DEVS - 1)) : -1;
}

/*
 * Some ten instructions per read of the kernel's memory: where it is one whole disk,
 * what can decide is looked at first.
 */
static __always_inline int dev_of_bdev(struct block_device *bdev)
{
	__u32 disk = cfg.devs[0].disk;
	struct gendisk *gd;
	__u32 number;
	int dev;

	if (cfg.max_devs > 1 || cfg.devs[0].part) {
		number = bdev->bd_dev;
		dev = dev_numbered(number);
		return dev >= 0 ? dev : dev_of(kdev(bdev->bd_disk), number);
	}
	number = bdev->bd_dev;
	if (number == disk)
		return 0;
	if (number >> 20 != BLOCK_EXT_MAJOR && number - disk >= cfg.minors)
		return -1;
	/* A partition of it. */
	gd = bdev->bd_disk;
	return gd->first_minor == (disk & 0xfffff) && gd->major == disk >> 20 ? 0 : -1;
}

/* Requests of admin queues have no disk. @part: the request's */
static __always_inline int dev_of_rq_part(struct request *rq, struct block_device *part)
{
	struct gendisk *gd;

	if (part)
		return dev_of_bdev(part);
	gd = rq->q->disk;
	return gd ? dev_of(kdev(gd), 0) : -1;
}

static __always_inline int dev_of_rq(struct request *rq)
{
	return dev_of_rq_part(rq, rq->part);
}

static __always_inline bool is_passthrough(__u32 opf)
{
	__u32 op = opf & REQ_OP_MASK;

	/* Most are reads or writes, whose numbers are fixed. */
	return op > 1 && (op == REQ_OP(DRV_IN) || op == REQ_OP(DRV_OUT));
}

/* The kind of I/O of a bio, as the reports keep them apart. */
static __always_inline enum blklat_op op_of(__u32 opf)
{
	__u32 op = opf & REQ_OP_MASK;

	if (opf & REQ_PREFLUSH)
		return BLKLAT_OP_FLUSH;
	/* Most: these numbers are fixed. */
	if (op <= 1)
		return op;
	if (op == REQ_OP(FLUSH))
		return BLKLAT_OP_FLUSH;
	if (op == REQ_OP(DISCARD) || op == REQ_OP(SECURE_ERASE))
		return BLKLAT_OP_DISCARD;
	return op & 1 ? BLKLAT_OP_WRITE : BLKLAT_OP_READ;
}

#endif /* BLKLAT_TABLES_BPF_H */
