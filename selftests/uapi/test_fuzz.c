// SPDX-License-Identifier: GPL-2.0
/*
 * This test will call the ioctls of /dev/blkgen with arguments of a seeded generator, from threads
 * and processes that share, duplicate, close and are killed, and expect nothing but documented
 * errors, and nothing to be left behind.
 *
 * BLKGEN_FUZZ_CALLS is the number of calls. BLKGEN_FUZZ_SEED repeats the arguments of another run,
 * but not the order in which the threads come. If the kernel can inject faults, an allocation or a
 * copy fails in every tenth call, and so does every tenth I/O of a load.
 */
// needs: cpus=2 timeout=300
#include "uapi.h"
#include "random.h"
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define NR_DISKS	16
#define NR_PROCESSES	3
#define NR_THREADS	4
#define NR_FDS		8
#define CALLS		20000
#define DEBUG_CALLS	50000		/* on a kernel that looks for errors: some 7 minutes */
#define PAGE		4096
#define ARENA		(12 * PAGE)	/* a histogram fits */

/* The build makes uapi/fields.h of the header of the ABI: these two are its rows. */
struct field {
	const char *of;
	unsigned int offset, size;
};

struct known_error {
	const char *of;
	int err;
};

static const struct field fields[] = {
#define FIELD(s, name) { #s, offsetof(struct s, name), sizeof(((struct s *)0)->name) },
#define ERROR(s, err)
#include "uapi/fields.h"
#undef FIELD
#undef ERROR
};

static const struct known_error known_errors[] = {
#define FIELD(s, name)
#define ERROR(s, err) { #s, err },
#include "uapi/fields.h"
#undef FIELD
#undef ERROR
};

#define START	1	/* its place in commands[] */

/* @percent of all calls go to this ioctl, whose argument is the struct @of; "" if it has none. */
static const struct command {
	unsigned long cmd;
	const char *of;
	unsigned int size, percent;
} commands[] = {
	{ BLKGEN_IOC_SETUP, "blkgen_setup", sizeof(struct blkgen_setup), 30 },
	[START] = { BLKGEN_IOC_START, "", 0, 10 },
	{ BLKGEN_IOC_STOP, "", 0, 20 },
	{ BLKGEN_IOC_STATUS, "blkgen_status", sizeof(struct blkgen_status), 10 },
	{ BLKGEN_IOC_WORKER, "blkgen_worker_info", sizeof(struct blkgen_worker_info), 8 },
	{ BLKGEN_IOC_RESULT, "blkgen_result", sizeof(struct blkgen_result), 10 },
	{ BLKGEN_IOC_STALLS, "blkgen_stalls", sizeof(struct blkgen_stalls), 4 },
	{ BLKGEN_IOC_MISMATCH, "blkgen_mismatches", sizeof(struct blkgen_mismatches), 4 },
	{ BLKGEN_IOC_FEATURES, "blkgen_features", sizeof(struct blkgen_features), 4 },
};

/* All processes count here. */
static struct {
	atomic_ulong calls, accepted, runs;
	atomic_int bad_cmd, bad_err;	/* the first error that is not documented */
} *shared;

static unsigned long target;
static uint32_t hist_buckets;
static bool faults;

/* The threads of a process share these descriptors. An entry is -1 if nothing is open there. */
static atomic_int sessions[NR_FDS], disks[NR_FDS];

/**
 * struct actor - a thread that makes calls
 * @state: state of its generator
 * @arena: memory for arguments; the page after it cannot be accessed
 * @fail_fd: /proc/thread-self/fail-nth, or -1
 */
struct actor {
	uint64_t state;
	char *arena;
	int fail_fd;
};

static uint64_t next(struct actor *a)
{
	return random_next(&a->state);
}

static unsigned int below(struct actor *a, unsigned int n)
{
	return (next(a) >> 20) % n;
}

/* Return true in @percent of the calls. */
static bool chance(struct actor *a, unsigned int percent)
{
	return below(a, 100) < percent;
}

