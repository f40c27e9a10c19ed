/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_SPOOL_H
#define BLKLAT_CORE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A spool keeps binary records that are to become lines of a file. It stores the records in a
 * second file beside that one. A thread makes the lines: it only runs when a CPU is idle, or at
 * the end, so that tracing does not wait for it.
 */
struct spool;

/**
 * struct spool_user - makes the lines
 * @records: makes lines of @n records; runs in the spool's thread
 * @pause: writes the lines made so far; runs in the spool's thread
 * @wait: called by spool_close() about five times a second, with the number of records left;
 *	returns false to give these records up
 * @arg: handed to the functions
 */
struct spool_user {
	void (*records)(void *arg, const char *first, size_t n);
	void (*pause)(void *arg);
	bool (*wait)(void *arg, size_t left);
	void *arg;
};

/**
 * spool_open() - make a file for records, and start the thread
 * @path: file that gets the lines; the spool's own file is in the same directory, without a name
 * @size: bytes of a record
 * @user: copied
 * @spool: set on success; end it with spool_close()
 * Return: 0 or -errno, not reported.
 */
int spool_open(const char *path, size_t size, const struct spool_user *user,
	       struct spool **spool);

/**
 * spool_put() - store records, without waiting for the thread
 * @s: the spool; only one thread may put records
 * @first: the records, one after the other; copied
 * @n: number of records
 *
 * Return: how many could be written; fewer than @n after an error, not reported.
 */
size_t spool_put(struct spool *s, const char *first, size_t n);

/**
 * spool_close() - wait until the user has all records, and free the spool
 * @s: the spool, or NULL
 *
 * The spool's thread gets the caller's priority, so that it does not wait for an idle CPU.
 *
 * Return: how many records were given up or could not be read back; not reported.
 */
size_t spool_close(struct spool *s);

#endif
