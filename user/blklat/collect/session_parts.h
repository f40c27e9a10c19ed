/* SPDX-License-Identifier: GPL-2.0 */
/* Declare what the files that make up a session share. No other file includes this. */
#ifndef BLKLAT_SESSION_PARTS_H
#define BLKLAT_SESSION_PARTS_H

#include <bpf/libbpf.h>
#include "blklat/collect/account.h"
#include "blklat/collect/session.h"
#include "blklat/collect/submitters.h"
#include "blklat.skel.h"
#include "core/sampler.h"

/**
 * struct unseen_starts - the I/Os of a layer that ended in the trace and that no program saw
 * begin
 * @under_way: the most I/Os that can have been in flight at the start; UINT64_MAX when that is
 *	not known
 * @before: how many of them session_ledger() reported as begun before the trace; never becomes
 *	less
 * @lost: how many of them it reported as lost; never becomes less
 */
struct unseen_starts {
	uint64_t under_way;
	uint64_t before;
	uint64_t lost;
};

/**
 * struct session - the programs of a trace, and what user space keeps for them
 * @skel: the programs and their variables
 * @full: state.full at the last call of session_tick()
 * @full_ticks: number of ticks of session_tick() in a row in which @full did not change
 * @tick_ns: time of the last tick
 * @progs: program of each hook
 * @status: status of each hook
 * @links: link of each hook, NULL if it is not attached
 * @account: charges the I/Os that end
 * @by: groups of I/Os, or NULL
 * @events: ring of the records of single I/Os
 * @events_len: bytes of that ring
 * @ndevs: number of devices at the start
 * @max_devs: number of devices that there can be at the end
 * @stats_fd: while it is open, the kernel measures the time of all programs; -1 if it is not
 * @btf_fd: until the programs are loaded: file with the types that they use; -1 if there is none
 * @own_cost: true if the programs measure their time themselves
 * @issue: true if block_rq_issue is attached from the start
 * @sampling: true if the time of the programs is estimated from samples
 * @later: for each hook, true if its program is loaded, and attached only when a device joins that
 *	needs it
 * @sampler: says when to take samples
 * @cost: what tracing took
 * @run_ns_before: time that the programs had taken before session_start(), with @own_cost
 * @runs_before: how often they had run before session_start(), with @own_cost
 * @unseen: for each device, the I/Os that no program saw begin
 * @submitters: the programs on submitters
 */
struct session {
	struct blklat *skel;
	uint32_t full;
	unsigned int full_ticks;
	uint64_t tick_ns;
	struct bpf_program **progs;
	struct hook_status *status;
	struct bpf_link **links;
	struct account *account;
	struct by *by;
	struct event_ring events;
	size_t events_len;
	unsigned int ndevs, max_devs;
	int stats_fd, btf_fd;
	bool own_cost, issue, sampling;
	bool *later;
	struct sampler sampler;
	struct session_cost cost;
	uint64_t run_ns_before, runs_before;
	struct unseen_starts *unseen;
	struct submitters submitters;
};

/* This is in config.c. */

/**
 * session_configure() - fill in the configuration and the state before the programs are loaded
 * @s: the session; its programs are open, and its hooks are probed
 * @o: the options
 * @cfg: the configuration of the programs, filled in
 *
 * Return: 0 or -errno, reported.
 */
int session_configure(struct session *s, const struct session_opts *o, struct blklat_config *cfg);

/* These are in devs.c. */

/**
 * session_fill_dev() - fill in what the programs have to know of a device
 * @cfg: the members that follow from @d alone are set: @disk, @part, @layer, @bio_based, @requests
 *	and @rqs
 * @d: the device, with facts
 */
void session_fill_dev(struct blklat_dev_cfg *cfg, const struct device *d);

/**
 * session_number_devs() - set the number of each device
 * @cfg: the devices, which session_fill_dev() has filled in; @number of each is set
 *
 * A device gets no number if an earlier entry traces the whole disk that it belongs to: the
 * programs find that entry.
 */
void session_number_devs(struct blklat_config *cfg);

/**
 * session_place_dev() - make the programs find a device by its number
 * @state: the state of the programs, which may be running and read it meanwhile
 * @d: the device; its @disk and @number are set
 * @index: index of the device in @state->devs
 */
void session_place_dev(struct blklat_state *state, const struct blklat_dev_cfg *d, uint8_t index);

/* These are in programs.c. */

/**
 * session_choose_programs() - choose the programs to load: those whose hook this kernel has, that
 *	a device needs and that the options ask for
 * @s: the session; its hooks are probed
 * @o: the options
 *
 * Return: 0, or -ENOENT if nothing can be traced, reported.
 */
int session_choose_programs(struct session *s, const struct session_opts *o);

/**
 * session_attach_one() - attach the program of a hook
 * @s: the session; its programs are loaded
 * @i: index of the hook in hooks[]
 *
 * Return: 0 or -errno, not reported; the hook's status has the reason.
 */
int session_attach_one(struct session *s, size_t i);

/**
 * session_attach_all() - attach all programs that are needed from the start
 * @s: the session; its programs are loaded
 *
 * Return: 0 or -errno, reported.
 */
int session_attach_all(struct session *s);

/**
 * session_attach_later() - attach those programs that were left for later and are needed by now
 * @s: the session, after session_attach_all()
 *
 * A program that the kernel refuses is not tried again. The status of its hook has the reason.
 */
void session_attach_later(struct session *s);

/**
 * session_say_verified() - print, with -v, how many instructions of the programs were verified
 * @s: the session; its programs are attached
 *
 * The user waits while the verifier walks the programs, so -v shows which of them take long.
 */
void session_say_verified(struct session *s);

/**
 * session_prog_misses() - read how many events a program did not see because the kernel skipped it
 * @prog: the program, which is loaded
 *
 * Return: the number of events since it was loaded; 0 if the kernel does not tell.
 */
uint64_t session_prog_misses(const struct bpf_program *prog);

/**
 * session_prog_info() - get what the kernel counted of the program of a hook
 * @s: the session
 * @i: index of the hook in hooks[]
 * @info: filled in; all 0 if the program is not attached
 *
 * Return: false if the program is not attached, or if the kernel does not tell.
 */
bool session_prog_info(const struct session *s, size_t i, struct bpf_prog_info *info);

/* These are in ledger.c. */

/**
 * session_counted() - sum up a counter over all devices
 * @s: the session; this thread must not hold its account by account_hold()
 * @c: the counter
 *
 * The I/Os that have ended are charged first, so they are in the sum.
 *
 * Return: the sum.
 */
uint64_t session_counted(const struct session *s, enum blklat_counter c);

/**
 * session_note_under_way() - note how many I/Os of each layer were in flight when the trace began
 * @s: the session; call this right after its trace began
 */
void session_note_under_way(struct session *s);

#endif
