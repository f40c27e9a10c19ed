// SPDX-License-Identifier: GPL-2.0
/* A BPF session: load, attach, start, stop, and read what was recorded. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "blklat/collect/attach_ids.h"
#include "blklat/collect/cost.h"
#include "blklat/collect/issue.h"
#include "blklat/collect/links.h"
#include "blklat/collect/account.h"
#include "blklat/collect/session.h"
#include "blklat/collect/slots.h"
#include "blklat/collect/submitters.h"
#include "blklat/collect/trial.h"
#include "core/io_event.h"
#include "uapi/loglin.h"
#include "blklat.skel.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/sampler.h"

/* Of the memory, this part is the ring of the records of single I/Os, within these bounds. */
#define RING_PART 128
#define RING_MIN (1UL << 20)
#define RING_MAX (64UL << 20)

/*
 * After so many calls of session_tick() without an I/O that found no slot, none of those that did
 * is taken to be under way any more.
 */
#define FULL_TICKS 50

/**
 * struct unseen_starts - the I/Os of a layer that ended in the trace and that no program saw begin
 * @under_way: how many were under way at the start, at most; UINT64_MAX when that is not known
 * @before: how many session_ledger() took for such ones; never becomes less
 * @lost: how many it took for lost ones; never becomes less
 */
struct unseen_starts {
	uint64_t under_way;
	uint64_t before;
	uint64_t lost;
};

struct session {
	struct blklat *skel;
	uint64_t not_followed;
	unsigned int full_ticks;
	struct hook_status *status;
	struct bpf_link **links;
	struct account *account;
	struct by *by;
	struct event_ring events;
	size_t events_len;
	unsigned int ndevs, max_devs;
	int stats_fd;
	bool own_cost, issue, sampling;
	bool *later;	/* by hook: loaded, to be attached when a device joins that needs it */
	struct sampler sampler;
	struct session_cost cost;
	uint64_t run_ns_before, runs_before;
	struct unseen_starts *unseen;	/* by device */
	struct submitters submitters;
};

static const long io_syscalls[] = {
	SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev,
	SYS_preadv, SYS_pwritev, SYS_preadv2, SYS_pwritev2, SYS_sendfile,
	SYS_splice, SYS_copy_file_range, SYS_fsync, SYS_fdatasync, SYS_sync,
	SYS_syncfs, SYS_sync_file_range, SYS_msync, SYS_fallocate, SYS_ioctl,
	SYS_io_submit, SYS_io_getevents,
#ifdef SYS_io_pgetevents
	SYS_io_pgetevents,
#endif
	SYS_io_uring_enter,
};

static bool has_layer(const struct session_opts *o)
{
	for (size_t i = 0; i < o->ndevs; i++)
		if (device_is_layer(&o->devs[i]))
			return true;
	return false;
}

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list args)
{
	if (log_level() < 2 || level == LIBBPF_DEBUG)
		return 0;
	return vfprintf(stderr, fmt, args);
}

static uint32_t kernel_dev(dev_t dev)
{
	return (uint32_t)major(dev) << 20 | minor(dev);
}

/* cgroup v2: the id of a directory is its inode number. */
static int set_cgroup(const char *path, struct blklat_config *cfg)
{
	struct stat st;
	char *real, *p;
	int level = 0;

	real = realpath(path, NULL);
	if (!real || stat(real, &st) || !S_ISDIR(st.st_mode)) {
		free(real);
		return err(-ENOENT, "%s: no such cgroup; name its directory, as in /sys/fs/cgroup/system.slice",
			   path);
	}
	if (strncmp(real, "/sys/fs/cgroup", 14)) {
		free(real);
		return err(-EINVAL, "%s: not below /sys/fs/cgroup", path);
	}
	for (p = real + 14; *p; p++)
		level += *p == '/' && p[1];
	cfg->cgroup_level = level;
	cfg->cgroup_id = st.st_ino;
	free(real);
	return 0;
}

static void fill_dev(struct blklat_dev_cfg *cfg, const struct device *d)
{
	cfg->disk = kernel_dev(d->disk_dev);
	cfg->part = d->partition ? kernel_dev(d->dev) : 0;
	cfg->layer = device_is_layer(d);
	cfg->bio_based = d->bio_based && !cfg->layer;
	cfg->requests = cfg->layer && !d->bio_based && !device_is_nvme_head(d);
	cfg->rqs = !cfg->layer && !d->bio_based;
}

