// SPDX-License-Identifier: GPL-2.0
/* blklat trace: trace devices for a while, then print where the time went. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "blklat/cmds.h"
#include "blklat/trace/trace.h"
#include "core/reader.h"
#include "core/rights.h"
#include "output/document.h"
#include "output/file.h"
#include "output/json.h"

static const struct opt trace_opts[] = {
	{ "time", 't', OPT_TIME, OPT_AT(struct trace_cfg, time), NULL, "TIME",
	  "stop after this long; without it, stop when COMMAND ends or at Ctrl-C" },
	{ "interval", 'i', OPT_TIME, OPT_AT(struct trace_cfg, interval), NULL, "TIME",
	  "print a line per device this often: I/Os and bytes per second, mean, p99 and maximum of "
	  "the latency in that time, and a bar of what the mean is made of", .min = 100000000 },
	{ "count", 'n', OPT_COUNT, OPT_AT(struct trace_cfg, count), NULL, "N",
	  "stop after N intervals", .min = 1 },
	TRACE_OPTS_WHICH,
	{ .type = OPT_HEADING, .help = "Result" },
	{ "json", 0, OPT_OUTPUT, OPT_AT(struct trace_cfg, json), NULL, "FILE",
	  "write the whole result as JSON; without FILE to stdout, in place of the tables" },
	{ "openmetrics", 0, OPT_STRING, OPT_AT(struct trace_cfg, openmetrics), NULL, "FILE",
	  "write metrics for Prometheus; rewritten every --interval (10s without it) and at "
	  "the end" },
	{ "by", 0, OPT_ENUM, OPT_AT(struct trace_cfg, by), "none", "KEY",
	  "also split the I/Os of each device by KEY, into the 20 largest groups and the others",
	  by_names },
	{ "spans", 0, OPT_FLAG, OPT_AT(struct trace_cfg, spans),
	  .help = "print the gaps that btt has too: Q2G, G2I, I2D, D2C, Q2C "
		  "(--json always has them)" },
	{ "hist", 0, OPT_FLAG, OPT_AT(struct trace_cfg, hist),
	  .help = "print a histogram of the latencies of each device and kind of I/O, in per "
		  "cent" },
	TRACE_OPTS_HOW,
	OPT_EVENTS(struct trace_cfg, events),
	OPT_COMMON(struct trace_cfg)
};

/* A pipe that nobody reads would hold up the whole trace. */
static int check_openmetrics(const char *file)
{
	struct stat st;

	if (report_is_stdout(file))
		return usage_error("--openmetrics needs a file, not stdout, because the file is "
				   "rewritten during the trace");
	if (file && !stat(file, &st) && S_ISFIFO(st.st_mode))
		return usage_error("--openmetrics %s: must not be a pipe, because the file is "
				   "rewritten during the trace", file);
	return report_doc_writable(file);
}

static int check_options(const struct trace_cfg *cfg, const struct opt_args *args)
{
	const char *const files[] = { cfg->json, cfg->output, cfg->openmetrics, cfg->events.json,
				      cfg->events.perfetto };
	int ret;

	if (!args->npos && cfg->up)
		return usage_error("name a device, as in: blklat %s --up nvme0n1",
				   cfg->output ? "record -o nvme.json" : "trace");
	if (args->npos > BLKLAT_MAX_DEVS && !cfg->up)
		return usage_error("at most %d devices at once", BLKLAT_MAX_DEVS);
	if (cfg->comm && strlen(cfg->comm) >= BLKLAT_COMM_LEN)
		return usage_error("--comm %s: a task's name has at most %d characters", cfg->comm,
				   BLKLAT_COMM_LEN - 1);
	if (cfg->count && !cfg->interval)
		return usage_error("--count counts intervals, so it needs --interval TIME");
	ret = trace_events_check(&cfg->events, report_is_stdout(cfg->json) ? "--json" :
				 report_is_stdout(cfg->output) ? "--output" : NULL);
	ret = ret ?: report_files_differ(files, sizeof(files) / sizeof(*files), NULL, 0);
	ret = ret ?: report_doc_writable(cfg->json);
	ret = ret ?: check_openmetrics(cfg->openmetrics);
	return ret ?: report_doc_writable(cfg->output);
}

