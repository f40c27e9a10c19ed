// SPDX-License-Identifier: GPL-2.0
/* Read back what a load with --verify has written, and report what does not match. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/target.h"
#include "blkgen/load/verify.h"
#include "blkgen/load/wait.h"
#include "blkgen/load/where.h"
#include "core/log.h"

static const struct {
	uint32_t bit;
	const char *name;
	const char *text;
} kinds[] = {
	/* If there are several kinds, a message names the first one in this order. */
	{ BLKGEN_MISMATCH_ZEROES, "zeroes", "zeroes" },
	{ BLKGEN_MISMATCH_MAGIC, "magic", "no tag" },
	{ BLKGEN_MISMATCH_CRC, "crc", "damaged data" },
	{ BLKGEN_MISMATCH_LBA, "lba", "data of another LBA" },
	{ BLKGEN_MISMATCH_SEED, "seed", "data of another seed" },
	{ BLKGEN_MISMATCH_GENERATION, "generation", "data of another generation" },
	{ BLKGEN_MISMATCH_DATA, "data", "data that does not belong to its tag" },
};

#define NKINDS	(sizeof(kinds) / sizeof(*kinds))

bool load_verifies(const struct load_target *t)
{
	return t->setup.flags & BLKGEN_SETUP_VERIFY;
}

/*
 * Set @ios[i] to the number of I/Os with which worker i reads back all that it has written: the
 * number of I/Os that it submitted, without flushes. Add the numbers to @t->verified.written.
 */
static int written(struct load_target *t, uint64_t *ios)
{
	struct blkgen_worker_info w;
	struct blkgen_result flush;
	struct hist none = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i < t->setup.workers; i++) {
		ret = kctl_worker(t->ctl, i, &w);
		if (!ret)
			ret = kctl_result(t->ctl, BLKGEN_WHAT_LATENCY, i, BLKGEN_OP_FLUSH, &flush,
					  &none);
		if (ret)
			return err(ret, "%s: cannot read the result of job %u: %s", t->on->dev.name,
				   i, strerror(-ret));
		ios[i] = w.submitted - flush.ios - flush.errors;
		t->verified.written += ios[i];
	}
	return 0;
}

/*
 * Set up @check to read back what @t has written. It has a session of its own, because the results
 * in the session of @t are still needed.
 */
static int prepare_check(const struct load *l, struct load_target *t, struct load_target *check)
{
	const struct blkgen_setup *was = &t->setup;
	struct blkgen_setup *s = &check->setup;
	uint64_t *ios;
	int ret;

	*check = (struct load_target) {
		.on = t->on, .cfg = &check->own, .own = *t->cfg, .label = t->label, .setup = *was,
	};
	/* Read the same blocks in the same order, as fast as possible, until all are read. */
	memset(s->mix, 0, sizeof(s->mix));
	s->mix[BLKGEN_OP_READ] = 1;
	s->flags &= ~(BLKGEN_SETUP_FUA | BLKGEN_SETUP_RATE_BYTES);
	s->flush_every = 0;
	s->rate = s->arrival = s->burst = s->think_ns = s->ramp_ns = 0;
	s->ios = s->bytes = s->passes = s->time_ns = 0;
	check->own.set.time_ns = 0;
	check->ctl = kctl_open();
	if (check->ctl < 0)
		return check->ctl;
	ios = calloc(s->workers, sizeof(*ios));
	if (!ios)
		return err(-ENOMEM, "out of memory");
	ret = written(t, ios);
	s->worker_ios = (uintptr_t)ios;
	if (!ret)
		ret = load_where_fill(t->cfg, &t->on->dev, s);
	if (!ret) {
		ret = kctl_setup(check->ctl, s);
		if (ret)
			err(ret, "%s: cannot read back what was written: %s", t->on->dev.name,
			    strerror(-ret));
	}
	load_where_done(s);
	free(ios);
	return ret;
}

static void say_tag(char *buf, size_t len, const struct blkgen_tag *tag)
{
	snprintf(buf, len, "LBA %llu, generation %u, seed %llu, CRC %08x",
		 (unsigned long long)tag->lba, tag->generation, (unsigned long long)tag->seed,
		 tag->crc);
}

static void say_mismatch(const struct load_target *t, const struct blkgen_mismatch *m)
{
	const char *what = "wrong data";
	char expected[100], found[100] = "no tag";
	size_t k;

	for (k = 0; k < NKINDS; k++) {
		if (!(m->kinds & kinds[k].bit))
			continue;
		what = kinds[k].text;
		break;
	}
	say_tag(expected, sizeof(expected), &m->expected);
	if (m->kinds & BLKGEN_MISMATCH_ZEROES)
		strcpy(found, "zeroes");
	else if (!(m->kinds & BLKGEN_MISMATCH_MAGIC))
		say_tag(found, sizeof(found), &m->found);
	warn("%s: LBA %llu: %s%s: expected %s; found %s", t->on->dev.name,
	     (unsigned long long)m->sector, what,
	     m->sectors > 1 ? " (and more in the same block)" : "", expected, found);
}

