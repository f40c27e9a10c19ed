/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_ATTACH_IDS_H
#define BLKLAT_ATTACH_IDS_H

#include "blklat/collect/hooks.h"

/**
 * attach_ids_use() - tell libbpf the BTF ids of what the programs are attached to
 * @status: status of all hooks from hooks_probe(); it is read until attach_ids_done()
 *
 * Without this, libbpf searches again for each function and tracepoint; for those of modules it
 * searches the BTF of one module after the other. Call this before the BPF object is opened, and
 * fill in @status before the programs are loaded.
 */
void attach_ids_use(const struct hook_status *status);

/**
 * attach_ids_done() - close what was opened to load the programs
 *
 * Call this when they are loaded, or when the kernel has refused them.
 */
void attach_ids_done(void);

#endif
