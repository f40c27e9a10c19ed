// SPDX-License-Identifier: GPL-2.0
/* blkgen load: load block devices from inside the kernel. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "cmd/blkgen_cmds.h"
#include "cmd/load.h"
#include "core/log.h"
#include "core/units.h"
#include "device/safety.h"
#include "report/facts.h"

const char *const load_rw_names[] = {
	"read", "write", "randread", "randwrite", "rw", "randrw",
	"trim", "randtrim", "zeroes", "randzeroes", NULL
};

#define DST(member)	offsetof(struct load_cfg, member)

static const struct opt load_opts[] = {
	{ .type = OPT_HEADING, .help = "What to do" },
	{ "rw", 0, OPT_ENUM, DST(rw), "randread", "PATTERN", "sequential or random: reads, writes, discards, or zeroes that are not sent",
	  load_rw_names },
	{ "bs", 'b', OPT_SIZE, DST(bs), "4k", "SIZE", "bytes per I/O", .min = 512, .max = 1u << 30 },
	{ "qd", 'd', OPT_COUNT, DST(qd), "64", "N", "I/Os that each job keeps in flight",
	  .min = 1, .max = 1u << 20 },
	{ "jobs", 'j', OPT_COUNT, DST(jobs), "1", "N", "jobs (kernel threads) per device",
	  .min = 1, .max = 1u << 20 },
	{ "mix", 0, OPT_PERCENT, DST(mix), "70", "PERCENT", "part of reads in rw and randrw" },
	{ "fua", 0, OPT_FLAG, DST(fua),
	  .help = "each write is on the medium when it ends, past the device's cache" },
	{ "flush", 0, OPT_COUNT, DST(flush), "0", "N",
	  "each job flushes the device's cache after N I/Os other than reads; 0: never",
	  .max = UINT32_MAX },
	{ "seed", 0, OPT_COUNT, DST(seed), "1", "N", "the same seed makes the same I/O" },
	{ "batch", 0, OPT_COUNT, DST(batch), "16", "N",
	  "I/Os handed over together, at most; 1: each on its own", .min = 1, .max = 1u << 20 },
	{ .type = OPT_HEADING, .help = "How long" },
	{ "time", 't', OPT_TIME, DST(time), "10s", "TIME",
	  "0: until Ctrl-C or --ios; no limit when only --ios is given" },
	{ "ios", 'n', OPT_COUNT, DST(ios), "0", "N", "I/Os of all jobs of a device; 0: no limit" },
	{ .type = OPT_HEADING, .help = "Where" },
	{ "offset", 0, OPT_SIZE, DST(offset), "0", "SIZE", "first byte of the device to use" },
	{ "size", 0, OPT_SIZE, DST(size), "0", "SIZE", "bytes to use from there; 0: all" },
	{ .type = OPT_HEADING, .help = "Safety" },
	{ "write", 0, OPT_FLAG, DST(write),
	  .help = "allow writing: DATA ON THE DEVICE IS LOST" },
	{ "force-signature", 0, OPT_FLAG, DST(force_signature),
	  .help = "write although a file system, RAID member or partition table is there" },
	{ .type = OPT_HEADING, .help = "Results" },
	{ "json", 0, OPT_STRING, DST(json), NULL, "FILE",
	  "write the result as JSON too; - for stdout, without the table" },
	OPT_COMMON(struct load_cfg)
};

static const struct {
	bool random;
	bool op[BLKGEN_NR_OPS];		/* what it consists of; of two, --mix decides */
} patterns[] = {
	[RW_READ] = { false, { [BLKGEN_OP_READ] = true } },
	[RW_WRITE] = { false, { [BLKGEN_OP_WRITE] = true } },
	[RW_RANDREAD] = { true, { [BLKGEN_OP_READ] = true } },
	[RW_RANDWRITE] = { true, { [BLKGEN_OP_WRITE] = true } },
	[RW_RW] = { false, { [BLKGEN_OP_READ] = true, [BLKGEN_OP_WRITE] = true } },
	[RW_RANDRW] = { true, { [BLKGEN_OP_READ] = true, [BLKGEN_OP_WRITE] = true } },
	[RW_TRIM] = { false, { [BLKGEN_OP_TRIM] = true } },
	[RW_RANDTRIM] = { true, { [BLKGEN_OP_TRIM] = true } },
	[RW_ZEROES] = { false, { [BLKGEN_OP_ZEROES] = true } },
	[RW_RANDZEROES] = { true, { [BLKGEN_OP_ZEROES] = true } },
};

