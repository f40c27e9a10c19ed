// SPDX-License-Identifier: GPL-2.0
/* Parse the options of blkgen load, and run the load or the series of loads. */
#include <string.h>
#include "blkgen/cmds.h"
#include "blkgen/load/cfg.h"
#include "blkgen/load/check.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/report.h"
#include "blkgen/load/run.h"
#include "blkgen/load/target.h"
#include "blkgen/series/adapt.h"
#include "blkgen/series/jobs.h"
#include "blkgen/series/scenario.h"
#include "blkgen/series/series.h"
#include "core/reader.h"
#include "core/scenario.h"

#define DST(member)	offsetof(struct load_cfg, member)

static const struct opt load_opts[] = {
	{ .type = OPT_HEADING, .help = "What to do" },
	{ "rw", 0, OPT_ENUM, DST(rw), "randread", "PATTERN",
	  "sequential or random reads, writes, both mixed (rw), discards (trim), or zeroes that "
	  "the device writes itself", load_rw_names },
	{ "bs", 'b', OPT_PARSE, DST(sizes), "4k", "SIZE",
	  "bytes per I/O, or a range such as 4k-64k", .parse = io_sizes_parse },
	{ "bssplit", 0, OPT_PARSE, DST(sizes), NULL, "SIZE/PERCENT:...",
	  "I/O sizes and the share of each in per cent, such as 4k/60:64k/40; instead of --bs",
	  .parse = io_split_parse },
	{ "qd", 'd', OPT_COUNT, DST(qd), "64", "N", "I/Os that each job keeps in flight",
	  .min = 1, .max = 1u << 20 },
	{ "jobs", 'j', OPT_COUNT, DST(jobs), "1", "N", "jobs (kernel threads) per device",
	  .min = 1, .max = 1u << 20 },
	{ "engine", 0, OPT_ENUM, DST(engine), "bio", "HOW",
	  "how to do I/O: submit and go on (bio), submit and wait (sync), submit and poll for the "
	  "completion (polled), or go through the page cache (buffered)", load_engines },
	{ "cpus", 0, OPT_STRING, DST(cpus), NULL, "LIST",
	  "bind the jobs to these CPUs in turn, such as 0-3,6" },
	{ "mix", 0, OPT_PERCENT, DST(mix), "70", "PERCENT",
	  "share of reads in rw and randrw, in per cent" },
	{ "apart", 0, OPT_FLAG, DST(apart),
	  .help = "in rw, reads and writes each go through the range on their own, as in fio" },
	{ "fua", 0, OPT_FLAG, DST(fua),
	  .help = "each write completes only when its data is on the medium (FUA), and not just in "
		  "the device's cache" },
	{ "flush", 0, OPT_COUNT, DST(flush), "0", "N",
	  "each job flushes the device's cache after every N I/Os other than reads; 0: never",
	  .max = UINT32_MAX },
	{ "seed", 0, OPT_COUNT, DST(seed), "1", "N",
	  "seed of the random numbers; the same seed and options make the same I/O" },
	{ "verify", 0, OPT_FLAG, DST(verify),
	  .help = "a load that writes tags its data, and reads it back at the end to check it; a "
		  "load that reads checks data that an earlier load with --verify wrote" },
	{ "generation", 0, OPT_COUNT, DST(generation), "1", "N",
	  "number in the data of --verify that tells new data from the data of earlier loads",
	  .max = UINT32_MAX },
	{ "batch", 0, OPT_COUNT, DST(batch), "16", "N",
	  "maximum number of I/Os that are submitted together, in one plug; 1: each on its own",
	  .min = 1, .max = 1u << 20 },
	{ .type = OPT_HEADING, .help = "How fast" },
	{ "rate", 0, OPT_RATE, DST(rate), "0", "RATE",
	  "I/Os (10k) or bytes (50MB/s) that are due per second, for all jobs of a device "
	  "together; the latency of an I/O counts from the time when it was due; 0: no rate, as "
	  "many I/Os as --qd allows" },
	{ "arrival", 0, OPT_ENUM, DST(arrival), "fixed", "HOW",
	  "time between I/Os with --rate: always the same (fixed), or random as with many "
	  "independent users (poisson)", load_arrivals },
	{ "burst", 0, OPT_COUNT, DST(burst), "1", "N",
	  "number of I/Os that are due at the same time with --rate", .min = 1, .max = 1u << 16 },
	{ "think", 0, OPT_TIME, DST(think), "0", "TIME",
	  "time between the end of an I/O and the start of the I/O that takes its place",
	  .max = BLKGEN_MAX_WAIT / 1000000000 * 1000000000 },
	{ "ramp", 0, OPT_TIME, DST(ramp), "0", "TIME",
	  "run the load for this time before anything is measured" },
	{ .type = OPT_HEADING, .help = "How long" },
	{ "time", 't', OPT_TIME, DST(time), "10s", "TIME",
	  "how long to submit I/O; 0: until Ctrl-C; no limit if only --ios, --bytes or --pass is "
	  "given" },
	{ "ios", 'n', OPT_COUNT, DST(ios), "0", "N",
	  "end after this many I/Os of all jobs of a device together; 0: no limit" },
	{ "bytes", 0, OPT_SIZE, DST(bytes), "0", "SIZE",
	  "end after this many bytes of I/O of all jobs of a device together; 0: no limit" },
	{ "pass", 0, OPT_COUNT, DST(pass), "0", "N",
	  "end when each job has gone over its part of the device N times; 0: no limit" },
	{ "errors", 0, OPT_STRING, DST(on_errors), "row=1000", "WHEN",
	  "how many failed I/Os end the load: the first one (stop), none (continue), N of all jobs "
	  "of a device (max=N), or N of one job in a row (row=N)" },
	{ "drain", 0, OPT_TIME, DST(drain), "5s", "TIME",
	  "after the end of the load, give up on the I/Os in flight if none completes for this "
	  "time; 0: never" },
	{ .type = OPT_HEADING, .help = "Where" },
	{ "offset", 0, OPT_SIZE, DST(offset), "0", "SIZE", "first byte of the device to use" },
	{ "size", 0, OPT_SIZE, DST(size), "0", "SIZE",
	  "number of bytes to use, counted from --offset; 0: all" },
	{ "align", 0, OPT_SIZE, DST(align), "0", "SIZE",
	  "I/Os begin at multiples of this size, counted from --offset; 0: at multiples of --bs, "
	  "or of the smallest size", .max = 1u << 30 },
	{ "dist", 0, OPT_PARSE, DST(dist), "once", "NAME[:PARAM]",
	  "how often random I/O goes to which offset: once (each offset once per pass), uniform, "
	  "zipf:THETA, pareto:H, normal:PERCENT, zones:ACCESS/SIZE:...",
	  .parse = dist_parse },
	{ "streams", 0, OPT_COUNT, DST(streams), "0", "N",
	  "number of sequential streams, each in its own part of the range; 0: one for each job",
	  .max = BLKGEN_MAX_STREAMS },
	{ "zone-size", 0, OPT_SIZE, DST(zone_size), "0", "SIZE",
	  "bytes that a stream goes over before it skips --zone-skip; 0: all" },
	{ "zone-skip", 0, OPT_SIZE, DST(zone_skip), "0", "SIZE",
	  "bytes that a stream skips after each --zone-size" },
	{ "zone-range", 0, OPT_SIZE, DST(zone_range), "0", "SIZE",
	  "distance from the start of one stream to the start of the next; 0: the range divided by "
	  "--streams" },
	{ .type = OPT_HEADING, .help = "Series" },
	{ "sweep", 0, OPT_LIST, DST(sweep), NULL, "KEY=VALUE,...",
	  "run a load for each value of KEY, which is an option of a load, or scheduler or "
	  "rq_affinity of the disk, which are restored at the end; if given several times, run a "
	  "load for each combination" },
	{ "scenario", 0, OPT_STRING, DST(scenario), NULL, "NAME",
	  "run a known set of loads, classic or ssd; list prints what each load is",
	  .names = scenario_name },
	{ "job", 0, OPT_STRING, DST(job), NULL, "FILE",
	  "run the jobs of a job file of fio; - is stdin, help prints what becomes of each of "
	  "fio's keys" },
	{ "steady", 0, OPT_FLAG, DST(steady),
	  .help = "run rounds of --time until the IOPS of the last five are steady (range at most "
		  "20 %, slope at most 10 % of their mean), 25 rounds at most" },
	{ "target-latency", 0, OPT_STRING, DST(target_latency), NULL, "PNN=TIME",
	  "find the highest --rate, or without --rate the highest --qd, at which this percentile "
	  "is at most this time, such as p99=500us" },
	{ .type = OPT_HEADING, .help = "Safety" },
	{ "write", 0, OPT_FLAG, DST(write),
	  .help = "allow writing: DATA ON THE DEVICE IS LOST" },
	{ "force-signature", 0, OPT_FLAG, DST(force_signature),
	  .help = "write even if the device has a file system, RAID member or partition table" },
	{ .type = OPT_HEADING, .help = "Results" },
	{ "interval", 0, OPT_TIME, DST(interval), "0", "TIME",
	  "print the result of each interval of this length while the load runs; 0: print none, "
	  "and write intervals of 1s to files", .max = 1000000000000000 },
	{ "stall", 0, OPT_TIME, DST(stall), "100ms", "TIME",
	  "list a stall if I/Os are in flight and none completes for longer than this time",
	  .min = 1000 },
	{ "hist", 0, OPT_FLAG, DST(hist),
	  .help = "print a histogram of the response times of each device and op, in per cent" },
	{ "per", 0, OPT_SET, DST(per), NULL, "SET", "print rows for each of these too",
	  load_per_names },
	{ "csv", 0, OPT_STRING, DST(csv), NULL, "FILE",
	  "write the intervals as CSV; - for stdout, without the table" },
	{ "log", 0, OPT_STRING, DST(log), NULL, "FILE",
	  "write a histogram for each interval, for blkgen log; - for stdout, without the table" },
	{ "json", 0, OPT_OUTPUT, DST(json), NULL, "FILE",
	  "write the result as JSON, too; without FILE to stdout, in place of the table" },
	OPT_COMMON(struct load_cfg)
};

