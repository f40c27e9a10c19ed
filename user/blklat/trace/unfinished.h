/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_UNFINISHED_H
#define BLKLAT_TRACE_UNFINISHED_H

#include <stdbool.h>
#include <stdio.h>
#include <json-c/json.h>
#include "blklat/trace/stack.h"

/**
 * unfinished_text() - describe the oldest I/O of a device that is in flight
 * @u: from session_unfinished()
 * @d: the device
 * @now: CLOCK_MONOTONIC in ns
 * @buf: gets the text, cut if it is too long
 * @len: bytes in @buf
 *
 * The text reads like this: "4 in flight, the oldest, a read of 4KiB, for 1.30s in device".
 * Return: @buf; it is "" if nothing is in flight.
 */
const char *unfinished_text(const struct unfinished *u, const struct device *d,
			    unsigned long long now, char *buf, size_t len);

/**
 * unfinished_print() - print a line for each device that has I/O in flight
 * @s: the devices
 * @v: from session_unfinished(), by device of @s
 * @now: CLOCK_MONOTONIC in ns
 * @f: where to print; flushed
 *
 * Return: false if nothing is in flight, so that nothing was printed.
 */
bool unfinished_print(const struct trace_stack *s, const struct unfinished *v,
		      unsigned long long now, FILE *f);

/**
 * unfinished_json() - put what unfinished_text() tells into JSON
 * @u: from session_unfinished()
 * @d: the device
 * @now: CLOCK_MONOTONIC in ns
 *
 * Return: the JSON object "unfinished", which the caller frees; NULL if nothing is in flight.
 */
json_object *unfinished_json(const struct unfinished *u, const struct device *d,
			     unsigned long long now);

#endif
