// SPDX-License-Identifier: GPL-2.0
/*
 * This is the table of fio's keys. Each row says if the key becomes an option, is ignored or is
 * refused. A key that is not in the table is refused, and so is a value that would change the load.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/fio/jobfile.h"
#include "blkgen/fio/jobfile_conv.h"
#include "blkgen/fio/jobfile_keys.h"
#include "core/opt.h"
#include "core/text.h"

enum kind {
	TAKEN,		/* the key becomes an option */
	IGNORED,	/* the key makes no difference to the load */
	NOTED,		/* as IGNORED, but the user is told */
	ONLY,		/* blkgen does what the listed values say; other values are refused */
	WRITES,		/* as ONLY, but ignored if the job does not write */
	NAMED,		/* refused unless the command line names devices */
	REFUSED,
};

struct key {
	const char *name, *alias;
	enum kind kind;
	const char *what;		/* TAKEN: the option; ONLY, WRITES: values separated by | */
	/* TAKEN: this adds options. It is called for each job, also if the file lacks the key. */
	int (*conv)(struct conv *c, const struct job_setting *s);
	const char *text;
};

#define REPORT	"only changes what fio reports"
#define FILES	"for files, and blkgen does I/O on devices"
#define CLOCK	"only changes how fio reads the clock"
#define MEMORY	"only changes how fio uses memory"
#define LOGS	"blkgen writes none of fio's log files; see --csv and --log"
#define CPU	"only changes how fio calls the kernel, and blkgen runs in the kernel"
#define DATA	"blkgen writes random data that it makes once"
#define VERIFIES "for fio's way to verify, and blkgen has its own"
#define ZBD	"blkgen does not support zoned devices"
#define ALONE	"a job of blkgen does not end another job"

