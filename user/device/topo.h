/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TOPO_H
#define BLKLAT_TOPO_H

#include <stddef.h>
#include "device/device.h"
#include "device/dmtable.h"

/*
 * Find the devices that a block device is made of, layer by layer, or the devices that are made of
 * it. The layers come from sysfs. How a dm device uses the devices below is in its table, which
 * only root may read.
 */

enum topo_layer {
	TOPO_DISK,		/* a disk of a driver: the end of the stack */
	TOPO_PARTITION,
	TOPO_DM,
	TOPO_MD,
	TOPO_NVME_HEAD,		/* NVMe multipath: over the hidden disks of its paths */
	TOPO_STACKED,		/* another driver on top of other devices (bcache, drbd) */
	NR_TOPO_LAYERS
};

/**
 * topo_layer_name() - return the name of a kind of device
 * @layer: the kind
 *
 * Return: "disk", "partition", "dm", "md", "nvme multipath" or "stacked".
 */
const char *topo_layer_name(enum topo_layer layer);

/**
 * struct topo_link - a link to a device directly below or above
 * @node: index of the other device in struct topo
 * @leg: number of the leg or path that the lower device is, or -1
 * @role: the role of the lower device for the upper: "leg 0", "metadata", "journal",
 *	"spare", "leg 1, faulty", "path 0, active"; "" if it has no role
 * @order: position of the lower device in the upper device's own configuration
 */
struct topo_link {
	unsigned int node;
	int leg;
	char role[DM_ROLE];
	unsigned int order;
};

/* A device without a position comes after all devices that have one. */
#define TOPO_NO_ORDER (~0U)

struct topo_links {
	struct topo_link *v;
	size_t n;
};

/*
 * This is a line of a dm table, whose start and length are in bytes. @params has zeros for
 * encryption keys; @status may be NULL.
 */
struct topo_target {
	char type[32];
	uint64_t start;
	uint64_t length;
	char *params;
	char *status;
};

/**
 * struct topo_dm - a dm device
 * @name: name of the device for dm
 * @uuid: uuid of the device for dm
 * @origin: the program that made the device, from @uuid: "LVM", "CRYPT", "mpath"; "" if not known
 * @suspended: true if the device is suspended
 * @targets: the lines of the table
 * @ntargets: number of @targets
 * @no_table: why the table could not be read: "needs root"; "" if it was read
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
 * @level: as in sysfs, "raid1"
 * @metadata: version of the metadata, as in sysfs
 * @chunk: bytes, 0 if the level has no chunks
 * @raid_disks: number of legs that the array should have
 * @degraded: number of legs that are missing
 * @state: as in sysfs: "clean", "active"...
 * @sync_action: as in sysfs: "idle", "resync"...; "" if the level has none
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
 * @layer: the kind of the device
 * @below: links to the devices of the graph that this device is made of, in the order of its legs
 * @above: links to the devices of the graph that are made of this device
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

/* A graph has each device once, before all devices that the device is made of. */
struct topo {
	struct topo_node *nodes;
	size_t n;
};

enum topo_dir { TOPO_BELOW, TOPO_ABOVE };

/**
 * topo_build() - make the graph below or above some devices
 * @devs: the devices, resolved; each is in the graph
 * @n: number of @devs
 * @dir: TOPO_BELOW or TOPO_ABOVE
 * @t: overwritten; free it with topo_free(), also after a failure
 *
 * Other devices that go away meanwhile are left out.
 * Return: 0, -ENODEV if one of @devs went away, or another -errno; reported.
 */
int topo_build(const struct device *devs, size_t n, enum topo_dir dir, struct topo *t);

/**
 * topo_look() - make the graph below some devices, fast enough to do it often
 * @devs: the devices, resolved
 * @n: number of @devs
 * @t: overwritten; free it with topo_free(), also after a failure
 *
 * This does as topo_build(), but without device_facts(), and a device that went away is left out
 * even if it is one of @devs.
 *
 * Return: 0 or -errno, not reported.
 */
int topo_look(const struct device *devs, size_t n, struct topo *t);

/**
 * topo_facts() - fill in what topo_look() leaves out
 * @t: the graph
 */
void topo_facts(struct topo *t);

/**
 * topo_walk() - find what some devices are made of, by the links in /sys alone
 * @devs: the devices, resolved; NULL for all disks, also hidden ones and those of size 0
 * @n: number of @devs
 * @t: overwritten; free it with topo_free(), also after a failure
 *
 * The nodes have no links and no details, so this asks no driver, and no driver can block it.
 * Return: 0 or -errno, not reported.
 */
int topo_walk(const struct device *devs, size_t n, struct topo *t);

/**
 * topo_free() - free a graph and zero it
 * @t: the graph; it may be zeroed already
 */
void topo_free(struct topo *t);

/**
 * topo_find() - find a device in a graph
 * @t: the graph
 * @sys: the device's directory in /sys, links resolved
 *
 * Return: index of the device in the graph, or -1.
 */
int topo_find(const struct topo *t, const char *sys);

/**
 * topo_tops() - list the devices with no device above them, sorted by name
 * @devs: set to an array that the caller frees with free(); without devices of size 0 and ram disks
 * @n: set to the number of devices
 * Return: 0 or -errno, reported.
 */
int topo_tops(struct device **devs, size_t *n);

/**
 * topo_shares() - find a part of a device that many I/Os share
 * @n: the device
 *
 * Bios below such a device cannot be assigned to single I/Os.
 *
 * Return: name of the part, "stripe cache"; NULL if I/Os share nothing.
 */
const char *topo_shares(const struct topo_node *n);

/* The functions from here to topo_md_link() read the dm and md layers, for topo.c only. */

/**
 * topo_dm_load() - fill in the dm part of a node
 * @d: the dm device
 * @dm: zeroed before; free it with topo_dm_free()
 */
void topo_dm_load(const struct device *d, struct topo_dm *dm);

/**
 * topo_dm_link() - set role, leg and order of the link to a device below a dm device
 * @dm: from topo_dm_load()
 * @below: number of the device below
 * @link: its role is "" before; it stays as it is if no device of the table is known. If the table
 *	names only other devices, order is set to TOPO_NO_ORDER.
 */
void topo_dm_link(const struct topo_dm *dm, dev_t below, struct topo_link *link);

/**
 * topo_dm_free() - free the targets of a dm device
 * @dm: from topo_dm_load(), or zeroed; not zeroed here
 */
void topo_dm_free(struct topo_dm *dm);

/**
 * topo_md_load() - fill in the md part of a node
 * @d: the md array
 * @md: zeroed before; texts and numbers that cannot be read are "" and 0
 */
void topo_md_load(const struct device *d, struct topo_md *md);

/**
 * topo_md_link() - set role, leg and order of the link to a device below an md array
 * @d: the md array
 * @below: the device below
 * @link: stays as it is if @below is not a member of the array
 */
void topo_md_link(const struct device *d, const struct device *below, struct topo_link *link);

struct dm_task;

/**
 * topo_dm_task() - make a task of libdevmapper, without the library's messages
 * @type: DM_DEVICE_*
 *
 * The library would write failures to stderr that are no errors for us.
 *
 * Return: the task, for dm_task_destroy(); NULL without memory.
 */
struct dm_task *topo_dm_task(int type);

#endif
