/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACE_MISSING_H
#define TRACE_MISSING_H

#include <json-c/json.h>
#include <stdio.h>
#include "blklat/trace/trace.h"

/* Print a line for each thing that the trace lacks because of hooks that are missing. */
void missing_print(const struct trace *t, FILE *f);

/* Return the same as a JSON array. */
json_object *missing_json(const struct trace *t);

#endif
