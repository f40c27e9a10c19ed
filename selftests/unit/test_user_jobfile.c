// SPDX-License-Identifier: GPL-2.0
/*
 * This test will read job files of fio, and expect the blkgen options of the same load, or a
 * message with file and line if there are none; and expect the man page to have all keys.
 */
/* needs: host */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/fio/jobfile.h"
#include "core/opt.h"
#include "unit.h"

/* Write a job as "[name] gN device...: --opt=value ...". */
static char *job_text(const struct job *j, char *buf, size_t len)
{
	size_t n = snprintf(buf, len, "[%s] g%u", j->name, j->group), i;

	for (i = 0; i < j->ndevices; i++)
		n += snprintf(buf + n, len - n, " %s", j->devices[i]);
	n += snprintf(buf + n, len - n, ":");
	for (i = 0; i < j->nopts; i++)
		n += snprintf(buf + n, len - n, " --%s%s%s", j->opts[i].opt,
			      j->opts[i].value ? "=" : "",
			      j->opts[i].value ? j->opts[i].value : "");
	return buf;
}

/* The devices of the command line */
static char *devices[] = { "nvme0n1", "sda" };
static size_t ndevices;

/* Return all jobs of a file, a line each, and then its notes. */
static const char *all_text(const char *file)
{
	static char buf[32768];
	struct jobfile jf = { .devices = devices, .ndevices = ndevices };
	size_t n = 0, i;

	*buf = 0;
	if (!jobfile_parse("j", file, &jf)) {
		for (i = 0; i < jf.njobs; i++) {
			job_text(&jf.jobs[i], buf + n, sizeof(buf) - n);
			n += strlen(buf + n);
			n += snprintf(buf + n, sizeof(buf) - n, "\n");
		}
		for (i = 0; i < jf.nnotes; i++)
			n += snprintf(buf + n, sizeof(buf) - n, "note %s\n", jf.notes[i]);
	} else {
		snprintf(buf, sizeof(buf), "refused: %s", log_last_error());
	}
	jobfile_free(&jf);
	return buf;
}

static void whole(const char *what, const char *file, const char *want)
{
	const char *got = all_text(file);

	if (!check(!strcmp(got, want), "%s", what))
		printf("# got:  %s# want: %s", got, want);
}

/* The job [j] with filename=/dev/d and the lines of a sample has these options, or this message. */
struct sample {
	const char *lines;
	const char *has;	/* options in a row, or the end of a message */
	const char *lacks;	/* NULL, or the beginning of an option that is not there */
};

