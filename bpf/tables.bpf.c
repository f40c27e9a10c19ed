// SPDX-License-Identifier: GPL-2.0
/* The maps, the configuration and the state: defined once, here. */
#define BLKLAT_DEFINE_TABLES
#include "tables.bpf.h"

SET_BY_USER struct blklat_config cfg = {};
struct blklat_state state = {};
struct blklat_io slots[BLKLAT_SLOTS] = {};
__u32 ended[BLKLAT_SLOTS] = {};
struct blklat_rq rqs[1U << BLKLAT_RQS_LOG2] = {};
struct batch batches[BATCHES] = {};
struct blklat_ledger ledgers[BLKLAT_MAX_DEVS] = {};
struct blklat_edge edges[BLKLAT_MAX_DEVS * BLKLAT_MAX_DEVS] = {};
struct blklat_end ends[BLKLAT_MAX_DEVS * BLKLAT_ENDS] = {};
struct addr_entry bios[BLKLAT_SLOTS] = {};
struct addr_entry kiocbs[BLKLAT_SLOTS] = {};
struct task_io tasks[BLKLAT_TASKS] = {};

char LICENSE[] SEC("license") = "GPL";
