/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Define the state that all programs share (I/Os and requests under way, the ledger), and how to
 * find and take its entries.
 *
 * Everything lies in plain arrays. To find the entry of a request, a bio or a kiocb, the programs
 * hash its address and look at WAYS entries from there on; the first is nearly always enough.
 * Tasks are found in the same way by their pids. The slots of I/Os are used in turn and found
 * through the bio's entry: many I/Os can have ended and wait for one fsync to return while their
 * bios are already used again. An entry is taken with one compare-and-swap, and no lock is ever
 * held: the programs run in hard interrupts, and may interrupt one another.
 */
#ifndef BLKLAT_TABLES_BPF_H
#define BLKLAT_TABLES_BPF_H

#include "op.bpf.h"

#define WAYS 8
#define ADDR_MASK (BLKLAT_ADDRS - 1)
#define BATCHES 4096

/*
 * User space sets the configuration before it loads the programs. It is volatile only in the
 * object that defines it: there clang sees the initial 0 and would take that for its value.
 */
#ifdef BLKLAT_DEFINE_TABLES
#define SET_BY_USER const volatile
#else
#define SET_BY_USER const
#endif
extern SET_BY_USER struct blklat_config cfg;
extern struct blklat_state state;
/*
 * These are variables and not maps: their address is known when a program is loaded, so nothing
 * has to be looked up.
 */
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
extern struct blklat_cpu cpus[BLKLAT_MAX_CPUS];

/* end.bpf.c: end a bio, or a piece of a split bio */
int blklat_end(__u32 idx, __u64 now);
/* end.bpf.c: give up an I/O whose end was missed */
int blklat_lose(__u32 idx);
/* end.bpf.c: free the slot of a piece of a split bio */
int blklat_free(__u32 idx);
/* join.bpf.c: return the index of the traced device that has this disk and partition, or -1 */
int blklat_dev_search(__u32 disk, __u32 part);
/*
 * addr.bpf.c: find, take or drop an entry that does not lie in its first place. They return the
 * index of the entry or the slot, or -1. The address is passed by a pointer, because the verifier
 * does not accept a kernel pointer as a number in the arguments of a global function.
 */
int bios_far(__u64 *key);
int bios_far_drop(__u64 *key);
int kiocbs_far(__u64 *key);
int kiocbs_far_take(__u64 *key);
int kiocbs_far_drop(__u64 *key);
int rqs_far(__u64 *key);
int rqs_take(__u64 *key, __u64 now);
int slot_take_next(__u64 *bio);
int io_take_far(__u64 *bio);
int task_far(__u32 key, bool create);

/*
 * Return a hash of an address, of 32 - @shift bits. The verifier allows no arithmetic on a typed
 * kernel pointer, but a 32-bit move makes a number of its lower half. That half is enough to
 * spread entries; whoever finds an entry compares the whole address.
 */
static __always_inline __u32 hash_ptr(__u64 ptr, __u32 shift)
{
	__u32 lower;

	asm("%0 = %1" : "=w"(lower) : "w"((__u32)ptr));
	/* The upper bits of the product are the mixed ones. */
	return (lower * 0x9E3779B1U) >> shift;
}

/*
 * APART puts code that seldom runs into a function of its own. Inlined, it would need registers,
 * and each run of the program would have to save these.
 */
#define APART __attribute__((noinline))

/*
 * A loop over the places where an entry may lie. It must not be unrolled: the verifier of some
 * kernels spends time on each instruction of a program, even on those that cannot be reached.
 */
#define FOR_WAYS(i, first) _Pragma("clang loop unroll(disable)") \
	for (int i = first; i < WAYS; i++)

/*
 * Have clang keep a value in a register; otherwise it may compute the value again at each use. It
 * also makes clang forget what it knows of the value.
 */
#define KEEP(p) asm volatile("" : "+r"(p))
/* The same for an address that is not NULL: tell clang so, because KEEP() makes clang forget it. */
#define KEEP_ADDRESS(p) do { KEEP(p); __builtin_assume(p); } while (0)

