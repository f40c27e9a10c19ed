// SPDX-License-Identifier: GPL-2.0
/*
 * Make samples of the I/Os that ended. The programs hand over the slot of each I/O that is over;
 * the account charges its marks and frees the slot, in the order in which the I/Os ended. So a
 * child comes before its parent, unless the child ended later. A child is kept until its parent
 * is charged.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "blklat/collect/account.h"
#include "blklat/collect/io_record.h"
#include "blklat/collect/rows.h"
#include "blklat/collect/samples.h"
#include "blklat/collect/session.h"
#include "core/io_event.h"
#include "core/log.h"

/*
 * The thread sleeps for this many ms. If MANY I/Os or more end in SLEEP_MAX_MS, it sleeps less, to
 * keep slots free.
 */
#define SLEEP_MIN_MS 1
#define SLEEP_MAX_MS 16
#define MANY (BLKLAT_FIRST_SLOTS / 4)
/* So many I/Os are charged before the lock is released. */
#define AT_ONCE 256

/**
 * struct dev_account - the account of one device
 * @kinds: by operation, NULL before the first I/O of that kind
 * @tail: sums for the tail table, by group of totals
 * @ledger: the counters that the programs leave to user space, except those of struct samples
 * @ended: number of I/Os that were handed over and are counted here
 */
struct dev_account {
	struct samples *kinds[NR_OPS];
	struct blklat_tail *tail;
	struct blklat_ledger ledger;
	uint32_t ended;
};

struct account {
	struct account_opts o;
	struct dev_account *devs[BLKLAT_MAX_DEVS];	/* set for indexes below o.max_devs */
	struct io_below *below;		/* by slot */
	struct blklat_edge (*edges)[BLKLAT_MAX_DEVS];	/* by the device above and that below */
	struct samples *waiting;	/* list of those in which I/Os may wait */
	bool whole_slots;		/* true if the programs write to all members of a slot */
	bool extras;			/* true if charge_extras() has something to do */
	uint32_t next;			/* number of the next I/O in o.ended */
	uint64_t sampled;		/* I/Os so far; put_event() records one in o.sample */
	uint64_t cpu_ns;
	pthread_mutex_t lock;
	pthread_t thread;
	int stop_fd;
};

/* Make the samples of one kind of I/O of a device. */
static __attribute__((noinline))
struct samples *new_samples(struct account *a, const struct blklat_io *io)
{
	struct dev_account *d = a->devs[io->dev];
	struct samples *sm = calloc(1, sizeof(*sm));

	/* Without it, the I/Os would be missing in the result, and nobody would know. */
	if (!sm) {
		err(-ENOMEM, "out of memory for samples");
		abort();
	}
	sm->tail = d->tail;
	sm->ledger = &d->ledger;
	sm->check = a->o.check;
	d->kinds[io->op] = sm;
	return sm;
}

static inline struct samples *samples_of(struct account *a, const struct blklat_io *io)
{
	return a->devs[io->dev]->kinds[io->op] ?: new_samples(a, io);
}

static inline void count(struct account *a, const struct blklat_io *io, enum blklat_counter c,
			 uint64_t n)
{
	a->devs[io->dev]->ledger.n[c] += n;
}

static void charge_waiting(struct account *a)
{
	for (struct samples *sm = a->waiting; sm; sm = sm->next) {
		sm->listed = false;
		if (sm->n)
			samples_charge(sm);
	}
	a->waiting = NULL;
}

