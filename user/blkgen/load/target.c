// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/load/hang.h"
#include "blkgen/load/nvme.h"
#include "blkgen/load/target.h"
#include "core/log.h"

int load_device_add(struct load *l, const char *name, size_t *at)
{
	struct load_dev *d = realloc(l->devs, (l->ndevs + 1) * sizeof(*d));
	size_t i;
	int ret;

	if (!d)
		return err(-ENOMEM, "out of memory");
	l->devs = d;
	d = memset(&l->devs[l->ndevs], 0, sizeof(*d));
	d->fd = -1;
	ret = device_resolve(name, &d->dev);
	if (ret)
		return ret;
	for (i = 0; i < l->ndevs && l->devs[i].dev.dev != d->dev.dev; i++)
		;
	*at = i;
	if (i < l->ndevs)
		return 1;
	device_facts(&d->dev);
	l->ndevs++;
	return 0;
}

int load_devices(struct load *l, char *const *names, size_t n, uint64_t jobs)
{
	size_t i, at;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		ret = load_device_add(l, names[i], &at);
		if (ret > 0)
			ret = usage_error("%s is named twice", l->devs[at].dev.name);
	}
	if (n)
		return ret;
	ret = tempdev_create(&l->temp, jobs < 64 ? jobs : 64, 256);
	if (!ret)
		ret = load_device_add(l, l->temp.name, &at);
	if (!ret)
		l->devs[at].temp = true;
	return ret;
}

int load_targets(struct load *l, size_t n)
{
	size_t i;

	free(l->targets);
	l->ntargets = 0;
	l->targets = calloc(n, sizeof(*l->targets));
	if (!l->targets)
		return err(-ENOMEM, "out of memory");
	l->ntargets = n;
	for (i = 0; i < n; i++)
		l->targets[i].ctl = -1;
	return 0;
}

void load_release(struct load *l)
{
	size_t i;

	load_leave(l);
	for (i = 0; i < l->ntargets; i++) {
		if (l->targets[i].ctl >= 0)
			close(l->targets[i].ctl);
		l->targets[i].ctl = -1;
		l->targets[i].running = false;
		free(l->targets[i].cpus);
		l->targets[i].cpus = NULL;
	}
}

void load_end(struct load *l)
{
	size_t i;

	load_release(l);
	free(l->targets);
	for (i = 0; i < l->ndevs; i++)
		if (l->devs[i].fd >= 0)
			close(l->devs[i].fd);
	load_nvme_free(l);
	free(l->devs);
	if (l->sigfd >= 0)
		close(l->sigfd);
	tempdev_destroy(&l->temp);
}

bool load_stdout_taken(const struct load *l)
{
	return load_stdout_files(l->cfg) > 0;
}
