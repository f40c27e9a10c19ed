// SPDX-License-Identifier: GPL-2.0
/* Hook SCSI and, through libata, AHCI, which tell the host inside queue_rq(). */
#include "drv.bpf.h"

DRV_QUEUE_RQ(scsi, scsi_queue_rq, false)
