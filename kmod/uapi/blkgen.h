/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * blkgen: block I/O load made inside the kernel. The ioctl ABI of /dev/blkgen.
 *
 * An open file of /dev/blkgen is a session. A session drives one block device
 * with one load; to load several devices at once, open several sessions. A run
 * lives exactly as long as the session's last file descriptor: when that goes,
 * for whatever reason, no more I/O is submitted, what is in flight is waited
 * for, and the block device is let go.
 *
 *	fd = open("/dev/blkgen", O_RDWR | O_CLOEXEC);
 *	ioctl(fd, BLKGEN_IOC_SETUP, &setup);	IDLE or DONE -> READY
 *	ioctl(fd, BLKGEN_IOC_START, 0);		READY -> RUNNING
 *	poll(fd, POLLIN);			POLLIN when DONE
 *	ioctl(fd, BLKGEN_IOC_RESULT, &result);
 *	close(fd);
 *
 * Every struct begins with its own size, as the caller knows it. A caller older
 * than the module gets defaults for the fields it does not know; a newer one
 * may pass fields the module does not know if they are zero, else -E2BIG. When
 * the module fills in a struct, it writes no more than @size bytes and zeroes
 * what it does not know. Reserved fields are zero, or -EINVAL.
 *
 * Errors of every ioctl:
 *   -ENOTTY	no such ioctl
 *   -EFAULT	the argument cannot be read or written
 *   -EINVAL	@size is smaller than the first version of the struct,
 *		or a reserved field is not zero
 *   -E2BIG	@size is over a page, or a field beyond what the module knows
 *		is not zero
 *   -EINTR	a fatal signal came while waiting for another ioctl of the session
 */
#ifndef _UAPI_BLKGEN_H
#define _UAPI_BLKGEN_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define BLKGEN_DEVICE		"/dev/blkgen"

/* What an I/O does; indexes the mix, and selects a result. */
enum blkgen_op {
	BLKGEN_OP_READ = 0,
	BLKGEN_OP_WRITE = 1,
	BLKGEN_OP_TRIM = 2,		/* discard */
	BLKGEN_OP_ZEROES = 3,		/* write zeroes without sending them */
	BLKGEN_OP_FLUSH = 4,		/* not in a mix: see @flush_every */
};

#define BLKGEN_NR_OPS		8	/* room for ops to come; unknown ones are 0 */

/* How I/O is handed to the kernel. */
enum blkgen_engine {
	BLKGEN_ENGINE_BIO = 0,		/* submit_bio(), completion by interrupt */
};

/* Where on the device I/O goes. */
enum blkgen_pattern {
	/*
	 * Each worker goes through a contiguous part of the range of its own,
	 * from front to end and again.
	 */
	BLKGEN_PATTERN_SEQ = 0,
	/*
	 * All workers share one keyed permutation of the blocks of the range,
	 * worker w of n taking places w, w + n, w + 2n...: a pass hits every
	 * block exactly once. Each pass has another permutation.
	 */
	BLKGEN_PATTERN_RANDOM = 1,
};

enum blkgen_state {
	BLKGEN_STATE_IDLE = 0,		/* nothing set up */
	BLKGEN_STATE_READY = 1,		/* set up, not started */
	BLKGEN_STATE_RUNNING = 2,	/* submitting, or waiting for the last I/O */
	BLKGEN_STATE_DONE = 3,		/* nothing in flight, results are final */
};

/* Why a run stopped submitting; the first reason wins. */
enum blkgen_stop {
	BLKGEN_STOP_NONE = 0,		/* has not */
	BLKGEN_STOP_IOS = 1,		/* all of @ios were submitted */
	BLKGEN_STOP_TIME = 2,		/* @time_ns is over */
	BLKGEN_STOP_USER = 3,		/* BLKGEN_IOC_STOP */
	BLKGEN_STOP_ERRORS = 4,		/* @error_limit failures in a row */
};

/* Feature bits, struct blkgen_features.flags */
#define BLKGEN_FEAT_CGROUP	(1ULL << 0)	/* I/O is charged to the caller's io cgroup */
#define BLKGEN_FEAT_EXCL	(1ULL << 1)	/* the exclusive open is verified */

/* Setup flags, struct blkgen_setup.flags */
#define BLKGEN_SETUP_FUA	(1ULL << 0)	/* each write is on the medium when it ends */

/**
 * struct blkgen_features - what this module can do (BLKGEN_IOC_FEATURES)
 * @size: in: sizeof(struct blkgen_features)
 * @reserved: in: 0
 * @flags: BLKGEN_FEAT_* bits
 * @ops: bit n is set if enum blkgen_op n can be in a mix
 * @engines: bit n is set if enum blkgen_engine n is there
 * @patterns: bit n is set if enum blkgen_pattern n is there
 * @setup_flags: BLKGEN_SETUP_* bits that are known
 * @max_bs: largest block size in bytes
 * @max_qd: most I/Os in flight per worker
 * @max_workers: most workers in a session
 * @hist_bits: log2 of the histogram's buckets per power of two (see loglin.h)
 * @hist_buckets: length of a histogram; latencies past its end are counted
 *	in the last bucket
 * @setup_size: sizeof(struct blkgen_setup) as the module knows it
 * @max_buffer: most bytes of data buffers in a session; each I/O in flight
 *	takes bs, rounded up to a page, for reading and as much for writing
 */
