// SPDX-License-Identifier: GPL-2.0
/*
 * This test will read dm tables of all known targets, and expect roles, states and details, and no
 * encryption keys.
 */
/* needs: host */
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include "device/dmtable.h"
#include "unit.h"

/* Tables as kernels print them, and "DEVICE=ROLE(LEG)" for each device, in the table's order */
static const struct {
	const char *type, *params, *refs;
} tables[] = {
	{ "linear", "8:16 2048", "8:16=(-1)" },
	{ "zero", "", "" },
	{ "striped", "2 128 8:16 0 8:32 2048", "8:16=leg 0(0) 8:32=leg 1(1)" },
	{ "striped", "2 128 8:16 0 8:16 2048", "8:16=leg 0(0) 8:16=leg 1(1)" },
	{ "mirror", "core 2 1024 nosync 2 8:16 0 8:32 0 1 handle_errors",
	  "8:16=leg 0(0) 8:32=leg 1(1)" },
	{ "mirror", "disk 3 8:48 1024 nosync 2 8:16 0 8:32 0",
	  "8:48=log(-1) 8:16=leg 0(0) 8:32=leg 1(1)" },
	{ "snapshot", "253:0 253:1 P 16", "253:0=origin(-1) 253:1=cow(-1)" },
	{ "snapshot-origin", "253:0", "253:0=origin(-1)" },
	{ "thin-pool", "253:0 253:1 128 0 1 skip_block_zeroing",
	  "253:0=metadata(-1) 253:1=data(-1)" },
	{ "thin", "253:2 5", "253:2=pool(-1)" },
	{ "thin", "253:2 5 253:9", "253:2=pool(-1) 253:9=external origin(-1)" },
	{ "crypt", "aes-xts-plain64 000000 0 8:1 4096 1 allow_discards", "8:1=(-1)" },
	{ "crypt", "aes-xts-plain64 :64:logon:cryptsetup:u-d0 0 8:1 4096", "8:1=(-1)" },
	{ "delay", "8:1 0 10", "8:1=(-1)" },
	{ "delay", "8:1 0 10 8:1 0 20", "8:1=(-1) 8:1=(-1)" },
	{ "delay", "8:1 0 10 8:2 0 20", "8:1=read(-1) 8:2=write(-1)" },
	{ "cache", "8:1 8:2 8:3 512 1 writethrough smq 0",
	  "8:1=metadata(-1) 8:2=cache(-1) 8:3=origin(-1)" },
	{ "writecache", "s 8:1 8:2 4096 0", "8:1=origin(-1) 8:2=cache(-1)" },
	{ "raid", "raid1 3 0 region_size 1024 2 253:0 253:1 253:2 253:3",
	  "253:0=metadata 0(-1) 253:1=leg 0(0) 253:2=metadata 1(-1) 253:3=leg 1(1)" },
	{ "raid", "raid5_ls 2 128 nosync 3 - 8:1 - 8:2 - 8:3",
	  "8:1=leg 0(0) 8:2=leg 1(1) 8:3=leg 2(2)" },
	{ "raid", "raid5_ls 1 128 3 - 8:1 - - - 8:3", "8:1=leg 0(0) 8:3=leg 2(2)" },
	{ "raid", "raid5_ls 3 128 journal_dev 8:9 3 - 8:1 - 8:2 - 8:3",
	  "8:9=journal(-1) 8:1=leg 0(0) 8:2=leg 1(1) 8:3=leg 2(2)" },
	{ "multipath",
	  "1 queue_if_no_path 0 2 1 round-robin 0 1 1 8:16 1 service-time 0 1 1 8:32 1",
	  "8:16=path 0(0) 8:32=path 1(1)" },
	{ "multipath", "0 0 1 1 round-robin 0 1 1 8:16 1", "8:16=path 0(0)" },
	{ "verity", "1 8:1 8:2 4096 4096 256 1 sha256 4a 00", "8:1=data(-1) 8:2=hash(-1)" },
	{ "integrity", "8:1 0 32 J 2 meta_device:8:2 internal_hash:crc32c",
	  "8:1=data(-1) 8:2=metadata(-1)" },
	{ "nosuchtarget", "8:1 17 8:2", "8:1=(-1) 8:2=(-1)" },
	{ "linear", "8:x 8: :8 8:1:2 18446744073709551616", "" },
};

