// SPDX-License-Identifier: GPL-2.0
/*
 * Find the hooks that this kernel has, and attach programs to them. The hooks table says what
 * each BPF program is for; the program says in its SEC() what it is attached to. To support a
 * driver takes one row per program here, and one file bpf/drv_<name>.bpf.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/btf.h>
#include "blklat.h"
#include "blklat/collect/hooks.h"
#include "blklat/collect/kernel_btf.h"
#include "blklat/collect/limits.h"
#include "blklat.skel.h"
#include "core/log.h"
#include "core/name_index.h"

#define MERGE_SUBMIT "sched and submit are one stage, or submit and device"
#define MERGE_BATCH "requests in a batch have no doorbell mark: submit and device are one stage"
#define NO_SQ_ENTRY "entry of io_uring begins with the system call; SQ poll threads have no entry"
#define WAIT_ABOVE "includes the wait until the layer above returns"
#define MERGE_REAP "device and reap are one stage"

/*
 * The rows are in the order of attaching. The kernel runs the programs of a tracepoint in this
 * order, and the programs at the entry of a function in the opposite order. A program that does
 * the work of another one again must run after it.
 */
struct hook hooks[] = {
	{ "bio_queue", NULL, "Q", NULL },
	{ "bio_queue_again", NULL, "Q", "I/Os are lost while a task is preempted in bio_queue",
	  .again = "bio_queue" },
	{ "bio_throttle", NULL, "T", "throttled bios have no entry, and their submitter is a "
	  "kworker" },
	{ "bio_endio_again", NULL, "Z", "I/Os of disks without requests are lost while a task is "
	  "preempted in bio_endio", .again = "bio_endio" },
	{ "bio_endio", NULL, "Z", "end and deliver are one stage, or an I/O ends at mark C, on "
	  "disks with requests" },
	{ "bio_complete", NULL, "Z", NULL, .instead_of = "bio_endio" },
	{ "bio_getrq", NULL, "G", "alloc and sched are one stage" },
	{ "bio_backmerge", NULL, "G", "alloc and sched of merged bios are one stage" },
	{ "bio_frontmerge", NULL, "G", "alloc and sched of merged bios are one stage" },
	{ "bio_split", NULL, "", "a split bio ends when its first piece ends" },
	{ "plug_flush", NULL, "P", "the time in the plug counts as sched" },
	{ "rq_insert", NULL, "I", "there are no spans G2I and I2D; plug may contain a part of "
	  "sched" },
	{ "rq_issue", NULL, "D", NULL },
	{ "rq_requeue", NULL, "R", "the time of requeues counts as sched" },
	{ "rq_merge", NULL, "", "merged requests are not counted" },
	{ "rq_complete", NULL, "C", NULL },
	{ "bios_end_with_rq", NULL, "", NULL, .instead_of = "bio_endio" },
	/*
	 * In the opposite order, irq_enter would note the entry of an interrupt that comes between
	 * the two, and irq_exit would miss its end: it would seem to last until the next one.
	 */
	{ "irq_exit", NULL, "H", "device ends at V, when the driver reaps the completion" },
	{ "irq_enter", NULL, "H", "device ends at V, when the driver reaps the completion" },
	{ "rq_driver_done", NULL, "V", MERGE_REAP },

	{ "layer_complete", "stack", "Z", NULL },
	{ "bio_handed_on", "same bio", "Q", "bios that a layer hands on unchanged (md linear, "
	  "NVMe multipath) are not followed" },
	{ "rq_handed_on", "dm requests", "Q", "requests of dm-multipath are not followed" },
	{ "rq_turned_away", "dm requests", "Z", "requests for which a path has no room are lost" },
	{ "start_mq", "stack", "Q", "alloc of a device below a layer " WAIT_ABOVE },
	{ "start_brd", "brd without requests", "Q", "bio driver of brd below a layer " WAIT_ABOVE },
	{ "start_zram", "zram without requests", "Q", "bio driver of zram below a layer "
	  WAIT_ABOVE },
	{ "start_null_blk", "null_blk without requests", "Q", "bio driver of null_blk below a "
	  "layer " WAIT_ABOVE },
	{ "start_dm", "dm", "Q", "submit of dm below a layer " WAIT_ABOVE },
	{ "start_md", "md", "Q", "submit of md below a layer " WAIT_ABOVE },
	{ "holder_linked", "stack", "", "a device that joins the stack is traced up to a second "
	  "later" },