struct blkgen_features {
	__u32 size;
	__u32 reserved;
	__u64 flags;
	__u64 ops;
	__u64 engines;
	__u64 patterns;
	__u64 setup_flags;
	__u32 max_bs;
	__u32 max_qd;
	__u32 max_workers;
	__u32 hist_bits;
	__u32 hist_buckets;
	__u32 setup_size;
	__u64 max_buffer;
};

/**
 * struct blkgen_setup - what to do (BLKGEN_IOC_SETUP)
 * @size: sizeof(struct blkgen_setup)
 * @dev_fd: the block device, opened O_EXCL, for reading if the mix has reads
 *	and for writing if it has other ops. The session keeps its own reference.
 * @engine: enum blkgen_engine
 * @pattern: enum blkgen_pattern
 * @flags: BLKGEN_SETUP_* bits
 * @bs: bytes per I/O, a multiple of the device's logical block size
 * @qd: I/Os each worker keeps in flight
 * @workers: number of kernel threads
 * @mix: weight of each op. With READ 70 and WRITE 30, in each 100 I/Os of a
 *	worker 70 are reads, in random order.
 * @offset: first byte used, a multiple of the logical block size
 * @length: bytes used from there, a multiple of the logical block size;
 *	0 is all up to the device's end. Only whole blocks of @bs are used.
 * @seed: the same seed and parameters make the same I/O
 * @ios: I/Os of all workers together, shared evenly; 0 is no limit
 * @time_ns: how long I/Os are submitted; 0 is no limit
 * @error_limit: failures in a row, per worker, that end the run;
 *	0 is BLKGEN_DEF_ERROR_LIMIT
 * @batch: I/Os that a worker may collect in a plug; 0 is BLKGEN_DEF_BATCH,
 *	1 is no plug
 * @flush_every: after so many I/Os other than reads a worker flushes the
 *	device's cache, with one of its @qd; 0 is never. Flushes are I/Os without
 *	bytes, and do not count for @ios.
 *
 * A session that was set up and has not been started, or is done, can be set up
 * again. A setup that fails leaves the session IDLE and without a device, unless
 * it is -EBUSY or one of the errors of every ioctl: then nothing has changed.
 *
 * Errors, in the order of the checks:
 *   -EBUSY	the session is running
 *   -EINVAL	a @flags bit is unknown
 *   -EOPNOTSUPP @engine, @pattern or an op in @mix is unknown
 *   -EINVAL	@mix is all 0, or its sum is over BLKGEN_MAX_MIX
 *   -EINVAL	BLKGEN_SETUP_FUA and the mix has no WRITE, or @flush_every is not 0
 *		and it has nothing but READ
 *   -EINVAL	@bs, @qd or @workers is 0
 *   -ERANGE	@bs, @qd, @workers or @batch is over its limit
 *   -EINVAL	@ios is not 0 and less than @workers
 *   -EBADF	@dev_fd is not open
 *   -ENOTBLK	@dev_fd is not a block device
 *   -EBADF	@dev_fd lacks the mode that the mix needs
 *   -EPERM	@dev_fd is not open O_EXCL
 *   -EROFS	the mix has more than reads and the device is read-only
 *   -EINVAL	@bs, @offset or @length is not a multiple of the logical block size
 *   -EOVERFLOW	@offset + @length is more than 64 bits hold
 *   -ENXIO	@offset + @length is past the end of the device
 *   -ENOSPC	the range has fewer blocks of @bs than there are workers
 *   -ENOMEM	the buffers need more than max_buffer
 *   -EOPNOTSUPP the mix has an op that the device does not do
 *   -ENOMEM	there is no memory
 *   -EINTR	a fatal signal came
 */
struct blkgen_setup {
	__u32 size;
	__s32 dev_fd;
	__u32 engine;
	__u32 pattern;
	__u64 flags;
	__u32 bs;
	__u32 qd;
	__u32 workers;
	__u32 error_limit;
	__u32 mix[BLKGEN_NR_OPS];
	__u64 offset;
	__u64 length;
	__u64 seed;
	__u64 ios;
	__u64 time_ns;
	__u32 batch;
	__u32 flush_every;
};

#define BLKGEN_MAX_MIX		65535
#define BLKGEN_MAX_BATCH	32
#define BLKGEN_DEF_BATCH	16
#define BLKGEN_DEF_ERROR_LIMIT	1000

/**
 * struct blkgen_status - how far the run is (BLKGEN_IOC_STATUS)
 * @size: in: sizeof(struct blkgen_status)
 * @reserved: in: 0
 * @state: enum blkgen_state
 * @stop: enum blkgen_stop
 * @elapsed_ns: time since BLKGEN_IOC_START; of the whole run when it is done
 * @inflight: I/Os submitted and not completed, of all workers
 * @errors: I/Os that failed
 * @ios: I/Os completed without an error, by op
 * @bytes: their bytes, by op
 *
 * Cheap, and allowed in every state. The counters of a run that goes on are
 * read one after another, not at one moment.
 */
