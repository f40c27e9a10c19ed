// SPDX-License-Identifier: GPL-2.0
/* Report the results of a load as a table and as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/engine.h"
#include "blkgen/load/events.h"
#include "blkgen/load/hang.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/nvme.h"
#include "blkgen/load/per.h"
#include "blkgen/load/report.h"
#include "blkgen/load/result.h"
#include "blkgen/load/table.h"
#include "blkgen/load/target.h"
#include "blkgen/load/verify.h"
#include "blkgen/load/where.h"
#include "core/log.h"
#include "core/units.h"
#include "output/facts.h"

static const char *const stop_names[] = {
	[BLKGEN_STOP_NONE] = "none", [BLKGEN_STOP_IOS] = "ios", [BLKGEN_STOP_TIME] = "time",
	[BLKGEN_STOP_USER] = "user", [BLKGEN_STOP_ERRORS] = "errors",
	[BLKGEN_STOP_BYTES] = "bytes", [BLKGEN_STOP_PASS] = "pass",
};

static json_object *device_json(const struct load_target *t, const struct load_result *r)
{
	json_object *o = json_object_new_object(), *nvme = load_nvme_json(t->on);

	json_str(o, "name", t->on->dev.name);
	json_object_object_add(o, "facts", report_facts(&t->on->dev));
	json_str(o, "engine", load_engine_label(t->cfg));
	if (t->cfg->set.engine == BLKGEN_ENGINE_BUFFERED)
		json_flag(o, "fsync_in_time", t->setup.flush_every != 0);
	json_str(o, "stop", t->status.stop < sizeof(stop_names) / sizeof(*stop_names) ?
		 stop_names[t->status.stop] : "unknown");
	load_sum_json(o, &r->all, t->cfg->hist);
	load_cpu_json(o, &r->all);
	json_object_object_add(o, "ops", load_ops_json(t, r, t->cfg->hist));
	if (nvme)
		json_object_object_add(o, "nvme", nvme);
	json_object_object_add(o, "outstanding", load_outstanding_json(t));
	if (load_verifies(t))
		json_object_object_add(o, "verify", load_verify_json(t));
	return o;
}

/*
 * Members of the JSON object "load device":
 * @name: string: Name in the kernel.
 * @facts: facts: Facts about the device.
 * @engine: string: As ``options.engine``, but ``buffered (page cache)`` for ``buffered``, because
 *	the I/O goes through the page cache.
 * @fsync_in_time: boolean, optional: Each job ended with an fsync, so the measured time includes
 *	writing all data to the device. false: a write is done when its data is in the page cache.
 *	Only with the engine ``buffered``.
 * @stop: string: Why the load stopped submitting I/O: ``ios``, ``bytes`` or ``pass`` (of several
 *	limits, the one that was reached first), ``time``, ``user`` (a signal, or blkgen stopped it)
 *	or ``errors`` (as many failures as ``options.errors`` allows).
 * @*: run: The members of a run object.
 * @cpu_ns: integer: CPU time of the kernel threads of all jobs, after the ramp.
 * @cpu_ns_per_io: number: ``cpu_ns`` divided by ``ios``; 0 if no I/O completed.
 * @unpolled: integer: The sum of ``unpolled`` of its jobs.
 * @ops: map of run: Results of each op: ``read``, ``write``, ``trim``, ``zeroes`` and ``flush``.
 *	Only ops that are in the load.
 * @nvme: NVMe, optional: Counters that the NVMe device itself keeps, before and after the load.
 *	Only for NVMe.
 * @outstanding: outstanding: I/Os that had not completed when the load was given up.
 * @verify: verify, optional: Result of the check of the data. Only with ``--verify``.
 * @stalls[]: stall: Times longer than ``--stall`` during which I/Os were in flight and none
 *	completed.
 * @stalls_unlisted: integer: The module keeps only the first 32 stalls of each job. This is the
 *	number of further stalls of the job that had the most stalls.
 * @cliffs[]: cliff: Changes of the rate by at least a quarter, from one second to the next, that
 *	last at least three seconds and are clearly larger than the usual variation of the rate.
 * @rate: rate, optional: The rate that was asked for, and the rate that was reached. Only with
 *	``--rate``.
 * @streams[]: stream, optional: Results of each sequential stream, of a load with ``--streams``,
 *	``--zone-size`` or ``--zone-range``.
 */
json_object *load_devices_json(const struct load *l, const struct load_results *rs)
{
	json_object *devs = json_object_new_array();
	size_t i;

	for (i = 0; i < rs->n; i++) {
		json_object *o = device_json(&l->targets[i], &rs->of[i]);

		load_events_json(l, i, &rs->of[i], o);
		load_streams_json(l, &l->targets[i], o);
		json_object_array_add(devs, o);
	}
	return devs;
}

