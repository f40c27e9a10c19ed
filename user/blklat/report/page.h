/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "blklat/report/report.h"

/**
 * report_page() - write one HTML page with all results, which needs no other file
 * @set: the results
 * @path: the page; "-" is stdout
 *
 * Signals that end this process wait until the temporary files of the plots are removed.
 *
 * Return: 0 or -errno, reported.
 */
int report_page(const struct report_set *set, const char *path);

#endif
