// SPDX-License-Identifier: GPL-2.0
/* Run one load on one or more devices, from the claim of the devices to the end. */
#include <errno.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/check.h"
#include "blkgen/load/engine.h"
#include "blkgen/load/errors.h"
#include "blkgen/load/nvme.h"
#include "blkgen/load/run.h"
#include "blkgen/load/target.h"
#include "blkgen/load/wait.h"
#include "blkgen/load/where.h"
#include "core/log.h"
#include "core/units.h"
#include "device/safety.h"

static void fill_mix(const struct load_cfg *c, struct blkgen_setup *s)
{
	/* Use hundredths of a percent only if --mix has them: smaller numbers mix ops better. */
	double unit = c->mix == (unsigned int)c->mix ? 1 : 100;
	unsigned int r = (unsigned int)(c->mix * unit + 0.5), all = 100 * (unsigned int)unit;

	for (unsigned int op = 0; op < BLKGEN_NR_OPS; op++)
		s->mix[op] = load_has_op(c, op);
	if (load_has_op(c, BLKGEN_OP_READ) && load_has_op(c, BLKGEN_OP_WRITE)) {
		/* Both ops were asked for, so neither may be rounded to nothing. */
		r = r < 1 ? 1 : r > all - 1 ? all - 1 : r;
		s->mix[BLKGEN_OP_READ] = r;
		s->mix[BLKGEN_OP_WRITE] = all - r;
	}
}

static void fill_rate(const struct load_cfg *c, struct blkgen_setup *s)
{
	s->rate = c->rate & ~RATE_BYTES;
	if (!s->rate)
		s->arrival = s->burst = 0;
	else if (c->rate & RATE_BYTES)
		s->flags |= BLKGEN_SETUP_RATE_BYTES;
}

/*
 * Fill in the setup for the module. Convert the options that the module does not take as the user
 * gave them, and clear those that count only together with another option.
 */
static int fill_setup(struct load_target *t)
{
	const struct load_cfg *c = t->cfg;
	struct blkgen_setup *s = &t->setup;

	*s = c->set;
	s->dev_fd = t->on->fd;
	s->bs = c->sizes.max;
	if (t->endless)
		s->time_ns = 0;
	if (!(s->flags & BLKGEN_SETUP_VERIFY))
		s->generation = 0;
	load_errors_parse(c->on_errors, &s->error_limit, &s->error_max);
	fill_rate(c, s);
	fill_mix(c, s);
	return load_where_fill(c, &t->on->dev, s);
}

static int setup_error(const struct load_target *t, int ret)
{
	const char *name = t->on->dev.name;

	switch (ret) {
	case -ENOMEM:
		return err(ret,
			   "%s: not enough memory for --qd %u times --jobs %u buffers of --bs %u",
			   name, t->setup.qd, t->setup.workers, t->setup.bs);
	case -EOPNOTSUPP:
		if (t->cfg->set.engine == BLKGEN_ENGINE_POLLED)
			return err(ret, "%s: cannot be polled with this --bs and --align: some "
				   "I/Os would be split, and split I/Os are not polled", name);
		return err(ret, "%s: does not support the I/O of this load", name);
	case -EROFS:
		return err(ret, "%s: is read-only", name);
	case -EINTR:
		return err(ret, "%s: interrupted", name);
	default:
		return err(ret, "%s: the module blkgen refuses this load: %s", name,
			   strerror(-ret));
	}
}

static int claim(struct load_dev *d, bool force_signature)
{
	/*
	 * The device is still open from an earlier load. Drop its page cache, as a close would do:
	 * otherwise a buffered load finds data in the cache and does not read the device.
	 */
	if (d->fd >= 0) {
		if (ioctl(d->fd, BLKFLSBUF, 0))
			verbose("%s: cannot drop its page cache: %s", d->dev.name, strerror(errno));
		return 0;
	}
	d->fd = device_claim(&d->dev, d->changes, force_signature || d->temp,
			     "--force-signature overwrites it");
	return d->fd < 0 ? d->fd : 0;
}

int load_check_device(const struct load_target *t)
{
	/* Check this first: that the device is in use is more important than a wrong --offset. */
	int ret = t->on->not_in_use ? 0 : device_in_use(&t->on->dev);

	t->on->not_in_use = !ret;
	return ret ? ret : load_check_range(t->cfg, &t->on->dev);
}

static int features(struct load *l, int ctl)
{
	int ret = kctl_features(ctl, &l->feat);

	return ret ? err(ret, "the module blkgen has another version than this program: %s; "
			 "unload it (rmmod blkgen), and blkgen loads its own", strerror(-ret)) : 0;
}

int load_features(struct load *l)
{
	int ctl = kctl_open(), ret;

	if (ctl < 0)
		return ctl;
	ret = features(l, ctl);
	close(ctl);
	return ret;
}

static int prepare(struct load *l, struct load_target *t)
{
	int ret;

	ret = load_check_device(t);
	if (!ret)
		ret = claim(t->on, t->cfg->force_signature);
	if (ret)
		return ret;
	t->ctl = kctl_open();
	if (t->ctl < 0)
		return t->ctl;
	ret = features(l, t->ctl);
	if (!ret)
		ret = load_check_limits(t->cfg, &l->feat);
	if (ret)
		return ret;
	ret = fill_setup(t);
	if (!ret)
		ret = load_place_jobs(t);
	if (!ret) {
		ret = kctl_setup(t->ctl, &t->setup);
		ret = ret ? setup_error(t, ret) : 0;
	}
	load_where_done(&t->setup);
	return ret;
}

int load_prepare(struct load *l)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < l->ntargets && !ret; i++)
		ret = prepare(l, &l->targets[i]);
	return ret;
}

int load_execute(struct load *l)
{
	int ret = load_start(l);

	ret = ret ? ret : load_wait(l, 0);
	if (!ret)
		load_nvme_after(l);
	return ret;
}