static const struct sample samples[] = {
	/* fio's defaults */
	{ "",
	  "--rw=read --engine=buffered --qd=1 --batch=1 --bs=4096 --time=0 --pass=1 --jobs=1 "
	  "--seed=1 --errors=stop",
	  "--size" },
	{ "direct=1", "--engine=sync --qd=1" },
	{ "direct=1\nioengine=libaio", "--engine=bio --qd=1" },
	{ "direct=1\nioengine=io_uring\niodepth=32", "--engine=bio --qd=32" },
	{ "direct=1\nioengine=io_uring\niodepth=32\nhipri", "--engine=polled --qd=32" },
	{ "direct=1\nioengine=pvsync2\nhipri=1", "--engine=polled --qd=1" },
	{ "direct=1\niodepth=32", "--engine=sync --qd=1", },
	{ "direct=1\niodepth=32",
	  "note j:4: iodepth=32: one I/O in flight at a time, as fio does with psync" },
	{ "ioengine=libaio\niodepth=32", "--engine=buffered --qd=1" },
	{ "buffered=0", "--engine=sync" },
	{ "direct=1\nbuffered=1", "--engine=buffered" },
	{ "buffered=1\ndirect=1", "--engine=sync" },
	{ "ioengine=io_uring\niodepth=4",
	  "j:4: iodepth=4: blkgen keeps one buffered I/O in flight; set direct=1 or iodepth=1" },
	{ "ioengine=mmap",
	  "j:3: ioengine=mmap: blkgen has no such engine: it takes psync, sync, pvsync, pvsync2, "
	  "libaio, io_uring, posixaio, windowsaio and solarisaio" },
	{ "ioengine=vsync",
	  "j:3: ioengine=vsync: blkgen has no such engine: it takes psync, sync, pvsync, pvsync2, "
	  "libaio, io_uring, posixaio, windowsaio and solarisaio" },
	{ "direct=1\nhipri",
	  "j:4: hipri: blkgen polls only with direct=1 and ioengine=io_uring or pvsync2" },
	{ "hipri\nioengine=io_uring",
	  "j:3: hipri: blkgen polls only with direct=1 and ioengine=io_uring or pvsync2" },
	{ "rw=trim\nioengine=libaio\niodepth=8", "--rw=trim --engine=sync --qd=1" },
	{ "rw=randtrim\nioengine=io_uring\niodepth=8",
	  "j:5: iodepth=8: whether fio queues trims depends on its version; set iodepth=1" },
	{ "iodepth=0", "j:3: iodepth=0: must be at least 1" },
	{ "iodepth_batch=8", "--batch=8" },
	{ "iodepth_batch_submit=64", "--batch=32" },

	{ "rw=randwrite", "--rw=randwrite" },
	{ "readwrite=randread", "--rw=randread" },
	{ "rw=randrw", "--rw=randrw --mix=50" },
	{ "rw=randrw\nrwmixread=70", "--mix=70" },
	{ "rw=randrw\nrwmixwrite=70", "--mix=30" },
	{ "rw=randrw\nrwmixread=70\nrwmixwrite=40", "--mix=60" },
	{ "rw=randrw\nrwmixwrite=40\nrwmixread=70", "--mix=70" },
	{ "rw=randrw\nrwmixread=101", "j:4: rwmixread=101: is more than 100 percent" },
	{ "rw=randread\nrwmixread=70", "--rw=randread", "--mix" },
	{ "rw=rw\nrwmixread=70", "--rw=rw --apart --mix=70" },
	{ "readwrite=readwrite", "--rw=rw --apart --mix=50" },
	{ "rw=rw\nbsrange=4k-8k",
	  "j:4: bsrange=4k-8k: in a job with sequential reads and writes, blkgen needs one size "
	  "for all I/Os" },
	{ "rw=rw\nzonemode=strided\nzonesize=1m\nsize=1g",
	  "j:4: zonemode=strided: blkgen supports zones only for jobs with sequential reads, "
	  "writes or trims, not for random or mixed ones" },
	{ "rw=trimwrite",
	  "is none of read, write, trim, rw, randread, randwrite, randtrim, randrw" },
	{ "rw=read:8k",
	  "blkgen supports nothing after a colon: it does not repeat offsets, and skips offsets "
	  "only with zonemode=strided" },

	{ "bs=512", "--bs=512" },
	{ "bs=4k", "--bs=4096" },
	{ "bs=4K", "--bs=4096" },
	{ "bs=4kb", "--bs=4096" },
	{ "bs=4kib", "--bs=4000" },
	{ "kb_base=1000\nbs=4kib", "--bs=4096" },
	{ "bs=8k\nkb_base=1000", "--bs=8000" },
	{ "bs=1MiB", "--bs=1000000" },
	{ "bs=1m", "--bs=1048576" },
	{ "bs=0x1000", "--bs=4096" },
	{ "blocksize=8k", "--bs=8192" },
	{ "bs=8k,64k", "--bs=8192" },
	{ "bs=8k,64k\nrw=write", "--bs=65536" },
	{ "bs=8k,64k\nrw=trim", "--bs=65536" },
	{ "bs=,64k", "--bs=4096" },
	{ "bs=8k,", "--bs=8192" },
	{ "bs=8k,\nrw=write", "--bs=4096" },
	{ "bs=64k,64k\nrw=randrw", "--bs=65536" },
	{ "bs=8k,64k\nrw=randrw",
	  "j:3: bs=8k,64k: blkgen needs the same value for the reads, writes and trims of a job" },
	{ "bs=4.5k", "j:3: bs=4.5k: is not a whole number such as 4096, 4k or 1m" },
	{ "bs=4x", "is not a whole number such as 4096, 4k or 1m" },
	{ "bs=-4k", "is not a whole number such as 4096, 4k or 1m" },
	{ "bs=99999999999999999999", "j:3: bs=99999999999999999999: is too large" },
	{ "bs=18014398509481984k", "is too large" },
	{ "bs=", "--bs=4096" },
	{ "bs", "j:3: bs: needs a value" },
	{ "bsrange=4k-16k", "--bs=4096-16384" },
	{ "blocksize_range=16k-4k", "--bs=4096-16384" },
	{ "bsrange=4k-10k",
	  "j:3: bsrange=4k-10k: the larger size must be a multiple of the smaller one" },
	{ "rw=randread\nsize=1g\nbsrange=8k-64k\nba=4k",
	  "j:6: ba=4k: must be at least the smallest size of bsrange: otherwise blkgen's sizes "
	  "would grow in steps of it" },
	{ "rw=randread\nsize=1g\nbsrange=8k-64k\nba=16k", "--bs=8192-65536 --align=16384" },
	{ "bs=1m\nbssplit=4k/60:64k/40", "--bssplit=4096/60:65536/40", "--bs=" },
	{ "bsrange=4k-8k\nbssplit=4k/60:64k/40", "--bssplit=4096/60:65536/40" },
	{ "bssplit=4k:8k", "--bssplit=4096:8192" },
	{ "bssplit=4k/50:8k:16k", "--bssplit=4096/50:8192:16384" },
	{ "bssplit=4k/50:8k/:16k/", "--bssplit=4096/50:8192:16384" },
	{ "bssplit=4k/60:8k/50",
	  "j:3: bssplit=4k/60:8k/50: the percentages add up to 110, not to 100" },
	{ "bssplit=4k/60:8k/30", "the percentages add up to 90, not to 100" },
	{ "rw=randread\nbssplit=4k/60:64k/40\nsize=1m", "--bssplit=4096/60:65536/40 --align=4096" },
	{ "rw=randread\nbssplit=4k/60:64k/40\nsize=1m", "--dist=uniform" },
	{ "rw=randread\nbssplit=4k/60:64k/40\nsize=1m",
	  "note j:4: bssplit=4k/60:64k/40: fio shortens I/Os to the blocks that its random map has "
	  "left, and blkgen does not" },
	{ "rw=randread\nbs=1m\nblockalign=4k", "--bs=1048576 --align=4096" },
	{ "rw=read\nbs=1m\nba=4k", "--bs=1048576", "--align" },

	{ "size=1g", "--size=1073741824" },
	{ "size=100%", "--pass=1", "--size" },
	{ "size=50%", "j:3: size=50%: must be in bytes, not in per cent of the device" },
	{ "offset=1m", "--offset=1048576" },
	{ "offset=0", "--pass=1", "--offset" },
	{ "io_size=2m\nsize=1m", "--size=1048576 --time=0 --bytes=2097152", "--pass" },
	{ "io_limit=2m", "--time=0 --bytes=2097152" },
	{ "number_ios=1k", "--time=0 --ios=1024 --pass=1" },
	{ "rw=randread\nnumjobs=4\nnumber_ios=100", "--ios=400 --pass=4 --jobs=4" },
	{ "rw=randread\nnumjobs=4\nio_size=1m", "--bytes=4194304 --jobs=4" },
	{ "loops=3", "--pass=3" },
	{ "loops=3\nrw=randread\nnumjobs=2", "--pass=6" },
	{ "loops=3\nnumber_ios=10", "--ios=30 --pass=3" },
	{ "loops=0", "j:3: loops=0: must be at least 1" },
	{ "runtime=10", "--time=10000000000ns --pass=1" },
	{ "timeout=10", "--time=10000000000ns --pass=1" },
	{ "runtime=500ms", "--time=500000000ns" },
	{ "runtime=2m\ntime_based", "--time=120000000000ns --jobs", "--pass" },
	{ "runtime=2m\ntime_based=1\nnumber_ios=5\nio_size=1m", "--time=120000000000ns --jobs",
	  "--ios" },
	{ "runtime=2m\ntime_based=0", "--pass=1" },
	{ "time_based", "j:3: time_based: needs runtime" },
	{ "runtime=10min",
	  "j:3: runtime=10min: is not a time that fio knows: N, Nus, Nms, Ns, Nm, Nh or Nd" },
	{ "runtime=5\nramp_time=2\ntime_based", "--time=5000000000ns --ramp=2000000000ns" },
	{ "runtime=5\nramp_time=0", "--pass=1", "--ramp" },
	{ "io_size=1m\nramp_time=2",
	  "j:4: ramp_time=2: fio counts the I/O of this time towards the end of the job, and "
	  "blkgen does not; add time_based" },
	{ "ramp_time=2\nio_size=1m\ntime_based\nruntime=3", "--ramp=2000000000ns" },

	{ "rw=randread\nnorandommap\nsize=1m", "--bytes=1048576 --jobs=1 --dist=uniform",
	  "--pass" },
	{ "rw=randread\nnorandommap", "--bytes=100%" },
	{ "rw=randread\nnorandommap\nnumjobs=3\nloops=2", "--bytes=600%" },
	{ "rw=randread\nnorandommap=0", "--pass=1", "--dist" },
	{ "rw=read\nnorandommap", "--pass=1", "--dist" },
	{ "rw=randread\nrandom_distribution=random", "--pass=1", "--dist" },
	{ "rw=randread\nsize=1m\nrandom_distribution=zipf", "--dist=zipf:1.1" },
	{ "rw=randread\nsize=1m\nrandom_distribution=zipf:0.9", "--dist=zipf:0.9" },
	{ "rw=randread\nsize=1m\nrandom_distribution=pareto", "--dist=pareto:0.2" },
	{ "rw=randread\nsize=1m\nrandom_distribution=zipf:1.2/0.3",
	  "blkgen supports one number after the colon, and no centre of the distribution" },
	{ "rw=randread\nrandom_distribution=sequence",
	  "blkgen supports random, zipf, pareto, normal and zoned" },
	{ "rw=randread\nsize=1m\nrandom_distribution=normal:20", "--dist=normal:10.14" },
	{ "rw=randread\nsize=1m\nrandom_distribution=normal", "--dist=normal:8.333" },
	{ "rw=randread\nsize=1m\nrandom_distribution=normal:20",
	  "blkgen has the frequent blocks in the middle of the range, and fio all over the range" },
	{ "rw=randread\nsize=1m\nnorandommap\nrandom_distribution=zoned:50/5:30/15:20/",
	  "--dist=zones:50/5:30/15:20/ --", "note" },
	{ "rw=randread\nsize=1m\nrandom_distribution=zoned:50/5:50/95,20/80:80/20",
	  "--dist=zones:50/5:50/95" },
	{ "rw=randread\nsize=1m\nrandom_distribution=zoned:50/5:50/95", "as with norandommap" },
	{ "rw=randread\nsize=1m\nrandom_distribution=zoned_abs:50/5g:50/95g",
	  "blkgen supports random, zipf, pareto, normal and zoned" },
	{ "rw=randread\nsize=1m\nrandom_distribution=zoned",
	  "j:5: random_distribution=zoned: is not a list such as zoned:90/10:10/90" },

	{ "zonesize=1m\nzonemode=strided\nsize=8m",
	  "--bytes=8388608 --jobs=1 --streams=1 --zone-size=1048576 --zone-skip=0", "--size" },
	{ "zonemode=strided\nzonesize=1m\nzonerange=4m\nzoneskip=8m\nsize=8m",
	  "--streams=1 --zone-size=1048576 --zone-skip=11534336" },
	{ "zonemode=strided\nzonesize=4m\nzonerange=1m",
	  "j:4: zonesize=4m: must be at most zonerange, because blkgen does not repeat a zone" },
	{ "zonemode=strided", "j:3: zonemode=strided: needs zonesize" },
	{ "zonemode=none\nzonesize=4m", "j:4: zonesize=4m: needs zonemode=strided, as in fio" },
	{ "zonesize=4m", "j:3: zonesize=4m: needs zonemode=strided, as in fio" },
	{ "zonemode=zbd", "j:3: zonemode=zbd: blkgen supports only none and strided" },
	{ "zonesize=1m\nrw=randread\nzonemode=strided",
	  "j:5: zonemode=strided: blkgen supports zones only for jobs with sequential reads, "
	  "writes or trims, not for random or mixed ones" },

	{ "rate=1m", "--rate=1048576B/s --arrival=fixed" },
	{ "rate_iops=1k", "--rate=1024 --arrival=fixed" },
	{ "rw=randread\nrate_iops=100\nnumjobs=5\nrate_process=poisson",
	  "--rate=500 --arrival=poisson" },
	{ "rate=1m,2m\nrw=write", "--rate=2097152B/s" },
	{ "rate=1m,\nrw=read", "--rate=1048576B/s" },
	{ "rw=randrw\nrate_iops=100",
	  "j:4: rate_iops=100: fio gives reads and writes a rate each, and blkgen does not" },
	{ "rate=1m\nrate_iops=5",
	  "j:4: rate_iops=5: cannot be used together with rate, as in fio" },
	{ "thinktime=100", "--think=100000ns" },
	{ "thinktime=2ms", "--think=2000000ns" },
	{ "thinktime=2ms\ndirect=1\nioengine=libaio\niodepth=2",
	  "before this pause fio waits for all I/Os in flight, and blkgen for one; set iodepth=1" },
	{ "thinktime=2ms\nrate_iops=5", "blkgen supports thinktime or a rate, not both" },
	{ "thinktime_blocks=4", "j:3: thinktime_blocks=4: blkgen pauses after each I/O" },

	{ "rw=write\nfsync=8", "--flush=8" },
	{ "rw=write\nfdatasync=8", "--flush=8" },
	{ "rw=write\nfdatasync=8\nfsync=0", "--flush=8" },
	{ "rw=read\nfsync=8", "--rw=read", "--flush" },
	{ "rw=write\nfdatasync=8\nfsync=4", "blkgen supports fdatasync or fsync, not both" },
	{ "rw=write\nsync=1\ndirect=1", "--fua --flush=1" },
	{ "rw=write\nsync=none\ndirect=1", "--rw=write", "--fua" },
	{ "rw=write\nsync=dsync", "blkgen supports sync only with direct=1" },
	{ "rw=write\nsync=1\ndirect=1\nfsync=5",
	  "j:4: sync=1: blkgen supports sync or fsync and fdatasync, not both" },
	{ "cpus_allowed=0-2,5", "--cpus=0-2,5" },
	{ "cpumask=0x15", "--cpus=0,2,4" },
	{ "cpus_allowed=a", "is not a list of CPUs such as 0-3,8" },
	{ "randseed=7", "--seed=7" },
	{ "randrepeat=1", "--seed=1" },
	{ "randrepeat=2", "j:3: randrepeat=2: must be 0 or 1" },
	{ "rw=write\nverify=crc32c\nrandrepeat=0", "--seed=1 --verify" },
	{ "rw=read\nverify=sha256",
	  "note j:4: verify=sha256: blkgen has its own tags and checksums: data that fio has "
	  "written does not match" },
	{ "rw=read\nverify=0", "--rw=read", "--verify" },
	{ "rw=randrw\nverify=md5",
	  "j:4: verify=md5: blkgen verifies jobs that only read or only write, not randrw" },
	{ "rw=write\nverify=md5\ndo_verify=0",
	  "j:5: do_verify=0: with verify, blkgen always reads back what it has written" },
	{ "rw=write\nverify=md5\ntime_based\nruntime=5",
	  "with verify, fio then writes and checks in turn, and blkgen does not" },
	{ "rw=write\nverify=pattern",
	  "j:4: verify=pattern: blkgen checks its own tags and checksums, not a pattern" },
	{ "continue_on_error=all", "--errors=continue" },
	{ "continue_on_error=read", "--errors=continue" },
	{ "continue_on_error=write",
	  "j:3: continue_on_error=write: blkgen continues after all errors or after none" },

	{ "group_reporting\nthread\ngtod_reduce=1\nmem=mmaphuge\npercentile_list=50:99",
	  "--rw=read" },
	{ "write_bw_log=x",
	  "note j:3: write_bw_log=x: blkgen writes none of fio's log files; see --csv and --log" },
	{ "nrfiles=1", "--rw=read" },
	{ "nrfiles=4",
	  "j:3: nrfiles=4: for files, and blkgen does I/O on devices; name all devices "
	  "in filename" },
	{ "refill_buffers", "--rw=read" },
	{ "refill_buffers=0\nrw=write", "--rw=write" },
	{ "refill_buffers\nrw=write",
	  "j:3: refill_buffers: blkgen writes random data that it makes once" },
	{ "invalidate=1", "--rw=read" },
	{ "directory=/tmp",
	  "j:3: directory=/tmp: for files, and blkgen does I/O on devices; give "
	  "filename=/dev/..." },
	{ "nosuchkey=7", "j:3: nosuchkey=7: blkgen does not know nosuchkey" },
	{ "nosuchkey", "j:3: nosuchkey: blkgen does not know nosuchkey" },
	{ "include other.fio", "j:3: include other.fio: blkgen does not include files" },
	{ "size=(4*1024)", "j:3: size=(4*1024): blkgen does no arithmetic; give a number" },
	{ "numjobs=0", "j:3: numjobs=0: must be from 1 to 4096" },
	{ "filename=x",
	  "j:3: filename=x: the job has no device, and blkgen makes no files; give "
	  "filename=/dev/..., or DEV on the command line" },
	{ "filename=/dev/a:x", "j:3: filename=/dev/a:x: x is not a device; give /dev/..." },
	{ "filename=/dev/a:/dev/b",
	  "j:1: [j]: cannot be divided evenly among the 2 devices of the job" },
	{ "filename=/dev/a:/dev/b\niodepth=8\nioengine=libaio\ndirect=1\nsize=3g",
	  "/dev/a /dev/b: --rw=read --engine=bio --qd=4 --batch=1 --bs=4096 --size=1610612736" },
	{ "filename=/dev/a:/dev/b\niodepth=3\nioengine=libaio\ndirect=1",
	  "j:4: iodepth=3: cannot be divided evenly among the 2 devices of the job" },
	{ "filename=/dev/a\\:b", " /dev/a:b: --rw" },
};

