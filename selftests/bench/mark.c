// SPDX-License-Identifier: GPL-2.0
/*
 * mark start: start a section of the count that selftests/bench/count.c makes of this guest.
 * mark stop: end it; do nothing if none was started.
 * mark stop DIR N: also write the programs that are mapped now, the modules and the symbols of the
 * kernel to DIR/maps.N, DIR/modules.N and DIR/symbols.N. The kernel gives the programs of BPF and
 * the code of modules other addresses each time, so they must be written while these are there.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "mark.h"

static int die(const char *what)
{
	fprintf(stderr, "mark: ");
	perror(what);
	return 1;
}

static int mark(uint64_t addr)
{
	void *page = (void *)(uintptr_t)MARK_PAGE;

	page = mmap(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (page == MAP_FAILED)
		return die("mmap");
	memset(page, 0xc3, 4096); /* ret */
	((void (*)(void))(uintptr_t)addr)();
	return 0;
}

/*
 * Write the lines that are of code, such as "ffffffff81000000 T _text". Those of modules and BPF
 * have the module's name at the end, in brackets. The end of the kernel's code is written as well,
 * whatever type the linker gave it.
 */
static int write_symbols(FILE *to)
{
	FILE *from = fopen("/proc/kallsyms", "r");
	char line[1024], name[8], type;

	if (!from)
		return die("/proc/kallsyms");
	while (fgets(line, sizeof(line), from))
		if (sscanf(line, "%*s %c %7s", &type, name) == 2 &&
		    (strchr("tTwW", type) || !strcmp(name, "_etext")))
			fputs(line, to);
	fclose(from);
	return 0;
}

/* Write where each module is, and how large. */
static int write_modules(FILE *to)
{
	FILE *from = fopen("/proc/modules", "r");
	char part[1024];

	if (!from)
		return die("/proc/modules");
	while (fgets(part, sizeof(part), from))
		fputs(part, to);
	fclose(from);
	return 0;
}

/* Write the lines of /proc/PID/maps that are the code of a file, each after the PID. */
static void write_maps_of(const char *pid, FILE *to)
{
	char path[300], line[4500];
	FILE *from;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	from = fopen(path, "r");
	if (!from)
		return; /* It has ended. */
	while (fgets(line, sizeof(line), from))
		if (strstr(line, " r-xp ") && strchr(line, '/'))
			fprintf(to, "%s %s", pid, line);
	fclose(from);
}

static int write_maps(FILE *to)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;

	if (!proc)
		return die("/proc");
	while ((d = readdir(proc)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			write_maps_of(d->d_name, to);
	closedir(proc);
	return 0;
}

static int write_file(const char *dir, const char *name, const char *number, int (*write)(FILE *))
{
	char path[4096];
	FILE *to;
	int rc;

	snprintf(path, sizeof(path), "%s/%s.%s", dir, name, number);
	to = fopen(path, "w");
	if (!to)
		return die(path);
	rc = write(to);
	return fclose(to) ? die(path) : rc;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "start"))
		return mark(MARK_START);
	if (argc == 2 && !strcmp(argv[1], "stop"))
		return mark(MARK_STOP);
	/* The symbols come last, because cost.py takes them as a sign that the others are there. */
	if (argc == 4 && !strcmp(argv[1], "stop"))
		return mark(MARK_STOP) ||
		       write_file(argv[2], "maps", argv[3], write_maps) ||
		       write_file(argv[2], "modules", argv[3], write_modules) ||
		       write_file(argv[2], "symbols", argv[3], write_symbols);
	fprintf(stderr, "usage: mark start | mark stop [DIR N]\n");
	return 2;
}
