/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_VERIFY_H
#define _BLKGEN_VERIFY_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "uapi/blkgen.h"

struct blkgen_job;
struct blkgen_slot;

/**
 * struct blkgen_wrong - reads of a job that returned wrong data
 * @lock: protects all members; it is taken only for reads with a mismatch, so it need not be fast
 * @reads: number of reads with a mismatch
 * @sectors: number of sectors of these reads that do not match
 * @first: mismatches of the first reads
 */
struct blkgen_wrong {
	spinlock_t lock;
	u64 reads;
	u64 sectors;
	struct blkgen_mismatch first[BLKGEN_NR_MISMATCHES];
};

void blkgen_verify_prepare(const struct blkgen_job *job, struct blkgen_slot *slot);
bool blkgen_verify_read(struct blkgen_job *job, const struct blkgen_slot *slot);
void blkgen_verify_report(struct blkgen_job *job, struct blkgen_mismatches *mm);

#endif /* _BLKGEN_VERIFY_H */
