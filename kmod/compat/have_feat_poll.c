// SPDX-License-Identifier: GPL-2.0
/* That a queue polls is one of its limits' features, and no flag of its own. */
#include <linux/blkdev.h>

bool probe(struct request_queue *q);
bool probe(struct request_queue *q)
{
	return q->limits.features & BLK_FEAT_POLL;
}
