/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_OWN_END_H
#define BLKLAT_OWN_END_H

#include <stdint.h>

/**
 * struct own_end - a bi_end_io function of bios that a layer did not make for a single I/O above it
 * @addr: address of the function; 0 in a result that was read from a file
 * @count: I/Os that the function ended
 * @name: name of the function, "super_written"; its address when it has no name
 * @module: module of the function, "md_mod"; "" for the kernel itself
 * @what: purpose of these bios, "superblock"; "" if the function is not known: then each bio may
 *	also have been made for a single I/O above
 */
struct own_end {
	uint64_t addr;
	uint64_t count;
	char name[64];
	char module[32];
	char what[64];
};

#endif
