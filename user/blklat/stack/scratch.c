// SPDX-License-Identifier: GPL-2.0
/* Check, claim and lock the scratch devices of the user, on which stacks are made. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "core/log.h"
#include "core/units.h"
#include "device/safety.h"
#include "blklat/stack/scratch.h"

#define SMALLEST	(64ull * 1024 * 1024)

static int compare_with_first(const struct device *d, const struct device *first)
{
	char a[FMT_LEN], b[FMT_LEN];

	if (d->logical_bs != first->logical_bs || d->physical_bs != first->physical_bs)
		return err(-EINVAL, "block sizes must be alike: %s has %u bytes (physical %u), "
			   "%s has %u (physical %u)", first->name, first->logical_bs,
			   first->physical_bs, d->name, d->logical_bs, d->physical_bs);
	if (d->size != first->size)
		return err(-EINVAL, "sizes must be alike: %s has %s (%llu bytes), "
			   "%s has %s (%llu bytes)", first->name,
			   fmt_size(a, sizeof(a), first->size), (unsigned long long)first->size,
			   d->name, fmt_size(b, sizeof(b), d->size), (unsigned long long)d->size);
	return 0;
}

static int check(const struct scratch *s, size_t i)
{
	const struct device *d = &s->devs[i];
	size_t j;

	if (d->read_only)
		return err(-EROFS, "%s: is read-only", d->name);
	if (d->size < SMALLEST)
		return err(-EINVAL, "%s: is smaller than 64 MiB", d->name);
	for (j = 0; j < i; j++)
		if (d->disk_dev == s->devs[j].disk_dev &&
		    (d->dev == s->devs[j].dev || !d->partition || !s->devs[j].partition))
			return err(-EINVAL, "%s and %s are the same device, or one is on the other",
				   s->devs[j].name, d->name);
	return i ? compare_with_first(d, &s->devs[0]) : 0;
}

static void lock(struct scratch *s, size_t i)
{
	s->locks[i] = open(s->devs[i].path, O_RDONLY | O_CLOEXEC);
	/* Go on if another program has the lock: only the claims decide. */
	if (s->locks[i] >= 0)
		flock(s->locks[i], LOCK_EX | LOCK_NB);
}

int scratch_open(struct scratch *s, const char *const *names, size_t n)
{
	size_t i;
	int ret;

	for (i = 0; i < STACK_LEGS; i++)
		s->claims[i] = s->locks[i] = -1;
	for (i = 0; i < n; i++) {
		ret = device_resolve(names[i], &s->devs[i]);
		if (ret)
			return ret;
		device_facts(&s->devs[i]);
		ret = check(s, i);
		if (ret)
			return ret;
	}
	s->n = n;
	ret = scratch_take(s);
	for (i = 0; i < n && !ret; i++)
		lock(s, i);
	return ret;
}

void scratch_lend(struct scratch *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->claims[i] >= 0)
			close(s->claims[i]);
		s->claims[i] = -1;
	}
}

int scratch_take(struct scratch *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->claims[i] >= 0)
			continue;
		s->claims[i] = device_claim(&s->devs[i], true, false,
					    "if it may go, remove it with wipefs -a");
		if (s->claims[i] < 0)
			return s->claims[i];
	}
	return 0;
}

void scratch_close(struct scratch *s)
{
	size_t i;

	scratch_lend(s);
	for (i = 0; i < s->n; i++)
		if (s->locks[i] >= 0)
			close(s->locks[i]);
	s->n = 0;
}
