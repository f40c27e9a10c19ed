/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SLOTS_H
#define BLKLAT_SLOTS_H

#include <stddef.h>
#include <stdint.h>
#include "blklat.h"

struct blklat;

/* Bytes of the variables of the programs, with so many slots for I/Os among them. */
size_t slots_bytes(uint32_t n);

/**
 * slots_create() - make room for the I/Os
 * @skel: the programs, not loaded yet; their variables keep their values
 * @bytes: how much; 0 for a part of the machine's memory
 * @n: set to the number of slots, a power of two
 *
 * The memory is given back with the programs.
 * Return: 0, -ENOMEM or what else the kernel says of the map.
 */
int slots_create(struct blklat *skel, size_t bytes, uint32_t *n);

/* How many of @n are in use at first. */
static inline uint32_t slots_first(uint32_t n)
{
	return n < BLKLAT_FIRST_SLOTS ? n : BLKLAT_FIRST_SLOTS;
}

#endif
