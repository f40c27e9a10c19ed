// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's first process. Its initramfs has nothing else but the modules that it loads. It
 * mounts the root image (read-only, under an overlay in memory) and the host's shares, runs the
 * guest script in there, reaps processes, hands the script's exit status to the host and ends the
 * machine.
 *
 * Kernel command line: blklat.tree=PATH and blklat.out=PATH name the mount points of the shares;
 * blklat.modules=RELEASE says that the modules of the kernel are a share, too, and not in the root;
 * with blklat.probe, init only prints that this machine boots, and ends it.
 * Shares (9p tags): tree, out and modules (read-only), run (written: status, results).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEWROOT		"/newroot"
#define RUN		"/run/vm"
#define ROOT_SERIAL	"blklat-root"
#define P9_OPTS		"trans=virtio,version=9p2000.L,msize=512000"

/* Print why and end the machine. The host takes a missing status as a failure. */
static void fail(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "guest init: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n");
	sync();
	sleep(1);
	reboot(RB_AUTOBOOT);
	exit(1);
}

static void must_mount(const char *src, const char *dir, const char *type, unsigned long flags,
		       const char *opts)
{
	mkdir(dir, 0755);
	if (mount(src, dir, type, flags, opts))
		fail("mount %s on %s: %s", src, dir, strerror(errno));
}

static void mkdir_parents(const char *path)
{
	char buf[PATH_MAX];
	char *p;

	snprintf(buf, sizeof(buf), "%s", path);
	for (p = strchr(buf + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(buf, 0755);
		*p = '/';
	}
	mkdir(buf, 0755);
}

/*
 * Load the modules in /modules/order, which are uncompressed and listed in load order. A module
 * that fails with ENODEV is for a CPU of another kind, which is no error.
 */
static void load_modules(void)
{
	char line[PATH_MAX];
	FILE *f = fopen("/modules/order", "r");
	int fd;

	if (!f)
		fail("no /modules/order");
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		fd = open(line, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			fail("open %s: %s", line, strerror(errno));
		if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST &&
		    errno != ENODEV)
			fail("load %s: %s", line, strerror(errno));
		close(fd);
	}
	fclose(f);
}

static int has_serial(const char *disk)
{
	char path[PATH_MAX], serial[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/sys/block/%s/serial", disk);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (!fgets(serial, sizeof(serial), f))
		serial[0] = '\0';
	fclose(f);
	return !strncmp(serial, ROOT_SERIAL, strlen(ROOT_SERIAL));
}

/*
 * Find the root disk by its serial number. Its name is not known: test disks may be virtio disks,
 * too, and come first, so that they are vda, vdb, ...
 */
static void find_root_disk(char *path, size_t len)
{
	struct dirent *d;
	DIR *dir;
	int tries;

	for (tries = 0; tries < 1000; tries++) {
		dir = opendir("/sys/block");
		while (dir && (d = readdir(dir))) {
			if (!strncmp(d->d_name, "vd", 2) && has_serial(d->d_name)) {
				snprintf(path, len, "/dev/%s", d->d_name);
				closedir(dir);
				return;
			}
		}
		if (dir)
			closedir(dir);
		usleep(10000);
	}
	fail("the root disk did not appear");
}

static void mount_root(void)
{
	char disk[PATH_MAX];

	find_root_disk(disk, sizeof(disk));
	must_mount(disk, "/image", "ext4", MS_RDONLY, "");
	must_mount("tmpfs", "/upper", "tmpfs", 0, "size=75%");
	mkdir("/upper/up", 0755);
	mkdir("/upper/work", 0755);
	must_mount("overlay", NEWROOT, "overlay", 0,
		   "lowerdir=/image,upperdir=/upper/up,workdir=/upper/work");
}

static void mount_share(const char *tag, const char *where, unsigned long flags, const char *cache)
{
	char dir[PATH_MAX], opts[128];

	snprintf(dir, sizeof(dir), NEWROOT "%s", where);
	snprintf(opts, sizeof(opts), P9_OPTS ",cache=%s", cache);
	mkdir_parents(dir);
	must_mount(tag, dir, "9p", flags, opts);
}

/*
 * Return a copy of what follows KEY in the first word of the kernel command line that begins with
 * KEY, or NULL if no word does.
 */
static char *option(const char *key)
{
	char line[4096], *word, *save;
	size_t len = strlen(key);
	FILE *f = fopen("/proc/cmdline", "r");

	if (!f || !fgets(line, sizeof(line), f))
		fail("no /proc/cmdline");
	fclose(f);
	for (word = strtok_r(line, "\n ", &save); word; word = strtok_r(NULL, "\n ", &save))
		if (!strncmp(word, key, len))
			return strdup(word + len);
	return NULL;
}

static pid_t start(const char *tree)
{
	char script[PATH_MAX];
	pid_t pid = fork();

	if (pid)
		return pid;
	setsid();
	if (chroot(NEWROOT) || chdir("/"))
		fail("chroot: %s", strerror(errno));
	snprintf(script, sizeof(script), "%s/selftests/vm/guest", tree);
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/root", 1);
	execl("/bin/bash", "bash", script, NULL);
	fail("exec /bin/bash: %s", strerror(errno));
	return -1;
}

static void hand_back(int status)
{
	FILE *f = fopen(NEWROOT RUN "/status", "w");

	if (!f)
		fail("cannot write the status: %s", strerror(errno));
	fprintf(f, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	if (fclose(f))
		fail("cannot write the status: %s", strerror(errno));
}

int main(void)
{
	char *tree, *out, *release, modules[PATH_MAX];
	int status;
	pid_t pid;

	must_mount("dev", "/dev", "devtmpfs", 0, "");
	must_mount("proc", "/proc", "proc", 0, "");
	must_mount("sys", "/sys", "sysfs", 0, "");
	if (option("blklat.probe"))
		fail("probe ok");
	tree = option("blklat.tree=");
	out = option("blklat.out=");
	if (!tree || !out)
		fail("no blklat.tree= or blklat.out= on the kernel command line");
	load_modules();
	mount_root();
	mount_share("tree", tree, MS_RDONLY, "loose");
	mount_share("out", out, MS_RDONLY, "loose");
	release = option("blklat.modules=");
	if (release) {
		snprintf(modules, sizeof(modules), "/usr/lib/modules/%s", release);
		mount_share("modules", modules, MS_RDONLY, "loose");
	}
	must_mount("tmpfs", NEWROOT "/run", "tmpfs", 0, "");
	mount_share("run", RUN, 0, "none");
	must_mount("/dev", NEWROOT "/dev", NULL, MS_MOVE, NULL);
	must_mount("/proc", NEWROOT "/proc", NULL, MS_MOVE, NULL);
	must_mount("/sys", NEWROOT "/sys", NULL, MS_MOVE, NULL);

	pid = start(tree);
	while (waitpid(-1, &status, 0) != pid)
		;
	hand_back(status);
	reboot(RB_AUTOBOOT);
	return 1;
}
