/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NULLBLK_H
#define BLKLAT_NULLBLK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * null_blk devices, made through configfs. Nothing here is reported: the reason of a failure is
 * written to a buffer, because the process that makes them may have no terminal.
 */

#define NULLBLK_SIZE_MB	4096u

struct nullblk {
	unsigned int size_mb;		/* 0: NULLBLK_SIZE_MB */
	unsigned int queues, depth;	/* hardware queues, requests in each */
	bool memory;			/* keeps what is written; otherwise nothing is stored */
};

/* Whether the module is there. */
bool nullblk_loaded(void);

/**
 * nullblk_load() - have null_blk and its directory in configfs
 * @why: of @len bytes, the reason of a failure
 * Return: 0 or -errno.
 */
int nullblk_load(char *why, size_t len);

/**
 * nullblk_make() - make a device that completes I/O at once
 * @item: its name in configfs
 * @name: set to the kernel's name of it, DEV_NAME bytes; newer kernels take @item
 * @why: of @len bytes, the reason of a failure
 * Return: 0 or -errno.
 */
int nullblk_make(const char *item, const struct nullblk *what, char *name, char *why, size_t len);

/* Whether there is such an item. */
bool nullblk_there(const char *item);

/* Remove it if it is there. Return: 0 or -errno. */
int nullblk_free(const char *item);

#endif
