/* SPDX-License-Identifier: GPL-2.0 */
/* Keep the devices of the command, and the loads on them. */
#ifndef BLKGEN_LOAD_TARGET_H
#define BLKGEN_LOAD_TARGET_H

#include "blkgen/load/cfg.h"
#include "blkgen/load/kctl.h"
#include "core/child.h"
#include "device/device.h"
#include "device/tempdev.h"
#include "output/json.h"

/* This is a block device, which the command holds from its first load to the end of the command. */
struct load_dev {
	struct device dev;
	int fd;				/* the claimed device; -1: not claimed yet */
	bool temp;			/* the temporary device: it holds no data to lose */
	bool changes;			/* some load writes to it: claim it for writing */
	bool not_in_use;		/* load_check_device() found that no one uses it */
	struct load_nvme *nvme;		/* its own counters; NULL: not NVMe, or not read yet */
};

/* These are the findings of --verify on one device. */
struct load_verified {
	uint64_t written;		/* I/Os to be read back; 0: nothing was written */
	uint64_t reads;			/* number of reads that were checked */
	uint64_t failed;		/* number of reads that failed */
	uint64_t unchecked;		/* writes that were not read back, for any reason */
	struct blkgen_mismatches wrong;
};

/* A target is one load on one device, in a session of its own. */
struct load_target {
	struct load_dev *on;
	const struct load_cfg *cfg;
	const void *from;		/* for messages about the load, see @where in step.h */
	const char *label;		/* name of the load, to tell it from others; NULL: none */
	struct load_cfg own;		/* memory for @cfg if each target has other options */
	bool endless;			/* ignore --time: load_stop() ends the load */
	int ctl;			/* fd of the session; -1: not open */
	bool running;
	bool hung;			/* given up: the I/Os in flight do not complete */
	/* After it was stopped, the load made its last progress at this CLOCK_MONOTONIC; else 0. */
	uint64_t quiet_ns;
	uint64_t quiet_inflight;	/* I/Os in flight at the last load_look() */
	uint64_t quiet_written;		/* if buffered: sectors written at that time */
	uint64_t limit_ns;		/* CLOCK_MONOTONIC when --time is over; 0: never */
	uint64_t oldest_ns;		/* if @hung: age of the oldest I/O in flight */
	uint64_t ended_ns;		/* if @hung: @quiet_ns when the load was given up */
	uint64_t left_ns;		/* if @hung: when the load was given up */
	int keeper;			/* pid of the process that waits for the device; 0: none */
	int32_t *cpus;			/* CPU of each job, or NULL */
	struct blkgen_setup setup;
	struct blkgen_status status;
	struct load_verified verified;
};

/* The progress line was computed from these sums last time. */
struct load_pace {
	struct progress line;
	uint64_t ios, bytes, at_ns, next_ns;
};

/*
 * The command has devices, and loads that run on them at the same time. Loads that run one after
 * the other use the same devices, each with targets of its own.
 */
struct load {
	const struct load_cfg *cfg;	/* options of the command line */
	struct tempdev temp;
	struct load_dev *devs;
	size_t ndevs;
	struct blkgen_features feat;
	struct load_target *targets;
	size_t ntargets;
	int sigfd;			/* -1: the command does not read signals */
	struct child signals;		/* only its signals are used: there is no program */
	uint64_t interrupted_ns;	/* CLOCK_MONOTONIC of the first signal; 0: none */
	bool hung;			/* I/Os of a device do not complete: start no load */
	json_object *doc;		/* NULL without --json */
	uint64_t errors;		/* I/Os that failed, did not match or were not checked */
	bool qd_given;			/* the user gave --qd */
	char what[240];			/* text before the progress: "step 2 of 8, qd=4: " */
	char step[200];			/* which of several loads: "qd=4"; "" for a single load */
	struct load_pace pace;
	struct load_intervals *intervals;	/* interval.h */
};

/**
 * load_stdout_taken() - tell if stdout is for data
 * @l: its options say where JSON, CSV and the log go
 *
 * Return: true if stdout is for JSON, CSV or a log, and must have no other output.
 */
bool load_stdout_taken(const struct load *l);

/**
 * load_devices() - find the devices, or make a temporary one
 * @l: gets the devices
 * @names: names of devices, as for device_resolve()
 * @n: number of @names; 0 for a temporary device
 * @jobs: a temporary device gets this many hardware queues, 64 at most
 *
 * Return: 0, -EUSAGE if a device is named twice, or -errno; reported.
 */
int load_devices(struct load *l, char *const *names, size_t n, uint64_t jobs);

/**
 * load_device_add() - add a device
 * @l: gets the device; pointers into its devs are not valid afterwards, because the array may move
 * @name: name of the device, as for device_resolve()
 * @at: set to the index in @l->devs, also if the device was there already
 *
 * Return: 0, 1 if the device was there already, or -errno, reported.
 */
int load_device_add(struct load *l, const char *name, size_t *at);

/**
 * load_targets() - make a new array of targets, which the caller fills in
 * @l: gets the targets; call load_release() first if it has targets already
 * @n: number of targets
 *
 * Return: 0 or -ENOMEM, reported.
 */
int load_targets(struct load *l, size_t n);

/**
 * load_release() - close the sessions, which ends the targets that run
 * @l: its devices stay claimed
 *
 * I/Os in flight are left to a child process: see load_leave().
 */
void load_release(struct load *l);

/**
 * load_end() - call load_release(), let go of the devices, and free the memory
 * @l: not to be used for a load afterwards; its JSON document stays, and belongs to the caller
 *
 * Call load_intervals_end() before, because this does not free the intervals.
 */
void load_end(struct load *l);

#endif