/* @ret above 0 is an exit status whose reason is in the result: it is no error. */
static int write_doc(struct load *l, int ret)
{
	int written;

	if (l->doc)
		json_flag(l->doc, "interrupted", l->interrupted_ns != 0);
	written = report_doc_end(l->doc, l->cfg->json, ret < 0 ? ret : 0);
	return ret ?: written;
}

/* Run the series of loads of --sweep, --scenario, --job, --steady or --target-latency. */
static int run_series(struct load *l, struct opt_args *args)
{
	struct load_series s = { 0 };
	struct jobfile jf = { 0 };
	struct load_goal goal;
	int ret = 0;

	if (l->cfg->target_latency && l->cfg->steady)
		return usage_error("--steady and --target-latency exclude each other");
	if (l->cfg->target_latency) {
		ret = load_goal_parse(l->cfg->target_latency, &goal);
		s.goal = &goal;
		s.extra[0] = "try";
		s.extra[1] = "held";
	}
	if (!ret)
		ret = l->cfg->job ? load_jobs(l, &s, args, &jf) : load_sweep(l, &s, args);
	if (!ret && !l->cfg->job)
		ret = load_devices(l, args->pos, args->npos, load_series_jobs(&s));
	if (!ret)
		ret = load_catch_signals(l);
	if (!ret)
		ret = load_series_run(l, &s);
	load_release(l);
	load_series_free(&s);
	jobfile_free(&jf);
	return ret;
}

