// SPDX-License-Identifier: GPL-2.0
/* Load the programs of a session and attach them, and close a session. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include "blklat/collect/attach_ids.h"
#include "blklat/collect/cost.h"
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/limits.h"
#include "blklat/collect/min_btf.h"
#include "blklat/collect/session_parts.h"
#include "blklat/collect/slots.h"
#include "blklat/collect/trial.h"
#include "core/io_event.h"
#include "core/log.h"
#include "core/memory.h"

/*
 * The ring of records gets 1/RING_PART of the memory that may be used, but at least RING_MIN and
 * at most RING_MAX bytes.
 */
#define RING_PART 128
#define RING_MIN (1UL << 20)
#define RING_MAX (64UL << 20)

static bool has_layer(const struct session_opts *o)
{
	for (size_t i = 0; i < o->ndevs; i++)
		if (device_is_layer(&o->devs[i]))
			return true;
	return false;
}

/* Return the size of a record. Outside a stack a record has no hops through layers. */
static size_t event_size(bool stack)
{
	return stack ? sizeof(struct blklat_event) : offsetof(struct blklat_event, hops);
}

/* Return the bytes that the ring of records has at least. */
static size_t ring_bytes(const struct session_opts *o)
{
	size_t part = allowed_memory() / RING_PART;

	return o->ring ?: part < RING_MIN ? RING_MIN : part > RING_MAX ? RING_MAX : part;
}

/* Return the number of records in the ring, a power of two. */
static uint32_t ring_places(const struct session_opts *o, size_t size)
{
	uint32_t n = 1;

	while (n * size < ring_bytes(o))
		n *= 2;
	return n;
}

int session_check(const struct session_opts *o)
{
	/* The number of records is rounded up to a power of two. */
	return limits_check(slots_bytes(slots_number(o->ring)) +
			    (o->events ? 2 * ring_bytes(o) : 0), nr_hooks);
}

/* Make the ring of records. The kernel provides only those pages that are used. */
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
		.ledgers = s->skel->bss->ledgers,
		.max_devs = s->max_devs,
		.steady = o->steady,
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

/* Report why the kernel refused memory or programs. Return @error. */
static int say_refused(int error)
{
	if (error == -E2BIG && trial_refuses_memory())
		return err(error, "this kernel refuses a BPF map of %zu MiB; "
			   "the oldest kernel known to allow such a map is Linux 6.1",
			   slots_bytes(BLKLAT_FIRST_SLOTS) >> 20);
	return err(error, "the kernel refused the BPF programs: %s (-v shows the reason, "
		   "blklat probe shows what the kernel refuses)", strerror(-error));
}

static int make_slots(struct session *s, const struct session_opts *o, struct blklat_config *cfg)
{
	uint32_t n = slots_number(o->ring);
	int ret = slots_create(s->skel, n);

	if (ret == -ENOMEM)
		return err(ret, "no memory for the I/Os in flight; try --ring with a smaller SIZE");
	if (ret)
		return say_refused(ret);
	cfg->last_slot = n - 1;
	s->skel->bss->state.window = slots_first(n) - 1;
	verbose("there is room for %u I/Os, %zu MiB", n, slots_bytes(n) >> 20);
	return 0;
}

static int open_programs(struct session *s)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	char path[MIN_BTF_PATH];

	libbpf_follow_log();
	s->btf_fd = min_btf_open(path, &opts.btf_custom_path);
	/* libbpf chooses the handlers of sections when the programs are opened. */
	attach_ids_use(s->status);
	s->skel = blklat__open_opts(&opts);
	if (!s->skel)
		return err(-errno, "cannot open the BPF programs: %s", strerror(errno));
	return hooks_read(s->skel->obj);
}

/* Add a module to @n others if it is not one of them. Return how many they are then. */
static size_t add_module(const char **modules, size_t n, const char *module)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(modules[i], module))
			return n;
	if (*module && n < HOOK_MODULES)
		modules[n++] = module;
	return n;
}

/* Write the types that the programs use. Those of a driver are in the module that has its hooks. */
static int write_types(const struct session *s)
{
	const char *modules[HOOK_MODULES];
	size_t n = 0;

	for (size_t i = 0; i < nr_hooks; i++)
		if (s->status[i].state == HOOK_FOUND && s->status[i].btf_id)
			n = add_module(modules, n, s->status[i].module);
	return min_btf_write(s->btf_fd, s->skel->obj, modules, n);
}

static void close_types(struct session *s)
{
	if (s->btf_fd >= 0)
		close(s->btf_fd);
	s->btf_fd = -1;
}

