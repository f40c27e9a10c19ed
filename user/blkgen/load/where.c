// SPDX-License-Identifier: GPL-2.0
/* Check and set where I/Os go and how large they are. */
#include <errno.h>
#include <stdlib.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/where.h"
#include "core/log.h"
#include "core/units.h"
#include "output/json.h"

static bool draws(const struct load_cfg *c)
{
	return c->dist.kind != DIST_ONCE;
}

static bool has_streams(const struct load_cfg *c)
{
	return c->set.streams || c->set.zone_size || c->set.zone_skip || c->set.zone_range;
}

static uint64_t align_of(const struct load_cfg *c)
{
	return c->set.align ? c->set.align : c->sizes.min;
}

uint64_t load_length(const struct load_cfg *c, const struct device *d)
{
	if (c->set.length)
		return c->set.length;
	return d->size > c->set.offset ? d->size - c->set.offset : 0;
}

static int check_streams(const struct load_cfg *c)
{
	const char *opt = c->set.streams ? "streams" : c->set.zone_size ? "zone-size" :
			  c->set.zone_skip ? "zone-skip" : "zone-range";
	uint64_t align = align_of(c);

	if (!has_streams(c))
		return 0;
	if (load_random(c))
		return usage_error("--%s needs sequential I/O, and --rw %s is random", opt,
				   load_rw_names[c->rw]);
	if (c->set.streams && c->set.streams < c->set.workers)
		return usage_error("--streams is below --jobs: some jobs would have nothing to do");
	if (c->set.zone_skip && !c->set.zone_size)
		return usage_error("--zone-skip needs --zone-size, after which a stream skips");
	if (c->set.zone_size && c->set.zone_size < c->sizes.max)
		return usage_error("--zone-size is below --bs; a zone holds at least one I/O");
	if (c->set.zone_range && c->set.zone_range < c->sizes.max)
		return usage_error("--zone-range is below --bs; a zone holds at least one I/O");
	if ((c->set.zone_size + c->set.zone_skip) % align || c->set.zone_range % align)
		return usage_error("--%s must be a multiple of %s, because I/Os begin at multiples "
				   "of it", c->set.zone_range % align ? "zone-range" :
				   c->set.zone_skip ? "zone-size plus --zone-skip" : "zone-size",
				   c->set.align ? "--align" : "--bs");
	return 0;
}

static int check_apart(const struct load_cfg *c)
{
	if (!(c->set.flags & BLKGEN_SETUP_APART))
		return 0;
	if (load_random(c) || !load_has_op(c, BLKGEN_OP_READ) || !load_changes(c))
		return usage_error("--apart needs --rw rw with both reads and writes");
	if (has_streams(c) || io_sizes_differ(&c->sizes) ||
	    (c->set.align && c->set.align != c->sizes.max))
		return usage_error("--apart needs a single I/O size, no --align that differs from "
				   "it, and no streams or zones");
	return 0;
}

int load_where_check(const struct load_cfg *c)
{
	uint64_t odd = io_sizes_odd(&c->sizes, c->set.align);
	char text[FMT_LEN];

	if (odd)
		return usage_error("--bs %s: %s is not a multiple of %s, by which the sizes grow",
				   c->sizes.text, fmt_size(text, sizeof(text), odd),
				   c->set.align && c->set.align < c->sizes.min ? "--align" :
				   "the smallest size");
	if (draws(c) && !load_random(c))
		return usage_error("--dist needs random I/O, and --rw %s is sequential",
				   load_rw_names[c->rw]);
	if (draws(c) && c->set.passes)
		return usage_error("--pass needs --dist once: the other distributions have no "
				   "passes");
	if (check_apart(c))
		return -EUSAGE;
	return check_streams(c);
}

/* Count the offsets at which an I/O may begin in @size bytes: the largest I/O must fit there. */
static uint64_t places(const struct load_cfg *c, uint64_t size)
{
	return (size - c->sizes.max) / align_of(c) + 1;
}