/* The numbers of dm and md, as far as these are loaded. */
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

/* A partition of a disk that is traced before it is that disk, and needs no number. */
static void number_devs(struct blklat_config *cfg)
{
	for (size_t i = 0; i < cfg->nr_devs; i++) {
		struct blklat_dev_cfg *d = &cfg->devs[i];

		d->number = d->part ?: d->disk;
		for (size_t j = 0; j < i; j++)
			if (cfg->devs[j].disk == d->disk && !cfg->devs[j].part)
				d->number = 0;
	}
}

/* Have the programs find it, while they may run. */
static void place_dev(struct blklat_state *state, const struct blklat_dev_cfg *d, uint8_t index)
{
	__u8 *disk = &state->disk_at[blklat_dev_place(d->disk)], none = 0;

	__atomic_store_n(&state->dev_at[blklat_dev_place(d->number)], index, __ATOMIC_SEQ_CST);
	__atomic_compare_exchange_n(disk, &none, index + 1, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
}

/* Without those of layers outside a stack. */
static size_t event_size(bool stack)
{
	return stack ? sizeof(struct blklat_event) : offsetof(struct blklat_event, hops);
}

/* How many records there is room for: a power of two. */
static uint32_t ring_places(const struct session_opts *o, size_t size)
{
	size_t want = machine_memory() / RING_PART;
	uint32_t n = 1;

	want = want < RING_MIN ? RING_MIN : want > RING_MAX ? RING_MAX : want;
	while (n * size < (o->ring ?: want))
		n *= 2;
	return n;
}

static int fill_config(struct session *s, const struct session_opts *o, struct blklat_config *cfg)
{
	int ret;

	cfg->nr_devs = o->ndevs;
	for (int op = 0; op < NR_OPS; op++) {
		cfg->ops[op] = o->op_mask >> op & 1;
		cfg->filter |= !cfg->ops[op];
	}
	cfg->tgid = o->tgid;
	cfg->submitter = o->submitter;
	cfg->issue = s->issue = s->issue || o->spans || issue_wanted(o->devs, o->ndevs, s->status);
	cfg->cgroup_level = -1;
	for (size_t i = 0; i < sizeof(io_syscalls) / sizeof(io_syscalls[0]); i++)
		cfg->starts_io[io_syscalls[i]] = 1;
	for (size_t i = 0; i < o->ndevs; i++) {
		fill_dev(&cfg->devs[i], &o->devs[i]);
		cfg->devs[i].top = o->roles[i].top;
		cfg->devs[i].inner = o->roles[i].inner;
		cfg->stack |= cfg->devs[i].layer;
		cfg->bio_based |= cfg->devs[i].bio_based;
	}
	number_devs(cfg);
	cfg->minors = sys_num(o->devs[0].disk_sys, "range") ?: UINT32_MAX;
	memcpy(s->skel->bss->state.devs, cfg->devs, sizeof(cfg->devs));
	for (size_t i = 0; i < o->ndevs; i++)
		place_dev(&s->skel->bss->state, &cfg->devs[i], i);
	layer_majors(cfg->layer_majors);
	cfg->events = o->events || o->by >= BY_PID;
	cfg->slower_ns = o->by >= BY_PID ? 0 : o->slower_ns;
	cfg->cgroups = o->by == BY_CGROUP;
	cfg->max_devs = s->max_devs;
	cfg->joins = s->max_devs > o->ndevs;
	cfg->bio_based |= s->max_devs > o->ndevs;
	/* Its layers' own times are short: what tracing takes of them must be known. */
	cfg->cost = o->cost && cfg->stack;
	s->own_cost = cfg->cost;
	ret = links_find(cfg);
	if (ret < 0)
		return ret;
	cfg->filter |= o->tgid || o->comm || o->cgroup;
	if (o->comm) {
		cfg->has_comm = 1;
		snprintf(cfg->comm, sizeof(cfg->comm), "%s", o->comm);
	}
	return o->cgroup ? set_cgroup(o->cgroup, cfg) : 0;
}

/* Memory for records of single I/Os; what is never used of it is never there. */
static int make_ring(struct session *s, const struct session_opts *o)
{
	size_t size = event_size(s->skel->rodata->cfg.stack);
	uint32_t places;
	void *p;

	if (!o->events)
		return 0;
	places = ring_places(o, size);
	s->events_len = places * size;
	p = mmap(NULL, s->events_len, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return err(-errno, "no memory for the records of single I/Os: %s", strerror(errno));
	s->events = (struct event_ring){ .first = p, .size = size, .mask = places - 1 };
	return 0;
}

static int make_account(struct session *s, const struct session_opts *o)
{
	struct account_opts opts = {
		.state = &s->skel->bss->state,
		.slots = s->skel->bss->slots,
		.nr_slots = s->skel->rodata->cfg.last_slot + 1,
		.ended = s->skel->bss->ended,
		.edges = s->skel->bss->edges,
		.max_devs = s->max_devs,
		.cost = s->skel->rodata->cfg.cost,
		.check = o->check,
		.spans = o->spans,
		.events = o->events ? &s->events : NULL,
		.slower_ns = o->slower_ns,
		.sample = o->sample,
	};
	int ret = make_ring(s, o);

	if (ret)
		return ret;
	if (o->by)
		opts.by = s->by = by_new(o->by, s->max_devs);
	ret = o->by && !s->by ? -ENOMEM : account_open(&opts, &s->account);
	return ret ? err(ret, "out of memory") : 0;
}

static struct bpf_program *find_prog(const struct session *s, const struct hook *h)
{
	return bpf_object__find_program_by_name(s->skel->obj, h->prog);
}

/* dm or md: whether some of these devices lies below another layer. */
static bool layers_are_inner(const struct session *s, unsigned int major)
{
	for (size_t i = 0, n = session_ndevs(s); i < n; i++) {
		const struct blklat_dev_cfg *d = &s->skel->bss->state.devs[i];

		if (d->inner && d->layer && d->disk >> 20 == major)
			return true;
	}
	return false;
}

/*
 * What says when a layer below another one begins is not needed where there is none (yet);
 * nor what sees the requests of any driver, until a device joins, which may have another one.
 */
static bool is_for_later(const struct session *s, const struct bpf_program *prog)
{
	const volatile struct blklat_config *cfg = &s->skel->rodata->cfg;

	if (prog == s->skel->progs.rq_issue)
		return !s->issue && session_ndevs(s) == s->ndevs;
	if (prog == s->skel->progs.start_dm)
		return !layers_are_inner(s, cfg->layer_majors[0]);
	if (prog == s->skel->progs.start_md)
		return !layers_are_inner(s, cfg->layer_majors[1]) &&
		       !layers_are_inner(s, cfg->layer_majors[2]);
	return false;
}

/* Only what this kernel has, a traced device needs and the user wants is loaded. */
static int choose_programs(struct session *s, const struct session_opts *o)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_program *prog = find_prog(s, &hooks[i]);
		enum hook_state state = s->status[i].state;

		if (!o->submitter && hook_is_submitters(&hooks[i]))
			state = s->status[i].state = HOOK_UNUSED;
		if (!s->issue && state == HOOK_FOUND &&
		    ((prog == s->skel->progs.rq_issue && s->max_devs == s->ndevs) ||
		     prog == s->skel->progs.rq_insert))
			state = s->status[i].state = HOOK_UNUSED;
		if (!prog)
			return err(-ENOENT, "no BPF program %s in this blklat", hooks[i].prog);
		if (!hooks[i].without && state == HOOK_MISSING)
			return err(-ENOENT, "nothing can be traced: %s", s->status[i].reason);
		bpf_program__set_autoload(prog, state == HOOK_FOUND || state == HOOK_LATER);
	}
	return 0;
}