static void say(const struct load *l, const struct load_target *t)
{
	const struct load_verified *v = &t->verified;
	unsigned int i;

	for (i = 0; i < BLKGEN_NR_MISMATCHES && i < v->wrong.total; i++)
		say_mismatch(t, &v->wrong.first[i]);
	if (v->wrong.total)
		warn("%s: %llu of %" PRIu64 " reads returned wrong data, in %llu sectors; %s",
		     t->on->dev.name, (unsigned long long)v->wrong.total, v->reads,
		     (unsigned long long)v->wrong.sectors,
		     v->wrong.total > BLKGEN_NR_MISMATCHES ? "the first ones are listed above" :
		     "all are listed above");
	if (v->wrong.total && v->written && t->status.errors)
		warn("%s: %llu writes failed, and their blocks were checked too",
		     t->on->dev.name, (unsigned long long)t->status.errors);
	if (v->unchecked)
		warn("%s: %s: %" PRIu64 " of %" PRIu64 " writes were not read back",
		     t->on->dev.name, l->interrupted_ns ? "interrupted" :
		     l->hung ? "some I/Os do not complete" : "the reads failed",
		     v->unchecked, v->written);
}

/* Read how many reads of a target did not match or failed. */
static int read_found(struct load_target *t)
{
	struct load_verified *v = &t->verified;
	int ret = kctl_mismatch(t->ctl, &v->wrong);

	if (ret)
		return err(ret, "%s: cannot read the list of mismatches: %s", t->on->dev.name,
			   strerror(-ret));
	v->reads = t->status.ios[BLKGEN_OP_READ] + v->wrong.total;
	v->failed = t->status.errors;
	return 0;
}

/* Call read_found() for all targets that only read. */
static int read_all_found(struct load *l)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < l->ntargets && !ret; i++)
		if (load_verifies(&l->targets[i]) && !l->targets[i].setup.mix[BLKGEN_OP_WRITE])
			ret = read_found(&l->targets[i]);
	return ret;
}

static bool is_read_back(const struct load_target *t)
{
	return load_verifies(t) && t->setup.mix[BLKGEN_OP_WRITE];
}

/* Take the result of reading back the writes of @t; @check is NULL if that was not prepared. */
static void take_verified(struct load_target *t, const struct load_target *check)
{
	struct load_verified *v = &t->verified;
	/* If prepare_check() failed early, only the number of completed writes is known. */
	uint64_t was = v->written ?: t->status.ios[BLKGEN_OP_WRITE];

	if (check)
		*v = check->verified;
	v->written = was;
	v->unchecked = was - v->reads;
}

/* Read back what the targets have written, with a load of its own. */
static int read_back(struct load *l)
{
	struct load_cfg cfg = *l->cfg;
	struct load back = *l;
	size_t i, n = 0;
	int ret = 0;

	back.targets = calloc(l->ntargets, sizeof(*back.targets));
	if (!back.targets)
		return err(-ENOMEM, "out of memory");
	/* The intervals of reading back are not reported. */
	cfg.interval = 0;
	cfg.csv = cfg.log = NULL;
	back.cfg = &cfg;
	back.intervals = NULL;
	back.doc = NULL;
	/* With no devices here, the NVMe counters stay as they were after the load. */
	back.ndevs = 0;
	back.ntargets = 0;
	for (i = 0; i < l->ntargets && !ret; i++)
		if (is_read_back(&l->targets[i]))
			ret = prepare_check(l, &l->targets[i], &back.targets[back.ntargets++]);
	/* If reading back cannot begin, still report the load: no write was read back. */
	if (ret)
		ret = 0;
	else if (back.ntargets && !l->interrupted_ns && !l->hung) {
		info("reading back what was written");
		ret = load_start(&back);
		ret = ret ? ret : load_wait(&back, 0);
		ret = ret ? ret : read_all_found(&back);
	}
	for (i = 0; i < l->ntargets; i++)
		if (is_read_back(&l->targets[i]))
			take_verified(&l->targets[i],
				      n < back.ntargets ? &back.targets[n++] : NULL);
	/* After a second signal, this leaves I/Os in flight to a child process and sets hung. */
	load_release(&back);
	l->signals = back.signals;
	l->interrupted_ns = back.interrupted_ns;
	l->hung = back.hung;
	l->errors = back.errors;
	load_intervals_end(&back);
	free(back.targets);
	return ret;
}

