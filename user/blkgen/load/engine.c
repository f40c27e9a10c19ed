// SPDX-License-Identifier: GPL-2.0
/* Check and set how I/O is submitted, and on which CPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/engine.h"
#include "blkgen/load/target.h"
#include "core/log.h"
#include "core/units.h"

const char *load_engine_label(const struct load_cfg *c)
{
	return c->set.engine == BLKGEN_ENGINE_BUFFERED ? "buffered (page cache)" :
	       load_engines[c->set.engine];
}

/* These are the CPUs of a list, in its order. */
struct cpu_list {
	int32_t *cpu;
	size_t n;
};

/*
 * Parse the number of a CPU into @cpu. Return the character after it, which is one of @ends or the
 * end of the text, or NULL if there is no such number.
 */
static const char *cpu_number(const char *s, const char *ends, long *cpu)
{
	char *end;

	if (*s < '0' || *s > '9')
		return NULL;
	*cpu = strtol(s, &end, 10);
	return (!*end || strchr(ends, *end)) && *cpu < 1 << 16 ? end : NULL;
}

static int cpu_list_add(struct cpu_list *list, long first, long last)
{
	int32_t *cpus = reallocarray(list->cpu, list->n + last - first + 1, sizeof(*cpus));

	if (!cpus)
		return -ENOMEM;
	list->cpu = cpus;
	while (first <= last)
		cpus[list->n++] = first++;
	return 0;
}

static void cpu_list_free(struct cpu_list *list)
{
	free(list->cpu);
	*list = (struct cpu_list){ 0 };
}

/*
 * Parse a list such as "0-3,6".
 * Return: 0, or -EINVAL or -ENOMEM, not reported: then there is nothing to free.
 */
static int cpu_list_parse(struct cpu_list *list, const char *text)
{
	const char *s = text;
	long first, last;
	int ret = 0;

	*list = (struct cpu_list){ 0 };
	for (;;) {
		s = cpu_number(s, "-,", &first);
		last = first;
		if (s && *s == '-')
			s = cpu_number(s + 1, ",", &last);
		if (!s || last < first)
			ret = -EINVAL;
		if (!ret)
			ret = cpu_list_add(list, first, last);
		if (ret || !*s)
			break;
		s++;
	}
	if (ret)
		cpu_list_free(list);
	return ret;
}

static bool cpu_list_has(const struct cpu_list *list, int32_t cpu)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (list->cpu[i] == cpu)
			return true;
	return false;
}

static int check_cpus(const struct load_cfg *c)
{
	struct cpu_list want, online = { 0 };
	char text[4096] = "";
	int ret;
	size_t i;

	if (!c->cpus)
		return 0;
	ret = cpu_list_parse(&want, c->cpus);
	if (ret == -ENOMEM)
		return no_memory();
	if (ret)
		return usage_error("--cpus is a list like 0-3,6, not '%s'", c->cpus);
	/* If sysfs does not say which CPUs are online, the module checks the list. */
	if (!sys_read("/sys/devices/system/cpu", "online", text, sizeof(text)) &&
	    !cpu_list_parse(&online, text)) {
		for (i = 0; i < want.n && !ret; i++)
			if (!cpu_list_has(&online, want.cpu[i]))
				ret = usage_error("--cpus: CPU %d does not exist or is offline; "
						  "these CPUs are online: %s", want.cpu[i], text);
	}
	cpu_list_free(&want);
	cpu_list_free(&online);
	return ret;
}

int load_check_engine(const struct load_cfg *c)
{
	const char *name = load_engines[c->set.engine];

	if (load_single(c) && c->set.qd > 1)
		return usage_error("--engine %s does one I/O at a time per job, so --qd must be 1; "
				   "for more I/Os in flight, give more --jobs", name);
	if (load_has_op(c, BLKGEN_OP_TRIM) || load_has_op(c, BLKGEN_OP_ZEROES)) {
		if (c->set.engine == BLKGEN_ENGINE_POLLED ||
		    c->set.engine == BLKGEN_ENGINE_BUFFERED)
			return usage_error("--engine %s only reads and writes; --rw %s needs "
					   "--engine bio or sync", name, load_rw_names[c->rw]);
	}
	if ((c->set.flags & BLKGEN_SETUP_FUA) && c->set.engine == BLKGEN_ENGINE_BUFFERED)
		return usage_error("--fua needs writes to the device, and --engine buffered writes "
				   "to the page cache; --flush N makes an fsync after N writes");
	return check_cpus(c);
}

static int no_polling(const struct device *d)
{
	static const struct {
		const char *kind, *how;
	} param[] = {
		{ "nvme", "nvme.poll_queues=N" },
		{ "null_blk", "null_blk.poll_queues=N" },
		{ "virtio_blk", "virtio_blk.poll_queues=N" },
	};
	size_t i;

	if (!strcmp(d->kind, "md"))
		return err(-EOPNOTSUPP, "%s: cannot be polled: md does not poll its disks",
			   d->name);
	if (device_is_layer(d))
		return err(-EOPNOTSUPP, "%s: cannot be polled: not all devices below it can be "
			   "polled", d->name);
	for (i = 0; i < sizeof(param) / sizeof(*param); i++)
		if (!strcmp(d->kind, param[i].kind) && !d->bio_based)
			return err(-EOPNOTSUPP, "%s: cannot be polled: it has no poll queues; to "
				   "get some, load its driver with %s", d->name, param[i].how);
	return err(-EOPNOTSUPP, "%s: cannot be polled: its driver does not poll", d->name);
}

int load_check_engine_device(const struct load_cfg *c, const struct device *d)
{
	char bs[FMT_LEN], max[FMT_LEN];

	if (c->set.engine != BLKGEN_ENGINE_POLLED)
		return 0;
	if (!d->poll_queues)
		return no_polling(d);
	if (d->max_io && c->sizes.max > d->max_io)
		return err(-EOPNOTSUPP, "%s: cannot be polled with --bs %s: I/Os over %s are "
			   "split, and split I/Os are not polled", d->name,
			   fmt_size(bs, sizeof(bs), c->sizes.max),
			   fmt_size(max, sizeof(max), d->max_io));
	return 0;
}

int load_place_jobs(struct load_target *t)
{
	const struct load_cfg *c = t->cfg;
	struct cpu_list list;
	uint64_t i;

	if (!c->cpus)
		return 0;
	free(t->cpus);
	t->cpus = calloc(c->set.workers, sizeof(*t->cpus));
	if (!t->cpus || cpu_list_parse(&list, c->cpus))
		return err(-ENOMEM, "out of memory");
	for (i = 0; i < c->set.workers; i++)
		t->cpus[i] = list.cpu[(c->first_cpu + i) % list.n];
	cpu_list_free(&list);
	t->setup.cpus = (uintptr_t)t->cpus;
	return 0;
}
