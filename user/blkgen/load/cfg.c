// SPDX-License-Identifier: GPL-2.0
/* Name the values of a load's options, and find out what load the options make. */
#include <string.h>
#include "blkgen/load/cfg.h"
#include "report/report.h"

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
	return c->engine == BLKGEN_ENGINE_SYNC || c->engine == BLKGEN_ENGINE_BUFFERED;
}

void load_defaults(struct load_cfg *c, bool time, bool qd)
{
	if (load_single(c) && !qd)
		c->qd = 1;
	if ((c->ios || c->bytes || c->pass) && !time)
		c->time = 0;
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
