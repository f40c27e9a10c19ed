// SPDX-License-Identifier: GPL-2.0
/* virtio_blk: the host is notified at bd->last, commit_rqs or queue_rqs. */
#include "drv.bpf.h"

DRV_QUEUE_RQ(virtio_blk, virtio_queue_rq, true)
DRV_QUEUE_RQS(virtio_blk, virtio_queue_rqs)
DRV_COMMIT_RQS(virtio_blk, virtio_commit_rqs)