/* Return a value that checks often get wrong. */
static uint64_t odd_value(struct actor *a)
{
	static const uint64_t values[] = {
		0, 1, 2, 3, 7, 255, 511, 512, 513, 4095, 4096, 65536, 1 << 20, INT_MAX,
		1U << 31, UINT_MAX, 1ULL << 32, 1ULL << 38, 1ULL << 40, INT64_MAX, 1ULL << 63,
		UINT64_MAX - 511, UINT64_MAX,
	};

	switch (below(a, 4)) {
	case 0:
		return next(a);
	case 1:
		return 1ULL << below(a, 64);
	case 2:
		return below(a, 300);
	default:
		return values[below(a, ARRAY_SIZE(values))];
	}
}

/* Return an address that the module gets as a pointer in a struct. */
static uint64_t odd_address(struct actor *a)
{
	switch (below(a, 8)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX - below(a, PAGE);
	case 2:
		return (uintptr_t)a->arena + ARENA - below(a, 64);
	case 3:
		return next(a);
	default:
		return (uintptr_t)a->arena + 8 * below(a, ARENA / 8);
	}
}

/* Give a load zones, streams or sizes. */
static void good_tables(struct actor *a, struct blkgen_setup *set)
{
	struct blkgen_zone *zone = (struct blkgen_zone *)(a->arena + PAGE);
	struct blkgen_size *size = (struct blkgen_size *)(a->arena + 2 * PAGE);

	switch (below(a, 3)) {
	case 0:
		*zone = (struct blkgen_zone) { .count = 64, .weight = 1 };
		set->pattern = BLKGEN_PATTERN_DRAW;
		set->zones = (uintptr_t)zone;
		set->nr_zones = 1;
		break;
	case 1:
		set->pattern = BLKGEN_PATTERN_STREAMS;
		set->streams = set->workers + below(a, 8);
		break;
	default:
		*size = (struct blkgen_size) { .bytes = set->bs, .weight = 1 };
		set->sizes = (uintptr_t)size;
		set->nr_sizes = 1;
	}
}

/* Make a load that is right, if its device is, and that ends soon or is stopped. */
static void good_setup(struct actor *a, struct blkgen_setup *set)
{
	static const unsigned int sizes[] = { 512, 4096, 4096, 65536 };
	unsigned int op;

	*set = (struct blkgen_setup) {
		.dev_fd = disks[below(a, NR_FDS)],
		.pattern = below(a, 2),
		.bs = sizes[below(a, ARRAY_SIZE(sizes))],
		.qd = 1 + below(a, 64),
		.workers = 1 + below(a, 4),
		.ios = chance(a, 20) ? 0 : 4 + below(a, 300),
		.time_ns = chance(a, 30) ? below(a, 20000000) : 0,
		.seed = next(a),
	};
	for (op = 0; op < 4; op++)
		set->mix[op] = chance(a, op < 2 ? 50 : 5);
	set->mix[below(a, 2)] = 1;
	if (chance(a, 20)) {
		set->engine = below(a, 4);
		set->qd = 1;
	}
	if (chance(a, 20))
		set->rate = 1 + below(a, 100000);
	if (chance(a, 30))
		good_tables(a, set);
}

/* Ask for the result of all workers, with a histogram. */
static void good_result(struct actor *a, struct blkgen_result *res)
{
	res->worker = BLKGEN_ALL_WORKERS;
	res->op = below(a, 2);
	if (chance(a, 70)) {
		res->hist_ptr = (uintptr_t)a->arena + PAGE;
		res->hist_len = hist_buckets;
	}
}

/* Change some fields of a struct to what may be wrong. */
static void spoil(struct actor *a, const struct command *c, char *arg)
{
	unsigned int first = 0, nr = 0, i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (strcmp(fields[i].of, c->of))
			continue;
		first = nr++ ? first : i;
	}
	while (nr && chance(a, 40)) {
		const struct field *f = &fields[first + below(a, nr)];
		uint64_t v = chance(a, 30) ? odd_address(a) : odd_value(a);
		unsigned int len = f->size < sizeof(v) ? f->size : sizeof(v);
		unsigned int at = f->size > len ? below(a, f->size / len) * len : 0;

		memcpy(arg + f->offset + at, &v, len);
	}
}

