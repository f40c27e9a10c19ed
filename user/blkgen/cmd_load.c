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
#include "blkgen/load/verify.h"
#include "blkgen/load/wait.h"
#include "blkgen/series/adapt.h"
#include "blkgen/series/jobs.h"
#include "blkgen/series/scenario.h"
#include "blkgen/series/series.h"
#include "core/reader.h"
#include "output/document.h"

/*
 * Write the JSON document. A @ret above 0 is an exit status, not an error: the results in the
 * document already show the reason.
 */
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
	ret = ret ? ret : load_verify(l);
	return ret ? ret : load_report(l);
}

static int run_one(struct load *l, struct opt_args *args)
{
	const struct load_cfg *c = l->cfg;
	int ret;

	ret = load_check_options(c, args->npos ? args->pos[0] : NULL);
	if (!ret && load_single(c) && opt_seen(args, "batch"))
		ret = usage_error("--batch needs several I/Os in flight, and --engine %s does one "
				  "I/O at a time", load_engines[c->set.engine]);
	if (!ret)
		ret = load_devices(l, args->pos, args->npos, c->set.workers);
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
	/* Failed I/Os have been reported already, so only set the exit status. */
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
