// SPDX-License-Identifier: GPL-2.0
/*
 * Make stacks of LVM. A volume needs disks that store LVM's metadata, but temporary legs store
 * nothing. So LVM makes the volume on disks in memory, and then we put the legs in the place of
 * these disks into the dm tables, where data goes. LVM itself has no part in I/O, so the kernel
 * does the same work as for any volume.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "core/log.h"
#include "blklat/stack/build.h"
#include "blklat/stack/command.h"
#include "blklat/stack/dm.h"
#include "blklat/stack/lvm.h"

#define LV	"lv"
#define PASSES	8	/* volumes stand on each other in at most so many layers */

static const char *const dm_mod[] = { "dm_mod", NULL };
static const char *const raid1_mods[] = { "dm_mod", "raid1", "dm_raid", NULL };
static const char *const raid10_mods[] = { "dm_mod", "raid10", "dm_raid", NULL };

/* Find the name of @major in /proc/devices: we must tell LVM whose driver's disks it may use. */
static void driver_of(unsigned int major, char *name, size_t len)
{
	FILE *f = fopen("/proc/devices", "re");
	char line[128], word[64];
	bool block = false;
	unsigned int n;

	*name = 0;
	while (f && fgets(line, sizeof(line), f)) {
		block |= !strncmp(line, "Block", 5);
		if (block && sscanf(line, "%u %63s", &n, word) == 2 && n == major)
			snprintf(name, len, "%s", word);
	}
	if (f)
		fclose(f);
}

/* Let LVM see only these disks, ask no other program about them, and write no files of its own. */
static void make_config(char *config, size_t len, const char *const *pvs, size_t n)
{
	bool udev = !access("/run/udev/control", F_OK);
	char dir[160], driver[64] = "";
	size_t at, i;

	for (i = 0; i < n && !*driver; i++) {
		snprintf(dir, sizeof(dir), "/sys/class/block/%s", pvs[i]);
		if (sys_dev(dir))
			driver_of(major(sys_dev(dir)), driver, sizeof(driver));
	}
	at = snprintf(config, len, "activation { udev_sync=%d udev_rules=%d monitoring=0 } "
		      "backup { backup=0 archive=0 } global { event_activation=0 } devices { "
		      "use_devicesfile=0 obtain_device_list_from_udev=0 scan_lvs=1 hints=\"none\" "
		      "types=[\"%s\",16] filter=[ ", udev, udev, *driver ? driver : "nullb");
	for (i = 0; i < n && at < len; i++)
		at += snprintf(config + at, len - at, "\"a|^/dev/%s$|\", ", pvs[i]);
	if (at < len)
		snprintf(config + at, len - at, "\"r|.*|\" ] }");
}

struct lvm {
	char config[2048];
	const char *argv[48];
	size_t n;
};

static void add(struct lvm *l, const char *arg)
{
	if (l->n < sizeof(l->argv) / sizeof(*l->argv) - 1) {
		l->argv[l->n++] = arg;
		l->argv[l->n] = NULL;
	}
}

static void begin(struct lvm *l, const char *verb)
{
	l->n = 0;
	add(l, "lvm");
	add(l, verb);
	add(l, "--config");
	add(l, l->config);
	add(l, "-q");
	add(l, "-y");
}

struct group {
	struct stack_build *b;
	struct lvm l;
	char vg[32];
	struct device pvs[STACK_LEGS];
	size_t n;
};

