/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_DEVICE_H
#define BLKLAT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define DEV_NAME	64
#define DEV_TEXT	128

/* These are the properties of a block device. Unknown texts are "", unknown numbers are 0. */
struct device {
	char name[DEV_NAME];		/* the kernel's name, "nvme0n1p1" */
	char path[DEV_TEXT];		/* the node, "/dev/nvme0n1p1" */
	char sys[512];			/* the device's directory in /sys, links resolved */
	dev_t dev;

	bool partition;
	unsigned int partno;
	char disk[DEV_NAME];		/* the whole disk; @name if this is not a partition */
	dev_t disk_dev;
	char disk_sys[512];
	uint64_t diskseq;		/* tells two disks with the same name and number apart */

	/* device_facts() fills in the members from here on. */
	uint64_t size;			/* bytes */
	uint64_t start;			/* begin of a partition on its disk, bytes */
	bool read_only;
	char kind[32];			/* nvme, ahci, scsi_debug, null_blk, dm, md... */
	char transport[32];		/* pcie, tcp, sata..., for NVMe and SCSI */
	char model[DEV_TEXT];
	char firmware[32];
	char serial[DEV_TEXT];
	char lba_format[64];		/* only of NVMe: "512 + 8 metadata, format 1 of 4" */
	char by_id[DEV_TEXT];		/* name of a link in /dev/disk/by-id */
	unsigned int logical_bs, physical_bs;
	bool rotational;
	bool bio_based;			/* the driver takes bios and makes no requests */
	unsigned int queues;		/* hardware queues */
	unsigned int depth;		/* requests per queue (nr_requests) */
	unsigned int poll_queues;	/* 1: polling is possible */
	unsigned int max_io;		/* largest request, bytes */
	char scheduler[32];
	char write_cache[32];		/* "write back", "write through" */
	int numa_node;			/* -1: none, or not known */
};

/**
 * device_resolve() - find the block device that the user means
 * @what: kernel name, path, link to a node, or a name in /dev/mapper, /dev/md or /dev/disk/by-*;
 *	partitions too
 * @d: name, path, dev and disk are filled in
 * Return: 0, -ENOENT (no such device), -ENODEV (a node without a device), -ENOTBLK (not a block
 * device) or another -errno; reported.
 */
int device_resolve(const char *what, struct device *d);

/**
 * device_resolve_all() - find several block devices that the user means
 * @names: what device_resolve() can find
 * @n: number of @names
 * @devs: set to an array of @n devices, NULL if @n is 0; the caller frees it, also after a failure
 * Return: as device_resolve(), or -ENOMEM; reported.
 */
int device_resolve_all(char *const *names, size_t n, struct device **devs);

/**
 * device_is_layer() - tell if the device's I/O becomes I/O of devices below
 * @d: the device; call device_facts() before
 *
 * Return: true for dm, md, the head of NVMe multipath, and their partitions.
 */
bool device_is_layer(const struct device *d);

/**
 * device_is_nvme_head() - tell if a device is an NVMe multipath head
 * @d: the device, as device_resolve() or device_from_*() made it
 *
 * A head is the disk over the hidden disks of its paths.
 *
 * Return: true for a head or a partition of one.
 */
bool device_is_nvme_head(const struct device *d);

/**
 * device_is_nvme_path() - tell if a disk is a path of an NVMe multipath head
 * @path: the kernel's name of the disk: "nvme0c1n1"
 * @head: the kernel's name of the head: "nvme0n1"
 * @ctrl: set to the number of the path's controller, 1, if this returns true
 *
 * Return: true if it is.
 */
bool device_is_nvme_path(const char *path, const char *head, unsigned int *ctrl);

/**
 * device_hidden_number() - find the kernel's number of a hidden disk, which /sys does not have
 * @d: the disk; its name is looked for in /proc/diskstats
 *
 * Return: the number; 0 if it is not known.
 */
dev_t device_hidden_number(const struct device *d);

/**
 * device_from_dev() - find the device with this number
 * @dev: the number
 * @d: overwritten; the same members are filled in as by device_resolve()
 *
 * Return: 0 or -ENOENT, not reported.
 */
