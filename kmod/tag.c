// SPDX-License-Identifier: GPL-2.0
#include "pattern.h"
#include "tag.h"
#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "compat.h"
#endif

/* The CRC covers all bytes from this offset on */
#define CRC_FROM	offsetof(struct blkgen_sector, lba)

static_assert(sizeof(struct blkgen_sector) == BLKGEN_TAG_SECTOR);

static __u32 tag_crc(const struct blkgen_sector *s)
{
	return blkgen_crc32c((const unsigned char *)s + CRC_FROM, sizeof(*s) - CRC_FROM);
}

/**
 * blkgen_tag_seed() - compute the state from which the data of a sector is generated
 * @lba: number of the sector
 * @seed: seed of the run
 * @generation: generation of the run
 *
 * A change of any of the three parameters changes all of the data.
 *
 * Return: the state, for blkgen_random()
 */
__u64 blkgen_tag_seed(__u64 lba, __u64 seed, __u32 generation)
{
	return blkgen_hash(blkgen_hash(blkgen_hash(generation) ^ seed) ^ lba);
}

/**
 * blkgen_tag_fill() - fill a sector with its tag and data
 * @s: buffer of the sector
 * @lba: number of the sector
 * @seed: seed of the run
 * @generation: generation of the run
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

/*
 * Return true if the data is what the expected tag generates. The CRC cannot show this, because
 * it covers the data that was found.
 */
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
 * blkgen_tag_check() - check the tag and data of a sector
 * @s: sector
 * @lba: number of the sector that was read
 * @seed: seed of the run that wrote the sector
 * @generation: generation of the run that wrote the sector
 *
 * Return: BLKGEN_MISMATCH_* bits; 0 if each byte is as blkgen_tag_fill() makes it
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
	/* If the tag or the CRC is wrong, another bit already reports it */
	if (!kinds &&
	    (s->reserved || !data_right(s, blkgen_tag_seed(lba, seed, generation))))
		kinds |= BLKGEN_MISMATCH_DATA;

	return kinds;
}

/**
 * blkgen_tag_get() - get the tag from a sector
 * @s: sector
 * @tag: set to the tag of @s
 */
void blkgen_tag_get(const struct blkgen_sector *s, struct blkgen_tag *tag)
{
	tag->lba = le64_to_cpu(s->lba);
	tag->seed = le64_to_cpu(s->seed);
	tag->generation = le32_to_cpu(s->generation);
	tag->crc = le32_to_cpu(s->crc);
}
