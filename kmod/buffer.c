// SPDX-License-Identifier: GPL-2.0
/*
 * Data buffers, as bio_vecs ready to be put in a bio.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "buffer.h"
#include "pattern.h"

/* Much may be asked for: fail rather than have the OOM killer find it */
#define BUF_GFP		(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN | __GFP_ZERO)

/* Pages of exactly @bytes, each to be freed on its own: alloc_pages_exact(), near @node */
static struct page *alloc_piece(u32 bytes, int node)
{
	unsigned int order = get_order(bytes), i;
	struct page *page = alloc_pages_node(node, BUF_GFP, order);

	if (!page)
		return NULL;
	split_page(page, order);
	for (i = DIV_ROUND_UP(bytes, PAGE_SIZE); i < 1U << order; i++)
		__free_page(page + i);

	return page;
}

/**
 * blkgen_buf_alloc - allocate a buffer
 * @vec: set to the buffer, which blkgen_buf_free() frees; NULL if there is none
 * @bytes: its length, not 0
 * @node: NUMA node to be near to, or NUMA_NO_NODE
 *
 * Returns the number of bio_vecs or -ENOMEM. Sleeps.
 */
int blkgen_buf_alloc(struct bio_vec **vec, u32 bytes, int node)
{
	unsigned int i, nr = DIV_ROUND_UP(bytes, BLKGEN_BUF_PIECE);
	struct bio_vec *bv;

	*vec = NULL;
	bv = kcalloc_node(nr, sizeof(*bv), GFP_KERNEL_ACCOUNT, node);
	if (!bv)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		u32 len = min_t(u32, bytes, BLKGEN_BUF_PIECE);

		bv[i].bv_page = alloc_piece(len, node);
		if (!bv[i].bv_page) {
			blkgen_buf_free(bv, i);
			return -ENOMEM;
		}
		bv[i].bv_len = len;
		bytes -= len;
	}
	*vec = bv;

	return nr;
}

/**
 * blkgen_buf_free - free a buffer
 * @vec: from blkgen_buf_alloc(), or NULL
 * @nr: its number of bio_vecs
 */
void blkgen_buf_free(struct bio_vec *vec, unsigned int nr)
{
	unsigned int i;

	for (i = 0; vec && i < nr; i++)
		free_pages_exact(page_address(vec[i].bv_page), vec[i].bv_len);
	kfree(vec);
}

/**
 * blkgen_buf_fill - put pseudorandom data in a buffer
 * @vec: buffer, of a multiple of 8 bytes
 * @nr: its number of bio_vecs
 * @seed: the same seed makes the same data
 *
 * Data that neither compresses nor repeats, so that no device gains from it.
 */
void blkgen_buf_fill(struct bio_vec *vec, unsigned int nr, u64 seed)
{
	unsigned int i, j;

	for (i = 0; i < nr; i++) {
		u64 *data = page_address(vec[i].bv_page);

		for (j = 0; j < vec[i].bv_len / sizeof(*data); j++)
			data[j] = blkgen_random(&seed);
	}
}
