// SPDX-License-Identifier: GPL-2.0
/* Read the counters that an NVMe device has in its log pages. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/log.h"
#include "core/units.h"
#include "device/nvme_log.h"

#define DATA_UNIT	512000		/* SMART counts thousands of 512 bytes, rounded up */
#define INTEL_UNIT	(32u << 20)
#define ROUGH		50		/* fewer units than this have an error of more than 2 % */
#define NOT_OFFERED	"not offered by this device"
#define TOO_LARGE	"does not fit into 64 bits"

const struct nvmelog_page_desc nvmelog_pages[NVMELOG_NR_PAGES] = {
	[NVMELOG_SMART] = { "smart", "SMART", 0x02, 512, -1, -1 },
	[NVMELOG_FDP] = { "fdp", "FDP", 0x22, 64, NVMELOG_FDP_MEDIA_WRITTEN,
			  NVMELOG_FDP_HOST_WRITTEN },
	[NVMELOG_OCP] = { "ocp", "OCP C0", 0xc0, 512, NVMELOG_OCP_MEDIA_WRITTEN,
			  NVMELOG_HOST_WRITTEN },
	[NVMELOG_INTEL] = { "intel", "Intel CA", 0xca, 512, NVMELOG_INTEL_MEDIA_WRITTEN,
			    NVMELOG_INTEL_HOST_WRITTEN },
};

#define READ	"host_bytes_read", "host bytes read"
#define WRITTEN	"host_bytes_written", "host bytes written"
#define M_READ	"media_bytes_read", "media bytes read"
#define M_WRITTEN "media_bytes_written", "media bytes written"

const struct nvmelog_counter_desc nvmelog_counters[NVMELOG_NR_COUNTERS] = {
	[NVMELOG_HOST_READ] = { NVMELOG_SMART, READ, DATA_UNIT, true },
	[NVMELOG_HOST_WRITTEN] = { NVMELOG_SMART, WRITTEN, DATA_UNIT, true },
	[NVMELOG_MEDIA_ERRORS] = { NVMELOG_SMART, "media_errors", "media errors", 1, false },
	[NVMELOG_FDP_HOST_WRITTEN] = { NVMELOG_FDP, WRITTEN, 1, true },
	[NVMELOG_FDP_MEDIA_WRITTEN] = { NVMELOG_FDP, M_WRITTEN, 1, true },
	[NVMELOG_OCP_MEDIA_READ] = { NVMELOG_OCP, M_READ, 1, true },
	[NVMELOG_OCP_MEDIA_WRITTEN] = { NVMELOG_OCP, M_WRITTEN, 1, true },
	[NVMELOG_INTEL_HOST_WRITTEN] = { NVMELOG_INTEL, WRITTEN, INTEL_UNIT, true },
	[NVMELOG_INTEL_MEDIA_WRITTEN] = { NVMELOG_INTEL, M_WRITTEN, INTEL_UNIT, true },
};

/* --- Decode log pages. */

