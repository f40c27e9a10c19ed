/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declare the kernel's types of a request queue and what leads to it, and hide here where kernels
 * differ. inflight.bpf.c alone uses them.
 */
#ifndef BLKLAT_COMPAT_QUEUE_BPF_H
#define BLKLAT_COMPAT_QUEUE_BPF_H

#include "compat.bpf.h"

struct inode {
	void *i_private;
} CORE;

struct file {
	struct inode *f_inode;
} CORE;

struct fdtable {
	struct file **fd;
} CORE;

struct files_struct {
	struct fdtable *fdt;
} CORE;

struct task_struct___files {
	struct files_struct *files;
} CORE;

struct sbitmap_queue {
	struct atomic ws_active;
} CORE;

struct blk_mq_tags {
	unsigned int nr_tags;
	struct sbitmap_queue bitmap_tags;
	struct request **static_rqs;
} CORE;

struct blk_mq_tag_set {
	struct blk_mq_tags **tags;
} CORE;

struct blk_flush_queue {
	struct request *flush_rq;
} CORE;

struct blk_mq_hw_ctx {
	unsigned long state;
	struct blk_flush_queue *fq;
	struct blk_mq_tags *sched_tags;
} CORE;

#define BLK_MQ_S_STOPPED 0

struct throtl_data {
	unsigned int nr_queued[2];
} CORE;

struct xarray {
	void *xa_head;
} CORE;

struct xa_node {
	unsigned char shift;
	void *slots[64];
} CORE;

struct request_queue___mq {
	struct blk_mq_tag_set *tag_set;
	unsigned int nr_hw_queues;
	struct blk_mq_tags *sched_shared_tags;
	struct throtl_data *td;
	int mq_freeze_depth;
	int quiesce_depth;
} CORE;

/* Kernels up to 6.18 have this member. */
struct request_queue___xarray {
	struct xarray hctx_table;
} CORE;

/* Later kernels have this member. */
struct request_queue___array {
	struct blk_mq_hw_ctx **queue_hw_ctx;
} CORE;

struct bio_list {
	struct bio *head;
} CORE;

/* drivers/md/dm-core.h defines this type for the module dm. Without dm, the type is missing. */
struct mapped_device {
	unsigned long flags;
	struct bio_list deferred;
} CORE;

/* drivers/nvme/host/nvme.h defines this. Bios wait in the list while no path can be used. */
struct nvme_ns_head {
	struct bio_list requeue_list;
} CORE;

struct bio_issue {
	__u64 value;
} CORE;

/* Kernels up to 6.17 have this member. */
struct bio___issue {
	struct bio_issue bi_issue;
} CORE;

/* Later kernels have this member. */
struct bio___issue_time {
	__u64 issue_time_ns;
} CORE;

/* bio_issue.value has the time in these bits; the other bits have the size. */
#define BIO_ISSUE_TIME ((1ULL << 51) - 1)

/* A radix tree of 64 entries per node has three levels for 262,144 hardware queues. */
#define XA_LEVELS 3

/**
 * xa_entry() - find an entry of an xarray of the kernel
 * @entry: xa_head of the xarray, which leads to a node
 * @index: index of the entry
 *
 * Return: the entry, or NULL.
 */
static __always_inline void *xa_entry(void *entry, __u32 index)
{
	for (int level = 0; level < XA_LEVELS; level++) {
		struct xa_node *node = (void *)((__u64)entry - 2);
		unsigned char shift;

		/* The lowest two bits tell a node from an entry. */
		if (((__u64)entry & 3) != 2)
			break;
		shift = BPF_CORE_READ(node, shift);
		entry = NULL;
		bpf_probe_read_kernel(&entry, sizeof(entry), (char *)node +
				      bpf_core_field_offset(struct xa_node, slots) +
				      (index >> (shift & 63) & 63) * sizeof(entry));
	}
	return entry;
}

/**
 * hctx_at() - find a hardware queue of a request queue
 * @q: the request queue
 * @index: number of the hardware queue, less than nr_hw_queues
 *
 * Return: the hardware queue, or NULL.
 */
static __always_inline struct blk_mq_hw_ctx *hctx_at(struct request_queue *q, __u32 index)
{
	struct request_queue___array *array = (void *)q;
	struct request_queue___xarray *xarray = (void *)q;
	struct blk_mq_hw_ctx *hctx = NULL, **all;

	if (bpf_core_field_exists(xarray->hctx_table)) {
		void *head = BPF_CORE_READ(xarray, hctx_table.xa_head);

		/* An array with only the entry 0 has no node. */
		if (((__u64)head & 3) != 2)
			return index ? NULL : head;
		return xa_entry(head, index);
	}
	if (!bpf_core_field_exists(array->queue_hw_ctx))
		return NULL;
	all = BPF_CORE_READ(array, queue_hw_ctx);
	bpf_probe_read_kernel(&hctx, sizeof(hctx), all + index);
	return hctx;
}

/**
 * bio_since() - find out when a bio was submitted
 * @bio: the bio
 *
 * Return: the time by CLOCK_MONOTONIC in ns, 0 if the kernel did not note it.
 */
static __always_inline __u64 bio_since(struct bio *bio)
{
	struct bio___issue_time *by_time = (void *)bio;
	struct bio___issue *by_issue = (void *)bio;
	__u64 value, now;

	if (bpf_core_field_exists(by_time->issue_time_ns))
		return BPF_CORE_READ(by_time, issue_time_ns);
	if (!bpf_core_field_exists(by_issue->bi_issue))
		return 0;
	value = BPF_CORE_READ(by_issue, bi_issue.value) & BIO_ISSUE_TIME;
	now = bpf_ktime_get_ns();
	return value ? now - ((now - value) & BIO_ISSUE_TIME) : 0;
}

#endif /* BLKLAT_COMPAT_QUEUE_BPF_H */