/* Run one load on all devices. */
static int run_once(struct load *l)
{
	size_t i;
	int ret;

	ret = load_targets(l, l->ndevs);
	for (i = 0; i < l->ndevs && !ret; i++) {
		l->targets[i].on = &l->devs[i];
		l->targets[i].cfg = l->cfg;
		l->devs[i].changes = load_changes(l->cfg);
	}
	if (!ret)
		ret = load_prepare(l);
	if (ret)
		return ret;
	load_report_header(l);
	ret = load_execute(l);
	return ret ? ret : load_report(l);
}

static int run_one(struct load *l, struct opt_args *args)
{
	const struct load_cfg *c = l->cfg;
	int ret;

	ret = load_check_options(c);
	if (!ret && !args->npos)
		ret = load_check_temp(c);
	if (!ret && load_single(c) && opt_seen(args, "batch"))
		ret = usage_error("--batch needs several I/Os in flight, and --engine %s does one "
				  "I/O at a time", load_engines[c->engine]);
	if (!ret && load_changes(c) && !c->write && args->npos)
		ret = usage_error("--rw %s destroys the data on %s; give --write if you want that",
				  load_rw_names[c->rw], args->pos[0]);
	if (!ret)
		ret = load_devices(l, args->pos, args->npos, c->jobs);
	if (!ret)
		ret = load_catch_signals(l);
	return ret ? ret : run_once(l);
}

