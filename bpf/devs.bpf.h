/* SPDX-License-Identifier: GPL-2.0 */
/* Find the traced device of a block device or a request, and what is known of it. */
#ifndef BLKLAT_DEVS_BPF_H
#define BLKLAT_DEVS_BPF_H

#include "tables.bpf.h"

/**
 * kdev() - make the number of a disk
 * @disk: the disk
 *
 * Return: the kernel dev_t of the whole disk.
 */
static __always_inline __u32 kdev(struct gendisk *disk)
{
	return (__u32)disk->major << 20 | disk->first_minor;
}

/**
 * dev_cfg() - find the entry of a traced device
 * @dev: index of the device; a mask keeps it within the entries
 *
 * Return: the entry, never NULL.
 */
static __always_inline const volatile struct blklat_dev_cfg *dev_cfg(__u32 dev)
{
	const volatile struct blklat_dev_cfg *d;

	dev &= BLKLAT_MAX_DEVS - 1;
	/*
	 * Without KEEP_ADDRESS(), clang would compute both addresses and choose one. The verifier
	 * can remove a branch that is never taken, but not such a choice.
	 */
	if (cfg.joins) {
		d = &state.devs[dev];
		KEEP_ADDRESS(d);
	} else {
		d = &cfg.devs[dev];
		KEEP_ADDRESS(d);
	}
	return d;
}

/**
 * dev_is() - check if a traced device has this disk and partition
 * @d: the device
 * @disk: kernel dev_t of the disk
 * @part: kernel dev_t of the partition, 0 if it is not known
 *
 * Return: true if @d traces them; false also if the device is gone.
 */
static __always_inline bool dev_is(const volatile struct blklat_dev_cfg *d, __u32 disk, __u32 part)
{
	return d->disk == disk && (!d->part || !part || d->part == part) &&
	       !(d->flags & DEV_GONE);
}

/**
 * dev_of() - find the traced device that has this disk and partition
 * @disk: kernel dev_t of the disk
 * @part: kernel dev_t of the partition, 0 if it is not known (a flush request, or iostats are off);
 *	then any partition of the disk matches
 *
 * Return: the index of the device, or -1.
 */
static __always_inline int dev_of(__u32 disk, __u32 part)
{
	int at;

	if (cfg.max_devs == 1)
		return dev_is(&cfg.devs[0], disk, part) ? 0 : -1;
	at = state.disk_at[blklat_dev_place(disk)];
	if (!at)
		return -1;
	at = (at - 1) & (BLKLAT_MAX_DEVS - 1);
	if (dev_is(dev_cfg(at), disk, part))
		return at;
	at = blklat_dev_search(disk, part);
	/*
	 * In the object that defines blklat_dev_search(), clang knows the range of its result and
	 * would leave out checks that the verifier needs: to it the result can be any number.
	 */
	asm volatile("" : "+r"(at));
	return at;
}

/**
 * is_stray() - check if an I/O cannot be the one in a request
 * @io: the I/O that a bio of the request leads to
 * @dev: index of the device of the request
 *
 * The I/O is a stray if its own device has no requests and is no layer that could have handed the
 * bio on. Then the bio is in use again: the end of this I/O and the start of the new one were both
 * missed.
 *
 * Return: true for a stray.
 */
static __always_inline bool is_stray(struct blklat_io *io, __u32 dev)
{
	const volatile struct blklat_dev_cfg *d = dev_cfg(io->dev);

	return cfg.bio_based && io->dev != dev && d->bio_based && !d->layer;
}

/**
 * makes_bios() - check if a device is a layer whose I/O is followed as bios, and not as requests
 * @dev: index of the traced device
 *
 * Return: true if it is.
 */
static __always_inline bool makes_bios(__u32 dev)
{
	const volatile struct blklat_dev_cfg *d = dev_cfg(dev);

	return cfg.stack && d->layer && !d->requests;
}

/**
 * dev_numbered() - find the traced device that has this number itself
 * @number: kernel dev_t of a block device; 0, which that of a hidden disk has, finds none
 *
 * Return: the index of the device; -1 if there is none, or if only dev_of() can find it.
 */
static __always_inline int dev_numbered(__u32 number)
{
	__u32 dev = state.dev_at[blklat_dev_place(number)];

	return number && dev_cfg(dev)->number == number ? (int)(dev & (BLKLAT_MAX_DEVS - 1)) : -1;
}

/**
 * dev_of_bdev() - find the traced device that has this block device
 * @bdev: the block device
 *
 * Each read of the kernel's memory takes some ten instructions. So if only one whole disk is
 * traced, the number of the block device is read first, as it mostly decides.
 *
 * Context: any; on the hot path, also for devices that are not traced
 * Return: the index of the device, or -1.
 */
static __always_inline int dev_of_bdev(struct block_device *bdev)
{
	__u32 disk = cfg.devs[0].disk;
	struct gendisk *gd;
	__u32 number;
	int dev;

	if (cfg.max_devs > 1 || cfg.devs[0].part) {
		number = bdev->bd_dev;
		dev = dev_numbered(number);
		return dev >= 0 ? dev : dev_of(kdev(bdev->bd_disk), number);
	}
	number = bdev->bd_dev;
	if (number == disk)
		return 0;
	if (number >> 20 != BLOCK_EXT_MAJOR && number - disk >= cfg.minors)
		return -1;
	/* It may be a partition of the disk. */
	gd = bdev->bd_disk;
	return gd->first_minor == (disk & 0xfffff) && gd->major == disk >> 20 ? 0 : -1;
}

/**
 * dev_of_rq_part() - find the traced device of a request
 * @rq: the request
 * @part: its rq->part, or NULL
 *
 * Return: the index of the device, or -1. Requests of admin queues have no disk.
 */
static __always_inline int dev_of_rq_part(struct request *rq, struct block_device *part)
{
	struct gendisk *gd;

	if (part)
		return dev_of_bdev(part);
	gd = rq->q->disk;
	return gd ? dev_of(kdev(gd), 0) : -1;
}

/**
 * dev_of_rq() - do as dev_of_rq_part() if rq->part has not been read
 * @rq: the request
 *
 * Return: the index of the device, or -1.
 */
static __always_inline int dev_of_rq(struct request *rq)
{
	return dev_of_rq_part(rq, rq->part);
}

#endif /* BLKLAT_DEVS_BPF_H */
