// SPDX-License-Identifier: GPL-2.0
/*
 * Hook SCSI and, through libata, AHCI. Most hosts are told of a request inside queue_rq(). A host
 * that has commit_rqs(), such as virtio-scsi, is notified at bd->last or in commit_rqs().
 */
#include "drv.bpf.h"

static __always_inline bool scsi_commits(const struct blk_mq_queue_data *bd)
{
	return bd->rq->q->mq_ops->commit_rqs;
}

DRV_QUEUE_RQ(scsi, scsi_queue_rq, scsi_commits(bd))
DRV_COMMIT_RQS(scsi, scsi_commit_rqs)
