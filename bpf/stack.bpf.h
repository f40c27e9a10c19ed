/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tie the I/Os of a stack together: the I/O of a bio that a layer made for another bio is a child
 * of that bio's I/O, and on its list.
 */
#ifndef BLKLAT_STACK_BPF_H
#define BLKLAT_STACK_BPF_H

#include "count.bpf.h"

/* At most this many layers above one another hand on the same bio. */
#define SAME_BIO_MAX 4

/**
 * struct climb - the way up from a bio to the I/O that it was made for
 * @bio: address of the bio that the climb has reached
 * @end_io: bi_end_io of that bio
 * @private: bi_private of that bio
 * @found: slot + 1 of the I/O, 0 if it is not found
 */
struct climb {
	__u64 bio;
	__u64 end_io;
	__u64 private;
	__u64 found;
};

/* bio.bpf.c: return slot + 1 of the I/O under way that the bio was made for, or 0 */
int blklat_parent(struct climb *climb);
/* stack.bpf.c: count a bio that was made for no single I/O above, by its bi_end_io */
int blklat_own(__u32 dev, __u64 *end_io);

/**
 * parent_of() - find the I/O of a layer that a bio was made for
 * @bio: the bio
 *
 * Return: slot + 1 of the I/O, 0 if there is none or the way is not known.
 */
static __always_inline __u32 parent_of(struct bio *bio)
{
	struct climb climb = {
		.bio = (__u64)bio,
		.end_io = (__u64)bio->bi_end_io,
		.private = (__u64)bio->bi_private,
	};

	return blklat_parent(&climb);
}

/**
 * adopt() - put a new child on its parent's list
 * @idx: slot of the child
 * @io: the child
 * @parent: slot + 1 of the parent, or of a piece of it
 */
static __always_inline void adopt(__u32 idx, struct blklat_io *io, __u32 parent)
{
	struct blklat_io *above = io_at(parent - 1);

	/*
	 * If the bio was split, the clone of a request was made for a piece: the parent is the
	 * whole.
	 */
	if (io_is_piece(above)) {
		parent = above->parent;
		above = io_at(parent - 1);
	}
	io->parent = parent;
	io->parent_gen = above->gen;
	io->above = above->dev;
	io->flags |= IO_CHILD;
	io->sibling = __sync_lock_test_and_set(&above->child, idx + 1);
}

#endif /* BLKLAT_STACK_BPF_H */
