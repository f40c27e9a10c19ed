/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TOPO_DIFF_H
#define BLKLAT_TOPO_DIFF_H

#include "device/topo.h"

enum topo_change_kind {
	TOPO_TABLE,	/* a dm device does something else with its devices */
	TOPO_STATE,	/* suspended, degraded, rebuilding... */
	TOPO_ROLE,	/* a device is something else for the one above: a failed leg */
	TOPO_JOINED,	/* a device is used by one above that did not use it before */
	TOPO_LEFT,	/* or no longer */
	TOPO_GONE,	/* it does not exist any more */
	TOPO_TRACED,	/* for the caller: what became of one that joined */
	NR_TOPO_CHANGES
};

#define TOPO_CHANGE_TEXT 400

/**
 * struct topo_change - what is different
 * @device: name of the device that changed; for links, of the lower one
 * @what: "table changed: linear 8:0 0 -> linear 8:16 0", "joined md0 as leg 1"
 */
struct topo_change {
	enum topo_change_kind kind;
	char device[DEV_NAME];
	char what[TOPO_CHANGE_TEXT];
};

/* "table", "state", "role", "joined", "left", "gone", "traced" */
const char *topo_change_name(enum topo_change_kind kind);

/* What @after, made by topo_look() of the same devices as @before, has different. */
void topo_diff(const struct topo *before, const struct topo *after,
	       void (*fn)(const struct topo_change *c, void *arg), void *arg);

#endif
