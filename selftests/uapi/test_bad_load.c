// SPDX-License-Identifier: GPL-2.0
/*
 * This test will hand SETUP impossible tables, streams, rates and CPUs, each beside the nearest
 * possible one, and expect the documented errno; and ask for results that do not exist.
 */
// needs: cpus=2
#include "setup.h"

static struct blkgen_size sizes[BLKGEN_MAX_TABLE + 1];
static struct blkgen_zone zones[BLKGEN_MAX_TABLE + 1];
static uint64_t worker_ios[2];
static int32_t cpus[2];

#define WRAPS	(UINT64_MAX / 1023 + 1)
#define PTR(p)	((uintptr_t)(p))

/*
 * The with_*() functions make good setups for the cases to change. 1 GiB in blocks of 4 KiB has
 * 262144 places.
 */
static void with_sizes(struct blkgen_setup *set, unsigned int nr)
{
	unsigned int i;

	set->sizes = PTR(sizes);
	set->nr_sizes = nr;
	for (i = 0; i < nr; i++)
		sizes[i] = (struct blkgen_size) { .bytes = 512 << i % 4, .weight = 1 };
}

static void with_zones(struct blkgen_setup *set, unsigned int nr)
{
	unsigned int i;

	set->pattern = BLKGEN_PATTERN_DRAW;
	set->zones = PTR(zones);
	set->nr_zones = nr;
	for (i = 0; i < nr; i++)
		zones[i] = (struct blkgen_zone) { .first = i, .count = 1, .weight = 1 };
}

static void with_streams(struct blkgen_setup *set, unsigned int nr)
{
	set->pattern = BLKGEN_PATTERN_STREAMS;
	set->streams = nr;
}

static void with_ios(struct blkgen_setup *set, uint64_t a, uint64_t b)
{
	set->workers = 2;
	set->ios = 0;
	set->worker_ios = PTR(worker_ios);
	worker_ios[0] = a;
	worker_ios[1] = b;
}

static void with_cpus(struct blkgen_setup *set, int32_t a, int32_t b)
{
	set->workers = 2;
	set->cpus = PTR(cpus);
	cpus[0] = a;
	cpus[1] = b;
}

