// SPDX-License-Identifier: GPL-2.0
/*
 * This test will preempt a worker of dm-crypt in the module's code, after it has handed over the
 * last I/O of a load, and expect the session to close, and the unload of the module to wait until
 * the worker has left its code.
 *
 * All of this happens on CPU 0, by priority: the thread of blkgen is above a thread of this
 * program, the hog, and both are above the worker of dm-crypt. The completion wakes the thread of
 * blkgen, which preempts the worker at once, ends the run, and so wakes the hog, which waits for
 * that in poll(). From then on the hog computes, and the worker cannot go on until the hog ends.
 * The rest of this program runs on the other CPUs.
 */
// needs: cpus=2
// kernels: every
#include "uapi.h"
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/mman.h>

#define HELPER_PRIO	60
#define BLKGEN_PRIO	50
#define HOG_PRIO	40

/* The hog ends after this time, in s, also if the kernel lacks CPU 0 for what the test does */
#define HOLD_LIMIT	100

#define CRYPT		"blkgen_unload"
#define PREEMPT		"/sys/kernel/debug/sched/preempt"
#define RT_RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"
#define FAIR_RUNTIME	"/sys/kernel/debug/sched/fair_server/cpu0/runtime"

/* --- settings of the kernel, which are set back at the end */

static struct setting {
	const char *path;
	char old[32];
} settings[3];
static unsigned int nr_settings;

static struct helper {
	pid_t pid;
	int policy;
	struct sched_param param;
} helpers[8];
static unsigned int nr_helpers;

