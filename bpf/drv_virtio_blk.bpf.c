// SPDX-License-Identifier: GPL-2.0
/* Hook virtio_blk, which notifies the host at bd->last, in commit_rqs() or in queue_rqs(). */
#include "drv.bpf.h"

DRV_QUEUE_RQ(virtio_blk, virtio_queue_rq, true)
DRV_QUEUE_RQS(virtio_blk, virtio_queue_rqs)
DRV_COMMIT_RQS(virtio_blk, virtio_commit_rqs)
