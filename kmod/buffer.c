// SPDX-License-Identifier: GPL-2.0
/*
 * Allocate and fill data buffers, as bio_vecs that can be put in a bio.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "buffer.h"
#include "pattern.h"

/* The caller may ask for much memory: fail rather than wake the OOM killer */
#define BUF_GFP		(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN | __GFP_ZERO)

/*
 * Do as alloc_pages_exact(), but near @node: allocate pages for exactly @bytes, each of which can
 * be freed on its own
 */
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
 * blkgen_buf_alloc() - allocate a buffer
 * @vec: set to the buffer, which blkgen_buf_free() frees; set to NULL on failure
 * @bytes: length of the buffer, not 0
 * @node: NUMA node for the memory, or NUMA_NO_NODE
 *
 * Context: process, sleeps
 * Return: the number of bio_vecs, or -ENOMEM
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
 * blkgen_buf_free() - free a buffer
 * @vec: buffer from blkgen_buf_alloc(), or NULL
 * @nr: number of bio_vecs in @vec
 */
void blkgen_buf_free(struct bio_vec *vec, unsigned int nr)
{
	unsigned int i;

	for (i = 0; vec && i < nr; i++)
		free_pages_exact(page_address(vec[i].bv_page), vec[i].bv_len);
	kfree(vec);
}

/**
 * blkgen_buf_fill() - fill a buffer with pseudorandom data
 * @vec: buffer, whose length is a multiple of 8 bytes
 * @nr: number of bio_vecs in @vec
 * @seed: the same seed makes the same data
 *
 * The data does not compress. Buffers are filled once, so without BLKGEN_SETUP_VERIFY each slot
 * writes the same data again and again, and a device that deduplicates keeps it only once.
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
