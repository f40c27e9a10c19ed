/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_KERNEL_BTF_H
#define BLKLAT_KERNEL_BTF_H

#include <bpf/btf.h>

/**
 * kernel_btf() - the types of the running kernel, read once
 * @error: -errno on failure, which is reported
 * Return: not to be freed; NULL on failure.
 */
struct btf *kernel_btf(int *error);

#endif
