/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_EVENT_RING_H
#define BLKLAT_EVENT_RING_H

#include <stddef.h>
#include <stdint.h>
#include "blklat.h"

/**
 * struct event_ring - records of single I/Os, from the thread that charges to the one that writes
 * @first: the first place
 * @size: bytes from one to the next
 * @mask: number of places - 1, that of a power of two
 * @head: as many there were; their places are taken in turn
 * @tail: as many were read: the places of these are free again
 */
struct event_ring {
	char *first;
	size_t size;
	uint32_t mask;
	uint64_t head;
	uint64_t tail;
};

#endif