int device_from_dev(dev_t dev, struct device *d);

/**
 * device_from_sys() - find the device of a directory in /sys
 * @sys: the directory; the caller has resolved its links
 * @d: as for device_from_dev(). The hidden disk of an NVMe path has no number: its @d->dev is 0.
 *
 * Return: 0 or -ENOENT, not reported.
 */
int device_from_sys(const char *sys, struct device *d);

/**
 * device_facts() - fill in all other members from sysfs and, for NVMe, libnvme
 * @d: as device_resolve() or device_from_*() made it
 *
 * Facts that cannot be read stay empty; there is no failure.
 */
void device_facts(struct device *d);

/**
 * device_nvme_facts() - ask an NVMe device for the format of its blocks; this needs root
 * @d: the device; @d->lba_format is set, but stays as it is if the device names no valid format
 *
 * Return: 0, or -errno if the device cannot be asked; not reported.
 */
int device_nvme_facts(struct device *d);

/**
 * sys_check() - check that sysfs is mounted at /sys
 *
 * Return: 0, or -ENOENT if it is not, reported.
 */
int sys_check(void);

/**
 * sys_read() - read a small file, such as those of sysfs
 * @dir: directory of the file
 * @file: name of the file
 * @buf: set to the text, without blanks around it and without a line end; "" on failure
 * @len: bytes of @buf; a longer text is cut
 *
 * A device gives some of these texts itself, so they are cleaned as by utf8_clean().
 *
 * Return: 0 or -errno, not reported.
 */
int sys_read(const char *dir, const char *file, char *buf, size_t len);

/**
 * sys_read_chosen() - read the value that is set, from a file that may list all possible values
 * @dir: directory of the file
 * @file: name of the file
 * @buf: set to the word in brackets of a list such as "[none] mq-deadline", or to the whole text if
 *	it has none; stays as it is on failure
 * @len: bytes of @buf
 *
 * Return: 0 or -errno, not reported.
 */
int sys_read_chosen(const char *dir, const char *file, char *buf, size_t len);

/**
 * sys_write() - write a value to a file of sysfs
 * @dir: directory of the file
 * @file: name of the file
 * @value: the text to write
 *
 * Return: 0 or -errno, not reported.
 */
int sys_write(const char *dir, const char *file, const char *value);

/**
 * sys_num() - read a decimal number
 * @dir: directory of the file
 * @file: name of the file
 *
 * Return: the number; 0 on failure.
 */
uint64_t sys_num(const char *dir, const char *file);

/**
 * sys_nums() - read the decimal numbers of a file
 * @dir: directory of the file
 * @file: name of the file
 * @v: set to the numbers; room for @max
 * @max: read at most this many
 *
 * Return: how many were read; 0 on failure.
 */
size_t sys_nums(const char *dir, const char *file, uint64_t *v, size_t max);

/**
 * sys_dev() - read the number of a device ("major:minor") from its file "dev"
 * @dir: directory of the device
 *
 * Return: the number; 0 on failure.
 */
dev_t sys_dev(const char *dir);

/**
 * struct sys_task - what /proc says of a task
 * @comm: its name
 * @state: 'R' for running, 'S' for sleeping, 'D' for uninterruptible sleep, and so on, see proc(5)
 * @kernel: true if it is a thread of the kernel
 */
struct sys_task {
	char comm[64];
	char state;
	bool kernel;
};

/**
 * sys_task() - read the name and the state of a task
 * @dir: /proc/PID or /proc/PID/task/TID
 * @task: set on success
 *
 * Return: false if there is no such task.
 */
bool sys_task(const char *dir, struct sys_task *task);

/**
 * sys_each() - call @fn for each entry of a directory, except "." and ".."
 * @dir: the directory
 * @fn: a value other than 0 ends the walk
 * @arg: handed to @fn
 * Return: 0, -errno if the directory cannot be read, or the last value of @fn.
 */
int sys_each(const char *dir, int (*fn)(const char *dir, const char *name, void *arg), void *arg);

#endif