/* Return the I/O in slot @idx, never NULL. The mask keeps any @idx within the slots. */
static __always_inline struct blklat_io *io_at(__u32 idx)
{
	struct blklat_io *io = &slots[idx & cfg.last_slot];

	KEEP_ADDRESS(io);
	return io;
}

#define RQ_MASK ((1U << BLKLAT_RQS_LOG2) - 1)

static __always_inline struct blklat_rq *rq_at(__u32 idx)
{
	struct blklat_rq *e = &rqs[idx & RQ_MASK];

	KEEP(e);
	return e;
}

/* Return the first place for the request at this address in rqs. */
static __always_inline __u32 rq_home(__u64 key)
{
	return hash_ptr(key, 32 - BLKLAT_RQS_LOG2);
}

/* Return the first place for this address in a table of addresses. */
static __always_inline __u32 addr_home(__u64 key)
{
	return hash_ptr(key, 32 - BLKLAT_ADDRS_LOG2);
}

/*
 * Nearly every address lies in its first place, so only this is looked at inline. If the first
 * place was taken, the address lies in one of the entries behind. @away of the first place counts
 * such addresses. The functions for these entries get a pointer to a copy: a pointer to the address
 * itself would make clang keep the address on the stack all the time.
 */
#define DEFINE_ADDR_TABLE(map) \
	/* Return the entry of this address, or NULL. */ \
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
	/* Free the entry of this address, if it has one. */ \
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

/* Return the I/O of this bio and set *@idx to its slot, or return NULL. */
static __always_inline struct blklat_io *io_of(__u64 bio, __u32 *idx)
{
	struct addr_entry *e = bios_find(bio);

	/*
	 * Set a value in any case: otherwise clang may spill the lower half of whatever the
	 * register contains. That may be a pointer, and then the verifier refuses the program.
	 */
	*idx = 0;
	if (!e)
		return NULL;
	*idx = e->slot;
	return io_at(*idx);
}

/*
 * Take a free slot for @bio and set *@index to it, or return NULL. Slots are used in turn, so
 * that it takes long until a slot is used again: a program that was preempted may still work on
 * the I/O that had the slot before.
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
 * Take a slot for @bio, set *@index to it, and let entry @e lead to it. The entry was taken for
 * the address of the bio. Until it leads to the slot, no other task can look for the bio. Return
 * the I/O; or free the entry and return NULL if there is no slot.
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

/*
 * Take an entry and a slot for @bio, which has none, and set *@index to the slot. Return the I/O,
 * or NULL if there is no room.
 */
static __always_inline struct blklat_io *io_take(__u64 bio, __u32 *index)
{
	struct addr_entry *e;
	__u64 copy, old;
	int idx;

	*index = addr_home(bio);
	e = &bios[*index];
	KEEP_ADDRESS(e);
	/* A program on another CPU, or one that preempts this one, may take the entry first. */
	old = __sync_val_compare_and_swap(&e->key, 0, bio);
	KEEP(old);
	if (!old)
		return addr_lead(e, bio, index);
	copy = bio;
	idx = io_take_far(&copy);
	*index = idx;
	return idx < 0 ? NULL : io_at(idx);
}

/* Make the bio no longer lead to this I/O, because the bio may be used again. */
static __always_inline void io_forget_bio(struct blklat_io *io)
{
	__u64 key = io->key;

	/* If sweep found the slot in use, but it was freed since, the key is 0. */
	if (key <= IO_KEY_ENDED)
		return;
	io->key = IO_KEY_ENDED;
	bios_drop(key);
}

static __always_inline __u32 task_home(__u32 key)
{
	return key & (BLKLAT_TASKS - 1);
}

/*
 * Return the entry of the current task, or NULL; with @create, take one if the task has none.
 * Idle tasks get none: all of them have pid 0 and would share it.
 */