static bool mixed(const struct load_cfg *c)
{
	return patterns[c->rw].op[BLKGEN_OP_READ] && patterns[c->rw].op[BLKGEN_OP_WRITE];
}

static bool has_op(const struct load_cfg *c, enum blkgen_op op)
{
	if (mixed(c) && (op == BLKGEN_OP_READ ? c->mix <= 0 : c->mix >= 100))
		return false;
	return patterns[c->rw].op[op];
}

/* Whether data is lost */
static bool changes(const struct load_cfg *c)
{
	return has_op(c, BLKGEN_OP_WRITE) || has_op(c, BLKGEN_OP_TRIM) || has_op(c, BLKGEN_OP_ZEROES);
}

static int check_options(const struct load_cfg *c)
{
	if (c->fua && !has_op(c, BLKGEN_OP_WRITE))
		return usage_error("--fua is about writes, and --rw %s has none", load_rw_names[c->rw]);
	if (c->flush && !changes(c))
		return usage_error("--flush comes after writes, trims or zeroes, and --rw %s has none",
				   load_rw_names[c->rw]);
	return 0;
}

static int check_limits(const struct load *l)
{
	const struct load_cfg *c = l->cfg;

	if (c->bs > l->feat.max_bs)
		return usage_error("--bs is at most %u", l->feat.max_bs);
	if (c->qd > l->feat.max_qd)
		return usage_error("--qd is at most %u", l->feat.max_qd);
	if (c->jobs > l->feat.max_workers)
		return usage_error("--jobs is at most %u", l->feat.max_workers);
	if (c->batch > BLKGEN_MAX_BATCH)
		return usage_error("--batch is at most %u", BLKGEN_MAX_BATCH);
	if (c->ios && c->ios < c->jobs)
		return usage_error("--ios is below --jobs: some jobs would have nothing to do");
	return 0;
}

static uint64_t queue_limit(const struct device *d, const char *name)
{
	char queue[600];

	snprintf(queue, sizeof(queue), "%s/queue", d->disk_sys);
	return sys_num(queue, name);
}

/* The module checks all this again; here the message can say what to change. */
static int check_range(const struct load_cfg *c, const struct device *d)
{
	uint64_t size = c->size ? c->size : d->size > c->offset ? d->size - c->offset : 0;
	unsigned int lbs = d->logical_bs ? d->logical_bs : 512;
	char text[FMT_LEN];

	if (!d->size)
		return err(-ENXIO, "%s: has no size (no medium)", d->name);
	if (c->bs % lbs || c->offset % lbs || c->size % lbs)
		return err(-EINVAL, "%s: --%s is not a multiple of its logical block size, %u",
			   d->name, c->bs % lbs ? "bs" : c->offset % lbs ? "offset" : "size", lbs);
	if (c->offset >= d->size || size > d->size - c->offset)
		return err(-ENXIO, "%s: --offset and --size go past its end at %llu (%s)", d->name,
			   (unsigned long long)d->size, fmt_size(text, sizeof(text), d->size));
	if (has_op(c, BLKGEN_OP_TRIM) && !queue_limit(d, "discard_max_bytes"))
		return err(-EOPNOTSUPP, "%s: cannot discard, so there is no --rw %s", d->name,
			   load_rw_names[c->rw]);
	if (has_op(c, BLKGEN_OP_ZEROES) && !queue_limit(d, "write_zeroes_max_bytes"))
		return err(-EOPNOTSUPP, "%s: cannot write zeroes by itself, so there is no --rw %s", d->name,
			   load_rw_names[c->rw]);
	if (size / c->bs < c->jobs)
		return err(-ENOSPC, "%s: %llu bytes have fewer blocks of --bs than --jobs", d->name,
			   (unsigned long long)size);
	return 0;
}

static void fill_mix(const struct load_cfg *c, struct blkgen_setup *s)
{
	/* Hundredths of a percent only when asked for: short cycles mix better. */
	double unit = c->mix == (unsigned int)c->mix ? 1 : 100;
	unsigned int r = (unsigned int)(c->mix * unit + 0.5), all = 100 * (unsigned int)unit;

	for (unsigned int op = 0; op < BLKGEN_NR_OPS; op++)
		s->mix[op] = has_op(c, op);
	if (has_op(c, BLKGEN_OP_READ) && has_op(c, BLKGEN_OP_WRITE)) {
		s->mix[BLKGEN_OP_READ] = r;
		s->mix[BLKGEN_OP_WRITE] = all - r;
	}
}

