/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_HTML_H
#define BLKLAT_REPORT_HTML_H

#include "report/report.h"

/* @text as a part of HTML: < > & and quotes are escaped. */
void html_text(const char *text, FILE *f);

/**
 * report_html() - a table as HTML
 * @caption: what it is, for those who cannot see it; may be NULL
 * Numbers have class "n", rows in bold class "head", rows below others "d1", "d2"...
 * A COL_SWATCH column colours the bar and the first cell of its row.
 */
void report_html(const struct report_table *t, const char *caption, FILE *f);

#endif