	{ "nvme_queue_rq_enter", "nvme", "X", MERGE_SUBMIT },
	{ "nvme_queue_rq_exit", "nvme", "B", MERGE_SUBMIT },
	{ "nvme_queue_rqs_enter", "nvme", "X", MERGE_BATCH },
	{ "nvme_queue_rqs_exit", "nvme", "B", MERGE_BATCH },
	{ "nvme_commit_rqs_exit", "nvme", "B", MERGE_BATCH },
	{ "nvme_seen", "nvme", "V", MERGE_REAP },

	{ "scsi_queue_rq_enter", "scsi", "X", MERGE_SUBMIT },
	{ "scsi_queue_rq_exit", "scsi", "B", MERGE_SUBMIT },
	{ "scsi_commit_rqs_exit", "scsi", "B", MERGE_BATCH },

	{ "virtio_blk_queue_rq_enter", "virtio_blk", "X", MERGE_SUBMIT },
	{ "virtio_blk_queue_rq_exit", "virtio_blk", "B", MERGE_SUBMIT },
	{ "virtio_blk_queue_rqs_enter", "virtio_blk", "X", MERGE_BATCH },
	{ "virtio_blk_queue_rqs_exit", "virtio_blk", "B", MERGE_BATCH },
	{ "virtio_blk_commit_rqs_exit", "virtio_blk", "B", MERGE_BATCH },

	{ "null_blk_queue_rq_enter", "null_blk", "X", MERGE_SUBMIT },
	{ "null_blk_queue_rq_exit", "null_blk", "B", MERGE_SUBMIT },
	{ "null_blk_timer", "null_blk", "V", MERGE_REAP },

	{ "syscall_enter", NULL, "E", "there is no think, and only io_uring has entry" },
	{ "syscall_exit", NULL, "W", "synchronous I/O has no deliver" },
	{ "task_free", NULL, "", "a task may get the think time of an earlier task with its pid" },
	{ "aio_told", NULL, "W", "libaio has no deliver" },
	{ "uring_told", NULL, "W", "io_uring has no deliver" },
	{ "uring_submit_req", NULL, "E", NO_SQ_ENTRY,
	  "io_uring_submit_sqe" },
	{ "uring_submit_sqe", NULL, "E", NO_SQ_ENTRY,
	  "io_uring_submit_req" },
	{ "blkgen_complete", NULL, "W", "blkgen's I/O has no deliver" },
	{ "blkgen_submit", NULL, "E", "blkgen's I/O has no entry" },
};

const size_t nr_hooks = sizeof(hooks) / sizeof(hooks[0]);

bool hook_is_submitters(const struct hook *h)
{
	return !strcmp(h->marks, "E") || !strcmp(h->marks, "W");
}

const char *hook_type_name(enum hook_type type)
{
	static const char *const names[] = {
		[HOOK_TP] = "tracepoint", [HOOK_FENTRY] = "fentry",
		[HOOK_FEXIT] = "fexit", [HOOK_RAW_TP] = "raw tracepoint",
	};

	return names[type];
}

const char *hook_state_name(enum hook_state state)
{
	static const char *const names[] = {
		[HOOK_UNUSED] = "not needed", [HOOK_MISSING] = "missing",
		[HOOK_LATER] = "when loaded", [HOOK_FOUND] = "yes",
		[HOOK_FAILED] = "failed", [HOOK_ATTACHED] = "attached",
	};

	return names[state];
}

/*
 * These are the families of hooks, and the modules that may have their functions and tracepoints.
 * The name of a family is the kind of its devices, see struct device. There are two exceptions: the
 * kind of a SCSI disk is its driver, and disks "without requests" have a family of their own.
 */
static const struct family {
	const char *name;
	const char *modules[4];
} families[] = {
	{ "nvme", { "nvme", "nvme_core" } },
	{ "scsi", { "scsi_mod" } },
	{ "virtio_blk", { "virtio_blk" } },
	{ "null_blk", { "null_blk" } },
	{ "dm", { "dm_mod" } },
	{ "md", { "md_mod" } },
	{ "brd without requests", { "brd" } },
	{ "zram without requests", { "zram" } },
	{ "null_blk without requests", { "null_blk" } },
};

