/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_OWN_END_H
#define BLKLAT_OWN_END_H

#include <stdint.h>

/**
 * struct own_end - a bi_end_io function of a layer's bios that are tied to no single I/O above
 * @addr: address of the function
 * @count: I/Os that the function ended
 * @name: name of the function, "super_written"; its address when it has no name
 * @module: module of the function, "md_mod"; "" for the kernel itself
 * @what: purpose of these bios, "superblock"; NULL when the function is not known: then it is not
 *	known either whether each bio was made for one I/O above
 */
struct own_end {
	uint64_t addr;
	uint64_t count;
	char name[64];
	char module[32];
	const char *what;
};

#endif
