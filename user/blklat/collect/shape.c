// SPDX-License-Identifier: GPL-2.0
/* Charge I/Os that have the same marks as others, many at a time. */
#include <stdlib.h>
#include <string.h>
#include "blklat/collect/shape.h"
#include "core/io_event.h"

/* The stages of an I/O depend on its marks and on this kind. */
enum kind { KIND_USUAL, KIND_FLUSH, KIND_BIO_BASED, NR_KINDS };

/* Two I/Os of layers whose keys are equal have the same stages. */
struct layer_key {
	uint16_t marks;		/* bit per mark that the I/O has */
	uint16_t leaf;		/* bit per mark that the I/O of the disk has */
	uint8_t hops;
	uint8_t bio_based;	/* the disk has no requests */
};

/**
 * struct shape - the stages of all I/Os of a kind that have the same marks, in order
 * @known: true if the rest is filled in
 * @n: number of stages; 0 if a stage occurs more than once, or if there are no marks
 * @first: place of the mark at which the first stage begins: its distance from the first mark of
 *	the slot or record, in words of 64 bits; each other stage begins where the one before ends
 * @gap: the row of each stage, and the place of the mark at which it ends
 * @nr_absent: number of entries of @absent
 * @absent: the places of the marks that these I/Os do not have
 * @key: only for a shape of I/Os of a layer: what these I/Os have in common
 * @next: the next shape on the list of those for I/Os of layers
 */
struct shape {
	bool known;
	uint8_t n;
	uint8_t first;
	struct {
		uint8_t row;
		uint8_t to;
	} gap[SHAPED_COLUMNS];
	uint8_t nr_absent;
	uint8_t absent[2 * NR_MARKS];
	struct layer_key key;
	struct shape *next;
};

struct shapes {
	struct shape v[NR_KINDS << NR_MARKS];	/* by kind and set of marks */
	struct shape *layers;
};

struct shapes *shapes_new(void)
{
	return calloc(1, sizeof(struct shapes));
}

void shapes_free(struct shapes *s)
{
	struct shape *next;

	for (struct shape *l = s ? s->layers : NULL; l; l = next) {
		next = l->next;
		free(l);
	}
	free(s);
}

/*
 * Find the stages by decoding a record in which the first mark has time 1, the next mark time 2 and
 * so on. So a time tells which mark it is: at[time] is the place of that mark.
 */
static void find_stages(struct shape *shape, const struct blklat_event *raw, const uint8_t *at)
{
	struct io_event ev;
	uint64_t seen = 0;

	io_event_decode(raw, &ev);
	shape->known = true;
	if (!ev.begin_ns || ev.nr_stages >= SHAPED_COLUMNS)
		return;
	for (unsigned int i = 0; i < ev.nr_stages; i++) {
		const struct io_stage *s = &ev.stages[i];

		if (seen >> s->row & 1)
			return;
		seen |= 1ULL << s->row;
		shape->gap[i].row = s->row;
		shape->gap[i].to = at[s->at_ns + s->ns];
	}
	shape->first = at[ev.begin_ns];
	shape->n = ev.nr_stages;
}

static void find_shape(struct shape *shape, enum kind kind, uint32_t marks)
{
	struct blklat_event raw = {
		.op = kind == KIND_FLUSH ? BLKLAT_OP_FLUSH : BLKLAT_OP_READ,
		.flags = kind == KIND_BIO_BASED ? EVENT_BIO_BASED : 0,
	};
	uint8_t at[NR_MARKS + 1];

	for (unsigned int i = 0, n = 0; i < NR_MARKS; i++) {
		if (marks >> i & 1) {
			raw.m[i] = ++n;
			at[n] = i;
		} else {
			shape->absent[shape->nr_absent++] = i;
		}
	}
	find_stages(shape, &raw, at);
}

const struct shape *shape_of(struct shapes *s, const struct blklat_io *io, bool bio_based)
{
	enum kind kind = bio_based ? KIND_BIO_BASED :
			 io->op == BLKLAT_OP_FLUSH ? KIND_FLUSH : KIND_USUAL;
	struct shape *shape;
	uint32_t marks = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		marks |= (uint32_t)(io->m[i] != 0) << i;
	shape = &s->v[kind << NR_MARKS | marks];
	if (!shape->known)
		find_shape(shape, kind, marks);
	return shape->n ? shape : NULL;
}