static int attach_one(struct session *s, size_t i)
{
	bool again = s->status[i].state == HOOK_ATTACHED;
	int ret = hook_attach(&hooks[i], find_prog(s, &hooks[i]), &s->status[i], &s->links[i]);

	s->cost.nr_progs += !ret && !again;
	return ret;
}

/*
 * The programs do nothing until session_start(), so the order does not
 * matter; a hook that this kernel refuses only merges two stages.
 */
static int attach_all(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		int ret;

		if (s->status[i].state != HOOK_FOUND)
			continue;
		if (is_for_later(s, find_prog(s, &hooks[i]))) {
			s->status[i].state = HOOK_UNUSED;
			s->later[i] = true;
			continue;
		}
		ret = attach_one(s, i);
		if (ret && !hooks[i].without)
			return err(ret, "nothing can be traced: %s", s->status[i].reason);
		if (ret)
			verbose("%s (%s)", s->status[i].reason, hooks[i].without);
	}
	s->submitters = (struct submitters){
		.skel = s->skel, .status = s->status, .links = s->links,
	};
	return 0;
}

/* The kernel refuses memory or programs. Says why. */
static int say_refused(int error)
{
	if (error == -EPERM && geteuid())
		return err(error, "no permission to load BPF programs; run as root");
	if (error == -E2BIG && trial_refuses_memory())
		return err(error, "this kernel takes no map of %zu MiB; "
			   "the oldest known to do so is Linux 6.1",
			   slots_bytes(BLKLAT_FIRST_SLOTS) >> 20);
	return err(error, "the kernel refused the BPF programs: %s (-v says why; "
		   "blklat probe, which types of program it takes)", strerror(-error));
}

