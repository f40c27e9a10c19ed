/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_ROUNDS_H
#define BLKLAT_CORE_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

/**
 * rounds_order() - in which order a round visits what is compared
 * @seed: the same one gives the same orders
 * @round: from 0. Each odd one is the mirror of the one before (ABBA), so that over the
 *	two all are visited equally late: a drift hits all alike.
 * @n: how many there are
 * @order: @n numbers from 0
 */
void rounds_order(uint64_t seed, unsigned int round, size_t n, unsigned int *order);

#endif