static bool ends_with(const char *s, const char *end)
{
	size_t a = strlen(s), b = strlen(end);

	return a >= b && !strcmp(s + a - b, end);
}

static void try(const struct sample *s)
{
	char file[1000], first[100], lacks[100];
	const char *got;
	bool good;

	snprintf(file, sizeof(file), "[j]\nfilename=/dev/d\n%s\n", s->lines);
	got = all_text(file);
	good = !strncmp(got, "refused", 7) ? ends_with(got, s->has) : strstr(got, s->has) != NULL;
	if (s->lacks) {
		snprintf(lacks, sizeof(lacks), " %s", s->lacks);
		good = good && !strstr(got, lacks);
	}
	snprintf(first, sizeof(first), "%s", s->lines);
	for (char *p = first; *p; p++)
		*p = *p == '\n' ? ' ' : *p;
	if (!check(good, "%s", *first ? first : "fio's defaults"))
		printf("# got:  %s\n# want: %s, without %s\n", got, s->has,
		       s->lacks ? s->lacks : "anything");
}

#define DEFAULTS "--rw=read --engine=buffered --qd=1 --batch=1 --bs=4096"

static void sections(void)
{
	whole("comments, blanks and carriage returns",
	      "; a\n# b\r\n\n  [j]  ; c\r\n\tfilename = /dev/d # e\r\n",
	      "[j] g0 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=1 --errors=stop\n");
	whole("global holds for what follows, a job for itself",
	      "[global]\nfilename=/dev/d\nruntime=1\n[a]\nbs=8k\n[b]\n[global]\nruntime=2\n[c]\n",
	      "[a] g0 /dev/d: --rw=read --engine=buffered --qd=1 --batch=1 --bs=8192 "
	      "--time=1000000000ns --pass=1 --jobs=1 --seed=1 --errors=stop\n"
	      "[b] g0 /dev/d: " DEFAULTS " --time=1000000000ns --pass=1 --jobs=1 --seed=2 "
	      "--errors=stop\n"
	      "[c] g0 /dev/d: " DEFAULTS " --time=2000000000ns --pass=1 --jobs=1 --seed=3 "
	      "--errors=stop\n");
	whole("stonewall begins a group; the first job needs none",
	      "[global]\nfilename=/dev/d\n[a]\nstonewall\n[b]\n[c]\nwait_for_previous\nname=d\n",
	      "[a] g0 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=1 --errors=stop\n"
	      "[b] g0 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=2 --errors=stop\n"
	      "[d] g1 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=3 --errors=stop\n");
	whole("a section's name is the device if there is no other",
	      "[/dev/sda]\n",
	      "[/dev/sda] g0 /dev/sda: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=1 "
	      "--errors=stop\n");
	whole("sequential clones are jobs, random ones are not",
	      "[global]\nfilename=/dev/d\nnumjobs=2\n[s]\noffset_increment=1m\nstonewall\n"
	      "[r]\nrw=randread\nstonewall\n[e]\n",
	      "[s.0] g0 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=1 --errors=stop\n"
	      "[s.1] g0 /dev/d: " DEFAULTS " --offset=1048576 --time=0 --pass=1 --jobs=1 --seed=2 "
	      "--errors=stop\n"
	      "[r] g1 /dev/d: --rw=randread --engine=buffered --qd=1 --batch=1 --bs=4096 --time=0 "
	      "--pass=2 --jobs=2 --seed=3 --errors=stop\n"
	      "[e.0] g1 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=5 --errors=stop\n"
	      "[e.1] g1 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=6 --errors=stop\n");
	whole("nothing before a section", "bs=4k\n[j]\n",
	      "refused: j:1: bs=4k: comes before the first [section]");
	whole("a section has two ends", "[j\n",
	      "refused: j:1: [j: a section must be written as [name]");
	whole("no job", "[global]\nbs=4k\n", "refused: j:3: the file has no job");
	whole("a job without a device", "\n[j]\nbs=4k\n",
	      "refused: j:2: [j]: the job has no device, and blkgen makes no files; give "
	      "filename=/dev/..., or DEV on the command line");
	ndevices = 1;
	whole("devices of the command line stand for files",
	      "[global]\ndirectory=/x\n[a]\nfilename=f\n[/dev/d]\nstonewall\n",
	      "[a] g0 nvme0n1: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=1 --errors=stop\n"
	      "[/dev/d] g1 /dev/d: " DEFAULTS " --time=0 --pass=1 --jobs=1 --seed=2 --errors=stop\n"
	      "note j:4: filename=f: the job runs on nvme0n1 instead of a file\n");
	whole("a device of the command line is refused if all jobs name theirs", "[/dev/d]\n",
	      "refused: j: all its jobs name their devices, and none is on nvme0n1");
	ndevices = 0;
	whole("what is global is refused where it stands",
	      "[global]\nnrfiles=2\nfilename=/dev/d\n[j]\n",
	      "refused: j:2: nrfiles=2: for files, and blkgen does I/O on devices; name all "
	      "devices in filename");
}

