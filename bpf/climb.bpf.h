/* SPDX-License-Identifier: GPL-2.0 */
/* Climb from a bio to the bio that a layer made it for. Only bio.bpf.c includes this file. */
#ifndef BLKLAT_CLIMB_BPF_H
#define BLKLAT_CLIMB_BPF_H

#include "stack.bpf.h"

/* The loop climbs over at most this many bios. The longest way that was seen so far had six. */
#define CLIMB_MAX 10

/**
 * link_of() - find the link of a bi_end_io function
 * @end_io: address of the function, not 0
 *
 * Return: the link, or NULL if the way to the bio above is not known.
 */
static __always_inline const volatile struct blklat_link *link_of(__u64 end_io)
{
	__u32 h = blklat_link_slot(end_io);

	for (int i = 0; i < BLKLAT_LINK_TRIES; i++) {
		const volatile struct blklat_link *l = &cfg.links[(h + i) & (BLKLAT_LINKS - 1)];

		if (l->end_io == end_io)
			return l;
	}
	return NULL;
}

/**
 * follow() - read a pointer that is a member of a structure of the kernel
 * @from: address of the structure
 * @offset: offset of the pointer in bytes
 *
 * Return: the pointer, 0 if it cannot be read.
 */
static __always_inline __u64 follow(__u64 from, __u16 offset)
{
	return read_word(from + offset, cfg.word_type);
}

/**
 * follow_two() - follow the two pointers of a link
 * @bio: address of the bio
 * @up: address from which the link leads on
 * @link: link with two pointers
 *
 * If each read is a call of a function, this tries to get both pointers with one read. That works
 * if the bio lies in the structure that the first pointer leads to, as it mostly does. If it does
 * not lie there, the read gets only the first pointer; or it fails, because it begins before the
 * memory that is mapped.
 *
 * Return: the second pointer, 0 if it cannot be read.
 */
static __always_inline __u64 follow_two(__u64 bio, __u64 up,
					const volatile struct blklat_link *link)
{
	__u64 near[BLKLAT_LINK_NEAR + 1], outer = bio - link->outer;

	if (READS_ARE_CHEAP || !link->outer ||
	    bpf_probe_read_kernel(near, sizeof(near), (void *)(outer + link->offset[1])))
		return follow(follow(up, link->offset[0]), link->offset[1]);
	if (near[BLKLAT_LINK_NEAR] == outer)
		return near[0];
	return follow(near[BLKLAT_LINK_NEAR], link->offset[1]);
}

/**
 * climb_step() - climb to the bio above, and look for the I/O of a layer there
 * @c: the climb; its member found is set if the I/O is found
 *
 * Return: 1 if the climb ends, 0 if it goes on from the bio above.
 */
static __always_inline long climb_step(struct climb *c)
{
	const volatile struct blklat_link *link = c->end_io ? link_of(c->end_io) : NULL;
	struct blklat_io *io;
	__u64 up;
	__u32 idx;

	if (!link)
		return 1;
	up = link->from == LINK_FROM_PRIVATE ? c->private & ~(__u64)link->below :
					       c->bio - link->below;
	if (link->nr_derefs == 1)
		up = follow(up, link->offset[0]);
	else if (link->nr_derefs)
		up = follow_two(c->bio, up, link);
	if (!up)
		return 1;
	io = io_of(up, &idx);
	if (io && io->flags & IO_SAME_BIO) {
		/*
		 * A layer split the bio and then handed it on, so the bio leads to the I/O of the
		 * device below. The I/O to find is that of the layer, the parent.
		 */
		idx = io->parent - 1;
		io = io_at(idx);
	}
	/* If this I/O has ended, it belongs to an earlier use of the address: climb on. */
	if (io && !(io->flags & IO_SELF_ENDED) && dev_cfg(io->dev)->layer) {
		c->found = idx + 1;
		return 1;
	}
	c->bio = up;
	c->end_io = follow(up, bpf_core_field_offset(struct bio, bi_end_io));
	c->private = follow(up, bpf_core_field_offset(struct bio, bi_private));
	return 0;
}

/**
 * climb_one() - do climb_step() as a callback of bpf_loop()
 * @i: number of the round, not used
 * @c: the climb
 *
 * Return: as climb_step().
 */
static long climb_one(__u32 i, struct climb *c)
{
	return climb_step(c);
}

#endif /* BLKLAT_CLIMB_BPF_H */