static int make_slots(struct session *s, const struct session_opts *o, struct blklat_config *cfg)
{
	uint32_t n;
	int ret = slots_create(s->skel, o->ring, &n);

	if (ret == -ENOMEM)
		return err(ret, "no memory for the I/Os under way; --ring SIZE takes less");
	if (ret)
		return say_refused(ret);
	cfg->last_slot = n - 1;
	s->skel->bss->state.window = slots_first(n) - 1;
	verbose("room for %u I/Os, %zu MiB", n, slots_bytes(n) >> 20);
	return 0;
}

static int load(struct session *s, const struct session_opts *o)
{
	struct blklat_config *cfg;
	int ret, cpus;

	libbpf_set_print(print_libbpf);
	attach_ids_use(s->status);
	s->skel = blklat__open();
	if (!s->skel)
		return err(-errno, "cannot open the BPF programs: %s", strerror(errno));
	/* const volatile: ours to write until the programs are loaded. */
	cfg = (struct blklat_config *)&s->skel->rodata->cfg;
	ret = fill_config(s, o, cfg);
	if (ret)
		return ret;
	cpus = libbpf_num_possible_cpus();
	ret = bpf_map__set_max_entries(s->skel->maps.cpus, cpus > 0 ? cpus : 1);
	if (!ret)
		ret = make_slots(s, o, cfg);
	if (!ret)
		ret = choose_programs(s, o);
	if (ret)
		return ret;
	if (s->own_cost)
		cost_autoload(s->skel);
	ret = blklat__load(s->skel);
	attach_ids_done();
	if (ret)
		return say_refused(ret);
	return make_account(s, o);
}

/* What the verifier had to walk: a user waits for it. */
static void say_verified(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_prog_info info = {};
		__u32 len = sizeof(info);

		if (s->links[i] &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(find_prog(s, &hooks[i])), &info, &len))
			verbose("%s: %u instructions verified", hooks[i].prog, info.verified_insns);
	}
}

/* Only a layer can get others below it. */
static unsigned int spare_devs(const struct session_opts *o)
{
	size_t room = BLKLAT_MAX_DEVS - o->ndevs;

	if (!has_layer(o))
		return 0;
	return room < BLKLAT_SPARE_DEVS ? room : BLKLAT_SPARE_DEVS;
}

static int open_session(const struct session_opts *o, bool issue, struct session **out)
{
	unsigned long long begin = now_ns(), probed, loaded;
	struct session *s;
	int ret = -ENOMEM;

	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->stats_fd = -1;
	s->issue = issue;
	s->ndevs = o->ndevs;
	s->max_devs = o->ndevs + spare_devs(o);
	s->status = calloc(nr_hooks, sizeof(*s->status));
	s->links = calloc(nr_hooks, sizeof(*s->links));
	s->later = calloc(nr_hooks, sizeof(*s->later));
	s->unseen = calloc(BLKLAT_MAX_DEVS, sizeof(*s->unseen));
	if (!s->status || !s->links || !s->later || !s->unseen)
		goto close;
	ret = hooks_probe(o->devs, o->ndevs, s->status);
	probed = now_ns();
	if (!ret)
		ret = load(s, o);
	loaded = now_ns();
	/* The kernel's account makes calls dearer: before calibration. */
	if (!ret && o->cost && log_level() >= 2)
		s->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	s->sampling = o->cost && !o->steady && !s->own_cost;
	if (!ret && s->own_cost)
		cost_calibrate(s->skel);
	if (!ret)
		ret = attach_all(s);
	if (!ret)
		ret = account_start(s->account);
	if (ret)
		goto close;
	verbose("looked for hooks in %.2fs, loaded in %.2fs, attached in %.2fs", (probed - begin) / 1e9,
		(loaded - probed) / 1e9, (now_ns() - loaded) / 1e9);
	if (log_level() >= 2)
		say_verified(s);
	s->cost.attach_ns = now_ns() - begin;
	*out = s;
	return 0;
close:
	session_close(s);
	return ret;
}

