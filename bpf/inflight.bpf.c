// SPDX-License-Identifier: GPL-2.0
/*
 * List the I/Os of a disk that are in flight, also those that began before anybody looked. User
 * space runs this program once per disk. It only reads: it walks the disk's requests without a
 * lock, so a request that ends meanwhile may still be listed.
 */
#include "compat_queue.bpf.h"
#include "op.bpf.h"
#include "inflight_disk.h"

/* User space sets this to the address of mq_flush_data_end_io(), or to 0 if it is not known. */
const volatile __u64 flush_data_end;

struct inflight_disk disk;
struct inflight_io ios[INFLIGHT_MAX];

/* The walk of a list of held bios ends after this many, because bpf_loop() needs a limit. */
#define MAX_HELD (1 << 20)

struct scan {
	struct request_queue *q;
	struct request **rqs;
};

/* This is the state of a walk over the list of bios that a disk holds back. */
struct held {
	struct bio *next;
	struct gendisk *of;
};

/*
 * Return a place for an I/O that began at @since_ns, or NULL if it is too young or there is no
 * place. An I/O of unknown age is listed only if I/Os of any age are.
 */
static __always_inline struct inflight_io *list_io(__u64 since_ns)
{
	__u32 n;

	if (since_ns && (!disk.oldest_ns || since_ns < disk.oldest_ns))
		disk.oldest_ns = since_ns;
	if (disk.older_ns && (!since_ns || bpf_ktime_get_ns() - since_ns < disk.older_ns))
		return NULL;
	n = disk.listed++;
	if (n >= INFLIGHT_MAX)
		return NULL;
	ios[n & (INFLIGHT_MAX - 1)].since_ns = since_ns;
	return &ios[n & (INFLIGHT_MAX - 1)];
}

static __always_inline enum inflight_where where_is(struct request *rq, bool in_flush)
{
	__u32 state = BPF_CORE_READ(rq, state);

	if (state == MQ_RQ_IN_FLIGHT)
		return INFLIGHT_ISSUED;
	/* While a request waits for its flushes, its state is left over from the last step. */
	if (in_flush)
		return INFLIGHT_IN_FLUSH;
	if (state == MQ_RQ_COMPLETE)
		return INFLIGHT_COMPLETED;
	return BPF_CORE_READ(rq, tag) < 0 ? INFLIGHT_IN_SCHED : INFLIGHT_UNISSUED;
}

/*
 * Note a request of @q if it is in use: a free request has no reference. @own is true for the
 * queue's own flush request. It is listed but not counted, because nobody submitted it.
 */
static __always_inline void note_request(struct request *rq, struct request_queue *q, bool own)
{
	struct inflight_io *io;
	bool in_flush;
	__u32 flags;

	if (!rq || BPF_CORE_READ(rq, ref.counter) <= 0 || BPF_CORE_READ(rq, q) != q)
		return;
	disk.nr += !own;
	io = list_io(BPF_CORE_READ(rq, start_time_ns) ?: BPF_CORE_READ(rq, io_start_time_ns));
	if (!io)
		return;
	flags = BPF_CORE_READ(rq, cmd_flags);
	in_flush = !own && is_in_flush_sequence(rq, flush_data_end);
	io->sector = BPF_CORE_READ(rq, __sector);
	io->bytes = BPF_CORE_READ(rq, __data_len);
	/* The kernel clears REQ_PREFLUSH of a request in a flush sequence: op_of() cannot tell. */
	io->op = in_flush ? BLKLAT_OP_FLUSH :
		 is_passthrough(flags) ? INFLIGHT_PASSTHROUGH : op_of(flags);
	io->where = where_is(rq, in_flush);
}

static long scan_one(__u32 i, struct scan *s)
{
	struct request *rq = NULL;

	bpf_probe_read_kernel(&rq, sizeof(rq), s->rqs + i);
	note_request(rq, s->q, false);
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

/* Return the tags of a hardware queue, or NULL if they are those of the first queue. */
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
	/* If the queues share the scheduler's tags, each points to them: scan them only once. */
	if (!shared || !i)
		scan_tags(BPF_CORE_READ(hctx, sched_tags), *of);
	note_request(BPF_CORE_READ(hctx, fq, flush_rq), *of, true);
	disk.stopped += BPF_CORE_READ(hctx, state) >> BLK_MQ_S_STOPPED & 1;
	return 0;
}

static long note_held(__u32 i, struct held *held)
{
	struct bio *bio = held->next;
	struct inflight_io *io;

	/* The list may be emptied during the walk. Its bios may then belong to another disk. */
	if (!bio || BPF_CORE_READ(bio, bi_bdev, bd_disk) != held->of)
		return 1;
	held->next = BPF_CORE_READ(bio, bi_next);
	disk.held++;
	io = list_io(bio_since(bio));
	if (!io)
		return 0;
	io->sector = BPF_CORE_READ(bio, bi_iter.bi_sector);
	io->bytes = BPF_CORE_READ(bio, bi_iter.bi_size);
	io->op = op_of(BPF_CORE_READ(bio, bi_opf));
	io->where = INFLIGHT_HELD;
	return 0;
}

/* List the bios that a dm device or the head of NVMe multipath holds back. */
static __always_inline void list_held(struct gendisk *gd)
{
	struct held held = { .of = gd };
	struct nvme_ns_head *head = BPF_CORE_READ(gd, private_data);
	struct mapped_device *md = (void *)head;

	if (disk.kind == INFLIGHT_DM && bpf_core_type_exists(struct mapped_device)) {
		disk.dm_flags = BPF_CORE_READ(md, flags);
		held.next = BPF_CORE_READ(md, deferred.head);
	} else if (disk.kind == INFLIGHT_NVME_HEAD &&
		   bpf_core_field_exists(head->requeue_list)) {
		held.next = BPF_CORE_READ(head, requeue_list.head);
	} else {
		disk.held_unseen = disk.kind != INFLIGHT_OTHER;
		return;
	}
	bpf_loop(MAX_HELD, note_held, &held, 0);
}

/*
 * Return the disk of an open directory of /sys. The directory leads to its kobject, which is a part
 * of the disk's block device.
 */
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
	list_held(gd);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