/* The marks that bound stages of a layer's own I/O, before and after the I/Os below */
#define LAYER_BEGIN (1U << MARK_E | 1U << MARK_T | 1U << MARK_Q)
#define LAYER_END (1U << MARK_Z | 1U << MARK_W)

static uint16_t marks_of(const __u64 *m)
{
	uint16_t marks = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		marks |= (m[i] != 0) << i;
	return marks;
}

/* Return true if this is a read or write of a layer that is followed down to a disk. */
static bool is_followed(const struct blklat_event *e)
{
	if (!(e->flags & EVENT_LEAF) || e->op > BLKLAT_OP_WRITE)
		return false;
	for (unsigned int d = 0; d < e->nr_hops; d++)
		if (e->hops[d].flush_begin || e->hops[d].op > BLKLAT_OP_WRITE ||
		    e->hops[d].end != e->hops[d].ended)
			return false;
	return true;
}

/* Return true if the marks are those that an I/O of a layer has nearly always. */
static bool marks_are_usual(const struct layer_key *k)
{
	return !(k->marks & ~(LAYER_BEGIN | LAYER_END)) && k->marks & 1U << MARK_Q &&
	       k->marks & 1U << MARK_Z && k->leaf & 1U << MARK_Q && !(k->leaf & 1U << MARK_W);
}

/* A record whose marks have the times 1, 2, 3... in their order; at[time] is the place of a mark */
struct numbered {
	struct blklat_event raw;
	uint8_t at[2 * NR_MARKS + 2 * BLKLAT_MAX_LAYERS + 1];
	unsigned int n;
};

static void number(struct numbered *r, __u64 *mark)
{
	*mark = ++r->n;
	r->at[r->n] = mark - r->raw.m;
}

static void number_marks(struct numbered *r, __u64 *m, uint32_t marks)
{
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (marks >> i & 1)
			number(r, &m[i]);
}

static void note_absent(struct shape *shape, unsigned int place, uint32_t marks)
{
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (!(marks >> i & 1))
			shape->absent[shape->nr_absent++] = place + i;
}

_Static_assert((sizeof(struct blklat_event) - offsetof(struct blklat_event, m)) / sizeof(__u64) <=
	       UINT8_MAX, "a place in a record is 8 bits");

/*
 * Number the marks from the I/O of the layer down to the disk and up again. The times at which the
 * I/O of the disk begins and ends are marks of this I/O, and the last hop only repeats them.
 */
static void find_layer_shape(struct shape *shape, const struct layer_key *k)
{
	struct numbered r = { .raw = { .flags = EVENT_LAYER | EVENT_LEAF, .nr_hops = k->hops } };
	struct blklat_hop *last = &r.raw.hops[k->hops - 1];
	__u64 *leaf = r.raw.leaf;

	number_marks(&r, r.raw.m, k->marks & LAYER_BEGIN);
	for (unsigned int d = 0; d + 1 < k->hops; d++)
		number(&r, &r.raw.hops[d].begin);
	number_marks(&r, leaf, k->leaf);
	last->begin = leaf[MARK_E] ?: leaf[MARK_T] ?: leaf[MARK_Q];
	last->ended = r.n;
	last->bio_based = k->bio_based;
	for (unsigned int d = k->hops - 1; d-- > 0;) {
		number(&r, &r.raw.hops[d].ended);
		/* @end and @ended differ only if the end of the hop's bio was missed. */
		r.raw.hops[d].end = r.raw.hops[d].ended;
	}
	number_marks(&r, r.raw.m, k->marks & LAYER_END);
	note_absent(shape, 0, k->marks);
	note_absent(shape, leaf - r.raw.m, k->leaf);
	shape->key = *k;
	find_stages(shape, &r.raw, r.at);
}

