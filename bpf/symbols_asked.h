/* SPDX-License-Identifier: GPL-2.0 */
/* Define the questions about the kernel's symbols that user space asks symbols.bpf.c. */
#ifndef BLKLAT_BPF_SYMBOLS_H
#define BLKLAT_BPF_SYMBOLS_H

#include <linux/types.h>

#define SYMBOLS_AT_ONCE 64
#define SYMBOL_TEXT_LEN 128

/**
 * struct symbol_asked - one question
 * @text: for find_symbols the symbol, "function" or "module:function", filled up with 0;
 *	name_symbols sets it to "function" or "function [module]", or to the address if there is
 *	no symbol
 * @addr: for name_symbols the address; find_symbols sets it, or leaves it as it is if there is no
 *	symbol
 */
struct symbol_asked {
	char text[SYMBOL_TEXT_LEN];
	__u64 addr;
};

#endif /* BLKLAT_BPF_SYMBOLS_H */
