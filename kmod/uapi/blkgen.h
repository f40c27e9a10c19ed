/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The ioctl ABI of /dev/blkgen, the device of blkgen, which makes block I/O load inside the
 * kernel.
 *
 * An open file of /dev/blkgen is a session. A session drives one block device with one load; to
 * load several devices at once, open several sessions. A run ends at the latest with the
 * session's last file descriptor: when that descriptor is closed, for whatever reason, the module
 * submits no more I/O, waits for the I/Os in flight, and releases the block device.
 *
 *	fd = open("/dev/blkgen", O_RDWR | O_CLOEXEC);
 *	ioctl(fd, BLKGEN_IOC_SETUP, &setup);	IDLE or DONE -> READY
 *	ioctl(fd, BLKGEN_IOC_START, 0);		READY -> RUNNING
 *	poll(fd, POLLIN);			POLLIN when DONE
 *	ioctl(fd, BLKGEN_IOC_RESULT, &result);
 *	close(fd);
 *
 * Every struct begins with its own size, as the caller knows it. If the caller is older than the
 * module, the fields that the caller does not know get their defaults. If the caller is newer,
 * the fields that the module does not know must be zero, else the ioctl returns -E2BIG. When the
 * module fills in a struct, it writes no more than @size bytes and zeroes the fields that it does
 * not know. Reserved fields must be zero, else the ioctl returns -EINVAL.
 *
 * Errors of every ioctl:
 *   -ENOTTY	there is no such ioctl
 *   -EFAULT	the argument cannot be read or written
 *   -EINVAL	@size is smaller than the first version of the struct,
 *		or a reserved field is not zero
 *   -E2BIG	@size is larger than a page, or a field that the module does not
 *		know is not zero
 *   -EINTR	a fatal signal arrived while waiting for another ioctl of the session
 */
#ifndef _UAPI_BLKGEN_H
#define _UAPI_BLKGEN_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define BLKGEN_DEVICE		"/dev/blkgen"

/* The operation of an I/O. It is the index into the mix, and selects a result. */
enum blkgen_op {
	BLKGEN_OP_READ = 0,
	BLKGEN_OP_WRITE = 1,
	BLKGEN_OP_TRIM = 2,		/* discard */
	BLKGEN_OP_ZEROES = 3,		/* write zeroes, no data is sent */
	BLKGEN_OP_FLUSH = 4,		/* not in a mix: see @flush_every */
};

#define BLKGEN_NR_OPS		8	/* room for future ops; unknown ops must be 0 */

/* The engine: the way in which the module submits I/O */
enum blkgen_engine {
	BLKGEN_ENGINE_BIO = 0,		/* submit_bio(), completion by interrupt */
	/*
	 * submit_bio_wait(): one I/O at a time, @qd is 1. The I/O ends when the worker runs
	 * again.
	 */
	BLKGEN_ENGINE_SYNC = 1,
	/*
	 * submit_bio(), completion by bio_poll(). Reads and writes only, on devices that can be
	 * polled and do not split I/Os of @bs. A flush completes by interrupt, as all flushes do.
	 */
	BLKGEN_ENGINE_POLLED = 2,
	/*
	 * Reads and writes through the page cache, one at a time, @qd is 1. A flush is an fsync.
	 * If the load has flushes, each worker ends with a flush. Without flushes, a write ends
	 * when its data is in the page cache.
	 */
	BLKGEN_ENGINE_BUFFERED = 3,
};

/* The order in which the I/Os go over the device */
enum blkgen_pattern {
	/*
	 * Each worker has a contiguous part of the range, goes through it from front to end, and
	 * begins again.
	 */
	BLKGEN_PATTERN_SEQ = 0,
	/*
	 * All workers share one keyed permutation of the places of the range. Worker w of n takes
	 * the places w, w + n, w + 2n... of the permutation: a pass hits every place exactly
	 * once. Each pass has another permutation.
	 */
	BLKGEN_PATTERN_RANDOM = 1,
	/* Each I/O draws its place at random, by the weights of @zones. There are no passes. */
	BLKGEN_PATTERN_DRAW = 2,
	/*
	 * @streams sequential streams. Each stream has a part of the range. The streams are
	 * shared evenly by the workers, and a worker serves its streams in turn. A pass of a
	 * worker is over when each of its streams has reached its end.
	 */
	BLKGEN_PATTERN_STREAMS = 3,
};