/* Make samples of btt's gaps. */
static void charge_spans(struct account *a, const struct blklat_io *io)
{
	uint64_t q = io->queue_ns ?: io->m[MARK_Q], g = io->m[MARK_G], c = io->m[MARK_C];
	struct hist **rows = samples_of(a, io)->rows;

	if (!a->o.spans || !c)
		return;
	if (q)
		rows_add(rows, ROW_OF_SPAN(SPAN_Q2C), c - q);
	if (q && g)
		rows_add(rows, ROW_OF_SPAN(SPAN_Q2G), g - q);
	if (g && io->insert_ns >= g)
		rows_add(rows, ROW_OF_SPAN(SPAN_G2I), io->insert_ns - g);
	if (io->issue_ns && io->insert_ns && io->issue_ns >= io->insert_ns)
		rows_add(rows, ROW_OF_SPAN(SPAN_I2D), io->issue_ns - io->insert_ns);
	if (io->issue_ns && c >= io->issue_ns)
		rows_add(rows, ROW_OF_SPAN(SPAN_D2C), c - io->issue_ns);
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Add the time that tracing took between two marks. It is known if one task set both marks on one
 * CPU, because that task did nothing else in between, unless it slept.
 */
static void charge_cost(struct account *a, const struct blklat_io *io, unsigned int row,
			const struct blklat_cost_note *from, const struct blklat_cost_note *to,
			uint64_t ns)
{
	uint64_t spent = to->spent - from->spent;

	/*
	 * If the task was preempted in a program that wrote a note, the later note may have the
	 * smaller @spent. Then the time is not known.
	 */
	if (from->where && from->where == to->where && to->spent >= from->spent)
		rows_add(samples_of(a, io)->rows, row, min(spent, ns));
}

/*
 * Charge the time that tracing took in a layer's submit and completion sides, for an I/O that the
 * I/Os below split into stages. A side's time is not known if the critical child begins with
 * another mark than Q, or ends with another mark than Z, because only these two marks have a note.
 */
static void charge_costs(struct account *a, uint32_t idx)
{
	const struct blklat_io *io = &a->o.slots[idx];
	const struct blklat_io *child = &a->o.slots[a->below[idx].critical - 1];

	if (begin_of(child) == child->m[MARK_Q])
		charge_cost(a, io, ROW_OF_SPAN(SPAN_SUBMIT_COST), &io->q_cost, &child->q_cost,
			    child->m[MARK_Q] - io->m[MARK_Q]);
	if (ended_at(child) == child->m[MARK_Z])
		charge_cost(a, io, ROW_OF_SPAN(SPAN_COMPLETE_COST), &child->z_cost, &io->z_cost,
			    io->m[MARK_Z] - child->m[MARK_Z]);
}

/*
 * Charge the time that tracing took in stages alloc and deliver, as far as the programs noted it.
 * If the task slept in the stage, the note also has the time that tracing took from other tasks.
 */
static void charge_noted_costs(struct account *a, const struct blklat_io *io)
{
	struct hist **rows = samples_of(a, io)->rows;

	if (io->q_cost.until && io->m[MARK_G] > io->m[MARK_Q])
		rows_add(rows, ROW_OF_SPAN(SPAN_ALLOC_COST),
		       min(io->q_cost.until, io->m[MARK_G] - io->m[MARK_Q]));
	if (io->z_cost.until && io->m[MARK_W] > io->m[MARK_Z])
		rows_add(rows, ROW_OF_SPAN(SPAN_DELIVER_COST),
		       min(io->z_cost.until, io->m[MARK_W] - io->m[MARK_Z]));
}

/* Return true if this I/O came to a top from outside the stack. */
static bool is_of_top(const struct account *a, const struct blklat_io *io)
{
	return a->o.state->devs[io->dev].top && !(io->flags & IO_CHILD);
}

/* Return true if a record of this I/O is wanted; o.sample may still leave it out. */
static bool is_recorded(const struct account *a, const struct blklat_io *io)
{
	return a->o.events && io_end(io) - begin_of(io) >= a->o.slower_ns && is_of_top(a, io);
}

/* Put a record of an I/O into the ring, for the thread that writes the records. */
static void put_event(struct account *a, uint32_t idx)
{
	struct event_ring *r = a->o.events;
	struct blklat_event raw, *to;
	uint64_t n = r->head;

	if (a->o.sample > 1 && a->sampled++ % a->o.sample)
		return;
	if (n - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) > r->mask) {
		count(a, &a->o.slots[idx], COUNT_EVENTS_LOST, 1);
		return;
	}
	to = (struct blklat_event *)(r->first + (n & r->mask) * r->size);
	/* Outside a stack, a place of the ring is shorter than struct blklat_event. */
	io_record(a->o.state, a->o.slots, a->below, idx, r->size < sizeof(raw) ? &raw : to);
	if (r->size < sizeof(raw))
		memcpy(&to->m, &raw.m, r->size - offsetof(struct blklat_event, m));
	r->head = n + 1;
	__atomic_store_n(&to->number, n + 1, __ATOMIC_RELEASE);
}