#define NFAMILIES (sizeof(families) / sizeof(*families))

const char *hook_family(const struct device *d)
{
	char level[16];

	for (size_t i = 0; i < NFAMILIES; i++)
		if (!strcmp(d->kind, families[i].name))
			return families[i].name;
	if (!sys_read(d->disk_sys, "device/scsi_level", level, sizeof(level)))
		return "scsi";
	return NULL;
}

#define HOOK_NAME_LEN 128

/* Return the name that a function, or with HOOK_TP a tracepoint, has in BTF. */
static const char *hook_btf_name(enum hook_type type, const char *symbol, char buf[HOOK_NAME_LEN])
{
	if (type != HOOK_TP)
		return symbol;
	snprintf(buf, HOOK_NAME_LEN, "btf_trace_%s", symbol);
	return buf;
}

int hook_btf_id(const struct btf *btf, enum hook_type type, const char *symbol)
{
	char name[HOOK_NAME_LEN];

	return btf__find_by_name_kind(btf, hook_btf_name(type, symbol, name),
				      type == HOOK_TP ? BTF_KIND_TYPEDEF : BTF_KIND_FUNC);
}

/*
 * Return true if a bio-based disk needs the hooks of this family. These hooks see when the disk
 * begins with a bio. It begins after the submit function of the layer above has returned.
 */
static bool bio_disk_wants(const char *family, const struct device *d)
{
	size_t len = strlen(d->kind);

	return d->bio_based && len && !strncmp(family, d->kind, len) &&
	       !strcmp(family + len, " without requests");
}

/*
 * Return true if a layer needs the hooks of this family, besides those of its driver, because of
 * the way in which it hands on its I/O.
 */
static bool layer_wants(const char *family, const struct device *d)
{
	if (!device_is_layer(d))
		return false;
	if (!strcmp(family, "same bio"))
		return device_is_nvme_head(d) ||
		       (!strcmp(d->kind, "md") &&
			(!strcmp(d->model, "linear") || !strcmp(d->model, "raid0")));
	if (!strcmp(family, "dm requests"))
		return !strcmp(d->kind, "dm") && !d->bio_based;
	return !strcmp(family, "stack");
}

bool hook_wanted(const char *family, const struct device *devs, size_t ndevs)
{
	if (!family || !ndevs)
		return true;
	for (size_t i = 0; i < ndevs; i++) {
		const char *f = hook_family(&devs[i]);
		bool layer = device_is_layer(&devs[i]);

		if (layer_wants(family, &devs[i]) || bio_disk_wants(family, &devs[i]))
			return true;
		if (f && !strcmp(f, family) && (layer || !devs[i].bio_based))
			return true;
	}
	return false;
}

static void probe_raw_tp(const struct hook *h, struct hook_status *st)
{
	snprintf(st->module, sizeof(st->module), "blkgen");
	if (!access("/sys/module/blkgen", F_OK)) {
		st->state = HOOK_FOUND;
		return;
	}
	st->state = HOOK_LATER;
	snprintf(st->reason, sizeof(st->reason), "module blkgen is not loaded");
}

/* A walk goes through the types of one BTF, and sets the ids of the hooks that the BTF has. */
struct id_walk {
	__u32 id;
	bool function;
	int *ids;
};

static void set_id(void *arg, size_t hook)
{
	const struct id_walk *w = arg;

	if (w->function == (hooks[hook].type != HOOK_TP) && !w->ids[hook])
		w->ids[hook] = w->id;
}

/*
 * Set @ids to the id that each hook has in @btf. The entry of a hook that @btf does not have is not
 * changed. One walk finds all ids, because there are more than 100,000 types. The BTF of a module
 * is based on that of the kernel, whose types are left out.
 */
static void find_ids(const struct btf *btf, const struct name_index *names, int *ids)
{
	const struct btf *base = btf__base_btf(btf);
	struct id_walk w = { .ids = ids };

	for (w.id = base ? btf__type_cnt(base) : 1; w.id < btf__type_cnt(btf); w.id++) {
		const struct btf_type *t = btf__type_by_id(btf, w.id);

		w.function = btf_is_func(t);
		if (w.function || btf_is_typedef(t))
			name_index_each(names, btf__name_by_offset(btf, t->name_off), set_id, &w);
	}
}

