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
	/*
	 * submit_bio_wait(): one I/O at a time, @qd is 1. It is done when the
	 * worker runs again.
	 */
	BLKGEN_ENGINE_SYNC = 1,
	/*
	 * submit_bio(), completion by bio_poll(). Reads and writes, on devices that
	 * poll and do not split I/Os of @bs. A flush completes by interrupt, as all
	 * flushes do.
	 */
	BLKGEN_ENGINE_POLLED = 2,
	/*
	 * Reads and writes through the page cache, one at a time, @qd is 1. A
	 * flush is an fsync, and where there are flushes each worker ends with one.
	 * Without, a write is done when the page cache has it.
	 */
	BLKGEN_ENGINE_BUFFERED = 3,
};

/* Where on the device I/O goes. */
enum blkgen_pattern {
	/*
	 * Each worker goes through a contiguous part of the range of its own,
	 * from front to end and again.
	 */
	BLKGEN_PATTERN_SEQ = 0,
	/*
	 * All workers share one keyed permutation of the places of the range,
	 * worker w of n taking w, w + n, w + 2n...: a pass hits every place
	 * exactly once. Each pass has another permutation.
	 */
	BLKGEN_PATTERN_RANDOM = 1,
	/* Each I/O draws its place, by the weights of @zones. There are no passes. */
	BLKGEN_PATTERN_DRAW = 2,
	/*
	 * @streams sequential streams, each in a part of the range of its own,
	 * shared evenly by the workers, which take theirs in turn. A pass of a
	 * worker is over when all its streams have been at their ends.
	 */
	BLKGEN_PATTERN_STREAMS = 3,
};

/* When I/Os are due, if @rate is not 0 */
enum blkgen_arrival {
	BLKGEN_ARRIVAL_FIXED = 0,	/* at equal distances */
	BLKGEN_ARRIVAL_POISSON = 1,	/* at exponentially distributed distances */
};

enum blkgen_state {
	BLKGEN_STATE_IDLE = 0,		/* nothing set up */
	BLKGEN_STATE_READY = 1,		/* set up, not started */
	BLKGEN_STATE_RUNNING = 2,	/* submitting, or waiting for the last I/O */
	BLKGEN_STATE_DONE = 3,		/* nothing in flight, results are final */
};

/*
 * Why a run stopped submitting; the first reason wins. If that is a limit of I/Os,
 * bytes or passes, it is the one that the last worker to end came to.
 */
enum blkgen_stop {
	BLKGEN_STOP_NONE = 0,		/* has not */
	BLKGEN_STOP_IOS = 1,		/* all of @ios were submitted */
	BLKGEN_STOP_TIME = 2,		/* @time_ns is over */
	BLKGEN_STOP_USER = 3,		/* BLKGEN_IOC_STOP */
	BLKGEN_STOP_ERRORS = 4,		/* @error_limit failures in a row, or @error_max */
	BLKGEN_STOP_BYTES = 5,		/* all of @bytes were submitted */
	BLKGEN_STOP_PASS = 6,		/* all workers have made @passes */
};

/* Feature bits, struct blkgen_features.flags */
#define BLKGEN_FEAT_CGROUP	(1ULL << 0)	/* I/O is charged to the caller's io cgroup */
#define BLKGEN_FEAT_EXCL	(1ULL << 1)	/* the exclusive open is verified */

/* Setup flags, struct blkgen_setup.flags */
#define BLKGEN_SETUP_FUA	(1ULL << 0)	/* each write is on the medium when it ends */
#define BLKGEN_SETUP_RATE_BYTES	(1ULL << 1)	/* @rate is in bytes per second */
#define BLKGEN_SETUP_SCATTER	(1ULL << 2)	/* what is drawn goes through a permutation */
#define BLKGEN_SETUP_VERIFY	(1ULL << 3)	/* writes are tagged, reads are checked */
#define BLKGEN_SETUP_APART	(1ULL << 4)	/* reads go their own way through the range */

/**
 * struct blkgen_size - a block size and its weight
 * @bytes: a multiple of the logical block size, at most bs
 * @weight: relative to the others'
 */
struct blkgen_size {
	__u32 bytes;
	__u32 weight;
};

/**
 * struct blkgen_zone - places that are drawn alike
 * @first: place, counted in units of align from the start of the range
 * @count: how many, at least 1; one of them is drawn, each as likely
 * @weight: of the zone as a whole, relative to the others'
 * @reserved: 0
 */
struct blkgen_zone {
	__u64 first;
	__u64 count;
	__u32 weight;
	__u32 reserved;
};

