/* SPDX-License-Identifier: GPL-2.0 */
/* Find the stage of the time between two marks. */
#ifndef BLKLAT_GAPS_H
#define BLKLAT_GAPS_H

#include <stdbool.h>
#include <linux/types.h>
#include "stages.h"

#define GAP(from, to, stage) [MARK_##from][MARK_##to] = STAGE_##stage + 1,
/* Stage + 1 of the time between two marks; 0 if the time is unattributed */
static const __u8 stage_of_gap[16][16] = { BLKLAT_GAPS(GAP) };
#undef GAP

/**
 * stage_between() - find the stage between two marks of an I/O that follow one another
 * @from: enum blklat_mark, the earlier mark
 * @to: enum blklat_mark, the later mark
 * @op: enum blklat_op of the I/O
 * @bio_based: true if its device has no requests
 *
 * Return: enum blklat_stage.
 */
static __always_inline __u32 stage_between(__u32 from, __u32 to, __u8 op, bool bio_based)
{
	__u32 stage;

	if (from == MARK_Q && bio_based)
		return to == MARK_Z ? STAGE_BIO_DRIVER : STAGE_BIO_DELIVER;
	stage = stage_of_gap[from & 15][to & 15];
	if (!stage)
		return STAGE_UNATTRIBUTED;
	stage--;
	/* Until its data is handed to the driver, an I/O with PREFLUSH waits for the flush. */
	if (op == BLKLAT_OP_FLUSH && from == MARK_G && to != MARK_R)
		return STAGE_FLUSH;
	return stage;
}

#endif /* BLKLAT_GAPS_H */
