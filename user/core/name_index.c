// SPDX-License-Identifier: GPL-2.0
/* Find out fast which of very many names are among a few. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "core/name_index.h"

/*
 * @begins is true for each pair of characters with which a name in the index begins. Most names
 * that are not in the index fail this fast check, so they need no search.
 */
struct name_index {
	const char *const *names;
	size_t n;
	bool begins[1 << 16];
	size_t places[];	/* sorted by name */
};

static unsigned int begin_of(const char *name)
{
	return (unsigned char)name[0] << 8 | (name[0] ? (unsigned char)name[1] : 0);
}

static int by_name(const void *a, const void *b, void *arg)
{
	const struct name_index *ix = arg;

	return strcmp(ix->names[*(const size_t *)a], ix->names[*(const size_t *)b]);
}

struct name_index *name_index_new(const char *const *names, size_t n)
{
	struct name_index *ix = calloc(1, sizeof(*ix) + n * sizeof(*ix->places));

	if (!ix)
		return NULL;
	ix->names = names;
	for (size_t i = 0; i < n; i++) {
		if (!names[i])
			continue;
		ix->places[ix->n++] = i;
		ix->begins[begin_of(names[i])] = true;
	}
	qsort_r(ix->places, ix->n, sizeof(*ix->places), by_name, ix);
	return ix;
}

void name_index_free(struct name_index *ix)
{
	free(ix);
}

/* Return the number of names in the index that come before this one. */
static size_t names_before(const struct name_index *ix, const char *name)
{
	size_t low = 0, high = ix->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (strcmp(ix->names[ix->places[mid]], name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void name_index_each(const struct name_index *ix, const char *name,
		     void (*fn)(void *arg, size_t place), void *arg)
{
	if (!ix->begins[begin_of(name)])
		return;
	for (size_t i = names_before(ix, name);
	     i < ix->n && !strcmp(ix->names[ix->places[i]], name); i++)
		fn(arg, ix->places[i]);
}