/* When I/Os are due if @rate is not 0 */
enum blkgen_arrival {
	BLKGEN_ARRIVAL_FIXED = 0,	/* at equal intervals */
	BLKGEN_ARRIVAL_POISSON = 1,	/* at exponentially distributed intervals */
};

enum blkgen_state {
	BLKGEN_STATE_IDLE = 0,		/* nothing set up */
	BLKGEN_STATE_READY = 1,		/* set up, not started */
	BLKGEN_STATE_RUNNING = 2,	/* submitting, or waiting for the last I/Os */
	BLKGEN_STATE_DONE = 3,		/* nothing in flight, results are final */
};

/*
 * The reason why a run stopped submitting I/O; the first reason wins. Each worker reaches a limit
 * of I/Os, bytes or passes on its own: it has a share of @ios and @bytes, and makes all @passes. If
 * such limits end the run, the reason is the limit of the worker that ended last.
 */
enum blkgen_stop {
	BLKGEN_STOP_NONE = 0,		/* the run has not stopped */
	BLKGEN_STOP_IOS = 1,		/* all of @ios were submitted */
	BLKGEN_STOP_TIME = 2,		/* @time_ns has passed */
	BLKGEN_STOP_USER = 3,		/* BLKGEN_IOC_STOP */
	BLKGEN_STOP_ERRORS = 4,		/* @error_limit or @error_max was reached */
	BLKGEN_STOP_BYTES = 5,		/* all of @bytes were submitted */
	BLKGEN_STOP_PASS = 6,		/* all workers have made @passes */
};

/* Feature bits, struct blkgen_features.flags */
#define BLKGEN_FEAT_CGROUP	(1ULL << 0)	/* I/O is charged to the io cgroup of the caller */
#define BLKGEN_FEAT_EXCL	(1ULL << 1)	/* the module checks O_EXCL */

/* Setup flags, struct blkgen_setup.flags */
#define BLKGEN_SETUP_FUA	(1ULL << 0)	/* a write is on the medium when it completes */
#define BLKGEN_SETUP_RATE_BYTES	(1ULL << 1)	/* @rate is in bytes per second */
#define BLKGEN_SETUP_SCATTER	(1ULL << 2)	/* drawn places go through a permutation */
#define BLKGEN_SETUP_VERIFY	(1ULL << 3)	/* writes are tagged, reads are checked */
#define BLKGEN_SETUP_APART	(1ULL << 4)	/* reads have a position of their own */
#define BLKGEN_SETUP_FLAGS	((1ULL << 5) - 1)	/* mask of all of them */

/**
 * struct blkgen_size - a block size and its weight
 * @bytes: block size in bytes; a multiple of the logical block size, at most bs
 * @weight: weight of this size, relative to the other sizes
 */
struct blkgen_size {
	__u32 bytes;
	__u32 weight;
};

/**
 * struct blkgen_zone - a group of places, each of which is drawn with the same probability
 * @first: first place of the zone, in units of align from the start of the range
 * @count: number of places, at least 1
 * @weight: weight of the zone as a whole, relative to the other zones
 * @reserved: 0
 */
struct blkgen_zone {
	__u64 first;
	__u64 count;
	__u32 weight;
	__u32 reserved;
};

#define BLKGEN_MAX_TABLE	4096		/* most entries in @sizes, and in @zones */
#define BLKGEN_MAX_WEIGHT	(1U << 31)	/* largest sum of the weights of a table */