static int load_run(void *cfg, struct opt_args *args)
{
	struct load l = { .cfg = cfg, .sigfd = -1 };
	struct load_cfg *c = cfg;
	const char *const outputs[] = { c->json, c->csv, c->log };
	int ret, files;

	if (c->scenario && !strcmp(c->scenario, "list")) {
		scenario_list();
		return 0;
	}
	if (c->job && !strcmp(c->job, "help")) {
		jobfile_print_keys(stdout);
		return 0;
	}
	ret = report_files_differ(outputs, 3, (char **)&c->job, c->job ? 1 : 0);
	ret = ret ?: report_doc_writable(c->json);
	if (ret)
		return ret;
	reader_hold();
	l.qd_given = opt_seen(args, "qd");
	load_defaults(c, opt_seen(args, "time"), l.qd_given);
	if (c->json) {
		l.doc = report_doc_new("blkgen", args->argv);
		json_object_object_add(l.doc, "options", load_options_json(c));
		json_object_object_add(l.doc, "jobs", json_object_new_array());
	}
	if (c->job || c->sweep.n || c->scenario || c->steady || c->target_latency)
		ret = run_series(&l, args);
	else
		ret = run_one(&l, args);
	files = load_intervals_end(&l);
	load_end(&l);
	ret = write_doc(&l, ret ? ret : files);
	/* I/Os that failed have been reported already: only the exit status is left. */
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
"blkgen load nvme0n1 --rw randrw --mix 70 --write --json=result.json\n"
"blkgen load nvme0n1 --rw write --bs 1M --fua --write\n"
"blkgen load nvme0n1 --rw randwrite --flush 32 --write  # a flush every 32\n"
"blkgen load nvme0n1 --rw trim --bs 1M --pass 1 --write  # discard it all\n"
"blkgen load nvme0n1 --dist zipf:1.2 --bssplit 4k/80:64k/20\n"
"blkgen load nvme0n1 --rw read --bs 128k --streams 8 --jobs 2\n"
"blkgen load nvme0n1 --rate 20k --arrival poisson --interval 1s\n"
"# the highest rate that holds a latency\n"
"blkgen load nvme0n1 --rate 1M --target-latency p99=500us\n"
"blkgen load nvme0n1 --sweep qd=1,8,64 --time 5s\n"
"blkgen load nvme0n1 --rw randwrite --pass 1 --verify --write\n"
"blkgen load --job mine.fio\n"
"blkgen load nvme0n1 --ios 1M --seed 7        # the same load again\n",
	.opts = load_opts,
	.cfg_size = sizeof(struct load_cfg),
	.max_pos = 64,
	.run = load_run,
};