CHANGE(sizes_one, with_sizes(set, 1))
CHANGE(sizes_most, with_sizes(set, BLKGEN_MAX_TABLE))
CHANGE(sizes_too_many, with_sizes(set, BLKGEN_MAX_TABLE + 1))
CHANGE(sizes_nowhere, with_sizes(set, 2); set->sizes = 0)
CHANGE(sizes_unreadable, with_sizes(set, 2); set->sizes = 8)
CHANGE(size_0, with_sizes(set, 2); sizes[1].bytes = 0)
CHANGE(size_bs, with_sizes(set, 2); sizes[1].bytes = 4096)
CHANGE(size_over_bs, with_sizes(set, 2); sizes[1].bytes = 4608)
CHANGE(size_odd, with_sizes(set, 2); sizes[1].bytes = 1000)
CHANGE(sizes_weight_0, with_sizes(set, 2); sizes[1].weight = 0)
CHANGE(sizes_weights_0, with_sizes(set, 2); sizes[0].weight = sizes[1].weight = 0)
CHANGE(sizes_weight_most, with_sizes(set, 2); sizes[1].weight = BLKGEN_MAX_WEIGHT - 1)
CHANGE(sizes_weight_over, with_sizes(set, 2); sizes[1].weight = BLKGEN_MAX_WEIGHT)
CHANGE(sizes_weight_wrap, with_sizes(set, 2); sizes[1].weight = UINT32_MAX)
CHANGE(draw, with_zones(set, 1))
CHANGE(draw_most, with_zones(set, BLKGEN_MAX_TABLE))
CHANGE(draw_too_many, with_zones(set, BLKGEN_MAX_TABLE + 1))
CHANGE(draw_without_zones, set->pattern = BLKGEN_PATTERN_DRAW)
CHANGE(zones_without_draw, with_zones(set, 1); set->pattern = BLKGEN_PATTERN_RANDOM)
CHANGE(scatter, with_zones(set, 1); set->flags = BLKGEN_SETUP_SCATTER)
CHANGE(scatter_without_draw, set->flags = BLKGEN_SETUP_SCATTER)
CHANGE(draw_passes, with_zones(set, 1); set->passes = 1)
CHANGE(zones_nowhere, with_zones(set, 1); set->zones = 0)
CHANGE(zones_unreadable, with_zones(set, 1); set->zones = 8)
CHANGE(zone_reserved, with_zones(set, 2); zones[1].reserved = 1)
CHANGE(zone_empty, with_zones(set, 2); zones[1].count = 0)
CHANGE(zone_all, with_zones(set, 2); zones[1].first = 0; zones[1].count = dev_bytes / 4096)
CHANGE(zone_long, with_zones(set, 2); zones[1].count = dev_bytes / 4096)
CHANGE(zone_last, with_zones(set, 2); zones[1].first = dev_bytes / 4096 - 1)
CHANGE(zone_past, with_zones(set, 2); zones[1].first = dev_bytes / 4096)
CHANGE(zone_wraps, with_zones(set, 2); zones[1].count = UINT64_MAX)
CHANGE(zone_past_range, with_zones(set, 2); set->length = 4096; set->align = 512)
CHANGE(zones_weights_0, with_zones(set, 2); zones[0].weight = zones[1].weight = 0)
CHANGE(zones_weight_over, with_zones(set, 2); zones[1].weight = BLKGEN_MAX_WEIGHT)
CHANGE(align_less, set->align = 512)
CHANGE(align_more, set->align = 1 << 20)
CHANGE(align_odd, set->align = 1000)
CHANGE(align_few_places, set->workers = 3; set->length = 3 << 20; set->align = 2 << 20)
CHANGE(streams, with_streams(set, 4))
CHANGE(streams_most, with_streams(set, BLKGEN_MAX_STREAMS))
CHANGE(streams_too_many, with_streams(set, BLKGEN_MAX_STREAMS + 1))
CHANGE(streams_none, with_streams(set, 0))
CHANGE(streams_few, with_streams(set, 2); set->workers = 3)
CHANGE(streams_random, with_streams(set, 2); set->pattern = BLKGEN_PATTERN_RANDOM)
CHANGE(zone_size_seq, set->pattern = BLKGEN_PATTERN_SEQ; set->zone_size = 4096)
CHANGE(zone_range_seq, set->pattern = BLKGEN_PATTERN_SEQ; set->zone_range = 4096)
CHANGE(zone_skip_alone, with_streams(set, 2); set->zone_skip = 4096)
CHANGE(zone_size_bs, with_streams(set, 2); set->zone_size = 4096)
CHANGE(zone_size_short, with_streams(set, 2); set->zone_size = 3584)
CHANGE(zone_size_odd, with_streams(set, 2); set->zone_size = 4097)
CHANGE(zone_skip_odd, with_streams(set, 2); set->zone_size = 4096; set->zone_skip = 1)
CHANGE(zone_skip_off, with_streams(set, 2); set->zone_size = 8192; set->zone_skip = 512)
CHANGE(zone_sum, with_streams(set, 2); set->zone_size = 8192 - 512; set->zone_skip = 512)
CHANGE(zone_range_odd, with_streams(set, 2); set->zone_range = 8193)
CHANGE(zone_range_off, with_streams(set, 2); set->zone_range = 8192 + 512)
CHANGE(zone_range_bs, with_streams(set, 2); set->zone_range = 4096)
CHANGE(zone_range_short, with_streams(set, 2); set->zone_range = 512; set->align = 512)
CHANGE(zone_range_most, with_streams(set, 2); set->zone_range = dev_bytes - 4096)
CHANGE(zone_range_long, with_streams(set, 2); set->zone_range = dev_bytes)
/* 1023 ranges of this many sectors are more than 2^64 sectors, which wraps around. */
CHANGE(zone_range_wraps, with_streams(set, 1024); set->bs = 512; set->zone_range = WRAPS << 9)
CHANGE(streams_fit, with_streams(set, 3); set->length = 3 * 4096)
CHANGE(streams_no_room, with_streams(set, 4); set->length = 4 * 4096 - 512)
CHANGE(rate, set->rate = 1000; set->arrival = BLKGEN_ARRIVAL_POISSON; set->burst = 8)
CHANGE(rate_bytes, set->rate = 1 << 20; set->flags = BLKGEN_SETUP_RATE_BYTES)
CHANGE(arrival_unknown, set->rate = 1000; set->arrival = 2)
CHANGE(arrival_alone, set->arrival = BLKGEN_ARRIVAL_POISSON)
CHANGE(burst_alone, set->burst = 2)
CHANGE(rate_bytes_alone, set->flags = BLKGEN_SETUP_RATE_BYTES)
CHANGE(think, set->think_ns = 1000)
CHANGE(think_most, set->think_ns = BLKGEN_MAX_WAIT)
CHANGE(think_over, set->think_ns = BLKGEN_MAX_WAIT + 1)
CHANGE(think_wraps, set->think_ns = UINT64_MAX)
CHANGE(rate_and_think, set->rate = 1000; set->think_ns = 1)
CHANGE(rate_most, set->rate = 1ULL << 40)
CHANGE(rate_over, set->rate = (1ULL << 40) + 1)
CHANGE(rate_slowest, set->rate = 1; set->burst = 274)
CHANGE(rate_too_slow, set->rate = 1; set->burst = 275)
CHANGE(rate_too_slow_workers, set->rate = 1; set->workers = 256; set->burst = 2)
CHANGE(rate_too_slow_bytes, set->rate = 1; set->flags = BLKGEN_SETUP_RATE_BYTES)
CHANGE(rate_wraps, set->rate = 1; set->burst = UINT32_MAX; set->flags = BLKGEN_SETUP_RATE_BYTES)
CHANGE(ramp_huge, set->ramp_ns = UINT64_MAX; set->time_ns = UINT64_MAX)
CHANGE(limits_all, set->bytes = set->passes = set->error_max = set->stall_ns = UINT64_MAX)
CHANGE(ios_each, with_ios(set, 5, 0))
CHANGE(ios_each_and_all, with_ios(set, 5, 5); set->ios = 10)
CHANGE(ios_each_unreadable, with_ios(set, 5, 5); set->worker_ios = 8)
CHANGE(cpus_two, with_cpus(set, 1, 0))
CHANGE(cpus_none, with_cpus(set, -1, 0))
CHANGE(cpus_below, with_cpus(set, 0, -2))
CHANGE(cpus_unknown, with_cpus(set, 0, 100000))
CHANGE(cpus_unreadable, with_cpus(set, 0, 1); set->cpus = 8)
CHANGE(reserved, set->reserved = 1)