/**
 * struct blkgen_features - what this module can do (BLKGEN_IOC_FEATURES)
 * @size: in: sizeof(struct blkgen_features)
 * @reserved: in: 0
 * @flags: BLKGEN_FEAT_* bits
 * @ops: bit n is set if enum blkgen_op n can be in a mix
 * @engines: bit n is set if the module has enum blkgen_engine n
 * @patterns: bit n is set if the module has enum blkgen_pattern n
 * @setup_flags: BLKGEN_SETUP_* bits that the module knows
 * @max_bs: largest block size in bytes
 * @max_qd: most I/Os in flight per worker
 * @max_workers: most workers in a session
 * @hist_bits: log2 of the histogram's buckets per power of two (see loglin.h)
 * @hist_buckets: number of buckets of a histogram; a latency beyond the last bucket is counted in
 *	the last bucket
 * @setup_size: sizeof(struct blkgen_setup) as the module knows it
 * @max_buffer: largest total size of the data buffers of a session, in bytes. For each of its qd
 *	I/Os, a worker has a buffer of bs bytes, rounded up to a page, if the mix has reads, and
 *	another one if the mix has writes.
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
 * struct blkgen_setup - the load to make (BLKGEN_IOC_SETUP)
 * @size: sizeof(struct blkgen_setup)
 * @dev_fd: the block device, opened O_EXCL, for reading if the mix has reads and for writing if
 *	the mix has other ops. The session keeps its own reference.
 * @engine: enum blkgen_engine
 * @pattern: enum blkgen_pattern
 * @flags: BLKGEN_SETUP_* bits
 * @bs: bytes per I/O, a multiple of the device's logical block size; if there are @sizes, the
 *	most bytes per I/O
 * @qd: I/Os that each worker keeps in flight
 * @workers: number of kernel threads
 * @mix: weight of each op. With READ 70 and WRITE 30, 70 of each 100 I/Os of a worker are reads,
 *	in random order.
 * @offset: first byte of the range on the device, a multiple of the logical block size
 * @length: bytes of the range, a multiple of the logical block size; 0: the range reaches to the
 *	device's end. Only whole blocks of @bs are used.
 * @seed: the same seed and parameters make the same I/Os
 * @ios: I/Os of all workers together, shared evenly; 0: no limit
 * @time_ns: time in which a worker may begin a batch of I/Os, in ns from the end of the ramp; 0:
 *	no limit. The rest of a batch that has begun may still be submitted.
 * @error_limit: number of failures in a row, of one worker, that ends the run; 0:
 *	BLKGEN_DEF_ERROR_LIMIT
 * @batch: I/Os that a worker may collect in a plug; 0: BLKGEN_DEF_BATCH, 1: no plug
 * @flush_every: number of I/Os other than reads after which a worker flushes the device's cache;
 *	0: never. The flush takes one of the worker's @qd slots, transfers no bytes, and does not
 *	count for @ios.
 * @align: I/Os begin at multiples of this many bytes from @offset; a multiple of the logical
 *	block size; 0: @bs. A place of RANDOM and DRAW is such a multiple at which an I/O of @bs
 *	fits into the range.
 * @nr_sizes: entries in @sizes; 0: all I/Os have @bs. Each I/O draws its own size.
 * @sizes: address of an array of struct blkgen_size
 * @zones: address of an array of struct blkgen_zone, for DRAW
 * @nr_zones: entries in @zones
 * @streams: number of streams, for STREAMS
 * @zone_size: bytes that a stream covers before it skips @zone_skip bytes; it skips earlier if less
 *	than @bs is left of the zone. 0: the stream does not skip.
 * @zone_skip: bytes that a stream skips; a multiple of the logical block size, as is @zone_size.
 *	@zone_size + @zone_skip is a multiple of @align.
 * @zone_range: bytes from the start of one stream to the start of the next; 0: the length of the
 *	range divided by @streams
 * @rate: I/Os due per second, of all workers together, or bytes with BLKGEN_SETUP_RATE_BYTES; 0:
 *	as many as @qd allows. With a rate, a latency counts from the time when the I/O was due,
 *	even if the device had not yet taken the I/Os that were due earlier.
 * @arrival: enum blkgen_arrival
 * @burst: I/Os that are due at the same time; the average rate stays the same. 0: 1
 * @think_ns: ns from the end of an I/O to the next I/O of the same slot, at most BLKGEN_MAX_WAIT;
 *	not with @rate
 * @ramp_ns: length of the ramp, in ns from START. I/Os that begin in the ramp are in no result
 *	and do not count for @ios, @bytes and @time_ns; only their failures and mismatches are
 *	counted.
 * @bytes: bytes of all workers together, shared evenly; 0: no limit. The I/O that reaches the
 *	limit is not cut short.
 * @passes: passes that each worker makes; 0: no limit; not with DRAW
 * @error_max: number of failures and mismatches, of all workers together, that ends the run; 0:
 *	no limit
 * @stall_ns: a time without completions that is longer than this, in ns, while I/Os are in
 *	flight, counts as a stall; 0: BLKGEN_DEF_STALL
 * @worker_ios: address of an array of @workers __u64: the I/Os of each worker; 0: no array. @ios
 *	must then be 0. This serves to repeat exactly what an earlier run has done.
 * @cpus: address of an array of @workers __s32: the CPU that each worker is bound to, -1: none.
 *	0: no worker is bound
 * @generation: generation in the tags of BLKGEN_SETUP_VERIFY; without that flag 0
 * @reserved: 0
 *
 * A session that was set up and has not been started, or is done, can be set up again. A setup that
 * fails leaves the session IDLE and without a device. However, it changes nothing if it fails with
 * -EBUSY, or with one of the errors of every ioctl before the parameters are checked. STATUS tells
 * the state.
 *
 * Unless the engine is BUFFERED, SETUP writes back the pages of the device that are in the page
 * cache, and drops them.
 *
 * Errors, in the order of the checks:
 *   -EBUSY	the session is running
 *   -EINVAL	a @flags bit is unknown
 *   -EOPNOTSUPP @engine, @pattern or @arrival is unknown, or the engine does not
 *		do an op in @mix
 *   -EINVAL	@mix is all 0, or its sum is over BLKGEN_MAX_MIX
 *   -EINVAL	BLKGEN_SETUP_FUA is set and the mix has no WRITE, or @flush_every is not
 *		0 and the mix has nothing but READ
 *   -EINVAL	BLKGEN_SETUP_VERIFY is set and the mix is anything but READ alone or WRITE
 *		alone, or @generation is not 0 without BLKGEN_SETUP_VERIFY
 *   -EINVAL	@bs, @qd or @workers is 0
 *   -ERANGE	@qd is over 1, and @engine does one I/O at a time
 *   -ERANGE	@bs, @qd, @workers, @batch, @nr_sizes, @nr_zones or @streams is over
 *		its limit
 *   -EINVAL	@ios is not 0 and less than @workers, or @worker_ios and @ios are
 *		both not 0
 *   -EINVAL	there are @zones and the pattern is not DRAW, or the pattern is DRAW and
 *		there are none; @streams or a @zone_* field of streams is not 0 and the
 *		pattern is not STREAMS; there are fewer @streams than @workers; @zone_skip
 *		without @zone_size; @zone_size is less than @bs; SCATTER without DRAW;
 *		@passes with DRAW
 *   -EINVAL	BLKGEN_SETUP_APART is set and the pattern is not SEQ, there are @sizes,
 *		@align is not @bs, or @mix does not have both reads and another op
 *   -EINVAL	@arrival, @burst or RATE_BYTES without @rate, or @think_ns with @rate
 *   -ERANGE	a worker would have to wait for more than BLKGEN_MAX_WAIT (274 s) from one
 *		I/O or burst to the next, @think_ns is over BLKGEN_MAX_WAIT, @rate is over
 *		2^40, or the I/Os (with RATE_BYTES: bytes) of a burst of all workers are
 *		2^64 / 10^9 (18.4 * 10^9) or more
 *   -EBADF	@dev_fd is not open
 *   -ENOTBLK	@dev_fd is not a block device
 *   -EBADF	@dev_fd is not open in the mode that the mix needs
 *   -EPERM	@dev_fd is not open O_EXCL
 *   -EROFS	the mix has ops other than reads and the device is read-only
 *   -EINVAL	@bs, @offset, @length, @align, @zone_size, @zone_skip or @zone_range is
 *		not a multiple of the logical block size
 *   -EOVERFLOW	@offset + @length does not fit in 64 bits
 *   -ENXIO	@offset + @length is past the end of the device
 *   -ENOSPC	the range has fewer places than there are workers, or the part of the range
 *		of a stream or worker is less than @bs
 *   -EINVAL	@zone_size + @zone_skip, or @zone_range, is not a multiple of @align
 *   -EFAULT	@sizes, @zones, @worker_ios or @cpus cannot be read
 *   -EINVAL	the weights of @sizes or @zones are all 0, or their sum is over
 *		BLKGEN_MAX_WEIGHT; a size is 0, over @bs or not a multiple of the
 *		logical block size; a CPU is not online
 *   -ERANGE	a zone is not within the places of the range
 *   -ENOMEM	the buffers need more than max_buffer
 *   -EOPNOTSUPP the device does not do an op of the mix; the engine is POLLED and the
 *		device cannot be polled or would split I/Os of @bs; or the engine is
 *		BUFFERED, with FUA or with a @dev_fd opened O_DIRECT
 *   -ENOMEM	there is no memory
 *   -EINTR	a fatal signal arrived
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
	__u32 align;
	__u32 nr_sizes;
	__u64 sizes;
	__u64 zones;
	__u32 nr_zones;
	__u32 streams;
	__u64 zone_size;
	__u64 zone_skip;
	__u64 zone_range;
	__u64 rate;
	__u32 arrival;
	__u32 burst;
	__u64 think_ns;
	__u64 ramp_ns;
	__u64 bytes;
	__u64 passes;
	__u64 error_max;
	__u64 stall_ns;
	__u64 worker_ios;
	__u64 cpus;
	__u32 generation;
	__u32 reserved;
};

#define BLKGEN_MAX_MIX		65535
/* The longest time between two I/Os of a worker or slot that a load may ask for, ns */
#define BLKGEN_MAX_WAIT		(1ULL << 38)
#define BLKGEN_MAX_BATCH	32
#define BLKGEN_DEF_BATCH	16
#define BLKGEN_DEF_ERROR_LIMIT	1000
#define BLKGEN_MAX_STREAMS	1024
#define BLKGEN_DEF_STALL	100000000ULL	/* ns */

