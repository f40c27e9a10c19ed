/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of what is recorded: where a time belongs, and how it is added. */
#ifndef BLKLAT_HIST_BPF_H
#define BLKLAT_HIST_BPF_H

#include "tables.bpf.h"

/*
 * By the upper bits of a time: how far it is to be shifted to its bucket. A quarter of the
 * instructions that looking for its highest bit would take.
 */
static const __u8 shift_of[512] = {
	[1] = 1, [2 ... 3] = 2, [4 ... 7] = 3, [8 ... 15] = 4, [16 ... 31] = 5, [32 ... 63] = 6,
	[64 ... 127] = 7, [128 ... 255] = 8, [256 ... 511] = 9,
};

/* 0 when it is out of bounds: on the very register that the verifier sees used. */
#define BOUND(index, n) \
	asm volatile("if %0 < %1 goto +1\n\t%0 = 0" : "+r"(index) : "i"(n))

/*
 * As __sync_fetch_and_add(&base->array[index], n), for which clang copies the number
 * first and does not use the instruction's offset.
 */
#define ADD(base, array, index, n) \
	asm volatile("lock *(u64 *)(%0 + %2) += %1" : : "r"((__u64 *)(base) + (index)), \
		     "r"((__u64)(n)), "i"(offsetof(typeof(*(base)), array)) : "memory")

#define NS_MAX ((1ULL << 40) - 1)

static __always_inline __u64 shift_at(__u64 upper)
{
	/* What the verifier knows of it is gone once it was in memory. */
	asm volatile("%0 &= 511" : "+r"(upper));
	return shift_of[upper];
}

/* For the verifier, which is content with a bound within the table. */
static __always_inline __u64 bound_bucket(__u64 b)
{
	asm volatile("%0 &= %1" : "+r"(b) : "i"(BLKLAT_BUCKETS_BOUND - 1));
	return b;
}

/* As loglin_index(); the last one takes everything above. */
static __always_inline __u64 bucket_of(__u64 ns)
{
	/* x86 shifts by this register, by any other it has to be moved there and back. */
	register __u64 shift asm("r4");
	__u64 b;

	if (ns < BLKLAT_NEAR_NS) {
		b = ns;
		/* As in shift_at(). */
		asm volatile("%0 &= %1" : "+r"(b) : "i"(BLKLAT_NEAR_NS - 1));
		return bound_bucket(near_bucket[b]);
	}
	if (ns < 1ULL << 16) {
		shift = shift_at(ns >> 7);
	} else if (ns < 1ULL << 25) {
		shift = 9 + shift_at(ns >> 16);
	} else if (ns < 1ULL << 34) {
		shift = 18 + shift_at(ns >> 25);
	} else {
		if (ns > NS_MAX)
			ns = NS_MAX;
		shift = 27 + shift_at(ns >> 34);
	}
	b = shift << BLKLAT_HIST_BITS;
	asm volatile("%0 >>= %1" : "+r"(ns) : "r"(shift));
	b += ns;
	return bound_bucket(b);
}

static __always_inline struct blklat_table *table_at(__u32 table)
{
	return bpf_map_lookup_elem(&tables, &table);
}

static __always_inline struct blklat_tail *tail_at(struct blklat_table *t, __u64 group)
{
	BOUND(group, BLKLAT_TAIL_GROUPS);
	return &t->tail[group];
}

/* Whether the sample may be one of the extremes. */
static __always_inline bool is_extreme(struct blklat_hist *h, __u64 ns)
{
	return ns < h->min || ns >= h->end;
}

/* account.bpf.c: add a sample to one distribution */
int hist_add(__u32 table, __u32 row, __u64 ns);
/* account.bpf.c: a sample that was added may be the least or the largest */
int hist_extremes(__u32 table, __u32 row, __u64 ns);

#endif /* BLKLAT_HIST_BPF_H */
