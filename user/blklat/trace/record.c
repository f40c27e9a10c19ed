// SPDX-License-Identifier: GPL-2.0
/* blklat record: trace into a result file, with a sample of each interval. */
#include "blklat/cmds.h"
#include "blklat/trace/trace.h"

static const struct opt record_opts[] = {
	{ "output", 'o', OPT_STRING, OPT_AT(struct trace_cfg, output), NULL, "FILE",
	  "the result file; an existing file is replaced when everything is done" },
	{ "time", 't', OPT_TIME, OPT_AT(struct trace_cfg, time), NULL, "TIME",
	  "stop after this long; without it, stop when COMMAND ends or at Ctrl-C" },
	{ "interval", 'i', OPT_TIME, OPT_AT(struct trace_cfg, interval), "1s", "TIME",
	  "length of the intervals; doubled whenever there are 300 intervals", .min = 100000000 },
	TRACE_OPTS_WHICH,
	{ .type = OPT_HEADING, .help = "How" },
	TRACE_OPTS_HOW,
	OPT_EVENTS(struct trace_cfg, events),
	OPT_COMMON(struct trace_cfg)
};

static int record_run(void *config, struct opt_args *args)
{
	const struct trace_cfg *cfg = config;

	if (!cfg->output)
		return usage_error("name a result file, as in: blklat record -o nvme.json nvme0n1");
	return trace_main(cfg, args);
}

const struct cmd cmd_record = {
	.name = "record",
	.brief = "trace into a result file, for report and diff",
	.usage = "-o FILE [DEV...] [-- COMMAND...]",
	.about = "Traces as blklat trace does, and keeps the result in FILE: the distributions of\n"
		 "all stages, for the whole trace and for each interval, the topology, and a\n"
		 "description of the devices and the machine. blklat report shows the result as\n"
		 "tables, plots and an HTML page. blklat diff compares it with other results.",
	.examples = "# ten seconds of a disk that is in use\n"
		    "blklat record -o nvme.json nvme0n1 --time 10s\n"
		    "# this kernel; then boot the other kernel, record again and compare\n"
		    "blklat record -o 6.12.json md0 -- blkgen load md0 --qd 16 --time 10s\n"
		    "blklat diff 6.1.json 6.12.json\n",
	.opts = record_opts,
	.cfg_size = sizeof(struct trace_cfg),
	.takes_rest = true,
	.max_pos = 1024,
	.run = record_run,
};
