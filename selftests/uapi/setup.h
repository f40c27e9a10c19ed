/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers for tests that try many setups: open a session and a device of 1 GiB with blocks of 512
 * bytes, and run a table of changes to a good setup.
 */
#ifndef _SELFTESTS_UAPI_SETUP_H
#define _SELFTESTS_UAPI_SETUP_H

#include "uapi.h"

static int session, dev;
static uint64_t dev_bytes;

static inline void setup_begin(void)
{
	printf("KTAP version 1\n");
	load_modules("nr_devices=1 gb=1 bs=512");
	session = session_open();
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);
	dev_bytes = lseek(dev, 0, SEEK_END);
}

/* Close all and unload null_blk. Return the exit status for main(). */
static inline int setup_end(void)
{
	close(session);
	close(dev);
	unload_null_blk();

	return ktap_end();
}

static inline void expect(int got, int want, const char *what)
{
	if (got != want)
		printf("# %s: %s\n", what, got ? strerror(got) : "no error");
	check(got == want, "%s: %s", what, want ? strerror(want) : "accepted");
}

struct setup_case {
	const char *what;
	void (*change)(struct blkgen_setup *set);
	int err;
};

#define CHANGE(name, ...) \
	static void name(struct blkgen_setup *set) { __VA_ARGS__; }
#define CASE(change, err) { #change, change, err }

/* Expect SETUP to return the errno of each case, which changes one thing of a good setup. */
static inline void test_setups(const struct setup_case *c, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		struct blkgen_setup set = setup_default(dev);
		char what[64];

		c[i].change(&set);
		snprintf(what, sizeof(what), "SETUP %s", c[i].what);
		expect(ioc(session, BLKGEN_IOC_SETUP, &set), c[i].err, what);
		if (set.dev_fd != dev && set.dev_fd > 2 && set.dev_fd < 1000 &&
		    set.dev_fd != session)
			close(set.dev_fd);
	}
}

#endif /* _SELFTESTS_UAPI_SETUP_H */
