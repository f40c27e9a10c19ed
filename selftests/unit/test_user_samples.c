// SPDX-License-Identifier: GPL-2.0
/*
 * This test will make random I/Os of disks and of layers, and expect that charging many at a time
 * gives the same samples, sums and counters as charging each one by the general rule.
 */
/* needs: host */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/collect/io_record.h"
#include "blklat/collect/samples.h"
#include "random.h"
#include "unit.h"

#define BLOCKS 60
#define IOS_OF_BLOCK 700
#define LEVELS (BLKLAT_MAX_LAYERS + 3)

/**
 * struct way - how the I/Os of a block are made
 * @odd: how many I/Os are odd, with marks missing or out of order: none, a few, or most of them
 * @times: how long stages are: all as long as the fast computation of buckets needs, some of
 *	them, or no I/O as a whole
 * @bio_based: true if the disk is
 * @op: what most of the I/Os are
 */
struct way {
	enum { ODD_NONE, ODD_FEW, ODD_MOST } odd;
	enum { TIMES_LONG, TIMES_MIXED, TIMES_SHORT } times;
	bool bio_based;
	unsigned int op;
};

static struct way way;
static struct blklat_state *state;
static struct blklat_io slots[LEVELS];
static struct io_below below[LEVELS];

static unsigned int rnd(unsigned int n)
{
	return (random_u64() >> 32) % n;
}

static bool mostly(void)
{
	return way.odd == ODD_NONE || rnd(way.odd == ODD_FEW ? 1000 : 8);
}

static bool seldom(void)
{
	return way.odd != ODD_NONE && !rnd(way.odd == ODD_FEW ? 5000 : 50);
}

/* Return the next time, which is seldom the same and hardly ever before the last one. */
static uint64_t later(uint64_t *now)
{
	static const unsigned int least[] = { 64, 1, 0 }, range[] = { 1000, 1000, 4 };

	if (!seldom())
		*now += least[way.times] + rnd(range[way.times]);
	if (way.times != TIMES_SHORT && !rnd(1000)) {
		uint64_t far = random_u64();

		*now += far >> (20 + rnd(43));
	}
	return seldom() && seldom() ? *now - 500 : *now;
}

/* Set those marks of a disk's I/O that lie between Q and Z. */
static void fill_disk(struct blklat_io *io, uint64_t *now)
{
	for (unsigned int i = MARK_G; i < MARK_Z; i++) {
		bool usual = i == MARK_G || i == MARK_X || i == MARK_B || i == MARK_C;

		if (i != MARK_H && (usual ? mostly() : seldom()))
			io->m[i] = later(now);
	}
	if (mostly())
		io->reap_ns = io->m[MARK_C];
}

/* Note the chain of an I/O of a layer, as the account does when it charges the I/O. */
static void note_chain(unsigned int level)
{
	struct io_chain c;

	if (io_chain(state, slots, below, level, &c) && c.kind & CHAIN_HOPS)
		below[level].chain = c.kind;
}

/*
 * Set a mark that I/Os of layers seldom have. C and F after Z make the I/O end later; the other
 * marks have no part in the stages of the I/Os above.
 */
static void fill_odd_layer(struct blklat_io *io, uint64_t *now)
{
	static const unsigned int odd[] = { MARK_G, MARK_X, MARK_C, MARK_F, MARK_W };

	io->m[odd[rnd(sizeof(odd) / sizeof(odd[0]))]] = later(now);
}

/* Make the I/O at @level and those below it, down to that of the disk at level @hops. */
static void fill(unsigned int level, unsigned int hops, uint64_t *now)
{
	struct blklat_io *io = &slots[level];
	bool top = !level;

	*io = (struct blklat_io){
		.dev = level, .op = seldom() ? BLKLAT_OP_FLUSH : way.op, .child = level < hops,
	};
	below[level] = (struct io_below){ .critical = level < hops ? level + 2 : 0 };
	state->devs[level].layer = level < hops;
	state->devs[level].bio_based = level < hops || way.bio_based;
	if (top && mostly())
		io->m[MARK_E] = later(now);
	if (seldom())
		io->m[MARK_T] = later(now);
	if (!seldom() || !seldom())
		io->m[MARK_Q] = later(now);
	if (level < hops && seldom())
		below[level].flush_begin = below[level].flush_end = later(now);
	if (level < hops)
		fill(level + 1, hops, now);
	else
		fill_disk(io, now);
	if (level < hops && seldom())
		fill_odd_layer(io, now);
	if (!seldom())
		io->m[MARK_Z] = later(now);
	if (level < hops && seldom())
		fill_odd_layer(io, now);
	if (top && mostly())
		io->m[MARK_W] = later(now);
	io_choose_marks(io);
	below[level].no_b = level && !io->m[MARK_B];
	/* The program that sets B was held up. */
	if (below[level].no_b && level == hops && seldom())
		io->m[MARK_B] = later(now);
	note_chain(level);
}

/**
 * struct expected - the samples that there must be
 * @rows: by row
 * @tail: by group of totals
 * @disorder: number of marks that are out of order
 * @failed: number of I/Os whose stages do not sum to the total, because a layer's I/O has a mark
 *	that is no boundary and is the latest one
 * @ios: number of I/Os
 */
struct expected {
	struct hist *rows[NR_ALL_ROWS];
	struct blklat_tail tail[BLKLAT_TAIL_GROUPS];
	uint64_t disorder;
	uint64_t failed;
	uint64_t ios;
};

