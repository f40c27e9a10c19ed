// SPDX-License-Identifier: GPL-2.0
/* Define the options of a load, and find out what load they make. */
#include <string.h>
#include "blkgen/load/cfg.h"
#include "core/scenario.h"
#include "output/file.h"

const char *const load_rw_names[] = {
	"read", "write", "randread", "randwrite", "rw", "randrw",
	"trim", "randtrim", "zeroes", "randzeroes", NULL
};

const char *const load_arrivals[] = { "fixed", "poisson", NULL };

const char *const load_engines[] = { "bio", "sync", "polled", "buffered", NULL };

const char *const load_op_names[BLKGEN_NR_OPS] = {
	"read", "write", "trim", "zeroes", "flush"
};

const char *const load_per_names[] = { "job", "stream", NULL };

#define DST(member)	OPT_AT(struct load_cfg, member)
#define SET(member)	OPT_AT(struct load_cfg, set.member)	/* goes to the module */

const struct opt load_opts[] = {
	{ .type = OPT_HEADING, .help = "What to do" },
	{ "rw", 0, OPT_ENUM, DST(rw), "randread", "PATTERN",
	  "sequential or random reads, writes, both mixed (rw), discards (trim), or zeroes that "
	  "the device writes itself", load_rw_names,
	  .result = "``read``, ``write``, ``randread``, ``randwrite``, ``rw``, ``randrw``, "
		    "``trim``, ``randtrim``, ``zeroes``, ``randzeroes``." },
	{ "bs", 'b', OPT_PARSE, DST(sizes), "4k", "SIZE",
	  "bytes per I/O, or a range such as 4k-64k", .parse = io_sizes_parse },
	{ "bssplit", 0, OPT_PARSE, DST(sizes), NULL, "SIZE/PERCENT:...",
	  "I/O sizes and the share of each in per cent, such as 4k/60:64k/40; instead of --bs",
	  .parse = io_split_parse },
	{ "qd", 'd', OPT_COUNT, SET(qd), "64", "N", "I/Os that each job keeps in flight",
	  .min = 1, .max = 1u << 20,
	  .result = "I/Os in flight per job." },
	{ "jobs", 'j', OPT_COUNT, SET(workers), "1", "N", "jobs (kernel threads) per device",
	  .min = 1, .max = 1u << 20,
	  .result = "Jobs per device." },
	{ "engine", 0, OPT_ENUM, SET(engine), "bio", "HOW",
	  "how to do I/O: submit and go on (bio), submit and wait (sync), submit and poll for the "
	  "completion (polled), or go through the page cache (buffered)", load_engines,
	  .result = "``bio``, ``sync``, ``polled`` or ``buffered``." },
	{ "cpus", 0, OPT_STRING, DST(cpus), NULL, "LIST",
	  "bind the jobs to these CPUs in turn, such as 0-3,6",
	  .result = "CPUs of the jobs, as they were given; empty: not bound." },
	{ "mix", 0, OPT_PERCENT, DST(mix), "70", "PERCENT",
	  "share of reads in rw and randrw, in per cent" },
	{ "apart", 0, OPT_FLAG, SET(flags), .bit = BLKGEN_SETUP_APART,
	  .help = "in rw, reads and writes each go through the range on their own, as in fio",
	  .result = "Reads and writes go through the range each on their own." },
	{ "fua", 0, OPT_FLAG, SET(flags), .bit = BLKGEN_SETUP_FUA,
	  .help = "each write completes only when its data is on the medium (FUA), and not just in "
		  "the device's cache",
	  .result = "Writes have FUA." },
	{ "flush", 0, OPT_COUNT, SET(flush_every), "0", "N",
	  "each job flushes the device's cache after every N I/Os other than reads; 0: never",
	  .result = "I/Os other than reads between two flushes of a job; 0: no flushes." },
	{ "seed", 0, OPT_COUNT, SET(seed), "1", "N",
	  "seed of the random numbers; the same seed and options make the same I/O",
	  .result = "Seed of the random numbers." },
	{ "verify", 0, OPT_FLAG, SET(flags), .bit = BLKGEN_SETUP_VERIFY,
	  .help = "a load that writes tags its data, and reads it back at the end to check it; a "
		  "load that reads checks data that an earlier load with --verify wrote",
	  .result = "Writes are tagged and read back, reads are checked." },
	{ "generation", 0, OPT_COUNT, SET(generation), "1", "N",
	  "number in the data of --verify that tells new data from the data of earlier loads",
	  .result = "Generation in the tags." },
	{ "batch", 0, OPT_COUNT, SET(batch), "16", "N",
	  "maximum number of I/Os that are submitted together, in one plug; 1: each on its own",
	  .min = 1, .max = 1u << 20,
	  .result = "Most I/Os per plug." },
	{ .type = OPT_HEADING, .help = "How fast" },
	{ "rate", 0, OPT_RATE, DST(rate), "0", "RATE",
	  "I/Os (10k) or bytes (50MB/s) that are due per second, for all jobs of a device "
	  "together; the latency of an I/O counts from the time when it was due; 0: no rate, as "
	  "many I/Os as --qd allows" },
	{ "arrival", 0, OPT_ENUM, SET(arrival), "fixed", "HOW",
	  "time between I/Os with --rate: always the same (fixed), or random as with many "
	  "independent users (poisson)", load_arrivals,
	  .result = "``fixed`` or ``poisson``." },
	{ "burst", 0, OPT_COUNT, SET(burst), "1", "N",
	  "number of I/Os that are due at the same time with --rate", .min = 1, .max = 1u << 16,
	  .result = "I/Os due at the same time." },
	{ "think", 0, OPT_TIME, SET(think_ns), "0", "TIME",
	  "time between the end of an I/O and the start of the I/O that takes its place",
	  .max = BLKGEN_MAX_WAIT / 1000000000 * 1000000000,
	  .result = "From the end of an I/O to the next one in its place." },
	{ "ramp", 0, OPT_TIME, SET(ramp_ns), "0", "TIME",
	  "run the load for this time before anything is measured",
	  .result = "How long load is made before anything is counted." },
	{ .type = OPT_HEADING, .help = "How long" },
	{ "time", 't', OPT_TIME, SET(time_ns), "10s", "TIME",
	  "how long to submit I/O; 0: until Ctrl-C; no limit if only --ios, --bytes or --pass is "
	  "given",
	  .result = "How long I/O is submitted; 0: no limit." },
	{ "ios", 'n', OPT_COUNT, SET(ios), "0", "N",
	  "end after this many I/Os of all jobs of a device together; 0: no limit",
	  .result = "I/Os of all jobs of a device; 0: no limit." },
	{ "bytes", 0, OPT_SIZE, SET(bytes), "0", "SIZE",
	  "end after this many bytes of I/O of all jobs of a device together; 0: no limit",
	  .result = "Bytes of all jobs of a device; 0: no limit." },
	{ "pass", 0, OPT_COUNT, SET(passes), "0", "N",
	  "end when each job has gone over its part of the device N times; 0: no limit",
	  .result = "How often each job goes over its part; 0: no limit." },
	{ "errors", 0, OPT_STRING, DST(on_errors), "row=1000", "WHEN",
	  "how many failed I/Os end the load: the first one (stop), none (continue), N of all jobs "
	  "of a device (max=N), or N of one job in a row (row=N)",
	  .result = "How many failures end the load." },
	{ "drain", 0, OPT_TIME, DST(drain), "5s", "TIME",
	  "after the end of the load, give up on the I/Os in flight if none completes for this "
	  "time; 0: never",
	  .result = "How long nothing may come back after the end; 0: for ever." },
	{ .type = OPT_HEADING, .help = "Where" },
	{ "offset", 0, OPT_SIZE, SET(offset), "0", "SIZE", "first byte of the device to use",
	  .result = "First byte used." },
	{ "size", 0, OPT_SIZE, SET(length), "0", "SIZE",
	  "number of bytes to use, counted from --offset; 0: all",
	  .result = "Bytes used from there; 0: all." },
	{ "align", 0, OPT_SIZE, SET(align), "0", "SIZE",
	  "I/Os begin at multiples of this size, counted from --offset; 0: at multiples of --bs, "
	  "or of the smallest size", .max = 1u << 30 },
	{ "dist", 0, OPT_PARSE, DST(dist), "once", "NAME[:PARAM]",
	  "how often random I/O goes to which offset: once (each offset once per pass), uniform, "
	  "zipf:THETA, pareto:H, normal:PERCENT, zones:ACCESS/SIZE:...",
	  .parse = dist_parse },
	{ "streams", 0, OPT_COUNT, SET(streams), "0", "N",
	  "number of sequential streams, each in its own part of the range; 0: one for each job",
	  .max = BLKGEN_MAX_STREAMS,
	  .result = "Sequential streams; 0: one for each job." },
	{ "zone-size", 0, OPT_SIZE, SET(zone_size), "0", "SIZE",
	  "bytes that a stream goes over before it skips --zone-skip; 0: all",
	  .result = "Bytes a stream goes over before it skips; 0: all." },
	{ "zone-skip", 0, OPT_SIZE, SET(zone_skip), "0", "SIZE",
	  "bytes that a stream skips after each --zone-size",
	  .result = "Bytes it skips then." },
	{ "zone-range", 0, OPT_SIZE, SET(zone_range), "0", "SIZE",
	  "distance from the start of one stream to the start of the next; 0: the range divided by "
	  "--streams",
	  .result = "Bytes from the start of one stream to that of the next; 0: the range by "
		    "them." },
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
	  "and write intervals of 1s to files", .max = 1000000000000000,
	  .result = "Length of an interval; 0: not given." },
	{ "stall", 0, OPT_TIME, SET(stall_ns), "100ms", "TIME",
	  "list a stall if I/Os are in flight and none completes for longer than this time",
	  .min = 1000,
	  .result = "A time without completions that is a stall." },
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