/* Charge an I/O that has no chain. Return true if I/Os below split it into stages. */
static bool charge_record(struct account *a, uint32_t idx, struct samples *sm)
{
	struct blklat_event e;
	struct io_event ev;

	io_record_times(a->o.state, a->o.slots, a->below, idx, &e);
	io_event_decode(&e, &ev);
	samples_charge_event(sm, &ev);
	return e.nr_hops;
}

/* Charge an I/O to the group that it belongs to. */
static void charge_group(struct account *a, uint32_t idx)
{
	const struct blklat_io *io = &a->o.slots[idx];
	struct hist **rows = by_rows(a->o.by, io);
	uint64_t ns[NR_ALL_ROWS];
	struct blklat_event raw;
	struct io_event ev;

	io_record(a->o.state, a->o.slots, a->below, idx, &raw);
	io_event_decode(&raw, &ev);
	rows_add_event(rows, &ev, ns);
	if (io->thinks)
		rows_add(rows, STAGE_THINK, io->think_ns);
}

/* Charge what only some options ask for. @split is true if I/Os below split the I/O into stages. */
static __attribute__((noinline)) void charge_extras(struct account *a, uint32_t idx, bool split)
{
	const struct blklat_io *io = &a->o.slots[idx];

	charge_spans(a, io);
	if (a->o.cost) {
		charge_noted_costs(a, io);
		if (split)
			charge_costs(a, idx);
	}
	if (is_recorded(a, io))
		put_event(a, idx);
	if (a->o.by && is_of_top(a, io))
		charge_group(a, idx);
}

/* Charge an I/O of a layer. Return true if I/Os below split it into stages. */
static inline bool charge_layer(struct account *a, uint32_t idx, struct samples *sm)
{
	struct io_chain c;

	if (!io_chain(a->o.state, a->o.slots, a->below, idx, &c))
		return charge_record(a, idx, sm);
	a->below[idx].chain = c.kind;
	samples_add(sm, &c);
	return true;
}

static inline __attribute__((always_inline))
void charge(struct account *a, struct blklat_io *slots, uint32_t idx, struct samples *sm)
{
	const struct blklat_io *io = &slots[idx];
	bool split = false;

	if (!sm->listed) {
		sm->listed = true;
		sm->next = a->waiting;
		a->waiting = sm;
	}
	if (io_is_layer(a->o.state, io))
		split = charge_layer(a, idx, sm);
	else
		samples_add_disk(sm, io_kind_of_disk(a->o.state, io), io->m);
	sm->polled += io->reap_ns && !io->irq_ns;
	if (io->thinks)
		rows_add(sm->rows, STAGE_THINK, io->think_ns);
	if (a->extras)
		charge_extras(a, idx, split);
}

/* Return true if an I/O cannot be charged, and count the reason in the ledger. */
static bool is_lost(struct account *a, const struct blklat_io *io)
{
	if (io->flags & IO_LOST)
		return true;
	if (io->m[MARK_Q] && io->m[MARK_Z])
		return false;
	if (!(io->m[MARK_W] | io->m[MARK_Z] | io->m[MARK_C])) {
		/* The I/O ended, but no program saw when. */
		count(a, io, COUNT_LOST_END, 1);
		return true;
	}
	if (!begin_of(io) || (io_is_layer(a->o.state, io) && !io->m[MARK_Q])) {
		/*
		 * block_bio_queue was missed. Mark E cannot make up for it: the submitter was
		 * preempted, so that E is missing as well, or the I/O is one of a layer.
		 */
		count(a, io, COUNT_LOST_QUEUE, 1);
		return true;
	}
	return false;
}

/*
 * Clear memory. Address and length are multiples of 8. This is faster than memset(), which gcc
 * turns into a loop over single words for this length.
 */