static const struct key keys[] = {
	{ "rw", "readwrite", TAKEN, "--rw", job_conv_rw,
	  "read, write, trim, rw (with --apart), randread, randwrite, randtrim, randrw; read by "
	  "default" },
	{ "rwmixread", NULL, TAKEN, "--mix", job_conv_mix, "50 by default" },
	{ "rwmixwrite", NULL, TAKEN, "--mix", NULL, "the last one of the two counts" },
	{ "ioengine", NULL, TAKEN, "--engine", job_conv_engine,
	  "psync (fio's default), sync, pvsync, pvsync2: sync; libaio, io_uring, posixaio: bio" },
	{ "direct", NULL, TAKEN, "--engine", NULL,
	  "without it, I/O goes through the page cache, as in fio" },
	{ "buffered", NULL, TAKEN, "--engine", NULL, "the opposite of direct" },
	{ "hipri", NULL, TAKEN, "--engine", NULL,
	  "polled; only with direct=1 and io_uring or pvsync2" },
	{ "iodepth", NULL, TAKEN, "--qd", NULL,
	  "1 by default; 1 with an engine that waits for each I/O" },
	{ "iodepth_batch", "iodepth_batch_submit", TAKEN, "--batch", job_conv_batch,
	  "1 by default" },
	{ "bs", "blocksize", TAKEN, "--bs", job_conv_bs, "4k by default" },
	{ "bsrange", "blocksize_range", TAKEN, "--bs", NULL,
	  "a range: all multiples of the smaller size up to the larger one" },
	{ "bssplit", NULL, TAKEN, "--bssplit", NULL,
	  "the same for all reads, writes and trims of the job" },
	{ "ba", "blockalign", TAKEN, "--align", NULL, "only for random I/O" },
	{ "filename", NULL, TAKEN, "DEV", NULL,
	  "devices, separated by colons; by default the section's name; DEV replaces files" },
	{ "offset", "fileoffset", TAKEN, "--offset", job_conv_offset, "in bytes" },
	{ "offset_increment", NULL, TAKEN, "--offset", NULL,
	  "each of numjobs becomes a job with its own offset" },
	{ "size", NULL, TAKEN, "--size", job_conv_size,
	  "in bytes, or 100%; divided among the devices" },
	{ "runtime", "timeout", TAKEN, "--time", job_conv_limits,
	  "without time_based, the job also ends after --pass 1" },
	{ "time_based", NULL, TAKEN, "--time", NULL, "only runtime ends the job" },
	{ "number_ios", NULL, TAKEN, "--ios", NULL, "multiplied by numjobs" },
	{ "io_size", "io_limit", TAKEN, "--bytes", NULL, "multiplied by numjobs" },
	{ "loops", NULL, TAKEN, "--pass", NULL,
	  "multiplied by numjobs; multiplies number_ios and io_size too" },
	{ "ramp_time", NULL, TAKEN, "--ramp", job_conv_ramp,
	  "runs before runtime; only with time_based" },
	{ "numjobs", NULL, TAKEN, "--jobs", job_conv_jobs, "for sequential I/O, a job for each" },
	{ "random_distribution", NULL, TAKEN, "--dist", job_conv_dist,
	  "random, zipf, pareto, normal, zoned" },
	{ "norandommap", NULL, TAKEN, "--dist", NULL,
	  "uniform: a block may be accessed again before all blocks have been" },
	{ "zonemode", NULL, TAKEN, "--streams", job_conv_zones,
	  "strided, only for sequential I/O" },
	{ "zonesize", NULL, TAKEN, "--zone-size", NULL, "" },
	{ "zonerange", NULL, TAKEN, "--zone-skip", NULL,
	  "the part of it after zonesize is skipped" },
	{ "zoneskip", NULL, TAKEN, "--zone-skip", NULL, "in bytes" },
	{ "rate", NULL, TAKEN, "--rate", job_conv_rate,
	  "multiplied by numjobs; not for reads and writes in one job" },
	{ "rate_iops", NULL, TAKEN, "--rate", NULL, "k is 1024, as in all of fio's numbers" },
	{ "rate_process", NULL, TAKEN, "--arrival", NULL, "linear or poisson" },
	{ "thinktime", NULL, TAKEN, "--think", job_conv_think,
	  "only with one I/O in flight; a number without a unit is in us" },
	{ "fsync", NULL, TAKEN, "--flush", job_conv_flush, "" },
	{ "fdatasync", NULL, TAKEN, "--flush", NULL, "the same as fsync for a device" },
	{ "sync", NULL, TAKEN, "--fua", job_conv_sync, "with --flush 1; only with direct=1" },
	{ "cpus_allowed", NULL, TAKEN, "--cpus", job_conv_cpus, "" },
	{ "cpumask", NULL, TAKEN, "--cpus", NULL, "" },
	{ "randseed", NULL, TAKEN, "--seed", job_conv_seed,
	  "1 by default; each further job adds 1" },
	{ "randrepeat", "allrandrepeat", TAKEN, "--seed", NULL, "0: another seed in each run" },
	{ "verify", NULL, TAKEN, "--verify", job_conv_verify,
	  "blkgen replaces all methods by its own; not for reads and writes in one job" },
	{ "do_verify", NULL, TAKEN, "--verify", NULL, "only 1 for jobs that write" },
	{ "continue_on_error", NULL, TAKEN, "--errors", job_conv_errors,
	  "none by default, as in fio" },
	{ "stonewall", "wait_for_previous", TAKEN, "groups", NULL,
	  "the job waits for all jobs before it; without it, they run together" },
	{ "name", NULL, TAKEN, "names", NULL, "replaces the section's name" },
	{ "kb_base", NULL, TAKEN, "units", NULL,
	  "1024 by default: k is 1024 and ki is 1000; 1000: the other way round" },

	{ "allow_file_create", NULL, IGNORED, NULL, NULL, FILES },
	{ "allow_mounted_write", NULL, IGNORED, NULL, NULL,
	  "blkgen always refuses mounted devices" },
	{ "block_error_percentiles", NULL, IGNORED, NULL, NULL, REPORT },
	{ "bwavgtime", NULL, IGNORED, NULL, NULL, REPORT },
	{ "clat_percentiles", NULL, IGNORED, NULL, NULL, REPORT },
	{ "clocksource", NULL, IGNORED, NULL, NULL, CLOCK },
	{ "comm", NULL, IGNORED, NULL, NULL, "only names fio's processes" },
	{ "create_fsync", NULL, IGNORED, NULL, NULL, FILES },
	{ "create_on_open", NULL, IGNORED, NULL, NULL, FILES },
	{ "create_serialize", NULL, IGNORED, NULL, NULL, FILES },
	{ "description", NULL, IGNORED, NULL, NULL, "only a comment" },
	{ "disable_bw_measurement", "disable_bw", IGNORED, NULL, NULL, CLOCK },
	{ "disable_clat", NULL, IGNORED, NULL, NULL, CLOCK },
	{ "disable_lat", NULL, IGNORED, NULL, NULL, CLOCK },
	{ "disable_slat", NULL, IGNORED, NULL, NULL, CLOCK },
	{ "disk_util", NULL, IGNORED, NULL, NULL, REPORT },
	{ "error_dump", NULL, IGNORED, NULL, NULL, REPORT },
	{ "fadvise_hint", NULL, IGNORED, NULL, NULL, FILES },
	{ "fallocate", NULL, IGNORED, NULL, NULL, FILES },
	{ "fixedbufs", NULL, IGNORED, NULL, NULL, CPU },
	{ "force_async", NULL, IGNORED, NULL, NULL, CPU },
	{ "group_reporting", NULL, IGNORED, NULL, NULL, REPORT },
	{ "gtod_cpu", NULL, IGNORED, NULL, NULL, CLOCK },
	{ "gtod_reduce", NULL, IGNORED, NULL, NULL, CLOCK },
	{ "hugepage-size", NULL, IGNORED, NULL, NULL, MEMORY },
	{ "io_submit_mode", NULL, IGNORED, NULL, NULL, CPU },
	{ "iodepth_batch_complete_max", NULL, IGNORED, NULL, NULL, CPU },
	{ "iomem_align", "mem_align", IGNORED, NULL, NULL, MEMORY },
	{ "iopsavgtime", NULL, IGNORED, NULL, NULL, REPORT },
	{ "job_start_clock_id", NULL, IGNORED, NULL, NULL, REPORT },
	{ "lat_percentiles", NULL, IGNORED, NULL, NULL, REPORT },
	{ "libaio_vectored", NULL, IGNORED, NULL, NULL, CPU },
	{ "log_alternate_epoch", "log_unix_epoch", IGNORED, NULL, NULL, LOGS },
	{ "log_alternate_epoch_clock_id", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_avg_msec", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_compression", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_compression_cpus", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_entries", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_hist_coarseness", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_hist_msec", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_issue_time", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_offset", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_prio", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_store_compressed", NULL, IGNORED, NULL, NULL, LOGS },
	{ "log_window_value", "log_max_value", IGNORED, NULL, NULL, LOGS },
	{ "mem", "iomem", IGNORED, NULL, NULL, MEMORY },
	{ "new_group", NULL, IGNORED, NULL, NULL, REPORT },
	{ "nonvectored", NULL, IGNORED, NULL, NULL, CPU },
	{ "openfiles", NULL, IGNORED, NULL, NULL, FILES },
	{ "overwrite", NULL, IGNORED, NULL, NULL, FILES },
	{ "per_job_logs", NULL, IGNORED, NULL, NULL, LOGS },
	{ "percentile_list", NULL, IGNORED, NULL, NULL, REPORT },
	{ "random_generator", NULL, IGNORED, NULL, NULL, "blkgen has its own random generator" },
	{ "rate_cycle", "ratecycle", IGNORED, NULL, NULL, "belongs to rate_min" },
	{ "registerfiles", NULL, IGNORED, NULL, NULL, CPU },
	{ "scramble_buffers", NULL, IGNORED, NULL, NULL, DATA },
	{ "serialize_overlap", NULL, ONLY, "0", NULL, "blkgen does not order I/Os that overlap" },
	{ "significant_figures", NULL, IGNORED, NULL, NULL, REPORT },
	{ "slat_percentiles", NULL, IGNORED, NULL, NULL, REPORT },
	{ "softrandommap", NULL, IGNORED, NULL, NULL, MEMORY },
	{ "sqthread_poll", NULL, IGNORED, NULL, NULL, CPU },
	{ "sqthread_poll_cpu", NULL, IGNORED, NULL, NULL, CPU },
	{ "stats", NULL, IGNORED, NULL, NULL, REPORT },
	{ "thread", NULL, IGNORED, NULL, NULL, "blkgen's jobs are kernel threads" },
	{ "unified_rw_reporting", NULL, IGNORED, NULL, NULL, REPORT },
	{ "unit_base", NULL, IGNORED, NULL, NULL, REPORT },
	{ "unlink", NULL, IGNORED, NULL, NULL, FILES },
	{ "unlink_each_loop", NULL, IGNORED, NULL, NULL, FILES },
	{ "userspace_reap", NULL, IGNORED, NULL, NULL, CPU },
	{ "write_bw_log", NULL, NOTED, NULL, NULL, LOGS },
	{ "write_hist_log", NULL, NOTED, NULL, NULL, LOGS },
	{ "write_iops_log", NULL, NOTED, NULL, NULL, LOGS },
	{ "write_lat_log", NULL, NOTED, NULL, NULL, LOGS },

	{ "atomic", NULL, ONLY, "0", NULL, "blkgen has no atomic writes" },
	{ "bs_is_seq_rand", NULL, ONLY, "0", NULL, "a job is either random or sequential" },
	{ "bs_unaligned", "blocksize_unaligned", ONLY, "0", NULL, "blkgen's I/O is aligned" },
	{ "buffer_compress_percentage", NULL, WRITES, "0", NULL, DATA },
	{ "buffer_compress_chunk", NULL, IGNORED, NULL, NULL,
	  "belongs to buffer_compress_percentage" },
	{ "buffer_pattern", NULL, WRITES, "", NULL, DATA },
	{ "cpus_allowed_policy", NULL, ONLY, "shared|split", NULL,
	  "each job is bound to one CPU of cpus_allowed, in turn" },
	{ "create_only", NULL, ONLY, "0", NULL, FILES },
	{ "dataplacement", "data_placement", WRITES, "none", NULL,
	  "blkgen does not tell the device where to place data" },
	{ "dedupe_percentage", NULL, WRITES, "0", NULL, DATA },
	{ "directory", NULL, NAMED, NULL, NULL, FILES "; give filename=/dev/..." },
	{ "end_fsync", NULL, WRITES, "0", NULL, "blkgen has no option for a flush at the end" },
	{ "exec_postrun", NULL, REFUSED, NULL, NULL, "blkgen starts no commands" },
	{ "exec_prerun", NULL, REFUSED, NULL, NULL, "blkgen starts no commands" },
	{ "exitall", NULL, ONLY, "0", NULL, ALONE },
	{ "exitall_on_error", NULL, ONLY, "0", NULL, ALONE },
	{ "fdp", NULL, WRITES, "0", NULL, "blkgen does not tell the device where to place data" },
	{ "file_append", NULL, ONLY, "0", NULL, FILES },
	{ "file_service_type", NULL, ONLY, "roundrobin", NULL,
	  "blkgen loads all devices of a job at the same time" },
	{ "filesize", NULL, REFUSED, NULL, NULL, FILES "; give size" },
	{ "filetype", NULL, ONLY, "block", NULL, FILES },
	{ "fill_device", "fill_fs", ONLY, "0", NULL, FILES },
	{ "flow", NULL, ONLY, "0", NULL, "blkgen does not balance jobs against each other" },
	{ "fsync_on_close", NULL, WRITES, "0", NULL,
	  "blkgen has no option for a flush at the end" },
	{ "hipri_percentage", NULL, ONLY, "100", NULL, "blkgen polls all I/O of a job or none" },
	{ "ignore_error", NULL, REFUSED, NULL, NULL,
	  "blkgen continues after all errors or after none; see continue_on_error" },
	{ "invalidate", NULL, ONLY, "0|1", NULL,
	  "direct I/O does not use the page cache, and buffered I/O begins with an empty one" },
	{ "iodepth_batch_complete_min", "iodepth_batch_complete", ONLY, "0|1", NULL,
	  "blkgen submits again as soon as one I/O completes" },
	{ "iodepth_low", NULL, REFUSED, NULL, NULL,
	  "blkgen always refills the queue up to iodepth" },
	{ "ioscheduler", NULL, REFUSED, NULL, NULL,
	  "blkgen does not change the scheduler for a job; set it before, or see --sweep "
	  "scheduler" },
	{ "latency_run", NULL, ONLY, "0", NULL, "see --target-latency" },
	{ "latency_target", NULL, REFUSED, NULL, NULL, "see --target-latency" },
	{ "lockfile", NULL, ONLY, "none", NULL, FILES },
	{ "lockmem", NULL, ONLY, "0", NULL, "blkgen does not reduce the free memory" },
	{ "max_latency", NULL, ONLY, "0", NULL, "blkgen does not end a job because of a slow I/O" },
	{ "nice", NULL, ONLY, "0", NULL, "blkgen does not change the priority of its threads" },
	{ "nowait", NULL, ONLY, "0", NULL, "blkgen's I/O waits if the device has no free tag" },
	{ "nrfiles", "nr_files", ONLY, "1", NULL, FILES "; name all devices in filename" },
	{ "numa_cpu_nodes", NULL, REFUSED, NULL, NULL,
	  "with cpus_allowed, memory is on the NUMA node of the job's CPU" },
	{ "numa_mem_policy", NULL, REFUSED, NULL, NULL,
	  "with cpus_allowed, memory is on the NUMA node of the job's CPU" },
	{ "num_range", NULL, ONLY, "1", NULL, "a trim of blkgen has one range" },
	{ "offset_align", NULL, ONLY, "0", NULL, "blkgen does not align offset" },
	{ "opendir", NULL, REFUSED, NULL, NULL, FILES "; give filename=/dev/..." },
	{ "percentage_random", NULL, ONLY, "100", NULL, "a job is either random or sequential" },
	{ "pre_read", NULL, ONLY, "0", NULL, "blkgen begins with an empty page cache" },
	{ "prio", NULL, REFUSED, NULL, NULL, "blkgen's I/O has no priority" },
	{ "prioclass", NULL, REFUSED, NULL, NULL, "blkgen's I/O has no priority" },
	{ "profile", NULL, REFUSED, NULL, NULL, "see --scenario" },
	{ "ramp_size", NULL, ONLY, "0", NULL, "see ramp_time" },
	{ "rate_ignore_thinktime", NULL, ONLY, "0", NULL,
	  "blkgen supports a rate or a think time, not both" },
	{ "rate_iops_min", NULL, ONLY, "0", NULL, "blkgen does not end a job because it is slow" },
	{ "rate_min", "ratemin", ONLY, "0", NULL, "blkgen does not end a job because it is slow" },
	{ "read_iolog", NULL, REFUSED, NULL, NULL, "blkgen does not replay logs" },
	{ "refill_buffers", NULL, WRITES, "0", NULL, DATA },
	{ "rw_sequencer", NULL, ONLY, "sequential", NULL, "blkgen does not repeat offsets" },
	{ "sprandom", NULL, ONLY, "0", NULL, "blkgen does not support this order" },
	{ "startdelay", NULL, ONLY, "0", NULL, "the jobs of a group start together" },
	{ "steadystate", "ss", REFUSED, NULL, NULL, "see --steady" },
	{ "sync_file_range", NULL, REFUSED, NULL, NULL, FILES },
	{ "thinktime_blocks", NULL, ONLY, "1", NULL, "blkgen pauses after each I/O" },
	{ "thinktime_blocks_type", NULL, IGNORED, NULL, NULL,
	  "makes no difference with thinktime_blocks=1" },
	{ "thinktime_iotime", NULL, ONLY, "0", NULL, "blkgen pauses after each I/O" },
	{ "thinktime_spin", NULL, ONLY, "0", NULL, "blkgen sleeps during the think time" },
	{ "trim_percentage", NULL, ONLY, "0", NULL,
	  "blkgen does reads and trims in separate jobs" },
	{ "uncached", NULL, ONLY, "0", NULL,
	  "blkgen does not drop data from the page cache after an I/O" },
	{ "unique_filename", NULL, IGNORED, NULL, NULL, FILES },
	{ "verify_async", NULL, IGNORED, NULL, NULL, VERIFIES },
	{ "verify_backlog", NULL, ONLY, "0", NULL, VERIFIES },
	{ "verify_dump", NULL, IGNORED, NULL, NULL, VERIFIES },
	{ "verify_fatal", NULL, ONLY, "0", NULL, VERIFIES },
	{ "verify_interval", NULL, IGNORED, NULL, NULL, VERIFIES },
	{ "verify_pattern", NULL, REFUSED, NULL, NULL, VERIFIES },
	{ "verify_state_load", NULL, ONLY, "0", NULL, VERIFIES },
	{ "verify_state_save", NULL, IGNORED, NULL, NULL, VERIFIES },
	{ "wait_for", NULL, REFUSED, NULL, NULL, "blkgen waits only for all jobs, with stonewall" },
	{ "write_barrier", NULL, WRITES, "0", NULL, "see fsync" },
	{ "write_hint", NULL, WRITES, "none", NULL, "blkgen writes without hints" },
	{ "write_iolog", NULL, REFUSED, NULL, NULL, LOGS },
	{ "zero_buffers", NULL, WRITES, "0", NULL, DATA },
	{ "cgroup", NULL, REFUSED, NULL, NULL,
	  "blkgen's I/O belongs to the cgroup in which blkgen is started" },
	{ "zone_reset_frequency", NULL, REFUSED, NULL, NULL, ZBD },
	{ "zone_reset_threshold", NULL, REFUSED, NULL, NULL, ZBD },
	{ "max_open_zones", NULL, ONLY, "0", NULL, ZBD },
	{ "job_max_open_zones", NULL, ONLY, "0", NULL, ZBD },
};