/* Return the argument of a call: the struct lies anywhere, or ends where memory ends. */
static void *argument(struct actor *a, const struct command *c)
{
	uint32_t size = c->size;
	char *arg = a->arena;

	if (!c->size)
		return chance(a, 95) ? NULL : (void *)odd_address(a);
	if (chance(a, 3))
		return (void *)odd_address(a);
	if (chance(a, 5))
		size = odd_value(a);
	if (chance(a, 50))
		arg += ARENA - c->size;
	if (chance(a, 3)) {
		for (unsigned int i = 0; i < c->size / 8; i++)
			((uint64_t *)arg)[i] = odd_value(a);
	} else {
		memset(arg, 0, c->size);
		if (c->cmd == BLKGEN_IOC_SETUP)
			good_setup(a, (struct blkgen_setup *)arg);
		if (c->cmd == BLKGEN_IOC_RESULT)
			good_result(a, (struct blkgen_result *)arg);
		spoil(a, c, arg);
	}
	memcpy(arg, &size, sizeof(size));

	return arg;
}

static bool is_documented(const char *of, int err)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known_errors); i++) {
		if (known_errors[i].err == err && (!strcmp(known_errors[i].of, of) ||
						   !strcmp(known_errors[i].of, "every")))
			return true;
	}
	/* Another thread may have closed the descriptor; an injected fault may return ENOMEM. */
	return err == EBADF || (faults && err == ENOMEM);
}

/* Let the allocation or copy number @n of this thread fail. 0 lets none fail. */
static void fail_nth(const struct actor *a, unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	/* The fault may hit the copy of this pwrite(); then the next pwrite() succeeds. */
	if (pwrite(a->fail_fd, text, len, 0) != len && pwrite(a->fail_fd, text, len, 0) != len)
		_exit(1);
}

/* Call an ioctl, and count it. Return 0, or the errno. */
static int call_one(struct actor *a, int fd, const struct command *c, void *arg)
{
	bool fail = a->fail_fd >= 0 && chance(a, 10);
	int err, none = 0;

	if (fail)
		fail_nth(a, 1 + below(a, 300));
	err = ioc(fd, c->cmd, arg);
	if (fail)
		fail_nth(a, 0);
	atomic_fetch_add(&shared->calls, 1);
	atomic_fetch_add(&shared->accepted, !err);
	atomic_fetch_add(&shared->runs, !err && c->cmd == BLKGEN_IOC_START);
	if (err && !is_documented(c->of, err) &&
	    atomic_compare_exchange_strong(&shared->bad_err, &none, err))
		shared->bad_cmd = c->cmd & 0xff;
	return err;
}

static void call(struct actor *a)
{
	unsigned int i, n = below(a, 100);
	const struct command *c = commands;
	int fd = sessions[below(a, NR_FDS)];

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		c = &commands[i];
		if (n < c->percent)
			break;
		n -= c->percent;
	}
	if (chance(a, 2)) {
		/* Another kind of file gets the ioctl, or there is no such ioctl. */
		if (chance(a, 50))
			ioctl(disks[below(a, NR_FDS)], c->cmd, argument(a, c));
		else
			ioctl(fd, next(a) & 0xffffffff, argument(a, c));
		return;
	}
	if (!call_one(a, fd, c, argument(a, c)) && c->cmd == BLKGEN_IOC_SETUP && chance(a, 80))
		call_one(a, fd, &commands[START], NULL);
}

/* Put a descriptor into a place of a table, and close the one that was there. */
static void put(atomic_int *place, int fd)
{
	int old = atomic_exchange(place, fd);

	if (old >= 0)
		close(old);
}

