/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SYMBOLS_H
#define BLKLAT_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct symbol - a function of the kernel whose address is looked up
 * @name: its name
 * @module: module that has it, if that is not built in; NULL if it is the kernel's own
 * @addr: its address, 0 if this kernel does not have it
 */
struct symbol {
	const char *name;
	const char *module;
	uint64_t addr;
};

/**
 * symbols_find() - look up the addresses of functions
 * @v: the functions, in any order; a name may be there several times
 * @n: number of functions
 *
 * Look up all functions in one call: there are some 200 000 symbols, and the user waits.
 *
 * Return: 0 or -errno, reported.
 */
int symbols_find(struct symbol *v, size_t n);

/**
 * struct symbol_name - a function whose name is looked up
 * @addr: address of the function
 * @name: its name, "" if there is none
 * @module: module that has it, "" for the kernel itself
 */
struct symbol_name {
	uint64_t addr;
	char name[64];
	char module[32];
};

/**
 * symbols_name() - look up the names of functions
 * @v: the functions, with their addresses
 * @n: number of functions
 *
 * Return: 0 or -errno, reported.
 */
int symbols_name(struct symbol_name *v, size_t n);

#endif