static inline __attribute__((always_inline)) void clear(void *at, size_t len)
{
	typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
	size_t i;

#pragma GCC unroll 32
	for (i = 0; i + sizeof(pair) <= len; i += sizeof(pair))
		*(pair *)((char *)at + i) = (pair){ 0 };
	if (i < len)
		*(uint64_t *)((char *)at + i) = 0;
}

/*
 * Clear the slot of an I/O and give it back to the programs, which expect a free slot to be
 * clear. They do the same for a piece of a split bio, in blklat_free().
 */
static inline void free_slot(const struct account *a, struct blklat_io *io)
{
	/* clear() must get constants, because gcc 12 makes a loop of it otherwise. */
	const size_t rare = offsetof(struct blklat_io, q_cost);
	const size_t usual = rare - offsetof(struct blklat_io, m);

	/*
	 * Another I/O, such as a late child, may still refer to this one. The new generation tells
	 * it that this I/O is gone.
	 */
	io->gen++;
	io->flags = 0;
	clear(io->m, usual);
	if (a->whole_slots)
		memset(&io->q_cost, 0, sizeof(*io) - rare);
	__atomic_store_n(&io->key, 0, __ATOMIC_RELEASE);
}

/* Free the slot of an I/O and those of the critical I/Os below it. */
static void free_chain(struct account *a, uint32_t idx)
{
	for (;;) {
		uint32_t next = a->below[idx].critical;

		/* Clear only entries that were written to: outside a stack they need no memory. */
		if (a->below[idx].kept || next || a->below[idx].orphan ||
		    a->below[idx].flush_end || a->below[idx].no_b)
			a->below[idx] = (struct io_below){ 0 };
		free_slot(a, &a->o.slots[idx]);
		if (!next)
			return;
		idx = next - 1;
	}
}

static void note_flush(struct io_below *b, const struct blklat_io *io, uint64_t end)
{
	uint64_t begin = begin_of(io);

	if (!b->flush_begin || begin < b->flush_begin)
		b->flush_begin = begin;
	if (end > b->flush_end)
		b->flush_end = end;
}

/* Choose the critical child of an I/O that ended: the child that ended last. Free the others. */
static void choose_critical(struct account *a, uint32_t idx)
{
	const struct blklat_io *io = &a->o.slots[idx], *child;
	struct io_below *b = &a->below[idx];
	uint64_t best_ns = 0, end;

	for (uint32_t next = io->child, c; next;) {
		c = next - 1;
		child = &a->o.slots[c];
		if (child->parent != idx + 1 || child->parent_gen != io->gen)
			break;
		/* Read this here, because free_chain() clears it. */
		next = child->sibling;
		/* A child that is still in flight is freed when it is charged. */
		if (!a->below[c].kept) {
			a->below[c].orphan = true;
			continue;
		}
		end = ended_at(child);
		if (end && child->op == BLKLAT_OP_FLUSH)
			note_flush(b, child, end);
		if (!end || end < best_ns) {
			free_chain(a, c);
			continue;
		}
		if (b->critical)
			free_chain(a, b->critical - 1);
		b->critical = c + 1;
		best_ns = end;
	}
	if (!b->critical)
		return;
	child = &a->o.slots[b->critical - 1];
	a->edges[io->dev][child->dev].critical[child->op]++;
}

/* Return true if the I/O that this one was made for is still to be charged. */
static bool has_parent(const struct account *a, uint32_t idx)
{
	const struct blklat_io *io = &a->o.slots[idx], *above;

	if (!(io->flags & IO_CHILD) || a->below[idx].orphan)
		return false;
	above = &a->o.slots[io->parent - 1];
	/* If the parent is kept, it is already charged and waits for its own parent. */
	return above->gen == io->parent_gen && !a->below[io->parent - 1].kept;
}

/*
 * Count an I/O that was made for the I/O of a layer above. The I/O above is counted as a parent
 * together with its first child, so that it counts only once. The first child has no older sibling.
 */
