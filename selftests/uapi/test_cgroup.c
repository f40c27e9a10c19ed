// SPDX-License-Identifier: GPL-2.0
/*
 * This test will put itself into a cgroup with an io.max, and expect the limit to hold for
 * blkgen's workers.
 */
// needs:
// noisy: a load without a limit does less in a guest that is held up
#include "uapi.h"
#include <sys/sysmacros.h>

#define CG	"/sys/fs/cgroup/blkgen_test"
#define RIOPS	500

static unsigned long long ios_in_1s(int dev)
{
	struct blkgen_setup set = setup_default(dev);
	unsigned long long n;
	int fd = session_open();

	set.ios = 0;
	set.time_ns = 1000000000;
	set.qd = 4;
	run_or_bail(fd, &set);
	check(wait_done(fd, 20000), "the run ends");
	n = status_get(fd).ios[BLKGEN_OP_READ];
	close(fd);
	printf("# %llu I/Os in 1 s\n", n);
	return n;
}

int main(void)
{
	struct blkgen_features f = { .size = sizeof(f) };
	struct stat st;
	int fd, dev;

	printf("KTAP version 1\n");
	load_modules("nr_devices=1 gb=1 irqmode=1");
	fd = session_open();
	if (ioc(fd, BLKGEN_IOC_FEATURES, &f))
		bail("FEATURES");
	close(fd);
	if (!(f.flags & BLKGEN_FEAT_CGROUP))
		skip_all("the module has no cgroup support on this kernel");
	if (sh("echo +io > /sys/fs/cgroup/cgroup.subtree_control"))
		skip_all("no io controller");
	dev = open_or_bail(NULLB, O_RDONLY | O_EXCL);
	fstat(dev, &st);
	if (sh("mkdir -p " CG " && echo %u:%u riops=%d > " CG "/io.max", major(st.st_rdev),
	       minor(st.st_rdev), RIOPS))
		skip_all("no io.max");

	check(ios_in_1s(dev) > 10 * RIOPS, "outside it is fast");
	if (sh("echo %d > " CG "/cgroup.procs", getpid()))
		bail("cgroup.procs");
	check(ios_in_1s(dev) <= 2 * RIOPS, "inside it is held to io.max");
	sh("echo %d > /sys/fs/cgroup/cgroup.procs", getpid());
	check(ios_in_1s(dev) > 10 * RIOPS, "outside it is fast again");

	close(dev);
	check(!sh("rmdir " CG), "the cgroup can be removed");
	unload_null_blk();

	return ktap_end();
}
