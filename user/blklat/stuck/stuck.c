// SPDX-License-Identifier: GPL-2.0
/* blklat stuck: list the I/Os in flight, the oldest first, and what holds them up. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat.h"
#include "blklat/cmds.h"
#include "blklat/collect/inflight.h"
#include "blklat/result/names.h"
#include "blklat/stuck/tasks.h"
#include "core/log.h"
#include "core/reader.h"
#include "core/rights.h"
#include "core/text.h"
#include "core/units.h"
#include "device/topo.h"
#include "output/document.h"
#include "output/file.h"
#include "output/json.h"
#include "output/table.h"

struct stuck_cfg {
	struct common_cfg common;
	const char *json;
	uint64_t older_ns, max;
	bool stack;
};

static const struct opt stuck_opts[] = {
	{ "older", 0, OPT_TIME, OPT_AT(struct stuck_cfg, older_ns), "0", "TIME",
	  "list only I/Os that are in flight for at least this long" },
	{ "max", 0, OPT_COUNT, OPT_AT(struct stuck_cfg, max), "20", "N",
	  "list at most N I/Os and N tasks", .min = 1 },
	{ "stack", 0, OPT_FLAG, OPT_AT(struct stuck_cfg, stack),
	  .help = "print the kernel stack of each task that waits" },
	{ "json", 0, OPT_OUTPUT, OPT_AT(struct stuck_cfg, json), NULL, "FILE",
	  "write the result as JSON; without FILE to stdout, in place of the tables" },
	OPT_COMMON(struct stuck_cfg)
};

/*
 * Members of the JSON object "stuck I/O":
 * @device: string: Disk, dm or md device on which the I/O is in flight.
 * @age_ns: integer, optional: Time since the I/O began, if the kernel noted that.
 * @op: string: ``read``, ``write``, ``flush``, ``discard`` or ``passthrough``.
 * @bytes: integer: Size of the I/O.
 * @sector: integer, optional: First sector of the I/O, in units of 512 bytes, if it has one.
 * @where: string: Place in the kernel where the I/O is, in the words of the table.
 */
static const struct column io_columns[] = {
	{ "device", "device", COL_STR, COL_LEFT },
	{ "age_ns", "age", COL_TIME },
	{ "op", "op", COL_STR, COL_LEFT },
	{ "bytes", "size", COL_SIZE },
	{ "sector", "sector", COL_EXACT },
	{ "where", "where", COL_STR, COL_LEFT },
};

/*
 * Members of the JSON object "stuck task":
 * @tid: integer: Number of the task.
 * @comm: string: Name of the task.
 * @function: string, optional: Function of the kernel in which it waits.
 * @stack: string, optional: With ``--stack``: its kernel stack, a function per line.
 */
static const struct column task_columns[] = {
	{ "tid", "task", COL_EXACT },
	{ "comm", "name", COL_STR, COL_LEFT },
	{ "function", "waits in", COL_STR, COL_LEFT },
	{ "stack", "stack", COL_STR, COL_LEFT | COL_NOTABLE },
};

/* A disk, and the number of its I/Os in flight by the kernel's own count */
struct disk {
	struct device dev;
	struct inflight_disk q;
	uint64_t counted, oldest_ns;
};

/* An I/O of one of the disks; @age_ns is 0 if it is not known */
struct found {
	struct inflight_io io;
	const struct disk *disk;
	uint64_t age_ns;
};

struct finding {
	struct disk *disks;
	size_t ndisks;
	struct found *ios;
	size_t nios;
	uint64_t not_noted;	/* I/Os for which there was no room */
	struct stuck_task *tasks;
	size_t ntasks;
};

/* I/Os of unknown age, 0, come last: there may be many, which would hide those that are old. */
static int by_age(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->age_ns < y->age_ns ? 1 : x->age_ns > y->age_ns ? -1 : 0;
}

/* Flags of mapped_device.flags: drivers/md/dm-core.h has had these values since 3.x. */
#define DM_BLOCKS_IO		(1UL << 0)
#define DM_SUSPENDED		(1UL << 1)
#define DM_SUSPENDED_INTERNALLY	(1UL << 7)

/* Return how a dm device holds back its I/O, or NULL. */
static const char *suspended(const struct disk *d)
{
	if (d->q.dm_flags & (DM_SUSPENDED | DM_SUSPENDED_INTERNALLY))
		return "suspended";
	return d->q.dm_flags & DM_BLOCKS_IO ? "being suspended, waits for its I/O to end" : NULL;
}

static uint64_t count_of_kernel(const struct device *d)
{
	uint64_t reads_writes[2] = { 0 };

	sys_nums(d->disk_sys, "inflight", reads_writes, 2);
	return reads_writes[0] + reads_writes[1];
}

