/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TOPO_DIFF_H
#define BLKLAT_TOPO_DIFF_H

#include "device/topo.h"

enum topo_change_kind {
	TOPO_TABLE,	/* the dm table, or the level, legs or chunk of an md array, changed */
	TOPO_STATE,	/* suspended, degraded, rebuilding... */
	TOPO_ROLE,	/* the device's role for the device above changed: a failed leg */
	TOPO_JOINED,	/* a device above uses this device that did not use it before */
	TOPO_LEFT,	/* a device above does not use this device any more */
	TOPO_GONE,	/* for the caller: the device does not exist any more */
	TOPO_TRACED,	/* for the caller: a device that joined is traced, or cannot be */
	NR_TOPO_CHANGES
};

#define TOPO_CHANGE_TEXT 400

/**
 * struct topo_change - one difference between two looks at a stack
 * @kind: the kind of the change
 * @device: name of the device that changed; for a link, of the lower device
 * @what: "table changed: linear 8:0 0 -> linear 8:16 0", "joined md0 as leg 1"
 */
struct topo_change {
	enum topo_change_kind kind;
	char device[DEV_NAME];
	char what[TOPO_CHANGE_TEXT];
};

/**
 * topo_change_name() - return the name of a kind of change
 * @kind: the kind
 *
 * Return: "table", "state", "role", "joined", "left", "gone" or "traced".
 */
const char *topo_change_name(enum topo_change_kind kind);

/**
 * topo_diff() - call a function for each difference of two looks at a stack
 * @before: the earlier look, from topo_look()
 * @after: the later look, from topo_look() of the same devices
 * @fn: called with each difference, which is valid only during the call
 * @arg: handed to @fn
 */
void topo_diff(const struct topo *before, const struct topo *after,
	       void (*fn)(const struct topo_change *c, void *arg), void *arg);

#endif
