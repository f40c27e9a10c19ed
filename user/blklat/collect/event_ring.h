/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_EVENT_RING_H
#define BLKLAT_EVENT_RING_H

#include <stddef.h>
#include <stdint.h>
#include "blklat.h"

/**
 * struct event_ring - ring of records of single I/Os, which one thread makes and another one
 * reads
 * @first: the first place
 * @size: bytes from one place to the next
 * @mask: number of places - 1; the number of places is a power of two
 * @head: number of records that were ever put in; their places are used in turn
 * @tail: number of records that were read; their places are free again
 */
struct event_ring {
	char *first;
	size_t size;
	uint32_t mask;
	uint64_t head;
	uint64_t tail;
};

#endif
