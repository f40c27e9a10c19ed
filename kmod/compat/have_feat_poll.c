// SPDX-License-Identifier: GPL-2.0
/* The poll feature of a queue is a bit in its limits' features, and not a queue flag. */
#include <linux/blkdev.h>

bool probe(struct request_queue *q);
bool probe(struct request_queue *q)
{
	return q->limits.features & BLK_FEAT_POLL;
}
