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
#include "core/edge.h"
#include "core/hist.h"
#include "core/io_hist.h"
#include "core/own_end.h"
#include "device/device.h"

/* Threads that have to run in time even if all CPUs are busy get this nice value. */
#define SESSION_NICE (-20)

/**
 * struct session_role - a device's place in the stack that is traced
 * @top: true if its I/O comes from outside the stack
 * @inner: true if it lies below another traced device
 */
struct session_role {
	bool top;
	bool inner;
};

/**
 * struct session_opts - what to trace
 * @devs: the devices, with all that is known of them
 * @roles: the role of each device
 * @ndevs: number of devices, at most BLKLAT_MAX_DEVS
 * @op_mask: trace only these kinds of I/O: bit per enum blklat_op
 * @tgid: trace only the I/O of this process, 0 for all
 * @comm: trace only the I/O of tasks with this name, NULL for all
 * @cgroup: trace only the I/O of tasks in or below this directory, NULL for all
 * @check: true to verify that the stages of each I/O sum to its total
 * @spans: true to record btt's gaps, too
 * @cost: true to measure the time that the programs take
 * @steady: true if tracing must take the same time for each I/O. Then the time that the programs
 *	take is not estimated from samples, because an I/O takes longer during a sample. Also, ended
 *	I/Os are charged later, see session_steady_ios().
 * @submitter: true to record marks E and W
 * @plug: true to record mark P
 * @events: true to hand out records of single I/Os, see blklat/collect/events.h
 * @slower_ns: hand out only records of I/Os whose total is at least this
 * @sample: of these records, hand out one in @sample; 0 or 1 for all
 * @ring: bytes for the slots of I/Os, and again for the records that wait to be written; 0 to
 *	choose both by the memory of the machine
 * @by: key by which the I/Os of the devices on top are grouped
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
	bool plug;
	bool events;
	uint64_t slower_ns;
	uint32_t sample;
	size_t ring;
	enum by_key by;
};

/**
 * struct session_cost - the time that tracing itself took
 * @run_ns: time in all BPF programs, measured or estimated from samples; 0 if it was not measured
 * @runs: how often the programs ran, measured or estimated in the same way
 * @misses: number of events that a program missed because it was already running
 * @nr_progs: number of programs that were attached
 * @attach_ns: time it took to find the hooks, and to load and attach the programs
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
 * session_check() - find out whether this process has the rights, files and memory for a session
 * @opts: what to trace
 *
 * session_open() does this as well. Call this before anything that takes long or makes files.
 *
 * Return: 0; -EPERM, -EMFILE, -ENOMEM or the error of reading the kernel's BTF, with a message.
 */
int session_check(const struct session_opts *opts);

/**
 * session_open() - load and attach the programs; nothing is recorded yet
 * @opts: what to trace; not used after the return
 * @session: set on success
 *
 * Return: 0 or -errno, reported.
 */
int session_open(const struct session_opts *opts, struct session **session);

/**
 * session_start() - start to record the I/Os that begin from now on
 * @s: the session
 */
void session_start(struct session *s);

/**
 * session_tick() - keep a session going
 * @s: the session, which is started
 *
 * Call this every 0.1 s, or more often. It attaches programs that are needed by now (a device
 * joined, the module blkgen was loaded), attaches or detaches those on submitters, and ends I/Os
 * whose end the programs missed. It is cheap, but takes up to some 0.1 s when it attaches
 * programs.
 */
void session_tick(struct session *s);

/**
 * session_steady_ios() - tell how many I/Os a steady session follows without charging them
 * @s: a session with the option steady
 *
 * If more I/Os than that have ended and are not charged, the thread that charges them runs beside
 * the load, which on a machine with one CPU holds up an I/O. A call of session_ledger() charges all
 * that have ended. An I/O on a layer counts once for each device that it reaches.
 *
 * Return: the number of I/Os.
 */
uint32_t session_steady_ios(const struct session *s);

/**
 * session_stop() - record no new I/O, wait for those in flight, detach the programs
 * @s: the session
 * @wait_ns: the longest time to wait, in ns
 */
void session_stop(struct session *s, uint64_t wait_ns);

/**
 * session_ndevs() - count the devices of a session
 * @s: the session
 *
 * Devices can join during the trace: when a traced layer begins to use a device, the programs add
 * it before its first I/O.
 *
 * Return: the number of devices that were ever there; those that are gone count, too.
 */
size_t session_ndevs(const struct session *s);

/**
 * session_dev() - get the number of a device, also of a device that is gone
 * @s: the session
 * @index: index of the device, below session_ndevs()
 *
 * Return: the number; that of the partition if only a partition is traced.
 */
dev_t session_dev(const struct session *s, size_t index);

/**
 * session_describe() - tell the programs what only user space knows of a device that they added
 * @s: the session
 * @index: index of the device
 * @d: the device, with facts
 */
void session_describe(struct session *s, size_t index, const struct device *d);

/**
 * session_join() - trace a device that now lies below the other devices
 * @s: the session
 * @d: the device
 *
 * Return: the index of the device, which is an old one if it is already traced; -ENOSPC if there
 * is no room for more devices. Not reported.
 */
