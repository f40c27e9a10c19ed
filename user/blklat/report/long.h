/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_LONG_H
#define REPORT_LONG_H

#include "blklat/report/report.h"
#include "output/table.h"

/*
 * Make a table of all stages of all devices, with a row for the whole run and a row for each
 * sample.
 */
struct report_table *report_long(const struct report_set *set);

#endif
