/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_ROUNDS_H
#define BLKLAT_CORE_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

/**
 * rounds_order() - choose the order in which a round visits the compared devices
 * @seed: the same seed gives the same orders
 * @round: number of the round, from 0. An odd round has the reverse order of the round before
 *	(ABBA). Over both rounds, all devices have the same mean position, so a slow drift affects
 *	all devices equally.
 * @n: number of devices
 * @order: set to a permutation of 0 to @n - 1
 */
void rounds_order(uint64_t seed, unsigned int round, size_t n, unsigned int *order);

#endif
