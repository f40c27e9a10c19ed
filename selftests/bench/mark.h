/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The addresses of user space whose execution starts and ends a count. No program has code there:
 * selftests/bench/mark maps the page for its calls.
 */
#ifndef MARK_H
#define MARK_H

#define MARK_PAGE	0x13370000ull
#define MARK_START	(MARK_PAGE + 0)
#define MARK_STOP	(MARK_PAGE + 16)

#endif