int session_open(const struct session_opts *o, struct session **out)
{
	int ret = open_session(o, false, out);

	if (ret || (*out)->issue || !issue_entry_failed((*out)->status))
		return ret;
	/* block_rq_issue has to do without the hook of the driver that this kernel refused. */
	session_close(*out);
	return open_session(o, true, out);
}

static void sum_ledger(const struct session *s, unsigned int dev, struct blklat_ledger *l);

static uint64_t counted(const struct session *s, enum blklat_counter c)
{
	struct blklat_ledger l;
	uint64_t n = 0;

	for (unsigned int d = 0; d < s->max_devs; d++) {
		sum_ledger(s, d, &l);
		n += l.n[c];
	}
	return n;
}

/* What the kernel counted of the program of hooks[@i]; false when it was not attached. */
static bool prog_info(const struct session *s, size_t i, struct bpf_prog_info *info)
{
	__u32 len = sizeof(*info);

	memset(info, 0, len);
	return s->status[i].state == HOOK_ATTACHED &&
	       !bpf_obj_get_info_by_fd(bpf_program__fd(find_prog(s, &hooks[i])), info, &len);
}

/* What the kernel counted so far, and the I/Os in that time. */
static struct sample programs_seen(struct session *s)
{
	struct sample seen = { 0 };

	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_prog_info info;

		if (!prog_info(s, i, &info))
			continue;
		seen.run_ns += info.run_time_ns;
		seen.runs += info.run_cnt;
	}
	seen.ios = counted(s, COUNT_COMPLETED);
	return seen;
}

/* With -v the kernel counts all the time. */
static void turn_sampler(struct session *s)
{
	struct sample seen;

	if (log_level() < 2 && !s->sampler.on)
		s->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	seen = programs_seen(s);
	sampler_turn(&s->sampler, now_ns(), &seen);
	if (log_level() < 2 && !s->sampler.on && s->stats_fd >= 0) {
		close(s->stats_fd);
		s->stats_fd = -1;
	}
}

/*
 * The I/Os of a device that are under way, UINT64_MAX when the kernel does not say. What waits in a
 * suspended dm device is not among them, nor is what some md levels of 6.1 do.
 */
static uint64_t under_way(dev_t dev)
{
	unsigned int reads, writes;
	char dir[64], text[64];

	snprintf(dir, sizeof(dir), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (!sys_num(dir, "queue/iostats") || sys_read(dir, "inflight", text, sizeof(text)) ||
	    sscanf(text, "%u %u", &reads, &writes) != 2)
		return UINT64_MAX;
	return (uint64_t)reads + writes;
}

/* Returns true if the programs cannot tell an early start of an I/O from a missed one. */
static bool hides_lost(const struct blklat_dev_cfg *d)
{
	return d->layer && !d->requests && !(d->flags & DEV_JOINED);
}

/* After the trace began: what was under way then is under way still, or was counted meanwhile. */
static void note_under_way(struct session *s)
{
	for (size_t i = 0; i < s->ndevs; i++) {
		uint64_t n;

		if (!hides_lost(&s->skel->bss->state.devs[i]))
			continue;
		n = under_way(session_dev(s, i));
		if (n != UINT64_MAX)
			n += __atomic_load_n(&s->skel->bss->ledgers[i].n[COUNT_BEFORE],
					     __ATOMIC_SEQ_CST);
		s->unseen[i].under_way = n;
	}
}

void session_start(struct session *s)
{
	if (s->own_cost)
		cost_read(s->skel, &s->run_ns_before, &s->runs_before);
	if (s->sampling)
		turn_sampler(s);
	s->skel->bss->state.armed_ns = now_ns();
	__atomic_store_n(&s->skel->bss->state.phase, PHASE_TRACE, __ATOMIC_SEQ_CST);
	note_under_way(s);
}

/* What attach_all() left for later. */
static void attach_later(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_program *prog = find_prog(s, &hooks[i]);

		if (!s->later[i] || is_for_later(s, prog))
			continue;
		s->later[i] = false;
		if (!attach_one(s, i) && prog == s->skel->progs.rq_issue)
			__atomic_store_n(&s->skel->bss->state.issue, 1, __ATOMIC_SEQ_CST);
	}
}