/* Read the first line of a file. Return false, with an empty text, if there is none. */
static bool read_line(const char *path, char *text, size_t len)
{
	FILE *f = fopen(path, "r");
	bool ok = f && fgets(text, len, f);

	if (f)
		fclose(f);
	if (!ok)
		text[0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return ok;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Change a setting until the end of the test, if the kernel has it. */
static void set_until_end(const char *path, const char *text, const char *old)
{
	struct setting *s = &settings[nr_settings];

	if (access(path, F_OK))
		return;
	s->path = path;
	snprintf(s->old, sizeof(s->old), "%s", old);
	if (!write_text(path, text))
		bail(path);
	nr_settings++;
}

/* Have the kernel preempt tasks in its own code. Return false if it cannot. */
static bool preempt_full(void)
{
	char modes[64], *now, *end;

	if (read_line(PREEMPT, modes, sizeof(modes))) {
		now = strchr(modes, '(');
		end = now ? strchr(now, ')') : NULL;
		if (!end)
			return false;
		*end = '\0';
		if (strcmp(now + 1, "full"))
			set_until_end(PREEMPT, "full", now + 1);
		return true;
	}

	return !sh("uname -v | grep -qw -e PREEMPT -e PREEMPT_RT");
}

/* Tasks with a real-time priority may use all of a CPU, for as long as they want. */
static void let_hog(void)
{
	char old[32];

	if (read_line(RT_RUNTIME, old, sizeof(old)))
		set_until_end(RT_RUNTIME, "-1", old);
	if (read_line(FAIR_RUNTIME, old, sizeof(old)))
		set_until_end(FAIR_RUNTIME, "0", old);
}

/*
 * Put the threads by which the kernel runs softirqs, timers and RCU on CPU 0 above the hog:
 * otherwise no grace period would end, and all would wait for the hog.
 */
static void raise_helpers(void)
{
	static const char * const names[] = { "ksoftirqd/0", "ktimers/0", "rcuc/0" };
	const struct sched_param param = { .sched_priority = HELPER_PRIO };
	char path[300], comm[32];
	DIR *proc = opendir("/proc");
	struct dirent *d;
	unsigned int i;

	while (proc && (d = readdir(proc))) {
		struct helper *h = &helpers[nr_helpers];

		h->pid = atoi(d->d_name);
		snprintf(path, sizeof(path), "/proc/%s/comm", d->d_name);
		if (h->pid <= 0 || !read_line(path, comm, sizeof(comm)))
			continue;
		for (i = 0; i < ARRAY_SIZE(names) && strcmp(comm, names[i]); i++)
			;
		if (i == ARRAY_SIZE(names) || nr_helpers == ARRAY_SIZE(helpers))
			continue;
		h->policy = sched_getscheduler(h->pid);
		if (sched_getparam(h->pid, &h->param) ||
		    sched_setscheduler(h->pid, SCHED_FIFO, &param))
			bail(comm);
		nr_helpers++;
	}
	if (!proc || !nr_helpers)
		bail("ksoftirqd/0");
	closedir(proc);
}

/* --- the hog */

static struct hog {
	pthread_t thread;
	int session;
	atomic_bool ready;
	atomic_bool holds;
	atomic_bool release;
	atomic_bool gave_up;
} hog;

static void run_on(int cpu, bool on_it)
{
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	for (i = 0; i < CPU_SETSIZE; i++) {
		if ((i == cpu) == on_it)
			CPU_SET(i, &set);
	}
	if (sched_setaffinity(0, sizeof(set), &set))
		bail("sched_setaffinity");
}

static void *hog_run(void *unused)
{
	const struct sched_param param = { .sched_priority = HOG_PRIO };
	struct pollfd pfd = { .fd = hog.session, .events = POLLIN };
	time_t end;

	run_on(0, true);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		bail("the hog gets its priority");
	hog.ready = true;
	poll(&pfd, 1, -1);
	hog.holds = true;
	end = time(NULL) + HOLD_LIMIT * slowness();
	while (!hog.release && !hog.gave_up)
		hog.gave_up = time(NULL) > end;

	return NULL;
}

static void set_all_back(void)
{
	hog.release = true;
	while (nr_helpers--)
		sched_setscheduler(helpers[nr_helpers].pid, helpers[nr_helpers].policy,
				   &helpers[nr_helpers].param);
	while (nr_settings--)
		write_text(settings[nr_settings].path, settings[nr_settings].old);
}

/* --- the read and the unload */

static bool wait_for(bool (*happens)(void))
{
	int tries;

	for (tries = 0; tries < 2000 * slowness(); tries++) {
		if (happens())
			return true;
		msleep(10);
	}
	return false;
}

static bool hog_is_ready(void)
{
	return hog.ready;
}

static bool hog_holds(void)
{
	return hog.holds;
}

/* Make a dm-crypt device whose worker decrypts on the CPU on which the disk below has completed. */
static int crypt_open(void)
{
	FILE *f = popen("dmsetup create --noudevsync " CRYPT " --table '0 131072 crypt "
			"cipher_null-ecb - 0 " NULLB " 0 1 same_cpu_crypt' && "
			"dmsetup info -c --noheadings -o blkdevname " CRYPT, "r");
	char name[32], path[64];
	int tries;

	if (!f || fscanf(f, "%31s", name) != 1)
		bail("dmsetup create");
	pclose(f);
	snprintf(path, sizeof(path), "/dev/%s", name);
	for (tries = 0; access(path, F_OK) && tries < 500; tries++)
		msleep(10);
	return open_or_bail(path, O_RDWR | O_EXCL);
}

/* Set up a load of one read by a thread on CPU 0 that is above the hog. Return the session. */
static int setup_read(void)
{
	struct blkgen_worker_info info = { .size = sizeof(info) };
	const struct sched_param param = { .sched_priority = BLKGEN_PRIO };
	int dev = crypt_open(), fd = session_open();
	struct blkgen_setup set = setup_default(dev);
	int32_t cpu = 0;

	set.ios = 1;
	set.qd = 1;
	set.cpus = (uintptr_t)&cpu;
	errno = ioc(fd, BLKGEN_IOC_SETUP, &set);
	if (errno)
		bail("SETUP");
	close(dev);
	errno = ioc(fd, BLKGEN_IOC_WORKER, &info);
	if (errno || sched_setscheduler(info.pid, SCHED_FIFO, &param))
		bail("the thread of blkgen gets its priority");
	return fd;
}

/* Do the read, and return when the hog keeps the worker of dm-crypt from going on. */
static void hold_worker(int fd)
{
	hog.session = fd;
	errno = pthread_create(&hog.thread, NULL, hog_run, NULL);
	if (errno)
		bail("pthread_create");
	if (!wait_for(hog_is_ready))
		bail("the hog begins");
	errno = ioc(fd, BLKGEN_IOC_START, NULL);
	if (errno)
		bail("START");
	if (!wait_for(hog_holds))
		bail("the read ends");
}

/* Return true if a worker of CPU 0 is in the module's code. Print where. */
static bool is_held(void)
{
	return !sh("stacks=$(grep -ls '^kworker/0:' /proc/[0-9]*/comm | sed 's/comm$/stack/'); "
		   "grep -hs '\\[blkgen\\]' /dev/null $stacks | sed 's/^/# /' | grep .");
}

static pid_t unload;

static bool unload_has_ended(void)
{
	siginfo_t info = {};

	return waitid(P_PID, unload, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

static bool unload_has_begun(void)
{
	char state[32];

	read_line("/sys/module/blkgen/initstate", state, sizeof(state));
	return !strcmp(state, "going") || unload_has_ended();
}

static void unload_begin(void)
{
	static char * const args[] = { "rmmod", "blkgen", NULL };

	/* After a fork() the hog would copy its pages, and might sleep in these page faults */
	errno = posix_spawnp(&unload, args[0], NULL, NULL, args, environ);
	if (errno)
		bail(args[0]);
	if (!wait_for(unload_has_begun))
		bail("rmmod begins");
}

static bool unload_succeeds(void)
{
	int status;

	return waitpid(unload, &status, 0) == unload && WIFEXITED(status) && !WEXITSTATUS(status);
}

int main(void)
{
	bool waits;
	int fd;

	printf("KTAP version 1\n");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip_all("this needs two CPUs");
	atexit(set_all_back);
	if (!preempt_full())
		skip_all("this kernel does not preempt tasks in its own code");
	if (sh("modprobe -q dm-crypt"))
		skip_all("this kernel has no dm-crypt");
	/* With this mode null_blk completes on the CPU that submits */
	load_modules("nr_devices=1 gb=1 irqmode=0");
	sh("modprobe -qa crypto_null ecb");
	if (sh("modprobe -a dm-delay dm-flakey"))
		bail("modprobe dm-delay dm-flakey");
	fd = setup_read();

	/* In a page fault the hog would sleep, and the worker would go on */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		bail("mlockall");
	run_on(0, false);
	raise_helpers();
	let_hog();
	hold_worker(fd);
	close(fd);
	check(!threads_left(), "a session closes while its last completion is preempted");
	check(is_held(), "the last completion is preempted in the module's code");
	unload_begin();
	/* These unloads begin later than that of blkgen and wait for grace periods of RCU, too */
	check(!sh("rmmod dm-delay && rmmod dm-flakey"),
	      "other modules are unloaded while a completion is preempted in the module's code");
	waits = check(!unload_has_ended(),
		      "an unload waits while a completion is preempted in the module's code");
	check(!hog.gave_up, "the completion was preempted until now");
	hog.release = true;
	pthread_join(hog.thread, NULL);
	/* If the unload has not waited, the worker of dm-crypt crashes now, and keeps the device */
	if (waits) {
		check(unload_succeeds(),
		      "an unload ends when the last completion has left the module");
		check(!sh("dmsetup remove --noudevsync --retry " CRYPT), "the device is free");
		unload_null_blk();
	}

	return ktap_end();
}
