// SPDX-License-Identifier: GPL-2.0
/*
 * Make fio tell how long a job took in ns: fio's own times are in ms, a thousandth of a short run.
 * Preload this library (LD_PRELOAD): a job's thread asks for its resource usage right before its
 * first I/O and right after its last one, and the library adds a line with the time between these
 * calls to the file that FIOTIME names.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static __thread unsigned long long start_ns;

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void tell(unsigned long long ns)
{
	const char *file = getenv("FIOTIME");
	FILE *f = file ? fopen(file, "a") : NULL;

	if (!f)
		return;
	fprintf(f, "%llu\n", ns);
	fclose(f);
}

int getrusage(__rusage_who_t who, struct rusage *usage)
{
	static int (*real)(__rusage_who_t who, struct rusage *usage);
	unsigned long long now = now_ns();
	int ret;

	if (!real)
		real = dlsym(RTLD_NEXT, "getrusage");
	ret = real(who, usage);
	if (syscall(SYS_gettid) == getpid())
		return ret;
	if (start_ns)
		tell(now - start_ns);
	else
		start_ns = now_ns();
	return ret;
}
