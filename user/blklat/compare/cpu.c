// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the CPU time of kernel threads. The work that threads of dm-crypt and md do for an I/O
 * is not in the CPU time of the task that submitted the I/O.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/compare/cpu.h"
#include "device/device.h"

struct thread {
	int pid;
	uint64_t ns;
};

struct compare_cpu {
	struct thread *v;
	size_t n;
};

/*
 * Return true for a kernel thread that is not one of blkgen: blkgen reports the CPU time of its own
 * threads, and a thread of blkgen that has ended may still be listed in /proc.
 */
static bool is_kthread(const char *dir)
{
	struct sys_task task;

	return sys_task(dir, &task) && task.kernel && strncmp(task.comm, "blkgen", 6);
}

static int add_thread(const char *proc, const char *name, void *arg)
{
	struct compare_cpu *cpu = arg;
	char dir[300], text[80];
	struct thread *v;

	snprintf(dir, sizeof(dir), "%s/%s", proc, name);
	if (!isdigit(*name) || !is_kthread(dir) || sys_read(dir, "schedstat", text, sizeof(text)))
		return 0;
	v = realloc(cpu->v, (cpu->n + 1) * sizeof(*v));
	if (!v)
		return 0;
	cpu->v = v;
	v[cpu->n++] = (struct thread){ atoi(name), strtoull(text, NULL, 10) };
	return 0;
}

struct compare_cpu *compare_cpu_begin(void)
{
	struct compare_cpu *cpu = calloc(1, sizeof(*cpu));

	if (cpu)
		sys_each("/proc", add_thread, cpu);
	return cpu;
}

static uint64_t before_of(const struct compare_cpu *cpu, int pid)
{
	for (size_t i = 0; i < cpu->n; i++)
		if (cpu->v[i].pid == pid)
			return cpu->v[i].ns;
	return 0;
}

static void free_cpu(struct compare_cpu *cpu)
{
	if (cpu)
		free(cpu->v);
	free(cpu);
}

uint64_t compare_cpu_end(struct compare_cpu *before)
{
	struct compare_cpu *now = compare_cpu_begin();
	uint64_t sum = 0;

	for (size_t i = 0; before && now && i < now->n; i++) {
		uint64_t was = before_of(before, now->v[i].pid);

		if (now->v[i].ns > was)
			sum += now->v[i].ns - was;
	}
	free_cpu(now);
	free_cpu(before);
	return sum;
}
