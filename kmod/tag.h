/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Make and check data that says where it belongs, for BLKGEN_SETUP_VERIFY. This is pure
 * arithmetic: the same file is built and tested in user space.
 */
#ifndef _BLKGEN_TAG_H
#define _BLKGEN_TAG_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#endif
#include "uapi/blkgen.h"

#define BLKGEN_TAG_WORDS	60

/**
 * struct blkgen_sector - a sector as it is on the device
 * @magic: BLKGEN_TAG_MAGIC
 * @crc: CRC32C of all members after this one
 * @lba: number of the sector, counted from the start of the device
 * @seed: seed of the run that wrote the sector
 * @generation: generation of the run that wrote the sector
 * @reserved: 0
 * @data: splitmix64 sequence that begins at blkgen_tag_seed()
 *
 * Each sector has a tag, not each block: data that was written in blocks of one size can be read
 * in blocks of another size.
 */
struct blkgen_sector {
	__le32 magic;
	__le32 crc;
	__le64 lba;
	__le64 seed;
	__le32 generation;
	__le32 reserved;
	__le64 data[BLKGEN_TAG_WORDS];
};

void blkgen_tag_fill(struct blkgen_sector *s, __u64 lba, __u64 seed, __u32 generation);
__u32 blkgen_tag_check(const struct blkgen_sector *s, __u64 lba, __u64 seed, __u32 generation);
void blkgen_tag_get(const struct blkgen_sector *s, struct blkgen_tag *tag);
__u64 blkgen_tag_seed(__u64 lba, __u64 seed, __u32 generation);

#endif /* _BLKGEN_TAG_H */