static const struct setup_case cases[] = {
	CASE(sizes_one, 0), CASE(sizes_most, 0), CASE(sizes_too_many, ERANGE),
	CASE(sizes_nowhere, EFAULT), CASE(sizes_unreadable, EFAULT),
	CASE(size_0, EINVAL), CASE(size_bs, 0), CASE(size_over_bs, EINVAL), CASE(size_odd, EINVAL),
	CASE(sizes_weight_0, 0), CASE(sizes_weights_0, EINVAL), CASE(sizes_weight_most, 0),
	CASE(sizes_weight_over, EINVAL), CASE(sizes_weight_wrap, EINVAL),
	CASE(draw, 0), CASE(draw_most, 0), CASE(draw_too_many, ERANGE),
	CASE(draw_without_zones, EINVAL), CASE(zones_without_draw, EINVAL),
	CASE(scatter, 0), CASE(scatter_without_draw, EINVAL), CASE(draw_passes, EINVAL),
	CASE(zones_nowhere, EFAULT), CASE(zones_unreadable, EFAULT),
	CASE(zone_reserved, EINVAL), CASE(zone_empty, ERANGE), CASE(zone_all, 0),
	CASE(zone_long, ERANGE), CASE(zone_last, 0), CASE(zone_past, ERANGE),
	CASE(zone_wraps, ERANGE), CASE(zone_past_range, ERANGE),
	CASE(zones_weights_0, EINVAL), CASE(zones_weight_over, EINVAL),
	CASE(align_less, 0), CASE(align_more, 0), CASE(align_odd, EINVAL),
	CASE(align_few_places, ENOSPC),
	CASE(streams, 0), CASE(streams_most, 0), CASE(streams_too_many, ERANGE),
	CASE(streams_none, EINVAL), CASE(streams_few, EINVAL), CASE(streams_random, EINVAL),
	CASE(zone_size_seq, EINVAL), CASE(zone_range_seq, EINVAL), CASE(zone_skip_alone, EINVAL),
	CASE(zone_size_bs, 0), CASE(zone_size_short, EINVAL), CASE(zone_size_odd, EINVAL),
	CASE(zone_skip_odd, EINVAL), CASE(zone_skip_off, EINVAL), CASE(zone_sum, 0),
	CASE(zone_range_odd, EINVAL), CASE(zone_range_off, EINVAL), CASE(zone_range_bs, 0),
	CASE(zone_range_short, ENOSPC), CASE(zone_range_most, 0), CASE(zone_range_long, ENOSPC),
	CASE(zone_range_wraps, ENOSPC), CASE(streams_fit, 0), CASE(streams_no_room, ENOSPC),
	CASE(rate, 0), CASE(rate_bytes, 0), CASE(arrival_unknown, EOPNOTSUPP),
	CASE(arrival_alone, EINVAL), CASE(burst_alone, EINVAL), CASE(rate_bytes_alone, EINVAL),
	CASE(think, 0), CASE(think_most, 0), CASE(think_over, ERANGE), CASE(think_wraps, ERANGE),
	CASE(rate_and_think, EINVAL), CASE(rate_most, 0), CASE(rate_over, ERANGE),
	CASE(rate_slowest, 0), CASE(rate_too_slow, ERANGE), CASE(rate_too_slow_workers, ERANGE),
	CASE(rate_too_slow_bytes, ERANGE), CASE(rate_wraps, ERANGE), CASE(ramp_huge, 0),
	CASE(limits_all, 0), CASE(ios_each, 0), CASE(ios_each_and_all, EINVAL),
	CASE(ios_each_unreadable, EFAULT), CASE(cpus_two, 0), CASE(cpus_none, 0),
	CASE(cpus_below, EINVAL), CASE(cpus_unknown, EINVAL), CASE(cpus_unreadable, EFAULT),
	CASE(reserved, EINVAL),
};

