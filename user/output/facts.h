/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_FACTS_H
#define OUTPUT_FACTS_H

#include "device/device.h"
#include "output/json.h"

/**
 * report_facts() - make the JSON object "facts" of a device
 * @d: the device; its unknown facts are left out
 *
 * Return: the object, which the caller owns.
 */
json_object *report_facts(const struct device *d);

/**
 * report_facts_load() - read what report_facts() made
 * @o: the object; NULL if there is none
 * @d: zeroed; set as far as the facts are known. "name" is no fact.
 */
void report_facts_load(json_object *o, struct device *d);

/**
 * report_facts_print() - print the facts of a device in one line for human readers
 * @d: the device
 * @f: where to print; the line is broken if it is too long for a terminal
 *
 * For example:
 * nvme0n1: QEMU NVMe Ctrl, firmware 8.0, 4GiB, LBA 512; nvme pcie, 2 queues of 1023, scheduler none
 */
void report_facts_print(const struct device *d, FILE *f);

/**
 * report_facts_text() - write the line of report_facts_print() into a buffer
 * @d: the device
 * @buf: gets the line without its line end, cut off if it is too long; "" without memory
 * @len: bytes in @buf, at least 1
 */
void report_facts_text(const struct device *d, char *buf, size_t len);

#endif
