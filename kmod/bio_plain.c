// SPDX-License-Identifier: GPL-2.0
/*
 * Run plain loads for engine_bio.c.
 */
#include "bio_plain.h"

static __always_inline void plain_loop(struct blkgen_worker *w, const bool random)
{
	struct blkgen_plain p = blkgen_plain_init(w, 0);
	struct llist_node *node;
	u32 nr;

	blkgen_plain_fill(&p, random, false);
	while ((node = blkgen_worker_wait(w, &nr))) {
		for (; node; nr -= min(nr, w->job->par.batch))
			node = blkgen_plain_cycle(&p, node, nr, random, false);
	}
}

/**
 * blkgen_bio_run_plain() - do all the I/O of a worker with a plain load
 * @w: worker, in its thread
 */
void blkgen_bio_run_plain(struct blkgen_worker *w)
{
	if (w->cur.pattern == BLKGEN_PATTERN_RANDOM)
		plain_loop(w, true);
	else
		plain_loop(w, false);
}
