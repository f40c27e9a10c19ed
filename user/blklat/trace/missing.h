/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACE_MISSING_H
#define TRACE_MISSING_H

#include <json-c/json.h>
#include <stdio.h>
#include "blklat/trace/trace.h"

/**
 * missing_print() - print a line for each thing that the trace lacks because hooks are missing
 * @t: the trace, whose programs are attached
 * @f: where to print
 */
void missing_print(const struct trace *t, FILE *f);

/**
 * missing_json() - put what missing_print() prints into JSON
 * @t: the trace, whose programs are attached
 *
 * Return: an array of the JSON object "missing hook", which the caller frees.
 */
json_object *missing_json(const struct trace *t);

#endif
