// SPDX-License-Identifier: GPL-2.0
/* blklat compare: run the same load on several devices and tell which differences are real. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blklat/cmds.h"
#include "blklat/compare/compare.h"
#include "blklat/compare/load.h"
#include "blklat/compare/pin.h"
#include "blklat/compare/report.h"
#include "blklat/compare/run.h"
#include "blklat/compare/scenario.h"
#include "blklat/compare/stacks.h"
#include "core/child.h"
#include "core/reader.h"
#include "core/scenario.h"
#include "output/document.h"
#include "output/file.h"
#include "output/json.h"

#define DST(member)	OPT_AT(struct compare_cfg, member)

static const struct opt compare_opts[] = {
	{ "baseline", 'b', OPT_STRING, DST(baseline), NULL, "DEV",
	  "the device that the others are compared with; without it, the first device" },
	{ .type = OPT_HEADING, .help = "Stacks that blklat makes" },
	{ "stacks", 's', OPT_STRING, DST(stacks), NULL, "LIST",
	  "compare stacks of these types instead of DEV: raw, dm-linear, lvm-stripe, md-raid0... "
	  "(--stacks help lists all); A/B is A made on B", .names = stack_type_name },
	{ "on", 0, OPT_LIST, DST(on), NULL, "DEV[,DEV...]",
	  "make the stacks on these scratch devices; without it, on temporary null_blk devices" },
	{ "destroy", 0, OPT_FLAG, DST(destroy),
	  .help = "allow that the data on the scratch devices is lost" },
	{ "cleanup", 0, OPT_FLAG, DST(cleanup),
	  .help = "remove what killed comparisons have left behind, and do nothing else" },
	{ .type = OPT_HEADING, .help = "Load" },
	{ "load", 'l', OPT_STRING, DST(load), "--rw randread --bs 4k --qd 1", "OPTIONS",
	  "options of blkgen load, in one argument; without --write nothing is written" },
	{ "scenario", 0, OPT_STRING, DST(scenario), NULL, "NAME",
	  "run several loads; classic: five loads of 64 users, without DEV and --stacks on a disk, "
	  "an LVM stripe and md raid0", .names = scenario_name_compared },
	{ "rounds", 'r', OPT_COUNT, DST(rounds), "8", "N",
	  "how often each device has its turn, untraced and then traced",
	  .min = 1, .max = 1000 },
	{ "time", 't', OPT_TIME, DST(time), "1s", "TIME", "the time of each turn",
	  .min = 1000000 },
	{ "seed", 0, OPT_COUNT, DST(seed), "1", "N",
	  "the seed for the order of the turns and for the load" },
	{ "untraced", 0, OPT_FLAG, DST(untraced),
	  .help = "leave the traced rounds out: nothing is attached, and there are no stages" },
	{ "plug", 0, OPT_FLAG, DST(plug),
	  .help = "tell the time in the plug of the submitter from stage sched" },
	{ .type = OPT_HEADING, .help = "Settings that are the same for all devices" },
	{ "scheduler", 0, OPT_STRING, DST(scheduler), NULL, "NAME",
	  "set the I/O scheduler of all disks during the comparison" },
	{ "allow", 0, OPT_SET, DST(allow), NULL, "LIST", "compare although these differ",
	  compare_allow },
	{ .type = OPT_HEADING, .help = "Result" },
	{ "output", 'o', OPT_STRING, DST(output), NULL, "FILE",
	  "keep the result with all histograms, for report and diff" },
	{ "json", 0, OPT_OUTPUT, DST(json), NULL, "FILE",
	  "write the result as JSON; without FILE to stdout, in place of the tables" },
	{ "detail", 0, OPT_FLAG, DST(detail),
	  .help = "print the stages that do not differ, all percentiles, and the legs; also with "
		  "--verbose" },
	OPT_COMMON(struct compare_cfg)
};

/*
 * Label the device with the name that the user gave. If the device was named before, append a
 * number.
 */
static void set_label(struct compare *c, size_t i, const char *name)
{
	struct result_dev *d = &c->res.devs[i];
	size_t before = 1;

	for (size_t k = 0; k < i; k++)
		before += c->devs[k].dev == c->devs[i].dev;
	snprintf(d->name, sizeof(d->name), "%s", c->devs[i].name);
	if (before > 1)
		snprintf(d->label, sizeof(d->label), "%s (%zu)", name, before);
	else
		snprintf(d->label, sizeof(d->label), "%s", name);
	d->top = true;
}