int session_join(struct session *s, const struct device *d);

/**
 * session_retire() - count nothing more for a device that is gone
 * @s: the session
 * @index: index of the device
 *
 * Another device may get its number from now on, and the I/Os of that one must not be counted
 * here.
 */
void session_retire(struct session *s, size_t index);

/**
 * session_close() - detach and free all of a session
 * @s: the session; NULL does nothing
 */
void session_close(struct session *s);

/**
 * session_hooks() - get the status of all hooks
 * @s: the session
 *
 * Return: the status of nr_hooks hooks, which belongs to the session.
 */
const struct hook_status *session_hooks(const struct session *s);

/**
 * session_hist() - add the distribution of a row to a histogram
 * @s: the session
 * @h: initialised with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS
 * @dev: index of the device
 * @op: enum blklat_op, or NR_OPS for all
 * @row: enum blklat_stage, ROW_OF_SPAN() or ROW_OF_LAYER(). A row that was not recorded adds
 *	nothing.
 */
void session_hist(const struct session *s, struct hist *h, unsigned int dev,
		  unsigned int op, unsigned int row);

/**
 * struct unfinished - the I/Os of a device that have begun, and whose bio has not ended
 * @n: their number
 * @begin_ns: when the oldest began by CLOCK_MONOTONIC, 0 if there is none
 * @bytes: length of the oldest
 * @op: enum blklat_op of the oldest
 * @mark: the last mark that it has, enum blklat_mark
 * @made_below: I/Os were made for it on devices below
 * @below: at least one of these has not ended
 */
struct unfinished {
	uint64_t n;
	uint64_t begin_ns;
	uint32_t bytes;
	uint8_t op;
	uint8_t mark;
	bool made_below;
	bool below;
};

/**
 * session_unfinished() - find the I/Os in flight that began during the trace
 * @s: the session
 * @v: room for session_ndevs() devices
 *
 * It looks at all slots, so do it at most at each interval.
 */
void session_unfinished(const struct session *s, struct unfinished *v);

/**
 * session_sum() - get the number of samples of a row and their sum
 * @s: the session
 * @dev: index of the device
 * @op: as in session_hist()
 * @row: as in session_hist()
 * @count: set to the number of samples
 * @sum: set to their sum, in ns
 *
 * This is cheap enough to do at each interval.
 */
void session_sum(const struct session *s, unsigned int dev, unsigned int op, unsigned int row,
		 uint64_t *count, uint64_t *sum);

/**
 * session_tail() - add up the I/Os whose total lies in a group of the tail table
 * @s: the session
 * @t: the sums of the group are added to those in it
 * @dev: index of the device
 * @group: number of the group, below BLKLAT_TAIL_GROUPS
 */
void session_tail(const struct session *s, struct blklat_tail *t, unsigned int dev,
		  unsigned int group);

/**
 * session_edge() - get the counts of the I/Os that one device made on another one
 * @s: the session
 * @above: index of the device that made them
 * @below: index of the device that they were made on
 *
 * Return: the counts, which belong to the session and grow during the trace.
 */
const struct blklat_edge *session_edge(const struct session *s, unsigned int above,
				       unsigned int below);

/**
 * session_own_ends() - find which functions ended the bios of a device that were made for no
 *	single I/O above
 * @s: the session
 * @dev: index of the device
 * @ends: room for BLKLAT_ENDS functions. Address and count are set, the most frequent comes
 *	first; links_name_ends() sets the rest.
 *
 * Return: the number of functions.
 */
size_t session_own_ends(const struct session *s, unsigned int dev, struct own_end *ends);

/**
 * session_ledger() - read the counters of a device
 * @s: the session
 * @dev: index of the device
 * @l: filled in
 *
 * If no program saw the start of an I/O of a layer, the I/O either began before the trace or is
 * lost. The numbers of both are computed from the number of I/Os that were in flight at the start
 * of the trace, and the number of events that were missed since then.
 */
void session_ledger(const struct session *s, unsigned int dev, struct blklat_ledger *l);

/**
 * session_by() - get the groups of I/Os
 * @s: the session, after session_stop()
 *
 * Return: the groups, which belong to the session; NULL without session_opts.by.
 */
const struct by *session_by(const struct session *s);

/**
 * session_events() - get the ring of the records of single I/Os
 * @s: the session
 *
 * Return: the ring, which belongs to the session; it is empty without session_opts.events.
 */
struct event_ring *session_events(struct session *s);

/**
 * session_armed_ns() - get the time at which session_start() was called; no I/O begins before
 * @s: the session
 *
 * Return: the time in ns of the monotonic clock, 0 if the session is not started.
 */
uint64_t session_armed_ns(const struct session *s);

/**
 * session_cost() - get the time that tracing took
 * @s: the session, after session_stop()
 * @cost: filled in
 */
void session_cost(const struct session *s, struct session_cost *cost);

/**
 * session_missed() - count the events that the programs have missed by now
 * @s: the session
 *
 * Return: the number, an upper limit: another program may have done the work of one that missed.
 */
uint64_t session_missed(const struct session *s);

#endif
