/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_SETUP_H
#define _BLKGEN_SETUP_H

#include <linux/types.h>
#include <linux/wait.h>

struct blkgen_job;
struct blkgen_setup;

u64 blkgen_max_buffer(void);
struct blkgen_job *blkgen_job_create(const struct blkgen_setup *setup,
				     wait_queue_head_t *wait);
int blkgen_job_check(const struct blkgen_job *job);
void blkgen_job_free(struct blkgen_job *job);

#endif /* _BLKGEN_SETUP_H */