static void count_child(struct account *a, const struct blklat_io *io)
{
	struct blklat_flow *flow = &a->edges[io->above][io->dev].op[io->op];

	flow->ios++;
	flow->bytes += io->bytes;
	a->devs[io->above]->ledger.n[COUNT_PARENTS] += !io->sibling;
}

/* Count an I/O that began, and its bytes, for its kind of I/O. The programs do not count these. */
static inline void count_flow(struct samples *sm, const struct blklat_io *io)
{
	sm->ios++;
	sm->bytes += io->bytes;
}

/*
 * Count the request of an I/O if the slot of the I/O has the marks of the request, which the slot
 * of a discard does not have. A request that was issued and has not completed counts as issued.
 */
static inline void count_request(struct account *a, struct samples *sm, const struct blklat_io *io)
{
	if (io->in_rq != RQ_HERE)
		return;
	if (io->m[MARK_C])
		sm->requests++;
	else if (io->m[MARK_D])
		count(a, io, COUNT_RQ_ISSUED, 1);
}

/*
 * Update the largest number of I/Os of a device that were in flight at once. Look at the moment
 * when an I/O ended: @started I/Os had started by then. Those that were handed over before this I/O
 * had ended by then.
 */
static __attribute__((noinline))
void note_under_way(struct account *a, unsigned int dev, uint32_t started)
{
	const struct blklat_ledger *l = &a->o.ledgers[dev];
	struct dev_account *d = a->devs[dev];
	/* The I/Os that the programs counted as lost are in @started, but are never handed over. */
	uint32_t gone = d->ended + l->n[COUNT_LOST_FULL] + l->n[COUNT_LOST_QUEUE];
	uint32_t under_way = (started - gone) & ~IO_OVER;

	/* The counters are read one after the other, so the difference may be below 0. */
	if (under_way > d->ledger.n[COUNT_INFLIGHT_MAX] && under_way < IO_OVER / 2)
		d->ledger.n[COUNT_INFLIGHT_MAX] = under_way;
}

/* Count an I/O of a stack as a child, and choose its critical child. */
static void tie(struct account *a, uint32_t idx)
{
	const struct blklat_io *io = &a->o.slots[idx];

	if (io->flags & IO_CHILD) {
		count_child(a, io);
		/*
		 * The program that sets B may be held up between reading the clock and writing the
		 * mark. If this child is charged without B, the I/O above must be charged without
		 * it, too, even if the mark is written meanwhile.
		 */
		if (!io->m[MARK_B])
			a->below[idx].no_b = true;
	}
	if (io->child)
		choose_critical(a, idx);
}

/* Keep a charged I/O of a stack for the I/O above, or free it and those below. */
static void keep_or_free(struct account *a, uint32_t idx)
{
	if (has_parent(a, idx))
		a->below[idx].kept = true;
	else
		free_chain(a, idx);
}