/* Stands for a worker's number: the sum of all workers */
#define BLKGEN_ALL_WORKERS	0xffffffffU

/**
 * struct blkgen_status - the progress of the run (BLKGEN_IOC_STATUS)
 * @size: in: sizeof(struct blkgen_status)
 * @reserved: in: 0
 * @state: enum blkgen_state
 * @stop: enum blkgen_stop
 * @elapsed_ns: ns since BLKGEN_IOC_START; when the run is done, the length of the whole run
 * @inflight: I/Os of all workers that are submitted and not completed
 * @errors: I/Os that failed
 * @ios: I/Os completed without an error, by op
 * @bytes: bytes of @ios, by op
 *
 * This ioctl is cheap, and allowed in every state. While the run goes on, the counters are read
 * one after another and so do not belong to the same moment.
 *
 * A worker that waits for completions does not always look at the clock. Therefore this ioctl, too,
 * stops a run when @time_ns has passed.
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
 * struct blkgen_worker_info - the CPU time and progress of one worker (BLKGEN_IOC_WORKER)
 * @size: in: sizeof(struct blkgen_worker_info)
 * @worker: in: 0 .. workers - 1, or BLKGEN_ALL_WORKERS
 * @pid: pid of the kernel thread, in the initial pid namespace; 0 for all workers
 * @reserved: in: 0
 * @start_ns: CLOCK_MONOTONIC when the worker began, or at the end of the ramp; 0 if the worker
 *	has submitted nothing
 * @end_ns: CLOCK_MONOTONIC of the worker's last completion without an error after the ramp; 0 if
 *	there was none. With a rate, the end of the run moves the time forward to when the next I/O
 *	of any worker would have been due, but not past the end of the run's time limit, nor, if the
 *	run was stopped, past the worker's end. It is never moved back.
 * @cpu_ns: CPU time of the thread in ns, from START or the end of the ramp on, as the scheduler
 *	accounts it. It does not include completions that run in interrupts of other tasks. While
 *	the worker runs, it may lag by a tick.
 * @submitted: I/Os submitted, including those of the ramp and flushes
 * @oldest_ns: CLOCK_MONOTONIC at the submission of the oldest I/O in flight; 0 if there
 *	is none
 * @unpolled: I/Os of BLKGEN_ENGINE_POLLED that were submitted as polled, but that a lower layer
 *	turned into interrupt driven I/Os; counted from the end of the ramp
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
	__u64 oldest_ns;
	__u64 unpolled;
};

/**
 * struct blkgen_error - the number of I/Os that failed with the same error
 * @err: errno (positive) of the block status: ENODATA (medium error), ETIMEDOUT (timeout), ENOLINK
 *	(transport error), ENODEV (device offline), EIO (any other error)
 * @reserved: 0
 * @count: I/Os that failed, at least 1
 */
