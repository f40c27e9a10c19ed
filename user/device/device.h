/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_DEVICE_H
#define BLKLAT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define DEV_NAME	64
#define DEV_TEXT	128

/* A block device: what it is. Unknown texts are "", unknown numbers 0. */
struct device {
	char name[DEV_NAME];		/* the kernel's: "nvme0n1p1" */
	char path[DEV_TEXT];		/* /dev/nvme0n1p1 */
	char sys[512];			/* its directory in /sys */
	dev_t dev;

	bool partition;
	unsigned int partno;
	char disk[DEV_NAME];		/* whole disk; its own name when not a partition */
	dev_t disk_dev;
	char disk_sys[512];

	/* device_facts() */
	uint64_t size;			/* bytes */
	uint64_t start;			/* of a partition on its disk, bytes */
	bool read_only;
	char kind[32];			/* nvme, ahci, scsi_debug, virtio_blk, null_blk, dm, md... */
	char transport[32];		/* pcie, tcp, sata..., for NVMe and SCSI */
	char model[DEV_TEXT];
	char firmware[32];
	char serial[DEV_TEXT];
	char lba_format[64];		/* "512 + 8 metadata, relative performance 2"; else "" */
	char by_id[DEV_TEXT];		/* a link in /dev/disk/by-id */
	unsigned int logical_bs, physical_bs;
	bool rotational;
	bool bio_based;			/* takes bios, has no request queue of its own */
	unsigned int queues;		/* hardware queues */
	unsigned int depth;		/* requests per queue (nr_requests) */
	unsigned int poll_queues;	/* 1: polling is possible */
	unsigned int max_io;		/* largest request, bytes */
	char scheduler[32];
	char write_cache[32];		/* "write back", "write through" */
	int numa_node;			/* -1: none */
};

/**
 * device_resolve() - find the block device a user means
 * @what: kernel name, path, any link to it, or a name in /dev/mapper or
 *	/dev/disk/by-*; partitions too
 * @d: name, path, dev and disk are filled in
 * Return: 0, -ENOENT (no such device), -ENOTBLK (something else has this name)
 * or another -errno; reported.
 */
int device_resolve(const char *what, struct device *d);

/*
 * Whether its I/O becomes I/O of devices below: dm, md, the head of NVMe
 * multipath, and their partitions. Needs device_facts().
 */
bool device_is_layer(const struct device *d);

/* The disk over the hidden disks of NVMe paths, or a partition of it. */
bool device_is_nvme_head(const struct device *d);

/* The kernel's number of a hidden disk, which has none in /sys. 0 when not known. */
dev_t device_hidden_number(const struct device *d);

/* The device with this number. Return: 0 or -ENOENT, not reported. */
int device_from_dev(dev_t dev, struct device *d);

/*
 * The device whose directory in /sys this is, links resolved. A hidden one (the
 * disk of an NVMe path) has no number: its dev is 0. Return: as device_from_dev().
 */
int device_from_sys(const char *sys, struct device *d);

/**
 * device_facts() - fill in all the rest from sysfs and, for NVMe, libnvme
 * What cannot be known stays empty; there is no failure.
 */
void device_facts(struct device *d);

/* The LBA format in use, from libnvme. Needs root. Return: 0 or -errno, not reported. */
int device_nvme_facts(struct device *d);

/*
 * Small sysfs readers: @dir/@file into @buf without the line end.
 * Return: 0 or -errno; @buf is "" on failure.
 */
int sys_read(const char *dir, const char *file, char *buf, size_t len);

/* Return: 0 or -errno. */
int sys_write(const char *dir, const char *file, const char *value);
/* A decimal number; 0 on failure. */
uint64_t sys_num(const char *dir, const char *file);
/* "major:minor" from @dir/dev. 0 on failure. */
dev_t sys_dev(const char *dir);

/**
 * sys_each() - call @fn for each entry of a directory, "." and ".." left out
 * Return: 0, -errno when the directory cannot be read, or what @fn returned if
 * that was not 0 (which ends the walk).
 */
int sys_each(const char *dir, int (*fn)(const char *dir, const char *name, void *arg), void *arg);

#endif
