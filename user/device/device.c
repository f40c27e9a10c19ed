// SPDX-License-Identifier: GPL-2.0
/* Find the device that the user means, and its properties. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "core/log.h"
#include "core/text.h"
#include "core/utf8.h"
#include "device/device.h"

#define COPY(dst, src)	snprintf(dst, sizeof(dst), "%.*s", (int)sizeof(dst) - 1, src)

/* Look for a bare name in these directories, in this order. */
static const char *const places[] = {
	"/dev", "/dev/mapper", "/dev/md", "/dev/disk/by-id", "/dev/disk/by-path",
	"/dev/disk/by-uuid", "/dev/disk/by-label", "/dev/disk/by-partuuid",
	"/dev/disk/by-partlabel", "/dev/disk/by-diskseq", NULL
};

static int find_node(const char *what, struct stat *st, char *path, size_t len)
{
	int ret = -ENOENT, i;

	if (strchr(what, '/')) {
		snprintf(path, len, "%s", what);
		return stat(path, st) ? -errno : 0;
	}
	for (i = 0; places[i]; i++) {
		if (snprintf(path, len, "%s/%s", places[i], what) >= (int)len)
			return -ENAMETOOLONG;
		if (!stat(path, st))
			return 0;
		if (errno != ENOENT && errno != ENOTDIR)
			ret = -errno;
	}
	/* If a file in the working directory has this name, report "not a block device". */
	snprintf(path, len, "%s", what);
	return stat(path, st) ? ret : 0;
}

static void name_from_sys(const char *sys, char *name, size_t len)
{
	char *p;

	snprintf(name, len, "%s", path_base(sys));
	/* sysfs has '!' for '/': cciss/c0d0 is cciss!c0d0 there. */
	for (p = name; *p; p++)
		if (*p == '!')
			*p = '/';
}

int device_from_sys(const char *sys, struct device *d)
{
	char disk[PATH_MAX], *slash;

	memset(d, 0, sizeof(*d));
	d->numa_node = -1;
	if (strlen(sys) >= sizeof(d->sys) || access(sys, F_OK))
		return -ENOENT;
	COPY(d->sys, sys);
	d->dev = sys_dev(sys);
	name_from_sys(sys, d->name, sizeof(d->name));
	snprintf(d->path, sizeof(d->path), "/dev/%s", d->name);
	/* null_blk lets users choose any name. It is printed to terminals and into JSON. */
	utf8_one_line(d->name);
	d->partno = sys_num(d->sys, "partition");
	d->partition = d->partno;
	COPY(disk, sys);
	slash = strrchr(disk, '/');
	if (d->partition && slash)
		*slash = 0;
	COPY(d->disk_sys, disk);
	name_from_sys(disk, d->disk, sizeof(d->disk));
	utf8_one_line(d->disk);
	d->disk_dev = d->partition ? sys_dev(d->disk_sys) : d->dev;
	d->diskseq = sys_num(d->disk_sys, "diskseq");
	return 0;
}

int device_from_dev(dev_t dev, struct device *d)
{
	char link[64], real[PATH_MAX];

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (realpath(link, real))
		return device_from_sys(real, d);
	memset(d, 0, sizeof(*d));
	return -ENOENT;
}

int device_resolve(const char *what, struct device *d)
{
	char path[PATH_MAX];
	struct stat st;
	int ret;

	ret = *what ? find_node(what, &st, path, sizeof(path)) : -ENOENT;
	if (ret == -ENOENT || ret == -ENOTDIR)
		return err(-ENOENT, "%s: no such device", what);
	if (ret)
		return err(ret, "%s: %s", what, strerror(-ret));
	if (!S_ISBLK(st.st_mode))
		return err(-ENOTBLK, "%s: not a block device", what);
	ret = sys_check();
	if (ret)
		return ret;
	if (device_from_dev(st.st_rdev, d))
		return err(-ENODEV, "%s: no device is behind this node (%u:%u)", what,
			   major(st.st_rdev), minor(st.st_rdev));
	/* /dev/NAME may not exist; the node that the user gave does. */
	if (access(d->path, F_OK))
		COPY(d->path, path);
	return 0;
}

int device_resolve_all(char *const *names, size_t n, struct device **devs)
{
	int ret = 0;

	*devs = n ? calloc(n, sizeof(**devs)) : NULL;
	if (n && !*devs)
		return no_memory();
	for (size_t i = 0; i < n && !ret; i++)
		ret = device_resolve(names[i], &(*devs)[i]);
	return ret;
}

