// SPDX-License-Identifier: GPL-2.0
/*
 * Make the memory for the slots of I/Os. The slots are the last variable of the programs, which
 * are compiled for the most slots that there can be. The kernel gets a smaller map in place of
 * the map of libbpf, and the programs get a mask that keeps them within it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "blklat/collect/slots.h"
#include "blklat.skel.h"
#include "core/memory.h"

/*
 * With SLOTS_DEFAULT slots, the thread that reads them may be held up for a second at 500,000
 * I/Os per second. The slots take at most 1/SLOTS_PART of the memory that may be used.
 */
#define SLOTS_DEFAULT (1U << 19)
#define SLOTS_PART 16
#define SLOTS_MIN (1U << 12)

#define OTHERS offsetof(struct blklat__bss, slots)

_Static_assert(OTHERS + sizeof(((struct blklat__bss *)0)->slots) == sizeof(struct blklat__bss),
	       "the slots are not the last variable");

/* Return the most slots that fit in @bytes, but at least SLOTS_MIN and at most @max. */
static uint32_t slots_in(size_t bytes, uint32_t max)
{
	uint32_t n = SLOTS_MIN;

	while (n < max && 2 * n * sizeof(struct blklat_io) <= bytes)
		n *= 2;
	return n;
}

size_t slots_bytes(uint32_t n)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (OTHERS + n * sizeof(struct blklat_io) + page - 1) / page * page;
}

/* Put the variables into this map, in place of the memory that libbpf made for the most slots. */
static int use_map(struct blklat *skel, int fd, size_t len)
{
	void *values = malloc(OTHERS), *p;
	int ret;

	if (!values)
		return -ENOMEM;
	memcpy(values, skel->bss, OTHERS);
	p = mmap(skel->bss, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	ret = p == MAP_FAILED ? -errno : 0;
	if (!ret)
		memcpy(p, values, OTHERS);
	free(values);
	ret = ret ?: bpf_map__reuse_fd(skel->maps.bss, fd);
	/* From now on libbpf unmaps only as many bytes as the map has. */
	if (!ret && len < sizeof(struct blklat__bss))
		munmap((char *)p + len, sizeof(struct blklat__bss) - len);
	return ret;
}

static int create_map(uint32_t n)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);

	return bpf_map_create(BPF_MAP_TYPE_ARRAY, "blklat.bss", sizeof(__u32), slots_bytes(n), 1,
			      &opts);
}

uint32_t slots_number(size_t bytes)
{
	return bytes ? slots_in(bytes, BLKLAT_MAX_SLOTS) :
	       slots_in(allowed_memory() / SLOTS_PART, SLOTS_DEFAULT);
}

int slots_create(struct blklat *skel, uint32_t n)
{
	int fd = create_map(n), ret;

	if (fd < 0)
		return fd;
	ret = use_map(skel, fd, slots_bytes(n));
	close(fd);
	return ret;
}