int load_where_check_range(const struct load_cfg *c, const struct device *d, uint64_t size,
			   unsigned int lbs)
{
	uint64_t n = c->set.streams ? c->set.streams : c->set.workers;
	const struct io_sizes *s = &c->sizes;
	unsigned int i;

	/*
	 * The largest size was checked as --bs. Sizes within a range need no check of their own:
	 * they differ by --align or by the smallest size.
	 */
	for (i = 0; i < s->nsplit; i++)
		if ((uint64_t)s->split[i].value % lbs)
			return err(-EINVAL, "%s: --bssplit has a size that is not a multiple of "
				   "its logical block size, %u", d->name, lbs);
	if (s->min % lbs)
		return err(-EINVAL, "%s: --bs is not a multiple of its logical block size, %u",
			   d->name, lbs);
	if (c->set.zone_size % lbs || c->set.zone_skip % lbs || c->set.zone_range % lbs)
		return err(-EINVAL, "%s: --%s is not a multiple of its logical block size, %u",
			   d->name, c->set.zone_size % lbs ? "zone-size" :
			   c->set.zone_skip % lbs ? "zone-skip" : "zone-range", lbs);
	if (size < c->sizes.max || places(c, size) < c->set.workers)
		return err(-ENOSPC, "%s: %llu bytes have fewer blocks of --bs than --jobs; each "
			   "job needs one", d->name, (unsigned long long)size);
	if (!has_streams(c))
		return 0;
	if (c->set.zone_range ? n > 1 && c->set.zone_range > (size - c->sizes.max) / (n - 1) :
	    size / n / align_of(c) * align_of(c) < c->sizes.max)
		return err(-ENOSPC, "%s: %llu bytes have no room for %llu streams%s", d->name,
			   (unsigned long long)size, (unsigned long long)n,
			   c->set.zone_range ? " at a distance of --zone-range" : "");
	return 0;
}

static int fill_zones(const struct load_cfg *c, const struct device *d, struct blkgen_setup *s)
{
	unsigned int empty = 0;
	struct blkgen_zone *z;
	int n;

	z = calloc(DIST_MAX_ZONES, sizeof(*z));
	if (!z)
		return err(-ENOMEM, "out of memory");
	s->zones = (uintptr_t)z;
	n = dist_zones(&c->dist, places(c, load_length(c, d)), z, &empty);
	if (n < 0)
		return err(n, "%s: part %u of --dist %s is too small: no I/O begins in it", d->name,
			   empty + 1, c->dist.text);
	s->nr_zones = n;
	s->pattern = BLKGEN_PATTERN_DRAW;
	if (dist_scatters(&c->dist))
		s->flags |= BLKGEN_SETUP_SCATTER;
	return 0;
}

int load_where_fill(const struct load_cfg *c, const struct device *d, struct blkgen_setup *s)
{
	struct blkgen_size *sizes;

	s->pattern = load_random(c) ? BLKGEN_PATTERN_RANDOM : BLKGEN_PATTERN_SEQ;
	s->align = io_sizes_differ(&c->sizes) ? align_of(c) : c->set.align;
	if (has_streams(c)) {
		s->pattern = BLKGEN_PATTERN_STREAMS;
		s->streams = c->set.streams ? c->set.streams : c->set.workers;
	}
	if (io_sizes_differ(&c->sizes)) {
		sizes = calloc(BLKGEN_MAX_TABLE, sizeof(*sizes));
		if (!sizes)
			return err(-ENOMEM, "out of memory");
		s->sizes = (uintptr_t)sizes;
		s->nr_sizes = io_sizes_table(&c->sizes, c->set.align, sizes);
	}
	return draws(c) ? fill_zones(c, d, s) : 0;
}

void load_where_done(struct blkgen_setup *s)
{
	free((void *)(uintptr_t)s->sizes);
	free((void *)(uintptr_t)s->zones);
	s->sizes = s->zones = 0;
	s->nr_sizes = s->nr_zones = 0;
}

void load_where_json(json_object *o, const struct load_cfg *c)
{
	json_u64(o, "bs", c->sizes.max);
	json_u64(o, "bs_min", c->sizes.min);
	if (c->sizes.nsplit)
		json_str(o, "bssplit", c->sizes.text);
	json_u64(o, "align", align_of(c));
	json_str(o, "dist", c->dist.text);
}

void load_where_print(const struct load_cfg *c, FILE *f)
{
	char a[FMT_LEN], b[FMT_LEN];

	if (c->sizes.nsplit)
		fprintf(f, " %s", c->sizes.text);
	else if (io_sizes_differ(&c->sizes))
		fprintf(f, " %s to %s", fmt_size(a, sizeof(a), c->sizes.min),
			fmt_size(b, sizeof(b), c->sizes.max));
	else
		fprintf(f, " %s", fmt_size(a, sizeof(a), c->sizes.max));
	if (c->set.align && c->set.align != c->sizes.min)
		fprintf(f, " at multiples of %s", fmt_size(a, sizeof(a), c->set.align));
	if (draws(c))
		fprintf(f, ", %s", c->dist.text);
	if (c->set.streams)
		fprintf(f, ", %u streams", c->set.streams);
	if (c->set.zone_size)
		fprintf(f, ", skip %s after %s", fmt_size(a, sizeof(a), c->set.zone_skip),
			fmt_size(b, sizeof(b), c->set.zone_size));
}
