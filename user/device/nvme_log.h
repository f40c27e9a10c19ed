/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_NVME_LOG_H
#define BLKLAT_NVME_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/device.h"

/* Read the counters of an NVMe device, and find how they changed between two readings. */

/* The counters are in these log pages. */
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
	unsigned int lid, len;		/* log identifier; bytes to read */
	/* Write amplification is counter @media over counter @host. Both are -1: not possible. */
	int media, host;
};
extern const struct nvmelog_page_desc nvmelog_pages[NVMELOG_NR_PAGES];

struct nvmelog_counter_desc {
	enum nvmelog_page page;
	const char *key, *title;	/* "host_bytes_written", "host bytes written" */
	unsigned int unit;		/* bytes per count; 1 for errors */
	bool bytes;
};
extern const struct nvmelog_counter_desc nvmelog_counters[NVMELOG_NR_COUNTERS];

#define NVMELOG_NOTE 128

/* This is one reading of all pages. */
struct nvmelog {
	bool have[NVMELOG_NR_COUNTERS];
	unsigned __int128 count[NVMELOG_NR_COUNTERS];	/* in units of the counter */
	unsigned int kelvin;				/* temperature; 0: not known */
	char note[NVMELOG_NR_PAGES][NVMELOG_NOTE];	/* why the page was not read; "": it was */
	bool absent[NVMELOG_NR_PAGES];	/* not read because the device does not offer the page */
};

/* This is the change of a counter in bytes or errors. @note says why it is missing or not exact. */
struct nvmelog_change {
	bool has_before, has_after, has_change;
	uint64_t before, after, change;
	char note[NVMELOG_NOTE];
};

/**
 * nvmelog_decode() - take the counters out of a log page
 * @page: which page
 * @data: the page
 * @len: bytes of @data
 * @log: the counters of the page are set
 * Return: 0, -EINVAL (too short) or -ENOMSG (another vendor's page with the same number).
 */
int nvmelog_decode(enum nvmelog_page page, const void *data, size_t len, struct nvmelog *log);

/**
 * nvmelog_change() - find the change of a counter between two readings
 * @before: the earlier reading
 * @after: the later reading
 * @counter: the counter
 * @loaded: bytes that the run has moved in this direction at least, to see that the counter is too
 *	low; 0: not known
 * @c: set to the change
 */
void nvmelog_change(const struct nvmelog *before, const struct nvmelog *after,
		    enum nvmelog_counter counter, uint64_t loaded, struct nvmelog_change *c);

/**
 * nvmelog_amplification() - find the media bytes written per host byte written
 * @before: reading before the writes
 * @after: reading after the writes
 * @page: the page whose counters to use
 * @note: NVMELOG_NOTE bytes, set to the reason for a result of 0
 * Return: above 0; 0 if the amplification is not known, or no write reached the media.
 */
double nvmelog_amplification(const struct nvmelog *before, const struct nvmelog *after,
			     enum nvmelog_page page, char *note);

/* The log pages are read from this controller. */
struct nvmelog_source {
	int fd;			/* the open controller */
	char ctrl[32];		/* "nvme0" */
	unsigned int paths;	/* number of controllers that lead to the namespace */
	unsigned int vendor;	/* PCI vendor ID */
	unsigned int group;	/* endurance group; 0: none */
	bool fdp;		/* the controller has Flexible Data Placement */
	bool lists_pages;	/* the device says which log pages it has */
};

/**
 * nvmelog_open() - open the controller of an NVMe namespace, or of a partition of one
 * @d: the namespace or partition
 * @s: set on success; the caller closes @s->fd
 * @why: NVMELOG_NOTE bytes, set to the reason of a failure
 * Return: 0 or -errno, not reported.
 */
int nvmelog_open(const struct device *d, struct nvmelog_source *s, char *why);

/**
 * nvmelog_read() - read all pages
 * @s: where to read them
 * @log: set to the reading
 * @before: an earlier reading, or NULL; pages that it could not read are not read again
 * @why: NVMELOG_NOTE bytes, set to the reason of a failure; @log gets the reason too
 * Return: 0, or -errno if the controller is gone or not live; not reported.
 */
int nvmelog_read(const struct nvmelog_source *s, struct nvmelog *log, const struct nvmelog *before,
		 char *why);

/**
 * nvmelog_unread() - note that no page was read
 * @log: the note of each page is set; the rest stays as it is
 * @why: the reason, below NVMELOG_NOTE bytes
 */
void nvmelog_unread(struct nvmelog *log, const char *why);

/* These two are in nvme.c. */

/**
 * device_nvme_identify() - ask a controller who it is
 * @fd: the open controller
 * @nsid: number of the namespace whose endurance group is asked for; 0: none
 * @s: vendor, fdp and lists_pages are set; group is set if the device has FDP and tells the group
 *
 * Return: 0, an NVMe status (above 0), or -errno; not reported.
 */
int device_nvme_identify(int fd, uint32_t nsid, struct nvmelog_source *s);

/**
 * device_nvme_log() - read a log page
 * @fd: the open controller
 * @lid: log identifier of the page
 * @specific: the endurance group of the page; 0: the page is the controller's
 * @data: set to the page
 * @len: bytes to read
 *
 * Return: as device_nvme_identify().
 */
int device_nvme_log(int fd, unsigned int lid, unsigned int specific, void *data, size_t len);

#endif