/* Return true if this kernel has the function or tracepoint of a hook under its other name. */
static bool has_twin(const struct hook *h, const int *ids)
{
	for (size_t i = 0; h->twin && i < nr_hooks; i++)
		if (!strcmp(hooks[i].symbol, h->twin) && ids[i])
			return true;
	return false;
}

static void probe_kernel(const struct hook *h, const int *ids, struct hook_status *st)
{
	st->btf_id = ids[h - hooks];
	if (st->btf_id) {
		st->state = HOOK_FOUND;
		return;
	}
	if (has_twin(h, ids))
		return;
	st->state = HOOK_MISSING;
	snprintf(st->reason, sizeof(st->reason), "this kernel has no %s %s",
		 h->type == HOOK_TP ? "tracepoint" : "function", h->symbol);
}

/* Look in a module for those hooks of a family that were not found yet. */
static void probe_module(const char *module, const char *family, struct btf *kernel,
			 const struct name_index *names, struct hook_status *status)
{
	int ids[sizeof(hooks) / sizeof(hooks[0])] = { 0 };
	struct btf *btf = btf__load_module_btf(module, kernel);

	if (btf)
		find_ids(btf, names, ids);
	btf__free(btf);
	for (size_t i = 0; i < nr_hooks; i++) {
		struct hook_status *st = &status[i];

		if (!ids[i] || st->state != HOOK_MISSING || !hooks[i].family ||
		    strcmp(hooks[i].family, family))
			continue;
		st->btf_id = ids[i];
		st->state = HOOK_FOUND;
		st->reason[0] = '\0';
		snprintf(st->module, sizeof(st->module), "%s", module);
	}
}

/*
 * Look for those hooks of one family that the kernel itself does not have in the driver's
 * modules.
 */
static void probe_family(const struct family *fm, struct btf *kernel,
			 const struct name_index *names, struct hook_status *status)
{
	bool may_read = may_read_module_types(), has_btf = false;
	char path[128];

	for (int m = 0; m < 4 && fm->modules[m]; m++) {
		snprintf(path, sizeof(path), "/sys/kernel/btf/%s", fm->modules[m]);
		if (!may_read || access(path, R_OK))
			continue;
		has_btf |= !m;
		probe_module(fm->modules[m], fm->name, kernel, names, status);
	}
	for (size_t i = 0; i < nr_hooks && !has_btf; i++)
		if (hooks[i].family && !strcmp(hooks[i].family, fm->name) &&
		    status[i].state == HOOK_MISSING)
			snprintf(status[i].reason, sizeof(status[i].reason), may_read ?
				 "it is not in the kernel, and module %s is not loaded or has no "
				 "BTF" : "the types of module %s need CAP_SYS_ADMIN",
				 fm->modules[0]);
}

static int read_section(struct hook *h, const struct bpf_program *prog)
{
	static const char *const types[] = {
		[HOOK_TP] = "tp_btf/", [HOOK_FENTRY] = "fentry/", [HOOK_FEXIT] = "fexit/",
		[HOOK_RAW_TP] = "raw_tp/",
	};
	const char *section = prog ? bpf_program__section_name(prog) : "";

	section += *section == '?';
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		size_t len = strlen(types[i]);

		if (strncmp(section, types[i], len))
			continue;
		h->type = i;
		h->symbol = strdup(section + len);
		return h->symbol ? 0 : no_memory();
	}
	return err(-ENOENT, "no BPF program %s in this blklat", h->prog);
}

int hooks_read(const struct bpf_object *obj)
{
	int ret = 0;

	for (size_t i = 0; i < nr_hooks && !ret; i++)
		if (!hooks[i].symbol)
			ret = read_section(&hooks[i],
					   bpf_object__find_program_by_name(obj, hooks[i].prog));
	return ret;
}

/* Read what the programs are attached to, without a session that has opened them. */
static int open_and_read(void)
{
	struct blklat *skel = blklat__open();
	int ret = skel ? hooks_read(skel->obj) : err(-errno, "cannot open the BPF programs: %s",
						     strerror(errno));

	blklat__destroy(skel);
	return ret;
}

/* Make the index of the names that the hooks have in BTF. */
static struct name_index *index_names(void)
{
	static char names[sizeof(hooks) / sizeof(hooks[0])][HOOK_NAME_LEN];
	static const char *list[sizeof(hooks) / sizeof(hooks[0])];

