/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SYMBOLS_H
#define BLKLAT_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct symbol - a function of the kernel that is looked for
 * @name: its name
 * @module: that has it, unless it is built in; NULL: it is the kernel's own
 * @addr: where it is, 0 when this kernel does not have it
 */
struct symbol {
	const char *name;
	const char *module;
	uint64_t addr;
};

/**
 * symbols_find() - look up functions, all at once: there are some 200 000
 * symbols, and a user waits
 * @v: @n of them, in any order; names may be there several times
 * Return: 0 or -errno, reported.
 */
int symbols_find(struct symbol *v, size_t n);

/**
 * struct symbol_name - a function whose name is looked for
 * @addr: where it begins
 * @name: its name, "" if there is none
 * @module: that has it, "" in the kernel itself
 */
struct symbol_name {
	uint64_t addr;
	char name[64];
	char module[32];
};

/**
 * symbols_name() - look up the names of functions
 * @v: @n of them, with their addresses
 * Return: 0 or -errno, reported.
 */
int symbols_name(struct symbol_name *v, size_t n);

#endif
