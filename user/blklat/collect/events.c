// SPDX-License-Identifier: GPL-2.0
/* Read the records of single I/Os from the ring in which the account leaves them. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <bpf/btf.h>
#include "blklat/collect/events.h"
#include "blklat/collect/kernel_btf.h"
#include "core/log.h"

/*
 * The thread sleeps for this many ms between looks at the ring. The account wakes nobody, so the
 * thread has to look by itself. It sleeps longer if there are few records; if a look finds more
 * than LOOK_OFTEN, it sleeps the shortest time. With these numbers, the records that come between
 * two looks fill at most half of the smallest ring.
 */
#define LOOK_MIN_MS 4
#define LOOK_MAX_MS 32
#define LOOK_OFTEN 512

struct events {
	struct event_ring *ring;
	struct events_user user;
	pthread_t thread;
	int stop_fd;
};

static const char *place_of(const struct event_ring *r, uint64_t number)
{
	return r->first + (number & r->mask) * r->size;
}

/* Count the complete records from number @tail on that follow one another in memory. */
static size_t count_records(const struct event_ring *r, uint64_t tail)
{
	const char *p = place_of(r, tail);
	size_t max = r->mask + 1 - (tail & r->mask), n = 0;

	for (; n < max; n++, p += r->size)
		if (__atomic_load_n(&((const struct blklat_event *)p)->number,
				    __ATOMIC_ACQUIRE) != tail + n + 1)
			break;
	return n;
}

/*
 * Pass all records in the ring to the user, and return their number. Their places are freed in
 * parts, so that there is room for the records that come meanwhile.
 */
static size_t read_ring(struct events *e)
{
	struct event_ring *r = e->ring;
	size_t most = r->mask / 8 + 1, total = 0, n;

	while ((n = count_records(r, r->tail))) {
		n = n < most ? n : most;
		e->user.records(e->user.arg, place_of(r, r->tail), n);
		__atomic_store_n(&r->tail, r->tail + n, __ATOMIC_RELEASE);
		total += n;
	}
	return total;
}

static void *read_events(void *arg)
{
	struct events *e = arg;
	struct pollfd stop = { .fd = e->stop_fd, .events = POLLIN };
	int pause = LOOK_MAX_MS;
	bool last = false;

	/* When the thread is told to stop, it reads once more what is in the ring. */
	while (!last) {
		size_t n;

		last = poll(&stop, 1, pause) > 0;
		n = read_ring(e);
		if (n)
			e->user.pause(e->user.arg);
		pause = n > LOOK_OFTEN ? LOOK_MIN_MS :
			pause * 2 < LOOK_MAX_MS ? pause * 2 : LOOK_MAX_MS;
	}
	return NULL;
}

int events_open(struct session *session, const struct events_user *user, struct events **out)
{
	struct events *e = calloc(1, sizeof(*e));
	int ret;

	if (!e)
		return err(-ENOMEM, "out of memory");
	e->user = *user;
	e->ring = session_events(session);
	e->stop_fd = eventfd(0, EFD_CLOEXEC);
	ret = e->stop_fd < 0 ? -errno : -pthread_create(&e->thread, NULL, read_events, e);
	if (!ret) {
		*out = e;
		return 0;
	}
	if (e->stop_fd >= 0)
		close(e->stop_fd);
	free(e);
	return err(ret, "cannot read the records of single I/Os: %s", strerror(-ret));
}

void events_close(struct events *e)
{
	if (!e)
		return;
	eventfd_write(e->stop_fd, 1);
	pthread_join(e->thread, NULL);
	close(e->stop_fd);
	free(e);
}

int events_flag_names(char names[][24], unsigned int n)
{
	const char *prefix = "__REQ_";
	const struct btf_type *type;
	const struct btf_enum *e;
	struct btf *btf;
	int error = 0, id;

	btf = kernel_btf(&error);
	if (!btf)
		return error;
	memset(names, 0, n * sizeof(*names));
	id = btf__find_by_name_kind(btf, "req_flag_bits", BTF_KIND_ENUM);
	if (id < 0)
		return 0;
	type = btf__type_by_id(btf, id);
	e = btf_enum(type);
	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, e[i].name_off);
		unsigned int bit = e[i].val;

		if (strncmp(name, prefix, strlen(prefix)) || !strcmp(name, "__REQ_NR_BITS") ||
		    bit >= n)
			continue;
		name += strlen(prefix);
		for (size_t k = 0; name[k] && k < sizeof(*names) - 1; k++)
			names[bit][k] = name[k] >= 'A' && name[k] <= 'Z' ?
					name[k] + 'a' - 'A' : name[k];
	}
	return 0;
}