/* @slots is a->o.slots, a parameter because the compiler would read it again after each write. */
static inline __attribute__((always_inline))
void finish(struct account *a, struct blklat_io *slots, uint32_t idx)
{
	struct blklat_io *io = &slots[idx];
	struct dev_account *d = a->devs[io->dev];
	struct samples *sm = samples_of(a, io);
	uint32_t in_stack = io->child | (io->flags & IO_CHILD);

	/*
	 * This is an upper bound of the I/Os in flight that needs no counter of the programs.
	 * Compute the exact number only if the bound exceeds the maximum.
	 */
	if (((io->over - d->ended) & ~IO_OVER) > d->ledger.n[COUNT_INFLIGHT_MAX])
		note_under_way(a, io->dev, io->over);
	d->ended++;
	count_flow(sm, io);
	count_request(a, sm, io);
	io_choose_marks(io);
	if (in_stack)
		tie(a, idx);
	if (!is_lost(a, io))
		charge(a, slots, idx, sm);
	if (in_stack)
		keep_or_free(a, idx);
	else
		free_slot(a, io);
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static uint32_t charge_some(struct account *a)
{
	struct blklat_io *slots = a->o.slots;
	uint32_t next = a->next, n;

	for (; next - a->next < AT_ONCE; next++) {
		uint32_t *at = &a->o.ended[next % BLKLAT_MAX_SLOTS];
		uint32_t slot = __atomic_load_n(at, __ATOMIC_ACQUIRE);

		if (!slot)
			break;
		*at = 0;
		finish(a, slots, slot - 1);
	}
	charge_waiting(a);
	n = next - a->next;
	a->next = next;
	return n;
}

static uint32_t charge_ended(struct account *a)
{
	uint64_t begin = cpu_ns();
	uint32_t all = 0, n;

	do {
		/* Charge them in parts, so that a thread that waits for the lock gets it soon. */
		pthread_mutex_lock(&a->lock);
		n = charge_some(a);
		pthread_mutex_unlock(&a->lock);
		all += n;
	} while (n == AT_ONCE && all < BLKLAT_MAX_SLOTS);
	__atomic_fetch_add(&a->cpu_ns, cpu_ns() - begin, __ATOMIC_RELAXED);
	return all;
}

void account_now(struct account *a)
{
	charge_ended(a);
}

void account_hold(struct account *a)
{
	pthread_mutex_lock(&a->lock);
}

void account_release(struct account *a)
{
	pthread_mutex_unlock(&a->lock);
}

/* Return true if it is not yet time to charge the I/Os that have ended. */
static bool may_wait(const struct account *a)
{
	uint32_t ended = __atomic_load_n(&a->o.state->ended, __ATOMIC_RELAXED);

	return a->o.steady && ended - a->next < a->o.nr_slots / STEADY_PART;
}

static void *run(void *arg)
{
	struct account *a = arg;
	struct pollfd stop = { .fd = a->stop_fd, .events = POLLIN };
	int ms = SLEEP_MAX_MS;

	setpriority(PRIO_PROCESS, gettid(), SESSION_NICE);
	while (poll(&stop, 1, ms) <= 0) {
		if (may_wait(a)) {
			ms = SLEEP_MAX_MS;
			continue;
		}
		ms = charge_ended(a) >= MANY * ms / SLEEP_MAX_MS ? SLEEP_MIN_MS : SLEEP_MAX_MS;
	}
	return NULL;
}

int account_start(struct account *a)
{
	sigset_t all, old;
	int ret;

	a->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (a->stop_fd < 0)
		return err(-errno, "cannot make an eventfd: %s", strerror(errno));
	/* Only the main thread handles signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = -pthread_create(&a->thread, NULL, run, a);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret) {
		close(a->stop_fd);
		a->stop_fd = -1;
		return err(ret, "cannot start the thread that collects I/Os: %s", strerror(-ret));
	}
	return 0;
}

/* Count the I/Os that began and did not end. */
static void count_unfinished(struct account *a)
{
	for (uint32_t idx = 0; idx <= a->o.state->window; idx++) {
		const struct blklat_io *io = &a->o.slots[idx];

		/* Leave out pieces of split bios, whose slots have a parent but are no children. */
		if (!io->key || io->over || io_is_piece(io))
			continue;
		count_flow(samples_of(a, io), io);
		if (io->flags & IO_CHILD)
			count_child(a, io);
		count_request(a, samples_of(a, io), io);
	}
	for (unsigned int dev = 0; dev < a->o.max_devs; dev++)
		note_under_way(a, dev, a->o.ledgers[dev].n[COUNT_STARTED]);
}

void account_stop(struct account *a)
{
	if (a->stop_fd >= 0) {
		eventfd_write(a->stop_fd, 1);
		pthread_join(a->thread, NULL);
		close(a->stop_fd);
		a->stop_fd = -1;
	}
	charge_ended(a);
	count_unfinished(a);
}

void account_ledger(struct account *a, unsigned int dev, struct blklat_ledger *l)
{
	const struct dev_account *d = a->devs[dev];

	pthread_mutex_lock(&a->lock);
	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		l->n[c] += d->ledger.n[c];
	for (unsigned int op = 0; op < NR_OPS; op++) {
		const struct samples *sm = d->kinds[op];

		if (!sm)
			continue;
		l->op[op].ios += sm->ios;
		l->op[op].bytes += sm->bytes;
		l->n[op == BLKLAT_OP_READ ? COUNT_RQ_READS : COUNT_RQ_WRITES] += sm->requests;
		l->n[COUNT_POLLED] += sm->polled;
	}
	pthread_mutex_unlock(&a->lock);
}

const struct blklat_edge *account_edge(const struct account *a, unsigned int above,
				       unsigned int below)
{
	return &a->edges[above][below];
}

/* Return the samples of a row, NULL if there are none. */
static const struct hist *hist_of_kind(const struct account *a, unsigned int dev, unsigned int op,
				       unsigned int row)
{
	const struct samples *sm = a->devs[dev]->kinds[op];

	return sm ? sm->rows[row] : NULL;
}

void account_hist(struct account *a, struct hist *h, unsigned int dev, unsigned int op,
		  unsigned int row)
{
	pthread_mutex_lock(&a->lock);
	for (unsigned int o = 0; o < NR_OPS; o++) {
		const struct hist *of_kind = hist_of_kind(a, dev, o, row);

		if ((op == NR_OPS || op == o) && of_kind)
			hist_merge(h, of_kind);
	}
	pthread_mutex_unlock(&a->lock);
}

void account_sum(struct account *a, unsigned int dev, unsigned int op, unsigned int row,
		 uint64_t *count, uint64_t *sum)
{
	*count = *sum = 0;
	pthread_mutex_lock(&a->lock);
	for (unsigned int o = 0; o < NR_OPS; o++) {
		const struct hist *h = hist_of_kind(a, dev, o, row);

		if (!h || (op != NR_OPS && op != o))
			continue;
		*count += h->count;
		*sum += h->sum;
	}
	pthread_mutex_unlock(&a->lock);
}

void account_tail(struct account *a, struct blklat_tail *t, unsigned int dev, unsigned int group)
{
	const struct blklat_tail *from = &a->devs[dev]->tail[group];

	pthread_mutex_lock(&a->lock);
	t->count += from->count;
	t->total += from->total;
	for (unsigned int st = 0; st < NR_STAGES; st++)
		t->stage[st] += from->stage[st];
	for (unsigned int row = 0; row < NR_LAYER_ROWS; row++)
		t->layer[row] += from->layer[row];
	pthread_mutex_unlock(&a->lock);
}

uint64_t account_cpu_ns(const struct account *a)
{
	return a->cpu_ns;
}

static void free_dev_account(struct dev_account *d)
{
	if (!d)
		return;
	for (unsigned int op = 0; op < NR_OPS; op++)
		samples_free(d->kinds[op]);
	free(d->tail);
	free(d);
}

static struct dev_account *new_dev_account(void)
{
	struct dev_account *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->tail = calloc(BLKLAT_TAIL_GROUPS, sizeof(*d->tail));
	if (d->tail)
		return d;
	free(d);
	return NULL;
}

int account_open(const struct account_opts *opts, struct account **out)
{
	struct account *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->o = *opts;
	a->whole_slots = opts->cost || opts->events || opts->by;
	a->extras = a->whole_slots || opts->spans;
	a->stop_fd = -1;
	pthread_mutex_init(&a->lock, NULL);
	a->below = calloc(opts->nr_slots, sizeof(*a->below));
	a->edges = calloc(BLKLAT_MAX_DEVS, sizeof(*a->edges));
	if (!a->below || !a->edges)
		goto no_memory;
	for (unsigned int dev = 0; dev < opts->max_devs; dev++) {
		a->devs[dev] = new_dev_account();
		if (!a->devs[dev])
			goto no_memory;
	}
	*out = a;
	return 0;
no_memory:
	account_close(a);
	return -ENOMEM;
}

void account_close(struct account *a)
{
	if (!a)
		return;
	if (a->stop_fd >= 0)
		account_stop(a);
	for (unsigned int dev = 0; dev < BLKLAT_MAX_DEVS; dev++)
		free_dev_account(a->devs[dev]);
	free(a->below);
	free(a->edges);
	pthread_mutex_destroy(&a->lock);
	free(a);
}
