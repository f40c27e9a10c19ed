// SPDX-License-Identifier: GPL-2.0
#include "pattern.h"
#include "tag.h"
#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "compat.h"
#endif

/* Where the CRC begins */
#define CRC_FROM	offsetof(struct blkgen_sector, lba)

static_assert(sizeof(struct blkgen_sector) == BLKGEN_TAG_SECTOR);

static __u32 tag_crc(const struct blkgen_sector *s)
{
	return blkgen_crc32c((const unsigned char *)s + CRC_FROM, sizeof(*s) - CRC_FROM);
}

/**
 * blkgen_tag_seed - where the data of a sector begins
 * @lba: sector
 * @seed: of the run
 * @generation: of the run
 *
 * Each of the three changes all of the data.
 */
__u64 blkgen_tag_seed(__u64 lba, __u64 seed, __u32 generation)
{
	return blkgen_hash(blkgen_hash(blkgen_hash(generation) ^ seed) ^ lba);
}

/**
 * blkgen_tag_fill - make the data of a sector
 * @s: sector
 * @lba: where it goes
 * @seed: of the run
 * @generation: of the run
 */
void blkgen_tag_fill(struct blkgen_sector *s, __u64 lba, __u64 seed, __u32 generation)
{
	__u64 state = blkgen_tag_seed(lba, seed, generation);
	unsigned int i;

	s->magic = cpu_to_le32(BLKGEN_TAG_MAGIC);
	s->lba = cpu_to_le64(lba);
	s->seed = cpu_to_le64(seed);
	s->generation = cpu_to_le32(generation);
	s->reserved = 0;
	for (i = 0; i < BLKGEN_TAG_WORDS; i++)
		s->data[i] = cpu_to_le64(blkgen_random(&state));
	s->crc = cpu_to_le32(tag_crc(s));
}

static bool all_zero(const struct blkgen_sector *s)
{
	const __u64 *word = (const __u64 *)s;
	unsigned int i;

	for (i = 0; i < sizeof(*s) / sizeof(*word); i++) {
		if (word[i])
			return false;
	}

	return true;
}

/* Is the data what the expected tag makes? The CRC cannot say: it is of what was found. */
static bool data_right(const struct blkgen_sector *s, __u64 state)
{
	unsigned int i;

	for (i = 0; i < BLKGEN_TAG_WORDS; i++) {
		if (s->data[i] != cpu_to_le64(blkgen_random(&state)))
			return false;
	}

	return true;
}

/**
 * blkgen_tag_check - look for what is wrong with the data of a sector
 * @s: sector
 * @lba: where it comes from
 * @seed: of the run that wrote it
 * @generation: of the run that wrote it
 *
 * Returns BLKGEN_MISMATCH_* bits, 0 if each byte is as blkgen_tag_fill() makes it.
 */
__u32 blkgen_tag_check(const struct blkgen_sector *s, __u64 lba, __u64 seed, __u32 generation)
{
	__u32 kinds = 0;

	if (s->magic != cpu_to_le32(BLKGEN_TAG_MAGIC))
		kinds |= all_zero(s) ? BLKGEN_MISMATCH_ZEROES | BLKGEN_MISMATCH_MAGIC :
			 BLKGEN_MISMATCH_MAGIC;
	if (s->crc != cpu_to_le32(tag_crc(s)))
		kinds |= BLKGEN_MISMATCH_CRC;
	if (s->lba != cpu_to_le64(lba))
		kinds |= BLKGEN_MISMATCH_LBA;
	if (s->seed != cpu_to_le64(seed))
		kinds |= BLKGEN_MISMATCH_SEED;
	if (s->generation != cpu_to_le32(generation))
		kinds |= BLKGEN_MISMATCH_GENERATION;
	/* If the tag is another or the CRC wrong, that says it */
	if (!kinds &&
	    (s->reserved || !data_right(s, blkgen_tag_seed(lba, seed, generation))))
		kinds |= BLKGEN_MISMATCH_DATA;

	return kinds;
}

/**
 * blkgen_tag_get - what a sector says about itself
 * @s: sector
 * @tag: set
 */
void blkgen_tag_get(const struct blkgen_sector *s, struct blkgen_tag *tag)
{
	tag->lba = le64_to_cpu(s->lba);
	tag->seed = le64_to_cpu(s->seed);
	tag->generation = le32_to_cpu(s->generation);
	tag->crc = le32_to_cpu(s->crc);
}
