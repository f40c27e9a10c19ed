/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_LINKS_H
#define BLKLAT_LINKS_H

#include <stddef.h>
#include "blklat.h"
#include "core/own_end.h"

/**
 * links_find() - find the ways from a bio to the one above in this kernel
 * @links: BLKLAT_LINKS entries, zeroed; filled in, hashed by bi_end_io
 * @queued_flag: see struct blklat_config
 *
 * A module that is not loaded has no bios; what of a loaded one is not known is
 * said with -v.
 * Return: how many, or -errno, reported.
 */
int links_find(struct blklat_link *links, __u32 *queued_flag);

/* Set name, module and what of @n of them. */
void links_name_ends(struct own_end *v, size_t n);

#endif
