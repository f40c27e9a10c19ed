/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SYMBOLS_BPF_H
#define BLKLAT_SYMBOLS_BPF_H

#include "blklat/collect/symbols.h"

/**
 * symbols_ask() - have a small program in the kernel look up functions
 * @v: @n of them, as in symbols_find()
 * Return: 0 or -errno, not reported: /proc/kallsyms has them too.
 */
int symbols_ask(struct symbol *v, size_t n);

/* The same for names of functions, as in symbols_name(). */
int symbols_ask_names(struct symbol_name *v, size_t n);

#endif
