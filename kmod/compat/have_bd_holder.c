// SPDX-License-Identifier: GPL-2.0
/* The holder of a block device that was opened exclusively is visible to modules. */
#include <linux/blk_types.h>
#include <linux/fs.h>

bool probe(struct block_device *bdev, struct file *file);
bool probe(struct block_device *bdev, struct file *file)
{
	return READ_ONCE(bdev->bd_holder) == file;
}