static uint64_t age_of(uint64_t since_ns)
{
	uint64_t now = now_ns();

	/* The kernel may have noted the time after we have read the clock. */
	return !since_ns ? 0 : now > since_ns ? now - since_ns : 1;
}

static int add_ios(struct finding *f, struct disk *disk, const struct inflight_io *ios, size_t n)
{
	struct found *grown;

	if (!n)
		return 0;
	grown = realloc(f->ios, (f->nios + n) * sizeof(*grown));
	if (!grown)
		return err(-ENOMEM, "out of memory");
	f->ios = grown;
	f->not_noted += disk->q.listed - n;
	for (size_t i = 0; i < n; i++)
		f->ios[f->nios++] = (struct found){ ios[i], disk, age_of(ios[i].since_ns) };
	return 0;
}

/* Read a disk into @f->disks. A disk that is gone is left out. */
static int read_disk(struct finding *f, struct inflight *in, const struct device *d,
		     uint64_t older_ns)
{
	struct disk *disk = &f->disks[f->ndisks];
	const struct inflight_io *ios;
	size_t n;
	int ret;

	*disk = (struct disk){ .dev = *d };
	ret = inflight_read(in, d, older_ns, &disk->q, &ios, &n);
	if (ret)
		return ret == -ENODEV ? 0 : err(ret, "%s: %s", d->name, strerror(-ret));
	disk->counted = count_of_kernel(d);
	disk->oldest_ns = age_of(disk->q.oldest_ns);
	f->ndisks++;
	return add_ios(f, disk, ios, n);
}

/* Read all disks of a graph; partitions have no queues of their own. */
static int read_all(struct finding *f, const struct topo *t, uint64_t older_ns)
{
	struct inflight *in;
	int ret = inflight_open(&in);

	if (ret)
		return ret;
	f->disks = calloc(t->n + 1, sizeof(*f->disks));
	if (!f->disks)
		ret = err(-ENOMEM, "out of memory");
	for (size_t i = 0; i < t->n && !ret; i++)
		if (!t->nodes[i].dev.partition)
			ret = read_disk(f, in, &t->nodes[i].dev, older_ns);
	inflight_close(in);
	if (!ret && t->n && !f->ndisks)
		ret = err(-ENODEV, "no disk was found in the memory of this kernel, so nothing is "
			  "known of its I/O");
	if (f->nios)
		qsort(f->ios, f->nios, sizeof(*f->ios), by_age);
	return ret;
}

static const char *where_text(const struct found *i, char *buf, size_t len)
{
	switch (i->io.where) {
	case INFLIGHT_IN_SCHED:
		return "in the scheduler";
	case INFLIGHT_ISSUED:
		return "in the driver or at the device";
	case INFLIGHT_COMPLETED:
		return "completed by the device, its end has not run";
	case INFLIGHT_IN_FLUSH:
		return "waits for a flush";
	case INFLIGHT_HELD:
		snprintf(buf, len, i->disk->q.kind == INFLIGHT_DM ? "held by suspended %s" :
			 "held by %s, which has no usable path", i->disk->dev.name);
		return buf;
	}
	if (i->disk->q.quiesced)
		return "waits for dispatch, the queue is quiesced";
	return "waits for dispatch";
}

static struct report_table *io_table(const struct finding *f, size_t max)
{
	struct report_table *t = report_table_new(io_columns,
						  sizeof(io_columns) / sizeof(*io_columns));
	char where[96];

	for (size_t i = 0; t && i < f->nios && i < max; i++) {
		const struct found *io = &f->ios[i];
		int row = report_row(t, -1);

		report_set_str(t, row, 0, io->disk->dev.name);
		if (io->age_ns)
			report_set_u64(t, row, 1, io->age_ns);
		report_set_str(t, row, 2, io->io.op == INFLIGHT_PASSTHROUGH ? "passthrough" :
			       op_name(io->io.op));
		report_set_u64(t, row, 3, io->io.bytes);
		if (io->io.sector != UINT64_MAX)
			report_set_u64(t, row, 4, io->io.sector);
		report_set_str(t, row, 5, where_text(io, where, sizeof(where)));
	}
	return t;
}

static struct report_table *task_table(const struct finding *f, size_t max)
{
	struct report_table *t = report_table_new(task_columns,
						  sizeof(task_columns) / sizeof(*task_columns));

	for (size_t i = 0; t && i < f->ntasks && i < max; i++) {
		int row = report_row(t, -1);

		report_set_u64(t, row, 0, f->tasks[i].tid);
		report_set_str(t, row, 1, f->tasks[i].comm);
		if (*f->tasks[i].function)
			report_set_str(t, row, 2, f->tasks[i].function);
		if (f->tasks[i].stack)
			report_set_str(t, row, 3, f->tasks[i].stack);
	}
	return t;
}

