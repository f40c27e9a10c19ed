// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/memory.h"

#define CGROUPS "/sys/fs/cgroup"

uint64_t machine_memory(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

/* Return the memory.max of a control group in bytes, UINT64_MAX if it has no limit. */
static uint64_t limit_of(const char *cgroup)
{
	char path[PATH_MAX];
	unsigned long long bytes;
	FILE *f;

	snprintf(path, sizeof(path), CGROUPS "%s/memory.max", cgroup);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%llu", &bytes) != 1)
		bytes = ULLONG_MAX;
	if (f)
		fclose(f);
	return bytes;
}

/* Return the cgroup v2 path of this process, from /proc/self/cgroup. The caller frees it. */
static char *own_cgroup(void)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char *line = NULL, *path = NULL;
	size_t len = 0;

	while (f && !path && getline(&line, &len, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "0::/", 4))
			path = strdup(line + 3);
	}
	free(line);
	if (f)
		fclose(f);
	return path;
}

uint64_t allowed_memory(void)
{
	uint64_t least = machine_memory(), limit;
	char *path = own_cgroup(), *end;

	/* In a container the path is "/", and the mount's directory has the container's limit. */
	for (end = path ? strrchr(path, '\0') : NULL; end; end = strrchr(path, '/')) {
		*end = '\0';
		limit = limit_of(path);
		if (limit < least)
			least = limit;
	}
	free(path);
	return least;
}