static int write_result(const struct trace *t, json_object *doc)
{
	unsigned long long ios = 0;
	int ret = report_doc_write_plain(doc, t->cfg->output);

	for (size_t i = 0; i < t->stack.ntops; i++)
		ios += t->devs[i].total.count;
	if (!ret && !report_is_stdout(t->cfg->output))
		info("%s: %llu I/Os in %.1fs; see the result with: blklat report %s",
		     t->cfg->output, ios, t->elapsed_ns / 1e9, t->cfg->output);
	return ret;
}

/*
 * Return true if writing to this file may wait for ever, because it is a pipe and nobody reads it.
 * Only then may a signal end blklat while it writes, as other results would be lost.
 */
static bool may_wait(const char *file)
{
	struct stat st;

	if (!file)
		return false;
	if (report_is_stdout(file) ? fstat(STDOUT_FILENO, &st) : stat(file, &st))
		return false;
	return S_ISFIFO(st.st_mode);
}

int trace_main(const struct trace_cfg *cfg, struct opt_args *args)
{
	struct trace t = {
		.cfg = cfg, .sigfd = -1, .progress = { .plain_every_ns = 10000000000ULL },
	};
	json_object *doc;
	int ret, metrics, written = 0;

	ret = check_options(cfg, args);
	if (ret)
		return ret;
	reader_hold();
	doc = report_doc_new("blklat", args->argv);
	ret = trace_open(&t, args);
	if (!ret)
		ret = trace_follow(&t, args->rest);
	if (t.sigfd >= 0 && (may_wait(cfg->json) || may_wait(cfg->output)))
		child_signals_act(t.sigfd);
	if (!ret) {
		/* Nothing is attached any more, and names in the result may be hostile. */
		rights_for_files();
		ret = trace_report(&t, doc) ?: t.events_error;
	}
	metrics = trace_metrics_end(&t);
	ret = ret ?: metrics;
	if (ret && ret != -EUSAGE)
		report_doc_error(doc, log_last_error());
	if (cfg->json && ret != -EUSAGE)
		written = report_doc_write(doc, cfg->json);
	/* Write the result file also after a failure: it may hold a valid result. */
	if (cfg->output && json_object_object_get_ex(doc, "devices", NULL))
		written = write_result(&t, doc);
	json_object_put(doc);
	trace_close(&t);
	return ret ?: written ?: trace_command_status(&t);
}

static int trace_run(void *config, struct opt_args *args)
{
	return trace_main(config, args);
}

const struct cmd cmd_trace = {
	.name = "trace",
	.brief = "split the latency of a device's I/O into app, kernel, driver and device",
	.usage = "[DEV...] [-- COMMAND...]",
	.about = "Follows every I/O of the devices from the submitting task to the device and\n"
		 "back, and prints how long each stage took. DEV is a name (nvme0n1), a path, a\n"
		 "link or a partition. The I/O of a dm or md device is followed through all\n"
		 "layers down to the disks. Without DEV, all devices on top, which are no part of\n"
		 "another device, are traced, and all devices below them. The trace ends after\n"
		 "--time, when COMMAND ends, or at Ctrl-C; the result is printed in each case.\n"
		 "Several devices are printed side by side.",
	.examples = "# a disk that is in use, for ten seconds\n"
		    "blklat trace nvme0n1 --time 10s\n"
		    "# one command's I/O, NVMe against AHCI\n"
		    "blklat trace nvme0n1 sda -- blkgen load nvme0n1 sda --qd 1 --time 5s\n"
		    "# what does each layer below a logical volume cost?\n"
		    "blklat trace /dev/vg/lv -- blkgen load /dev/vg/lv --qd 16 --time 5s\n"
		    "# all devices that are on top of a disk\n"
		    "blklat trace --up sda --time 10s\n"
		    "# fsync latency of the database\n"
		    "blklat trace nvme0n1p2 --comm postgres --op flush --interval 1s\n",
	.opts = trace_opts,
	.cfg_size = sizeof(struct trace_cfg),
	.takes_rest = true,
	.max_pos = 1024,
	.run = trace_run,
};
