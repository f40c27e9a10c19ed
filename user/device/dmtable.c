// SPDX-License-Identifier: GPL-2.0
/* Parse the lines of device-mapper tables. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include "core/units.h"
#include "device/dmtable.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/*
 * These are the roles of the devices in the parameters of a target. The order of the devices
 * decides: the first ones have the roles of @fixed, the others have those of @cycle, which repeat
 * and get a number. The last role of @cycle is the leg. If the target has only one device, this
 * device gets a role only with @always.
 */
struct roles {
	const char *type;
	const char *begin;	/* the roles apply only if the parameters begin with this */
	const char *fixed[3];
	const char *cycle[2];
	bool always;
};

static const struct roles roles[] = {
	{ "striped", "", { }, { "leg" }, true },
	{ "mirror", "disk ", { "log" }, { "leg" }, true },
	{ "mirror", "", { }, { "leg" }, true },
	{ "raid", "", { }, { "metadata", "leg" }, true },
	{ "multipath", "", { }, { "path" }, true },
	{ "snapshot", "", { "origin", "cow" } },
	{ "snapshot-merge", "", { "origin", "cow" } },
	{ "snapshot-origin", "", { "origin" }, { }, true },
	{ "thin-pool", "", { "metadata", "data" } },
	{ "thin", "", { "pool", "external origin" }, { }, true },
	{ "cache", "", { "metadata", "cache", "origin" } },
	{ "writecache", "", { "origin", "cache" } },
	{ "delay", "", { "read", "write", "flush" } },
	{ "verity", "", { "data", "hash" } },
	{ "integrity", "", { "data", "metadata" } },
	{ "clone", "", { "metadata", "destination", "source" } },
	{ "era", "", { "metadata", "origin" } },
	{ "log-writes", "", { "data", "log" } },
};

static const struct roles *find_roles(const char *type, const char *params)
{
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (!strcmp(roles[i].type, type) &&
		    !strncmp(roles[i].begin, params, strlen(roles[i].begin)))
			return &roles[i];
	return NULL;
}

/* Copy the next word of @*p to @buf. Return @buf, or NULL at the end. */
static const char *next_word(const char **p, char *buf, size_t len)
{
	size_t n;

	*p += strspn(*p, " ");
	n = strcspn(*p, " ");
	if (!n)
		return NULL;
	snprintf(buf, len, "%.*s", (int)n, *p);
	*p += n;
	return buf;
}

/* Parse "8:16", or dm-integrity's "meta_device:8:16". Return 0 if the word is neither. */
static dev_t word_dev(const char *word)
{
	static const char meta[] = "meta_device:";
	unsigned int ma, mi;
	int end = 0;

	if (!strncmp(word, meta, sizeof(meta) - 1))
		word += sizeof(meta) - 1;
	if (!isdigit((unsigned char)*word) || sscanf(word, "%u:%u%n", &ma, &mi, &end) != 2 ||
	    word[end])
		return 0;
	return makedev(ma, mi);
}

/* Set role and leg of the device that is number @n, from 0, in the parameters of its target. */
static void set_role(struct dm_ref *ref, const struct roles *r, unsigned int n)
{
	unsigned int fixed = 0, cycle = 0, which;

	while (fixed < ARRAY_SIZE(r->fixed) && r->fixed[fixed])
		fixed++;
	while (cycle < ARRAY_SIZE(r->cycle) && r->cycle[cycle])
		cycle++;
	if (n < fixed) {
		snprintf(ref->role, sizeof(ref->role), "%s", r->fixed[n]);
	} else if (cycle) {
		which = (n - fixed) % cycle;
		n = (n - fixed) / cycle;
		snprintf(ref->role, sizeof(ref->role), "%s %u", r->cycle[which], n);
		if (which == cycle - 1)
			ref->leg = n;
	}
}

static bool one_device(const char *params)
{
	char word[DM_ROLE];
	dev_t first = 0;

	while (next_word(&params, word, sizeof(word))) {
		dev_t dev = word_dev(word);

		if (dev && first && dev != first)
			return false;
		first = first ?: dev;
	}
	return true;
}

size_t dm_table_refs(const char *type, const char *params,
		     void (*fn)(const struct dm_ref *ref, void *arg), void *arg)
{
	const struct roles *r = find_roles(type, params);
	bool raid = !strcmp(type, "raid"), journal = false;
	unsigned int position = 0;
	char word[DM_ROLE];
	size_t n = 0;

	if (r && !r->always && one_device(params))
		r = NULL;
	while (next_word(&params, word, sizeof(word))) {
		struct dm_ref ref = { .dev = word_dev(word), .leg = -1 };

		/* "-" stands for a missing raid leg: it takes a position. */
		if (raid && !strcmp(word, "-"))
			position++;
		if (ref.dev) {
			if (journal)
				strcpy(ref.role, "journal");
			else if (r)
				set_role(&ref, r, position++);
			fn(&ref, arg);
			n++;
		}
		journal = raid && !strcmp(word, "journal_dev");
	}
	return n;
}

static void zero_word(char *p)
{
	/* ":32:logon:name" names a key in the key ring, and is not the key. */
	if (*p == ':')
		return;
	while (*p && *p != ' ')
		*p++ = '0';
}

void dm_table_hide_keys(const char *type, char *params)
{
	static const char *const keyed[] = { "crypt", "inlinecrypt", "default-key" };
	static const char *const options[] = { "internal_hash:", "journal_crypt:", "journal_mac:" };
	char *p;

	for (size_t i = 0; i < ARRAY_SIZE(keyed); i++) {
		p = strcmp(type, keyed[i]) ? NULL : strchr(params, ' ');
		if (p)
			zero_word(p + 1);
	}
	if (strcmp(type, "integrity"))
		return;
	/* The option's value is ALGORITHM:KEY. */
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		p = strstr(params, options[i]);
		if (!p)
			continue;
		p += strlen(options[i]);
		p += strcspn(p, ": ");
		if (*p == ':')
			zero_word(p + 1);
	}
}

