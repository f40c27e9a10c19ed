// SPDX-License-Identifier: GPL-2.0
/* This test will decode good and bad NVMe log pages made by hand, and compare two readings. */
/* needs: host */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "device/nvme_log.h"
#include "unit.h"

static const uint8_t ocp_guid[16] = {
	0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
	0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf
};

static bool counts(const struct nvmelog *log, enum nvmelog_counter c, uint64_t low, uint64_t high)
{
	return log->have[c] && (uint64_t)log->count[c] == low &&
	       (uint64_t)(log->count[c] >> 64) == high;
}

static void test_smart(void)
{
	struct nvmelog log = { 0 };
	uint8_t page[512];

	/* Each byte differs from its neighbours, so that a wrong offset or byte order shows. */
	for (int i = 0; i < 512; i++)
		page[i] = i;
	page[1] = 0x43;
	page[2] = 0x01;
	check(!nvmelog_decode(NVMELOG_SMART, page, 512, &log), "SMART is decoded");
	check(log.kelvin == 323, "temperature %u K", log.kelvin);
	check(counts(&log, NVMELOG_HOST_READ, 0x2726252423222120, 0x2f2e2d2c2b2a2928),
	      "data units read: bytes 32 to 47");
	check(counts(&log, NVMELOG_HOST_WRITTEN, 0x3736353433323130, 0x3f3e3d3c3b3a3938),
	      "data units written: bytes 48 to 63");
	check(counts(&log, NVMELOG_MEDIA_ERRORS, 0xa7a6a5a4a3a2a1a0, 0xafaeadacabaaa9a8),
	      "media errors: bytes 160 to 175");
	check(nvmelog_decode(NVMELOG_SMART, page, 511, &log) == -EINVAL, "a short page is refused");
}

static void test_fdp_and_ocp(void)
{
	struct nvmelog log = { 0 };
	uint8_t page[512];

	for (int i = 0; i < 512; i++)
		page[i] = i;
	check(!nvmelog_decode(NVMELOG_FDP, page, 64, &log), "FDP statistics are decoded");
	check(counts(&log, NVMELOG_FDP_HOST_WRITTEN, 0x0706050403020100, 0x0f0e0d0c0b0a0908),
	      "FDP host bytes: bytes 0 to 15");
	check(counts(&log, NVMELOG_FDP_MEDIA_WRITTEN, 0x1716151413121110, 0x1f1e1d1c1b1a1918),
	      "FDP media bytes: bytes 16 to 31");
	check(nvmelog_decode(NVMELOG_FDP, page, 63, &log) == -EINVAL, "a short page is refused");
	check(nvmelog_decode(NVMELOG_OCP, page, 512, &log) == -ENOMSG &&
	      !log.have[NVMELOG_OCP_MEDIA_WRITTEN],
	      "C0h without OCP's GUID is not OCP's");
	memcpy(page + 496, ocp_guid, 16);
	check(!nvmelog_decode(NVMELOG_OCP, page, 512, &log), "C0h with OCP's GUID is OCP's");
	check(counts(&log, NVMELOG_OCP_MEDIA_WRITTEN, 0x0706050403020100, 0x0f0e0d0c0b0a0908),
	      "OCP media written: bytes 0 to 15");
	check(counts(&log, NVMELOG_OCP_MEDIA_READ, 0x1716151413121110, 0x1f1e1d1c1b1a1918),
	      "OCP media read: bytes 16 to 31");
	page[511] ^= 1;
	check(nvmelog_decode(NVMELOG_OCP, page, 512, &log) == -ENOMSG,
	      "C0h with one wrong bit in the GUID is not OCP's");
}

static void put_intel(uint8_t *page, int entry, uint8_t key)
{
	memset(page + 12 * entry, 0xee, 12);
	page[12 * entry] = key;
	for (int i = 0; i < 6; i++)
		page[12 * entry + 5 + i] = key + i;
}

static void test_intel(void)
{
	struct nvmelog log = { 0 };
	uint8_t page[513] = { 0 };

	check(nvmelog_decode(NVMELOG_INTEL, page, 512, &log) == -ENOMSG,
	      "an empty CAh is not Intel's");
	put_intel(page, 0, 0xab);
	put_intel(page, 5, 0xf5);
	put_intel(page, 41, 0xf4);
	check(!nvmelog_decode(NVMELOG_INTEL, page, 512, &log), "entries are found by their keys");
	check(counts(&log, NVMELOG_INTEL_MEDIA_WRITTEN, 0xf9f8f7f6f5f4, 0),
	      "F4h: NAND written, 48 bits");
	check(counts(&log, NVMELOG_INTEL_HOST_WRITTEN, 0xfaf9f8f7f6f5, 0),
	      "F5h: host written, 48 bits");
	memset(&log, 0, sizeof(log));
	memset(page, 0, sizeof(page));
	put_intel(page, 12, 0xf4);
	check(!nvmelog_decode(NVMELOG_INTEL, page, 512, &log) &&
	      !log.have[NVMELOG_INTEL_HOST_WRITTEN],
	      "one of Intel's entries alone is taken alone");
	memset(page, 0xf4, sizeof(page));
	memset(&log, 0, sizeof(log));
	check(!nvmelog_decode(NVMELOG_INTEL, page, 512, &log) &&
	      counts(&log, NVMELOG_INTEL_MEDIA_WRITTEN, 0xf4f4f4f4f4f4, 0),
	      "nothing beyond the page is read");
}

