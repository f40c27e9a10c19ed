// SPDX-License-Identifier: GPL-2.0
/* Keep the list of the devices of a session: those at the start, and those that join and leave. */
#include <errno.h>
#include <sys/sysmacros.h>
#include "blklat/collect/session_parts.h"
#include "core/log.h"

static uint32_t kernel_dev(dev_t dev)
{
	return (uint32_t)major(dev) << 20 | minor(dev);
}

void session_fill_dev(struct blklat_dev_cfg *cfg, const struct device *d)
{
	cfg->disk = kernel_dev(d->disk_dev);
	cfg->part = d->partition ? kernel_dev(d->dev) : 0;
	cfg->layer = device_is_layer(d);
	cfg->bio_based = d->bio_based && !cfg->layer;
	cfg->requests = cfg->layer && !d->bio_based && !device_is_nvme_head(d);
	cfg->rqs = !cfg->layer && !d->bio_based;
}

void session_number_devs(struct blklat_config *cfg)
{
	for (size_t i = 0; i < cfg->nr_devs; i++) {
		struct blklat_dev_cfg *d = &cfg->devs[i];

		d->number = d->part ?: d->disk;
		for (size_t j = 0; j < i; j++)
			if (cfg->devs[j].disk == d->disk && !cfg->devs[j].part)
				d->number = 0;
	}
}

void session_place_dev(struct blklat_state *state, const struct blklat_dev_cfg *d, uint8_t index)
{
	__u8 *disk = &state->disk_at[blklat_dev_place(d->disk)], none = 0;

	__atomic_store_n(&state->dev_at[blklat_dev_place(d->number)], index, __ATOMIC_SEQ_CST);
	__atomic_compare_exchange_n(disk, &none, index + 1, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
}

size_t session_ndevs(const struct session *s)
{
	size_t n = s->ndevs;

	/* Entries are taken in this order. An entry that is not complete yet is counted later. */
	while (n < s->max_devs &&
	       __atomic_load_n(&s->skel->bss->state.devs[n].flags, __ATOMIC_ACQUIRE))
		n++;
	return n;
}

dev_t session_dev(const struct session *s, size_t index)
{
	const struct blklat_dev_cfg *d = &s->skel->bss->state.devs[index];
	uint32_t dev = d->part ?: d->disk;

	return makedev(dev >> 20, dev & 0xfffff);
}

/*
 * Return the index of a traced device, or -1. As in the programs, the device of a partition is its
 * disk if that disk is traced as a whole.
 */
static int find_dev(const struct session *s, const struct blklat_dev_cfg *d)
{
	size_t n = session_ndevs(s);

	for (size_t i = 0; i < n; i++) {
		const struct blklat_dev_cfg *at = &s->skel->bss->state.devs[i];

		if (at->disk == d->disk && (!at->part || at->part == d->part) &&
		    !(at->flags & DEV_GONE))
			return i;
	}
	return -1;
}

void session_describe(struct session *s, size_t index, const struct device *d)
{
	struct blklat_dev_cfg *at = &s->skel->bss->state.devs[index], cfg = { 0 };

	session_fill_dev(&cfg, d);
	at->layer = cfg.layer;
	at->bio_based = cfg.bio_based;
	at->requests = cfg.requests;
	at->rqs = cfg.rqs;
}

int session_join(struct session *s, const struct device *d)
{
	struct blklat_state *state = &s->skel->bss->state;
	struct blklat_dev_cfg cfg = { .inner = 1, .since_ns = ~0ULL };
	unsigned int at;
	uint32_t number;
	int found;

	session_fill_dev(&cfg, d);
	found = find_dev(s, &cfg);
	if (found >= 0) {
		state->devs[found].inner = 1;
		return found;
	}
	if (s->ndevs + state->joined >= s->max_devs)
		return -ENOSPC;
	at = s->ndevs + __atomic_fetch_add(&state->joined, 1, __ATOMIC_SEQ_CST);
	if (at >= s->max_devs)
		return -ENOSPC;
	state->devs[at] = cfg;
	__atomic_store_n(&state->devs[at].flags, DEV_JOINED, __ATOMIC_SEQ_CST);
	number = cfg.part ?: cfg.disk;
	__atomic_store_n(&state->devs[at].number, number, __ATOMIC_SEQ_CST);
	session_place_dev(state, &state->devs[at], at);
	__atomic_fetch_add(&state->changes, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&state->devs[at].since_ns, now_ns(), __ATOMIC_SEQ_CST);
	return at;
}

void session_retire(struct session *s, size_t index)
{
	struct blklat_dev_cfg *d = &s->skel->bss->state.devs[index];

	__atomic_or_fetch(&d->flags, DEV_GONE, __ATOMIC_SEQ_CST);
	__atomic_store_n(&d->number, 0, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&s->skel->bss->state.changes, 1, __ATOMIC_SEQ_CST);
}
