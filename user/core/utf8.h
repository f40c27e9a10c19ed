/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_UTF8_H
#define BLKLAT_CORE_UTF8_H

#include <stddef.h>

/*
 * Return the length in bytes of the first character of @s, or 0 when it is not valid UTF-8. Check
 * strings that may hold any bytes: those of devices (model, serial) and command lines.
 */
size_t utf8_len(const char *s);

#endif