static unsigned __int128 le(const uint8_t *p, unsigned int bytes)
{
	unsigned __int128 v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

static void take(struct nvmelog *log, enum nvmelog_counter c, const uint8_t *p, unsigned int bytes)
{
	log->have[c] = true;
	log->count[c] = le(p, bytes);
}

static int decode_ocp(const uint8_t *p, struct nvmelog *log)
{
	/* Any vendor may use page C0h: only with this GUID at its end is it the page of OCP. */
	static const uint8_t guid[16] = {
		0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
		0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf
	};

	if (memcmp(p + 496, guid, sizeof(guid)))
		return -ENOMSG;
	take(log, NVMELOG_OCP_MEDIA_WRITTEN, p, 16);
	take(log, NVMELOG_OCP_MEDIA_READ, p + 16, 16);
	return 0;
}

/*
 * The page has entries of 12 bytes in any order: key, two unused bytes, normalised value, unused
 * byte, 48 bits of counter, unused byte.
 */
static int decode_intel(const uint8_t *p, struct nvmelog *log)
{
	const uint8_t *end = p + 512;

	for (; p + 12 <= end; p += 12) {
		if (*p == 0xf4)
			take(log, NVMELOG_INTEL_MEDIA_WRITTEN, p + 5, 6);
		else if (*p == 0xf5)
			take(log, NVMELOG_INTEL_HOST_WRITTEN, p + 5, 6);
	}
	return log->have[NVMELOG_INTEL_MEDIA_WRITTEN] || log->have[NVMELOG_INTEL_HOST_WRITTEN] ?
	       0 : -ENOMSG;
}

int nvmelog_decode(enum nvmelog_page page, const void *data, size_t len, struct nvmelog *log)
{
	const uint8_t *p = data;

	if (len < nvmelog_pages[page].len)
		return -EINVAL;
	switch (page) {
	case NVMELOG_SMART:
		log->kelvin = le(p + 1, 2);
		take(log, NVMELOG_HOST_READ, p + 32, 16);
		take(log, NVMELOG_HOST_WRITTEN, p + 48, 16);
		take(log, NVMELOG_MEDIA_ERRORS, p + 160, 16);
		return 0;
	case NVMELOG_FDP:
		take(log, NVMELOG_FDP_HOST_WRITTEN, p, 16);
		take(log, NVMELOG_FDP_MEDIA_WRITTEN, p + 16, 16);
		return 0;
	case NVMELOG_OCP:
		return decode_ocp(p, log);
	case NVMELOG_INTEL:
		return decode_intel(p, log);
	case NVMELOG_NR_PAGES:
		break;
	}
	return -EINVAL;
}

/* --- Find the changes between two readings. */

/* Convert a count to bytes or errors. Return false if the result is beyond 64 bits. */
static bool worth(unsigned __int128 count, unsigned int unit, uint64_t *v)
{
	if (count > UINT64_MAX / unit)
		return false;
	*v = (uint64_t)count * unit;
	return true;
}

static void __printf(2, 3) note(char *buf, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, NVMELOG_NOTE, fmt, ap);
	va_end(ap);
}

/* Return true if the reading has the counter, else set @why to the reason. */
static bool known(const struct nvmelog *log, enum nvmelog_counter c, char *why)
{
	const char *text = log->note[nvmelog_counters[c].page];

	if (!log->have[c])
		note(why, "%s", *text ? text : NOT_OFFERED);
	return log->have[c];
}

void nvmelog_change(const struct nvmelog *before, const struct nvmelog *after,
		    enum nvmelog_counter counter, uint64_t loaded, struct nvmelog_change *c)
{
	const struct nvmelog_counter_desc *desc = &nvmelog_counters[counter];
	unsigned __int128 b = before->count[counter], a = after->count[counter];
	char text[FMT_LEN];

	memset(c, 0, sizeof(*c));
	if (!known(before, counter, c->note))
		return;
	c->has_before = worth(b, desc->unit, &c->before);
	if (!c->has_before)
		note(c->note, TOO_LARGE);
	if (!known(after, counter, c->note))
		return;
	c->has_after = worth(a, desc->unit, &c->after);
	if (!c->has_after)
		note(c->note, TOO_LARGE);
	if (a < b) {
		note(c->note, "went backwards: the device was reset, or started to count again");
		return;
	}
	/* In SMART's data units, 0 also means "not reported". */
	if (!a && desc->page == NVMELOG_SMART && desc->bytes) {
		note(c->note, "0 before and after: no data yet, or this device does not report it");
		return;
	}
	c->has_change = worth(a - b, desc->unit, &c->change);
	if (!c->has_change)
		note(c->note, TOO_LARGE);
	else if ((c->change || loaded) && c->change / desc->unit < ROUGH && desc->unit > 1)
		note(c->note, "counted in units of %u bytes", desc->unit);
	/* A device may count late, so only a change of less than half of the load is too low. */
	if (c->has_change && c->change < loaded / 2 && loaded / 2 >= 2ull * desc->unit)
		note(c->note, "too low: blkgen moved %s; the device counts it later, or not at all",
		     fmt_size(text, sizeof(text), loaded));
}