static __always_inline struct task_io *this_task(bool create)
{
	__u32 key = bpf_get_current_task_btf()->pid + 1;
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
 * Hand an I/O over to user space, which makes samples of its marks and frees its slot. Before this,
 * the bio must have been made to lead to the I/O no longer (io_forget_bio()). Only the program that
 * completed the pair of IO_DONE_Z and IO_DONE_W may hand the I/O over: see io_is_over(). ended[]
 * has a place for each slot, so it is never full.
 */
static __always_inline void io_hand_over(__u32 idx, struct blklat_io *io)
{
	__u32 at;

	io->over = IO_OVER | (__u32)ledger_of(io->dev)->n[COUNT_STARTED];
	at = __sync_fetch_and_add(&state.ended, 1) & (BLKLAT_MAX_SLOTS - 1);
	store_release(&ended[at], idx + 1);
}

/*
 * An I/O is over when it has IO_DONE_Z and IO_DONE_W. Set @flags, which has one of these two flags;
 * @other is the other flag. Return true if @other was set before: only one program gets true.
 */
static __always_inline bool io_is_over(struct blklat_io *io, __u32 flags, __u32 other)
{
	return (__sync_fetch_and_or(&io->flags, flags) & (IO_DONE_Z | IO_DONE_W)) == other;
}

/*
 * Set @flags, IO_DONE_Z and IO_DONE_W. Return true if one of these two was not set before: only one
 * program gets true.
 */
static __always_inline bool io_is_over_now(struct blklat_io *io, __u32 flags)
{
	__u32 both = IO_DONE_Z | IO_DONE_W;

	return (__sync_fetch_and_or(&io->flags, flags | both) & both) != both;
}

static __always_inline struct blklat_edge *edge_of(struct blklat_io *above, struct blklat_io *below)
{
	__u64 row = EDGE(above->dev & (BLKLAT_MAX_DEVS - 1), 0);

	/*
	 * Without KEEP(), clang would combine the two with an OR instead of an addition, and the
	 * verifier of 6.1 knows no bounds of the result.
	 */
	KEEP(row);
	return &edges[row + (below->dev & (BLKLAT_MAX_DEVS - 1))];
}

/*
 * Count an I/O that was refused with BLK_STS_AGAIN: its bio has REQ_NOWAIT, but would have had to
 * wait. io_uring submits it again from a worker. A piece of a split bio does not count, because its
 * end is not the end of the whole.
 */
static __always_inline void count_retried(__u32 idx, __u8 status)
{
	struct blklat_io *io = status == BLK_STS_AGAIN ? io_at(idx) : NULL;

	if (io && !(io->flags & IO_SELF_ENDED) && !io_is_piece(io))
		count(io->dev, COUNT_RETRIED);
}

/*
 * Count an I/O as started and lost, because no program saw its start. It is not counted with a
 * filter, because it may not pass the filter, nor while draining, because it may be new.
 */
static __always_inline void count_missed_start(__u32 dev)
{
	/* If slots ran out, the I/O may have been counted at its start, in count_full(). */
	if (state.phase != PHASE_TRACE || state.full || cfg.filter)
		return;
	count(dev, COUNT_STARTED);
	count(dev, COUNT_LOST_QUEUE);
}

static __always_inline struct blklat_cpu *cpu_at(__u32 number)
{
	struct blklat_cpu *cpu = &cpus[number & (BLKLAT_MAX_CPUS - 1)];

	KEEP_ADDRESS(cpu);
	return cpu;
}

static __always_inline struct blklat_cpu *this_cpu(void)
{
	return cpu_at(bpf_get_smp_processor_id());
}

static __always_inline __u32 kdev(struct gendisk *disk)
{
	return (__u32)disk->major << 20 | disk->first_minor;
}

static __always_inline const volatile struct blklat_dev_cfg *dev_cfg(__u32 dev)
{
	const volatile struct blklat_dev_cfg *d;

	dev &= BLKLAT_MAX_DEVS - 1;
	/*
	 * Without KEEP_ADDRESS(), clang would compute both addresses and choose one. The verifier
	 * can remove a branch that is never taken, but not such a choice.
	 */
	if (cfg.joins) {
		d = &state.devs[dev];
		KEEP_ADDRESS(d);
	} else {
		d = &cfg.devs[dev];
		KEEP_ADDRESS(d);
	}
	return d;
}

/*
 * A bio may have waited this long before it got its request: for its layer to return, for a tag
 * or for a CPU.
 */
#define QUEUED_BEFORE_NS 250000000ULL

/*
 * Count an I/O whose start no program saw; it was first seen at @seen_ns. If that was before the
 * trace, or not long after the trace began (QUEUED_BEFORE_NS), the I/O counts as begun before the
 * trace, else as missed. With a filter it is not counted, because it may not pass the filter. While
 * draining, and after slots ran out, it is counted only if it was seen before the trace: otherwise
 * it may be new, or be counted already.
 */
static __always_inline void count_unseen_start(__u32 dev, __u64 seen_ns)
{
	__u64 since = dev_cfg(dev)->since_ns ?: state.armed_ns;

	if (cfg.filter)
		return;
	if (seen_ns < since || (seen_ns - since < QUEUED_BEFORE_NS &&
				state.phase == PHASE_TRACE && !state.full))
		count(dev, COUNT_BEFORE);
	else
		count_missed_start(dev);
}

/* Return true if @d traces this disk and partition. @part is 0 if it is not known. */
static __always_inline bool dev_is(const volatile struct blklat_dev_cfg *d, __u32 disk, __u32 part)
{
	return d->disk == disk && (!d->part || !part || d->part == part) &&
	       !(d->flags & DEV_GONE);
}

/*
 * Return the index of the traced device that has this disk and partition, or -1. @part is 0 if it
 * is not known (a flush request, or iostats are off); then any partition of the disk matches.
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
	/*
	 * In the object that defines blklat_dev_search(), clang knows the range of its result and
	 * would leave out checks that the verifier needs: to it the result can be any number.
	 */
	asm volatile("" : "+r"(at));
	return at;
}

