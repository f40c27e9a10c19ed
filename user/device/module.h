/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_MODULE_H
#define BLKLAT_MODULE_H

#include <stddef.h>

/**
 * load_module() - load a kernel module with modprobe
 * @name: name of the module
 * @param: one parameter, "nr_devices=0", or NULL
 * @why: set to the first line that modprobe printed
 * @len: bytes of @why
 *
 * BLKGEN_KO in the environment names a blkgen.ko that is built but not installed: insmod loads it
 * instead of the module blkgen.
 *
 * Return: 0 (also if modprobe finds the module loaded; insmod does not) or -errno, not reported.
 */
int load_module(const char *name, const char *param, char *why, size_t len);

/**
 * unload_module() - unload a kernel module with modprobe; it tries for a second
 * @name: name of the module
 *
 * Return: 0 (also if it is not loaded), -EBUSY if it stays loaded, for example because others use
 * it, or another -errno if modprobe cannot be run; not reported.
 */
int unload_module(const char *name);

#endif