struct blkgen_status {
	__u32 size;
	__u32 reserved;
	__u32 state;
	__u32 stop;
	__u64 elapsed_ns;
	__u64 inflight;
	__u64 errors;
	__u64 ios[BLKGEN_NR_OPS];
	__u64 bytes[BLKGEN_NR_OPS];
};

/**
 * struct blkgen_worker_info - what one worker cost (BLKGEN_IOC_WORKER)
 * @size: in: sizeof(struct blkgen_worker_info)
 * @worker: in: 0 .. workers - 1
 * @pid: the kernel thread, in the initial pid namespace
 * @reserved: in: 0
 * @start_ns: CLOCK_MONOTONIC at its first submission; 0 if there was none
 * @end_ns: CLOCK_MONOTONIC of its last completion; 0 if there was none
 * @cpu_ns: CPU time of the thread from START on, as the scheduler accounts it.
 *	Completions in interrupts of other tasks are not in it. While the worker
 *	runs, it may lag by a tick.
 * @submitted: I/Os submitted
 *
 * Errors:
 *   -ENODATA	the session is IDLE
 *   -EINVAL	@worker is out of range
 */
struct blkgen_worker_info {
	__u32 size;
	__u32 worker;
	__u32 pid;
	__u32 reserved;
	__u64 start_ns;
	__u64 end_ns;
	__u64 cpu_ns;
	__u64 submitted;
};

/**
 * struct blkgen_error - I/Os that failed alike
 * @err: errno (positive) of their block status: ENODATA a medium error,
 *	ETIMEDOUT a timeout, ENOLINK the transport, ENODEV offline, EIO other
 * @reserved: 0
 * @count: how many, at least 1
 */
struct blkgen_error {
	__u32 err;
	__u32 reserved;
	__u64 count;
};

#define BLKGEN_NR_ERRORS	16

/**
 * struct blkgen_result - what one worker saw of one op (BLKGEN_IOC_RESULT)
 * @size: in: sizeof(struct blkgen_result)
 * @worker: in: 0 .. workers - 1
 * @op: in: enum blkgen_op
 * @hist_len: in: room at @hist_ptr, in buckets, 0 or at least hist_buckets
 *	of struct blkgen_features; out: buckets written
 * @hist_ptr: in: where the histogram goes, hist_len of __u64; 0 if hist_len is
 * @ios: I/Os completed without an error
 * @bytes: their bytes
 * @lat_sum: sum of their latencies, ns. A latency goes from right before
 *	submit_bio() to bi_end_io, and includes time in the worker's plug.
 * @lat_min: smallest of their latencies, ns; 0 if there were none
 * @lat_max: largest, exact; 0 if there were none
 * @errors: I/Os that failed; they are in none of the above
 * @nr_error: entries of @error that are in use
 * @reserved: in: 0
 * @error: failures by cause
 *
 * Allowed while the run goes on; counters are then not of one moment.
 *
 * Errors:
 *   -ENODATA	the session is IDLE
 *   -EINVAL	@worker or @op is out of range, or only one of @hist_ptr and
 *		@hist_len is 0
 *   -ENOSPC	@hist_len is not 0 and too small
 */
struct blkgen_result {
	__u32 size;
	__u32 worker;
	__u32 op;
	__u32 hist_len;
	__u64 hist_ptr;
	__u64 ios;
	__u64 bytes;
	__u64 lat_sum;
	__u64 lat_min;
	__u64 lat_max;
	__u64 errors;
	__u32 nr_error;
	__u32 reserved;
	struct blkgen_error error[BLKGEN_NR_ERRORS];
};

/*
 * START and STOP take no argument: 0, else -EINVAL.
 *
 * START: -EINVAL unless READY. Returns at once.
 * STOP: no more I/O is submitted. Returns at once: poll() tells when what was
 * in flight is done. -EINVAL unless RUNNING or DONE (where it does nothing).
 *
 * The numbers carry no size, the structs do.
 */
#define BLKGEN_IOC_MAGIC	0xBE
#define BLKGEN_IOC_FEATURES	_IO(BLKGEN_IOC_MAGIC, 0x00)
#define BLKGEN_IOC_SETUP	_IO(BLKGEN_IOC_MAGIC, 0x01)
#define BLKGEN_IOC_START	_IO(BLKGEN_IOC_MAGIC, 0x02)
#define BLKGEN_IOC_STATUS	_IO(BLKGEN_IOC_MAGIC, 0x03)
#define BLKGEN_IOC_WORKER	_IO(BLKGEN_IOC_MAGIC, 0x04)
#define BLKGEN_IOC_RESULT	_IO(BLKGEN_IOC_MAGIC, 0x05)
#define BLKGEN_IOC_STOP		_IO(BLKGEN_IOC_MAGIC, 0x06)

#endif /* _UAPI_BLKGEN_H */
