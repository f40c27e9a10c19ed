// SPDX-License-Identifier: GPL-2.0
/* Write result files as metrics for Prometheus. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/metrics.h"
#include "blklat/report/tables.h"
#include "core/log.h"
#include "core/reader.h"
#include "blklat/result/openmetrics.h"
#include "output/file.h"

static const char *kernel_of(const struct report_set *set, const struct result_dev *d)
{
	for (size_t f = 0; f < set->n; f++)
		if (d >= set->results[f].devs && d < set->results[f].devs + set->results[f].ndevs)
			return doc_str(doc_get(set->results[f].doc, "kernel"), "release");
	return "";
}

/*
 * Refuse two devices with the same label: a series that appears twice would make the file
 * invalid.
 */
static int check_names(const struct plot_set *all)
{
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(all->devs[i].label, all->devs[k].label))
				return err(-EINVAL, "two devices are called %s, which metrics "
					   "cannot tell apart", all->devs[i].label);
	return 0;
}

/* Refuse files that were made before kinds of I/O had distributions. */
static int check_ops(const struct plot_set *all)
{
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->devs[i].dev->ops.n; k++)
			if (!all->devs[i].dev->ops.v[k].total.buckets)
				return err(-EINVAL, "%s: the file has no distributions of the "
					   "kinds of I/O", all->devs[i].label);
	return 0;
}

int report_metrics(const struct report_set *set, const char *path)
{
	struct metrics_dev *devs = calloc(set->all.n, sizeof(*devs));
	struct metrics m = { .missed = report_missed(set), .devs = devs, .ndevs = set->all.n };
	int ret = devs ? check_names(&set->all) : err(-ENOMEM, "out of memory");

	if (!ret)
		ret = check_ops(&set->all);
	for (size_t i = 0; i < m.ndevs && !ret; i++) {
		const struct plot_dev *d = &set->all.devs[i];

		devs[i] = (struct metrics_dev){ d->dev, d->label, kernel_of(set, d->dev) };
	}
	if (!ret) {
		ret = metrics_write(&m, path);
		if (ret && report_is_stdout(path))
			ret = reader_print_error(ret);
		else if (ret)
			err(ret, "%s: cannot write: %s", path, strerror(-ret));
	}
	free(devs);
	return ret;
}
