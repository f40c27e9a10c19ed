// SPDX-License-Identifier: GPL-2.0
/* blkgen load: run a load and report what it did. */
#include <errno.h>
#include "cmd/blkgen_cmds.h"
#include "core/log.h"

struct load_cfg {
	struct common_cfg common;
	uint64_t qd;
};

static const struct opt load_opts[] = {
	{ "qd", 0, OPT_COUNT, offsetof(struct load_cfg, qd), "1", "N", "I/Os in flight per job",
	  .min = 1 },
	OPT_COMMON(struct load_cfg)
};

static int load_run(void *cfg, struct opt_args *args)
{
	return err(-ENOSYS, "not there yet");
}

const struct cmd cmd_load = {
	.name = "load",
	.brief = "load block devices and measure the latency",
	.usage = "[DEV...]",
	.opts = load_opts,
	.cfg_size = sizeof(struct load_cfg),
	.max_pos = 64,
	.run = load_run,
};