struct blkgen_error {
	__u32 err;
	__u32 reserved;
	__u64 count;
};

#define BLKGEN_NR_ERRORS	16

/**
 * enum blkgen_what - the kind of result that the caller asks for
 * @BLKGEN_WHAT_LATENCY: latency of the I/Os of an op: from the time when the I/O was due to
 *	bi_end_io; without @rate, from the submission
 * @BLKGEN_WHAT_SERVICE: service time of the I/Os of an op: from right before submit_bio() of the
 *	first I/O of their batch (with VERIFY: of the I/O) to bi_end_io. Without @rate it is
 *	the same as LATENCY.
 * @BLKGEN_WHAT_STREAM: latency, as for BLKGEN_WHAT_LATENCY, of the I/Os of a stream, of all ops
 *	but flushes
 */
enum blkgen_what {
	BLKGEN_WHAT_LATENCY = 0,
	BLKGEN_WHAT_SERVICE = 1,
	BLKGEN_WHAT_STREAM = 2,
};

/**
 * struct blkgen_result - results of one worker for one op (BLKGEN_IOC_RESULT)
 * @size: in: sizeof(struct blkgen_result)
 * @worker: in: 0 .. workers - 1, or BLKGEN_ALL_WORKERS
 * @op: in: enum blkgen_op. For BLKGEN_WHAT_STREAM the number of the stream; @worker must then be
 *	BLKGEN_ALL_WORKERS, as each stream belongs to one worker.
 * @hist_len: in: room at @hist_ptr in buckets, 0 or at least hist_buckets of struct
 *	blkgen_features; out: buckets written
 * @hist_ptr: in: address for the histogram, @hist_len of __u64; 0 if @hist_len is 0
 * @ios: I/Os completed without an error
 * @bytes: bytes of @ios
 * @lat_sum: sum of the latencies of @ios, ns; 2^64 - 1 if it is larger. A latency includes the
 *	time that the I/O spends in the worker's plug. All I/Os of a batch may have the start of
 *	the batch as their beginning.
 * @lat_min: smallest latency of @ios, ns; 0 if there were no I/Os
 * @lat_max: largest latency of @ios, ns, exact; 0 if there were no I/Os
 * @errors: I/Os that failed; they are not in @ios, @bytes and the latencies. Failures are counted
 *	by op and not by stream: for a stream, @errors, @nr_error and @mismatches are 0.
 * @nr_error: entries of @error that are in use
 * @reserved: in: 0
 * @error: failures, by errno
 * @what: in: enum blkgen_what
 * @hist_bits: log2 of the histogram's buckets per power of two
 * @mismatches: reads that returned wrong data; they are not in @ios, @bytes, @errors and the
 *	latencies
 *
 * The ioctl is allowed while the run goes on; the counters then do not belong to the same moment.
 *
 * Errors:
 *   -ENODATA	the session is IDLE
 *   -EINVAL	@worker, @op or @what is out of range, or only one of @hist_ptr and
 *		@hist_len is 0
 *   -ENOMEM	there is no memory for the sum of the histograms
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
	__u32 what;
	__u32 hist_bits;
	__u64 mismatches;
};

/**
 * struct blkgen_stall - a time in which a worker had I/Os in flight and none of them completed
 * @start_ns: CLOCK_MONOTONIC of the beginning: the last completion before the stall, the first
 *	submission after a time with nothing in flight, or the end of the ramp, whichever is the
 *	latest
 * @length_ns: ns from @start_ns to the next completion
 * @worker: number of the worker
 * @inflight: I/Os of the worker in flight at the end of the stall, including the I/O that ended
 *	it
 */
