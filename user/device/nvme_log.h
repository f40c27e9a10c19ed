/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NVME_LOG_H
#define BLKLAT_NVME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/device.h"

/* What an NVMe device counts of itself, and what became of it between two readings. */

/* Log pages that have it. */
enum nvmelog_page {
	NVMELOG_SMART,		/* SMART / Health Information, 02h; all devices have it */
	NVMELOG_FDP,		/* Flexible Data Placement Statistics, 22h */
	NVMELOG_OCP,		/* SMART Cloud Health of the Open Compute Project, C0h */
	NVMELOG_INTEL,		/* Additional SMART of Intel and Solidigm, CAh */
	NVMELOG_NR_PAGES
};

enum nvmelog_counter {
	NVMELOG_HOST_READ,
	NVMELOG_HOST_WRITTEN,
	NVMELOG_MEDIA_ERRORS,
	NVMELOG_FDP_HOST_WRITTEN,
	NVMELOG_FDP_MEDIA_WRITTEN,
	NVMELOG_OCP_MEDIA_READ,
	NVMELOG_OCP_MEDIA_WRITTEN,
	NVMELOG_INTEL_HOST_WRITTEN,
	NVMELOG_INTEL_MEDIA_WRITTEN,
	NVMELOG_NR_COUNTERS
};

struct nvmelog_page_desc {
	const char *key, *title;	/* "fdp", "FDP" */
	unsigned int lid, len;		/* log identifier; bytes that are read */
	/* Of write amplification: media over host. Both -1: the page has none. */
	int media, host;
};
extern const struct nvmelog_page_desc nvmelog_pages[NVMELOG_NR_PAGES];

struct nvmelog_counter_desc {
	enum nvmelog_page page;
	const char *key, *title;	/* "host_bytes_written", "host bytes written" */
	unsigned int unit;		/* what one count is worth, bytes; 1 for errors */
	bool bytes;
};
extern const struct nvmelog_counter_desc nvmelog_counters[NVMELOG_NR_COUNTERS];

#define NVMELOG_NOTE 128

/* One reading. */
struct nvmelog {
	bool have[NVMELOG_NR_COUNTERS];
	unsigned __int128 count[NVMELOG_NR_COUNTERS];	/* in units */
	unsigned int kelvin;				/* 0: not known */
	char note[NVMELOG_NR_PAGES][NVMELOG_NOTE];	/* why a page is not here; "" when it is */
	bool absent[NVMELOG_NR_PAGES];	/* of those, what the device does not offer */
};

/* Figures are in bytes, or errors. What is not known is why in @note. */
struct nvmelog_change {
	bool has_before, has_after, has_change;
	uint64_t before, after, change;
	char note[NVMELOG_NOTE];
};

/**
 * nvmelog_decode() - take the counters out of a log page
 * @len: bytes of it that are there
 * Return: 0, -EINVAL (too short) or -ENOMSG (another vendor's page of the same number).
 */
int nvmelog_decode(enum nvmelog_page page, const void *data, size_t len, struct nvmelog *log);

/* @loaded: bytes that the run is known to have moved this way at least; 0: not known. */
void nvmelog_change(const struct nvmelog *before, const struct nvmelog *after,
		    enum nvmelog_counter counter, uint64_t loaded, struct nvmelog_change *c);

/**
 * nvmelog_amplification() - media bytes written per host byte written, of one page
 * @note: why there is none, NVMELOG_NOTE bytes
 * Return: above 0, or 0 when it cannot be told.
 */
double nvmelog_amplification(const struct nvmelog *before, const struct nvmelog *after,
			     enum nvmelog_page page, char *note);

/* Where it is read from. */
struct nvmelog_source {
	int fd;			/* of the controller */
	char ctrl[32];		/* "nvme0" */
	unsigned int paths;	/* controllers that lead to the namespace */
	unsigned int vendor;	/* PCI */
	unsigned int group;	/* endurance group; 0: none */
	bool fdp;
	bool lists_pages;	/* the device says which log pages it has */
};

/**
 * nvmelog_open() - find the controller of an NVMe namespace, or of a partition of it
 * @why: on failure the reason, NVMELOG_NOTE bytes
 * Return: 0 or -errno, not reported. @s->fd is the caller's to close.
 */
int nvmelog_open(const struct device *d, struct nvmelog_source *s, char *why);

/**
 * nvmelog_read() - read all pages
 * @before: an earlier reading, or NULL; pages that it has not are not asked for again
 * @why: on failure the reason, NVMELOG_NOTE bytes; @log has it too
 * Return: 0, or -errno when the controller is not there; not reported.
 */
int nvmelog_read(const struct nvmelog_source *s, struct nvmelog *log, const struct nvmelog *before,
		 char *why);

/* A reading that did not take place, for this reason. */
void nvmelog_unread(struct nvmelog *log, const char *why);

/* In nvme.c. Return: 0, an NVMe status (above 0), or -errno. */
int device_nvme_identify(int fd, uint32_t nsid, struct nvmelog_source *s);
int device_nvme_log(int fd, unsigned int lid, unsigned int specific, void *data, size_t len);

#endif