bool device_is_nvme_head(const struct device *d)
{
	return strstr(d->disk_sys, "/nvme-subsystem/");
}

bool device_is_nvme_path(const char *path, const char *head, unsigned int *ctrl)
{
	unsigned int sub, ns, s, n;

	return sscanf(head, "nvme%un%u", &sub, &ns) == 2 &&
	       sscanf(path, "nvme%uc%un%u", &s, ctrl, &n) == 3 && s == sub && n == ns;
}

bool device_is_layer(const struct device *d)
{
	return !strcmp(d->kind, "dm") || !strcmp(d->kind, "md") || device_is_nvme_head(d);
}

dev_t device_hidden_number(const struct device *d)
{
	FILE *f = fopen("/proc/diskstats", "re");
	char line[256], name[DEV_NAME];
	unsigned int major, minor;
	dev_t dev = 0;

	while (f && !dev && fgets(line, sizeof(line), f))
		if (sscanf(line, "%u %u %63s", &major, &minor, name) == 3 && !strcmp(name, d->name))
			dev = makedev(major, minor);
	if (f)
		fclose(f);
	return dev;
}

static int count_entry(const char *dir, const char *name, void *arg)
{
	(*(unsigned int *)arg)++;
	return 0;
}

/* With native multipath, the queues of nvme0n1 belong to hidden disks such as nvme0c0n1. */
static int add_path_queues(const char *dir, const char *name, void *arg)
{
	struct device *d = arg;
	char path[PATH_MAX];
	unsigned int ctrl;

	if (!device_is_nvme_path(name, d->disk, &ctrl))
		return 0;
	snprintf(path, sizeof(path), "%s/%s/mq", dir, name);
	sys_each(path, count_entry, &d->queues);
	snprintf(path, sizeof(path), "%s/%s/queue", dir, name);
	d->depth = sys_num(path, "nr_requests");
	sys_read_chosen(path, "scheduler", d->scheduler, sizeof(d->scheduler));
	return 0;
}

static void queue_facts(struct device *d)
{
	char queue[600];

	snprintf(queue, sizeof(queue), "%s/queue", d->disk_sys);
	d->logical_bs = sys_num(queue, "logical_block_size");
	d->physical_bs = sys_num(queue, "physical_block_size");
	d->rotational = sys_num(queue, "rotational");
	d->depth = sys_num(queue, "nr_requests");
	d->poll_queues = sys_num(queue, "io_poll");
	d->max_io = sys_num(queue, "max_sectors_kb") * 1024;
	sys_read(queue, "write_cache", d->write_cache, sizeof(d->write_cache));
	sys_read_chosen(queue, "scheduler", d->scheduler, sizeof(d->scheduler));
	snprintf(queue, sizeof(queue), "%s/mq", d->disk_sys);
	d->queues = 0;
	if (sys_each(queue, count_entry, &d->queues)) {
		sys_each("/sys/block", add_path_queues, d);
		d->bio_based = !d->queues;
	}
	/* Old kernels have these files for devices without requests too; ignore them. */
	if (d->bio_based) {
		d->depth = 0;
		*d->scheduler = '\0';
	}
}

static void link_name(const char *dir, const char *link, char *buf, size_t len)
{
	char path[600], target[PATH_MAX];
	ssize_t n;

	*buf = 0;
	snprintf(path, sizeof(path), "%s/%s", dir, link);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = 0;
	snprintf(buf, len, "%s", path_base(target));
}

/* Take the name of the SCSI host's driver (ahci, scsi_debug...) as the kind of a SCSI disk. */
static bool scsi_kind(struct device *d)
{
	unsigned int host;
	const char *p = strstr(d->disk_sys, "/host");
	char dir[64];

	if (!p || sscanf(p, "/host%u/", &host) != 1)
		return false;
	snprintf(dir, sizeof(dir), "/sys/class/scsi_host/host%u", host);
	if (sys_read(dir, "proc_name", d->kind, sizeof(d->kind)) || !*d->kind)
		COPY(d->kind, "scsi");
	if (strstr(d->disk_sys, "/ata"))
		COPY(d->transport, "sata");
	return true;
}

