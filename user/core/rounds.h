/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_ROUNDS_H
#define BLKLAT_CORE_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

/**
 * rounds_order() - choose the order in which a round visits the compared devices
 * @seed: the same seed gives the same orders
 * @round: number of the round, from 0. An odd round mirrors the round before (ABBA): over the
 *	two, each device is visited equally late on average, so a drift hits all devices alike.
 * @n: number of devices
 * @order: set to a permutation of 0 to @n - 1
 */
void rounds_order(uint64_t seed, unsigned int round, size_t n, unsigned int *order);

#endif
