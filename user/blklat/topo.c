// SPDX-License-Identifier: GPL-2.0
/* blklat topo: show what a device is made of, layer by layer, or what is made of it. */
#include <stdlib.h>
#include <string.h>
#include "blklat/cmds.h"
#include "core/reader.h"
#include "core/rights.h"
#include "device/topo.h"
#include "blklat/result/topo_tree.h"
#include "output/document.h"
#include "output/file.h"
#include "output/json.h"

struct topo_cfg {
	struct common_cfg common;
	const char *json;
	bool up;
};

static const struct opt topo_opts[] = {
	{ "up", 'u', OPT_FLAG, OPT_AT(struct topo_cfg, up),
	  .help = "show the devices above DEV, of which it is a part, instead of those below it" },
	{ "json", 0, OPT_OUTPUT, OPT_AT(struct topo_cfg, json), NULL, "FILE",
	  "write the result as JSON; without FILE to stdout, in place of the tree" },
	OPT_COMMON(struct topo_cfg)
};

/*
 * Members of the JSON document "blklat topo":
 * @direction: string, optional: Direction of the tree: ``below``, or ``above`` with ``--up``.
 * @roots: array of string, optional: The devices that were named. If none was named, all devices
 *	that no other device is made of.
 * @devices[]: topology, optional: The roots and all devices that are reached from them, each device
 *	once. The list is flat, because a device may be a part of several devices. A device comes
 *	before all devices that it is made of.
 */
static int show(const struct topo_cfg *cfg, const struct device *devs, size_t n, json_object *doc)
{
	enum topo_dir dir = cfg->up ? TOPO_ABOVE : TOPO_BELOW;
	struct topo t;
	int ret;

	ret = topo_build(devs, n, dir, &t);
	if (ret)
		goto out;
	/* The tables of dm devices were read, which needs CAP_SYS_ADMIN. */
	rights_for_files();
	json_str(doc, "direction", cfg->up ? "above" : "below");
	json_object_object_add(doc, "roots", names_json(devs, n));
	json_object_object_add(doc, "devices", stack_json(&t));
	if (!report_is_stdout(cfg->json))
		ret = reader_print_error(stack_print(&t, devs, n, dir, stdout));
out:
	topo_free(&t);
	return ret;
}

static int topo_run(void *config, struct opt_args *args)
{
	const struct topo_cfg *cfg = config;
	struct device *devs = NULL;
	json_object *doc;
	size_t n = args->npos;
	int ret;

	if (cfg->up && !args->npos)
		return usage_error("name the device to look up from, as in: blklat topo --up sda");
	reader_hold();
	doc = report_doc_new("blklat", args->argv);
	ret = n ? device_resolve_all(args->pos, n, &devs) : topo_tops(&devs, &n);
	if (!ret)
		ret = show(cfg, devs, n, doc);
	free(devs);
	return report_doc_end(doc, cfg->json, ret);
}

const struct cmd cmd_topo = {
	.name = "topo",
	.brief = "show the layers a device is made of: partitions, dm, md, multipath, disks",
	.usage = "[DEV...]",
	.about = "Prints a tree of the devices that DEV is made of, with details of each layer\n"
		 "and the role of each device in the layer above it. Without DEV, prints a tree\n"
		 "for each device on top, which is no part of another device.\n"
		 "Only root may read the tables of dm devices; everything else works without root.",
	.examples = "# all devices\n"
		    "blklat topo\n"
		    "# below a logical volume\n"
		    "blklat topo /dev/mapper/vg-data\n"
		    "# the devices that are lost if this disk is lost\n"
		    "blklat topo --up sdb\n",
	.opts = topo_opts,
	.cfg_size = sizeof(struct topo_cfg),
	.max_pos = 1024,
	.run = topo_run,
};
