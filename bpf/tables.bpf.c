// SPDX-License-Identifier: GPL-2.0
/* Define the configuration and the variables that all programs share. */
#define BLKLAT_DEFINE_TABLES
#include "tables.bpf.h"

SET_BY_USER struct blklat_config cfg = {};
struct blklat_state state = {};
__u32 ended[BLKLAT_MAX_SLOTS] = {};
struct blklat_rq rqs[1U << BLKLAT_RQS_LOG2] = {};
struct batch batches[BATCHES] = {};
struct blklat_ledger ledgers[BLKLAT_MAX_DEVS] = {};
struct blklat_end ends[BLKLAT_MAX_DEVS * BLKLAT_ENDS] = {};
struct addr_entry addrs[NR_ADDRS] = {};
struct task_io tasks[BLKLAT_TASKS] = {};
/* The array is aligned, so that no two CPUs write to one cache line. */
struct blklat_cpu cpus[BLKLAT_MAX_CPUS] __attribute__((aligned(64))) = {};
/*
 * This must be the last variable: user space shortens the map of the variables to the number of
 * slots that the trace has.
 */
struct blklat_io slots[BLKLAT_MAX_SLOTS] = {};

char LICENSE[] SEC("license") = "GPL";