struct blkgen_stall {
	__u64 start_ns;
	__u64 length_ns;
	__u32 worker;
	__u32 inflight;
};

#define BLKGEN_NR_STALLS	32	/* the first stalls of each worker are kept */

/**
 * struct blkgen_stalls - the times when no I/O of a worker completed (BLKGEN_IOC_STALLS)
 * @size: in: sizeof(struct blkgen_stalls)
 * @worker: in: 0 .. workers - 1
 * @total: number of stalls; the first BLKGEN_NR_STALLS of them are in @stall
 * @reserved: in: 0
 * @stall: the stalls, in the order of time; entries past @total are 0
 *
 * A stall that has not ended is not included: see @end_ns and @oldest_ns of struct
 * blkgen_worker_info.
 *
 * Errors:
 *   -ENODATA	the session is IDLE
 *   -EINVAL	@worker is out of range
 */
struct blkgen_stalls {
	__u32 size;
	__u32 worker;
	__u32 total;
	__u32 reserved;
	struct blkgen_stall stall[BLKGEN_NR_STALLS];
};

/*
 * The data that BLKGEN_SETUP_VERIFY writes: each 512 byte sector has, in little
 * endian,
 *	0	__u32 BLKGEN_TAG_MAGIC
 *	4	__u32 CRC32C (Castagnoli) of the bytes from 8 to 511
 *	8	__u64 LBA: the sector's number, counted from the start of the device
 *	16	__u64 seed of the setup
 *	24	__u32 generation of the setup
 *	28	__u32 0
 *	32	__u64[60] hash(x), hash(x + G), hash(x + 2 G)...
 * with
 *	x = hash(hash(hash(generation) ^ seed) ^ LBA), G = 0x9e3779b97f4a7c15,
 * and hash(x) the splitmix64 generator's output for state x. The data depends on the
 * LBA, the seed and the generation only: a sector that is written twice gets the same
 * data, and the block size of the reads may differ from that of the writes.
 */
