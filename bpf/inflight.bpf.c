// SPDX-License-Identifier: GPL-2.0
/*
 * List the I/Os of a disk that are in flight, also those that began before anybody looked. User
 * space runs this program once per disk. It only reads: it walks the disk's requests without a
 * lock, so a request that ends meanwhile may still be listed.
 */
#include "compat_queue.bpf.h"
#include "op.bpf.h"
#include "inflight_disk.h"

struct inflight_disk disk;
struct inflight_io ios[INFLIGHT_MAX];

/* How many bios a suspended dm device may hold back at most, to end the walk of their list */
#define MAX_HELD (1 << 20)

struct scan {
	struct request_queue *q;
	struct request **rqs;
};

/* Return the place for the next I/O, or NULL if there is none. Count the I/O in either case. */
static __always_inline struct inflight_io *next_io(void)
{
	__u32 n = disk.nr++;

	return n < INFLIGHT_MAX ? &ios[n & (INFLIGHT_MAX - 1)] : NULL;
}

static __always_inline enum inflight_where where_is(struct request *rq)
{
	switch (BPF_CORE_READ(rq, state)) {
	case MQ_RQ_IN_FLIGHT: return INFLIGHT_ISSUED;
	case MQ_RQ_COMPLETE: return INFLIGHT_COMPLETED;
	default: return BPF_CORE_READ(rq, tag) < 0 ? INFLIGHT_IN_SCHED : INFLIGHT_UNISSUED;
	}
}

/* Note a request of @q if it is in use. A request that is free has no reference. */
static __always_inline void note_request(struct request *rq, struct request_queue *q)
{
	struct inflight_io *io;
	__u32 flags;

	if (!rq || BPF_CORE_READ(rq, ref.counter) <= 0 || BPF_CORE_READ(rq, q) != q)
		return;
	io = next_io();
	if (!io)
		return;
	flags = BPF_CORE_READ(rq, cmd_flags);
	io->since_ns = BPF_CORE_READ(rq, start_time_ns) ?: BPF_CORE_READ(rq, io_start_time_ns);
	io->sector = BPF_CORE_READ(rq, __sector);
	io->bytes = BPF_CORE_READ(rq, __data_len);
	io->op = is_passthrough(flags) ? INFLIGHT_PASSTHROUGH : op_of(flags);
	io->where = where_is(rq);
}

static long scan_one(__u32 i, struct scan *s)
{
	struct request *rq = NULL;

	bpf_probe_read_kernel(&rq, sizeof(rq), s->rqs + i);
	note_request(rq, s->q);
	return 0;
}

/* Note all requests of a set of tags, and the tasks that wait for one of them. */
static __always_inline void scan_tags(struct blk_mq_tags *tags, struct request_queue *q)
{
	struct scan s = { .q = q };

	if (!tags)
		return;
	s.rqs = BPF_CORE_READ(tags, static_rqs);
	bpf_loop(BPF_CORE_READ(tags, nr_tags), scan_one, &s, 0);
	disk.tag_waiters += BPF_CORE_READ(tags, bitmap_tags.ws_active.counter);
}

/* Return the tags of a hardware queue, or NULL if an earlier queue has the same. */
static __always_inline struct blk_mq_tags *tags_at(struct blk_mq_tag_set *set, __u32 i)
{
	struct blk_mq_tags **all = BPF_CORE_READ(set, tags), *first = NULL, *tags = NULL;

	bpf_probe_read_kernel(&first, sizeof(first), all);
	bpf_probe_read_kernel(&tags, sizeof(tags), all + i);
	return i && tags == first ? NULL : tags;
}

static long scan_queue(__u32 i, struct request_queue **of)
{
	struct request_queue___mq *mq = (void *)*of;
	struct blk_mq_tags *shared = BPF_CORE_READ(mq, sched_shared_tags);
	struct blk_mq_hw_ctx *hctx = hctx_at(*of, i);

	scan_tags(tags_at(BPF_CORE_READ(mq, tag_set), i), *of);
	if (!hctx)
		return 0;
	/* Queues that share the scheduler's tags each point to them. */
	if (!shared || !i)
		scan_tags(BPF_CORE_READ(hctx, sched_tags), *of);
	note_request(BPF_CORE_READ(hctx, fq, flush_rq), *of);
	disk.stopped += BPF_CORE_READ(hctx, state) >> BLK_MQ_S_STOPPED & 1;
	return 0;
}

static long note_held(__u32 i, struct bio **next)
{
	struct bio *bio = *next;
	struct inflight_io *io;

	if (!bio)
		return 1;
	*next = BPF_CORE_READ(bio, bi_next);
	io = next_io();
	if (!io)
		return 0;
	io->since_ns = bio_since(bio);
	io->sector = BPF_CORE_READ(bio, bi_iter.bi_sector);
	io->bytes = BPF_CORE_READ(bio, bi_iter.bi_size);
	io->op = op_of(BPF_CORE_READ(bio, bi_opf));
	io->where = INFLIGHT_HELD;
	return 0;
}

/* A directory of /sys leads to its kobject, which is a part of the disk's block device. */
static __always_inline struct gendisk *disk_of_fd(__u32 fd)
{
	struct task_struct___files *task = (void *)bpf_get_current_task();
	struct file **fds = BPF_CORE_READ(task, files, fdt, fd), *file = NULL;
	struct kernfs_node *node;
	struct block_device *bdev;
	char *kobj;

	bpf_probe_read_kernel(&file, sizeof(file), fds + fd);
	node = BPF_CORE_READ(file, f_inode, i_private);
	kobj = BPF_CORE_READ(node, priv);
	if (!kobj)
		return NULL;
	bdev = (void *)(kobj - bpf_core_field_offset(struct device, kobj) -
			bpf_core_field_offset(struct block_device, bd_device));
	return BPF_CORE_READ(bdev, bd_disk);
}

SEC("syscall")
int list_inflight(void *ctx)
{
	struct gendisk *gd = disk_of_fd(disk.fd);
	struct request_queue *q = BPF_CORE_READ(gd, queue);
	struct request_queue___mq *mq = (void *)q;
	struct throtl_data *td;
	struct bio *held;

	if (!q)
		return 0;
	disk.found = 1;
	disk.frozen = BPF_CORE_READ(mq, mq_freeze_depth);
	if (bpf_core_field_exists(mq->quiesce_depth))
		disk.quiesced = BPF_CORE_READ(mq, quiesce_depth);
	if (bpf_core_field_exists(mq->td)) {
		td = BPF_CORE_READ(mq, td);
		disk.throttled[0] = BPF_CORE_READ(td, nr_queued[0]);
		disk.throttled[1] = BPF_CORE_READ(td, nr_queued[1]);
	}
	disk.has_requests = BPF_CORE_READ(mq, tag_set) != NULL;
	if (disk.has_requests)
		bpf_loop(BPF_CORE_READ(mq, nr_hw_queues), scan_queue, &q, 0);
	if (disk.is_dm && bpf_core_type_exists(struct mapped_device)) {
		struct mapped_device *md = BPF_CORE_READ(gd, private_data);

		held = BPF_CORE_READ(md, deferred.head);
		bpf_loop(MAX_HELD, note_held, &held, 0);
	}
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
