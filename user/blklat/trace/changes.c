// SPDX-License-Identifier: GPL-2.0
/* Follow changes of a stack while it is traced: new tables, failed legs, new devices. */
#include <stdlib.h>
#include <string.h>
#include "blklat/trace/changes.h"
#include "core/log.h"
#include "output/json.h"

/*
 * Look at the stack at least this often. Some changes, such as a failed path of a dm target, send
 * no event that blklat gets.
 */
#define LOOK_NS 1000000000ULL

static uint64_t since_start(const struct trace_changes *c)
{
	return c->looked_ns - c->start_ns;
}

static void add_change(const struct topo_change *change, void *arg)
{
	struct trace_changes *c = arg;
	struct trace_change *v = realloc(c->list, (c->n + 1) * sizeof(*v));

	info("%.1fs: %s: %s", since_start(c) / 1e9, change->device, change->what);
	if (!v)
		return;
	c->list = v;
	v[c->n++] = (struct trace_change){ since_start(c), *change };
}

static void add_event(struct trace_changes *c, enum topo_change_kind kind, const char *device,
		      const char *what)
{
	struct topo_change change = { .kind = kind };

	snprintf(change.device, sizeof(change.device), "%s", device);
	snprintf(change.what, sizeof(change.what), "%s", what);
	add_change(&change, c);
}

/* Report a device for which the trace has no room, once per device: each look refuses it again. */
static void refused(const struct device *d, void *arg)
{
	struct trace_changes *c = arg;

	for (uint32_t i = 0; i < c->refused; i++)
		if (!strcmp(c->refusals[i], d->name))
			return;
	if (c->refused == BLKLAT_MAX_DEVS)
		return;
	snprintf(c->refusals[c->refused++], sizeof(c->refusals[0]), "%s", d->name);
	add_event(c, TOPO_TRACED, d->name,
		  "is not traced: the room for devices that join is used up, "
		  "so the time below the layer above it is one stage");
}

/*
 * Return true if the hooks for this device are attached. The programs of a driver are loaded only
 * if a device had that driver at the start. A bio-based device whose driver has no hooks needs
 * none.
 */
static bool has_hooks(const struct trace_changes *c, const struct device *d)
{
	const struct hook_status *st = session_hooks(c->session);
	const char *family = hook_family(d);

	if (!family)
		return d->bio_based;
	for (size_t i = 0; i < nr_hooks; i++)
		if (hooks[i].family && !strcmp(hooks[i].family, family) &&
		    st[i].state == HOOK_ATTACHED)
			return true;
	return false;
}

/*
 * Return the sequence number of the disk, which the kernel gives to no other disk; 0 if the disk is
 * gone. If another disk has got its device number, that disk may have another name, and so another
 * directory in sysfs.
 */
static uint64_t diskseq_of(const struct device *d)
{
	uint64_t seq = sys_num(d->disk_sys, "diskseq");
	struct device now;

	if (!seq && !device_from_dev(d->dev, &now))
		seq = sys_num(now.disk_sys, "diskseq");
	return seq;
}

static void device_joined(struct trace_changes *c, size_t i)
{
	const struct device *d = &c->stack->devs[i];
	char text[TOPO_CHANGE_TEXT];

	c->joined_ns[i] = since_start(c);
	c->diskseq[i] = diskseq_of(d);
	if (has_hooks(c, d))
		snprintf(text, sizeof(text), "is traced from now on");
	else if (device_is_layer(d))
		snprintf(text, sizeof(text), "is traced from now on, without hooks for %s: "
			 "its submit includes the wait until the submit of the layer above returns",
			 d->kind);
	else
		snprintf(text, sizeof(text), "is traced from now on, without hooks for driver %s: "
			 "its stages are sched+submit and submit+device",
			 *d->kind ? d->kind : "(unknown)");
	add_event(c, TOPO_TRACED, d->name, text);
}

/* Check if a device has gone away, or if another device has its number now. */
static void check_there(struct trace_changes *c, size_t i)
{
	const struct device *d = &c->stack->devs[i];
	uint64_t seq = diskseq_of(d);

	if (c->stack->retired & DEV_BIT(i) || !c->diskseq[i] || seq == c->diskseq[i])
		return;
	if (!(c->gone & DEV_BIT(i)))
		add_event(c, TOPO_GONE, d->name, "is gone");
	c->gone |= DEV_BIT(i);
	if (!seq)
		return;
	c->stack->retired |= DEV_BIT(i);
	session_retire(c->session, i);
}

