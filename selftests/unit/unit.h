/* SPDX-License-Identifier: GPL-2.0 */
/* Print KTAP for unit tests of user/: call check() per test, and return unit_end() from main(). */
#ifndef SELFTESTS_UNIT_H
#define SELFTESTS_UNIT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int unit_nr, unit_failed;

static inline bool __attribute__((format(printf, 2, 3)))
check(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++unit_nr);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	unit_failed += !good;
	return good;
}

static inline int unit_end(void)
{
	printf("1..%d\n", unit_nr);
	return unit_failed != 0;
}

#endif