/*
 * Members of the JSON object "load options":
 * @*: options: The members of an options object: options under their names, with ``_`` for ``-``,
 *	and ``_ns`` after times.
 * @bs: integer: Bytes per I/O; the largest size if I/Os have different sizes.
 * @bs_min: integer: Smallest size of an I/O, in bytes.
 * @bssplit: string, optional: Sizes and their shares of the I/Os, as they were given. Only with
 *	``--bssplit``.
 * @align: integer: I/Os begin at multiples of this number of bytes, counted from ``offset``.
 * @dist: string: Distribution of random I/O over the range, as it was given: ``once``,
 *	``zipf:1.2``...
 * @mix: number, optional: Share of reads, in per cent. Only with ``rw`` and ``randrw``.
 * @rate: integer: I/Os or bytes that are due per second, for all jobs of a device together; 0: as
 *	many as ``qd`` allows.
 * @rate_unit: string: Unit of ``rate``: ``ios`` or ``bytes``.
 */
json_object *load_options_json(const struct load_cfg *cfg)
{
	json_object *o = json_object_new_object();

	json_options(o, load_opts, cfg);
	load_where_json(o, cfg);
	if (load_mixed(cfg))
		json_real(o, "mix", cfg->mix);
	json_u64(o, "rate", cfg->rate & ~RATE_BYTES);
	json_str(o, "rate_unit", cfg->rate & RATE_BYTES ? "bytes" : "ios");
	return o;
}

bool load_report_facts(const struct load *l)
{
	size_t i;

	if (log_level() < 1 || load_stdout_taken(l))
		return false;
	for (i = 0; i < l->ndevs; i++)
		report_facts_print(&l->devs[i].dev, stdout);
	return true;
}

void load_report_options(const struct load *l)
{
	const struct load_cfg *c = l->cfg;
	char t[FMT_LEN];

	printf("%s", load_rw_names[c->rw]);
	load_where_print(c, stdout);
	printf(", qd %u, %u job%s", c->set.qd, c->set.workers, c->set.workers == 1 ? "" : "s");
	if (load_mixed(c))
		printf(", %g%% reads", c->mix);
	if (c->set.engine)
		printf(", %s", load_engine_label(c));
	if (c->cpus)
		printf(", CPUs %s", c->cpus);
	if (c->set.flags & BLKGEN_SETUP_APART)
		printf(", reads and writes apart");
	if (c->set.flags & BLKGEN_SETUP_FUA)
		printf(", FUA");
	if (c->set.flush_every)
		printf(", flush after every %u", c->set.flush_every);
	if (c->set.flags & BLKGEN_SETUP_VERIFY)
		printf(", verify");
	if (c->set.time_ns)
		printf(", %s", fmt_time(t, sizeof(t), c->set.time_ns));
	if (c->set.ios)
		printf(", %llu I/Os", (unsigned long long)c->set.ios);
	printf(", seed %llu\n", (unsigned long long)c->set.seed);
	if (c->set.engine == BLKGEN_ENGINE_BUFFERED && load_changes(c))
		puts(c->set.flush_every ?
		     "each job ends with an fsync, which its time and rates include" :
		     "a write ends when its data is in the page cache: the times include no fsync");
}

void load_report_header(const struct load *l)
{
	if (!load_report_facts(l))
		return;
	load_report_options(l);
	printf("\n");
	fflush(stdout);
}

/*
 * Members of the JSON document "blkgen load":
 * @options: load options: Options of the load, with defaults filled in.
 * @interrupted: boolean: A signal ended the load.
 * @jobs[]: job: Results of each job. Empty if the load did not begin.
 * @devices[]: load device, optional: Results of each device: the sums of its jobs. Absent if the
 *	load did not begin.
 * @intervals: array of interval, optional: Results of each interval of ``--interval``, or of each
 *	second without ``--interval``; by device, in the order of time. The sums of the intervals
 *	are the values of ``devices``. Absent if the load did not begin.
 * @steps[]: step, optional: Results of each step, round or try, in the order in which they ran.
 *	Only with ``--sweep``, ``--scenario``, ``--job``, ``--steady`` and ``--target-latency``.
 *	Then ``jobs`` is empty, and there are no ``devices``.
 * @found[]: found, optional: Result of each search. Only with ``--target-latency``.
 */
int load_report(struct load *l)
{
	struct report_table *tb = load_table_new(NULL, 0);
	json_object *jobs = json_object_new_array();
	struct load_results rs = { 0 };
	int ret;

	ret = tb ? load_results_read(l, &rs, jobs) : -ENOMEM;
	if (!ret)
		ret = load_table_add(tb, 0, l, &rs) < 0 ? -ENOMEM : load_table_print(l, tb);
	if (!ret && !load_stdout_taken(l))
		ret = load_nvme_print(l, stdout);
	if (!ret && !load_stdout_taken(l))
		load_outstanding_print(l, stdout);
	if (!ret && !load_stdout_taken(l))
		load_verify_print(l, stdout);
	if (!ret)
		load_events_print(l, &rs);
	if (!ret)
		ret = load_per_print(l);
	if (!ret)
		ret = load_hist_print(l, &rs);
	if (l->doc) {
		json_object_object_add(l->doc, "intervals", load_intervals_json(l));
		json_object_object_add(l->doc, "jobs", json_object_get(jobs));
		json_object_object_add(l->doc, "devices", load_devices_json(l, &rs));
	}
	json_object_put(jobs);
	load_results_free(&rs);
	report_table_free(tb);
	return ret;
}
