/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_SCHEMA_H
#define BLKLAT_RESULT_SCHEMA_H

#include <json-c/json.h>

/**
 * result_check() - check that the members of a result file that blklat reads have their types
 * @doc: the document
 * @path: path of the file, for the message
 *
 * The code that reads the document needs no checks of its own: each member that is present has
 * its type, and each needed member is present. A member that is null counts as absent.
 *
 * Return: 0, or -EINVAL, reported in one line with the place of the first wrong member, such as
 * "devices[0].samples[3].total.buckets".
 */
int result_check(json_object *doc, const char *path);

#endif
