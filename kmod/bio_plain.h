/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_BIO_PLAIN_H
#define _BLKGEN_BIO_PLAIN_H

#include "bio.h"
#include "plain.h"
#include "rearm.h"

void blkgen_bio_run_plain(struct blkgen_worker *w);
void blkgen_bio_run_plain_paced(struct blkgen_worker *w);
void blkgen_polled_run_plain(struct blkgen_worker *w, struct list_head *again);

/**
 * blkgen_plain_issue() - submit the next I/O of a plain load
 * @p: plain load; the caller has reserved the I/O with blkgen_plain_begin()
 * @slot: idle slot
 * @random: true if the pattern is BLKGEN_PATTERN_RANDOM
 * @polled: true if the I/O may have to be submitted again as it is; @slot->end is then 0 until
 *	the I/O ends
 * @paced: true if the caller has set @slot->start
 */
static __always_inline void blkgen_plain_issue(struct blkgen_plain *p, struct blkgen_slot *slot,
					       const bool random, const bool polled,
					       const bool paced)
{
	struct bio *bio = &slot->bio;
	u64 sector;

	blkgen_bio_rearm(bio, p->bdev, p->opf, &p->w->like);
	sector = blkgen_plain_sector(p, random);
	bio->bi_iter.bi_sector = sector;
	bio->bi_iter.bi_size = p->bytes;
	bio->bi_end_io = p->end_io;
	if (paced)
		slot->sent = p->now;
	else
		slot->start = p->now;
	slot->cycles = p->cycles;
	if (polled) {
		/* As in blkgen_bio_make_polled() */
		bio->bi_cookie = BLK_QC_T_NONE;
		slot->sector = sector;
		slot->end = 0;
	}
	trace_blkgen_submit(bio);
	submit_bio(bio);
}

/* Put the first par.qd I/Os in flight */
static __always_inline void blkgen_plain_fill(struct blkgen_plain *p, const bool random,
					      const bool polled)
{
	struct blkgen_worker *w = p->w;
	u32 i = 0, qd = w->job->par.qd;
	struct blk_plug plug;

	while (i < qd) {
		u32 n = blkgen_plain_begin(p, min(qd - i, w->job->par.batch));

		if (!n)
			break;
		blkgen_plain_left(p, n);
		if (!i)
			w->busy_ns = p->now;
		blkgen_bio_plug(w, &plug, n);
		blkgen_plain_count(p, 0, n);
		while (n--)
			blkgen_plain_issue(p, &w->slot[i++], random, polled, false);
		blkgen_bio_unplug(w, &plug);
	}
}

/*
 * Count up to par.batch of @nr completions and submit as many I/Os. Return the completions that
 * are left.
 */
static __always_inline struct llist_node *blkgen_plain_cycle(struct blkgen_plain *p,
							     struct llist_node *node, u32 nr,
							     const bool random,
							     const bool polled)
{
	struct blkgen_worker *w = p->w;
	u32 i, batch = min(nr, w->job->par.batch);
	u32 quota = blkgen_plain_begin(p, batch);
	bool alone = w->submitted - w->completed == nr;
	struct blkgen_slot *slot;
	struct blk_plug plug;

	blkgen_plain_left(p, quota);
	blkgen_bio_plug(w, &plug, nr);
	for (i = 0; i < quota; i++) {
		slot = llist_entry(node, struct blkgen_slot, done);
		/* Read the next slot now: this slot may complete and be listed again at once */
		node = node->next;
		blkgen_plain_account(p, slot, false);
		blkgen_plain_issue(p, slot, random, polled, false);
	}
	for (; unlikely(i < batch); i++) {
		slot = llist_entry(node, struct blkgen_slot, done);
		node = node->next;
		blkgen_plain_account(p, slot, false);
	}
	blkgen_bio_unplug(w, &plug);
	blkgen_plain_count(p, batch, quota);
	if (alone)
		w->busy_ns = p->now;

	return node;
}

#endif /* _BLKGEN_BIO_PLAIN_H */
