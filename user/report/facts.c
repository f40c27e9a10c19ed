// SPDX-License-Identifier: GPL-2.0
/* Print the facts of a device as JSON and for human readers. */
#include "core/units.h"
#include "report/facts.h"

static void add(json_object *o, const char *key, const char *s)
{
	if (*s)
		json_str(o, key, s);
}

json_object *report_facts(const struct device *d)
{
	json_object *o = json_object_new_object();

	json_str(o, "path", d->path);
	if (d->partition) {
		json_str(o, "disk", d->disk);
		json_u64(o, "partition", d->partno);
		json_u64(o, "start", d->start);
	}
	add(o, "driver", d->kind);
	add(o, "transport", d->transport);
	add(o, "model", d->model);
	add(o, "firmware", d->firmware);
	add(o, "serial", d->serial);
	add(o, "by_id", d->by_id);
	add(o, "lba_format", d->lba_format);
	json_u64(o, "size", d->size);
	json_u64(o, "logical_block_size", d->logical_bs);
	json_u64(o, "physical_block_size", d->physical_bs);
	json_flag(o, "rotational", d->rotational);
	json_flag(o, "read_only", d->read_only);
	json_flag(o, "bio_based", d->bio_based);
	if (!d->bio_based) {
		json_u64(o, "queues", d->queues);
		json_u64(o, "queue_depth", d->depth);
		add(o, "scheduler", d->scheduler);
	}
	json_u64(o, "max_io_bytes", d->max_io);
	add(o, "write_cache", d->write_cache);
	if (d->numa_node >= 0)
		json_u64(o, "numa_node", d->numa_node);
	return o;
}

void report_facts_print(const struct device *d, FILE *f)
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
	fputc('\n', f);
}