static void sweep(struct session *s)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int ret;

	/* It may be held up between looking at a slot and writing to it. */
	account_hold(s->account);
	ret = bpf_prog_test_run_opts(bpf_program__fd(s->skel->progs.sweep), &run);
	account_release(s->account);
	if (ret)
		warn("I/Os that nobody waited for are not counted: %s", strerror(-ret));
}

/*
 * While I/Os that found no slot may be under way, the programs do not count an I/O whose start they
 * missed, as it may be one of these.
 */
static void look_at_full(struct session *s)
{
	struct blklat_state *state = &s->skel->bss->state;
	uint64_t n;

	if (!state->full)
		return;
	n = counted(s, COUNT_LOST_FULL);
	s->full_ticks = n == s->not_followed ? s->full_ticks + 1 : 0;
	s->not_followed = n;
	if (s->full_ticks >= FULL_TICKS)
		state->full = 0;
}

void session_tick(struct session *s)
{
	submitters_tick(&s->submitters);
	look_at_full(s);
	if (s->skel->bss->state.missed)
		sweep(s);
	if (s->sampling && sampler_wants_turn(&s->sampler, now_ns(), counted(s, COUNT_COMPLETED)))
		turn_sampler(s);
	for (size_t i = 0; i < nr_hooks; i++)
		if (s->status[i].state == HOOK_LATER && !access("/sys/module/blkgen", F_OK))
			attach_one(s, i);
	attach_later(s);
}

size_t session_ndevs(const struct session *s)
{
	size_t n = s->ndevs;

	/* Taken in this order; one that is not complete yet comes a moment later. */
	while (n < s->max_devs && __atomic_load_n(&s->skel->bss->state.devs[n].flags, __ATOMIC_ACQUIRE))
		n++;
	return n;
}

dev_t session_dev(const struct session *s, size_t index)
{
	const struct blklat_dev_cfg *d = &s->skel->bss->state.devs[index];
	uint32_t dev = d->part ?: d->disk;

	return makedev(dev >> 20, dev & 0xfffff);
}

/* As the programs look for it: a partition of a traced disk is that disk. */
static int find_dev(const struct session *s, const struct blklat_dev_cfg *d)
{
	size_t n = session_ndevs(s);

	for (size_t i = 0; i < n; i++) {
		const struct blklat_dev_cfg *at = &s->skel->bss->state.devs[i];

		if (at->disk == d->disk && (!at->part || at->part == d->part) &&
		    !(at->flags & DEV_GONE))
			return i;
	}
	return -1;
}

void session_describe(struct session *s, size_t index, const struct device *d)
{
	struct blklat_dev_cfg *at = &s->skel->bss->state.devs[index], cfg = { 0 };

	fill_dev(&cfg, d);
	at->layer = cfg.layer;
	at->bio_based = cfg.bio_based;
	at->requests = cfg.requests;
	at->rqs = cfg.rqs;
}

int session_join(struct session *s, const struct device *d)
{
	struct blklat_state *state = &s->skel->bss->state;
	struct blklat_dev_cfg cfg = { .inner = 1, .since_ns = ~0ULL };
	unsigned int at;
	uint32_t number;
	int found;

	fill_dev(&cfg, d);
	found = find_dev(s, &cfg);
	if (found >= 0) {
		state->devs[found].inner = 1;
		return found;
	}
	if (s->ndevs + state->joined >= s->max_devs)
		return -ENOSPC;
	at = s->ndevs + __atomic_fetch_add(&state->joined, 1, __ATOMIC_SEQ_CST);
	if (at >= s->max_devs)
		return -ENOSPC;
	state->devs[at] = cfg;
	__atomic_store_n(&state->devs[at].flags, DEV_JOINED, __ATOMIC_SEQ_CST);
	number = cfg.part ?: cfg.disk;
	__atomic_store_n(&state->devs[at].number, number, __ATOMIC_SEQ_CST);
	place_dev(state, &state->devs[at], at);
	__atomic_fetch_add(&state->changes, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&state->devs[at].since_ns, now_ns(), __ATOMIC_SEQ_CST);
	return at;
}

