// SPDX-License-Identifier: GPL-2.0
/*
 * Make fio tell how long a job took in ns: fio's own times are in ms, a thousandth of a short run.
 * Preload this library (LD_PRELOAD): a job's thread asks for its resource usage right before its
 * first I/O and right after its last one, and the library adds a line with the time between these
 * calls to the file that FIOTIME names. If FIOTIME_PID names a process, the CPU time in ns that
 * this process took meanwhile becomes a line in the file FIOTIME.cpu.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static __thread unsigned long long start_ns, start_cpu_ns;

static unsigned long long ns_of(clockid_t clock)
{
	struct timespec ts;

	return clock_gettime(clock, &ts) ? 0 : ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Return the CPU time of the process FIOTIME_PID, 0 if there is none. */
static unsigned long long cpu_ns(void)
{
	const char *pid = getenv("FIOTIME_PID");
	clockid_t clock;

	return pid && !clock_getcpuclockid(atoi(pid), &clock) ? ns_of(clock) : 0;
}

/* Add a line with @ns to the file that FIOTIME names, or to the one with this suffix. */
static void tell(const char *suffix, unsigned long long ns)
{
	const char *file = getenv("FIOTIME");
	char path[4096];
	FILE *f;

	if (!file)
		return;
	snprintf(path, sizeof(path), "%s%s", file, suffix);
	f = fopen(path, "a");
	if (!f)
		return;
	fprintf(f, "%llu\n", ns);
	fclose(f);
}

int getrusage(__rusage_who_t who, struct rusage *usage)
{
	static int (*real)(__rusage_who_t who, struct rusage *usage);
	unsigned long long now = ns_of(CLOCK_MONOTONIC);
	int ret;

	if (!real)
		real = dlsym(RTLD_NEXT, "getrusage");
	ret = real(who, usage);
	if (syscall(SYS_gettid) == getpid())
		return ret;
	if (start_ns) {
		tell("", now - start_ns);
		if (start_cpu_ns)
			tell(".cpu", cpu_ns() - start_cpu_ns);
	} else {
		start_cpu_ns = cpu_ns();
		start_ns = ns_of(CLOCK_MONOTONIC);
	}
	return ret;
}