#define BLKGEN_MAX_TABLE	4096		/* entries of sizes, of zones */
#define BLKGEN_MAX_WEIGHT	(1U << 31)	/* sum over a table */

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
 * @bs: bytes per I/O, a multiple of the device's logical block size; the most
 *	bytes, if there are @sizes
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
 * @align: where I/Os may begin: at multiples of it from @offset, a multiple of the
 *	logical block size; 0 is @bs. A place of RANDOM and DRAW is such a
 *	multiple where an I/O of @bs fits into the range.
 * @nr_sizes: entries in @sizes; 0: all I/Os have @bs. Each I/O draws its own.
 * @sizes: address of an array of struct blkgen_size
 * @zones: address of an array of struct blkgen_zone, for DRAW
 * @nr_zones: entries in @zones
 * @streams: number of them, for STREAMS
 * @zone_size: bytes a stream goes over before it skips @zone_skip, or less if what is
 *	left of them is less than @bs; 0 is all
 * @zone_skip: bytes; a multiple of the logical block size, as @zone_size. Their sum
 *	is a multiple of @align.
 * @zone_range: bytes from the start of one stream to that of the next; 0 is the
 *	range by @streams
 * @rate: I/Os due per second, of all workers together; 0: as many as @qd allows.
 *	Latency then counts from the time an I/O was due, whether or not the
 *	device had taken up what was due before.
 * @arrival: enum blkgen_arrival
 * @burst: I/Os due at the same time, at the same average rate; 0 is 1
 * @think_ns: time from the end of an I/O to the next in its place; not with @rate
 * @ramp_ns: I/Os that begin so soon after START are in no result and not counted
 *	for @ios, @bytes and @time_ns
 * @bytes: of all workers together, shared evenly; 0 is no limit. The I/O that
 *	reaches it is whole.
 * @passes: of each worker; 0 is no limit; not with DRAW
 * @error_max: failures and mismatches, of all workers together, that end the run;
 *	0 is no limit
 * @stall_ns: a time without completions, while there are I/Os in flight, that
 *	counts as a stall; 0 is BLKGEN_DEF_STALL
 * @worker_ios: address of an array of @workers __u64: I/Os of each, 0 is none;
 *	@ios is 0. To do again what a run has done.
 * @cpus: address of an array of @workers __s32: the CPU each is bound to, -1 is
 *	none; 0 binds none
 * @generation: of the tags of BLKGEN_SETUP_VERIFY; else 0
 * @reserved: 0
 *
 * A session that was set up and has not been started, or is done, can be set up
 * again. A setup that fails leaves the session IDLE and without a device, unless
 * it is -EBUSY or one of the errors of every ioctl: then nothing has changed.
 *
 * Errors, in the order of the checks:
 *   -EBUSY	the session is running
 *   -EINVAL	a @flags bit is unknown
 *   -EOPNOTSUPP @engine, @pattern or @arrival is unknown, or the engine does not
 *		do an op in @mix
 *   -EINVAL	@mix is all 0, or its sum is over BLKGEN_MAX_MIX
 *   -EINVAL	BLKGEN_SETUP_FUA and the mix has no WRITE, or @flush_every is not 0
 *		and it has nothing but READ
 *   -EINVAL	BLKGEN_SETUP_VERIFY and the mix is anything but READ alone or WRITE
 *		alone, or @generation without it
 *   -EINVAL	@bs, @qd or @workers is 0
 *   -ERANGE	@qd is over 1, and @engine does one I/O at a time
 *   -ERANGE	@bs, @qd, @workers, @batch, @nr_sizes, @nr_zones or @streams is over
 *		its limit
 *   -EINVAL	@ios is not 0 and less than @workers, or @worker_ios and @ios are
 *		both not 0
 *   -EINVAL	@zones with a pattern other than DRAW, or DRAW without; @streams or
 *		another field of theirs with a pattern other than STREAMS, or fewer
 *		@streams than @workers; @zone_skip without @zone_size, or @zone_size
 *		less than @bs; SCATTER without DRAW; @passes with DRAW
 *   -EINVAL	BLKGEN_SETUP_APART with a pattern other than SEQ, with @sizes or an
 *		@align that is not @bs, or without reads and another op in @mix
 *   -EINVAL	@arrival, @burst or RATE_BYTES without @rate, or @think_ns with it
 *   -ERANGE	a worker would have to wait for more than 2^38 ns (275 s) from one I/O
 *		or burst to the next, or @rate is over 2^40
 *   -EBADF	@dev_fd is not open
 *   -ENOTBLK	@dev_fd is not a block device
 *   -EBADF	@dev_fd lacks the mode that the mix needs
 *   -EPERM	@dev_fd is not open O_EXCL
 *   -EROFS	the mix has more than reads and the device is read-only
 *   -EINVAL	@bs, @offset, @length, @align, @zone_size, @zone_skip or @zone_range is
 *		not a multiple of the logical block size
 *   -EOVERFLOW	@offset + @length is more than 64 bits hold
 *   -ENXIO	@offset + @length is past the end of the device
 *   -ENOSPC	the range has fewer places than there are workers, or a stream's or
 *		worker's part of it is less than @bs
 *   -EINVAL	@zone_size + @zone_skip, or @zone_range, is not a multiple of @align
 *   -EFAULT	@sizes, @zones, @worker_ios or @cpus cannot be read
 *   -EINVAL	the weights of @sizes or @zones are all 0, or their sum is over
 *		BLKGEN_MAX_WEIGHT; a size is 0, over @bs or not a multiple of the
 *		logical block size; a CPU is not online
 *   -ERANGE	a zone is not within the places of the range
 *   -ENOMEM	the buffers need more than max_buffer
 *   -EOPNOTSUPP the mix has an op that the device does not do, POLLED and the device
 *		does not poll or would split I/Os of @bs, or BUFFERED with FUA
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
#define BLKGEN_MAX_BATCH	32
#define BLKGEN_DEF_BATCH	16
#define BLKGEN_DEF_ERROR_LIMIT	1000
#define BLKGEN_MAX_STREAMS	1024
#define BLKGEN_DEF_STALL	100000000ULL	/* ns */

