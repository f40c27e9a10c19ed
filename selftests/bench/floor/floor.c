// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the floor under a load generator in the kernel: the least that random 4 KiB reads of a
 * block device cost, when nothing is counted or timed, and only their success is checked. It is
 * for benchmarks in a guest, on disks without data: null_blk and brd, and dm and md on these.
 *
 *	insmod floor.ko fd=9 polled=0 ios=100000 9</dev/nullb0
 *	cat /sys/module/floor/parameters/ns
 *	rmmod floor
 *
 * With planted=N each read runs a loop of N rounds more: selftests/bench/cost must find it.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/completion.h>
#include <linux/file.h>
#include <linux/jump_label.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

#define BS		4096U
#define DEPTH		16U	/* a power of two, at most BLK_MAX_REQUEST_COUNT */

static int fd = -1;
module_param(fd, int, 0444);
MODULE_PARM_DESC(fd, "open device of whoever loads the module");

static bool polled;
module_param(polled, bool, 0444);
MODULE_PARM_DESC(polled, "poll for completions");

static bool careful;
module_param(careful, bool, 0444);
MODULE_PARM_DESC(careful, "prepare bios by bio_reset()");

static uint ios = 100000;
module_param(ios, uint, 0444);
MODULE_PARM_DESC(ios, "reads");

static uint planted;
module_param(planted, uint, 0444);
MODULE_PARM_DESC(planted, "rounds of a loop that does nothing, in each read");

static ulong ns;
module_param(ns, ulong, 0444);
MODULE_PARM_DESC(ns, "result: time they took");

struct slot {
	struct bio bio;
	bool done;
	struct bio_vec vec;
};

struct loop {
	struct slot slot[DEPTH];
	struct block_device *bdev;
	u64 nr_blocks;
	u64 lcg;
	blk_status_t failed;
	struct completion over;
};

static struct loop *loop;

static void floor_end(struct bio *bio)
{
	struct slot *s = container_of(bio, struct slot, bio);

	loop->failed |= bio->bi_status;
	WRITE_ONCE(s->done, true);
}

/*
 * Prepare @bio for its next use. Without "careful" do the least that is needed, which is right only
 * on disks that neither split a bio nor store anything in it, and where bio_endio() has given back
 * the cgroup.
 */
static void rearm(struct loop *l, struct bio *bio, blk_opf_t opf)
{
	if (careful) {
		bio_reset(bio, l->bdev, opf);
		bio->bi_end_io = floor_end;
	} else {
		/* bi_next is set if the bio was merged with the next bio. */
		bio->bi_next = NULL;
		bio->bi_opf = opf;
		bio->bi_flags = 0;
		bio->bi_status = BLK_STS_OK;
		bio_associate_blkg(bio);
	}
}

/* A key, so that the check costs one instruction that does nothing. */
static DEFINE_STATIC_KEY_FALSE(is_planted);

static noinline void floor_planted(void)
{
	uint i;

	for (i = 0; i < planted; i++)
		barrier();
}

static void submit(struct loop *l, struct slot *s, blk_opf_t opf)
{
	struct bio *bio = &s->bio;
	u64 block;

	rearm(l, bio, opf);
	l->lcg = l->lcg * 6364136223846793005ULL + 1442695040888963407ULL;
	block = ((l->lcg >> 32) * l->nr_blocks) >> 32;
	/* Set the whole iterator: the names of its other members differ between kernels. */
	bio->bi_iter = (struct bvec_iter){
		.bi_sector = block * (BS >> SECTOR_SHIFT),
		.bi_size = BS,
	};
	bio->bi_io_vec = &s->vec;
	bio->bi_vcnt = 1;
	bio->bi_max_vecs = 1;
	s->done = false;
	if (static_branch_unlikely(&is_planted))
		floor_planted();
	submit_bio(bio);
}

static void reap(struct slot *s)
{
	while (!READ_ONCE(s->done)) {
		DEFINE_IO_COMP_BATCH(iob);

		if (polled) {
			bio_poll(&s->bio, &iob, 0);
			if (iob.complete)
				iob.complete(&iob);
		}
		cond_resched();
	}
}

static __always_inline void run(struct loop *l, blk_opf_t opf)
{
	struct blk_plug plug;
	u32 left, i;

	for (left = ios; left; left -= min(left, DEPTH)) {
		blk_start_plug(&plug);
		plug.nr_ios = DEPTH;
		for (i = 0; i < min(left, DEPTH); i++)
			submit(l, &l->slot[i], opf);
		blk_finish_plug(&plug);
		for (i = 0; i < min(left, DEPTH); i++)
			reap(&l->slot[i]);
	}
}

static int thread(void *data)
{
	struct loop *l = data;
	u64 t0 = ktime_get_ns();

	run(l, polled ? REQ_OP_READ | REQ_POLLED | REQ_NOWAIT : REQ_OP_READ);
	ns = ktime_get_ns() - t0;
	/* The thread runs no code of this module after this call. */
	kthread_complete_and_exit(&l->over, 0);
}

static int take(struct loop *l, struct file *file)
{
	struct inode *inode = file->f_mapping->host;
	const char *driver;

	if (!S_ISBLK(inode->i_mode))
		return -ENOTBLK;
	l->bdev = I_BDEV(inode);
	driver = module_name(l->bdev->bd_disk->fops->owner);
	if (strcmp(driver, "null_blk") && strcmp(driver, "brd") &&
	    strcmp(driver, "dm_mod") && strcmp(driver, "md_mod"))
		return -EPERM;
	l->nr_blocks = bdev_nr_bytes(l->bdev) / BS;
	if (!l->nr_blocks || l->nr_blocks > U32_MAX)
		return -EINVAL;

	return 0;
}

static int measure(struct loop *l, struct page *page)
{
	struct task_struct *task;
	unsigned int i;

	for (i = 0; i < DEPTH; i++) {
		l->slot[i].vec = (struct bio_vec){ .bv_page = page, .bv_len = BS };
		bio_init(&l->slot[i].bio, l->bdev, &l->slot[i].vec, 1, REQ_OP_READ);
		l->slot[i].bio.bi_end_io = floor_end;
	}
	init_completion(&l->over);
	task = kthread_run(thread, l, "floor");
	if (IS_ERR(task))
		return PTR_ERR(task);
	wait_for_completion(&l->over);
	for (i = 0; i < DEPTH; i++)
		bio_uninit(&l->slot[i].bio);

	return blk_status_to_errno(l->failed);
}

static int __init floor_init(void)
{
	struct file *file = fget(fd);
	struct page *page = alloc_page(GFP_KERNEL);
	int err = -ENOMEM;

	loop = kzalloc(sizeof(*loop), GFP_KERNEL);
	if (planted)
		static_branch_enable(&is_planted);
	if (file && page && loop) {
		err = take(loop, file);
		if (!err)
			err = measure(loop, page);
	}
	kfree(loop);
	if (page)
		__free_page(page);
	if (file)
		fput(file);

	return err;
}

static void __exit floor_exit(void)
{
}

module_init(floor_init);
module_exit(floor_exit);
MODULE_DESCRIPTION("The least that reads of a block device cost, for benchmarks");
MODULE_LICENSE("GPL");
