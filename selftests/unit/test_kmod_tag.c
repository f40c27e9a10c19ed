// SPDX-License-Identifier: GPL-2.0
/*
 * This test will change each bit of a tagged sector, and swap, age and shift sectors, and expect
 * blkgen to find and name each fault.
 */
// needs: host
#include <assert.h>
#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "unit.h"

#define cpu_to_le32(x)	htole32(x)
#define cpu_to_le64(x)	htole64(x)
#define le32_to_cpu(x)	le32toh(x)
#define le64_to_cpu(x)	le64toh(x)

/* Compute the CRC bit by bit, as the polynomial says. */
static uint32_t blkgen_crc32c(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint32_t crc = ~0u;
	int i;

	while (len--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

#include "../../kmod/tag.c"

#define LBA	0x123456789aULL
#define SEED	7
#define GEN	3

static struct blkgen_sector made(uint64_t lba, uint64_t seed, uint32_t gen)
{
	struct blkgen_sector s;

	memset(&s, 0xa5, sizeof(s));
	blkgen_tag_fill(&s, lba, seed, gen);
	return s;
}

static uint32_t kinds(const struct blkgen_sector *s)
{
	return blkgen_tag_check(s, LBA, SEED, GEN);
}

static void test_bits(void)
{
	struct blkgen_sector s = made(LBA, SEED, GEN);
	unsigned char *byte = (unsigned char *)&s;
	unsigned int bit, missed = 0, unnamed = 0;

	for (bit = 0; bit < sizeof(s) * 8; bit++) {
		uint32_t k;

		byte[bit / 8] ^= 1 << bit % 8;
		k = kinds(&s);
		missed += !k;
		/* The CRC does not include the magic number. */
		unnamed += !(k & (bit < 32 ? BLKGEN_MISMATCH_MAGIC : BLKGEN_MISMATCH_CRC));
		byte[bit / 8] ^= 1 << bit % 8;
	}
	check(!missed, "each of %u flipped bits is found (%u are not)", bit, missed);
	check(!unnamed, "each flipped bit is named for what it is (%u are not)", unnamed);
	check(!kinds(&s), "put right, the sector is right");
}

static void test_kinds(void)
{
	struct blkgen_sector s = made(LBA + 8, SEED, GEN);
	struct blkgen_tag tag;

	check(kinds(&s) == BLKGEN_MISMATCH_LBA, "a sector of another place is found");
	blkgen_tag_get(&s, &tag);
	check(tag.lba == LBA + 8 && tag.seed == SEED && tag.generation == GEN &&
	      tag.crc == blkgen_crc32c((char *)&s + 8, 504),
	      "a sector of another place says which place");
	s = made(LBA, SEED, GEN - 1);
	check(kinds(&s) == BLKGEN_MISMATCH_GENERATION, "a sector of another generation is found");
	s = made(LBA, SEED + 1, GEN);
	check(kinds(&s) == BLKGEN_MISMATCH_SEED, "a sector of another seed is found");
	memset(&s, 0, sizeof(s));
	check((kinds(&s) & (BLKGEN_MISMATCH_ZEROES | BLKGEN_MISMATCH_MAGIC)) ==
	      (BLKGEN_MISMATCH_ZEROES | BLKGEN_MISMATCH_MAGIC), "zeroes are zeroes");
	s.data[59] = 1;
	check(kinds(&s) & BLKGEN_MISMATCH_MAGIC && !(kinds(&s) & BLKGEN_MISMATCH_ZEROES),
	      "zeroes with one bit set are not zeroes");
	/* The CRC is made after the damage, as by a layer that corrupts data and seals it again. */
	s = made(LBA, SEED, GEN);
	s.data[30] ^= htole64(1);
	s.crc = htole32(blkgen_crc32c((char *)&s + 8, 504));
	check(kinds(&s) == BLKGEN_MISMATCH_DATA, "data with a CRC of its own is not the data");
}

/* Return true if any word of the data is the same in both sectors. */
static bool alike(const struct blkgen_sector *a, const struct blkgen_sector *b)
{
	unsigned int i;

	for (i = 0; i < 60; i++)
		if (a->data[i] == b->data[i])
			return true;
	return false;
}

static void test_data(void)
{
	struct blkgen_sector base = made(LBA, SEED, GEN), same = made(LBA, SEED, GEN);
	bool distinct = true;
	unsigned int i;

	check(!memcmp(&base, &same, sizeof(base)), "the same sector twice is the same data");
	for (i = 0; i < 32; i++) {
		struct blkgen_sector lba = made(LBA ^ 1ULL << i, SEED, GEN);
		struct blkgen_sector seed = made(LBA, SEED ^ 1ULL << i, GEN);
		struct blkgen_sector gen = made(LBA, SEED, GEN ^ 1U << i);

		distinct &= !alike(&base, &lba) && !alike(&base, &seed) && !alike(&base, &gen);
	}
	check(distinct, "place, seed and generation each make all of the data another");
	check(sizeof(base) == 512 && (char *)base.data - (char *)&base == 32, "the format");
}

int main(void)
{
	check(blkgen_crc32c("123456789", 9) == 0xe3069283, "the CRC here is CRC32C");
	test_bits();
	test_kinds();
	test_data();
	return unit_end();
}
