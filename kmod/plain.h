/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_PLAIN_H
#define _BLKGEN_PLAIN_H

#include <linux/types.h>

struct blkgen_idle;
struct blkgen_worker;
struct list_head;

bool blkgen_plain_can(const struct blkgen_worker *w);
void blkgen_plain_run(struct blkgen_worker *w, struct blkgen_idle *idle, struct list_head *again);

#endif /* _BLKGEN_PLAIN_H */