static void note_places(struct trace_changes *c, uint64_t inside, size_t known)
{
	struct trace_stack *s = c->stack;

	for (size_t i = known; i < s->ndevs; i++)
		device_joined(c, i);
	for (size_t i = 0; i < s->ndevs; i++) {
		if (s->inside & DEV_BIT(i))
			c->left_ns[i] = 0;
		else if ((inside & DEV_BIT(i) || i >= known) && !s->roles[i].top)
			c->left_ns[i] = since_start(c);
	}
}

static void look(struct trace_changes *c, unsigned long long now)
{
	struct trace_stack *s = c->stack;
	uint64_t inside = s->inside;
	size_t known = s->ndevs;
	struct topo topo;

	c->looked_ns = now;
	for (size_t i = 0; i < s->ndevs; i++)
		check_there(c, i);
	if (topo_look(s->devs, s->ntops, &topo)) {
		topo_free(&topo);
		return;
	}
	topo_diff(&s->topo, &topo, add_change, c);
	trace_stack_follow(s, c->session, &topo, refused, c);
	note_places(c, inside, known);
	/*
	 * The programs added a device after this look: look again soon to see what lies below it.
	 */
	for (size_t i = known; i < s->ndevs; i++)
		if (!(s->inside & DEV_BIT(i)))
			c->looked_ns = 0;
}

void trace_changes_begin(struct trace_changes *c, struct trace_stack *stack,
			 struct session *session, unsigned long long start_ns)
{
	memset(c, 0, sizeof(*c));
	c->stack = stack;
	c->session = session;
	c->start_ns = c->looked_ns = start_ns;
	for (size_t i = 0; i < stack->ndevs; i++) {
		c->active |= device_is_layer(&stack->devs[i]);
		c->diskseq[i] = diskseq_of(&stack->devs[i]);
	}
	if (!c->active)
		return;
	watch_open(&c->watch);
	/* Catch the changes that happened while the programs were being attached. */
	look(c, start_ns);
}

void trace_changes_poll(struct trace_changes *c, int fd, int timeout_ms)
{
	struct pollfd fds[1 + WATCH_FDS] = { { .fd = fd, .events = POLLIN } };

	if (c->active)
		memcpy(fds + 1, c->watch.fds, sizeof(c->watch.fds));
	poll(fds, c->active ? 1 + WATCH_FDS : 1, timeout_ms);
	if (c->active)
		memcpy(c->watch.fds, fds + 1, sizeof(c->watch.fds));
}

void trace_changes_look(struct trace_changes *c, unsigned long long now)
{
	if (c->active && (watch_read(&c->watch) || now - c->looked_ns >= LOOK_NS ||
			  session_ndevs(c->session) > c->stack->ndevs))
		look(c, now);
}

void trace_changes_end(struct trace_changes *c, unsigned long long now)
{
	if (c->active)
		look(c, now);
}

void trace_changes_free(struct trace_changes *c)
{
	if (c->active)
		watch_close(&c->watch);
	free(c->list);
}

void trace_changes_print(const struct trace_changes *c, FILE *f)
{
	for (size_t i = 0; i < c->n; i++)
		fprintf(f, "%.1fs: %s: %s\n", c->list[i].at_ns / 1e9, c->list[i].change.device,
			c->list[i].change.what);
}

/*
 * Members of the JSON object "change":
 * @at_ns: integer: Time from the start of the trace until the change was seen.
 * @device: string: Name of the device that changed; for a link between two devices, of the lower
 *	one.
 * @kind: string: ``table``: the dm table, or the layout of the md array, changed; ``state``: the
 *	state changed, for instance to suspended or degraded; ``role``: the role for the device
 *	above changed, as of a failed leg; ``joined``, ``left``: a device above began or ceased to
 *	use the device; ``gone``: the device does not exist any more; ``traced``: a device that
 *	joined is traced, or cannot be.
 * @what: string: Description of the change, with the tables of a dm device before and after.
 */
json_object *trace_changes_json(const struct trace_changes *c)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < c->n; i++) {
		json_object *o = json_object_new_object();

		json_u64(o, "at_ns", c->list[i].at_ns);
		json_str(o, "device", c->list[i].change.device);
		json_str(o, "kind", topo_change_name(c->list[i].change.kind));
		json_str(o, "what", c->list[i].change.what);
		json_object_array_add(list, o);
	}
	return list;
}