double nvmelog_amplification(const struct nvmelog *before, const struct nvmelog *after,
			     enum nvmelog_page page, char *why)
{
	int media = nvmelog_pages[page].media, host = nvmelog_pages[page].host;
	struct nvmelog_change m, h;
	double error;

	*why = 0;
	if (media < 0) {
		note(why, NOT_OFFERED);
		return 0;
	}
	nvmelog_change(before, after, media, 0, &m);
	nvmelog_change(before, after, host, 0, &h);
	if (!m.has_change || !h.has_change) {
		note(why, "%s", m.has_change ? h.note : m.note);
		return 0;
	}
	if (!h.change) {
		note(why, "nothing was written");
		return 0;
	}
	/* Either counter may be off by a unit. */
	error = (double)nvmelog_counters[host].unit / h.change;
	if (m.change)
		error += (double)nvmelog_counters[media].unit / m.change;
	if (error > 1.0 / ROUGH) {
		note(why, "too little was written: the device counts in units of %u bytes",
		     nvmelog_counters[host].unit);
		return 0;
	}
	if (!m.change)
		note(why, "no write reached the media");
	return (double)m.change / h.change;
}

/* --- Read the log pages of the device. */

struct found {
	const struct device *d;
	struct nvmelog_source *s;
};

/* With native multipath, a path of nvme0n1 is nvme0c0n1, a hidden disk of controller nvme0. */
static int add_path(const char *dir, const char *name, void *arg)
{
	const struct found *f = arg;
	unsigned int ctrl;

	if (device_is_nvme_path(name, f->d->disk, &ctrl) && !f->s->paths++)
		snprintf(f->s->ctrl, sizeof(f->s->ctrl), "nvme%u", ctrl);
	return 0;
}

static void find_controller(const struct device *d, struct nvmelog_source *s)
{
	struct found f = { d, s };
	const char *end = strrchr(d->disk_sys, '/'), *p = end;

	if (device_is_nvme_head(d)) {
		sys_each("/sys/block", add_path, &f);
		return;
	}
	/* The path is .../nvme/nvme0/nvme0n1: the directory above the disk is the controller. */
	while (p && p > d->disk_sys && p[-1] != '/')
		p--;
	if (!p)
		return;
	s->paths = 1;
	snprintf(s->ctrl, sizeof(s->ctrl), "%.*s", (int)(end - p), p);
}

/*
 * Check that the controller is live, before a command is sent. A command to a controller that is
 * being reset waits; a command to a controller that is gone may find its queue freed.
 */
static int check_live(const struct nvmelog_source *s, char *why)
{
	char dir[64], state[32];

	snprintf(dir, sizeof(dir), "/sys/class/nvme/%s", s->ctrl);
	if (sys_read(dir, "state", state, sizeof(state))) {
		note(why, "the controller %s is gone", s->ctrl);
		return -ENODEV;
	}
	if (!strcmp(state, "live"))
		return 0;
	note(why, "the controller %s is %s", s->ctrl, state);
	return -EBUSY;
}

int nvmelog_open(const struct device *d, struct nvmelog_source *s, char *why)
{
	char path[64];
	int ret;

	memset(s, 0, sizeof(*s));
	s->fd = -1;
	find_controller(d, s);
	if (!s->paths) {
		note(why, "no controller leads to %s", d->disk);
		return -ENODEV;
	}
	ret = check_live(s, why);
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "/dev/%s", s->ctrl);
	s->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0) {
		ret = -errno;
		note(why, "cannot open %s: %s", path, strerror(errno));
		return ret;
	}
	ret = device_nvme_identify(s->fd, sys_num(d->disk_sys, "nsid"), s);
	if (!ret)
		return 0;
	note(why, "%s does not identify itself: %s", path, ret < 0 ? strerror(-ret) : "NVMe error");
	close(s->fd);
	s->fd = -1;
	return ret < 0 ? ret : -EIO;
}