/* Return the text of a size: word @n (from 0) of @params, a number of sectors. */
static const char *sectors(const char *params, int n, char *buf, size_t len)
{
	char word[DM_ROLE] = "";

	while (n-- >= 0)
		if (!next_word(&params, word, sizeof(word)))
			return "?";
	return fmt_size(buf, len, strtoull(word, NULL, 10) * 512);
}

static void detail_linear(const char *params, char *buf, size_t len)
{
	char at[FMT_LEN];

	snprintf(buf, len, "at %s", sectors(params, 1, at, sizeof(at)));
}

static void detail_striped(const char *params, char *buf, size_t len)
{
	char chunk[FMT_LEN];

	snprintf(buf, len, "%u stripes of %s", (unsigned int)strtoul(params, NULL, 10),
		 sectors(params, 1, chunk, sizeof(chunk)));
}

static void detail_crypt(const char *params, char *buf, size_t len)
{
	next_word(&params, buf, len);
}

/* The parameters are DEV OFFSET MS, up to three times: for reads, writes, flushes. */
static void detail_delay(const char *params, char *buf, size_t len)
{
	unsigned int r = 0, w = 0, f = 0;
	int n = sscanf(params, "%*s %*s %u %*s %*s %u %*s %*s %u", &r, &w, &f);

	if (n == 1)
		snprintf(buf, len, "all %ums", r);
	else if (n == 2)
		snprintf(buf, len, "read %ums, write %ums", r, w);
	else if (n == 3)
		snprintf(buf, len, "read %ums, write %ums, flush %ums", r, w, f);
}

static void detail_raid(const char *params, char *buf, size_t len)
{
	char level[DM_ROLE] = "", chunk[FMT_LEN];
	unsigned int count = 0;
	const char *p = params;

	next_word(&p, level, sizeof(level));
	if (sscanf(p, " %*u %u", &count) == 1 && count)
		snprintf(buf, len, "%s, chunk %s", level, sectors(params, 2, chunk, sizeof(chunk)));
	else
		snprintf(buf, len, "%s", level);
}

static void detail_snapshot(const char *params, char *buf, size_t len)
{
	char kind[8] = "", chunk[FMT_LEN];

	if (sscanf(params, "%*s %*s %7s", kind) == 1)
		snprintf(buf, len, "%s, chunk %s", *kind == 'P' ? "persistent" : "transient",
			 sectors(params, 3, chunk, sizeof(chunk)));
}

static void detail_thin(const char *params, char *buf, size_t len)
{
	unsigned int id;

	if (sscanf(params, "%*s %u", &id) == 1)
		snprintf(buf, len, "thin device %u", id);
}

static void detail_thin_pool(const char *params, char *buf, size_t len)
{
	char block[FMT_LEN];

	snprintf(buf, len, "block %s", sectors(params, 2, block, sizeof(block)));
}

static void detail_cache(const char *params, char *buf, size_t len)
{
	char block[FMT_LEN];

	snprintf(buf, len, "block %s", sectors(params, 3, block, sizeof(block)));
}

static void detail_writecache(const char *params, char *buf, size_t len)
{
	char block[FMT_LEN];
	unsigned int bytes = 0;

	if (sscanf(params, "%*s %*s %*s %u", &bytes) == 1)
		snprintf(buf, len, "%s, block %s", *params == 'p' ? "pmem" : "ssd",
			 fmt_size(block, sizeof(block), bytes));
}

static const struct {
	const char *type;
	void (*fn)(const char *params, char *buf, size_t len);
} details[] = {
	{ "linear", detail_linear }, { "striped", detail_striped }, { "crypt", detail_crypt },
	{ "delay", detail_delay }, { "raid", detail_raid }, { "snapshot", detail_snapshot },
	{ "thin", detail_thin }, { "thin-pool", detail_thin_pool }, { "cache", detail_cache },
	{ "writecache", detail_writecache },
};

char *dm_table_detail(const char *type, const char *params, char *buf, size_t len)
{
	*buf = 0;
	for (size_t i = 0; i < ARRAY_SIZE(details); i++)
		if (!strcmp(details[i].type, type))
			details[i].fn(params, buf, len);
	return buf;
}

/* Find the state of a path in "... 8:16 A 0 8:32 F 1 ...": A is active. */
static const char *path_state(const char *status, dev_t dev)
{
	char word[DM_ROLE];

	while (next_word(&status, word, sizeof(word)))
		if (word_dev(word) == dev && next_word(&status, word, sizeof(word)))
			return *word == 'A' ? "active" : "failed";
	return NULL;
}

/* Find the state of a leg in "raid1 2 AA 16384/16384 idle 0 0 -": D is dead, a is not in sync. */
static const char *raid_leg_state(const char *status, int leg)
{
	char health[256];

	if (leg < 0 || sscanf(status, "%*s %*u %255s", health) != 1 ||
	    (size_t)leg >= strlen(health))
		return NULL;
	return health[leg] == 'a' ? "rebuilding" : health[leg] == 'D' ? "failed" : NULL;
}

const char *dm_status_leg(const char *type, const char *status, const struct dm_ref *ref)
{
	if (!status)
		return NULL;
	if (!strcmp(type, "multipath"))
		return path_state(status, ref->dev);
	if (!strcmp(type, "raid"))
		return raid_leg_state(status, ref->leg);
	return NULL;
}
