// SPDX-License-Identifier: GPL-2.0
/* nvme-pci: one by one or batched submission; every CQE passes nvme_sq. */
#include "drv.bpf.h"

DRV_QUEUE_RQ(nvme, nvme_queue_rq, true)
DRV_QUEUE_RQS(nvme, nvme_queue_rqs)
DRV_COMMIT_RQS(nvme, nvme_commit_rqs)

SEC("?tp_btf/nvme_sq")
int TP_PROG(nvme_seen, struct request *rq)
{
	return rq_seen_by_driver(rq);
}
