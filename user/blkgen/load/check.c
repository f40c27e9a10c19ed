// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/check.h"
#include "blkgen/load/engine.h"
#include "blkgen/load/errors.h"
#include "blkgen/load/per.h"
#include "blkgen/load/where.h"
#include "core/log.h"
#include "core/units.h"

/* Refuse rates that would overflow the module's arithmetic of times. */
static int check_rate(const struct load_cfg *c)
{
	double rate = c->rate & ~RATE_BYTES, each = c->set.burst * (double)c->set.workers;
	char text[FMT_LEN];

	if (rate > 0x1p40)
		return usage_error("--rate is at most %llu", 1ull << 40);
	if (c->rate & RATE_BYTES)
		each *= c->sizes.max;
	if (c->rate & RATE_BYTES)
		fmt_bw(text, sizeof(text), rate);
	else
		snprintf(text, sizeof(text), "%.0f", rate);
	/* The module computes with ns * bytes of a burst, or with ns * I/Os. */
	if (c->set.burst > 1 && each * 1e9 + rate >= 0x1p64)
		return usage_error("--burst is too large: the bursts of all jobs are at most 18.4 "
				   "%s together", c->rate & RATE_BYTES ? "GB" : "billion I/Os");
	if (rate > 0 && each * 1e9 / rate > BLKGEN_MAX_WAIT)
		return usage_error("--rate %s is too slow: a job would wait %.0f s between two %s; "
				   "the longest wait is 274 s", text, each / rate,
				   c->set.burst > 1 ? "bursts" : "I/Os");
	return 0;
}

static int check_verify(const struct load_cfg *c)
{
	if (!(c->set.flags & BLKGEN_SETUP_VERIFY))
		return c->set.generation == 1 ? 0 :
			usage_error("--generation needs --verify, whose data it marks");
	if (load_has_op(c, BLKGEN_OP_TRIM) || load_has_op(c, BLKGEN_OP_ZEROES))
		return usage_error("--verify checks data, and --rw %s sends none",
				   load_rw_names[c->rw]);
	if (load_has_op(c, BLKGEN_OP_READ) && load_has_op(c, BLKGEN_OP_WRITE))
		return usage_error("--verify cannot check reads of blocks that are not written "
				   "yet: instead of --rw %s, run a load that writes first, then "
				   "one that reads", load_rw_names[c->rw]);
	if (c->target_latency)
		return usage_error("--verify and --target-latency exclude each other");
	if (c->set.ramp_ns)
		return usage_error("--verify checks all I/Os, so it cannot be used with --ramp");
	return 0;
}

static int check_data(const struct load_cfg *c, const char *dev)
{
	if (!dev && c->set.flags & BLKGEN_SETUP_VERIFY)
		return usage_error("--verify needs a DEV: the temporary device keeps no data");
	if (dev && load_changes(c) && !c->write)
		return usage_error("--rw %s destroys the data on %s; give --write if you want that",
				   load_rw_names[c->rw], dev);
	return 0;
}

int load_check_options(const struct load_cfg *c, const char *dev)
{
	__u64 in_all;
	__u32 in_a_row;
	int ret;

	if (load_stdout_files(c) > 1)
		return usage_error("only one of --json, --csv and --log can go to stdout");
	if (c->interval && c->interval < 10000000)
		return usage_error("--interval must be at least 10ms");
	if (c->per & 1u << LOAD_PER_STREAM && !c->set.streams)
		return usage_error("--per stream needs --streams");
	if ((c->set.flags & BLKGEN_SETUP_FUA) && !load_has_op(c, BLKGEN_OP_WRITE))
		return usage_error("--fua needs writes, and --rw %s has none",
				   load_rw_names[c->rw]);
	if (c->set.flush_every && !load_changes(c))
		return usage_error("--flush needs writes, trims or zeroes, and --rw %s has none",
				   load_rw_names[c->rw]);
	if (c->rate && c->set.think_ns)
		return usage_error("--rate sets when I/Os are due, so it cannot be used with "
				   "--think");
	if (!(c->rate & ~RATE_BYTES) && (c->set.arrival || c->set.burst > 1))
		return usage_error("--%s needs --rate, which sets when I/Os are due",
				   c->set.arrival ? "arrival" : "burst");
	ret = check_rate(c);
	ret = ret ? ret : load_errors_parse(c->on_errors, &in_a_row, &in_all);
	ret = ret ? ret : load_where_check(c);
	ret = ret ? ret : check_verify(c);
	ret = ret ? ret : load_check_engine(c);
	return ret ? ret : check_data(c, dev);
}

int load_check_limits(const struct load_cfg *c, const struct blkgen_features *feat)
{
	if (c->sizes.max > feat->max_bs)
		return usage_error("--bs is at most %u", feat->max_bs);
	if (c->set.qd > feat->max_qd)
		return usage_error("--qd is at most %u", feat->max_qd);
	if (c->set.workers > feat->max_workers)
		return usage_error("--jobs is at most %u", feat->max_workers);
	if (c->set.batch > BLKGEN_MAX_BATCH)
		return usage_error("--batch is at most %u", BLKGEN_MAX_BATCH);
	if (c->set.ios && c->set.ios < c->set.workers)
		return usage_error("--ios is below --jobs: some jobs would have nothing to do");
	return 0;
}

static uint64_t queue_limit(const struct device *d, const char *name)
{
	char queue[600];

	snprintf(queue, sizeof(queue), "%s/queue", d->disk_sys);
	return sys_num(queue, name);
}

/* The module checks this too, but returns only an errno. Messages here name the wrong option. */
int load_check_range(const struct load_cfg *c, const struct device *d)
{
	uint64_t size = load_length(c, d);
	unsigned int lbs = d->logical_bs ? d->logical_bs : 512;
	char text[FMT_LEN];
	int ret;

	if (!d->size)
		return err(-ENXIO, "%s: has no size (no medium)", d->name);
	if (c->sizes.max % lbs || c->set.offset % lbs || c->set.length % lbs || c->set.align % lbs)
		return err(-EINVAL, "%s: --%s is not a multiple of its logical block size, %u",
			   d->name, c->sizes.max % lbs ? "bs" : c->set.offset % lbs ? "offset" :
			   c->set.length % lbs ? "size" : "align", lbs);
	if (c->set.offset >= d->size || size > d->size - c->set.offset)
		return err(-ENXIO, "%s: --offset and --size go past its end at %llu (%s)", d->name,
			   (unsigned long long)d->size, fmt_size(text, sizeof(text), d->size));
	if (load_has_op(c, BLKGEN_OP_TRIM) && !queue_limit(d, "discard_max_bytes"))
		return err(-EOPNOTSUPP, "%s: cannot discard, which --rw %s needs", d->name,
			   load_rw_names[c->rw]);
	if (load_has_op(c, BLKGEN_OP_ZEROES) && !queue_limit(d, "write_zeroes_max_bytes"))
		return err(-EOPNOTSUPP, "%s: cannot write zeroes by itself, which --rw %s needs",
			   d->name, load_rw_names[c->rw]);
	ret = load_where_check_range(c, d, size, lbs);
	return ret ? ret : load_check_engine_device(c, d);
}
