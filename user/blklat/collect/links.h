/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_LINKS_H
#define BLKLAT_LINKS_H

#include <stddef.h>
#include "blklat.h"
#include "core/own_end.h"

/**
 * links_find() - find by which functions bios end in this kernel
 * @cfg: enders is filled in; with @cfg->stack also links, the ways from a bio to
 *	the one above, and queued_flag. All must be zero.
 *
 * A module that is not loaded has no bios; what of a loaded one is not known is
 * said with -v.
 * Return: the number of links, or -errno, reported.
 */
int links_find(struct blklat_config *cfg);

/* Set name, module and what of @n of them. */
void links_name_ends(struct own_end *v, size_t n);

#endif
