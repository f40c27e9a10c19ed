/* SPDX-License-Identifier: GPL-2.0 */
/* Run one load, after which others may follow. */
#ifndef BLKGEN_LOAD_RUN_H
#define BLKGEN_LOAD_RUN_H

struct load;
struct load_target;

/**
 * load_features() - read what the module can do
 * @l: its feat is set
 *
 * Return: 0 or -errno, reported.
 */
int load_features(struct load *l);

/**
 * load_check_device() - check that no one uses the device, and that it can take this load
 * @t: has its device and its options
 *
 * Once it has found that no one uses the device, it does not look again: device_claim() does.
 *
 * Return: 0, -EBUSY if the device is in use, or as load_check_range(); reported.
 */
int load_check_device(const struct load_target *t);

/**
 * load_prepare() - claim the devices of all targets, and set up their sessions
 * @l: its targets have their devices and options; call load_release() also after a failure
 *
 * A device that an earlier load has claimed stays claimed, and only its page cache is dropped.
 *
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_prepare(struct load *l);

/**
 * load_execute() - start all targets, show progress, and wait until all are done
 * @l: set up by load_prepare()
 *
 * A signal ends the targets and is no error, but a second one is.
 *
 * Return: 0 or -errno; reported, but see load_intervals_begin().
 */
int load_execute(struct load *l);

#endif