void session_retire(struct session *s, size_t index)
{
	struct blklat_dev_cfg *d = &s->skel->bss->state.devs[index];

	__atomic_or_fetch(&d->flags, DEV_GONE, __ATOMIC_SEQ_CST);
	__atomic_store_n(&d->number, 0, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&s->skel->bss->state.changes, 1, __ATOMIC_SEQ_CST);
}

static void read_cost(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_prog_info info;

		if (!prog_info(s, i, &info))
			continue;
		if (info.run_cnt)
			verbose("%s: ran %llu times, %llu ns each, %llu missed", hooks[i].prog,
				(unsigned long long)info.run_cnt,
				(unsigned long long)(info.run_time_ns / info.run_cnt),
				(unsigned long long)info.recursion_misses);
		s->cost.misses += info.recursion_misses;
	}
	if (s->sampling) {
		struct sample all = sampler_estimate(&s->sampler, counted(s, COUNT_COMPLETED));

		s->cost.run_ns = all.run_ns;
		s->cost.runs = all.runs;
	}
	if (s->own_cost && !cost_read(s->skel, &s->cost.run_ns, &s->cost.runs)) {
		s->cost.run_ns -= s->run_ns_before;
		s->cost.runs -= s->runs_before;
	}
}

uint64_t session_missed(const struct session *s)
{
	uint64_t n = s->cost.misses;

	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_prog_info info;

		if (prog_info(s, i, &info))
			n += info.recursion_misses;
	}
	return n;
}

void session_stop(struct session *s, uint64_t wait_ns)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	unsigned long long end = now_ns() + wait_ns;

	__atomic_store_n(&s->skel->bss->state.phase, PHASE_DRAIN, __ATOMIC_SEQ_CST);
	while (counted(s, COUNT_INFLIGHT) && now_ns() < end) {
		nanosleep(&pause, NULL);
		if (s->skel->bss->state.missed)
			sweep(s);
	}
	__atomic_store_n(&s->skel->bss->state.phase, PHASE_IDLE, __ATOMIC_SEQ_CST);
	if (s->sampler.on)
		turn_sampler(s);
	for (size_t i = 0; i < nr_hooks; i++) {
		bpf_link__destroy(s->links[i]);
		s->links[i] = NULL;
	}
	/* Programs that were called before they were detached may still run. */
	nanosleep(&pause, NULL);
	sweep(s);
	account_stop(s->account);
	read_cost(s);
}

void session_close(struct session *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->links && i < nr_hooks; i++)
		bpf_link__destroy(s->links[i]);
	if (s->stats_fd >= 0)
		close(s->stats_fd);
	account_close(s->account);
	by_free(s->by);
	if (s->events.first)
		munmap(s->events.first, s->events_len);
	blklat__destroy(s->skel);
	free(s->links);
	free(s->later);
	free(s->unseen);
	free(s->status);
	free(s);
}

const struct hook_status *session_hooks(const struct session *s)
{
	return s->status;
}

void session_hist(const struct session *s, struct hist *h, unsigned int dev, unsigned int op,
		  unsigned int row)
{
	account_hist(s->account, h, dev, op, row);
}

void session_sum(const struct session *s, unsigned int dev, unsigned int row,
		 uint64_t *count, uint64_t *sum)
{
	account_sum(s->account, dev, row, count, sum);
}

void session_tail(const struct session *s, struct blklat_tail *t, unsigned int dev,
		  unsigned int group)
{
	account_tail(s->account, t, dev, group);
}

/* Adds to the counters of a device what another one above it or below it made. */
static void sum_edges(const struct blklat_edge *up, const struct blklat_edge *down,
		      struct blklat_ledger *l)
{
	for (unsigned int op = 0; op < NR_OPS; op++) {
		l->n[COUNT_LINKED] += up->op[op].ios;
		l->n[COUNT_CRITICAL] += up->critical[op];
		l->n[COUNT_CHILDREN] += down->op[op].ios;
		l->n[COUNT_PARENTS] += down->op[op].ios;
		l->n[COUNT_CHILD_BYTES] += down->op[op].bytes;
	}
}