#define NR_KEYS	(sizeof(keys) / sizeof(*keys))
_Static_assert(NR_KEYS <= JOB_MAX_KEYS, "settings have room for all keys");

int job_key_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < NR_KEYS; i++) {
		const struct key *k = &keys[i];

		if ((strlen(k->name) == len && !strncmp(k->name, name, len)) ||
		    (k->alias && strlen(k->alias) == len && !strncmp(k->alias, name, len)))
			return i;
	}
	return -1;
}

void job_settings_init(struct job_settings *set)
{
	size_t i;

	for (i = 0; i < NR_KEYS; i++)
		set->key[i] = (struct job_setting) { .name = keys[i].name };
}

void jobfile_print_keys(FILE *f)
{
	static const char *const kinds[] = {
		[TAKEN] = "", [IGNORED] = "ignored", [NOTED] = "ignored, with a note",
		[ONLY] = " only", [WRITES] = " only, if it writes",
		[NAMED] = "refused without DEV", [REFUSED] = "refused"
	};
	size_t i;

	for (i = 0; i < NR_KEYS; i++) {
		const struct key *k = &keys[i];
		const char *p = k->what ? *k->what ? k->what : "not" : "";

		fprintf(f, "%s%s%s: ", k->name, k->alias ? ", " : "", k->alias ? k->alias : "");
		for (; *p; p++) {
			if (*p == '|')
				fputs(" or ", f);
			else
				fputc(*p, f);
		}
		fprintf(f, "%s%s%s\n", kinds[k->kind], *k->text ? "; " : "", k->text);
	}
}

