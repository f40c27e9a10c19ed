// SPDX-License-Identifier: GPL-2.0
/*
 * This test will kill the owner of a load on disks with real drivers, with more in flight than
 * these take at once, and remove a disk under load.
 */
// needs: nvme=1 ahci=1
#include "uapi.h"
#include <signal.h>

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

static int start(const char *path, unsigned int qd)
{
	int dev = open_or_bail(path, O_RDWR | O_EXCL), fd = session_open();
	struct blkgen_setup set = setup_default(dev);

	set.ios = 0;
	set.qd = qd;
	set.workers = 2;
	set.mix[BLKGEN_OP_READ] = 3;
	set.mix[BLKGEN_OP_WRITE] = 1;
	run_or_bail(fd, &set);
	close(dev);
	return fd;
}

/* Return how many I/Os of a disk the block layer has in flight; 0 if there is no such disk. */
static unsigned int inflight(const char *path)
{
	unsigned int rd = 0, wr = 0;
	char name[64];
	FILE *f;

	snprintf(name, sizeof(name), "/sys/block/%s/inflight", strrchr(path, '/') + 1);
	f = fopen(name, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%u %u", &rd, &wr) != 2)
		bail(name);
	fclose(f);
	return rd + wr;
}

static unsigned long long done(int fd)
{
	struct blkgen_status st = status_get(fd);

	return st.ios[BLKGEN_OP_READ] + st.ios[BLKGEN_OP_WRITE];
}

static void test_run(const char *path)
{
	struct blkgen_status st;
	int fd = start(path, 32), tries;

	check(wait_begun(fd), "%s: a run begins", path);
	/* So many I/Os use each slot several times. */
	for (tries = 0; tries < 2000 * slowness() && done(fd) < 1000; tries++)
		msleep(10);
	check(done(fd) >= 1000, "%s: it goes on", path);
	ioc(fd, BLKGEN_IOC_STOP, NULL);
	check(wait_done(fd, 20000), "%s: a run stops", path);
	st = status_get(fd);
	printf("# %llu reads, %llu writes in %llu ms\n", (unsigned long long)st.ios[0],
	       (unsigned long long)st.ios[1], (unsigned long long)st.elapsed_ns / 1000000);
	check(st.stop == BLKGEN_STOP_USER && st.ios[0] && st.ios[1] && !st.errors && !st.inflight,
	      "%s: without errors", path);
	close(fd);
}

static void test_kill(const char *path)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (!pid) {
			start(path, 1024);
			pause();
		}
		msleep(100 + 150 * i);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		ok &= claim_is_free(path) && !inflight(path);
	}
	check(ok, "%s: kill -9 at qd 1024 leaves nothing", path);
}

/* Remove a disk in order: the driver fails the I/Os that it has, and later I/O finds no disk. */
static void test_unplug(const char *path, const char *pci)
{
	struct blkgen_status st;
	char remove[128];
	int fd, tries;

	snprintf(remove, sizeof(remove), "/sys/block/%s/device/device/remove",
		 strrchr(path, '/') + 1);
	if (!exists(remove))
		bail(remove);
	fd = start(path, 64);
	check(wait_begun(fd), "%s: there is a load", path);
	sh("echo 1 > %s", remove);
	check(wait_done(fd, 30000), "%s: taking the disk away ends the run", path);
	st = status_get(fd);
	printf("# %llu reads, %llu writes, %llu failures\n", (unsigned long long)st.ios[0],
	       (unsigned long long)st.ios[1], (unsigned long long)st.errors);
	check(st.stop == BLKGEN_STOP_ERRORS && st.ios[0] && !st.inflight,
	      "%s: by failures, with nothing in flight", path);
	close(fd);
	/* Other tests need the disk: bring it back. */
	sh("echo 1 > %s", pci);
	for (tries = 0; tries < 200 && !exists(path); tries++)
		msleep(50);
	check(exists(path) && claim_is_free(path), "%s: it comes back", path);
}

int main(void)
{
	printf("KTAP version 1\n");
	if (sh("modprobe blkgen"))
		bail("modprobe blkgen");
	test_run("/dev/nvme0n1");
	test_run("/dev/sda");
	test_kill("/dev/nvme0n1");
	test_kill("/dev/sda");
	test_unplug("/dev/nvme0n1", "/sys/bus/pci/rescan");
	check(!sh("rmmod blkgen"), "the module can be removed");

	return ktap_end();
}