/* Instead of a worker's number: all of them, summed up */
#define BLKGEN_ALL_WORKERS	0xffffffffU

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
 *
 * A worker that waits for I/Os to come back does not look at the clock: if none
 * does, it is this ioctl that ends a run whose @time_ns is over.
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
 * @worker: in: 0 .. workers - 1, or BLKGEN_ALL_WORKERS
 * @pid: the kernel thread, in the initial pid namespace; 0 of all
 * @reserved: in: 0
 * @start_ns: CLOCK_MONOTONIC at its first submission; 0 if there was none
 * @end_ns: CLOCK_MONOTONIC of its last completion without an error after the ramp; 0 if
 *	there was none
 * @cpu_ns: CPU time of the thread from START on, or from the end of the ramp, as the
 *	scheduler accounts it. Completions in interrupts of other tasks are not in it.
 *	While the worker runs, it may lag by a tick.
 * @submitted: I/Os submitted
 * @oldest_ns: CLOCK_MONOTONIC at the submission of the oldest I/O in flight; 0 if there
 *	is none
 * @unpolled: I/Os of BLKGEN_ENGINE_POLLED that a layer below made not polled ones
 *	after it had taken them; from the end of the ramp
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
 * enum blkgen_what - which result is asked for
 * @BLKGEN_WHAT_LATENCY: of an op: from the time an I/O was due, or submitted if
 *	nothing says when it is due, to bi_end_io
 * @BLKGEN_WHAT_SERVICE: of an op: from right before submit_bio() to bi_end_io;
 *	only with a rate, else it is LATENCY
 * @BLKGEN_WHAT_STREAM: of a stream, all ops but flushes; latency as above
 */
enum blkgen_what {
	BLKGEN_WHAT_LATENCY = 0,
	BLKGEN_WHAT_SERVICE = 1,
	BLKGEN_WHAT_STREAM = 2,
};

/**
 * struct blkgen_result - what one worker saw of one op (BLKGEN_IOC_RESULT)
 * @size: in: sizeof(struct blkgen_result)
 * @worker: in: 0 .. workers - 1, or BLKGEN_ALL_WORKERS
 * @op: in: enum blkgen_op; the number of the stream, for BLKGEN_WHAT_STREAM, which
 *	wants BLKGEN_ALL_WORKERS: each stream is one worker's
 * @hist_len: in: room at @hist_ptr, in buckets, 0 or at least hist_buckets
 *	of struct blkgen_features; out: buckets written
 * @hist_ptr: in: where the histogram goes, hist_len of __u64; 0 if hist_len is
 * @ios: I/Os completed without an error
 * @bytes: their bytes
 * @lat_sum: sum of their latencies, ns. A latency includes time in the worker's
 *	plug, and I/Os that are submitted as a batch may all begin when it does.
 * @lat_min: smallest of their latencies, ns; 0 if there were none
 * @lat_max: largest, exact; 0 if there were none
 * @errors: I/Os that failed; they are in none of the above
 * @nr_error: entries of @error that are in use
 * @reserved: in: 0
 * @error: failures by cause
 * @what: in: enum blkgen_what
 * @hist_bits: log2 of the histogram's buckets per power of two
 * @mismatches: reads whose data was not what it should be; they are in none of
 *	@ios, @bytes, @errors and latencies
 *
 * Allowed while the run goes on; counters are then not of one moment.
 *
 * Errors:
 *   -ENODATA	the session is IDLE
 *   -EINVAL	@worker, @op or @what is out of range, or only one of @hist_ptr and
 *		@hist_len is 0
 *   -ENOMEM	there is no memory to sum up in
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
 * struct blkgen_stall - a time in which a worker had I/Os in flight and none ended
 * @start_ns: CLOCK_MONOTONIC of the last completion before it, or of the first
 *	submission
 * @length_ns: to the next completion
 * @worker: number
 * @inflight: I/Os in flight, of the worker, when it was over
 */