static int open_disk(struct actor *a)
{
	static const char * const others[] = {
		BLKGEN_DEVICE, "/dev/null", "/proc/self/exe", "/", "/dev/nullb0",
	};
	char path[32];

	if (chance(a, 10))
		return open(others[below(a, ARRAY_SIZE(others))], O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/dev/nullb%u", below(a, NR_DISKS));

	return open(path, O_CLOEXEC | (chance(a, 90) ? O_RDWR : O_RDONLY) |
		    (chance(a, 90) ? O_EXCL : 0) | (chance(a, 10) ? O_DIRECT : 0));
}

static int open_session(void)
{
	return open(BLKGEN_DEVICE, O_RDWR | O_CLOEXEC);
}

/* Open what is not open in a place of each table. */
static void open_missing(struct actor *a)
{
	unsigned int i = below(a, NR_FDS);

	if (sessions[i] < 0)
		put(&sessions[i], open_session());
	if (disks[i] < 0)
		put(&disks[i], open_disk(a));
}

/* Call from a process of its own, which has the same descriptors, and ends or is killed. */
static void call_from_child(struct actor *a)
{
	pid_t pid = fork();
	int i;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		a->fail_fd = -1;
		for (i = 0; i < 20; i++)
			call(a);
		_exit(0);
	}
	next(a);
	if (pid < 0)
		return;
	if (chance(a, 50))
		kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void use_as_file(struct actor *a)
{
	struct pollfd pfd = { .fd = sessions[below(a, NR_FDS)], .events = POLLIN };
	ssize_t n;
	void *m;

	poll(&pfd, 1, below(a, 5));
	n = read(pfd.fd, a->arena, 8);
	n = write(pfd.fd, a->arena, 8);
	m = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, pfd.fd, 0);
	if (m != MAP_FAILED)
		munmap(m, PAGE);
	(void)n;
}

static void *act(void *arg)
{
	struct actor *a = arg;

	a->fail_fd = faults ? open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC) : -1;
	while (shared->calls < target) {
		switch (below(a, 100)) {
		case 0 ... 1:
			put(&sessions[below(a, NR_FDS)], open_session());
			break;
		case 2 ... 3:
			put(&disks[below(a, NR_FDS)], open_disk(a));
			break;
		case 4 ... 7:
			open_missing(a);
			break;
		case 8:
			put(&sessions[below(a, NR_FDS)], dup(sessions[below(a, NR_FDS)]));
			break;
		case 9:
			put(&sessions[below(a, NR_FDS)], -1);
			break;
		case 10:
			use_as_file(a);
			break;
		case 11:
			if (chance(a, 10))
				call_from_child(a);
			break;
		default:
			call(a);
		}
	}
	return NULL;
}

