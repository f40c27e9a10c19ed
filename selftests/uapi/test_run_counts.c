// SPDX-License-Identifier: GPL-2.0
/*
 * This test will run loads to their end, and compare the module's counters with each other and
 * with /sys/block/nullb0/stat.
 */
// needs:
#include "uapi.h"

#define BUCKETS_MAX	16384
static uint64_t hist[BUCKETS_MAX];

struct diskstat {
	uint64_t rd, rd_sec, wr, wr_sec;
};

static struct diskstat diskstat(void)
{
	struct diskstat d;
	FILE *f = fopen("/sys/block/nullb0/stat", "r");
	unsigned long long v[7];

	if (!f || fscanf(f, "%llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3],
			 &v[4], &v[5], &v[6]) != 7)
		bail("/sys/block/nullb0/stat");
	fclose(f);
	d.rd = v[0];
	d.rd_sec = v[2];
	d.wr = v[4];
	d.wr_sec = v[6];
	return d;
}

static uint64_t ios[2], bytes[2], errors, submitted;

/* Sum up all workers, and compare each histogram with its counters. */
static bool collect(int fd, const struct blkgen_setup *set, const struct blkgen_features *f)
{
	bool ok = true;
	unsigned int w, op, i;

	memset(ios, 0, sizeof(ios));
	memset(bytes, 0, sizeof(bytes));
	errors = submitted = 0;
	for (w = 0; w < set->workers; w++) {
		struct blkgen_worker_info info = { .size = sizeof(info), .worker = w };

		if (ioc(fd, BLKGEN_IOC_WORKER, &info))
			bail("WORKER");
		submitted += info.submitted;
		ok &= info.start_ns && info.end_ns > info.start_ns && info.cpu_ns;
		for (op = 0; op < 2; op++) {
			struct blkgen_result res;
			uint64_t n = 0, low = 0, high = 0;

			memset(hist, 0xff, sizeof(hist));
			res = result_get(fd, w, op, hist, BUCKETS_MAX);
			ok &= res.hist_len == f->hist_buckets;
			for (i = 0; i < res.hist_len; i++) {
				n += hist[i];
				low += hist[i] * loglin_low(i, f->hist_bits);
				high += hist[i] * loglin_high(i, f->hist_bits);
			}
			if (n)
				ok &= hist[loglin_index(res.lat_max, f->hist_bits)] > 0 &&
				      hist[loglin_index(res.lat_min, f->hist_bits)] > 0;
			ok &= n == res.ios && low <= res.lat_sum && res.lat_sum <= high;
			ios[op] += res.ios;
			bytes[op] += res.bytes;
			errors += res.errors;
		}
	}
	return ok;
}

static void test_load(int dev, const char *name, struct blkgen_setup set)
{
	struct blkgen_features f = { .size = sizeof(f) };
	struct diskstat a, b;
	struct blkgen_status st;
	int fd = session_open();

	set.dev_fd = dev;
	if (ioc(fd, BLKGEN_IOC_FEATURES, &f))
		bail("FEATURES");
	a = diskstat();
	run_or_bail(fd, &set);
	check(wait_done(fd, 60000), "%s: ends", name);
	b = diskstat();
	st = status_get(fd);
	printf("# %s: %llu ns for %llu I/Os\n", name, (unsigned long long)st.elapsed_ns,
	       (unsigned long long)(st.ios[0] + st.ios[1]));
	check(collect(fd, &set, &f), "%s: histograms agree with counters", name);
	check(st.state == BLKGEN_STATE_DONE && !st.inflight && !st.errors && !errors,
	      "%s: done without errors", name);
	check(st.ios[0] == ios[0] && st.ios[1] == ios[1] && st.bytes[0] == bytes[0] &&
	      st.bytes[1] == bytes[1] && submitted == ios[0] + ios[1],
	      "%s: status and results agree", name);
	if (set.ios)
		check(ios[0] + ios[1] == set.ios && st.stop == BLKGEN_STOP_IOS,
		      "%s: as many I/Os as asked for", name);
	else
		check(st.stop == BLKGEN_STOP_TIME && st.elapsed_ns >= set.time_ns &&
		      st.elapsed_ns < set.time_ns + 3000000000ULL * slowness(),
		      "%s: as long as asked for", name);
	check(bytes[0] == ios[0] * set.bs && bytes[1] == ios[1] * set.bs, "%s: bytes", name);
	/* The block layer splits larger I/Os for this device. */
	if (set.bs <= 65536)
		check(b.rd - a.rd == ios[0] && b.wr - a.wr == ios[1],
		      "%s: I/Os as in diskstats", name);
	check((b.rd_sec - a.rd_sec) * 512 == bytes[0] && (b.wr_sec - a.wr_sec) * 512 == bytes[1],
	      "%s: bytes as in diskstats", name);
	if (set.mix[0] && set.mix[1]) {
		uint64_t urn = set.mix[0] + set.mix[1], got = ios[0] * urn;
		uint64_t want = (ios[0] + ios[1]) * set.mix[0];
		uint64_t off = got > want ? got - want : want - got;
		/*
		 * Each worker draws from an urn of its own. If all urns are empty at the end, the
		 * mix is exact. Otherwise each worker may be off by the rest of its urn, and by
		 * its last I/O.
		 */
		uint64_t most = set.ios && set.ios % (urn * set.workers) == 0 ? 0 :
				set.workers * (set.mix[0] * set.mix[1] + urn);

		printf("# %s: %llu reads, %llu writes\n", name, (unsigned long long)ios[0],
		       (unsigned long long)ios[1]);
		check(ios[0] && ios[1] && off <= most, "%s: mix", name);
	}
	close(fd);
}

int main(void)
{
	struct blkgen_setup set = setup_default(-1);
	int dev;

	printf("KTAP version 1\n");
	load_modules("nr_devices=1 gb=1 queue_mode=2 irqmode=1 submit_queues=2");
	/* Merged I/Os would count as one in diskstats. */
	sh("echo 2 > /sys/block/nullb0/queue/nomerges");
	dev = open_or_bail(NULLB, O_RDWR | O_EXCL);

	set.ios = 5000;
	test_load(dev, "randread", set);
	set.workers = 3;
	set.qd = 7;
	test_load(dev, "3 workers", set);
	set.pattern = BLKGEN_PATTERN_SEQ;
	test_load(dev, "read", set);
	set.mix[BLKGEN_OP_READ] = 0;
	set.mix[BLKGEN_OP_WRITE] = 5;
	set.bs = 65536;
	test_load(dev, "write 64k", set);
	set.pattern = BLKGEN_PATTERN_RANDOM;
	set.mix[BLKGEN_OP_READ] = 70;
	set.mix[BLKGEN_OP_WRITE] = 30;
	set.bs = 512;
	set.ios = 3000;
	test_load(dev, "randrw", set);
	set.bs = 1 << 20;
	set.qd = 4;
	set.ios = 300;
	test_load(dev, "1M", set);
	set.bs = 4096;
	set.qd = 1;
	set.batch = 1;
	set.ios = 0;
	set.time_ns = 500000000;
	test_load(dev, "half a second", set);
	set.qd = 4096;
	set.workers = 2;
	set.batch = 32;
	test_load(dev, "qd 4096", set);

	close(dev);
	unload_null_blk();

	return ktap_end();
}