#define BLKGEN_TAG_SECTOR	512
#define BLKGEN_TAG_MAGIC	0x474b4c42U	/* "BLKG" */

/* The ways in which a sector is wrong, struct blkgen_mismatch.kinds */
#define BLKGEN_MISMATCH_MAGIC		(1U << 0)	/* the sector has no tag */
#define BLKGEN_MISMATCH_ZEROES		(1U << 1)	/* the sector has only zeroes */
#define BLKGEN_MISMATCH_CRC		(1U << 2)	/* the CRC does not match the data */
#define BLKGEN_MISMATCH_LBA		(1U << 3)	/* the tag has another LBA */
#define BLKGEN_MISMATCH_SEED		(1U << 4)	/* the tag has another seed */
#define BLKGEN_MISMATCH_GENERATION	(1U << 5)	/* the tag has another generation */
#define BLKGEN_MISMATCH_DATA		(1U << 6)	/* the tag is right, the data is not */

/**
 * struct blkgen_tag - the tag of a sector
 * @lba: number of the sector that the tag was made for
 * @seed: seed of the setup
 * @generation: generation of the setup
 * @crc: CRC of the sector
 */
struct blkgen_tag {
	__u64 lba;
	__u64 seed;
	__u32 generation;
	__u32 crc;
};

