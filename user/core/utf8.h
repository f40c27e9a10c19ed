/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_UTF8_H
#define BLKLAT_CORE_UTF8_H

#include <stddef.h>

/*
 * Bytes of the character that @s begins with; 0 when that is not UTF-8. Strings of
 * devices (model, serial) and command lines may hold any bytes.
 */
size_t utf8_len(const char *s);

#endif