static void find_kind(struct device *d)
{
	static const struct {
		const char *prefix, *kind;
	} by_name[] = {
		{ "nvme", "nvme" }, { "nullb", "null_blk" }, { "dm-", "dm" }, { "md", "md" },
		{ "loop", "loop" }, { "ram", "brd" }, { "zram", "zram" }, { "nbd", "nbd" },
		{ "pmem", "pmem" }, { "ublkb", "ublk" }, { "bcache", "bcache" },
	};
	char dir[600], class[600];
	size_t i;

	if (scsi_kind(d))
		return;
	for (i = 0; i < sizeof(by_name) / sizeof(*by_name); i++) {
		if (strncmp(d->disk, by_name[i].prefix, strlen(by_name[i].prefix)))
			continue;
		COPY(d->kind, by_name[i].kind);
		break;
	}
	snprintf(dir, sizeof(dir), "%s/device", d->disk_sys);
	if (!*d->kind)
		link_name(dir, "driver", d->kind, sizeof(d->kind));
	if (!strcmp(d->kind, "nvme") &&
	    sys_read(dir, "transport", d->transport, sizeof(d->transport))) {
		/* A multipath head has no transport of its own: take that of one controller. */
		unsigned int n;

		if (sscanf(d->disk, "nvme%u", &n) == 1) {
			snprintf(class, sizeof(class), "/sys/class/nvme/nvme%u", n);
			sys_read(class, "transport", d->transport, sizeof(d->transport));
		}
	}
}

/* Read the serial number from VPD page 0x80, which begins with four bytes of header. */
static void scsi_serial(struct device *d, const char *dir)
{
	char path[640], page[DEV_TEXT];
	size_t n, i, len = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/vpd_pg80", dir);
	f = fopen(path, "re");
	if (!f)
		return;
	n = fread(page, 1, sizeof(page), f);
	fclose(f);
	for (i = 4; i < n && len < sizeof(d->serial) - 1; i++)
		if (page[i] > ' ' || (page[i] == ' ' && len))
			d->serial[len++] = page[i];
	while (len && d->serial[len - 1] == ' ')
		len--;
	d->serial[len] = 0;
}

static void identity_facts(struct device *d)
{
	char dir[600], vendor[32], model[80];

	snprintf(dir, sizeof(dir), "%s/device", d->disk_sys);
	sys_read(dir, "model", d->model, sizeof(d->model));
	if (!sys_read(dir, "vendor", vendor, sizeof(vendor)) && strncmp(vendor, "0x", 2) &&
	    strcmp(vendor, "ATA") && *d->model) {
		COPY(model, d->model);
		snprintf(d->model, sizeof(d->model), "%s %s", vendor, model);
	}
	if (sys_read(dir, "firmware_rev", d->firmware, sizeof(d->firmware)))
		sys_read(dir, "rev", d->firmware, sizeof(d->firmware));
	if (sys_read(dir, "serial", d->serial, sizeof(d->serial)) || !*d->serial)
		sys_read(d->disk_sys, "serial", d->serial, sizeof(d->serial));
	if (!*d->serial)
		scsi_serial(d, dir);
	snprintf(dir, sizeof(dir), "%s/dm", d->disk_sys);
	if (!*d->model)
		sys_read(dir, "name", d->model, sizeof(d->model));
	snprintf(dir, sizeof(dir), "%s/md", d->disk_sys);
	if (!*d->model)
		sys_read(dir, "level", d->model, sizeof(d->model));
}

static void find_numa_node(struct device *d)
{
	char dir[PATH_MAX], text[16], *slash;

	/* The nearest parent with the file has the node; usually this is the PCI function. */
	COPY(dir, d->disk_sys);
	while ((slash = strrchr(dir, '/')) && slash != dir) {
		*slash = 0;
		if (!sys_read(dir, "numa_node", text, sizeof(text))) {
			d->numa_node = atoi(text);
			return;
		}
	}
}

static int match_by_id(const char *dir, const char *name, void *arg)
{
	struct device *d = arg;
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (stat(path, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != d->dev)
		return 0;
	/* Prefer a name with the model to a name from a WWN or EUI: it says more. */
	if (!*d->by_id || !strncmp(d->by_id, "wwn-", 4) || strstr(d->by_id, "-eui."))
		COPY(d->by_id, name);
	return 0;
}

void device_facts(struct device *d)
{
	d->size = sys_num(d->sys, "size") * 512;
	d->start = d->partition ? sys_num(d->sys, "start") * 512 : 0;
	d->read_only = sys_num(d->sys, "ro");
	queue_facts(d);
	find_kind(d);
	identity_facts(d);
	find_numa_node(d);
	sys_each("/dev/disk/by-id", match_by_id, d);
	if (!strcmp(d->kind, "nvme"))
		device_nvme_facts(d);
}
