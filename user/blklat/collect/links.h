/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_LINKS_H
#define BLKLAT_LINKS_H

#include <stddef.h>
#include "blklat.h"
#include "core/own_end.h"

/**
 * links_find() - find the functions that end bios in this kernel
 * @cfg: its enders are filled in; with @cfg->stack also links, queued_flag, chain_end_io and
 *	cloned_flag. All of these must be zero before.
 *
 * A module that is not loaded has no bios, so it needs no links. With -v, a message names each
 * link of a loaded module that cannot be used.
 *
 * Return: the number of links, or -errno, reported.
 */
int links_find(struct blklat_config *cfg);

/**
 * links_name_ends() - name the functions that ended bios
 * @v: the functions, whose addresses are set; name, module and what are filled in
 * @n: number of functions
 *
 * A function whose name the kernel does not tell gets its address as a name. Without memory,
 * none gets a name.
 */
void links_name_ends(struct own_end *v, size_t n);

#endif
