/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel as the BPF programs see it: the few types and fields they touch,
 * relocated by CO-RE against the running kernel, and every place where
 * kernels differ. No vmlinux.h is needed, nor a kernel with BTF, to build.
 */
#ifndef BLKLAT_COMPAT_BPF_H
#define BLKLAT_COMPAT_BPF_H

#include <linux/bpf.h>
#include <linux/major.h>
#include <linux/types.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define CORE __attribute__((preserve_access_index))

struct block_device_operations {
	void *submit_bio;
} CORE;

struct gendisk {
	int major;
	int first_minor;
	const struct block_device_operations *fops;
} CORE;

struct request_queue {
	struct gendisk *disk;
} CORE;

struct block_device {
	struct gendisk *bd_disk;
	__u32 bd_dev;
} CORE;

struct bvec_iter {
	__u64 bi_sector;
	unsigned int bi_size;
} CORE;

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	__u32 bi_opf;
	__u16 bi_flags;
	__u8 bi_status;
	struct bvec_iter bi_iter;
	void *bi_end_io;
	void *bi_private;
	void *bi_io_vec;
	struct blkcg_gq *bi_blkg;
} CORE;

struct kernfs_node {
	__u64 id;
} CORE;

struct cgroup {
	struct kernfs_node *kn;
} CORE;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
} CORE;

struct blkcg {
	struct cgroup_subsys_state css;
} CORE;

struct blkcg_gq {
	struct blkcg *blkcg;
} CORE;

enum mq_rq_state {
	MQ_RQ_IDLE = 0,
	MQ_RQ_IN_FLIGHT = 1,
};

struct request {
	struct request_queue *q;
	__u32 cmd_flags;
	unsigned int __data_len;
	struct bio *bio;
	struct bio *biotail;
	struct request *rq_next;
	struct block_device *part;
	__u64 start_time_ns;
	enum mq_rq_state state;
} CORE;

struct blk_mq_queue_data {
	struct request *rq;
	bool last;
} CORE;

struct kiocb {
	void *ki_complete;
} CORE;

/* block/fops.c: the kiocb of a direct I/O to a block device */
struct blkdev_dio {
	struct kiocb *iocb;
	struct bio bio;
} CORE;

/* fs/iomap/direct-io.c: ext4, xfs, btrfs, ... */
struct iomap_dio {
	struct kiocb *iocb;
} CORE;

/* fs/direct-io.c: what has not moved to iomap */
struct dio {
	struct kiocb *iocb;
} CORE;

struct hrtimer {
	int is_rel;
} CORE;

/* drivers/block/null_blk */
struct nullb_cmd {
	struct hrtimer timer;
} CORE;

struct task_struct {
	unsigned int flags;
	int pid;
	int tgid;
	char comm[16];
} CORE;

/* task_struct.flags */
#define PF_IO_WORKER 0x00000010
#define PF_KTHREAD 0x00200000

struct irqaction;
struct pt_regs;

/*
 * Values of operations and flags move when others are added before them: the
 * ones here are placeholders, CO-RE fills in the running kernel's.
 */
enum req_op {
	REQ_OP_READ = 0,
	REQ_OP_WRITE = 1,
	REQ_OP_FLUSH = 2,
	REQ_OP_DISCARD = 3,
	REQ_OP_SECURE_ERASE = 5,
	REQ_OP_DRV_IN = 34,
	REQ_OP_DRV_OUT = 35,
};

enum req_flag_bits {
	__REQ_PREFLUSH = 18,
};

#define BLK_STS_AGAIN 12
#define REQ_OP_MASK 0xff
#define REQ_OP(name) bpf_core_enum_value(enum req_op, REQ_OP_##name)
#define REQ_PREFLUSH (1U << bpf_core_enum_value(enum req_flag_bits, __REQ_PREFLUSH))

struct list_head {
	struct list_head *next;
} CORE;

/*
 * Let other CPUs see a value after all that was written before. BPF has a release store from Linux
 * 6.15 on.
 */
#ifdef __TARGET_ARCH_x86
#define store_release(p, v) do { barrier(); *(volatile typeof(*(p)) *)(p) = (v); } while (0)
#else
#define store_release(p, v) __sync_lock_test_and_set(p, v)
#endif

/* Of Linux 6.2 and later. */
extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

/*
 * What lies at an address that is only a number; 0 where nothing can be read. A program may read by
 * itself where the kernel lets it call the number a pointer: that is a tenth of the instructions.
 * For one source file only: libbpf's linker up to 1.5 knows no kernel function twice.
 */
static __always_inline __u64 read_word(__u64 address)
{
	__u64 word = 0;

	if (bpf_rdonly_cast) {
		struct list_head *at = bpf_rdonly_cast((void *)address, bpf_core_type_id_kernel(struct list_head));

		return (__u64)at->next;
	}
	bpf_probe_read_kernel(&word, sizeof(word), (void *)address);
	return word;
}

/*
 * queue_rqs() takes struct request ** up to 6.12 and struct rq_list * in
 * later kernels and stable backports; both begin with the first request.
 */
static __always_inline struct request *rqlist_first(void *list)
{
	struct request *rq = NULL;

	bpf_probe_read_kernel(&rq, sizeof(rq), list);
	return rq;
}

/*
 * The beginning of a request whose address is only a number, where all that is
 * looked at lies in every kernel: one read, as each costs a check and a call.
 */
#define RQ_COPY_SIZE 128

struct rq_copy {
	__u64 words[RQ_COPY_SIZE / 8];
};

#define RQ_COPIED(copy, field) ({ \
	typeof(((struct request *)0)->field) value = 0; \
	__u32 at = bpf_core_field_offset(struct request, field); \
\
	if (at <= RQ_COPY_SIZE - sizeof(value)) \
		value = *(typeof(value) *)((char *)(copy)->words + at); \
	value; })

#endif /* BLKLAT_COMPAT_BPF_H */
