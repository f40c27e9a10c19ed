// SPDX-License-Identifier: GPL-2.0
/*
 * Tag the data of writes and check the data of reads: see tag.h. All but blkgen_verify_report()
 * runs in the worker's thread.
 */
#include <linux/bio.h>
#include <linux/mm.h>
#include "tag.h"
#include "verify.h"
#include "worker.h"

/* Loop over the sectors of a slot's data. @lba is the sector number of @s. */
#define for_each_sector(slot, i, off, s, lba)						\
	for ((i) = 0, (off) = 0, (lba) = (slot)->sector;				\
	     ((s) = slot_sector(slot, &(i), &(off), lba));				\
	     (off) += BLKGEN_TAG_SECTOR, (lba)++)

/* Return the sector at @lba, or NULL at the end. A piece of a buffer has only whole sectors. */
static struct blkgen_sector *slot_sector(const struct blkgen_slot *slot, unsigned int *i,
					 u32 *off, u64 lba)
{
	const struct bio_vec *vec = slot->vec[slot->op];

	if (lba >= slot->sector + (slot->bytes >> SECTOR_SHIFT))
		return NULL;
	if (*off >= vec[*i].bv_len) {
		(*i)++;
		*off = 0;
	}

	return page_address(vec[*i].bv_page) + *off;
}

/**
 * blkgen_verify_prepare() - make the data of the next write, or invalidate the buffer of the next
 *	read
 * @job: job that has BLKGEN_SETUP_VERIFY
 * @slot: slot of the I/O, set up by blkgen_worker_aim()
 */
void blkgen_verify_prepare(const struct blkgen_job *job, struct blkgen_slot *slot)
{
	const struct blkgen_setup *set = &job->par.set;
	struct blkgen_sector *s;
	unsigned int i;
	u32 off;
	u64 lba;

	if (slot->op >= BLKGEN_NR_DATA_OPS)
		return;
	for_each_sector(slot, i, off, s, lba) {
		/*
		 * If a read leaves the buffer unchanged, the check must not find the tag of the
		 * last read
		 */
		if (slot->op == BLKGEN_OP_READ)
			s->magic = cpu_to_le32(~BLKGEN_TAG_MAGIC);
		else
			blkgen_tag_fill(s, lba, set->seed, set->generation);
	}
}

/* Count a mismatch, and keep its details if it is one of the first */
static void verify_note(struct blkgen_job *job, const struct blkgen_mismatch *m)
{
	struct blkgen_wrong *wrong = &job->wrong;

	spin_lock(&wrong->lock);
	if (wrong->reads < BLKGEN_NR_MISMATCHES)
		wrong->first[wrong->reads] = *m;
	wrong->reads++;
	wrong->sectors += m->sectors;
	spin_unlock(&wrong->lock);
}

/**
 * blkgen_verify_read() - check the data of a read
 * @job: job that has BLKGEN_SETUP_VERIFY
 * @slot: slot of the read, which has completed without an error
 *
 * Return: true if the data is as expected
 *
 * Context: process, without a plug
 */
bool blkgen_verify_read(struct blkgen_job *job, const struct blkgen_slot *slot)
{
	const struct blkgen_setup *set = &job->par.set;
	struct blkgen_mismatch m = { .worker = slot->worker->index };
	struct blkgen_sector *s;
	unsigned int i;
	u32 off, kinds;
	u64 lba;

	for_each_sector(slot, i, off, s, lba) {
		kinds = blkgen_tag_check(s, lba, set->seed, set->generation);
		if (likely(!kinds) || m.sectors++)
			continue;
		m.kinds = kinds;
		m.sector = lba;
		blkgen_tag_get(s, &m.found);
		/* The data is not needed any more: build the expected sector in its place */
		blkgen_tag_fill(s, lba, set->seed, set->generation);
		blkgen_tag_get(s, &m.expected);
	}
	/*
	 * A kernel that does not preempt would check several large reads for seconds without a
	 * break
	 */
	cond_resched();
	if (!m.sectors)
		return true;
	verify_note(job, &m);

	return false;
}

/**
 * blkgen_verify_report() - copy the mismatches of a job to the ABI's struct
 * @job: job, may be running
 * @mm: zeroed except for the caller's input
 */
void blkgen_verify_report(struct blkgen_job *job, struct blkgen_mismatches *mm)
{
	struct blkgen_wrong *wrong = &job->wrong;

	spin_lock(&wrong->lock);
	mm->total = wrong->reads;
	mm->sectors = wrong->sectors;
	memcpy(mm->first, wrong->first, sizeof(mm->first));
	spin_unlock(&wrong->lock);
}
