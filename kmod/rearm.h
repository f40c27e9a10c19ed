/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_REARM_H
#define _BLKGEN_REARM_H

#include <linux/bio.h>
#include <linux/blk_types.h>

/*
 * This is the index of a member of struct bio, in words. blkgen_bio_rearm() does not zero the words
 * of some members, because they are written again anyway.
 */
#define BLKGEN_BIO_WORD(member)	(offsetof(struct bio, member) / sizeof(unsigned long))

/* Such a word must hold nothing of another member, which would keep its old value */
#define BLKGEN_BIO_IS_WORD(member)						\
	(offsetof(struct bio, member) % sizeof(long) == 0 &&			\
	 sizeof_field(struct bio, member) % sizeof(long) == 0)

/**
 * blkgen_bio_rearm() - reset a bio like bio_reset(), after bio_endio() has completed it
 * @bio: bio that is not in flight
 * @bdev: device of the next I/O
 * @opf: op and flags of the next I/O
 * @like: bio that has the same device and cgroup
 *
 * A bio cannot be used again as it is: a split decrements __bi_remaining of the bio, throttling and
 * remapping set flags, a merge links the bio to a neighbour, and bio_endio() drops the cgroup.
 * Nothing else is attached to these bios, so the bio_uninit() of bio_reset() is not needed. The CPU
 * executes the memset() of bio_reset() as a loop, which costs several times as much as these
 * stores. The data buffers stay in the bio. The caller sets sector, bi_end_io and size.
 */
static __always_inline void blkgen_bio_rearm(struct bio *bio, struct block_device *bdev,
					     blk_opf_t opf, struct bio *like)
{
	unsigned long *word = (unsigned long *)bio;
	const unsigned int nr = BIO_RESET_BYTES / sizeof(*word);
	struct bio_vec *vec = bio->bi_io_vec;
	unsigned short vcnt = bio->bi_vcnt;
	unsigned int i;

	BUILD_BUG_ON(!BLKGEN_BIO_IS_WORD(bi_bdev) || !BLKGEN_BIO_IS_WORD(bi_end_io) ||
		     !BLKGEN_BIO_IS_WORD(bi_iter.bi_sector));
	memset(&word[nr], 0, BIO_RESET_BYTES % sizeof(*word));
	/*
	 * The stores are volatile, because the compiler would otherwise turn the loop into a
	 * memset()
	 */
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
	/* bio_associate_blkg() would look up the thread's cgroup each time */
	bio_clone_blkg_association(bio, like);
}

#endif /* _BLKGEN_REARM_H */
