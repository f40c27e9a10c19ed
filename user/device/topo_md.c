// SPDX-License-Identifier: GPL-2.0
/* Read the md layer from the md directory in sysfs. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/text.h"
#include "device/topo.h"

void topo_md_load(const struct device *d, struct topo_md *md)
{
	char dir[600];

	snprintf(dir, sizeof(dir), "%s/md", d->sys);
	sys_read(dir, "level", md->level, sizeof(md->level));
	sys_read(dir, "metadata_version", md->metadata, sizeof(md->metadata));
	sys_read(dir, "array_state", md->state, sizeof(md->state));
	sys_read(dir, "sync_action", md->sync_action, sizeof(md->sync_action));
	md->chunk = sys_num(dir, "chunk_size");
	md->raid_disks = sys_num(dir, "raid_disks");
	md->degraded = sys_num(dir, "degraded");
}

/* The role shows these words of a member's "state" after the number of the leg. */
static const struct {
	const char *word, *text;
} states[] = {
	{ "faulty", "faulty" }, { "write_mostly", "write-mostly" },
	{ "replacement", "replacement" }, { "spare", "rebuilding" },
};

void topo_md_link(const struct device *d, const struct device *below, struct topo_link *link)
{
	char dir[PATH_MAX], slot[32], state[128];
	size_t n;

	snprintf(dir, sizeof(dir), "%s/md/dev-%s", d->sys, path_base(below->sys));
	if (sys_read(dir, "state", state, sizeof(state)))
		return;
	sys_read(dir, "slot", slot, sizeof(slot));
	/* Members without a slot come after the legs. */
	link->order = TOPO_NO_ORDER;
	if (strstr(state, "journal")) {
		snprintf(link->role, sizeof(link->role), "journal");
		return;
	}
	if (!isdigit((unsigned char)*slot)) {
		snprintf(link->role, sizeof(link->role), "%s",
			 strstr(state, "faulty") ? "faulty" : "spare");
		return;
	}
	link->leg = atoi(slot);
	link->order = link->leg;
	snprintf(link->role, sizeof(link->role), "leg %d", link->leg);
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (!strstr(state, states[i].word))
			continue;
		n = strlen(link->role);
		snprintf(link->role + n, sizeof(link->role) - n, ", %s", states[i].text);
	}
}