/* Refuse, note or accept key @i as its kind says. A key that is TAKEN is converted elsewhere. */
static int check_key(struct conv *c, size_t i)
{
	const struct job_setting *s = &c->sec->set->key[i];
	const struct key *k = &keys[i];
	const char *value = s->value ? s->value : "1";

	if (!s->line || k->kind == IGNORED || k->kind == TAKEN)
		return 0;
	if (k->kind == NOTED)
		return jf_note(c, s, "%s", k->text);
	if (k->kind == WRITES && !(c->ops & W))
		return 0;
	if (k->kind == NAMED && c->jf->ndevices)
		return 0;
	if (k->kind != REFUSED && k->kind != NAMED &&
	    text_has_word(k->what, "|", value, strlen(value)))
		return 0;
	return jf_bad(c, s, "%s", k->text);
}

/* Find the facts that more than one conversion needs. */
static int find_facts(struct conv *c)
{
	const struct job_setting *dist = jf_get(c, "random_distribution");
	const struct job_setting *n = jf_get(c, "numjobs"), *mode = jf_get(c, "zonemode");
	const struct job_setting *base = jf_get(c, "kb_base");
	const struct job_setting *verify = jf_get(c, "verify");
	int ret;

	c->kilo = 1024;
	if (base->line && (!base->value || (strcmp(base->value, "1000") &&
					    strcmp(base->value, "1024"))))
		return jf_bad(c, base, "must be 1000 or 1024");
	if (base->line)
		c->kilo = strtoul(base->value, NULL, 10);
	ret = job_find_rw(c);
	if (!ret)
		ret = job_find_engine(c);
	if (ret)
		return ret;
	c->sizes = jf_given(c, "bsrange") || jf_given(c, "bssplit");
	c->draws = c->random && (jf_truth(c, "norandommap") || c->sizes ||
				 (dist->value && strncmp(dist->value, "random", 6)));
	c->strided = mode->value && !strcmp(mode->value, "strided");
	c->verifies = verify->line && !(verify->value && (!strcmp(verify->value, "0") ||
							  !strcmp(verify->value, "none")));
	c->threads = 1;
	ret = jf_number(c, n, &c->threads);
	if (!ret && (!c->threads || c->threads > 4096))
		return jf_bad(c, n, "must be from 1 to 4096");
	c->clones = 1;
	/*
	 * For sequential I/O, all of fio's clones (numjobs) begin at the same offset, and with
	 * offset_increment each clone begins at another offset. The threads of --jobs cannot do
	 * this, because they share one range. So make each clone a job of its own.
	 */
	if (!c->random || jf_given(c, "offset_increment")) {
		c->clones = c->threads;
		c->threads = 1;
	}
	return ret;
}

