/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NULLBLK_H
#define BLKLAT_NULLBLK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Make and remove null_blk devices through configfs. These functions report nothing: they write the
 * reason of a failure to a buffer, because the process that makes the device may have no terminal.
 */

#define NULLBLK_SIZE_MB	4096u

struct nullblk {
	unsigned int size_mb;		/* 0: NULLBLK_SIZE_MB */
	unsigned int queues, depth;	/* hardware queues, requests in each */
	bool memory;			/* store written data in memory; else writes are dropped */
};

/**
 * nullblk_loaded() - tell if null_blk is loaded
 *
 * Return: true if the module is loaded or is part of the kernel.
 */
bool nullblk_loaded(void);

/**
 * nullblk_load() - load null_blk and mount configfs, as far as needed
 * @why: set to the reason of a failure
 * @len: bytes of @why
 * Return: 0 or -errno.
 */
int nullblk_load(char *why, size_t len);

/**
 * nullblk_make() - make a device that completes I/O at once
 * @item: name of the device in configfs
 * @what: the settings
 * @name: DEV_NAME bytes, set to the kernel's name of the device; newer kernels name it @item
 * @why: set to the reason of a failure
 * @len: bytes of @why
 * Return: 0 or -errno.
 */
int nullblk_make(const char *item, const struct nullblk *what, char *name, char *why, size_t len);

/**
 * nullblk_there() - tell if a device exists
 * @item: name of the device in configfs
 *
 * Return: true if configfs has this item.
 */
bool nullblk_there(const char *item);

/**
 * nullblk_free() - remove a device, if it exists
 * @item: name of the device in configfs
 *
 * Return: 0 (also if there is no such item) or -errno.
 */
int nullblk_free(const char *item);

#endif
