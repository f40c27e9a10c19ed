/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SYMBOLS_BPF_H
#define BLKLAT_SYMBOLS_BPF_H

#include "blklat/collect/symbols.h"

/**
 * symbols_ask() - have a BPF program look up the addresses of functions
 * @v: the functions, as in symbols_find()
 * @n: number of functions
 *
 * Return: 0 or -errno, not reported, because the caller can read /proc/kallsyms instead.
 */
int symbols_ask(struct symbol *v, size_t n);

/**
 * symbols_ask_names() - have a BPF program look up the names of functions
 * @v: the functions, as in symbols_name()
 * @n: number of functions
 *
 * Return: 0 or -errno, not reported; @v is not changed then.
 */
int symbols_ask_names(struct symbol_name *v, size_t n);

/**
 * symbols_try_callback() - load a program that does nothing but call a function of its own
 * @log: set to what the verifier says if the kernel refuses the program
 * @len: bytes in @log
 *
 * Return: 0, or -errno, not reported.
 */
int symbols_try_callback(char *log, size_t len);

#endif
