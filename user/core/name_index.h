/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NAME_INDEX_H
#define BLKLAT_NAME_INDEX_H

#include <stddef.h>

/*
 * An index has some names. It helps to go once through very many other names (the kernel's symbols,
 * or its types) and find those that are in the index. It is fast for a name that is not in it.
 */
struct name_index;

/**
 * name_index_new() - make an index
 * @names: the names, which must stay valid; a name may be there several times, and NULL is left
 *	out
 * @n: number of @names
 *
 * Return: the index, for name_index_free(), or NULL without memory.
 */
struct name_index *name_index_new(const char *const *names, size_t n);

/**
 * name_index_free() - free an index, but not the names, which are the caller's
 * @ix: the index; NULL does nothing
 */
void name_index_free(struct name_index *ix);

/**
 * name_index_each() - call a function for each place of a name
 * @ix: the index
 * @name: the name to look for
 * @fn: called with the place in the array of names that name_index_new() got
 * @arg: passed on to @fn
 */
void name_index_each(const struct name_index *ix, const char *name,
		     void (*fn)(void *arg, size_t place), void *arg);

#endif
