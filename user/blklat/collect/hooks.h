/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_HOOKS_H
#define BLKLAT_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
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
	HOOK_UNUSED,	/* no traced device needs it, or its twin is there */
	HOOK_MISSING,	/* this kernel does not have it */
	HOOK_LATER,	/* its module is not loaded yet */
	HOOK_FOUND,
	HOOK_FAILED,	/* there, but attaching failed */
	HOOK_ATTACHED,
};

/**
 * struct hook - one BPF program and what it hangs on; a row of hooks[]
 * @prog: name of the program in the BPF object
 * @family: only for devices of this family (hook_family()), NULL for all
 * @type: how it attaches
 * @symbol: function or tracepoint
 * @marks: marks it gives
 * @without: what happens where it is missing; NULL: blklat cannot do without
 * @twin: name of the same hook in other kernels; a kernel that has it does not miss this one
 */
struct hook {
	const char *prog;
	const char *family;
	enum hook_type type;
	const char *symbol;
	const char *marks;
	const char *without;
	const char *twin;
};

extern const struct hook hooks[];
extern const size_t nr_hooks;

/**
 * struct hook_status - what became of a hook on this kernel
 * @state: see there
 * @reason: for HOOK_MISSING, HOOK_LATER and HOOK_FAILED, one line
 * @module: module that has it, "" for the kernel itself
 * @btf_id: of the function or tracepoint, in the BTF of that module; <= 0: it has none
 */
struct hook_status {
	enum hook_state state;
	char reason[128];
	char module[32];
	int btf_id;
};

/* "nvme", "scsi" (libata too), "virtio_blk", "null_blk"; NULL: no hooks yet. */
const char *hook_family(const struct device *d);

/**
 * hooks_probe() - look in BTF which hooks this kernel has
 * @devs: the devices to be traced; with @ndevs 0 all families are looked for
 * @ndevs: how many
 * @status: array of nr_hooks, filled in
 *
 * Return: 0, -ENOENT when the kernel has no BTF, -EPERM, reported; or -ENOMEM.
 */
int hooks_probe(const struct device *devs, size_t ndevs, struct hook_status *status);

/* Where @btf has a function or, with HOOK_TP, a tracepoint; <= 0: nowhere. */
int hook_btf_id(const struct btf *btf, enum hook_type type, const char *symbol);

/* Whether a traced device needs the hooks of @family (NULL: everyone does). */
bool hook_wanted(const char *family, const struct device *devs, size_t ndevs);

/* Whether it is there for what is before and after the kernel has the I/O: marks E and W. */
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

const char *hook_type_name(enum hook_type type);
const char *hook_state_name(enum hook_state state);

#endif