/* Get the disks for LVM: the legs, or for each temporary leg a disk in memory. */
static int get_pvs(struct group *g)
{
	struct stack_build *b = g->b;
	size_t i;
	int ret;

	g->n = b->nlegs;
	for (i = 0; i < g->n; i++) {
		g->pvs[i] = b->legs[i];
		if (!b->temporary)
			continue;
		ret = build_null_blk(b->j, b->seq, i, b->legs[i].size, true, &g->pvs[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static int make_pv(struct group *g, size_t i)
{
	const struct device *d = &g->pvs[i];
	char uuid[48];
	int ret;

	snprintf(uuid, sizeof(uuid), "blklat-0000-0000-%04u-%04zu-0000-%s", g->b->seq % 10000, i,
		 g->b->j->id);
	ret = journal_write(g->b->j, "wipe %s %u:%u LVM2_member %s", d->name, major(d->dev),
			    minor(d->dev), uuid);
	if (ret)
		return ret;
	begin(&g->l, "pvcreate");
	add(&g->l, "--norestorefile");
	add(&g->l, "--uuid");
	add(&g->l, uuid);
	add(&g->l, d->path);
	return command_run(g->l.argv);
}

static int make_vg(struct group *g)
{
	char line[STACK_LEGS * DEV_NAME] = "";
	size_t i;
	int ret;

	for (i = 0; i < g->n; i++) {
		strncat(line, " ", sizeof(line) - strlen(line) - 1);
		strncat(line, g->pvs[i].name, sizeof(line) - strlen(line) - 1);
	}
	ret = journal_write(g->b->j, "vg %s%s", g->vg, line);
	if (ret)
		return ret;
	begin(&g->l, "vgcreate");
	/* The system must not activate the group by itself. */
	add(&g->l, "--setautoactivation");
	add(&g->l, "n");
	add(&g->l, g->vg);
	for (i = 0; i < g->n; i++)
		add(&g->l, g->pvs[i].path);
	return command_run(g->l.argv);
}

static int make_lv(struct group *g)
{
	const char *kind = g->b->type->kind;
	char stripes[16], mirrors[16];

	snprintf(stripes, sizeof(stripes), "%zu", strcmp(kind, "raid10") ? g->n : g->n / 2);
	snprintf(mirrors, sizeof(mirrors), "%zu", strcmp(kind, "raid10") ? g->n - 1 : 1);
	begin(&g->l, "lvcreate");
	add(&g->l, "-Wn");
	add(&g->l, "-Zn");
	add(&g->l, "--type");
	add(&g->l, kind);
	if (!strcmp(kind, "striped") || !strcmp(kind, "raid10")) {
		add(&g->l, "-i");
		add(&g->l, stripes);
		add(&g->l, "-I");
		add(&g->l, "64k");
	}
	if (!strncmp(kind, "raid", 4)) {
		add(&g->l, "--nosync");
		add(&g->l, "-m");
		add(&g->l, mirrors);
	}
	add(&g->l, "-l");
	add(&g->l, "100%FREE");
	add(&g->l, "-n");
	add(&g->l, LV);
	add(&g->l, g->vg);
	return command_run(g->l.argv);
}

/* Put the legs into the table of a volume; metadata stays on the disks in memory. */
static int replace_legs(const char *name, void *arg)
{
	struct group *g = arg;
	size_t i;
	int ret;

	if (strstr(name, "_rmeta_"))
		return 0;
	for (i = 0; i < g->n; i++) {
		ret = dm_replace(name, g->pvs[i].dev, g->b->legs[i].dev);
		if (ret)
			return err(ret, "%s: cannot put the legs into its table: %s", name,
				   strerror(-ret));
	}
	return 0;
}

static int look_at_holder(const char *dir, const char *name, void *arg)
{
	char dm[600], label[DEV_TEXT];
	bool *data = arg;

	snprintf(dm, sizeof(dm), "/sys/block/%s/dm", name);
	*data |= sys_read(dm, "name", label, sizeof(label)) || !strstr(label, "_rmeta_");
	return 0;
}

static bool has_data(const struct device *d)
{
	char holders[600];
	bool data = false;

	snprintf(holders, sizeof(holders), "%s/holders", d->sys);
	sys_each(holders, look_at_holder, &data);
	return data;
}

/* Check that all data is on the legs: disks in memory would add the time of a copy to each I/O. */
static int check_legs(const struct group *g)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (has_data(&g->pvs[i]) || !has_data(&g->b->legs[i]))
			return err(-EIO, "%s: its data is on %s and not on %s", g->vg,
				   g->pvs[i].name, g->b->legs[i].name);
	return 0;
}

static int take_legs(struct group *g)
{
	char prefix[40];
	int ret;

	snprintf(prefix, sizeof(prefix), "%s-", g->vg);
	ret = dm_each(prefix, replace_legs, g);
	snprintf(g->b->note, sizeof(g->b->note), "the metadata is on other disks than the data");
	return ret < 0 ? ret : check_legs(g);
}

static int build_lvm(struct stack_build *b)
{
	struct group g = { .b = b };
	const char *names[STACK_LEGS] = { NULL };
	char name[64];
	size_t i;
	int ret;

	snprintf(g.vg, sizeof(g.vg), "blklat_%s_%u", b->j->id, b->seq);
	snprintf(name, sizeof(name), "%s-" LV, g.vg);
	ret = get_pvs(&g);
	for (i = 0; i < g.n; i++)
		names[i] = g.pvs[i].name;
	make_config(g.l.config, sizeof(g.l.config), names, g.n);
	for (i = 0; i < g.n && !ret; i++)
		ret = make_pv(&g, i);
	ret = ret ?: make_vg(&g);
	ret = ret ?: make_lv(&g);
	if (!ret && b->temporary)
		ret = take_legs(&g);
	return ret ?: build_result(b, dm_number(name));
}

static int remove_volume(const char *name, void *arg)
{
	/* This fails for a volume below another one: a later pass removes it. */
	dm_remove(name, "LVM-");
	return 0;
}

int lvm_remove_group(const char *vg, char *const *pvs)
{
	struct lvm l = { .n = 0 };
	char prefix[64], dir[80], link[96];
	size_t n = 0;
	int i;

	snprintf(prefix, sizeof(prefix), "%s-", vg);
	if (dm_each(prefix, NULL, NULL) <= 0)
		return 0;
	while (pvs[n])
		n++;
	make_config(l.config, sizeof(l.config), (const char *const *)pvs, n);
	begin(&l, "vgremove");
	add(&l, "-f");
	add(&l, vg);
	command_try(l.argv);
	/* vgremove fails if the group is half made or a disk is gone: remove volume by volume. */
	for (i = 0; i < PASSES && dm_each(prefix, NULL, NULL) > 0; i++)
		dm_each(prefix, remove_volume, NULL);
	if (dm_each(prefix, NULL, NULL) > 0)
		return -EBUSY;
	snprintf(dir, sizeof(dir), "/dev/%s", vg);
	snprintf(link, sizeof(link), "%s/" LV, dir);
	unlink(link);
	rmdir(dir);
	return 1;
}

const struct stack_type lvm_types[] = {
	{ { "lvm-linear", "LVM, linear volume", 1 }, .modules = dm_mod, .tool = "lvm",
	  .kind = "linear", .build = build_lvm },
	{ { "lvm-stripe", "LVM, striped volume, 64 KiB", 2 }, .all = true, .modules = dm_mod,
	  .tool = "lvm", .kind = "striped", .build = build_lvm },
	{ { "lvm-raid1", "LVM, raid1 volume", 2 }, .all = true, .modules = raid1_mods,
	  .tool = "lvm", .kind = "raid1", .build = build_lvm },
	{ { "lvm-raid10", "LVM, raid10 volume, 64 KiB", 4 }, .all = true, .even = true,
	  .modules = raid10_mods, .tool = "lvm", .kind = "raid10", .build = build_lvm },
	{ }
};