static void expect_sample(struct expected *x, unsigned int row, uint64_t ns)
{
	if (!x->rows[row]) {
		x->rows[row] = calloc(1, sizeof(*x->rows[row]));
		hist_init(x->rows[row], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	}
	hist_add(x->rows[row], ns);
}

/* Expect one sample of each stage that the I/O has, and of its total. */
static void expect(struct expected *x, const struct io_event *ev)
{
	struct blklat_tail *t = &x->tail[blklat_tail_group(ev->total_ns)];
	uint64_t sum = 0;

	for (unsigned int row = 0; row < NR_ALL_ROWS; row++) {
		unsigned int parts = 0;
		uint64_t ns = 0;

		for (unsigned int i = 0; i < ev->nr_stages; i++) {
			if (ev->stages[i].row != row)
				continue;
			ns += ev->stages[i].ns;
			parts++;
		}
		if (!parts)
			continue;
		expect_sample(x, row, ns);
		sum += ns;
		if (row < NR_STAGES)
			t->stage[row] += ns;
		else
			t->layer[row - NR_ROWS] += ns;
	}
	expect_sample(x, ROW_OF_SPAN(SPAN_TOTAL), ev->total_ns);
	t->total += ev->total_ns;
	t->count++;
	x->disorder += ev->disorder;
	x->failed += sum != ev->total_ns;
	x->ios++;
}

/* Make an I/O and let it wait if it has a chain; if not, charge it. */
static void one_io(struct samples *sm, struct expected *x, unsigned int hops)
{
	uint64_t now = random_u64();
	struct blklat_event e;
	struct io_event ev;
	struct io_chain c;

	now = 1000000 + (now >> (20 + rnd(40)));
	fill(0, hops, &now);
	io_record_times(state, slots, below, 0, &e);
	io_event_decode(&e, &ev);
	expect(x, &ev);
	if (io_chain(state, slots, below, 0, &c))
		samples_add(sm, &c);
	else
		samples_charge_event(sm, &ev);
	if (!rnd(200))
		samples_charge(sm);
}

static bool same_hist(const struct hist *a, const struct hist *b)
{
	if (!a || !b)
		return a == b;
	return a->count == b->count && a->sum == b->sum && a->min == b->min && a->max == b->max &&
	       !memcmp(a->buckets, b->buckets, a->nbuckets * sizeof(*a->buckets));
}

static bool as_expected(const struct samples *sm, const struct expected *x)
{
	for (unsigned int row = 0; row < NR_ALL_ROWS; row++)
		if (!same_hist(sm->rows[row], x->rows[row]))
			return false;
	return !memcmp(sm->tail, x->tail, sizeof(x->tail)) &&
	       sm->ledger->n[COUNT_DISORDER] == x->disorder &&
	       sm->ledger->n[COUNT_CHECKED] == (sm->check ? x->ios : 0) &&
	       sm->ledger->n[COUNT_CHECK_FAILED] == (sm->check ? x->failed : 0);
}

static struct samples *new_samples(bool verify)
{
	struct samples *sm = calloc(1, sizeof(*sm));

	sm->tail = calloc(BLKLAT_TAIL_GROUPS, sizeof(*sm->tail));
	sm->ledger = calloc(1, sizeof(*sm->ledger));
	sm->check = verify;
	return sm;
}

static void free_all(struct samples *sm, struct expected *x)
{
	free(sm->tail);
	free(sm->ledger);
	samples_free(sm);
	rows_free(x->rows);
	free(x);
}

static void charge_blocks(unsigned int hops, bool verify)
{
	struct expected *x = calloc(1, sizeof(*x));
	struct samples *sm = new_samples(verify);
	unsigned int same = 0;

	for (unsigned int block = 0; block < BLOCKS; block++) {
		way = (struct way){ .odd = block % 3, .times = block / 3 % 3, .op = block % 2 };
		way.bio_based = !rnd(4);
		for (unsigned int i = 0; i < IOS_OF_BLOCK; i++)
			one_io(sm, x, hops);
		samples_charge(sm);
		same += as_expected(sm, x);
	}
	check(same == BLOCKS && sm->singly < x->ios / 3 && sm->singly > x->ios / 1000,
	      "%u layers%s: after %u of %d blocks all samples are right, and %u of %u I/Os were "
	      "charged singly", hops, verify ? ", with --check" : "", same, BLOCKS,
	      (unsigned int)sm->singly, (unsigned int)x->ios);
	free_all(sm, x);
}

/* Give the second stage of all shapes that are known the beginning of the first one. */
static void spoil_shapes(struct samples *sm)
{
	for (struct shape *s = sm->shapes.first; s; s = s->next)
		s->gap[1].from = s->gap[0].from;
}

static void find_wrong_shapes(void)
{
	struct expected *x = calloc(1, sizeof(*x));
	struct samples *sm = new_samples(true);
	unsigned int singly[2];

	way = (struct way){ .odd = ODD_NONE };
	for (unsigned int round = 0; round < 2; round++) {
		uint64_t before = sm->singly;

		for (unsigned int i = 0; i < IOS_OF_BLOCK; i++)
			one_io(sm, x, 0);
		samples_charge(sm);
		singly[round] = sm->singly - before;
		spoil_shapes(sm);
	}
	check(as_expected(sm, x) && singly[0] < IOS_OF_BLOCK / 10 && singly[1] == IOS_OF_BLOCK,
	      "with --check, %u of %d I/Os are charged singly, and %u if the stages of their shape "
	      "do not add up", singly[0], IOS_OF_BLOCK, singly[1]);
	free_all(sm, x);
}

int main(void)
{
	state = calloc(1, sizeof(*state));
	for (unsigned int hops = 0; hops < LEVELS; hops++) {
		charge_blocks(hops, false);
		charge_blocks(hops, true);
	}
	find_wrong_shapes();
	free(state);
	return unit_end();
}
