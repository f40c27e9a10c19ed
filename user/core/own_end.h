/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_OWN_END_H
#define BLKLAT_OWN_END_H

#include <stdint.h>

/**
 * struct own_end - a function that ends what layers send below of their own
 * @addr: its address
 * @count: I/Os
 * @name: "super_written", or the address when it has no name
 * @module: "md_mod", "" for the kernel itself
 * @what: what such I/O is ("superblock"); NULL when that is not known, and then
 *	nor is whether each was made for one I/O above
 */
struct own_end {
	uint64_t addr;
	uint64_t count;
	char name[64];
	char module[32];
	const char *what;
};

#endif
