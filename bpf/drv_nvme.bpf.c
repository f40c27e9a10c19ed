// SPDX-License-Identifier: GPL-2.0
/* Hook nvme-pci. It submits requests one by one or in batches. Tracepoint nvme_sq sees each CQE. */
#include "drv.bpf.h"

DRV_QUEUE_RQ(nvme, nvme_queue_rq, true)
DRV_QUEUE_RQS(nvme, nvme_queue_rqs)
DRV_COMMIT_RQS(nvme, nvme_commit_rqs)

SEC("?tp_btf/nvme_sq")
int TP_PROG(nvme_seen, struct request *rq)
{
	/* Some verifiers assume that the argument may be NULL. */
	return rq ? rq_seen_by_driver((__u64)rq, rq->bio, began) : 0;
}
