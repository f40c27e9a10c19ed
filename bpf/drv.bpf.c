// SPDX-License-Identifier: GPL-2.0
/* Take requests of a batch that need an entry of their own. */
#include "drv.bpf.h"

/**
 * blklat_take_apart() - take a request whose I/O cannot keep its marks, or that has no I/O
 * @ctx: the request, its batch, and the time
 *
 * This is a global function, so that the verifier checks it once and not once per step of a walk.
 *
 * Context: queue_rqs()
 * Return: 0.
 */
int blklat_take_apart(struct take_ctx *ctx)
{
	struct request *rq = ctx ? ctx->rq : NULL;
	struct drv_rq r = { .rq = (__u64)rq, .changes = state.changes };
	struct blklat_rq *e;
	struct bio *bio;
	__u32 idx;
	int dev;

	if (!rq)
		return 0;
	r.q = (__u64)BPF_CORE_READ(rq, q);
	r.part = (__u64)BPF_CORE_READ(rq, part);
	r.opf = BPF_CORE_READ(rq, cmd_flags);
	r.batch = ctx->batch;
	e = rq_find(r.rq, &idx);
	dev = drv_knows(e, &r) ? e->dev : dev_of((__u32)BPF_CORE_READ(rq, q, disk, major) << 20 |
				  BPF_CORE_READ(rq, q, disk, first_minor),
				  BPF_CORE_READ(rq, part, bd_dev));
	if (dev < 0 || is_passthrough(r.opf)) {
		rq_is_over(e);
		return 0;
	}
	e = drv_take(e, &r, dev, ctx->now, &idx);
	if (!e || sees_issue())
		return 0;
	bio = BPF_CORE_READ(rq, bio);
	if (bio)
		link_bios(bio, BPF_CORE_READ(bio, bi_next), e, idx, false);
	return 0;
}
