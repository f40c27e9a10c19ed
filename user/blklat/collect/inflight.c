// SPDX-License-Identifier: GPL-2.0
/* List the I/Os of a disk that are in flight, by the program of bpf/inflight.bpf.c. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include "blklat/collect/inflight.h"
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/limits.h"
#include "blklat/collect/min_btf.h"
#include "blklat/collect/symbols.h"
#include "core/log.h"
#include "inflight.skel.h"

/*
 * Load the program. It needs the address of a function that is not exported to modules. libbpf
 * would read all of /proc/kallsyms for it, so look it up here. Without it, flushes are listed as
 * requests.
 */
static int load(struct inflight *f, int btf_fd)
{
	static const char *const modules[] = { "dm_mod", "nvme_core" };
	struct symbol end = { "mq_flush_data_end_io" };
	int ret = min_btf_write(btf_fd, f->obj, modules, sizeof(modules) / sizeof(*modules));

	if (ret)
		return ret;
	ret = symbols_find(&end, 1);
	if (ret)
		return ret;
	f->rodata->flush_data_end = end.addr;
	ret = inflight__load(f);
	if (ret == -EPERM && !may_trace())
		return limits_no_rights();
	return !ret ? 0 : err(ret, "the kernel refused the program that lists I/Os in flight: %s "
			      "(-v shows the reason)", strerror(-ret));
}

int inflight_open(struct inflight **out)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	char path[MIN_BTF_PATH];
	int fd, ret;

	libbpf_follow_log();
	fd = min_btf_open(path, &opts.btf_custom_path);
	*out = inflight__open_opts(&opts);
	ret = *out ? load(*out, fd) : err(-errno, "cannot open the BPF program: %s",
					  strerror(errno));
	if (fd >= 0)
		close(fd);
	if (ret) {
		inflight__destroy(*out);
		*out = NULL;
	}
	return ret;
}

void inflight_close(struct inflight *f)
{
	inflight__destroy(f);
}

static enum inflight_kind kind_of(const struct device *d, int fd)
{
	if (!faccessat(fd, "dm", F_OK, 0))
		return INFLIGHT_DM;
	return device_is_nvme_head(d) ? INFLIGHT_NVME_HEAD : INFLIGHT_OTHER;
}

int inflight_read(struct inflight *f, const struct device *d, uint64_t older_ns,
		  struct inflight_disk *disk, const struct inflight_io **ios, size_t *n)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int fd = open(d->disk_sys, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (fd < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	f->bss->disk = (struct inflight_disk){
		.older_ns = older_ns,
		.fd = fd,
		.kind = kind_of(d, fd),
	};
	ret = bpf_prog_test_run_opts(bpf_program__fd(f->progs.list_inflight), &run);
	close(fd);
	*disk = f->bss->disk;
	*ios = f->bss->ios;
	*n = disk->listed < INFLIGHT_MAX ? disk->listed : INFLIGHT_MAX;
	return ret ? ret : disk->found ? 0 : -ENODEV;
}