static void fill_setup(const struct load_cfg *c, struct load_target *t)
{
	struct blkgen_setup *s = &t->setup;

	s->dev_fd = t->bdev;
	s->engine = BLKGEN_ENGINE_BIO;
	s->pattern = patterns[c->rw].random ? BLKGEN_PATTERN_RANDOM : BLKGEN_PATTERN_SEQ;
	s->bs = c->bs;
	s->qd = c->qd;
	s->workers = c->jobs;
	s->offset = c->offset;
	s->length = c->size;
	s->seed = c->seed;
	s->ios = c->ios;
	s->time_ns = c->time;
	s->batch = c->batch;
	s->flush_every = c->flush;
	s->flags = c->fua ? BLKGEN_SETUP_FUA : 0;
	fill_mix(c, s);
}

static int setup_error(const struct load_target *t, int ret)
{
	const char *name = t->dev.name;

	switch (ret) {
	case -ENOMEM:
		return err(ret, "%s: not enough memory for --qd %u times --jobs %u buffers of --bs %u",
			   name, t->setup.qd, t->setup.workers, t->setup.bs);
	case -EROFS:
		return err(ret, "%s: is read-only", name);
	case -EINTR:
		return err(ret, "%s: interrupted", name);
	default:
		return err(ret, "%s: the module blkgen refuses this load: %s", name,
			   strerror(-ret));
	}
}

static int prepare(struct load *l, struct load_target *t, bool temp)
{
	const struct load_cfg *c = l->cfg;
	int ret;

	/* That a device is needed by others matters more than a wrong --offset. */
	ret = device_in_use(&t->dev);
	if (!ret)
		ret = check_range(c, &t->dev);
	if (ret)
		return ret;
	t->bdev = device_claim(&t->dev, changes(c), c->force_signature || temp);
	if (t->bdev < 0)
		return t->bdev;
	t->ctl = kctl_open();
	if (t->ctl < 0)
		return t->ctl;
	ret = kctl_features(t->ctl, &l->feat);
	if (ret)
		return err(ret, "the module blkgen is of another version: %s", strerror(-ret));
	ret = check_limits(l);
	if (ret)
		return ret;
	fill_setup(c, t);
	ret = kctl_setup(t->ctl, &t->setup);
	return ret ? setup_error(t, ret) : 0;
}

static int find_targets(struct load *l, struct opt_args *args)
{
	size_t i, j;
	int ret;

	l->targets = calloc(args->npos ? args->npos : 1, sizeof(*l->targets));
	if (!l->targets)
		return err(-ENOMEM, "out of memory");
	l->ntargets = args->npos ? args->npos : 1;
	for (i = 0; i < l->ntargets; i++)
		l->targets[i].bdev = l->targets[i].ctl = -1;
	if (!args->npos) {
		ret = tempdev_create(&l->temp, l->cfg->jobs < 64 ? l->cfg->jobs : 64, 256);
		if (ret)
			return ret;
	}
	for (i = 0; i < l->ntargets; i++) {
		struct device *d = &l->targets[i].dev;

		ret = device_resolve(args->npos ? args->pos[i] : l->temp.name, d);
		if (ret)
			return ret;
		device_facts(d);
		for (j = 0; j < i; j++)
			if (l->targets[j].dev.dev == d->dev)
				return usage_error("%s is named twice", d->name);
	}
	return 0;
}

static void print_header(const struct load *l)
{
	const struct load_cfg *c = l->cfg;
	char bs[FMT_LEN], t[FMT_LEN];
	size_t i;

	if (log_level() < 1 || (c->json && !strcmp(c->json, "-")))
		return;
	for (i = 0; i < l->ntargets; i++)
		report_facts_print(&l->targets[i].dev, stdout);
	printf("%s %s, qd %llu, %llu job%s", load_rw_names[c->rw], fmt_size(bs, sizeof(bs), c->bs),
	       (unsigned long long)c->qd, (unsigned long long)c->jobs, c->jobs == 1 ? "" : "s");
	if (mixed(c))
		printf(", %g%% reads", c->mix);
	if (c->fua)
		printf(", FUA");
	if (c->flush)
		printf(", flush after %llu", (unsigned long long)c->flush);
	if (c->time)
		printf(", %s", fmt_time(t, sizeof(t), c->time));
	if (c->ios)
		printf(", %llu I/Os", (unsigned long long)c->ios);
	printf(", seed %llu\n\n", (unsigned long long)c->seed);
	fflush(stdout);
}