static void test_offline_cpu(void)
{
	struct blkgen_setup set = setup_default(dev);

	if (sh("echo 0 > /sys/devices/system/cpu/cpu1/online 2>/dev/null")) {
		printf("ok %d - a CPU that is offline # SKIP this CPU stays\n", ++ktap_nr);
		return;
	}
	cpus_two(&set);
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), EINVAL, "a CPU that is offline");
	sh("echo 1 > /sys/devices/system/cpu/cpu1/online");
	expect(ioc(session, BLKGEN_IOC_SETUP, &set), 0, "a CPU that is online again");
}

/* SETUP copies its tables: the caller may change or free them as soon as SETUP has returned. */
static void test_tables_are_copied(void)
{
	struct blkgen_setup set = setup_default(dev);
	struct blkgen_result res;
	int fd = session_open();

	with_sizes(&set, 1);
	with_zones(&set, 1);
	with_ios(&set, 30, 70);
	if (ioc(fd, BLKGEN_IOC_SETUP, &set))
		bail("SETUP");
	memset(sizes, 0xff, sizeof(sizes));
	memset(zones, 0xff, sizeof(zones));
	worker_ios[0] = worker_ios[1] = 0;
	if (ioc(fd, BLKGEN_IOC_START, NULL) || !wait_done(fd, 10000))
		bail("START");
	res = result_get(fd, 0, BLKGEN_OP_READ, NULL, 0);
	check(res.ios == 30 && res.bytes == 30 * 512, "the first worker does its I/Os");
	res = result_get(fd, 1, BLKGEN_OP_READ, NULL, 0);
	check(res.ios == 70 && res.bytes == 70 * 512, "the second worker does its I/Os");
	check(status_get(fd).stop == BLKGEN_STOP_IOS,
	      "the run ends when all workers have done their I/Os");
	close(fd);
}

