// SPDX-License-Identifier: GPL-2.0
/* Attach the program that sees plugs flushed only while I/Os wait in plugs. */
#include <bpf/libbpf.h>
#include "blklat.h"
#include "blklat/collect/plugs.h"
#include "blklat.skel.h"
#include "core/log.h"

/* The program is needed if more than one in this number of I/Os is batched. */
#define ONE_IN 8
/* It is detached after this number of calls of plugs_tick() that found fewer. */
#define QUIET_TICKS 5U
/* Each time it has to be attached again, this is doubled, up to 32 s. */
#define BACK_OFF_MAX 6

static void tell_programs(struct plugs *p)
{
	__atomic_store_n(&p->skel->bss->state.plugs, *p->link != NULL, __ATOMIC_SEQ_CST);
}

void plugs_begin(struct plugs *p)
{
	tell_programs(p);
}

static void attach(struct plugs *p)
{
	if (p->back_off < BACK_OFF_MAX)
		p->back_off++;
	if (hook_attach(p->hook, p->skel->progs.plug_flush, p->status, p->link))
		verbose("%s (%s)", p->status->reason, p->hook->without);
	else
		verbose("plugs are traced again");
	tell_programs(p);
}

static void detach(struct plugs *p)
{
	__atomic_store_n(&p->skel->bss->state.plugs, 0, __ATOMIC_SEQ_CST);
	bpf_link__destroy(*p->link);
	*p->link = NULL;
	verbose("plugs are not traced for now: hardly an I/O waits for others in one");
}

void plugs_tick(struct plugs *p, uint64_t ended, uint64_t batched)
{
	bool needed = (batched - p->batched) * ONE_IN > ended - p->ended;

	p->ended = ended;
	p->batched = batched;
	if (p->status->state != HOOK_ATTACHED)
		return;
	p->quiet_ticks = needed ? 0 : p->quiet_ticks + 1;
	if (needed && !*p->link)
		attach(p);
	else if (*p->link && p->quiet_ticks >= QUIET_TICKS << p->back_off)
		detach(p);
}
