/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_ATTACH_IDS_H
#define BLKLAT_ATTACH_IDS_H

#include "blklat/collect/hooks.h"

/**
 * attach_ids_use() - have libbpf take from here what programs hang on
 *
 * libbpf would look for each function and tracepoint once more, for those of
 * modules in the BTF of one module after the other.
 * @status: what hooks_probe() found, of all hooks; used until the programs are
 *	loaded. To be called before the BPF object is opened.
 */
void attach_ids_use(const struct hook_status *status);

/* The programs are loaded: closes what was opened for that. */
void attach_ids_done(void);

#endif