/* Run threads that share their descriptors, in a process of its own. */
static void __attribute__((noreturn)) process(uint64_t seed)
{
	struct actor actors[NR_THREADS] = { { .state = seed | 1 } };
	struct rlimit few = { 24, 24 };
	pthread_t threads[NR_THREADS];
	int i;

	if (seed / NR_THREADS % 4 == 0)
		setrlimit(RLIMIT_NOFILE, &few);
	for (i = 0; i < NR_FDS; i++) {
		sessions[i] = open_session();
		disks[i] = open_disk(&actors[0]);
	}
	for (i = 0; i < NR_THREADS; i++) {
		actors[i].state = (seed + i + 1) * 0x9e3779b97f4a7c15ULL | 1;
		actors[i].arena = mmap(NULL, ARENA + PAGE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (actors[i].arena == MAP_FAILED ||
		    mprotect(actors[i].arena + ARENA, PAGE, PROT_NONE) ||
		    pthread_create(&threads[i], NULL, act, &actors[i]))
			_exit(1);
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static pid_t start_process(uint64_t seed)
{
	pid_t pid;

	while ((pid = fork()) < 0)
		msleep(10);
	if (!pid)
		process(seed);
	return pid;
}

/* Wait for a process. Return true if it could not begin. */
static bool end_process(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status);
}

/* Run processes until there were enough calls. Kill one of them now and then. */
static unsigned int run_processes(struct actor *a, uint64_t seed)
{
	unsigned int killed = 0, broken = 0, i;
	pid_t pids[NR_PROCESSES];

	for (i = 0; i < NR_PROCESSES; i++)
		pids[i] = start_process(seed += NR_THREADS);
	while (shared->calls < target) {
		msleep(50 + below(a, 450));
		i = below(a, NR_PROCESSES);
		kill(pids[i], SIGKILL);
		broken += end_process(pids[i]);
		killed++;
		pids[i] = start_process(seed += NR_THREADS);
	}
	for (i = 0; i < NR_PROCESSES; i++)
		broken += end_process(pids[i]);
	check(!broken, "all processes began");

	return killed;
}

/* Let fail-nth count all allocations and copies. Return false if the kernel injects no faults. */
static bool faults_begin(void)
{
	return !sh("cd /sys/kernel/debug/failslab 2>/dev/null && echo N > ignore-gfp-wait && "
		   "cd ../fail_page_alloc && echo N > ignore-gfp-wait && echo 0 > min-order && "
		   "for f in failslab fail_page_alloc fail_usercopy; do "
		   "echo 0 > ../$f/verbose || exit 1; done");
}

/* Let a part of the I/Os fail, in percent. Return false if the kernel injects no such faults. */
static bool fail_ios(unsigned int percent)
{
	return !sh("for d in /sys/block/nullb*; do echo 1 > $d/make-it-fail || exit 1; done; "
		   "cd /sys/kernel/debug/fail_make_request 2>/dev/null && echo 0 > verbose && "
		   "echo -1 > times && echo %u > probability", percent);
}

/* Expect that all I/Os of a load fail while the kernel lets them fail, which blkgen must count. */
static void check_failing_ios(void)
{
	struct blkgen_setup set;
	int fd, dev;

	fail_ios(100);
	fd = session_open();
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);
	set = setup_default(dev);
	run_or_bail(fd, &set);
	check(wait_done(fd, 20000), "a load whose I/Os fail ends");
	check(status_get(fd).errors && !status_get(fd).ios[BLKGEN_OP_READ],
	      "a load whose I/Os fail has nothing but errors");
	close(fd);
	close(dev);
	fail_ios(0);
}

/* Return how many devices are claimed. */
static unsigned int claims(void)
{
	unsigned int i, n = 0;
	char path[32];

	for (i = 0; i < NR_DISKS; i++) {
		snprintf(path, sizeof(path), "/dev/nullb%u", i);
		n += !claim_is_free(path);
	}
	return n;
}

/* Expect that nothing was left behind, and that blkgen still works. */
static void check_what_is_left(void)
{
	struct blkgen_setup set;
	int fd, dev, tries = 0;

	/* A child of a process that was killed may still be ending. */
	while ((threads_left() || claims()) && tries++ < 300)
		msleep(100);
	check(!threads_left(), "no thread is left");
	check(!claims(), "no device is claimed");
	fd = session_open();
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);
	set = setup_default(dev);
	run_or_bail(fd, &set);
	check(wait_done(fd, 20000), "a load runs to its end");
	check_eq(status_get(fd).ios[BLKGEN_OP_READ], set.ios,
		 "a load after the calls makes its I/Os");
	close(fd);
	close(dev);
	check(!sh("rmmod blkgen"), "the module can be removed");
	unload_null_blk();
}

static uint64_t number_of(const char *variable, uint64_t otherwise)
{
	const char *text = getenv(variable);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

int main(void)
{
	struct blkgen_features features = { .size = sizeof(features) };
	struct actor a = { 0 };
	unsigned int killed;
	int session;
	uint64_t seed;

	printf("KTAP version 1\n");
	seed = number_of("BLKGEN_FUZZ_SEED", time(NULL));
	target = number_of("BLKGEN_FUZZ_CALLS",
			   slowness() > 1 ? DEBUG_CALLS : CALLS);
	load_modules("nr_devices=16 gb=1 bs=512");
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		bail("mmap");
	session = session_open();
	if (ioc(session, BLKGEN_IOC_FEATURES, &features))
		bail("FEATURES");
	close(session);
	hist_buckets = features.hist_buckets;
	faults = faults_begin() && fail_ios(10);
	printf("# seed %llu, %s\n", (unsigned long long)seed,
	       faults ? "with injected faults" : "this kernel injects no faults");
	fflush(stdout);
	a.state = seed | 1;
	killed = run_processes(&a, seed);
	printf("# %lu calls, %lu accepted, %lu runs started, %u processes killed\n",
	       shared->calls, shared->accepted, shared->runs, killed);
	if (!check(!shared->bad_err, "all errors are documented"))
		printf("# ioctl %d: %s, with BLKGEN_FUZZ_SEED=%llu\n", shared->bad_cmd,
		       strerror(shared->bad_err), (unsigned long long)seed);
	check(shared->accepted > shared->calls / 20 && shared->runs > shared->calls / 500,
	      "calls were accepted, and loads ran");
	if (faults)
		check_failing_ios();
	check_what_is_left();

	return ktap_end();
}
