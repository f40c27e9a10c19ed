// SPDX-License-Identifier: GPL-2.0
/*
 * This test will make random I/Os of disks and of layers, and expect the fast way to find their
 * stages, by shapes, to agree with the general way, by records.
 */
/* needs: host */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/collect/io_record.h"
#include "blklat/collect/shape.h"
#include "random.h"
#include "unit.h"

#define IOS 200000
#define LEVELS (BLKLAT_MAX_LAYERS + 3)
#define OTHERS 16

static struct blklat_state *state;
static struct blklat_io slots[LEVELS];
static struct io_below below[LEVELS];

static unsigned int rnd(unsigned int n)
{
	return (random_u64() >> 32) % n;
}

static bool mostly(void)
{
	return rnd(8);
}

static bool seldom(void)
{
	return !rnd(50);
}

/* Return the next time, which is seldom the same and hardly ever before the last one. */
static uint64_t later(uint64_t *now)
{
	*now += seldom() ? 0 : 1 + rnd(1000);
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
		.dev = level, .op = seldom() ? BLKLAT_OP_FLUSH : rnd(2), .child = level < hops,
	};
	below[level] = (struct io_below){ .critical = level < hops ? level + 2 : 0 };
	state->devs[level].layer = level < hops;
	state->devs[level].bio_based = level < hops || !rnd(4);
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
	if (!top && level < hops && seldom())
		fill_odd_layer(io, now);
	if (!seldom())
		io->m[MARK_Z] = later(now);
	if (!top && level < hops && seldom())
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

/* Return true if the I/O that was collected last has the stages of the decoded record. */
static bool same(const struct shaped *s, uint64_t total, const struct io_event *ev)
{
	uint64_t ns[NR_ALL_ROWS], seen = 0;

	for (unsigned int i = 0; i < ev->nr_stages; i++) {
		const struct io_stage *st = &ev->stages[i];

		ns[st->row] = st->ns + (seen >> st->row & 1 ? ns[st->row] : 0);
		seen |= 1ULL << st->row;
	}
	for (unsigned int i = 0; i < shape_stages(s->shape); i++) {
		unsigned int row = shape_row(s->shape, i);

		if (!(seen >> row & 1) || ns[row] != s->ns[i][s->n - 1])
			return false;
		seen &= ~(1ULL << row);
	}
	return !seen && total == ev->total_ns && !ev->disorder;
}

/**
 * struct tally - how many I/Os were made and collected
 * @ios: number of I/Os
 * @collected: those of them that shaped_add() took, by their own shape
 * @others: how often it took an I/O by the shape of an earlier I/O
 * @wrong: how often the stages were not those of the record
 */
struct tally {
	unsigned int ios;
	unsigned int collected;
	unsigned int others;
	unsigned int wrong;
};

/* Collect an I/O by its own shape and by those of other I/Os, which do not fit mostly. */
static void one_io(struct shapes *shapes, struct shaped *s, unsigned int hops, struct tally *t)
{
	static const struct shape *earlier[OTHERS];
	const struct shape *own;
	struct blklat_event e;
	struct io_event ev;
	struct io_chain c;
	uint64_t now = 1000000, total;

	fill(0, hops, &now);
	t->ios++;
	io_record_times(state, slots, below, 0, &e);
	io_event_decode(&e, &ev);
	if (!io_chain(state, slots, below, 0, &c))
		return;
	own = shape_of(shapes, &c);
	for (unsigned int i = 0; i <= OTHERS; i++) {
		s->shape = i < OTHERS ? earlier[i] : own;
		s->n = 0;
		if (!s->shape)
			continue;
		total = shaped_add(s, &c);
		if (total == UINT64_MAX)
			continue;
		t->wrong += !same(s, total, &ev);
		t->collected += i == OTHERS;
		t->others += i < OTHERS;
	}
	earlier[rnd(OTHERS)] = own;
}

int main(void)
{
	struct shapes *shapes = shapes_new();
	struct shaped *s = calloc(1, sizeof(*s));

	state = calloc(1, sizeof(*state));
	if (!shapes || !s || !state)
		return 1;
	for (unsigned int hops = 0; hops < LEVELS; hops++) {
		struct tally t = { 0 };

		while (t.ios < IOS / LEVELS)
			one_io(shapes, s, hops, &t);
		check(!t.wrong && t.collected > t.ios / 5 && t.others,
		      "%u layers: %u of %u I/Os are collected, and %u by the shapes of others: "
		      "%u have wrong stages", hops, t.collected, t.ios, t.others, t.wrong);
	}
	shapes_free(shapes);
	free(s);
	free(state);
	return unit_end();
}
