/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_EDGE_H
#define BLKLAT_EDGE_H

#include <stdint.h>
#include "blklat.h"

/**
 * struct blklat_edge - the I/Os that one layer made on one device below it
 * @op: their number and bytes, per kind of the I/O below
 * @critical: how many of them were the critical child: of the I/Os that were made for the same I/O
 *	above, the critical child is the last to end
 */
struct blklat_edge {
	struct blklat_flow op[NR_OPS];
	uint64_t critical[NR_OPS];
};

#endif
