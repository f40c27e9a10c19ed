/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SESSION_H
#define BLKLAT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "blklat.h"
#include "blklat/collect/by.h"
#include "blklat/collect/event_ring.h"
#include "blklat/collect/hooks.h"
#include "core/hist.h"
#include "core/io_hist.h"
#include "core/own_end.h"
#include "device/device.h"

/**
 * struct session_role - a device's place in the stack that is traced
 * @top: its I/O comes from outside
 * @inner: it lies below another traced device
 */
struct session_role {
	bool top;
	bool inner;
};

/**
 * struct session_opts - what to trace
 * @devs: devices, with their facts; @ndevs of them, at most BLKLAT_MAX_DEVS
 * @roles: the same number
 * @ndevs: how many
 * @op_mask: bit per enum blklat_op
 * @tgid: only this process, 0 for all
 * @comm: only tasks with this name, NULL for all
 * @cgroup: only tasks in or below this directory, NULL for all
 * @check: verify every I/O's sum of stages
 * @spans: record btt's gaps too
 * @cost: time the programs
 * @steady: each I/O is to be traced at the same price: not where that takes sampling
 * @submitter: record marks E and W
 * @events: hand out records of single I/Os, see blklat/collect/events.h
 * @slower_ns: only of those whose total is at least this
 * @sample: of these only one in so many, 0 or 1 for all
 * @ring: bytes of the slots of I/Os, and of records that can wait to be written; 0: as the memory
 *	allows
 * @by: group the I/Os of tops by this
 */
struct session_opts {
	const struct device *devs;
	const struct session_role *roles;
	size_t ndevs;
	uint32_t op_mask;
	uint32_t tgid;
	const char *comm;
	const char *cgroup;
	bool check;
	bool spans;
	bool cost;
	bool steady;
	bool submitter;
	bool events;
	uint64_t slower_ns;
	uint32_t sample;
	size_t ring;
	enum by_key by;
};

/**
 * struct session_cost - what tracing itself took
 * @run_ns: time in all BPF programs, going by the part of it that was measured; 0 for none
 * @runs: how often they ran, in the same way
 * @misses: events that a program skipped because it was running already
 * @nr_progs: programs attached
 * @attach_ns: time it took to load and attach
 * @user_ns: CPU time that charging the I/Os took in user space
 */
struct session_cost {
	uint64_t run_ns;
	uint64_t runs;
	uint64_t misses;
	uint64_t nr_progs;
	uint64_t attach_ns;
	uint64_t user_ns;
};

struct session;

/**
 * session_open() - load and attach; nothing is recorded yet
 * Return: 0 or -errno, reported.
 */
int session_open(const struct session_opts *opts, struct session **session);

/* Start to record. */
void session_start(struct session *s);

/*
 * Attach what has appeared since (the module blkgen), account what the programs left
 * behind. Cheap; call it now and then.
 */
void session_tick(struct session *s);

/**
 * session_stop() - record no new I/O, wait for those under way, detach
 * @wait_ns: how long to wait at most
 */
void session_stop(struct session *s, uint64_t wait_ns);

/**
 * session_ndevs() - how many devices there are
 *
 * More than at the start when some joined the stack: the programs add what a
 * traced layer begins to use, before its first I/O.
 */
size_t session_ndevs(const struct session *s);

/* The number of a device, also of one that is gone. */
dev_t session_dev(const struct session *s, size_t index);

/* What only user space knows of a device that the programs added. */
void session_describe(struct session *s, size_t index, const struct device *d);

/**
 * session_join() - trace a device that lies below the others now
 * Return: its index, an old one when it is traced already; -ENOSPC when all room
 * is taken. Not reported.
 */
int session_join(struct session *s, const struct device *d);

/* Its number may be another's from now on: count nothing more for it. */
void session_retire(struct session *s, size_t index);

void session_close(struct session *s);

const struct hook_status *session_hooks(const struct session *s);

/**
 * session_hist() - add one row's distribution to @h
 * @h: initialised with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 * @dev: index of the device
 * @op: enum blklat_op, or NR_OPS for all
 * @row: enum blklat_stage, ROW_OF_SPAN() or ROW_OF_LAYER(); one that was not
 *	recorded is empty
 */
void session_hist(const struct session *s, struct hist *h, unsigned int dev,
		  unsigned int op, unsigned int row);

/* Count and sum in ns only: cheap enough for every interval. */
void session_sum(const struct session *s, unsigned int dev, unsigned int row,
		 uint64_t *count, uint64_t *sum);

/* Add the I/Os whose total lies in group @group of BLKLAT_TAIL_GROUPS to @t. */
void session_tail(const struct session *s, struct blklat_tail *t, unsigned int dev,
		  unsigned int group);

/* What I/Os of one traced device made on another below it. */
const struct blklat_edge *session_edge(const struct session *s, unsigned int above,
				       unsigned int below);

/**
 * session_own_ends() - who ended the bios of a device that were made for no single I/O above
 * @ends: BLKLAT_ENDS of them; address and count are set, see links_name_ends()
 * Return: how many, the most frequent first.
 */
size_t session_own_ends(const struct session *s, unsigned int dev, struct own_end *ends);

/**
 * session_ledger() - the counters of a device
 * @dev: its index
 *
 * An I/O of a layer that no program saw begin is told as lost or as begun before the trace, by what
 * was under way at the start and what was missed since.
 */
void session_ledger(const struct session *s, unsigned int dev, struct blklat_ledger *l);

/* The groups of I/Os, with session_opts.by; after session_stop(). */
const struct by *session_by(const struct session *s);

/* Records of single I/Os, with session_opts.events. */
struct event_ring *session_events(struct session *s);

/* When session_start() was called, monotonic clock in ns: no I/O begins before. */
uint64_t session_armed_ns(const struct session *s);

void session_cost(const struct session *s, struct session_cost *cost);

/* Events that programs have missed by now; session_cost() has them at the end. */
uint64_t session_missed(const struct session *s);

#endif