/* Note that the device does not offer a page. @fmt says how we know that. Return false. */
static bool __printf(3, 4) not_offered(struct nvmelog *log, enum nvmelog_page page,
				       const char *fmt, ...)
{
	char how[NVMELOG_NOTE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(how, sizeof(how), fmt, ap);
	va_end(ap);
	note(log->note[page], NOT_OFFERED " (%s)", how);
	log->absent[page] = true;
	return false;
}

/*
 * Return true if the device may have the page. Reading a page that it does not have would add an
 * entry to the device's error log.
 */
static bool worth_asking(const struct nvmelog_source *s, enum nvmelog_page page,
			 struct nvmelog *log)
{
	unsigned int lid = nvmelog_pages[page].lid;
	uint8_t list[1024];

	if (page == NVMELOG_FDP && !s->fdp)
		return not_offered(log, page, "no Flexible Data Placement");
	if (page == NVMELOG_FDP && !s->group)
		return not_offered(log, page, "no endurance group");
	if (page == NVMELOG_INTEL && s->vendor != 0x8086 && s->vendor != 0x025e)
		return not_offered(log, page, "not made by Intel or Solidigm");
	/*
	 * The counters of an endurance group cover all controllers. The other pages count per
	 * controller, and which controller carries the I/O is not known.
	 */
	if (s->paths > 1 && page != NVMELOG_FDP) {
		note(log->note[page], "not read: %u controllers lead to it, "
		     "each with counters of its own", s->paths);
		return false;
	}
	if (page != NVMELOG_SMART && s->lists_pages &&
	    !device_nvme_log(s->fd, 0, 0, list, sizeof(list)) && !(list[lid * 4] & 1))
		return not_offered(log, page, "no log page %02Xh", lid);
	return true;
}

static void say_status(enum nvmelog_page page, int ret, struct nvmelog *log)
{
	unsigned int lid = nvmelog_pages[page].lid;

	/* The status has a type and a code: 109h is an invalid log page, 29h is a disabled FDP. */
	if (ret < 0)
		note(log->note[page], "log page %02Xh cannot be read: %s", lid, strerror(-ret));
	else if ((ret & 0x7ff) == 0x109 || (ret & 0x7ff) == 0x02)
		not_offered(log, page, "no log page %02Xh", lid);
	else if ((ret & 0x7ff) == 0x29)
		not_offered(log, page, "Flexible Data Placement is disabled");
	else
		note(log->note[page], "log page %02Xh cannot be read: NVMe status %xh", lid,
		     ret & 0x7ff);
}

static void read_page(const struct nvmelog_source *s, enum nvmelog_page page, struct nvmelog *log)
{
	const struct nvmelog_page_desc *p = &nvmelog_pages[page];
	uint8_t data[512];
	int ret;

	if (!worth_asking(s, page, log))
		return;
	ret = device_nvme_log(s->fd, p->lid, page == NVMELOG_FDP ? s->group : 0, data, p->len);
	if (ret)
		say_status(page, ret, log);
	else if (nvmelog_decode(page, data, p->len, log))
		not_offered(log, page, "its log page %02Xh has another format", p->lid);
}

void nvmelog_unread(struct nvmelog *log, const char *why)
{
	enum nvmelog_page page;

	for (page = 0; page < NVMELOG_NR_PAGES; page++)
		note(log->note[page], "%s", why);
}

int nvmelog_read(const struct nvmelog_source *s, struct nvmelog *log, const struct nvmelog *before,
		 char *why)
{
	enum nvmelog_page page;
	int ret;

	memset(log, 0, sizeof(*log));
	ret = check_live(s, why);
	if (ret) {
		nvmelog_unread(log, why);
		return ret;
	}
	for (page = 0; page < NVMELOG_NR_PAGES; page++) {
		if (before && *before->note[page])
			memcpy(log->note[page], before->note[page], NVMELOG_NOTE);
		else
			read_page(s, page, log);
	}
	return 0;
}
