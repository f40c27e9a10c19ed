/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TOPO_H
#define BLKLAT_TOPO_H

#include <stddef.h>
#include "device/device.h"
#include "device/dmtable.h"

/*
 * What a block device is made of, layer by layer, and what is made of it. The
 * layers come from sysfs; what a dm device does with its devices is in its
 * table, which only root may read.
 */

enum topo_layer {
	TOPO_DISK,		/* a driver's own: the end of the stack */
	TOPO_PARTITION,
	TOPO_DM,
	TOPO_MD,
	TOPO_NVME_HEAD,		/* NVMe multipath: over the hidden disks of its paths */
	TOPO_STACKED,		/* another driver on top of others (bcache, drbd) */
	NR_TOPO_LAYERS
};

/* "disk", "partition", "dm", "md", "nvme multipath", "stacked" */
const char *topo_layer_name(enum topo_layer layer);

/**
 * struct topo_link - a device directly below or above another
 * @node: its index in struct topo
 * @leg: number of the leg or path that the lower one is, or -1
 * @role: what the lower one is for the upper: "leg 0", "metadata", "journal",
 *	"spare", "leg 1, faulty", "path 0, active"; "" when there is nothing to say
 * @order: where the upper one's own configuration names it
 */
struct topo_link {
	unsigned int node;
	int leg;
	char role[DM_ROLE];
	unsigned int order;
};

/* After all that have one. */
#define TOPO_NO_ORDER (~0U)

struct topo_links {
	struct topo_link *v;
	size_t n;
};

/* A line of a dm table. @params has no keys; @status may be NULL. Bytes. */
struct topo_target {
	char type[32];
	uint64_t start;
	uint64_t length;
	char *params;
	char *status;
};

/**
 * struct topo_dm - a dm device
 * @origin: who made it, from its uuid: "LVM", "CRYPT", "mpath"; "" when not known
 * @no_table: why there are no targets: "needs root"; "" when they were read
 */
struct topo_dm {
	char name[DEV_TEXT];
	char uuid[160];
	char origin[32];
	bool suspended;
	struct topo_target *targets;
	size_t ntargets;
	char no_table[64];
};

/**
 * struct topo_md - an md array
 * @chunk: bytes, 0 when the level has none
 * @raid_disks: legs that it should have
 * @degraded: legs that it lacks
 * @state, @sync_action: as in sysfs: "clean", "active"...; "idle", "resync"...,
 *	"" when the level has none
 */
struct topo_md {
	char level[32];
	char metadata[32];
	uint64_t chunk;
	unsigned int raid_disks;
	unsigned int degraded;
	char state[32];
	char sync_action[32];
};

/**
 * struct topo_node - one device of the graph
 * @dev: the device, with its facts. The hidden disk of an NVMe path has no
 *	number and no node in /dev: @dev.dev is 0.
 * @below: what it is made of, in the order of its legs
 * @above: what is made of it; only what belongs to the graph
 * @dm: all zero unless @layer is TOPO_DM
 * @md: all zero unless @layer is TOPO_MD
 */
struct topo_node {
	struct device dev;
	enum topo_layer layer;
	struct topo_links below;
	struct topo_links above;
	struct topo_dm dm;
	struct topo_md md;
};

/* Each device once. A device comes before all that it is made of. */
struct topo {
	struct topo_node *nodes;
	size_t n;
};

enum topo_dir { TOPO_BELOW, TOPO_ABOVE };

/**
 * topo_build() - the graph below or above some devices
 * @devs: @n of them, resolved; each is in the graph
 * @t: overwritten; topo_free() it also after a failure
 *
 * A device that goes away meanwhile is left out.
 * Return: 0 or -errno, reported.
 */
int topo_build(const struct device *devs, size_t n, enum topo_dir dir, struct topo *t);

/**
 * topo_look() - the graph below some devices, for looking often
 *
 * As topo_build(), but without device_facts(), and a device that went away is
 * left out even if it is one of @devs. Return: 0 or -errno, not reported.
 */
int topo_look(const struct device *devs, size_t n, struct topo *t);

/* What @top is made of. Node 0 is @top, leaves come last. Return: as topo_build(). */
int topo_below(const struct device *top, struct topo *t);

/* What is made of @leaf. Tops come first, the last node is @leaf. Return: as topo_build(). */
int topo_above(const struct device *leaf, struct topo *t);

void topo_free(struct topo *t);

/* The index of the device in this directory of /sys, or -1. */
int topo_find(const struct topo *t, const char *sys);

/**
 * topo_tops() - the devices that nothing is made of, sorted by name
 * @devs: an array for free(). Devices of size 0 and ram disks are left out.
 * Return: 0 or -errno, reported.
 */
int topo_tops(struct device **devs, size_t *n);

/*
 * What many I/Os of this device share below, so that they cannot be told apart
 * there: "stripe cache". NULL: nothing.
 */
const char *topo_shares(const struct topo_node *n);

/*
 * Layers, for topo.c. *_load() fills in the node's part. *_link() sets role, leg
 * and order of the link to a device below it.
 */
void topo_dm_load(const struct device *d, struct topo_dm *dm);
void topo_dm_link(const struct topo_dm *dm, dev_t below, struct topo_link *link);
void topo_dm_free(struct topo_dm *dm);
void topo_md_load(const struct device *d, struct topo_md *md);
void topo_md_link(const struct device *d, const struct device *below, struct topo_link *link);

#endif
