/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_MIN_BTF_H
#define BLKLAT_MIN_BTF_H

#include <stddef.h>
#include <bpf/libbpf.h>

#define MIN_BTF_PATH 32

/**
 * min_btf_open() - make an empty file, which lives in memory, for a small BTF
 * @buf: gets the path of the file
 * @path: set to @buf, for btf_custom_path of bpf_object_open_opts; set to NULL if the system allows
 *	no such file or /proc is not mounted: libbpf then reads all types of the kernel
 *
 * Return: the fd of the file, to be closed when the programs are loaded; -1 if there is none, which
 *	is no error.
 */
int min_btf_open(char buf[MIN_BTF_PATH], const char **path);

/**
 * min_btf_write() - write the kernel's types with the names that the programs use
 * @fd: from min_btf_open(); nothing is done if it is -1
 * @obj: the programs, which are open and not loaded
 * @modules: where to look for types that the kernel itself does not have; modules that are not
 *	loaded have none
 * @n: number of @modules
 *
 * libbpf looks for types only in this file then, so a program must not use types of any other
 * module.
 *
 * Return: 0 or -errno, reported.
 */
int min_btf_write(int fd, const struct bpf_object *obj, const char *const *modules, size_t n);

#endif
