// SPDX-License-Identifier: GPL-2.0
/* Set the configuration of the programs from the options of a session. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <linux/magic.h>
#include "blklat/collect/issue.h"
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/links.h"
#include "blklat/collect/preempt.h"
#include "blklat/collect/session_parts.h"
#include "core/log.h"

static const long io_syscalls[] = {
	SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev,
	SYS_preadv, SYS_pwritev, SYS_preadv2, SYS_pwritev2, SYS_sendfile,
	SYS_splice, SYS_copy_file_range, SYS_fsync, SYS_fdatasync, SYS_sync,
	SYS_syncfs, SYS_sync_file_range, SYS_msync, SYS_fallocate, SYS_ioctl,
};

/* These start I/O that ends later, or wait for its end. */
static const long async_syscalls[] = {
	SYS_io_submit, SYS_io_getevents,
#ifdef SYS_io_pgetevents
	SYS_io_pgetevents,
#endif
	SYS_io_uring_enter,
};

/*
 * Set which system calls can start I/O. If no function is known that ends asynchronous I/O, nothing
 * tells such I/O from that of other calls, and the return of its system call would be taken for the
 * notice of its end. So leave these calls out.
 */
static void set_syscalls(struct blklat_config *cfg)
{
	static bool said;
	bool known = false;

	for (size_t i = 0; i < NR_ENDERS; i++)
		known |= cfg->enders[i] != 0;
	for (size_t i = 0; i < sizeof(io_syscalls) / sizeof(io_syscalls[0]); i++)
		cfg->starts_io[io_syscalls[i]] = 1;
	for (size_t i = 0; i < sizeof(async_syscalls) / sizeof(async_syscalls[0]); i++)
		cfg->starts_io[async_syscalls[i]] = known;
	if (known || said || !(cfg->submitter || cfg->stack))
		return;
	said = true;
	warn("the kernel shows no addresses of functions (this needs CAP_SYSLOG, and "
	     "kernel.kptr_restrict below 2): %s%s%s",
	     cfg->submitter ? "I/O of libaio and io_uring has no entry and no deliver" : "",
	     cfg->submitter && cfg->stack ? ", and " : "",
	     cfg->stack ? "I/Os are not tied to those of layers" : "");
}

/*
 * Return how many directories above @path are control groups of version 2. The tree need not be
 * mounted on /sys/fs/cgroup itself. This shortens @path.
 */
static int levels_above(char *path)
{
	struct statfs fs;
	int level = 0;
	char *slash;

	while ((slash = strrchr(path, '/')) && slash != path) {
		*slash = 0;
		if (statfs(path, &fs) || fs.f_type != CGROUP2_SUPER_MAGIC)
			break;
		level++;
	}
	return level;
}

/* Set the filter by control group. In cgroup v2, the id of a directory is its inode number. */
static int set_cgroup(const char *path, struct blklat_config *cfg)
{
	struct statfs fs;
	struct stat st;
	char *real;

	real = realpath(path, NULL);
	if (!real || stat(real, &st) || !S_ISDIR(st.st_mode)) {
		free(real);
		return err(-ENOENT, "%s: no such cgroup; name its directory, "
			   "as in /sys/fs/cgroup/system.slice", path);
	}
	if (strncmp(real, "/sys/fs/cgroup", 14)) {
		free(real);
		return err(-EINVAL, "%s: a cgroup must be a directory below /sys/fs/cgroup", path);
	}
	if (!statfs(real, &fs) && fs.f_type != CGROUP2_SUPER_MAGIC) {
		free(real);
		return err(-EINVAL, "%s: this is a cgroup of version 1; name one of version 2",
			   path);
	}
	cfg->cgroup_level = levels_above(real);
	cfg->cgroup_id = st.st_ino;
	free(real);
	return 0;
}