/* Ask for sums, service times and streams, those that exist and those that do not. */
static void test_results(void)
{
	struct blkgen_result res = { .size = sizeof(res), .worker = BLKGEN_ALL_WORKERS };
	struct blkgen_worker_info all = { .size = sizeof(all), .worker = BLKGEN_ALL_WORKERS };
	struct blkgen_worker_info one = { .size = sizeof(one) };
	struct blkgen_stalls stalls = { .size = sizeof(stalls) };
	struct blkgen_setup set = setup_default(dev);
	uint64_t ios = 0, bytes = 0, sum = 0;
	int fd = session_open();
	unsigned int i;

	expect(ioc(fd, BLKGEN_IOC_STALLS, &stalls), ENODATA, "STALLS without SETUP");
	expect(ioc(fd, BLKGEN_IOC_WORKER, &all), ENODATA, "WORKER of all without SETUP");
	with_streams(&set, 3);
	set.workers = 2;
	set.ios = 999;
	run_or_bail(fd, &set);
	if (!wait_done(fd, 10000))
		bail("the run does not end");
	for (i = 0; i < 2; i++) {
		struct blkgen_result w = result_get(fd, i, BLKGEN_OP_READ, NULL, 0);

		ios += w.ios;
		bytes += w.bytes;
		sum += w.lat_sum;
		one.worker = i;
		expect(ioc(fd, BLKGEN_IOC_WORKER, &one), 0, "WORKER");
	}
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), 0, "RESULT of all workers");
	check(res.ios == 999 && ios == 999 && res.bytes == bytes && res.lat_sum == sum,
	      "RESULT of all workers is the sum of each");
	expect(ioc(fd, BLKGEN_IOC_WORKER, &all), 0, "WORKER of all");
	check(all.submitted == 999 && !all.pid, "WORKER of all workers is the sum of each");
	res.worker = BLKGEN_ALL_WORKERS - 1;
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT of no worker");
	res.worker = BLKGEN_ALL_WORKERS;
	res.what = BLKGEN_WHAT_STREAM + 1;
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT of what is unknown");
	res.what = BLKGEN_WHAT_SERVICE;
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), 0, "RESULT of service without a rate");
	check(res.lat_sum == sum, "service times without a rate are the latencies");
	res.what = BLKGEN_WHAT_STREAM;
	for (ios = 0, i = 0; i < 3; i++) {
		res.op = i;
		expect(ioc(fd, BLKGEN_IOC_RESULT, &res), 0, "RESULT of a stream");
		ios += res.ios;
	}
	check(ios == 999, "streams make up all");
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), 0, "RESULT of the last stream");
	res.op = 3;
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT of a stream too many");
	res.op = 0;
	res.worker = 0;
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT of a worker's stream");
	expect(ioc(fd, BLKGEN_IOC_STALLS, &stalls), 0, "STALLS");
	stalls.worker = 2;
	expect(ioc(fd, BLKGEN_IOC_STALLS, &stalls), EINVAL, "STALLS of no worker");
	stalls.worker = BLKGEN_ALL_WORKERS;
	expect(ioc(fd, BLKGEN_IOC_STALLS, &stalls), EINVAL, "STALLS of all");
	stalls.worker = 0;
	stalls.reserved = 1;
	expect(ioc(fd, BLKGEN_IOC_STALLS, &stalls), EINVAL, "STALLS reserved");
	stalls = (struct blkgen_stalls) { .size = sizeof(stalls) - 8 };
	expect(ioc(fd, BLKGEN_IOC_STALLS, &stalls), EINVAL, "STALLS short");
	set.pattern = BLKGEN_PATTERN_RANDOM;
	set.streams = 0;
	expect(ioc(fd, BLKGEN_IOC_SETUP, &set), 0, "SETUP without streams");
	res = (struct blkgen_result) { .size = sizeof(res), .worker = BLKGEN_ALL_WORKERS,
				       .what = BLKGEN_WHAT_STREAM };
	expect(ioc(fd, BLKGEN_IOC_RESULT, &res), EINVAL, "RESULT of a stream then");
	close(fd);
}

int main(void)
{
	setup_begin();
	test_setups(cases, ARRAY_SIZE(cases));
	test_offline_cpu();
	test_tables_are_copied();
	test_results();

	return setup_end();
}