/* The kernel counts requests and the bios of layers, but not the bios that are held back. */
static uint64_t nr_in_flight(const struct disk *d)
{
	return (d->q.nr > d->counted ? d->q.nr : d->counted) + d->q.held;
}

/* Print what holds up I/O of a disk, each after "; ". Return false if nothing does. */
static bool print_reasons(const struct disk *d, FILE *f)
{
	const struct inflight_disk *q = &d->q;
	bool any = suspended(d) || q->frozen || q->quiesced;

	if (suspended(d))
		fprintf(f, "; %s", suspended(d));
	if (q->frozen)
		fprintf(f, "; its queue is frozen, so new I/O waits");
	if (q->quiesced)
		fprintf(f, "; its queue is quiesced, so nothing is dispatched");
	if (q->stopped)
		fprintf(f, "; hardware queues stopped by the driver: %u", q->stopped);
	if (q->tag_waiters)
		fprintf(f, "; waiting for a tag: %u", q->tag_waiters);
	if (q->throttled[0] + q->throttled[1])
		fprintf(f, "; held back by a cgroup's io.max: %u reads, %u writes",
			q->throttled[0], q->throttled[1]);
	return any || q->stopped + q->tag_waiters + q->throttled[0] + q->throttled[1];
}

/* Print a line about a disk, unless nothing is in flight and nothing holds up new I/O. */
static void print_disk(const struct disk *d, FILE *f)
{
	unsigned long long n = nr_in_flight(d);
	char *reasons = NULL, age[FMT_LEN];
	size_t len;
	FILE *to = open_memstream(&reasons, &len);
	bool any = to && print_reasons(d, to);

	if (to)
		fclose(to);
	if (n || any) {
		fprintf(f, "%s: %llu in flight", d->dev.name, n);
		if (d->oldest_ns)
			fprintf(f, ", the oldest for %s", fmt_time(age, sizeof(age), d->oldest_ns));
		if (!d->q.has_requests)
			fprintf(f, "; its driver takes bios, of which the kernel keeps no list");
		if (d->q.held_unseen)
			fprintf(f, "; bios that it holds back cannot be listed, because its module "
				"has no BTF or may not be read");
		fprintf(f, "%s\n", any ? reasons : "");
	}
	free(reasons);
}

static void print_disks(const struct finding *f)
{
	struct text text;
	FILE *to = text_open(&text, stdout);

	for (size_t i = 0; i < f->ndisks; i++)
		print_disk(&f->disks[i], to);
	text_close(&text);
}

/*
 * Members of the JSON object "stuck disk":
 * @name: string: Name of the device in the kernel.
 * @in_flight: integer: Number of I/Os in flight: those found, or the kernel's own count if that is
 *	larger.
 * @found: integer: Number of I/Os in flight that were found one by one.
 * @oldest_ns: integer: Age of the oldest I/O that was found; 0 if none was found.
 * @suspended: boolean: True for a dm device that is suspended, or that holds back its I/O to be
 *	suspended.
 * @frozen: integer: How many freezes of the queue were not undone. If it is not 0, new I/O waits.
 * @quiesced: integer: How many quiesces of the queue were not undone. If it is not 0, nothing is
 *	dispatched.
 * @stopped_queues: integer: Number of hardware queues that the driver has stopped.
 * @tag_waiters: integer: Number of tasks and hardware queues that wait for a tag.
 * @throttled_reads: integer: Number of reads that a cgroup's io.max holds back.
 * @throttled_writes: integer: Number of writes that a cgroup's io.max holds back.
 */
static json_object *disks_json(const struct finding *f)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < f->ndisks; i++) {
		const struct disk *d = &f->disks[i];
		json_object *o = json_object_new_object();

		json_str(o, "name", d->dev.name);
		json_u64(o, "in_flight", nr_in_flight(d));
		json_u64(o, "found", d->q.nr + d->q.held);
		json_u64(o, "oldest_ns", d->oldest_ns);
		json_flag(o, "suspended", suspended(d));
		json_u64(o, "frozen", d->q.frozen);
		json_u64(o, "quiesced", d->q.quiesced);
		json_u64(o, "stopped_queues", d->q.stopped);
		json_u64(o, "tag_waiters", d->q.tag_waiters);
		json_u64(o, "throttled_reads", d->q.throttled[0]);
		json_u64(o, "throttled_writes", d->q.throttled[1]);
		json_object_array_add(list, o);
	}
	return list;
}

static void print_stacks(const struct finding *f, size_t max)
{
	for (size_t i = 0; i < f->ntasks && i < max; i++) {
		const char *at = f->tasks[i].stack;

		if (!at)
			continue;
		printf("\n%s (%d):\n", f->tasks[i].comm, f->tasks[i].tid);
		for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
			printf("  %.*s\n", (int)strcspn(at, "\n"), at);
	}
}

