/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_ACCOUNT_H
#define BLKLAT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include "blklat.h"
#include "blklat/collect/by.h"
#include "blklat/collect/event_ring.h"
#include "core/hist.h"
#include "core/io_hist.h"

/**
 * struct account_opts - what samples are made of
 * @state: of the programs
 * @slots: the I/Os, @nr_slots of them
 * @ended: places with slot + 1 of an I/O that ended, 0 for none; BLKLAT_MAX_SLOTS of them
 * @edges: which I/O was critical is counted there
 * @max_devs: devices that there may be
 * @cost: the programs note what they take
 * @check: verify that the stages of every I/O sum to its total
 * @spans: make samples of btt's gaps too
 * @events: records of single I/Os go there, NULL for none
 * @slower_ns: only of those whose total is at least this
 * @sample: of these only one in so many, 0 or 1 for all
 * @by: the I/Os of tops are charged to their group there too, NULL for none
 */
struct account_opts {
	const struct blklat_state *state;
	struct blklat_io *slots;
	uint32_t nr_slots;
	uint32_t *ended;
	struct blklat_edge *edges;
	unsigned int max_devs;
	bool cost;
	bool check;
	bool spans;
	struct event_ring *events;
	uint64_t slower_ns;
	uint32_t sample;
	struct by *by;
};

struct account;

/**
 * account_open() - an account without any I/O
 * Return: 0 or -ENOMEM.
 */
int account_open(const struct account_opts *opts, struct account **account);
void account_close(struct account *a);

/**
 * account_start() - have a thread charge the I/Os that end
 * Return: 0 or -errno.
 */
int account_start(struct account *a);

/* Stop that thread, and charge what has ended by now. */
void account_stop(struct account *a);

/* Keep slots from being freed, until account_release(). The thread may wait some ms for it. */
void account_hold(struct account *a);
void account_release(struct account *a);

/* Charge what has ended by now. Any thread. */
void account_now(struct account *a);

/* Add to @l what is counted of a device in user space. */
void account_ledger(struct account *a, unsigned int dev, struct blklat_ledger *l);

/* Add to @h what session_hist() wants. */
void account_hist(struct account *a, struct hist *h, unsigned int dev, unsigned int op,
		  unsigned int row);

/* Count and sum in ns, of all kinds of I/O. */
void account_sum(struct account *a, unsigned int dev, unsigned int row, uint64_t *count,
		 uint64_t *sum);

/* Add the I/Os of a group by total to @t. */
void account_tail(struct account *a, struct blklat_tail *t, unsigned int dev, unsigned int group);

/* CPU time in ns that charging took; after account_stop(). */
uint64_t account_cpu_ns(const struct account *a);

#endif
