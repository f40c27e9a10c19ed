/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SLOTS_H
#define BLKLAT_SLOTS_H

#include <stddef.h>
#include <stdint.h>
#include "blklat.h"

struct blklat;

/**
 * slots_bytes() - compute the size of the programs' variables, with the slots for I/Os among them
 * @n: number of slots
 *
 * Return: the size in bytes, a multiple of the size of a page.
 */
size_t slots_bytes(uint32_t n);

/**
 * slots_number() - choose how many slots for I/Os there are
 * @bytes: bytes for the slots; 0 to take a part of the memory that the process may use
 *
 * Return: the number of slots, a power of two.
 */
uint32_t slots_number(size_t bytes);

/**
 * slots_create() - make the memory for the slots of I/Os
 * @skel: the programs, not loaded yet; their variables keep their values
 * @n: number of slots
 *
 * The memory is freed with the programs.
 *
 * Return: 0, -ENOMEM, or another -errno with which the kernel refused the map; not reported.
 */
int slots_create(struct blklat *skel, uint32_t n);

/**
 * slots_first() - get the number of slots that are in use at first
 * @n: number of slots
 *
 * Return: the number of slots.
 */
static inline uint32_t slots_first(uint32_t n)
{
	return n < BLKLAT_FIRST_SLOTS ? n : BLKLAT_FIRST_SLOTS;
}

#endif