/* set() makes two readings in which one counter has these values. */
static struct nvmelog before, after;
static void set(enum nvmelog_counter c, unsigned __int128 b, unsigned __int128 a)
{
	before.have[c] = after.have[c] = true;
	before.count[c] = b;
	after.count[c] = a;
}

static void fresh(void)
{
	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
}

static struct nvmelog_change change(enum nvmelog_counter c, uint64_t loaded)
{
	struct nvmelog_change x;

	nvmelog_change(&before, &after, c, loaded, &x);
	return x;
}

static void test_change(void)
{
	const unsigned __int128 high = (unsigned __int128)1 << 64;
	struct nvmelog_change x;

	fresh();
	set(NVMELOG_HOST_WRITTEN, 100, 300);
	x = change(NVMELOG_HOST_WRITTEN, 200 * 512000);
	check(x.has_before && x.before == 51200000 && x.after == 153600000 &&
	      x.change == 102400000 && !*x.note, "data units are thousands of 512 bytes");
	set(NVMELOG_INTEL_MEDIA_WRITTEN, 1, 101);
	x = change(NVMELOG_INTEL_MEDIA_WRITTEN, 0);
	check(x.before == 32 << 20 && x.change == 100ull * (32 << 20), "Intel's are 32 MiB");
	set(NVMELOG_MEDIA_ERRORS, 0, 0);
	x = change(NVMELOG_MEDIA_ERRORS, 0);
	check(x.has_change && !x.change && !*x.note, "no media errors is a figure");

	set(NVMELOG_FDP_MEDIA_WRITTEN, high - 5, high + 5);
	x = change(NVMELOG_FDP_MEDIA_WRITTEN, 0);
	check(x.has_before && x.before == UINT64_MAX - 4 && !x.has_after && x.has_change &&
	      x.change == 10 && strstr(x.note, "does not fit into 64 bits"),
	      "over the edge of 64 bits: %s", x.note);
	set(NVMELOG_FDP_MEDIA_WRITTEN, 7, (high - 1) * high + 9);
	x = change(NVMELOG_FDP_MEDIA_WRITTEN, 0);
	check(x.has_before && !x.has_after && !x.has_change && *x.note, "too far for 64 bits: %s",
	      x.note);
	set(NVMELOG_HOST_WRITTEN, UINT64_MAX / 512000, UINT64_MAX / 512000 + 100);
	x = change(NVMELOG_HOST_WRITTEN, 0);
	check(x.has_before && !x.has_after && x.change == 51200000,
	      "bytes beyond 64 bits, units not");

	set(NVMELOG_HOST_WRITTEN, 300, 299);
	x = change(NVMELOG_HOST_WRITTEN, 0);
	check(x.has_before && x.has_after && !x.has_change && strstr(x.note, "went backwards"),
	      "a decrease: %s", x.note);
	set(NVMELOG_OCP_MEDIA_WRITTEN, (unsigned __int128)-1, 3);
	x = change(NVMELOG_OCP_MEDIA_WRITTEN, 0);
	check(!x.has_change && strstr(x.note, "went backwards"), "a wrap is no huge change: %s",
	      x.note);
}

static void test_change_unknown(void)
{
	struct nvmelog_change x;

	fresh();
	x = change(NVMELOG_FDP_HOST_WRITTEN, 0);
	check(!x.has_before && !x.has_after && !x.has_change &&
	      !strcmp(x.note, "not offered by this device"),
	      "what is not there: %s", x.note);
	strcpy(before.note[NVMELOG_FDP], "for this reason");
	check(!strcmp(change(NVMELOG_FDP_HOST_WRITTEN, 0).note, "for this reason"),
	      "a figure whose log cannot be read says why");
	set(NVMELOG_HOST_READ, 5, 6);
	nvmelog_unread(&after, "it went away");
	after.have[NVMELOG_HOST_READ] = false;
	x = change(NVMELOG_HOST_READ, 0);
	check(x.has_before && x.before == 5 * 512000 && !x.has_after && !x.has_change &&
	      !strcmp(x.note, "it went away"), "gone in between: %s", x.note);

	fresh();
	set(NVMELOG_HOST_READ, 0, 0);
	x = change(NVMELOG_HOST_READ, 0);
	check(x.has_before && !x.has_change && strstr(x.note, "does not report"), "SMART's 0: %s",
	      x.note);
	set(NVMELOG_FDP_HOST_WRITTEN, 0, 0);
	x = change(NVMELOG_FDP_HOST_WRITTEN, 0);
	check(x.has_change && !x.change && !*x.note, "FDP's 0 is a figure");
	set(NVMELOG_HOST_READ, 1000, 1000);
	x = change(NVMELOG_HOST_READ, 100 << 20);
	check(x.has_change && strstr(x.note, "100MiB"),
	      "a counter that stands still under load has a note: %s", x.note);
	set(NVMELOG_HOST_READ, 1000, 1001);
	x = change(NVMELOG_HOST_READ, 4096);
	check(x.change == 512000 && strstr(x.note, "units of 512000"), "a coarse figure: %s",
	      x.note);
	set(NVMELOG_HOST_READ, 1000, 1100);
	x = change(NVMELOG_HOST_READ, 100 * 512000);
	check(!*x.note, "a good one has no note");
}