static void variables(void)
{
	char want[100], once[1000];

	setenv("JOBFILE_DEV", "/dev/d", 1);
	setenv("JOBFILE_KEY", "bs=64k", 1);
	unsetenv("JOBFILE_NONE");
	whole("variables of the environment",
	      "[j]\nfilename=${JOBFILE_DEV}${JOBFILE_NONE}\n${JOBFILE_KEY}\n",
	      "[j] g0 /dev/d: --rw=read --engine=buffered --qd=1 --batch=1 --bs=65536 --time=0 "
	      "--pass=1 --jobs=1 --seed=1 --errors=stop\n");
	snprintf(want, sizeof(want), "--bs=%ld ", sysconf(_SC_PAGESIZE));
	check(strstr(all_text("[j]\nfilename=/dev/d\nbs=$pagesize\n"), want), "$pagesize");

	check(ends_with(all_text("[j]\nfilename=/dev/d\nbs=$pagesize*2\n"),
			"blkgen does no arithmetic; give a number"),
	      "$pagesize*2");
	snprintf(once, sizeof(once), "%s", all_text("[j]\nfilename=/dev/d\nrandrepeat=0\n"));
	check(strcmp(once, all_text("[j]\nfilename=/dev/d\nrandrepeat=0\n")),
	      "randrepeat=0 is different each time");
}

/* Expect the man page to have each key of the table. */
static void documented(void)
{
	const char *tree = getenv("TREE");
	char path[500], *text, *keys = NULL, *line, *rest;
	size_t len = 0, n = 0, found = 0;
	FILE *f = open_memstream(&keys, &len);

	snprintf(path, sizeof(path), "%s/Documentation/man/blkgen-fio.5.rst", tree ? tree : ".");
	text = jobfile_read(path);
	if (!check(text != NULL, "the man page is there"))
		return;
	jobfile_print_keys(f);
	fclose(f);
	for (rest = keys; (line = strsep(&rest, "\n")) && *line; n++) {
		char want[100];

		snprintf(want, sizeof(want), "\n**%.*s**", (int)strcspn(line, ",:"), line);
		if (strstr(text, want))
			found++;
		else
			check(false, "the man page has %s", want + 1);
	}
	check(n > 100 && found == n, "the man page has all %zu keys", n);
	free(keys);
	free(text);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		try(&samples[i]);
	sections();
	variables();
	documented();
	return unit_end();
}
