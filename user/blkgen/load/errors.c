// SPDX-License-Identifier: GPL-2.0
/* Parse --errors, which says how many failures end a load. */
#include <string.h>
#include <stdbool.h>
#include "blkgen/load/errors.h"
#include "core/opt.h"
#include "core/units.h"

/* Parse "NAME=N" with an N from 1 to @max. */
static bool number(const char *text, const char *name, uint64_t max, uint64_t *n)
{
	size_t len = strlen(name);

	return !strncmp(text, name, len) && text[len] == '=' && !parse_count(text + len + 1, n) &&
	       *n && *n <= max;
}

int load_errors_parse(const char *text, __u32 *in_a_row, __u64 *in_all)
{
	uint64_t n;

	/* Do not use 0 for "no limit": the module would then use its default limit. */
	*in_a_row = UINT32_MAX;
	*in_all = 0;
	if (!strcmp(text, "continue"))
		return 0;
	if (!strcmp(text, "stop"))
		*in_all = 1;
	else if (number(text, "max", UINT64_MAX, &n))
		*in_all = n;
	else if (number(text, "row", UINT32_MAX, &n))
		*in_a_row = n;
	else
		return usage_error("--errors: '%s' is none of stop, continue, max=N and row=N",
				   text);
	return 0;
}