/* Set the major numbers of dm and md, as far as these drivers are loaded. */
static void layer_majors(__u32 *majors)
{
	static const char *const drivers[] = { "device-mapper", "md", "mdp" };
	FILE *f = fopen("/proc/devices", "re");
	char line[128], name[64];
	unsigned int major;

	while (f && fgets(line, sizeof(line), f))
		for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
			if (sscanf(line, "%u %63s", &major, name) == 2 && !strcmp(name, drivers[i]))
				majors[i] = major;
	if (f)
		fclose(f);
}

/*
 * Set the BTF id of the type with which read_word() reads. It must be the id in the kernel's own
 * BTF. The programs cannot find it by a relocation, because the small BTF that libbpf gets for
 * them has other ids.
 */
static int set_word_type(struct blklat_config *cfg)
{
	int id, error = 0;
	struct btf *kernel = kernel_btf(&error);

	if (!kernel)
		return error;
	id = btf__find_by_name_kind(kernel, "bvec_iter", BTF_KIND_STRUCT);
	if (id < 0)
		return err(id, "this kernel has no struct bvec_iter in its BTF");
	cfg->word_type = id;
	return 0;
}

/*
 * --by cgroup names a group by the directory of the control group. Only version 2 has all of these
 * directories in one tree.
 */
static int check_cgroups(void)
{
	struct statfs fs;

	if (!statfs("/sys/fs/cgroup", &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
		return 0;
	return err(-EOPNOTSUPP, "--by cgroup needs control groups of version 2 at /sys/fs/cgroup");
}

int session_configure(struct session *s, const struct session_opts *o, struct blklat_config *cfg)
{
	int ret = o->by == BY_CGROUP ? check_cgroups() : 0;

	if (ret)
		return ret;
	cfg->nr_devs = o->ndevs;
	for (int op = 0; op < NR_OPS; op++) {
		cfg->ops[op] = o->op_mask >> op & 1;
		cfg->filter |= !cfg->ops[op];
	}
	cfg->tgid = o->tgid;
	cfg->submitter = o->submitter;
	cfg->plug = o->plug;
	cfg->issue = s->issue = o->spans || issue_wanted(o->devs, o->ndevs, s->status);
	cfg->cgroup_level = -1;
	cfg->aio_untold = hook_state("aio_told", s->status) != HOOK_FOUND;
	for (size_t i = 0; i < o->ndevs; i++) {
		session_fill_dev(&cfg->devs[i], &o->devs[i]);
		cfg->devs[i].top = o->roles[i].top;
		cfg->devs[i].inner = o->roles[i].inner;
		cfg->stack |= cfg->devs[i].layer;
		cfg->bio_based |= cfg->devs[i].bio_based;
	}
	session_number_devs(cfg);
	cfg->minors = sys_num(o->devs[0].disk_sys, "range") ?: UINT32_MAX;
	memcpy(s->skel->bss->state.devs, cfg->devs, sizeof(cfg->devs));
	for (size_t i = 0; i < o->ndevs; i++)
		session_place_dev(&s->skel->bss->state, &cfg->devs[i], i);
	layer_majors(cfg->layer_majors);
	cfg->events = o->events || o->by >= BY_PID;
	cfg->cgroups = o->by == BY_CGROUP;
	cfg->max_devs = s->max_devs;
	cfg->joins = s->max_devs > o->ndevs;
	cfg->preempts = kernel_preempts();
	cfg->bio_based |= s->max_devs > o->ndevs;
	/* A layer itself takes little time, so measure which part of it tracing takes. */
	cfg->cost = o->cost && cfg->stack;
	s->own_cost = cfg->cost;
	ret = set_word_type(cfg);
	if (ret)
		return ret;
	ret = links_find(cfg);
	if (ret < 0)
		return ret;
	set_syscalls(cfg);
	cfg->filter |= o->tgid || o->comm || o->cgroup;
	if (o->comm) {
		cfg->has_comm = 1;
		snprintf(cfg->comm, sizeof(cfg->comm), "%s", o->comm);
	}
	return o->cgroup ? set_cgroup(o->cgroup, cfg) : 0;
}