/* What the progress line was computed from last time. */
struct pace {
	struct progress line;
	uint64_t ios, bytes, at_ns;
};

static void show_progress(struct load *l, struct pace *p)
{
	uint64_t ios = 0, bytes = 0, inflight = 0, errors = 0, ns = 0, now = now_ns();
	char iops[FMT_LEN], bw[FMT_LEN], of[FMT_LEN], errs[40] = "";
	bool stopping = true;
	size_t i, op;

	for (i = 0; i < l->ntargets; i++) {
		const struct blkgen_status *s = &l->targets[i].status;

		for (op = 0; op < BLKGEN_NR_OPS; op++) {
			ios += s->ios[op];
			bytes += s->bytes[op];
		}
		inflight += s->inflight;
		errors += s->errors;
		ns = s->elapsed_ns > ns ? s->elapsed_ns : ns;
		stopping &= s->stop != BLKGEN_STOP_NONE;
	}
	if (errors)
		snprintf(errs, sizeof(errs), ", %llu failed", (unsigned long long)errors);
	if (stopping)
		progress_line(&p->line, "waiting for the last %llu I/Os%s",
			      (unsigned long long)inflight, errs);
	else if (now > p->at_ns && ios >= p->ios)
		progress_line(&p->line, "%3.0fs%s%s: %s IOPS, %s, %llu in flight%s", ns / 1e9,
			      l->cfg->time ? " of " : "",
			      l->cfg->time ? fmt_time(of, sizeof(of), l->cfg->time) : "",
			      fmt_count(iops, sizeof(iops), (ios - p->ios) * 1e9 / (now - p->at_ns)),
			      fmt_bw(bw, sizeof(bw), (bytes - p->bytes) * 1e9 / (now - p->at_ns)),
			      (unsigned long long)inflight, errs);
	p->ios = ios;
	p->bytes = bytes;
	p->at_ns = now;
}

static void stop_all(struct load *l)
{
	size_t i;

	for (i = 0; i < l->ntargets; i++)
		if (l->targets[i].running)
			kctl_stop(l->targets[i].ctl);
}

/* Number of targets that go on, or -errno. */
static int update(struct load *l)
{
	int running = 0, ret;
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		struct load_target *t = &l->targets[i];

		if (!t->running)
			continue;
		ret = kctl_status(t->ctl, &t->status);
		if (ret)
			return err(ret, "%s: the module does not answer: %s", t->dev.name,
				   strerror(-ret));
		t->running = t->status.state != BLKGEN_STATE_DONE;
		running += t->running;
	}
	return running;
}

static int handle_signal(struct load *l, int sigfd)
{
	struct signalfd_siginfo si;

	if (read(sigfd, &si, sizeof(si)) != sizeof(si))
		return 0;
	if (!l->interrupted_ns) {
		l->interrupted_ns = now_ns();
		stop_all(l);
		return 0;
	}
	/* timeout(1) sends its signal twice at once; a person needs longer. */
	if (now_ns() - l->interrupted_ns < 1000000000)
		return 0;
	return err(-EINTR, "interrupted again while I/O is in flight; no result");
}

static int wait_done(struct load *l, int sigfd)
{
	struct pollfd *p = calloc(l->ntargets + 1, sizeof(*p));
	struct pace pace = { .line.plain_every_ns = 5000000000ull, .at_ns = now_ns() };
	uint64_t next = now_ns() + 1000000000;
	int ret = p ? 1 : err(-ENOMEM, "out of memory");
	size_t i;

	while (ret > 0) {
		uint64_t now = now_ns();

		for (i = 0; i < l->ntargets; i++) {
			p[i].fd = l->targets[i].running ? l->targets[i].ctl : -1;
			p[i].events = POLLIN;
		}
		p[i].fd = sigfd;
		p[i].events = POLLIN;
		if (poll(p, i + 1, next > now ? (next - now) / 1000000 + 1 : 0) < 0 &&
		    errno != EINTR) {
			ret = err(-errno, "poll: %s", strerror(errno));
			break;
		}
		if (p[i].revents & POLLIN)
			ret = handle_signal(l, sigfd);
		if (ret >= 0)
			ret = update(l);
		if (ret > 0 && now_ns() >= next) {
			show_progress(l, &pace);
			next = now_ns() + 1000000000;
		}
	}
	progress_done(&pace.line);
	free(p);
	return ret;
}

