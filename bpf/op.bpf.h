/* SPDX-License-Identifier: GPL-2.0 */
/* Tell the kind of an I/O from the operation and the flags of its bio or request. */
#ifndef BLKLAT_OP_BPF_H
#define BLKLAT_OP_BPF_H

#include "compat.bpf.h"
#include "blklat.h"

/**
 * is_passthrough() - check if a request passes a command through to the driver
 * @opf: its cmd_flags
 *
 * Return: true for REQ_OP_DRV_IN and REQ_OP_DRV_OUT.
 */
static __always_inline bool is_passthrough(__u32 opf)
{
	__u32 op = opf & REQ_OP_MASK;

	/*
	 * Most requests are reads or writes, whose numbers, 0 and 1, are the same in all kernels.
	 */
	return op > 1 && (op == REQ_OP(DRV_IN) || op == REQ_OP(DRV_OUT));
}

/**
 * op_of() - find the kind of an I/O
 * @opf: bi_opf of its bio, or cmd_flags of its request
 *
 * Return: the kind; anything with REQ_PREFLUSH is a flush.
 */
static __always_inline enum blklat_op op_of(__u32 opf)
{
	__u32 op = opf & (REQ_OP_MASK | REQ_PREFLUSH);

	/* Most are reads (0) or writes (1), which have the same numbers in enum blklat_op. */
	if (op <= 1)
		return op;
	if (op > REQ_OP_MASK || op == REQ_OP(FLUSH))
		return BLKLAT_OP_FLUSH;
	if (op == REQ_OP(DISCARD) || op == REQ_OP(SECURE_ERASE))
		return BLKLAT_OP_DISCARD;
	return op & 1 ? BLKLAT_OP_WRITE : BLKLAT_OP_READ;
}

#endif /* BLKLAT_OP_BPF_H */
