// SPDX-License-Identifier: GPL-2.0
/*
 * Read the arrays that a setup points to, and make tables to draw from them.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "job.h"

/* Copy an array of the caller to memory that kvfree() frees */
static void *read_array(u64 ptr, size_t nr, size_t size)
{
	return vmemdup_user(u64_to_user_ptr(ptr), array_size(nr, size));
}

/* Make a table that draws one of @nr entries by weight */
static int make_alias(struct blkgen_alias *alias, const u32 *weight, u32 nr)
{
	struct blkgen_alias_work *work;
	int err;

	alias->column = kvmalloc_array(nr, sizeof(*alias->column), GFP_KERNEL_ACCOUNT);
	work = kvmalloc_array(nr, sizeof(*work), GFP_KERNEL);
	err = alias->column && work ? blkgen_alias_init(alias, weight, nr, work) : -ENOMEM;
	kvfree(work);

	return err;
}

static int read_sizes(struct blkgen_job *job, u32 lbs)
{
	const struct blkgen_setup *set = &job->par.set;
	u32 i, nr = set->nr_sizes, *weight;
	struct blkgen_size *size;
	int err = -EINVAL;

	if (!nr)
		return 0;
	size = read_array(set->sizes, nr, sizeof(*size));
	if (IS_ERR(size))
		return PTR_ERR(size);
	weight = kvmalloc_array(nr, sizeof(*weight), GFP_KERNEL);
	job->sizes.bytes = kvmalloc_array(nr, sizeof(*job->sizes.bytes), GFP_KERNEL_ACCOUNT);
	if (!weight || !job->sizes.bytes) {
		err = -ENOMEM;
		goto out;
	}
	for (i = 0; i < nr; i++) {
		if (!size[i].bytes || size[i].bytes > set->bs || size[i].bytes & (lbs - 1))
			goto out;
		weight[i] = size[i].weight;
		job->sizes.bytes[i] = size[i].bytes;
	}
	err = make_alias(&job->sizes.alias, weight, nr);
	if (!err)
		job->par.sizes = &job->sizes;
out:
	kvfree(weight);
	kvfree(size);

	return err;
}

static int read_zones(struct blkgen_job *job)
{
	const struct blkgen_setup *set = &job->par.set;
	u64 places = job->par.layout.nr_places;
	u32 i, nr = set->nr_zones, *weight;
	struct blkgen_zone *zone;
	int err = 0;

	if (!nr)
		return 0;
	zone = read_array(set->zones, nr, sizeof(*zone));
	if (IS_ERR(zone))
		return PTR_ERR(zone);
	job->zones = zone;
	weight = kvmalloc_array(nr, sizeof(*weight), GFP_KERNEL);
	if (!weight)
		return -ENOMEM;
	for (i = 0; i < nr && !err; i++) {
		weight[i] = zone[i].weight;
		if (zone[i].reserved)
			err = -EINVAL;
		else if (!zone[i].count || zone[i].first >= places ||
			 zone[i].count > places - zone[i].first)
			err = -ERANGE;
	}
	err = err ?: make_alias(&job->draw.alias, weight, nr);
	kvfree(weight);
	job->draw.zone = zone;
	job->draw.scatter = set->flags & BLKGEN_SETUP_SCATTER;
	blkgen_perm_init(&job->draw.perm, places, blkgen_hash(set->seed));
	job->par.layout.draw = &job->draw;

	return err;
}

static int read_cpus(struct blkgen_job *job)
{
	const struct blkgen_setup *set = &job->par.set;
	u32 i;
	s32 *cpu;

	if (!set->cpus)
		return 0;
	cpu = read_array(set->cpus, set->workers, sizeof(*cpu));
	if (IS_ERR(cpu))
		return PTR_ERR(cpu);
	job->cpu = cpu;
	for (i = 0; i < set->workers; i++) {
		if (cpu[i] < -1 || cpu[i] >= (s32)nr_cpu_ids ||
		    (cpu[i] >= 0 && !cpu_online(cpu[i])))
			return -EINVAL;
	}

	return 0;
}

/**
 * blkgen_tables_read() - read the arrays that the caller's setup points to
 * @job: job whose par.set and par.layout are set
 * @lbs: logical block size of the device, bytes
 *
 * The arrays that were read stay with the job, also if an error is returned.
 *
 * Context: process, sleeps
 * Return: 0 or an errno that struct blkgen_setup documents
 */
int blkgen_tables_read(struct blkgen_job *job, u32 lbs)
{
	const struct blkgen_setup *set = &job->par.set;
	u64 *ios;
	int err;

	if (set->worker_ios) {
		ios = read_array(set->worker_ios, set->workers, sizeof(*ios));
		if (IS_ERR(ios))
			return PTR_ERR(ios);
		job->worker_ios = ios;
	}
	err = read_cpus(job);
	err = err ?: read_sizes(job, lbs);

	return err ?: read_zones(job);
}

/**
 * blkgen_tables_free() - free the arrays and tables of blkgen_tables_read()
 * @job: job whose workers are gone
 */
void blkgen_tables_free(struct blkgen_job *job)
{
	kvfree(job->sizes.alias.column);
	kvfree(job->sizes.bytes);
	kvfree(job->draw.alias.column);
	kvfree(job->zones);
	kvfree(job->worker_ios);
	kvfree(job->cpu);
}
