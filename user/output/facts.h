/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_FACTS_H
#define OUTPUT_FACTS_H

#include "device/device.h"
#include "output/json.h"

/* Return a device's facts as a JSON object ("facts"). Unknown facts are left out. */
json_object *report_facts(const struct device *d);

/**
 * report_facts_load() - read what report_facts() made
 * @o: the object; NULL if there is none
 * @d: zeroed; set as far as the facts are known. "name" is no fact.
 */
void report_facts_load(json_object *o, struct device *d);

/*
 * Print the same facts in one line for human readers:
 * nvme0n1: QEMU NVMe Ctrl, firmware 8.0, 4GiB, LBA 512; nvme pcie, 2 queues of 1023, scheduler none
 */
void report_facts_print(const struct device *d, FILE *f);

/* Write the same line into @buf, without its end. */
void report_facts_text(const struct device *d, char *buf, size_t len);

#endif