/**
 * struct blkgen_mismatch - a read that returned wrong data
 * @sector: the first sector of the read that does not match, counted from the start of the device
 * @sectors: number of sectors of the read that do not match
 * @kinds: BLKGEN_MISMATCH_* bits of the sector at @sector
 * @worker: number of the worker
 * @reserved: 0
 * @expected: tag that @sector should have
 * @found: tag that was read at @sector; meaningless with BLKGEN_MISMATCH_MAGIC
 */
struct blkgen_mismatch {
	__u64 sector;
	__u32 sectors;
	__u32 kinds;
	__u32 worker;
	__u32 reserved;
	struct blkgen_tag expected;
	struct blkgen_tag found;
};

#define BLKGEN_NR_MISMATCHES	16	/* the first mismatches of each session are kept */

/**
 * struct blkgen_mismatches - reads that did not match (BLKGEN_IOC_MISMATCH)
 * @size: in: sizeof(struct blkgen_mismatches)
 * @reserved: in: 0
 * @total: reads with a mismatch; the first BLKGEN_NR_MISMATCHES are in @first
 * @sectors: number of sectors that do not match, in all those reads
 * @first: the mismatches, in the order in which the workers saw them; entries past @total are 0
 *
 * Errors:
 *   -ENODATA	the session is IDLE
 */
struct blkgen_mismatches {
	__u32 size;
	__u32 reserved;
	__u64 total;
	__u64 sectors;
	struct blkgen_mismatch first[BLKGEN_NR_MISMATCHES];
};

/*
 * START and STOP take no argument: it must be 0, else -EINVAL. Both return at once.
 *
 * START fails with -EINVAL if the session is not READY. It also fails if the device has changed
 * since SETUP, and the session then stays READY: with -EROFS if the device is read-only now and the
 * mix has ops other than reads, with -ENXIO if the device has become too small, with -EINVAL if its
 * logical blocks have another size.
 *
 * After STOP the module submits no more I/O; poll() reports when the I/Os in flight have completed.
 * STOP does nothing if the session is DONE, and fails with -EINVAL if it is IDLE or READY.
 *
 * The ioctl numbers do not encode a size, because each struct carries its own size.
 */
#define BLKGEN_IOC_MAGIC	0xBE
#define BLKGEN_IOC_FEATURES	_IO(BLKGEN_IOC_MAGIC, 0x00)
#define BLKGEN_IOC_SETUP	_IO(BLKGEN_IOC_MAGIC, 0x01)
#define BLKGEN_IOC_START	_IO(BLKGEN_IOC_MAGIC, 0x02)
#define BLKGEN_IOC_STATUS	_IO(BLKGEN_IOC_MAGIC, 0x03)
#define BLKGEN_IOC_WORKER	_IO(BLKGEN_IOC_MAGIC, 0x04)
#define BLKGEN_IOC_RESULT	_IO(BLKGEN_IOC_MAGIC, 0x05)
#define BLKGEN_IOC_STOP		_IO(BLKGEN_IOC_MAGIC, 0x06)
#define BLKGEN_IOC_STALLS	_IO(BLKGEN_IOC_MAGIC, 0x07)
#define BLKGEN_IOC_MISMATCH	_IO(BLKGEN_IOC_MAGIC, 0x08)

#endif /* _UAPI_BLKGEN_H */