static void print_ios(const struct finding *f, const struct report_table *ios,
		      const struct stuck_cfg *cfg)
{
	if (!f->nios) {
		puts(cfg->older_ns ? "No I/O is known to be in flight for that long." :
		     "No I/O is in flight that the kernel keeps a list of.");
		return;
	}
	report_print(ios, stdout);
	if (f->nios > cfg->max)
		printf("%llu more are not listed; --max lists more, --older leaves out the "
		       "younger.\n",
		       (unsigned long long)(f->nios - cfg->max));
	if (f->not_noted)
		printf("%llu more were found than can be listed, maybe older ones; --older "
		       "leaves out the younger.\n", (unsigned long long)f->not_noted);
}

static int print(const struct finding *f, const struct stuck_cfg *cfg,
		 const struct report_table *ios, const struct report_table *tasks)
{
	print_ios(f, ios, cfg);
	print_disks(f);
	if (f->ntasks) {
		puts("\nTasks in uninterruptible sleep:");
		report_print(tasks, stdout);
	}
	if (f->ntasks > cfg->max)
		printf("%zu more are not listed; a larger --max lists more.\n",
		       f->ntasks - cfg->max);
	print_stacks(f, cfg->max);
	return reader_print_error(0);
}

/*
 * Members of the JSON document "blklat stuck":
 * @disks[]: stuck disk, optional: One per disk, dm and md device that was looked at.
 * @ios[]: stuck I/O, optional: One per I/O in flight, at most ``--max``, the oldest first.
 * @tasks[]: stuck task, optional: One per task in uninterruptible sleep, at most ``--max``.
 */
static int show(const struct finding *f, const struct stuck_cfg *cfg, json_object *doc)
{
	struct report_table *ios = io_table(f, cfg->max), *tasks = task_table(f, cfg->max);
	int ret = 0;

	if (!ios || !tasks) {
		ret = err(-ENOMEM, "out of memory");
	} else {
		json_object_object_add(doc, "disks", disks_json(f));
		json_object_object_add(doc, "ios", report_json(ios));
		json_object_object_add(doc, "tasks", report_json(tasks));
		if (!report_is_stdout(cfg->json))
			ret = print(f, cfg, ios, tasks);
	}
	report_table_free(ios);
	report_table_free(tasks);
	return ret;
}

/* Set @t to the devices named and all that they are made of, or to all disks. */
static int choose_devices(struct opt_args *args, struct topo *t)
{
	struct device *devs;
	int ret = device_resolve_all(args->pos, args->npos, &devs);

	*t = (struct topo){ 0 };
	if (!ret) {
		ret = topo_walk(devs, args->npos, t);
		if (ret)
			err(ret, "cannot look at the devices: %s", strerror(-ret));
	}
	free(devs);
	return ret;
}

static int stuck_run(void *config, struct opt_args *args)
{
	const struct stuck_cfg *cfg = config;
	struct finding f = { 0 };
	struct topo t;
	json_object *doc;
	int ret;

	reader_hold();
	doc = report_doc_new("blklat", args->argv);
	ret = choose_devices(args, &t);
	if (!ret)
		ret = read_all(&f, &t, cfg->older_ns);
	if (!ret)
		ret = stuck_tasks(cfg->stack, &f.tasks, &f.ntasks);
	if (!ret) {
		/* All that needs rights was read. */
		rights_for_files();
		ret = show(&f, cfg, doc);
	}
	stuck_tasks_free(f.tasks, f.ntasks);
	free(f.ios);
	free(f.disks);
	topo_free(&t);
	return report_doc_end(doc, cfg->json, ret);
}

const struct cmd cmd_stuck = {
	.name = "stuck",
	.brief = "list the I/Os in flight, the oldest first, and what holds them up",
	.usage = "[DEV...]",
	.about = "Lists the I/Os that are in flight now on DEV and on all that DEV is made of:\n"
		 "their age, what they are and where in the kernel they are, also if they began\n"
		 "before blklat did. Says what holds up a queue: suspended, frozen, quiesced, out\n"
		 "of tags, throttled. Lists the tasks that wait. Without DEV, lists all devices.\n"
		 "It opens no device and does no I/O, so it does not hang with one.",
	.examples = "# all devices\n"
		    "blklat stuck\n"
		    "# what is in flight for over a second below a logical volume, and who waits\n"
		    "blklat stuck --older 1s --stack /dev/vg/lv\n",
	.opts = stuck_opts,
	.cfg_size = sizeof(struct stuck_cfg),
	.max_pos = BLKLAT_MAX_DEVS,
	.run = stuck_run,
};