static const struct {
	bool random;
	bool op[BLKGEN_NR_OPS];		/* ops of the pattern; --mix weighs reads and writes */
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

bool load_random(const struct load_cfg *c)
{
	return patterns[c->rw].random;
}

bool load_mixed(const struct load_cfg *c)
{
	return patterns[c->rw].op[BLKGEN_OP_READ] && patterns[c->rw].op[BLKGEN_OP_WRITE];
}

bool load_has_op(const struct load_cfg *c, enum blkgen_op op)
{
	if (load_mixed(c) && (op == BLKGEN_OP_READ ? c->mix <= 0 : c->mix >= 100))
		return false;
	return patterns[c->rw].op[op];
}

bool load_changes(const struct load_cfg *c)
{
	return load_has_op(c, BLKGEN_OP_WRITE) || load_has_op(c, BLKGEN_OP_TRIM) ||
	       load_has_op(c, BLKGEN_OP_ZEROES);
}

bool load_single(const struct load_cfg *c)
{
	return c->set.engine == BLKGEN_ENGINE_SYNC || c->set.engine == BLKGEN_ENGINE_BUFFERED;
}

void load_defaults(struct load_cfg *c, bool time, bool qd)
{
	if (load_single(c) && !qd)
		c->set.qd = 1;
	if ((c->set.ios || c->set.bytes || c->set.passes) && !time)
		c->set.time_ns = 0;
}

static bool sets_sizes(const char *name)
{
	return !strcmp(name, "bs") || !strcmp(name, "bssplit");
}

bool load_same_option(const char *a, const char *b)
{
	return !strcmp(a, b) || (sets_sizes(a) && sets_sizes(b));
}

bool load_opt_seen(const struct opt_args *args, const char *name)
{
	if (sets_sizes(name))
		return opt_seen(args, "bs") || opt_seen(args, "bssplit");
	return opt_seen(args, name);
}

unsigned int load_stdout_files(const struct load_cfg *c)
{
	return report_is_stdout(c->json) + report_is_stdout(c->csv) + report_is_stdout(c->log);
}
