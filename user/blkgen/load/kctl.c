// SPDX-License-Identifier: GPL-2.0
/* Open sessions of /dev/blkgen and call their ioctls. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "core/log.h"
#include "device/module.h"
#include "blkgen/load/kctl.h"

static int ctl(int fd, unsigned long op, void *arg)
{
	return ioctl(fd, op, arg) < 0 ? -errno : 0;
}

int kctl_features(int fd, struct blkgen_features *f)
{
	memset(f, 0, sizeof(*f));
	f->size = sizeof(*f);
	return ctl(fd, BLKGEN_IOC_FEATURES, f);
}

int kctl_setup(int fd, struct blkgen_setup *s)
{
	s->size = sizeof(*s);
	return ctl(fd, BLKGEN_IOC_SETUP, s);
}

int kctl_start(int fd)
{
	return ctl(fd, BLKGEN_IOC_START, NULL);
}

int kctl_stop(int fd)
{
	return ctl(fd, BLKGEN_IOC_STOP, NULL);
}

int kctl_status(int fd, struct blkgen_status *s)
{
	memset(s, 0, sizeof(*s));
	s->size = sizeof(*s);
	return ctl(fd, BLKGEN_IOC_STATUS, s);
}

int kctl_worker(int fd, unsigned int worker, struct blkgen_worker_info *w)
{
	memset(w, 0, sizeof(*w));
	w->size = sizeof(*w);
	w->worker = worker;
	return ctl(fd, BLKGEN_IOC_WORKER, w);
}

int kctl_result(int fd, enum blkgen_what what, unsigned int worker, unsigned int op,
		struct blkgen_result *r, struct hist *h)
{
	int ret;

	memset(r, 0, sizeof(*r));
	r->size = sizeof(*r);
	r->worker = worker;
	r->op = op;
	r->what = what;
	r->hist_len = h->nbuckets;
	r->hist_ptr = (uintptr_t)h->buckets;
	ret = ctl(fd, BLKGEN_IOC_RESULT, r);
	if (ret)
		return ret;
	h->bits = r->hist_bits;
	h->nbuckets = r->hist_len;
	h->count = r->ios;
	h->sum = r->lat_sum;
	h->min = r->lat_min;
	h->max = r->lat_max;
	return 0;
}

int kctl_stalls(int fd, unsigned int worker, struct blkgen_stalls *st)
{
	memset(st, 0, sizeof(*st));
	st->size = sizeof(*st);
	st->worker = worker;
	return ctl(fd, BLKGEN_IOC_STALLS, st);
}

int kctl_mismatch(int fd, struct blkgen_mismatches *mm)
{
	memset(mm, 0, sizeof(*mm));
	mm->size = sizeof(*mm);
	return ctl(fd, BLKGEN_IOC_MISMATCH, mm);
}

int kctl_open(void)
{
	char why[200] = "";
	int fd = open(BLKGEN_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENXIO || errno == ENODEV)) {
		if (geteuid())
			return err(-EPERM, "the module blkgen is not loaded; run as root");
		verbose("loading the module blkgen");
		/* Loading also fails if another process was faster: then the device is there. */
		if (load_module("blkgen", NULL, why, sizeof(why)) && access(BLKGEN_DEVICE, F_OK))
			return err(-ENOENT, "cannot load the module blkgen: %s",
				   *why ? why : "modprobe failed");
		fd = open(BLKGEN_DEVICE, O_RDWR | O_CLOEXEC);
	}
	if (fd >= 0)
		return fd;
	if (errno == EACCES || errno == EPERM)
		return err(-EACCES, "no permission for " BLKGEN_DEVICE "; run as root");
	return err(-errno, BLKGEN_DEVICE ": cannot open: %s", strerror(errno));
}
