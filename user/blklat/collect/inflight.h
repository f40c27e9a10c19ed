/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_INFLIGHT_H
#define BLKLAT_INFLIGHT_H

#include "device/device.h"
#include "inflight_disk.h"

/*
 * This finds the I/Os in flight of a disk by a walk of the kernel's requests. It needs no trace,
 * so it finds I/O that began before blklat did. struct inflight is the skeleton of the program.
 */
struct inflight;

/**
 * inflight_open() - load the program that lists I/Os in flight
 * @out: free it with inflight_close(); NULL on failure
 *
 * Needs what a trace needs, see may_trace().
 * Return: 0 or -errno, reported.
 */
int inflight_open(struct inflight **out);

/**
 * inflight_close() - unload and free the program
 * @f: from inflight_open(); NULL does nothing
 */
void inflight_close(struct inflight *f);

/**
 * inflight_read() - list the I/Os of a disk that are in flight
 * @f: from inflight_open()
 * @d: a disk; of a partition, the disk is read
 * @older_ns: list only I/Os that are in flight for at least this long; 0 for all
 * @disk: the state of its queue; disk->listed may be larger than the number of I/Os returned
 * @ios: the I/Os, valid until the next call, in no order
 * @n: number of entries of @ios
 *
 * It opens only a directory of /sys and does no I/O, so a disk that hangs does not hold it up.
 * Return: 0, or -errno, not reported: -ENODEV if the disk is gone.
 */
int inflight_read(struct inflight *f, const struct device *d, uint64_t older_ns,
		  struct inflight_disk *disk, const struct inflight_io **ios, size_t *n);

#endif