static int fill_job(struct conv *c)
{
	const struct job_setting *name = jf_get(c, "name");
	const char *n = name->line > c->sec->line && name->value ? name->value : c->sec->name;
	size_t i;
	int ret;

	c->job->name = n;
	if (c->clones > 1)
		c->job->name = jobfile_text(c->jf, "%s.%llu", n, (unsigned long long)c->clone);
	if (!c->job->name)
		return -ENOMEM;
	c->job->path = c->sec->path;
	c->job->line = c->sec->line;
	ret = job_find_devices(c);
	if (!ret && c->job->ndevices > 1)
		ret = jf_note(c, jf_get(c, "filename"), "blkgen loads all devices at the same "
			      "time, each with its share of iodepth; fio takes them in turn");
	for (i = 0; i < NR_KEYS && !ret; i++)
		ret = keys[i].conv ? keys[i].conv(c, &c->sec->set->key[i]) : 0;
	return ret;
}

int job_add(struct jobfile *jf, const struct job_section *sec, unsigned int *threads)
{
	struct conv c = { .jf = jf, .sec = sec };
	unsigned int group = jf->njobs ? jf->jobs[jf->njobs - 1].group : 0;
	int ret = 0;
	size_t i;

	for (i = 0; i < NR_KEYS && !ret; i++)
		if (sec->set->key[i].line && keys[i].kind == REFUSED)
			ret = check_key(&c, i);
	if (!ret)
		ret = find_facts(&c);
	for (i = 0; i < NR_KEYS && !ret; i++)
		ret = check_key(&c, i);
	if (!ret && jf->njobs && jf_truth(&c, "stonewall"))
		group++;
	for (; !ret && c.clone < c.clones; c.clone++) {
		struct job *all = realloc(jf->jobs, (jf->njobs + 1) * sizeof(*all));

		if (!all)
			return err(-ENOMEM, "out of memory");
		jf->jobs = all;
		c.job = &all[jf->njobs++];
		*c.job = (struct job) { .group = group, .thread = *threads };
		c.thread = *threads + 1;
		*threads += c.threads;
		ret = fill_job(&c);
	}
	return ret;
}
