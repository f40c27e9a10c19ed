/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_MODULE_H
#define BLKLAT_MODULE_H

#include <stddef.h>

/**
 * load_module() - load a kernel module with modprobe
 * @param: one parameter, "nr_devices=0", or NULL
 * @why: the first line modprobe said, of @len bytes
 *
 * BLKGEN_KO in the environment names a blkgen.ko that is built and not
 * installed; insmod takes it.
 *
 * Return: 0 (also when it is loaded already) or -errno, not reported.
 */
int load_module(const char *name, const char *param, char *why, size_t len);

#endif
