/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_HOOKS_H
#define BLKLAT_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "device/device.h"

enum hook_type {
	HOOK_TP,	/* tracepoint with BTF */
	HOOK_FENTRY,
	HOOK_FEXIT,
	HOOK_RAW_TP,	/* tracepoint of a module without BTF */
};

enum hook_state {
	HOOK_UNUSED,	/* no traced device needs it, or another one does its work */
	HOOK_MISSING,	/* it is not in this kernel, or its program would not run or be allowed */
	HOOK_LATER,	/* its module is not loaded yet */
	HOOK_FOUND,
	HOOK_FAILED,	/* it is there, but the kernel refused to attach to it */
	HOOK_ATTACHED,
};

/**
 * struct hook - one BPF program and what it is attached to; a row of hooks[]
 * @prog: name of the program in the BPF object
 * @family: kind of device that needs it, see hook_wanted(); NULL if each device does
 * @marks: letters of the marks that it gives
 * @without: what happens if it is missing; NULL if blklat cannot trace without it
 * @twin: name that this function or tracepoint has in other kernels; a kernel that has the twin
 *	does not miss this hook
 * @again: another program, whose work this one does when the kernel has skipped that program; NULL
 *	for most
 * @instead_of: another program; this one is used only where that one cannot be attached or would
 *	not run; NULL for most
 * @type: how the program is attached; this and @symbol are set by hooks_read()
 * @symbol: the function or tracepoint
 */
struct hook {
	const char *prog;
	const char *family;
	const char *marks;
	const char *without;
	const char *twin;
	const char *again;
	const char *instead_of;
	enum hook_type type;
	const char *symbol;
};

/* The hooks are in the kernel and in at most this many modules. */
#define HOOK_MODULES	16

extern struct hook hooks[];
extern const size_t nr_hooks;

/**
 * struct hook_status - the state of a hook on this kernel
 * @state: see enum hook_state
 * @reason: one line that says why, for HOOK_MISSING, HOOK_LATER and HOOK_FAILED
 * @module: module that has the function or tracepoint, "" for the kernel itself
 * @btf_id: its id in the BTF of that module; 0 or negative if it has none
 * @skipped_before: for a hook with @again: how often the kernel had already skipped the program
 *	@again when the program of this hook was attached
 */
struct hook_status {
	enum hook_state state;
	char reason[128];
	char module[32];
	int btf_id;
	uint64_t skipped_before;
};

/**
 * hook_family() - find out which kind of driver a device has
 * @d: the device, with facts
 *
 * Return: the family of its hooks, a constant: "nvme", "scsi" (libata, too), "virtio_blk",
 * "null_blk", "dm" or "md"; NULL for a driver without hooks.
 */
const char *hook_family(const struct device *d);

/**
 * hooks_read() - read from the sections of the programs what they are attached to
 * @obj: the BPF object; it need not be loaded
 *
 * Return: 0 or -errno, reported.
 */
int hooks_read(const struct bpf_object *obj);

/**
 * hooks_probe() - look in BTF which hooks this kernel has
 * @devs: the devices to be traced
 * @ndevs: number of devices; 0 to look for the hooks of all families
 * @status: array of nr_hooks, filled in
 *
 * Return: 0, -ENOENT when the kernel has no BTF, -EPERM or -ENOMEM, reported.
 */
int hooks_probe(const struct device *devs, size_t ndevs, struct hook_status *status);

/**
 * hooks_choose() - leave out the hooks that would not run, and choose those that stand in for them
 * @failed: NULL, or an array of nr_hooks with what is known: those with HOOK_FAILED become
 *	HOOK_MISSING for the same reason
 * @status: array of nr_hooks from hooks_probe()
 */
void hooks_choose(const struct hook_status *failed, struct hook_status *status);

/**
 * hook_state() - look up the state of a hook
 * @prog: name of its program
 * @status: status of all hooks, nr_hooks of them
 *
 * Return: the state; HOOK_MISSING if no hook has this program.
 */
enum hook_state hook_state(const char *prog, const struct hook_status *status);

/**
 * hook_is_replaced() - check if another hook can be used in place of this one
 * @h: the hook
 *
 * Return: true if another one names it as hook.instead_of.
 */
bool hook_is_replaced(const struct hook *h);

/**
 * ftrace_is_off() - check if the user has switched off programs at the entry and exit of functions
 *
 * The kernel attaches such programs all the same, but never runs them.
 *
 * Return: true if kernel.ftrace_enabled is 0; false also if that cannot be read.
 */
bool ftrace_is_off(void);

/**
 * hook_btf_id() - find the BTF id of a function or tracepoint
 * @btf: the types of the kernel or of a module
 * @type: HOOK_TP if @symbol is a tracepoint; any other type if it is a function
 * @symbol: its name
 *
 * Return: the id; 0 or negative if it is not there.
 */
int hook_btf_id(const struct btf *btf, enum hook_type type, const char *symbol);

/**
 * hook_wanted() - check if devices need the hooks of a family
 * @family: hook.family; all devices need the hooks of NULL
 * @devs: the devices, with facts
 * @ndevs: number of devices; 0 if all families are needed
 *
 * Return: true if one of them needs these hooks.
 */
bool hook_wanted(const char *family, const struct device *devs, size_t ndevs);

/**
 * hook_is_submitters() - check if a hook is about the submitter of an I/O
 * @h: the hook
 *
 * Such a hook sees the submitter before the kernel has the I/O, or after that.
 *
 * Return: true if it gives mark E or W.
 */
bool hook_is_submitters(const struct hook *h);

/**
 * hook_attach() - attach the program of a hook
 * @h: the hook
 * @prog: its program, which is loaded
 * @st: becomes HOOK_ATTACHED, or HOOK_FAILED with the reason
 * @link: set if it is attached
 *
 * Return: 0 or -errno, not reported.
 */
int hook_attach(const struct hook *h, struct bpf_program *prog, struct hook_status *st,
		struct bpf_link **link);

/**
 * hook_type_name() - name a type of hook for the user
 * @type: the type
 *
 * Return: "tracepoint", "fentry", "fexit" or "raw tracepoint".
 */
const char *hook_type_name(enum hook_type type);

/**
 * hook_state_name() - name the state of a hook as blklat probe prints it
 * @state: the state
 *
 * Return: "attached", "missing" and so on.
 */
const char *hook_state_name(enum hook_state state);

#endif
