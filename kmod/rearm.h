/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_REARM_H
#define _BLKGEN_REARM_H

#include <linux/bio.h>
#include <linux/blk_types.h>

/* The words of a bio that whoever rearms it writes anyway */
#define BLKGEN_BIO_WORD(member)	(offsetof(struct bio, member) / sizeof(unsigned long))

/**
 * blkgen_bio_rearm - what bio_reset() does, for a bio that bio_endio() had last
 * @bio: not in flight
 * @bdev: device of the next I/O
 * @opf: its op and flags
 * @like: of the same device and cgroup
 *
 * A split takes down __bi_remaining of the bio it splits, a throttled or remapped
 * bio has flags set, a merged one a neighbour, and bio_endio() took the cgroup: it
 * can't be used again as it is. As bio_endio() has given back what is attached to
 * a bio, there is no need for the bio_uninit() of bio_reset(); and its memset() is
 * a loop for the CPU, of several times the cost of these stores. The data stays; sector,
 * bi_end_io and size are the caller's to set.
 */
static __always_inline void blkgen_bio_rearm(struct bio *bio, struct block_device *bdev,
					     blk_opf_t opf, struct bio *like)
{
	unsigned long *word = (unsigned long *)bio;
	const unsigned int nr = BIO_RESET_BYTES / sizeof(*word);
	struct bio_vec *vec = bio->bi_io_vec;
	unsigned short vcnt = bio->bi_vcnt;
	unsigned int i;

	memset(&word[nr], 0, BIO_RESET_BYTES % sizeof(*word));
	/* Volatile, or the compiler makes a memset() of it */
#pragma GCC unroll 32
	for (i = 0; i < nr; i++) {
		if (i == BLKGEN_BIO_WORD(bi_bdev) || i == BLKGEN_BIO_WORD(bi_end_io) ||
		    i == BLKGEN_BIO_WORD(bi_iter.bi_sector))
			continue;
		WRITE_ONCE(word[i], 0);
	}
	bio->bi_io_vec = vec;
	bio->bi_vcnt = vcnt;
	atomic_set(&bio->__bi_remaining, 1);
	bio->bi_bdev = bdev;
	bio->bi_opf = opf;
	/* bio_associate_blkg() would look for the thread's cgroup each time */
	bio_clone_blkg_association(bio, like);
}

#endif /* _BLKGEN_REARM_H */
