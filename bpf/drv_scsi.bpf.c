// SPDX-License-Identifier: GPL-2.0
/* SCSI and, through libata, AHCI: the host is told inside queue_rq. */
#include "drv.bpf.h"

DRV_QUEUE_RQ(scsi, scsi_queue_rq, false)