/*
 * Return true if this I/O cannot be the one in a request of @dev, because its own device has no
 * requests and is no layer that could have handed the bio on. Then the bio is in use again: the
 * end of this I/O and the start of the new one were both missed.
 */
static __always_inline bool is_stray(struct blklat_io *io, __u32 dev)
{
	const volatile struct blklat_dev_cfg *d = dev_cfg(io->dev);

	return io->dev != dev && d->bio_based && !d->layer;
}

/*
 * Return true if the I/O of a device comes from outside the stack. Without layers that is true
 * for each device, because the user named them all.
 */
static __always_inline bool is_top(__u32 dev)
{
	return !cfg.stack || dev_cfg(dev)->top;
}

/* Return true if the device is a layer whose I/O is followed as bios, and not as requests. */
static __always_inline bool makes_bios(__u32 dev)
{
	const volatile struct blklat_dev_cfg *d = dev_cfg(dev);

	return cfg.stack && d->layer && !d->requests;
}

/*
 * Return the index of the traced device that has this number itself, or -1. Nearly always there
 * is one. The block device of a hidden disk has the number 0, which finds none.
 */
static __always_inline int dev_numbered(__u32 number)
{
	__u32 dev = state.dev_at[blklat_dev_place(number)];

	return number && dev_cfg(dev)->number == number ? (int)(dev & (BLKLAT_MAX_DEVS - 1)) : -1;
}

/*
 * Return the index of the traced device that has this block device, or -1. Each read of the
 * kernel's memory takes some ten instructions. So if only one whole disk is traced, look first at
 * the number of the block device, which mostly decides.
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
	/* It may be a partition of the disk. */
	gd = bdev->bd_disk;
	return gd->first_minor == (disk & 0xfffff) && gd->major == disk >> 20 ? 0 : -1;
}

/*
 * Return the index of the traced device of a request, or -1; @part is rq->part. Requests of admin
 * queues have no disk.
 */
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

#endif /* BLKLAT_TABLES_BPF_H */
