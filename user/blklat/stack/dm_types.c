// SPDX-License-Identifier: GPL-2.0
/* Make stacks of dm targets without metadata: these need only a table. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include "core/log.h"
#include "device/module.h"
#include "blklat/stack/build.h"
#include "blklat/stack/dm.h"

#define SECTOR	512

static const char *const dm_mod[] = { "dm_mod", NULL };
static const char *const crypt_mods[] = { "dm_mod", "dm_crypt", NULL };

static int make(struct stack_build *b, uint64_t sectors, const char *params)
{
	char name[64], uuid[128];
	dev_t dev;
	int ret;

	snprintf(name, sizeof(name), "blklat-%s-%u", b->j->id, b->seq);
	snprintf(uuid, sizeof(uuid), "BLKLAT-%s-%u", b->j->id, b->seq);
	ret = journal_write(b->j, "dm %s %s", name, uuid);
	ret = ret ?: dm_make(name, uuid, b->type->kind, sectors, params, &dev);
	return ret ?: build_result(b, dev);
}

static int build_linear(struct stack_build *b)
{
	char params[64];
	int ret;

	snprintf(params, sizeof(params), "%u:%u 0", major(b->legs[0].dev), minor(b->legs[0].dev));
	ret = make(b, b->legs[0].size / SECTOR, params);
	return ret ? err(ret, "dm-linear: cannot be made: %s", strerror(-ret)) : 0;
}

static int build_stripe(struct stack_build *b)
{
	uint64_t each = build_smallest(b) / SECTOR / STACK_CHUNK * STACK_CHUNK;
	char params[STACK_LEGS * 32];
	size_t n, i;
	int ret;

	n = snprintf(params, sizeof(params), "%zu %u", b->nlegs, STACK_CHUNK);
	for (i = 0; i < b->nlegs; i++)
		n += snprintf(params + n, sizeof(params) - n, " %u:%u 0", major(b->legs[i].dev),
			      minor(b->legs[i].dev));
	ret = make(b, each * b->nlegs, params);
	return ret ? err(ret, "dm-stripe: cannot be made: %s", strerror(-ret)) : 0;
}

static int make_crypt(struct stack_build *b, const char *cipher, const char *key)
{
	char params[256];

	snprintf(params, sizeof(params), "%s %s 0 %u:%u 0", cipher, key, major(b->legs[0].dev),
		 minor(b->legs[0].dev));
	return make(b, b->legs[0].size / SECTOR, params);
}

/* Make a random key of 512 bits. Nobody stores it: the data is not needed afterwards. */
static int random_key(char *hex)
{
	unsigned char key[64];
	size_t i;

	if (getrandom(key, sizeof(key), 0) != sizeof(key))
		return -EIO;
	for (i = 0; i < sizeof(key); i++)
		sprintf(hex + 2 * i, "%02x", key[i]);
	return 0;
}

static int build_crypt(struct stack_build *b)
{
	static const char *const helpers[] = { "crypto_null", "ecb", "xts" };
	char key[129], why[200];
	size_t i;
	int ret;

	/* Ignore failures: ciphers may be built in, and the kernel may load them itself. */
	for (i = 0; i < sizeof(helpers) / sizeof(*helpers); i++)
		load_module(helpers[i], NULL, why, sizeof(why));
	snprintf(b->note, sizeof(b->note), "cipher_null: the layer alone, without encryption");
	ret = make_crypt(b, "cipher_null-ecb", "-");
	if (!ret)
		return 0;
	snprintf(b->note, sizeof(b->note), "aes-xts-plain64: this kernel has no cipher_null");
	ret = random_key(key) ?: make_crypt(b, "aes-xts-plain64", key);
	explicit_bzero(key, sizeof(key));
	return ret ? err(ret, "dm-crypt: cannot be made: %s", strerror(-ret)) : 0;
}

const struct stack_type dm_types[] = {
	{ { "dm-linear", "dm, linear target", 1 }, .modules = dm_mod, .kind = "linear",
	  .build = build_linear },
	{ { "dm-stripe", "dm, striped target, 64 KiB", 2 }, .all = true, .modules = dm_mod,
	  .kind = "striped", .build = build_stripe },
	{ { "dm-crypt", "dm, crypt target, with the null cipher if the kernel has it", 1 },
	  .modules = crypt_mods, .kind = "crypt", .build = build_crypt },
	{ }
};