static void amplifies(enum nvmelog_page page, double want, const char *why, const char *what)
{
	char note[NVMELOG_NOTE];
	double v = nvmelog_amplification(&before, &after, page, note);

	check(v > want - 1e-9 && v < want + 1e-9 && (*why ? strstr(note, why) != NULL : !*note),
	      "%s: %g %s", what, v, note);
}

static void test_amplification(void)
{
	fresh();
	set(NVMELOG_FDP_HOST_WRITTEN, 1000, 2000);
	set(NVMELOG_FDP_MEDIA_WRITTEN, 5000, 6500);
	amplifies(NVMELOG_FDP, 1.5, "", "FDP: media over host");
	amplifies(NVMELOG_OCP, 0, "not offered", "OCP is not there");
	amplifies(NVMELOG_SMART, 0, "not offered", "SMART has no media bytes");
	set(NVMELOG_FDP_HOST_WRITTEN, 1000, 1000);
	amplifies(NVMELOG_FDP, 0, "nothing was written", "nothing written");
	set(NVMELOG_FDP_HOST_WRITTEN, 1000, 999);
	amplifies(NVMELOG_FDP, 0, "went backwards", "a reset");
	set(NVMELOG_FDP_HOST_WRITTEN, 1000, 2000);
	set(NVMELOG_FDP_MEDIA_WRITTEN, 5000, 5000);
	amplifies(NVMELOG_FDP, 0, "no write reached", "all in the cache");

	set(NVMELOG_OCP_MEDIA_WRITTEN, 7, 7 + 3ull * 512000 * 1000);
	set(NVMELOG_HOST_WRITTEN, 10, 1010);
	amplifies(NVMELOG_OCP, 3, "", "OCP: media over SMART's host bytes");
	set(NVMELOG_HOST_WRITTEN, 10, 30);
	amplifies(NVMELOG_OCP, 0, "units of 512000", "too little for the units");
	set(NVMELOG_INTEL_HOST_WRITTEN, 1000, 3000);
	set(NVMELOG_INTEL_MEDIA_WRITTEN, 1000, 5000);
	amplifies(NVMELOG_INTEL, 2, "", "Intel: its own two");
}

/* Set @d to @a - @b, byte by byte with a borrow, as at school. */
static bool subtract(const uint8_t *a, const uint8_t *b, uint8_t *d)
{
	int borrow = 0;

	for (int i = 0; i < 16; i++) {
		int v = a[i] - b[i] - borrow;

		borrow = v < 0;
		d[i] = v;
	}
	return !borrow;
}

static void test_random(void)
{
	unsigned int wrong = 0, fitted = 0, back = 0;

	srandom(4);
	for (int n = 0; n < 20000; n++) {
		uint8_t b[64] = { 0 }, a[64] = { 0 }, d[16], none[8] = { 0 };
		struct nvmelog_change x;
		uint64_t want = 0;
		bool up, fits;

		for (int i = 0; i < 16; i++) {
			b[i] = random();
			/* The high half is mostly the same: the differences fit 64 bits. */
			a[i] = i < 8 || n % 4 == 0 ? random() : b[i];
		}
		fresh();
		nvmelog_decode(NVMELOG_FDP, b, 64, &before);
		nvmelog_decode(NVMELOG_FDP, a, 64, &after);
		x = change(NVMELOG_FDP_HOST_WRITTEN, 0);
		up = subtract(a, b, d);
		fits = up && !memcmp(d + 8, none, 8);
		for (int i = 7; i >= 0; i--)
			want = want << 8 | d[i];
		wrong += x.has_change != fits || (fits && x.change != want) ||
			(!x.has_change && !*x.note);
		fitted += fits;
		back += !up;
	}
	check(!wrong && fitted > 1000 && back > 1000,
	      "20000 pairs of 128 bits: %u wrong, %u fit, %u went back", wrong, fitted, back);
}

int main(void)
{
	test_smart();
	test_fdp_and_ocp();
	test_intel();
	test_change();
	test_change_unknown();
	test_amplification();
	test_random();
	return unit_end();
}
