// SPDX-License-Identifier: GPL-2.0
/*
 * Trace a device that becomes a part of a traced stack during the trace, through a new table of a
 * dm device or as a new leg of an array. It joins before the first I/O of the stack comes to it.
 */
#include "cost.bpf.h"

/**
 * blklat_dev_search() - search all traced devices for a disk and partition
 * @disk: kernel dev_t of the disk
 * @part: kernel dev_t of the partition, or 0
 *
 * This is needed for a partition that is not the first traced one of its disk, and for disks whose
 * numbers share a place in blklat_state.disk_at. This function is global, so that the verifier
 * checks it once and not once per call.
 *
 * Context: any
 * Return: the index of the device, or -1.
 */
int blklat_dev_search(__u32 disk, __u32 part)
{
	for (__u32 i = 0; i < BLKLAT_MAX_DEVS; i++) {
		const volatile struct blklat_dev_cfg *d = dev_cfg(i);

		if (i >= cfg.max_devs)
			break;
		/* A spare entry is not complete before it has this flag. */
		if (i >= cfg.nr_devs && !(d->flags & DEV_JOINED))
			continue;
		if (dev_is(d, disk, part))
			return i;
	}
	return -1;
}

static __always_inline bool is_layer_major(__u32 major)
{
	return major && (major == cfg.layer_majors[0] || major == cfg.layer_majors[1] ||
			 major == cfg.layer_majors[2]);
}

static __always_inline int join(struct block_device *bdev)
{
	struct gendisk *disk = bdev->bd_disk;
	bool bios = disk->fops->submit_bio;
	__u32 n, idx;
	volatile struct blklat_dev_cfg *d;

	n = __sync_fetch_and_add(&state.joined, 1);
	if (n >= BLKLAT_SPARE_DEVS || cfg.nr_devs + n >= cfg.max_devs)
		return 0;
	idx = (cfg.nr_devs + n) & (BLKLAT_MAX_DEVS - 1);
	d = &state.devs[idx];
	d->disk = kdev(disk);
	d->part = bdev->bd_dev == kdev(disk) ? 0 : bdev->bd_dev;
	d->layer = is_layer_major(disk->major);
	d->bio_based = bios && !d->layer;
	d->requests = d->layer && !bios;
	d->rqs = !d->layer && !bios;
	d->inner = 1;
	/*
	 * While this has all bits set, an I/O of the device whose start was not seen counts as
	 * begun before the trace, and not as missed.
	 */
	d->since_ns = ~0ULL;
	/*
	 * A program that sees this flag sees the members above, too. Some CPUs order the stores
	 * only if the result of the atomic operation is used.
	 */
	if (__sync_fetch_and_or(&state.devs[idx].flags, DEV_JOINED) & DEV_JOINED)
		return 0;
	d->number = d->part ?: d->disk;
	state.dev_at[blklat_dev_place(d->number)] = idx;
	/*
	 * If another disk has this place, or two programs write to it at once, then
	 * blklat_dev_search() finds the device.
	 */
	if (!state.disk_at[blklat_dev_place(d->disk)])
		state.disk_at[blklat_dev_place(d->disk)] = idx + 1;
	__sync_fetch_and_add(&state.changes, 1);
	d->since_ns = bpf_ktime_get_ns();
	return 0;
}

/*
 * A layer begins to use a device. The device joins the stack here, before the layer sends it any
 * I/O: dm calls this when it loads an inactive table, md when it binds a leg.
 */
SEC("?fentry/bd_link_disk_holder")
int RARE_FENTRY_PROG(holder_linked, struct block_device *bdev, struct gendisk *disk)
{
	int upper, lower;

	if (!cfg.joins || state.phase == PHASE_DRAIN)
		return 0;
	upper = dev_of(kdev(disk), 0);
	if (upper < 0 || !dev_cfg(upper)->layer)
		return 0;
	lower = dev_of_bdev(bdev);
	if (lower < 0)
		return join(bdev);
	state.devs[lower & (BLKLAT_MAX_DEVS - 1)].inner = 1;
	return 0;
}
