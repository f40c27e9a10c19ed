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
 * symbols_find() - look up functions, all in one pass: there are some 200 000
 * symbols, and a user waits
 * @v: @n of them, in any order; names may be there several times
 * Return: 0 or -errno, reported.
 */
int symbols_find(struct symbol *v, size_t n);

/**
 * symbols_each() - call @fn with each symbol of the kernel and its modules
 * @fn: @module is "" in the kernel itself
 * Return: 0 or -errno, reported.
 */
int symbols_each(void (*fn)(void *arg, uint64_t addr, const char *name, const char *module),
		 void *arg);

#endif
