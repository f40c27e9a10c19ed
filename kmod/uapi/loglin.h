/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Log-linear histogram buckets: every power of two is divided into 2^bits buckets of equal width,
 * so the width of a bucket is at most 1/2^bits of its values. The module and user space share
 * this arithmetic.
 *
 *   v < 2^(bits + 1)   bucket = v: each value has its own bucket
 *   otherwise          shift = floor(log2(v)) - bits
 *                      bucket = (shift << bits) + (v >> shift)
 */
#ifndef _UAPI_LOGLIN_H
#define _UAPI_LOGLIN_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <linux/bitops.h>
#endif

/**
 * LOGLIN_BUCKETS() - number of buckets needed for all values below 2^order
 * @order: log2 of the first value that needs no bucket, greater than @bits
 * @bits: log2 of the buckets per power of two
 */
#define LOGLIN_BUCKETS(order, bits)	(((order) - (bits) + 1) << (bits))

/**
 * loglin_log2() - compute the logarithm to base 2, rounded down
 * @v: value, not 0
 *
 * Return: floor(log2(v))
 */
static inline __u32 loglin_log2(__u64 v)
{
#if defined(__KERNEL__) && BITS_PER_LONG == 64
	/* fls64() would also check for 0 */
	return __fls(v);
#elif defined(__KERNEL__)
	return fls64(v) - 1;
#else
	/*
	 * 63 ^ clz equals 63 - clz here, but gcc makes one instruction of it even if the caller
	 * subtracts from the result.
	 */
	return 63 ^ __builtin_clzll(v);
#endif
}

/**
 * loglin_index() - find the bucket of a value
 * @v: value
 * @bits: log2 of the buckets per power of two, 1..31
 *
 * Return: the bucket, which is monotonic in @v; the caller must limit it to the length of its array
 */
static inline __u32 loglin_index(__u64 v, unsigned int bits)
{
	/* The shift of a value below 2^(bits + 1) is 0 */
	__u32 shift = loglin_log2(v | 1ULL << bits) - bits;

	return (shift << bits) + (__u32)(v >> shift);
}

/**
 * loglin_low() - find the smallest value of a bucket
 * @idx: bucket, as loglin_index() returns it
 * @bits: log2 of the buckets per power of two
 *
 * Return: the value
 */
static inline __u64 loglin_low(__u32 idx, unsigned int bits)
{
	__u32 shift;

	if (!(idx >> (bits + 1)))
		return idx;
	shift = (idx >> bits) - 1;
	return (__u64)(idx - (shift << bits)) << shift;
}

/**
 * loglin_high() - find the largest value of a bucket
 * @idx: bucket, as loglin_index() returns it
 * @bits: log2 of the buckets per power of two
 *
 * Return: the value
 */
static inline __u64 loglin_high(__u32 idx, unsigned int bits)
{
	__u32 shift;

	if (!(idx >> (bits + 1)))
		return idx;
	shift = (idx >> bits) - 1;
	return loglin_low(idx, bits) + ((1ULL << shift) - 1);
}

#endif /* _UAPI_LOGLIN_H */
