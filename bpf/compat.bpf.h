/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declare the few types and fields of the kernel that the BPF programs use, and hide here where
 * kernels differ. CO-RE relocates the fields for the running kernel. The build needs neither a
 * vmlinux.h nor a kernel with BTF.
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
	struct request_queue *queue;
	void *private_data;
} CORE;

struct blk_mq_ops {
	void *commit_rqs;
} CORE;

struct request_queue {
	struct gendisk *disk;
	const struct blk_mq_ops *mq_ops;
} CORE;

struct kobject {
	const char *name;
} CORE;

struct device {
	struct kobject kobj;
} CORE;

struct block_device {
	struct gendisk *bd_disk;
	__u32 bd_dev;
	struct device bd_device;
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
	void *priv;
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
	MQ_RQ_COMPLETE = 2,
};

struct atomic {
	int counter;
};

struct blk_plug {
	unsigned short rq_count;
} CORE;

struct request {
	struct request_queue *q;
	__u32 cmd_flags;
	int tag;
	unsigned int __data_len;
	__u64 __sector;
	struct bio *bio;
	struct bio *biotail;
	struct request *rq_next;
	struct block_device *part;
	__u64 start_time_ns;
	__u64 io_start_time_ns;
	enum mq_rq_state state;
	struct atomic ref;
	void *end_io;
} CORE;

struct blk_mq_queue_data {
	struct request *rq;
	bool last;
} CORE;

struct kiocb {
	void *ki_complete;
} CORE;

/* block/fops.c defines this struct, which has the kiocb of a direct I/O to a block device. */
struct blkdev_dio {
	struct kiocb *iocb;
	struct bio bio;
} CORE;

/* fs/iomap/direct-io.c defines this one, for direct I/O to ext4, xfs, btrfs and others. */
struct iomap_dio {
	struct kiocb *iocb;
} CORE;

/* fs/direct-io.c defines this one, for file systems that do not use iomap yet. */
struct dio {
	struct kiocb *iocb;
} CORE;

struct hrtimer {
	int is_rel;
} CORE;

/* drivers/block/null_blk defines this struct. */
struct nullb_cmd {
	struct hrtimer timer;
} CORE;

struct task_struct {
	unsigned int flags;
	int pid;
	int tgid;
	unsigned long nivcsw;
	char comm[16];
} CORE;

/* These are bits of task_struct.flags. */
#define PF_IO_WORKER 0x00000010
#define PF_KTHREAD 0x00200000

struct irqaction;
struct pt_regs;

/* x86 has the first one of these members, and arm64 has the second one. */
struct pt_regs___call {
	unsigned long orig_ax;
	__s32 syscallno;
} CORE;

/*
 * The values of operations and flags differ between kernels, because new ones are added before
 * them. The values here are placeholders: REQ_OP() and REQ_PREFLUSH have those of the running
 * kernel, which CO-RE fills in.
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

/*
 * Store a value so that other CPUs see it only after all that was written before. BPF has a
 * release store of its own only from Linux 6.15 on.
 */
#ifdef __TARGET_ARCH_x86
#define store_release(p, v) do { barrier(); *(volatile typeof(*(p)) *)(p) = (v); } while (0)
#else
#define store_release(p, v) __sync_lock_test_and_set(p, v)
#endif

/* Only Linux 6.2 and later have this function. */
extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

/* This is true if read_word() needs no call of a function. */
#define READS_ARE_CHEAP (bpf_rdonly_cast != NULL)

/**
 * read_word() - read a word at an address that is only a number to the verifier
 * @address: address in the memory of the kernel; it may be invalid
 * @type: id, in the BTF of the running kernel, of a struct whose first member is a number and no
 *	pointer, so that the word is a number to the verifier, too
 *
 * With bpf_rdonly_cast() the number becomes a pointer that the program can read from by itself,
 * which takes a tenth of the instructions of bpf_probe_read_kernel(). Only one source file may use
 * this: libbpf's linker up to 1.5 cannot link two objects that use the same kernel function.
 *
 * Return: the word, 0 if it cannot be read.
 */
static __always_inline __u64 read_word(__u64 address, __u32 type)
{
	__u64 word;

	if (READS_ARE_CHEAP) {
		__u64 *at = bpf_rdonly_cast((void *)address, type);

		return *at;
	}
	/* A read that fails sets the word to 0. */
	bpf_probe_read_kernel(&word, sizeof(word), (void *)address);
	return word;
}

/**
 * syscall_of() - find the number of the system call that a task is in
 * @regs: the task's registers, as the tracepoint sys_exit gets them
 *
 * Return: the number, -1 if it is not known.
 */
static __always_inline __s32 syscall_of(struct pt_regs *regs)
{
	struct pt_regs___call *call = (void *)regs;

	if (bpf_core_field_exists(call->orig_ax))
		return call->orig_ax;
	return bpf_core_field_exists(call->syscallno) ? call->syscallno : -1;
}

/**
 * rqlist_first() - find the first request that a queue_rqs() gets
 * @list: argument of queue_rqs()
 *
 * The argument is a struct request ** up to 6.12, and a struct rq_list * in later kernels and
 * stable backports; both begin with the first request.
 *
 * Return: the request, or NULL if there is none.
 */
static __always_inline struct request *rqlist_first(void *list)
{
	struct request *rq = NULL;

	bpf_probe_read_kernel(&rq, sizeof(rq), list);
	return rq;
}

/*
 * struct rq_copy is a copy of the beginning of a request whose address is only a number to the
 * verifier. All fields that the programs look at lie there in each kernel, so one read gets them
 * all; each read costs a check and a call.
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

/**
 * is_in_flush_sequence() - check if a request needs flushes before or after it
 * @rq: the request
 * @end: address of mq_flush_data_end_io(), 0 if it is not known
 *
 * The kernel sets @end as the end of such a request. The bit in rq_flags would say the same, but
 * 6.12 has it in an enum without a name.
 *
 * Return: true if it does; false also if @end is 0.
 */
static __always_inline bool is_in_flush_sequence(struct request *rq, __u64 end)
{
	return end && (__u64)BPF_CORE_READ(rq, end_io) == end;
}

#endif /* BLKLAT_COMPAT_BPF_H */
