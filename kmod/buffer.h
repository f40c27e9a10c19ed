/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_BUFFER_H
#define _BLKGEN_BUFFER_H

#include <linux/bvec.h>
#include <linux/mmzone.h>
#include <linux/types.h>

/*
 * A bio_vec of a buffer has at most this many bytes. Larger pieces would save bio_vecs, but cannot
 * be allocated on a system that has been up for long, because its memory is fragmented.
 */
#define BLKGEN_BUF_PIECE	(PAGE_SIZE << PAGE_ALLOC_COSTLY_ORDER)

int blkgen_buf_alloc(struct bio_vec **vec, u32 bytes, int node);
void blkgen_buf_free(struct bio_vec *vec, unsigned int nr);
void blkgen_buf_fill(struct bio_vec *vec, unsigned int nr, u64 seed);

#endif /* _BLKGEN_BUFFER_H */
