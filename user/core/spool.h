/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_SPOOL_H
#define BLKLAT_CORE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Records on their way to a file: put aside as they are, beside it, and made lines of by
 * a thread that only runs where nothing else wants to, or at the end.
 */
struct spool;

/**
 * struct spool_user - who makes lines; called from the spool's thread
 * @records: @n of them
 * @pause: write them
 * @wait: from spool_close(), some times a second, with how many are left; false gives those up
 */
struct spool_user {
	void (*records)(void *arg, const char *first, size_t n);
	void (*pause)(void *arg);
	bool (*wait)(void *arg, size_t left);
	void *arg;
};

/**
 * spool_open() - make a place for records
 * @path: of the file that they are for; the place has no name in its directory
 * @size: bytes of a record
 * Return: 0 or -errno, not reported.
 */
int spool_open(const char *path, size_t size, const struct spool_user *user,
	       struct spool **spool);

/* Put @n records aside; returns how many there was room for. */
size_t spool_put(struct spool *s, const char *first, size_t n);

/*
 * Wait until all that was put aside has gone to the user, at the caller's priority.
 * Returns how many were given up or could not be read back. NULL is nothing.
 */
size_t spool_close(struct spool *s);

#endif
