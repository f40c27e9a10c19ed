// SPDX-License-Identifier: GPL-2.0
/*
 * Submit bios that complete by interrupt; the worker then submits the next ones. This is the
 * default engine, and works on every block device.
 */
#include <linux/blkdev.h>
#include "bio.h"
#include "engine.h"
#include "idle.h"
#include "plain.h"
#include "worker.h"

static void bio_run_general(struct blkgen_worker *w, struct blkgen_idle *idle)
{
	struct llist_node *node;

	blkgen_idle_init(w, idle);
	do {
		for (node = blkgen_worker_reap(w); node;) {
			struct blkgen_slot *slot = llist_entry(node, struct blkgen_slot, done);

			node = node->next;
			blkgen_bio_settle(w, slot);
			blkgen_worker_account(w, slot);
			blkgen_idle_put(idle, slot);
		}
		while (blkgen_bio_submit_due(w, idle, NULL) == w->job->par.batch)
			;
	} while (!llist_empty(&w->done) || blkgen_idle_wait(w, idle));
}

static void bio_run(struct blkgen_worker *w)
{
	struct blkgen_idle idle;

	blkgen_bio_init(w);
	if (blkgen_plain_can(w))
		blkgen_plain_run(w, &idle, NULL);
	else
		bio_run_general(w, &idle);
	blkgen_idle_end(w);
	blkgen_bio_uninit(w);
}

const struct blkgen_engine_ops blkgen_engine_bio = {
	.ops = BIT_ULL(BLKGEN_OP_READ) | BIT_ULL(BLKGEN_OP_WRITE) |
	       BIT_ULL(BLKGEN_OP_TRIM) | BIT_ULL(BLKGEN_OP_ZEROES),
	.check = blkgen_bio_check,
	.run = bio_run,
};