static void add_ref(const struct dm_ref *ref, void *arg)
{
	char *text = arg;
	size_t n = strlen(text);

	snprintf(text + n, 400 - n, "%s%u:%u=%s(%d)", n ? " " : "", major(ref->dev),
		 minor(ref->dev), ref->role, ref->leg);
}

static void try_key(const char *type, const char *with, const char *without)
{
	char text[400];

	snprintf(text, sizeof(text), "%s", with);
	dm_table_hide_keys(type, text);
	check(!strcmp(text, without), "%s '%s' without keys is '%s'", type, with, text);
}

static void try_detail(const char *type, const char *params, const char *want)
{
	char text[100];

	dm_table_detail(type, params, text, sizeof(text));
	check(!strcmp(text, want), "%s '%s' reads '%s'", type, params, text);
}

static void try_status(const char *type, const char *status, unsigned int minor, int leg,
		       const char *want)
{
	struct dm_ref ref = { .dev = makedev(8, minor), .leg = leg };
	const char *got = dm_status_leg(type, status, &ref);

	check(got == want || (got && want && !strcmp(got, want)), "%s '%s', leg %d is %s", type,
	      status ? status : "-", leg, got ? got : "NULL");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		char text[400] = "";

		dm_table_refs(tables[i].type, tables[i].params, add_ref, text);
		check(!strcmp(text, tables[i].refs), "%s '%s' is '%s'", tables[i].type,
		      tables[i].params, text);
	}
	try_key("crypt", "aes-cbc deadbeef 0 8:1 0", "aes-cbc 00000000 0 8:1 0");
	try_key("crypt", "capi:xts(aes)-plain64 deadbeef 0 8:1 0",
		"capi:xts(aes)-plain64 00000000 0 8:1 0");
	try_key("crypt", "aes-cbc :4:user:name 0 8:1 0", "aes-cbc :4:user:name 0 8:1 0");
	try_key("crypt", "cipher_null-ecb - 0 8:1 0", "cipher_null-ecb 0 0 8:1 0");
	try_key("crypt", "", "");
	try_key("crypt", "aes", "aes");
	try_key("integrity", "8:1 0 - J 2 internal_hash:hmac(sha256):beef journal_mac:sha1",
		"8:1 0 - J 2 internal_hash:hmac(sha256):0000 journal_mac:sha1");
	try_key("linear", "8:1 2048", "8:1 2048");
	try_detail("striped", "2 128 8:16 0 8:32 0", "2 stripes of 64KiB");
	try_detail("linear", "8:16 2048", "at 1MiB");
	try_detail("delay", "8:1 0 10", "all 10ms");
	try_detail("delay", "8:1 0 10 8:1 0 20", "read 10ms, write 20ms");
	try_detail("delay", "8:1 0 10 8:1 0 20 8:1 0 30", "read 10ms, write 20ms, flush 30ms");
	try_detail("delay", "", "");
	try_detail("raid", "raid1 3 0 region_size 1024 2 - 8:1 - 8:2", "raid1");
	try_detail("raid", "raid5_ls 2 128 nosync 3 - 8:1 - 8:2 - 8:3", "raid5_ls, chunk 64KiB");
	try_detail("raid", "", "");
	try_detail("striped", "", "0 stripes of ?");
	try_detail("zero", "", "");
	try_status("multipath", "2 0 0 0 1 1 A 0 2 0 8:16 A 0 8:32 F 1", 16, 0, "active");
	try_status("multipath", "2 0 0 0 1 1 A 0 2 0 8:16 A 0 8:32 F 1", 32, 1, "failed");
	try_status("multipath", "2 0 0 0 1 1 A 0 2 0 8:16 A 0 8:32 F 1", 48, 2, NULL);
	try_status("multipath", NULL, 16, 0, NULL);
	try_status("raid", "raid1 2 Aa 100/200 recover 0 0 -", 1, 0, NULL);
	try_status("raid", "raid1 2 Aa 100/200 recover 0 0 -", 2, 1, "rebuilding");
	try_status("raid", "raid1 2 AD 200/200 idle 0 0 -", 2, 1, "failed");
	try_status("raid", "raid1 2 AD 200/200 idle 0 0 -", 2, 2, NULL);
	try_status("raid", "", 2, 0, NULL);
	return unit_end();
}