static int add_device(struct compare *c, const char *name)
{
	int ret = device_resolve(name, &c->devs[c->n]);

	if (ret)
		return ret;
	device_facts(&c->devs[c->n]);
	set_label(c, c->n, result_label(name));
	c->res.ndevs = ++c->n;
	return 0;
}

static int find_devices(struct compare *c, const struct opt_args *args)
{
	int ret = 0;

	if (c->cfg->stacks)
		return compare_stacks_open(c);
	c->devs = calloc(args->npos, sizeof(*c->devs));
	c->res.devs = calloc(args->npos, sizeof(*c->res.devs));
	if (!c->devs || !c->res.devs)
		return err(-ENOMEM, "out of memory");
	strcpy(c->res.kind, "compare");
	for (size_t i = 0; i < args->npos && !ret; i++)
		ret = add_device(c, args->pos[i]);
	return ret;
}

static int find_baseline(struct compare *c)
{
	struct device d = { 0 };
	int ret = 0;

	if (!c->cfg->baseline)
		return 0;
	for (size_t i = 0; i < c->n; i++) {
		if (!strcmp(c->res.devs[i].label, c->cfg->baseline)) {
			c->baseline = i;
			return 0;
		}
	}
	/* A stack is known by its label only. */
	if (!c->cfg->stacks)
		ret = device_resolve(c->cfg->baseline, &d);
	for (size_t i = 0; i < c->n && !ret && d.dev; i++) {
		if (c->devs[i].dev == d.dev) {
			c->baseline = i;
			return 0;
		}
	}
	return ret ?: usage_error("--baseline %s is not among those compared", c->cfg->baseline);
}

static void say_plan(const struct compare *c)
{
	unsigned int kinds = c->cfg->untraced ? 1 : 2;
	char text[40] = "as long as the load takes";

	if (c->load.blkgen && !c->load.timed)
		snprintf(text, sizeof(text), "about %.0fs",
			 kinds * 1.15 * c->cfg->rounds * c->n * c->cfg->time / 1e9);
	info("%zu devices, %llu untraced rounds%s: %s%s", c->n,
	     (unsigned long long)c->cfg->rounds, kinds > 1 ? ", as many traced rounds" : "", text,
	     kinds > 1 ? ", plus the time to attach" : "");
}

static int run_all(struct compare *c, json_object *doc)
{
	int ret, concluded;

	if (c->stacks)
		json_object_object_add(doc, "stacks", json_object_get(c->stacks_doc));
	say_plan(c);
	ret = compare_measure(c);
	reader_hold();
	concluded = compare_conclude(c, ret, doc);
	if (concluded && concluded != -ENODATA)
		return concluded;
	if (ret == -EINTR)
		return 130;
	if (ret == -ECHILD)
		return c->status;
	/*
	 * A usage error that shows only while a load runs becomes -EINVAL: with -EUSAGE,
	 * compare_run() does not write the results that exist by then.
	 */
	return ret == -EUSAGE ? -EINVAL : ret ?: concluded;
}

static int prepare(struct compare *c, struct opt_args *args)
{
	const char *const files[] = { c->cfg->json, c->cfg->output };
	int ret = report_files_differ(files, 2, NULL, 0);

	ret = ret ?: report_doc_writable(c->cfg->json) ?: report_doc_writable(c->cfg->output);
	if (!ret)
		ret = find_devices(c, args);
	if (!ret)
		ret = find_baseline(c);
	if (!ret)
		ret = compare_load_parse(c, args->rest);
	if (!ret && geteuid())
		ret = err(-EPERM, "comparing needs root: it traces and loads devices");
	if (ret)
		return ret;
	c->sigfd = child_signals(true, true, false);
	return c->sigfd < 0 ? c->sigfd : 0;
}

static int release(struct compare *c)
{
	int ret;

	compare_unpin(c);
	ret = compare_stacks_close(c);
	compare_load_free(&c->load);
	for (size_t i = 0; i < c->res.ndevs; i++) {
		json_object_put(c->res.devs[i].doc);
		result_dev_free(&c->res.devs[i]);
	}
	free(c->res.devs);
	free(c->devs);
	free(c->leaves);
	if (c->sigfd >= 0)
		close(c->sigfd);
	return ret;
}

