/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_HTML_H
#define BLKLAT_REPORT_HTML_H

#include "output/table.h"

/**
 * html_text() - write a text as a part of an HTML page
 * @text: the text; < > & and quotes are escaped, control characters become blanks
 * @f: the page
 */
void html_text(const char *text, FILE *f);

/**
 * report_html() - write a table as HTML
 * @t: the table
 * @caption: description of the table, for readers who cannot see it; may be NULL
 * @f: the page
 *
 * Numbers have class "n", rows in bold class "head", rows below others "d1", "d2"... A COL_SWATCH
 * column colours the bar and the first cell of its row.
 */
void report_html(const struct report_table *t, const char *caption, FILE *f);

#endif