/* The counters of a device, with those that the programs leave to user space. */
static void sum_ledger(const struct session *s, unsigned int dev, struct blklat_ledger *l)
{
	uint64_t completed, sum, over;

	account_now(s->account);
	/* Before the others: nothing completes that has not started. */
	session_sum(s, dev, ROW_OF_SPAN(SPAN_TOTAL), &completed, &sum);
	*l = s->skel->bss->ledgers[dev];
	account_ledger(s->account, dev, l);
	l->n[COUNT_COMPLETED] = completed;
	l->n[COUNT_RQ_ISSUED] += l->n[COUNT_RQ_READS] + l->n[COUNT_RQ_WRITES] +
				 l->n[COUNT_RQ_DISCARDS] + l->n[COUNT_RQ_FLUSHES];
	/* One may complete while the counters are read. */
	if ((__s64)l->n[COUNT_RQ_ISSUED] < 0)
		l->n[COUNT_RQ_ISSUED] = 0;
	for (unsigned int op = 0; op < NR_OPS; op++)
		l->n[COUNT_BYTES] += l->op[op].bytes;
	for (unsigned int d = 0; s->skel->rodata->cfg.stack && d < s->max_devs; d++)
		sum_edges(session_edge(s, d, dev), session_edge(s, dev, d), l);
	/* What ended and is not charged yet is under way, too. */
	over = completed + l->n[COUNT_LOST_FULL] + l->n[COUNT_LOST_END] + l->n[COUNT_LOST_QUEUE];
	l->n[COUNT_INFLIGHT] = l->n[COUNT_STARTED] > over ? l->n[COUNT_STARTED] - over : 0;
}

/*
 * When an I/O of a layer ends that no program saw begin, the program cannot tell whether it began
 * before the trace. As many did as were under way then. The others are lost, as far as events were
 * missed and other devices have not lost an I/O by them. These are counters, which only grow.
 */
static void tell_lost_from_before(const struct session *s, unsigned int dev,
				  struct blklat_ledger *l)
{
	struct unseen_starts *u = &s->unseen[dev];
	uint64_t ended = l->n[COUNT_BEFORE], missed, lost;

	if (!hides_lost(&s->skel->bss->state.devs[dev]) || ended <= u->under_way)
		return;
	missed = session_missed(s);
	for (size_t i = 0; i < s->ndevs; i++)
		if (i != dev)
			missed -= missed < s->unseen[i].lost ? missed : s->unseen[i].lost;
	lost = ended - u->under_way;
	if (lost > missed)
		lost = missed;
	if (lost < u->lost)
		lost = u->lost;
	if (u->before < ended - lost)
		u->before = ended - lost;
	u->lost = ended - u->before;
	l->n[COUNT_BEFORE] -= u->lost;
	l->n[COUNT_STARTED] += u->lost;
	l->n[COUNT_LOST_QUEUE] += u->lost;
}

void session_ledger(const struct session *s, unsigned int dev, struct blklat_ledger *l)
{
	sum_ledger(s, dev, l);
	tell_lost_from_before(s, dev, l);
}

const struct blklat_edge *session_edge(const struct session *s, unsigned int above,
				       unsigned int below)
{
	return &s->skel->bss->edges[EDGE(above, below)];
}

static int more_first(const void *a, const void *b)
{
	const struct own_end *x = a, *y = b;

	return x->count < y->count ? 1 : x->count > y->count ? -1 : 0;
}

size_t session_own_ends(const struct session *s, unsigned int dev, struct own_end *ends)
{
	size_t n = 0;

	for (unsigned int i = 0; i < BLKLAT_ENDS; i++) {
		const struct blklat_end *e = &s->skel->bss->ends[dev * BLKLAT_ENDS + i];

		if (e->count)
			ends[n++] = (struct own_end){ .addr = e->end_io, .count = e->count };
	}
	qsort(ends, n, sizeof(*ends), more_first);
	return n;
}

const struct by *session_by(const struct session *s)
{
	return s->by;
}

struct event_ring *session_events(struct session *s)
{
	return &s->events;
}

uint64_t session_armed_ns(const struct session *s)
{
	return s->skel->bss->state.armed_ns;
}

void session_cost(const struct session *s, struct session_cost *cost)
{
	*cost = s->cost;
	cost->user_ns = account_cpu_ns(s->account);
}
