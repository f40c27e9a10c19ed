// SPDX-License-Identifier: GPL-2.0
/* Print the facts of a device as JSON and for human readers, and read them from JSON. */
#include "core/text.h"
#include "core/units.h"
#include "output/facts.h"

enum fact_type { TEXT, U64, UINT, FLAG, NODE };
enum fact_of { ANY, PARTITION, REQUESTS };

/*
 * Members of the JSON object "facts":
 * @path: string: Device node.
 * @disk: string, optional: Disk that the partition is on. Only for a partition.
 * @partition: integer, optional: Number of the partition. Only for a partition.
 * @start: integer, optional: Offset of the partition on its disk, in bytes. Only for a partition.
 * @driver: string, optional: Driver, such as ``nvme``, ``virtio_blk``, ``null_blk``, ``dm`` or
 *	``md``; for a SCSI disk the driver of its host, such as ``ahci`` or ``scsi_debug``.
 * @transport: string, optional: ``sata`` for a disk behind libata; for NVMe the transport, such as
 *	``pcie`` or ``tcp``.
 * @model: string, optional: Model name.
 * @firmware: string, optional: Firmware revision.
 * @serial: string, optional: Serial number.
 * @by_id: string, optional: Name in ``/dev/disk/by-id``.
 * @lba_format: string, optional: LBA format in use. Only for NVMe.
 * @size: integer: Size of the device, in bytes.
 * @logical_block_size: integer: Logical block size, in bytes: the smallest unit of an I/O.
 * @physical_block_size: integer: Physical block size, in bytes, as the kernel reports it.
 * @rotational: boolean: The kernel treats the device as a rotating disk.
 * @read_only: boolean: The kernel allows no writes to the device.
 * @bio_based: boolean: The driver takes bios and makes no requests.
 * @queues: integer, optional: Hardware queues. Not for a bio based driver.
 * @queue_depth: integer, optional: Requests per queue (``nr_requests``). Not for a bio based
 *	driver.
 * @scheduler: string, optional: I/O scheduler in use. Not for a bio based driver.
 * @max_io_bytes: integer: Size of the largest request, in bytes. Larger I/Os are split.
 * @write_cache: string, optional: Mode of the device's write cache, as the kernel sees it: ``write
 *	back`` or ``write through``.
 * @numa_node: integer, optional: NUMA node that the device is attached to.
 */

/*
 * The facts in JSON. Unknown texts and nodes are left out, and so are facts that a device of this
 * type does not have: only a partition has a start, and only a driver with requests has queues.
 */
static const struct fact {
	const char *key;
	enum fact_type type;
	enum fact_of of;
	size_t at;
	size_t len;
} facts[] = {
#define FACT(key, type, of, member) \
	{ key, type, of, offsetof(struct device, member), sizeof(((struct device *)0)->member) }
	FACT("path", TEXT, ANY, path),
	FACT("disk", TEXT, PARTITION, disk),
	FACT("partition", UINT, PARTITION, partno),
	FACT("start", U64, PARTITION, start),
	FACT("driver", TEXT, ANY, kind),
	FACT("transport", TEXT, ANY, transport),
	FACT("model", TEXT, ANY, model),
	FACT("firmware", TEXT, ANY, firmware),
	FACT("serial", TEXT, ANY, serial),
	FACT("by_id", TEXT, ANY, by_id),
	FACT("lba_format", TEXT, ANY, lba_format),
	FACT("size", U64, ANY, size),
	FACT("logical_block_size", UINT, ANY, logical_bs),
	FACT("physical_block_size", UINT, ANY, physical_bs),
	FACT("rotational", FLAG, ANY, rotational),
	FACT("read_only", FLAG, ANY, read_only),
	FACT("bio_based", FLAG, ANY, bio_based),
	FACT("queues", UINT, REQUESTS, queues),
	FACT("queue_depth", UINT, REQUESTS, depth),
	FACT("scheduler", TEXT, REQUESTS, scheduler),
	FACT("max_io_bytes", UINT, ANY, max_io),
	FACT("write_cache", TEXT, ANY, write_cache),
	FACT("numa_node", NODE, ANY, numa_node),
#undef FACT
};
#define NR_FACTS (sizeof(facts) / sizeof(*facts))

static void add_fact(json_object *o, const struct fact *f, const void *value)
{
	switch (f->type) {
	case TEXT:
		if (*(const char *)value)
			json_str(o, f->key, value);
		break;
	case U64:
		json_u64(o, f->key, *(const uint64_t *)value);
		break;
	case UINT:
		json_u64(o, f->key, *(const unsigned int *)value);
		break;
	case FLAG:
		json_flag(o, f->key, *(const bool *)value);
		break;
	case NODE:
		if (*(const int *)value >= 0)
			json_u64(o, f->key, *(const int *)value);
		break;
	}
}

json_object *report_facts(const struct device *d)
{
	json_object *o = json_object_new_object();

	for (size_t i = 0; i < NR_FACTS; i++) {
		if ((facts[i].of == PARTITION && !d->partition) ||
		    (facts[i].of == REQUESTS && d->bio_based))
			continue;
		add_fact(o, &facts[i], (const char *)d + facts[i].at);
	}
	return o;
}

static void read_fact(json_object *v, const struct fact *f, void *value)
{
	switch (f->type) {
	case TEXT:
		snprintf(value, f->len, "%s", json_object_get_string(v) ?: "");
		break;
	case U64:
		*(uint64_t *)value = json_object_get_uint64(v);
		break;
	case UINT:
		*(unsigned int *)value = json_object_get_uint64(v);
		break;
	case FLAG:
		*(bool *)value = json_object_get_boolean(v);
		break;
	case NODE:
		*(int *)value = json_object_get_int(v);
		break;
	}
}

void report_facts_load(json_object *o, struct device *d)
{
	json_object *v;

	d->numa_node = -1;
	for (size_t i = 0; i < NR_FACTS; i++) {
		if (!json_object_object_get_ex(o, facts[i].key, &v) || !v)
			continue;
		read_fact(v, &facts[i], (char *)d + facts[i].at);
		d->partition |= facts[i].of == PARTITION;
	}
}

static void print_facts(const struct device *d, FILE *f)
{
	char size[FMT_LEN];

	fprintf(f, "%s: %s", d->name, *d->model ? d->model : *d->kind ? d->kind : "block device");
	if (*d->firmware)
		fprintf(f, ", firmware %s", d->firmware);
	fprintf(f, ", %s", fmt_size(size, sizeof(size), d->size));
	if (d->partition)
		fprintf(f, ", partition %u of %s", d->partno, d->disk);
	fprintf(f, ", LBA %s", *d->lba_format ? d->lba_format : "");
	if (!*d->lba_format)
		fprintf(f, "%u", d->logical_bs);
	fprintf(f, "; %s%s%s", *d->kind ? d->kind : "unknown driver",
		*d->transport ? " " : "", d->transport);
	if (d->bio_based)
		fputs(", bio based", f);
	else
		fprintf(f, ", %u queue%s of %u, scheduler %s", d->queues,
			d->queues == 1 ? "" : "s", d->depth, *d->scheduler ? d->scheduler : "none");
	if (d->rotational)
		fputs(", rotational", f);
}

void report_facts_text(const struct device *d, char *buf, size_t len)
{
	FILE *f = fmemopen(buf, len, "w");

	*buf = '\0';
	if (!f)
		return;
	print_facts(d, f);
	fclose(f);
	buf[len - 1] = '\0';
}

void report_facts_print(const struct device *d, FILE *f)
{
	char text[1024];

	report_facts_text(d, text, sizeof(text));
	text_line(f, "%s", text);
}
