// SPDX-License-Identifier: GPL-2.0
/*
 * This test will spool more records beside a file than there is room for, expect the records that
 * found room back, in order, and nothing left in the directory; and then give up waiting records.
 */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "core/spool.h"
#include "unit.h"

#define SIZE 168
#define BATCH 300
#define ROOM 200000

struct seen {
	uint64_t n;
	bool in_order;
};

static void see(void *arg, const char *first, size_t n)
{
	struct seen *seen = arg;

	for (; n--; first += SIZE)
		seen->in_order &= *(const uint64_t *)first == seen->n++;
}

static void nothing(void *arg)
{
}

static bool go_on(void *arg, size_t left)
{
	return true;
}

static bool give_up(void *arg, size_t left)
{
	return false;
}

static void see_slowly(void *arg, const char *first, size_t n)
{
	usleep(500000);
	see(arg, first, n);
}

static unsigned int count_files(const char *dir)
{
	DIR *d = opendir(dir);
	unsigned int n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

int main(void)
{
	struct rlimit limit = { ROOM, RLIM_INFINITY };
	struct seen seen = { .in_order = true };
	struct spool_user user = { see, nothing, go_on, &seen };
	char dir[] = "/tmp/test_user_spool.XXXXXX", path[64];
	static uint64_t records[BATCH][SIZE / 8];
	struct spool *s = NULL;
	size_t put = 0, n;

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/file", dir);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	check(!spool_open(path, SIZE, &user, &s), "there is a place beside a file");
	do {
		for (size_t i = 0; i < BATCH; i++)
			records[i][0] = put + i;
		n = s ? spool_put(s, (const char *)records, BATCH) : 0;
		put += n;
	} while (n == BATCH);
	check(put == (size_t)ROOM / SIZE, "a file takes whole records while there is room (%zu)",
	      put);
	check(!spool_close(s), "all records can be read back");
	check(seen.n == put && seen.in_order, "the records are the same, in order (%llu)",
	      (unsigned long long)seen.n);
	seen = (struct seen){ .in_order = true };
	user.records = see_slowly;
	user.wait = give_up;
	check(!spool_open(path, SIZE, &user, &s), "there is a place again");
	put = 0;
	for (unsigned int i = 0; s && i < 3; i++)
		put += spool_put(s, (const char *)records, BATCH);
	n = spool_close(s);
	check(n && n + seen.n == put, "what is given up is counted (%zu of %zu)", n, put);
	check(!count_files(dir), "nothing is left");
	rmdir(dir);
	snprintf(path, sizeof(path), "%s/none/file", dir);
	check(spool_open(path, SIZE, &user, &s) < 0, "no place where there is no directory");
	return unit_end();
}
