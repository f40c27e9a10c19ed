// SPDX-License-Identifier: GPL-2.0
/* The maps, the configuration and the state: defined once, here. */
#define BLKLAT_DEFINE_TABLES
#include "tables.bpf.h"

SET_BY_USER struct blklat_config cfg = {};
struct blklat_state state = {};
__u32 ended[BLKLAT_MAX_SLOTS] = {};
struct blklat_rq rqs[1U << BLKLAT_RQS_LOG2] = {};
struct batch batches[BATCHES] = {};
struct blklat_ledger ledgers[BLKLAT_MAX_DEVS] = {};
struct blklat_edge edges[BLKLAT_MAX_DEVS * BLKLAT_MAX_DEVS] = {};
struct blklat_end ends[BLKLAT_MAX_DEVS * BLKLAT_ENDS] = {};
struct addr_entry bios[BLKLAT_ADDRS] = {};
struct addr_entry kiocbs[BLKLAT_ADDRS] = {};
struct task_io tasks[BLKLAT_TASKS] = {};
/* The last one, as user space has the kernel make room for as many as there are, not for all. */
struct blklat_io slots[BLKLAT_MAX_SLOTS] = {};

char LICENSE[] SEC("license") = "GPL";
