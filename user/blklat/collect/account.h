/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_ACCOUNT_H
#define BLKLAT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include "blklat.h"
#include "blklat/collect/by.h"
#include "blklat/collect/event_ring.h"
#include "core/edge.h"
#include "core/hist.h"
#include "core/io_hist.h"

/* In a steady session, ended I/Os are not charged until they take 1/STEADY_PART of the slots. */
#define STEADY_PART 2

/**
 * struct account_opts - where the I/Os to charge are, and what to make of them
 * @state: the state of the programs
 * @slots: the slots of the I/Os
 * @nr_slots: number of slots
 * @ended: ring of BLKLAT_MAX_SLOTS places in which the programs put slot + 1 of each I/O that
 *	ended; 0 in a place that is empty
 * @ledgers: what the programs count, by device
 * @max_devs: number of devices that there can be
 * @steady: let ended I/Os wait until they take half of the slots, or until account_now() is called.
 *	If the load ends before, the thread that charges them does not run during the load. It could
 *	make a stage longer.
 * @cost: true if the programs note the time that they take
 * @check: true to verify that the stages of each I/O sum to its total
 * @spans: true to make samples of btt's gaps, too
 * @events: ring for the records of single I/Os, NULL for no records
 * @slower_ns: make only records of I/Os whose total is at least this
 * @sample: of these I/Os, make a record of one in @sample; 0 or 1 for all
 * @by: groups to which the I/Os of the devices on top are charged as well, NULL for no groups
 */
struct account_opts {
	const struct blklat_state *state;
	struct blklat_io *slots;
	uint32_t nr_slots;
	uint32_t *ended;
	const struct blklat_ledger *ledgers;
	unsigned int max_devs;
	bool steady;
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
 * account_open() - make an account without any I/O
 * @opts: copied
 * @account: set on success
 *
 * Return: 0 or -ENOMEM.
 */
int account_open(const struct account_opts *opts, struct account **account);

/**
 * account_close() - stop the thread if it runs, and free the account
 * @a: the account; NULL does nothing
 */
void account_close(struct account *a);

/**
 * account_start() - start a thread that charges the I/Os that end
 * @a: the account
 *
 * Return: 0 or -errno, reported.
 */
int account_start(struct account *a);

/**
 * account_stop() - stop the thread, and charge the I/Os that have ended by now
 * @a: the account; the programs are detached
 *
 * This also counts the I/Os that began and have not ended. A second call would count them again.
 */
void account_stop(struct account *a);

/**
 * account_hold() - free no slot until account_release()
 * @a: the account
 *
 * This takes the lock of the account, so the thread that charges I/Os may have to wait some ms.
 * Until account_release(), the caller must use no other function of the account, because most of
 * them take the same lock.
 */
void account_hold(struct account *a);

/**
 * account_release() - let slots be freed again, after account_hold()
 * @a: the account
 */
void account_release(struct account *a);

/**
 * account_now() - charge the I/Os that have ended by now
 * @a: the account
 *
 * Any thread may call this.
 */
void account_now(struct account *a);

/**
 * account_ledger() - add the counters of a device that user space counts
 * @a: the account
 * @dev: index of the device
 * @l: the counters are added to those in it
 */
void account_ledger(struct account *a, unsigned int dev, struct blklat_ledger *l);

/**
 * account_edge() - get the counts of the I/Os that one device made on another one
 * @a: the account
 * @above: index of the device that made them
 * @below: index of the device that they were made on
 *
 * Return: the counts, which belong to the account and grow while it charges I/Os.
 */
const struct blklat_edge *account_edge(const struct account *a, unsigned int above,
				       unsigned int below);

/**
 * account_hist() - add the distribution of a row to a histogram
 * @a: the account
 * @h: initialised with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 * @dev: index of the device
 * @op: enum blklat_op, or NR_OPS for all
 * @row: as in session_hist()
 */
void account_hist(struct account *a, struct hist *h, unsigned int dev, unsigned int op,
		  unsigned int row);

/**
 * account_sum() - get the number of samples of a row and their sum
 * @a: the account
 * @dev: index of the device
 * @op: enum blklat_op, or NR_OPS for all
 * @row: as in session_hist()
 * @count: set to the number of samples
 * @sum: set to their sum, in ns
 */
void account_sum(struct account *a, unsigned int dev, unsigned int op, unsigned int row,
		 uint64_t *count, uint64_t *sum);

/**
 * account_tail() - add up the I/Os whose total lies in a group of the tail table
 * @a: the account
 * @t: the sums of the group are added to those in it
 * @dev: index of the device
 * @group: number of the group, below BLKLAT_TAIL_GROUPS; see blklat_tail_group()
 */
void account_tail(struct account *a, struct blklat_tail *t, unsigned int dev, unsigned int group);

/**
 * account_cpu_ns() - get the CPU time that charging took, in all threads
 * @a: the account, after account_stop()
 *
 * Return: the time in ns.
 */
uint64_t account_cpu_ns(const struct account *a);

#endif