int load_verify(struct load *l)
{
	bool writes = false;
	size_t i;
	int ret = read_all_found(l);

	for (i = 0; i < l->ntargets; i++)
		writes |= is_read_back(&l->targets[i]);
	if (writes && !ret)
		ret = read_back(l);
	for (i = 0; i < l->ntargets && !ret; i++) {
		if (!load_verifies(&l->targets[i]))
			continue;
		say(l, &l->targets[i]);
		l->errors += l->targets[i].verified.wrong.total + l->targets[i].verified.unchecked;
	}
	return ret;
}

/*
 * Members of the JSON object "tag":
 * @lba: integer: Sector that the tag was written for.
 * @generation: integer: ``--generation`` of the run that wrote it.
 * @seed: integer: ``--seed`` of that run.
 * @crc: integer: CRC32C of the bytes 8 to 511 of the sector.
 */
static json_object *tag_json(const struct blkgen_tag *tag)
{
	json_object *o = json_object_new_object();

	json_u64(o, "lba", tag->lba);
	json_u64(o, "generation", tag->generation);
	json_u64(o, "seed", tag->seed);
	json_u64(o, "crc", tag->crc);
	return o;
}

/*
 * Members of the JSON object "mismatch":
 * @lba: integer: The first wrong sector, in units of 512 bytes from the start of the device.
 * @sectors: integer: Wrong sectors in the read.
 * @job: integer: Number of the job that read it.
 * @kinds: array of string: Errors of the first wrong sector: ``zeroes`` (only zeroes), ``magic``
 *	(no tag), ``crc`` (damaged), ``lba`` (written for another sector), ``seed`` or
 *	``generation`` (written by another run), ``data`` (the data does not belong to its tag).
 * @expected: tag: The tag that the sector should have.
 * @found: tag: The tag that the sector has; without meaning if ``kinds`` has ``magic``.
 */
static json_object *mismatch_json(const struct blkgen_mismatch *m)
{
	json_object *o = json_object_new_object(), *names = json_object_new_array();
	size_t k;

	json_u64(o, "lba", m->sector);
	json_u64(o, "sectors", m->sectors);
	json_u64(o, "job", m->worker);
	for (k = 0; k < NKINDS; k++)
		if (m->kinds & kinds[k].bit)
			json_object_array_add(names, json_object_new_string(kinds[k].name));
	json_object_object_add(o, "kinds", names);
	json_object_object_add(o, "expected", tag_json(&m->expected));
	json_object_object_add(o, "found", tag_json(&m->found));
	return o;
}

/*
 * Members of the JSON object "verify":
 * @reads: integer: Reads whose data was checked.
 * @failed: integer: Reads that failed.
 * @unchecked: integer: Writes that were not read back, because the reads failed or did not
 *	complete, or because the load was interrupted.
 * @mismatches: integer: Reads that returned wrong data. A load that reads counts them neither in
 *	``ios`` nor in ``errors``.
 * @sectors: integer: Sectors of 512 bytes with wrong data.
 * @first[]: mismatch: The first 16 reads with wrong data.
 */
json_object *load_verify_json(const struct load_target *t)
{
	json_object *o = json_object_new_object(), *first = json_object_new_array();
	const struct load_verified *v = &t->verified;
	unsigned int i;

	json_u64(o, "reads", v->reads);
	json_u64(o, "failed", v->failed);
	json_u64(o, "unchecked", v->unchecked);
	json_u64(o, "mismatches", v->wrong.total);
	json_u64(o, "sectors", v->wrong.sectors);
	for (i = 0; i < BLKGEN_NR_MISMATCHES && i < v->wrong.total; i++)
		json_object_array_add(first, mismatch_json(&v->wrong.first[i]));
	json_object_object_add(o, "first", first);
	return o;
}

static void print_target(const struct load_target *t, FILE *f)
{
	const struct load_verified *v = &t->verified;

	fprintf(f, "%s: %" PRIu64 " reads checked, %llu with wrong data", t->on->dev.name, v->reads,
		(unsigned long long)v->wrong.total);
	if (v->failed)
		fprintf(f, ", %" PRIu64 " failed", v->failed);
	if (v->unchecked)
		fprintf(f, ", %" PRIu64 " writes not read back", v->unchecked);
	fputc('\n', f);
}

void load_verify_print(const struct load *l, FILE *f)
{
	size_t i;

	for (i = 0; i < l->ntargets; i++)
		if (load_verifies(&l->targets[i]))
			print_target(&l->targets[i], f);
}
