/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_KERNEL_BTF_H
#define BLKLAT_KERNEL_BTF_H

#include <bpf/btf.h>

/**
 * kernel_btf() - get the types of the running kernel; they are read only once
 * @error: set to -errno on failure, which is reported
 *
 * Return: the types, which the caller must not free; NULL on failure.
 */
struct btf *kernel_btf(int *error);

/**
 * libbpf_follow_log() - let libbpf print its messages only with --verbose, and none for debugging
 */
void libbpf_follow_log(void);

#endif