struct blkgen_stall {
	__u64 start_ns;
	__u64 length_ns;
	__u32 worker;
	__u32 inflight;
};

#define BLKGEN_NR_STALLS	32	/* kept per worker, the first ones */

/**
 * struct blkgen_stalls - when nothing came back (BLKGEN_IOC_STALLS)
 * @size: in: sizeof(struct blkgen_stalls)
 * @worker: in: 0 .. workers - 1
 * @total: stalls there were; the first BLKGEN_NR_STALLS are in @stall
 * @reserved: in: 0
 * @stall: in the order of time; those past @total are 0
 *
 * A stall that goes on is not in it: see @end_ns of struct blkgen_worker_info.
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
 * What BLKGEN_SETUP_VERIFY writes: each 512 byte sector of the device is, in
 * little endian,
 *	0	__u32 BLKGEN_TAG_MAGIC
 *	4	__u32 CRC32C (Castagnoli) of the bytes from 8 to 511
 *	8	__u64 LBA: the sector's number, counted from the start of the device
 *	16	__u64 seed of the setup
 *	24	__u32 generation of the setup
 *	28	__u32 0
 *	32	__u64[60] hash(x), hash(x + G), hash(x + 2 G)...
 * with
 *	x = hash(hash(hash(generation) ^ seed) ^ LBA), G = 0x9e3779b97f4a7c15,
 * and hash(x) the splitmix64 generator's output for state x. It depends on the
 * place, the seed and the generation only: what is written twice is the same, and
 * the block size may be another when it is read.
 */
#define BLKGEN_TAG_SECTOR	512
#define BLKGEN_TAG_MAGIC	0x474b4c42U	/* "BLKG" */

/* What is wrong with a sector, struct blkgen_mismatch.kinds */
#define BLKGEN_MISMATCH_MAGIC		(1U << 0)	/* there is no tag */
#define BLKGEN_MISMATCH_ZEROES		(1U << 1)	/* there are only zeroes */
#define BLKGEN_MISMATCH_CRC		(1U << 2)	/* damaged since it was made */
#define BLKGEN_MISMATCH_LBA		(1U << 3)	/* made for another place */
#define BLKGEN_MISMATCH_SEED		(1U << 4)	/* written by a run with another seed */
#define BLKGEN_MISMATCH_GENERATION	(1U << 5)	/* written by another generation */
#define BLKGEN_MISMATCH_DATA		(1U << 6)	/* the tag is right, the data is not */

/**
 * struct blkgen_tag - what a sector says about itself
 * @lba: sector it was made for
 * @seed: of the setup
 * @generation: of the setup
 * @crc: of the sector
 */
struct blkgen_tag {
	__u64 lba;
	__u64 seed;
	__u32 generation;
	__u32 crc;
};

/**
 * struct blkgen_mismatch - a read of data that was not what it should be
 * @sector: of the device, the first of the read that does not match
 * @sectors: of the read that do not match
 * @kinds: BLKGEN_MISMATCH_* bits of @sector
 * @worker: number
 * @reserved: 0
 * @expected: at @sector
 * @found: at @sector; without meaning with BLKGEN_MISMATCH_MAGIC
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

#define BLKGEN_NR_MISMATCHES	16	/* kept per session, the first ones */

/**
 * struct blkgen_mismatches - reads that did not match (BLKGEN_IOC_MISMATCH)
 * @size: in: sizeof(struct blkgen_mismatches)
 * @reserved: in: 0
 * @total: reads with a mismatch; the first BLKGEN_NR_MISMATCHES are in @first
 * @sectors: that do not match, of all those reads
 * @first: in the order in which they were seen; those past @total are 0
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
#define BLKGEN_IOC_STALLS	_IO(BLKGEN_IOC_MAGIC, 0x07)
#define BLKGEN_IOC_MISMATCH	_IO(BLKGEN_IOC_MAGIC, 0x08)

#endif /* _UAPI_BLKGEN_H */