/* Signals that end the run and still give a result. Those the user had ignored stay so. */
static int open_signals(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa;
	sigset_t set;
	size_t i;
	int fd;

	sigemptyset(&set);
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &sa) && sa.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? err(-errno, "signalfd: %s", strerror(errno)) : fd;
}

static int run(struct load *l, struct opt_args *args, int sigfd)
{
	size_t i;
	int ret;

	for (i = 0; i < l->ntargets; i++) {
		ret = prepare(l, &l->targets[i], !args->npos);
		if (ret)
			return ret;
	}
	print_header(l);
	for (i = 0; i < l->ntargets; i++) {
		struct load_target *t = &l->targets[i];

		ret = kctl_start(t->ctl);
		if (ret)
			return err(ret, "%s: cannot start: %s", t->dev.name, strerror(-ret));
		t->running = true;
	}
	ret = wait_done(l, sigfd);
	return ret ? ret : load_report(l);
}

/* Closing a session stops what still runs and waits for it. */
static void finish(struct load *l)
{
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		if (l->targets[i].ctl >= 0)
			close(l->targets[i].ctl);
		if (l->targets[i].bdev >= 0)
			close(l->targets[i].bdev);
	}
	free(l->targets);
	tempdev_destroy(&l->temp);
}

static int write_doc(struct load *l, int ret)
{
	int wret;

	if (!l->doc)
		return ret;
	json_flag(l->doc, "interrupted", l->interrupted_ns != 0);
	if (ret)
		report_doc_error(l->doc, log_last_error());
	wret = report_doc_write(l->doc, l->cfg->json);
	json_object_put(l->doc);
	return ret ? ret : wret;
}

static int load_run(void *cfg, struct opt_args *args)
{
	struct load l = { .cfg = cfg };
	struct load_cfg *c = cfg;
	int ret = 0, sigfd;

	if (c->json) {
		l.doc = report_doc_new("blkgen", args->argv);
		json_object_object_add(l.doc, "options", load_options_json(c));
		json_object_object_add(l.doc, "jobs", json_object_new_array());
	}
	if (c->ios && !opt_seen(&cmd_load, args, "time"))
		c->time = 0;
	ret = check_options(c);
	if (!ret && changes(c) && !c->write && args->npos)
		ret = usage_error("--rw %s destroys the data on %s; give --write if you want that",
				  load_rw_names[c->rw], args->pos[0]);
	if (!ret)
		ret = find_targets(&l, args);
	if (!ret) {
		sigfd = open_signals();
		ret = sigfd < 0 ? sigfd : run(&l, args, sigfd);
		if (sigfd >= 0)
			close(sigfd);
	}
	finish(&l);
	ret = write_doc(&l, ret);
	/* Said already, line by line. */
	return ret ? ret : l.errors ? 1 : 0;
}

const struct cmd cmd_load = {
	.name = "load",
	.brief = "load block devices from inside the kernel and measure the latency",
	.usage = "[DEV]...",
	.about =
"Keeps --qd I/Os of --bs bytes in flight on each DEV (a name, path, link or partition) from "
"--jobs kernel threads, and reports IOPS, bandwidth, latency percentiles and the threads' CPU "
"time per I/O. Reads unless told otherwise. Without DEV it makes a temporary null_blk device "
"and so measures the block layer itself. Ctrl-C ends the run and prints the result. A device "
"that is mounted, swap, part of dm or md or otherwise in use is refused.",
	.examples =
"blkgen load                                  # the block layer alone\n"
"blkgen load nvme0n1 --qd 1 --time 30s        # latency of random reads\n"
"blkgen load nvme0n1 sda --qd 32 --bs 128k --rw read\n"
"blkgen load nvme0n1 --rw randrw --mix 70 --write --json result.json\n"
"blkgen load nvme0n1 --rw write --bs 1M --fua --write\n"
"blkgen load nvme0n1 --rw randwrite --flush 32 --write   # a cache flush every 32 writes\n"
"blkgen load nvme0n1 --rw trim --bs 1M --write           # discard it all\n"
"blkgen load nvme0n1 --ios 1M --seed 7        # this very load, again\n",
	.opts = load_opts,
	.cfg_size = sizeof(struct load_cfg),
	.max_pos = 64,
	.run = load_run,
};
