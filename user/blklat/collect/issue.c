// SPDX-License-Identifier: GPL-2.0
/*
 * Decide if mark D is needed. block_rq_issue fires inside the driver. If each entry of the driver
 * (queue_rq, queue_rqs) has its hook, marks X and B tell more than D, and without D one program
 * less runs for each request.
 */
#include <string.h>
#include "blklat/collect/issue.h"
#include "blklat/collect/symbols.h"

static bool is_entry(const struct hook *h, const char *family)
{
	return h->family && !strcmp(h->family, family) && !strcmp(h->marks, "X");
}

/*
 * Return true if the kernel has this function, or if that is not known. A function in a driver's
 * table of operations is always a symbol, even if it is not in BTF.
 */
static bool is_there(const char *name, const char *module)
{
	struct symbol sym = { .name = name, .module = module };

	return symbols_find(&sym, 1) || sym.addr;
}

/* Return true if each entry that the driver has in this kernel has a hook. */
static bool all_entries_hooked(const char *family, const struct hook_status *status)
{
	const char *module = NULL;

	for (size_t i = 0; i < nr_hooks; i++)
		if (is_entry(&hooks[i], family) && status[i].state == HOOK_FOUND)
			module = status[i].module;
	for (size_t i = 0; i < nr_hooks && module; i++)
		if (is_entry(&hooks[i], family) && status[i].state != HOOK_FOUND &&
		    is_there(hooks[i].symbol, module))
			return false;
	return module;
}

bool issue_wanted(const struct device *devs, size_t ndevs, const struct hook_status *status)
{
	for (size_t i = 0; i < ndevs; i++) {
		const char *family = hook_family(&devs[i]);

		/* A bio-based layer has no requests itself; the devices below it have them. */
		if (device_is_layer(&devs[i]) && devs[i].bio_based)
			continue;
		if (!devs[i].bio_based && (!family || !all_entries_hooked(family, status)))
			return true;
	}
	return false;
}
