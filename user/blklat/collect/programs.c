// SPDX-License-Identifier: GPL-2.0
/* Choose which programs of a session are loaded, and when they are attached. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include "blklat/collect/session_parts.h"
#include "core/log.h"

uint64_t session_prog_misses(const struct bpf_program *prog)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len);
	return info.recursion_misses;
}

/* Return true if a layer with this major number lies below another layer. */
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
 * Return true if a program is not needed yet. start_dm and start_md see when a layer begins with a
 * bio, which matters only if that layer lies below another one. rq_issue sees the requests of all
 * drivers, and is needed when a device joins, as its driver may be one whose hooks are not
 * attached. bio_queue_again would make each I/O more expensive, so it waits until the kernel has
 * skipped bio_queue for the first time.
 */
static bool is_for_later(const struct session *s, const struct bpf_program *prog)
{
	const volatile struct blklat_config *cfg = &s->skel->rodata->cfg;

	if (prog == s->skel->progs.rq_issue)
		return !s->issue && session_ndevs(s) == s->ndevs;
	if (prog == s->skel->progs.bio_queue_again)
		return !session_prog_misses(s->skel->progs.bio_queue);
	if (prog == s->skel->progs.start_dm)
		return !layers_are_inner(s, cfg->layer_majors[0]);
	if (prog == s->skel->progs.start_md)
		return !layers_are_inner(s, cfg->layer_majors[1]) &&
		       !layers_are_inner(s, cfg->layer_majors[2]);
	return false;
}

/*
 * Return true if a disk has an I/O scheduler. Then a request leaves its plug when it is inserted,
 * and any task may hand it to the driver later.
 */
static bool has_scheduler(const struct device *devs, size_t ndevs)
{
	char line[128];

	for (size_t i = 0; i < ndevs; i++)
		if (!sys_read(devs[i].disk_sys, "queue/scheduler", line, sizeof(line)) &&
		    *line && strcmp(line, "none") && !strstr(line, "[none]"))
			return true;
	return false;
}

/* Return true if a disk without requests is traced from the start. */
static bool has_bio_based(const struct blklat_config *cfg)
{
	for (unsigned int i = 0; i < cfg->nr_devs; i++)
		if (cfg->devs[i].bio_based)
			return true;
	return false;
}

/*
 * Return true if a program is not needed for the devices that are traced from the start, or not
 * on this kernel. bio_endio_again would make the end of each bio more expensive. It must run after
 * bio_endio, so it cannot be attached later, when a disk without requests joins.
 */
static bool is_needless(const struct session *s, const struct session_opts *o,
			const struct hook *h)
{
	const struct bpf_program *prog = s->progs[h - hooks];

	if (h->again && (!s->skel->rodata->cfg.preempts ||
			 hook_state(h->again, s->status) != HOOK_FOUND))
		return true;
	if (prog == s->skel->progs.bio_endio_again)
		return !has_bio_based(&s->skel->rodata->cfg);
	if (prog == s->skel->progs.rq_issue)
		return !s->issue && s->max_devs == s->ndevs;
	if (prog == s->skel->progs.plug_flush)
		return !o->plug;
	if (prog == s->skel->progs.rq_insert)
		return !s->issue && !(o->plug && has_scheduler(o->devs, o->ndevs));
	return false;
}

int session_choose_programs(struct session *s, const struct session_opts *o)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_program *prog = bpf_object__find_program_by_name(s->skel->obj,
									    hooks[i].prog);
		enum hook_state state = s->status[i].state;

		s->progs[i] = prog;
		if (!o->submitter && hook_is_submitters(&hooks[i]))
			state = s->status[i].state = HOOK_UNUSED;
		if ((state == HOOK_FOUND || state == HOOK_MISSING) &&
		    is_needless(s, o, &hooks[i]))
			state = s->status[i].state = HOOK_UNUSED;
		if (!prog)
			return err(-ENOENT, "no BPF program %s in this blklat", hooks[i].prog);
		if (!hooks[i].without && state == HOOK_MISSING)
			return err(-ENOENT, "nothing can be traced: %s", s->status[i].reason);
		bpf_program__set_autoload(prog, state == HOOK_FOUND || state == HOOK_LATER);
	}
	return 0;
}

int session_attach_one(struct session *s, size_t i)
{
	bool again = s->status[i].state == HOOK_ATTACHED;
	const struct bpf_program *prog;
	int ret = hook_attach(&hooks[i], s->progs[i], &s->status[i], &s->links[i]);

	s->cost.nr_progs += !ret && !again;
	if (!ret && hooks[i].again) {
		prog = bpf_object__find_program_by_name(s->skel->obj, hooks[i].again);
		s->status[i].skipped_before = session_prog_misses(prog);
	}
	return ret;
}

/*
 * The programs do nothing until session_start(), so only the order of those that are attached to
 * the same function or tracepoint matters. If the kernel refuses a hook that is not required, two
 * stages become one.
 */
int session_attach_all(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		int ret;

		if (s->status[i].state != HOOK_FOUND)
			continue;
		if (is_for_later(s, s->progs[i])) {
			s->status[i].state = HOOK_UNUSED;
			s->later[i] = true;
			continue;
		}
		ret = session_attach_one(s, i);
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

void session_attach_later(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_program *prog = s->progs[i];

		if (!s->later[i] || is_for_later(s, prog))
			continue;
		s->later[i] = false;
		if (!session_attach_one(s, i) && prog == s->skel->progs.rq_issue)
			__atomic_store_n(&s->skel->bss->state.issue, 1, __ATOMIC_SEQ_CST);
	}
}

void session_say_verified(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_prog_info info = {};
		__u32 len = sizeof(info);

		if (s->links[i] &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(s->progs[i]), &info, &len))
			verbose("%s: %u instructions verified", hooks[i].prog, info.verified_insns);
	}
}

bool session_prog_info(const struct session *s, size_t i, struct bpf_prog_info *info)
{
	__u32 len = sizeof(*info);

	memset(info, 0, len);
	return s->status[i].state == HOOK_ATTACHED &&
	       !bpf_obj_get_info_by_fd(bpf_program__fd(s->progs[i]), info, &len);
}