static int load(struct session *s, const struct session_opts *o)
{
	struct blklat_config *cfg;
	int ret;

	/* The cast removes const volatile: until the programs are loaded, user space may write. */
	cfg = (struct blklat_config *)&s->skel->rodata->cfg;
	ret = session_configure(s, o, cfg);
	if (ret)
		return ret;
	ret = make_slots(s, o, cfg);
	if (!ret)
		ret = session_choose_programs(s, o);
	if (ret)
		return ret;
	if (s->own_cost)
		cost_autoload(s->skel);
	ret = write_types(s);
	if (ret)
		return ret;
	ret = blklat__load(s->skel);
	close_types(s);
	attach_ids_done();
	if (ret)
		return say_refused(ret);
	return make_account(s, o);
}

/* Return the number of spare entries for devices that join. They can join only below a layer. */
static unsigned int spare_devs(const struct session_opts *o)
{
	size_t room = BLKLAT_MAX_DEVS - o->ndevs;

	if (!has_layer(o))
		return 0;
	return room < BLKLAT_SPARE_DEVS ? room : BLKLAT_SPARE_DEVS;
}

static int open_session(const struct session_opts *o, const struct hook_status *failed,
			struct session **out)
{
	unsigned long long begin = now_ns(), probed, loaded;
	struct session *s;
	int ret;

	s = calloc(1, sizeof(*s));
	if (!s)
		return no_memory();
	s->stats_fd = s->btf_fd = -1;
	s->ndevs = o->ndevs;
	s->max_devs = o->ndevs + spare_devs(o);
	s->status = calloc(nr_hooks, sizeof(*s->status));
	s->links = calloc(nr_hooks, sizeof(*s->links));
	s->later = calloc(nr_hooks, sizeof(*s->later));
	s->progs = calloc(nr_hooks, sizeof(*s->progs));
	s->unseen = calloc(BLKLAT_MAX_DEVS, sizeof(*s->unseen));
	if (!s->status || !s->links || !s->later || !s->progs || !s->unseen) {
		ret = no_memory();
		goto close;
	}
	ret = open_programs(s);
	if (!ret)
		ret = hooks_probe(o->devs, o->ndevs, s->status);
	probed = now_ns();
	if (!ret) {
		hooks_choose(failed, s->status);
		ret = load(s, o);
	}
	loaded = now_ns();
	/*
	 * While the kernel measures the time of the programs, it takes longer to call them. So
	 * turn this on before cost_calibrate().
	 */
	if (!ret && o->cost && log_level() >= 2)
		s->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	s->sampling = o->cost && !o->steady && !s->own_cost;
	if (!ret && s->own_cost)
		cost_calibrate(s->skel);
	if (!ret)
		ret = session_attach_all(s);
	if (!ret)
		ret = account_start(s->account);
	if (ret)
		goto close;
	verbose("looked for hooks in %.2fs, loaded in %.2fs, attached in %.2fs",
		(probed - begin) / 1e9, (loaded - probed) / 1e9, (now_ns() - loaded) / 1e9);
	if (log_level() >= 2)
		session_say_verified(s);
	s->cost.attach_ns = now_ns() - begin;
	*out = s;
	return 0;
close:
	session_close(s);
	return ret;
}

/*
 * Return true if the kernel refused a hook that must be known when the programs are loaded. Another
 * hook can do its work: block_rq_issue shows the requests that an entry of a driver would have
 * shown. Or it gives mark W, and no I/O may wait for a notice that no program sees.
 */
static bool another_hook_helps(const struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		const struct hook *h = &hooks[i];

		if (s->status[i].state == HOOK_FAILED &&
		    (hook_is_replaced(h) || !strcmp(h->marks, "W") ||
		     (!s->issue && h->family && !strcmp(h->marks, "X"))))
			return true;
	}
	return false;
}

/* Say once why stages are merged, and how the user can change that. */
static void say_ftrace_is_off(void)
{
	static bool said;

	if (!said && ftrace_is_off())
		warn("kernel.ftrace_enabled is 0, so programs at functions do not run, and stages "
		     "are merged (sysctl kernel.ftrace_enabled=1 changes that)");
	said = true;
}

int session_open(const struct session_opts *o, struct session **out)
{
	struct hook_status *failed;
	struct session *s;
	int ret = session_check(o);

	if (ret)
		return ret;
	say_ftrace_is_off();
	ret = open_session(o, NULL, &s);
	if (!ret && another_hook_helps(s)) {
		failed = s->status;
		s->status = NULL;
		session_close(s);
		ret = open_session(o, failed, &s);
		free(failed);
	}
	if (!ret)
		*out = s;
	return ret;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->links && i < nr_hooks; i++)
		bpf_link__destroy(s->links[i]);
	if (s->stats_fd >= 0)
		close(s->stats_fd);
	close_types(s);
	account_close(s->account);
	by_free(s->by);
	if (s->events.first)
		munmap(s->events.first, s->events_len);
	blklat__destroy(s->skel);
	free(s->links);
	free(s->later);
	free(s->progs);
	free(s->unseen);
	free(s->status);
	free(s);
}