const struct shape *shape_of_layer(struct shapes *s, const struct blklat_event *e)
{
	struct layer_key k;
	struct shape *shape;

	if (!is_followed(e))
		return NULL;
	k = (struct layer_key){
		.marks = marks_of(e->m), .leaf = marks_of(e->leaf), .hops = e->nr_hops,
		.bio_based = e->hops[e->nr_hops - 1].bio_based,
	};
	if (!marks_are_usual(&k))
		return NULL;
	for (shape = s->layers; shape; shape = shape->next)
		if (!memcmp(&shape->key, &k, sizeof(k)))
			return shape->n ? shape : NULL;
	shape = calloc(1, sizeof(*shape));
	if (!shape)
		return NULL;
	find_layer_shape(shape, &k);
	shape->next = s->layers;
	s->layers = shape;
	return shape->n ? shape : NULL;
}

bool shape_fits(const struct shape *shape, const struct blklat_event *e)
{
	return e->nr_hops == shape->key.hops && is_followed(e) &&
	       e->hops[e->nr_hops - 1].bio_based == shape->key.bio_based;
}

unsigned int shape_stages(const struct shape *shape)
{
	return shape->n;
}

unsigned int shape_row(const struct shape *shape, unsigned int stage)
{
	return shape->gap[stage].row;
}

/*
 * A missing mark is 0, so its stage seems to end before it begins. The difference is then a very
 * large number, and the check of BLKLAT_HIST_ORDER refuses the I/O.
 */
uint64_t shaped_add(struct shaped *s, const __u64 *marks)
{
	const struct shape *shape = s->shape;
	uint64_t begin = marks[shape->first], from = begin, bad = 0, *ns = &s->ns[0][s->n];

	for (unsigned int i = 0; i < shape->nr_absent; i++)
		bad |= marks[shape->absent[i]];
	if (bad || !from)
		return UINT64_MAX;
	for (unsigned int i = 0; i < shape->n; i++, ns += SHAPED_MAX) {
		uint64_t to = marks[shape->gap[i].to];

		*ns = to - from;
		bad |= to - from;
		from = to;
	}
	*ns = from - begin;
	/* Check this here, because add_samples() does not: a time may be beyond the last bucket. */
	if ((bad | (from - begin)) >> BLKLAT_HIST_ORDER)
		return UINT64_MAX;
	s->n++;
	return from - begin;
}

/*
 * Add the @n times of a column to a histogram, and each time to the sum in its I/O's group of the
 * tail table. @sum is the offset of that sum. This is what user space does most for each I/O, so
 * it keeps in registers what hist_add() has in memory.
 */
static void add_samples(const uint64_t *ns, uint32_t n, struct hist *h, size_t sum,
			struct blklat_tail **tails)
{
	uint64_t min = h->count ? h->min : *ns, range = h->count ? h->max - min : 0;
	uint64_t all = 0, *buckets = h->buckets;

#pragma GCC unroll 4
	for (uint32_t k = 0; k < n; k++) {
		uint64_t v = ns[k];

		*(__u64 *)((char *)tails[k] + sum) += v;
		all += v;
		/* One unsigned comparison finds both v < min and v > max. */
		if (__builtin_expect(v - min > range, 0)) {
			range = v < min ? min + range - v : v - min;
			min = v < min ? v : min;
		}
		buckets[loglin_index(v, BLKLAT_HIST_BITS)]++;
	}
	h->min = min;
	h->max = min + range;
	h->count += n;
	h->sum += all;
}

static size_t place_in_tail(unsigned int row)
{
	return row < NR_ROWS ? offsetof(struct blklat_tail, stage[row]) :
			       offsetof(struct blklat_tail, layer[row - NR_ROWS]);
}

void shaped_flush(struct shaped *s)
{
	struct blklat_tail *tails[SHAPED_MAX];
	unsigned int n = s->shape->n;

	for (uint32_t k = 0; k < s->n; k++) {
		tails[k] = &s->tail[blklat_tail_group(s->ns[n][k])];
		tails[k]->count++;
	}
	for (unsigned int i = 0; i < n; i++)
		add_samples(s->ns[i], s->n, s->hist[i], place_in_tail(s->shape->gap[i].row), tails);
	add_samples(s->ns[n], s->n, s->total, offsetof(struct blklat_tail, total), tails);
	s->n = 0;
}
