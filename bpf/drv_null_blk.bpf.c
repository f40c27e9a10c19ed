// SPDX-License-Identifier: GPL-2.0
/* Hook null_blk, whose "device" is a timer (irqmode=2), an IPI or nothing. */
#include "drv.bpf.h"

/* null_queue_rqs() calls this function for each request, so there is no doorbell per batch. */
DRV_QUEUE_RQ(null_blk, null_queue_rq, false)

/* The expiry of the timer is null_blk's completion interrupt. */
SEC("?fentry/null_cmd_timer_expired")
int FENTRY_PROG(null_blk_timer, struct hrtimer *timer)
{
	__u64 cmd = (__u64)timer - bpf_core_field_offset(struct nullb_cmd, timer);
	/* The driver's data of a request lies right behind the request. */
	struct request *rq = (struct request *)(cmd - bpf_core_type_size(struct request));
	struct bio *bio = NULL;

	bpf_core_read(&bio, sizeof(bio), &rq->bio);
	return rq_seen_by_driver((__u64)rq, bio, began);
}