	for (size_t i = 0; i < nr_hooks; i++)
		list[i] = hook_btf_name(hooks[i].type, hooks[i].symbol, names[i]);
	return name_index_new(list, nr_hooks);
}

static int probe_all(const struct device *devs, size_t ndevs, struct hook_status *status)
{
	int ids[sizeof(hooks) / sizeof(hooks[0])] = { 0 }, error = 0;
	struct btf *kernel = kernel_btf(&error);
	struct name_index *names;

	if (!kernel)
		return error;
	names = index_names();
	if (!names)
		return no_memory();
	find_ids(kernel, names, ids);
	for (size_t i = 0; i < nr_hooks; i++) {
		if (!hook_wanted(hooks[i].family, devs, ndevs))
			continue;
		if (hooks[i].type == HOOK_RAW_TP)
			probe_raw_tp(&hooks[i], &status[i]);
		else
			probe_kernel(&hooks[i], ids, &status[i]);
	}
	for (size_t i = 0; i < NFAMILIES; i++)
		if (hook_wanted(families[i].name, devs, ndevs))
			probe_family(&families[i], kernel, names, status);
	name_index_free(names);
	return 0;
}

int hooks_probe(const struct device *devs, size_t ndevs, struct hook_status *status)
{
	int error = hooks[nr_hooks - 1].symbol ? 0 : open_and_read();

	if (error)
		return error;
	memset(status, 0, nr_hooks * sizeof(*status));
	return probe_all(devs, ndevs, status);
}

static bool is_at_function(const struct hook *h)
{
	return h->type == HOOK_FENTRY || h->type == HOOK_FEXIT;
}

enum hook_state hook_state(const char *prog, const struct hook_status *status)
{
	for (size_t i = 0; i < nr_hooks; i++)
		if (!strcmp(hooks[i].prog, prog))
			return status[i].state;
	return HOOK_MISSING;
}

bool hook_is_replaced(const struct hook *h)
{
	for (size_t i = 0; i < nr_hooks; i++)
		if (hooks[i].instead_of && !strcmp(hooks[i].instead_of, h->prog))
			return true;
	return false;
}

bool ftrace_is_off(void)
{
	char value[8];

	return !sys_read("/proc/sys/kernel", "ftrace_enabled", value, sizeof(value)) &&
	       !strcmp(value, "0");
}

/* Leave out the hooks that would be attached and never run, and those that failed before. */
static void leave_out(const struct hook_status *failed, struct hook_status *status)
{
	bool off = ftrace_is_off();

	for (size_t i = 0; i < nr_hooks; i++) {
		struct hook_status *st = &status[i];

		if (st->state != HOOK_FOUND)
			continue;
		if (off && is_at_function(&hooks[i])) {
			st->state = HOOK_MISSING;
			snprintf(st->reason, sizeof(st->reason), "kernel.ftrace_enabled is 0");
		} else if (failed && failed[i].state == HOOK_FAILED) {
			st->state = HOOK_MISSING;
			snprintf(st->reason, sizeof(st->reason), "%s", failed[i].reason);
		}
	}
}

/* Use a hook that stands in for another one only if that one is not used. */
static void choose_stand_ins(struct hook_status *status)
{
	for (size_t i = 0; i < nr_hooks; i++)
		if (hooks[i].instead_of && hook_state(hooks[i].instead_of, status) == HOOK_FOUND)
			status[i].state = HOOK_UNUSED;
}

void hooks_choose(const struct hook_status *failed, struct hook_status *status)
{
	leave_out(failed, status);
	choose_stand_ins(status);
}

int hook_attach(const struct hook *h, struct bpf_program *prog, struct hook_status *st,
		struct bpf_link **link)
{
	struct bpf_link *l = bpf_program__attach(prog);
	int error = -errno;

	if (!l) {
		st->state = HOOK_FAILED;
		/* -524 is -ENOTSUPP, which strerror() does not know. */
		snprintf(st->reason, sizeof(st->reason), "%s %s: %s", hook_type_name(h->type),
			 h->symbol,
			 error == -524 ? "cannot be attached on this kernel" : strerror(-error));
		return error;
	}
	*link = l;
	st->state = HOOK_ATTACHED;
	st->reason[0] = '\0';
	return 0;
}