static int write_files(const struct compare *c, json_object *doc)
{
	const char *output = c->cfg->output;
	int ret = 0, written;

	if (c->cfg->json)
		ret = report_doc_write(doc, c->cfg->json);
	if (!output || !json_object_object_get_ex(doc, "result", NULL))
		return ret;
	written = report_doc_write_plain(doc, output);
	if (!written)
		info("%s has the whole result; see it with: blklat report %s", output, output);
	return ret ?: written;
}

static int check_usage(const struct compare_cfg *cfg, const struct opt_args *args)
{
	if (cfg->stacks && args->npos)
		return usage_error("--stacks and DEV exclude each other; name the devices for the "
				   "stacks with --on");
	if (!cfg->stacks && (cfg->on.n || cfg->destroy))
		return usage_error("--on and --destroy need --stacks");
	if (report_is_stdout(cfg->output))
		return usage_error("--output needs a file, because the tables go to stdout; "
				   "for JSON on stdout use --json");
	if (!cfg->stacks && args->npos < 2)
		return usage_error("name at least two devices, as in: blklat compare dm-0 md0; "
				   "or use --stacks");
	if (cfg->untraced && cfg->plug)
		return usage_error("--plug is about the traced rounds, which --untraced leaves "
				   "out");
	if (args->npos > BLKLAT_COMPARE_MAX)
		return usage_error("at most %d devices can be compared", BLKLAT_COMPARE_MAX);
	if (args->rest && opt_seen(args, "load"))
		return usage_error("--load and a command exclude each other");
	if (args->rest && opt_seen(args, "time"))
		return usage_error("--time is about --load; a command takes as long as it takes");
	if (cfg->destroy && !cfg->on.n)
		return usage_error("--destroy needs --on, which names the devices");
	return 0;
}

static int compare_run(void *config, struct opt_args *args)
{
	struct compare c = {
		.cfg = config, .sigfd = -1, .progress = { .plain_every_ns = 10000000000ULL },
	};
	json_object *doc;
	int ret, written;

	if (c.cfg->cleanup)
		return stacks_cleanup();
	if (c.cfg->stacks && !strcmp(c.cfg->stacks, "help"))
		return compare_stacks_help();
	ret = compare_scenario_check(config, args);
	if (!ret)
		ret = check_usage(c.cfg, args);
	if (ret)
		return ret;
	doc = report_doc_new("blklat", args->argv);
	ret = prepare(&c, args);
	if (!ret)
		ret = c.cfg->scenario ? compare_scenario(&c, doc) : run_all(&c, doc);
	if (ret && ret != -EUSAGE)
		report_doc_error(doc, ret == 130 ? "interrupted" : log_last_error());
	if (ret != -EUSAGE) {
		written = write_files(&c, doc);
		ret = ret ?: written;
	}
	json_object_put(doc);
	written = release(&c);
	return ret ?: written;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.brief = "run the same load on several devices and tell which differences are real, "
		 "and where",
	.usage = "DEV DEV...|--stacks LIST [-- COMMAND...]",
	.about = "Runs the same load on each DEV in rounds, in an order that changes from round\n"
		 "to round. The first rounds are not traced: IOPS, latency and CPU time per I/O\n"
		 "come from these. Then come as many traced rounds, for the stages. Prints the\n"
		 "differences to the baseline with confidence intervals. The load only reads,\n"
		 "unless --load says otherwise. In COMMAND, {} stands for the device.",
	.examples = "# the cost of each way of stacking, on temporary devices, safe anywhere\n"
		    "blklat compare --stacks raw,lvm-linear,lvm-stripe,md-raid0,md-raid1\n"
		    "# a disk, LVM and md with common loads, on two disks that are overwritten\n"
		    "blklat compare --scenario classic --on nvme0n1,nvme1n1 \\\n"
		    "  --destroy -o classic.json\n"
		    "# the cost of each layer\n"
		    "blklat compare nvme0n1 /dev/vg/lv md0\n"
		    "# with another load\n"
		    "blklat compare sda sdb --load \"--rw randwrite --bs 64k --qd 1 --write\"\n"
		    "# with another program\n"
		    "blklat compare /dev/vg/lv md0 -- fio --name=a --filename={} \\\n"
		    "  --rw=randread --direct=1 --runtime=2 --time_based\n",
	.opts = compare_opts,
	.cfg_size = sizeof(struct compare_cfg),
	.takes_rest = true,
	.max_pos = 64,
	.run = compare_run,
};
