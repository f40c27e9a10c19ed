// SPDX-License-Identifier: GPL-2.0
/* Name stages, groups, kinds of I/O, spans and counters, as bpf/stages.h and bpf/counters.h do. */
#include <stdio.h>
#include <string.h>
#include "blklat.h"
#include "blklat/result/names.h"

static const char *const group_names[] = {
#define GROUP(id, name) [GROUP_##id] = name,
	BLKLAT_GROUPS(GROUP)
#undef GROUP
};

static const struct {
	const char *name;
	enum blklat_group group;
} stages[] = {
#define STAGE(id, name, group, doc) [STAGE_##id] = { name, GROUP_##group },
	BLKLAT_STAGES(STAGE)
#undef STAGE
};

static const struct {
	const char *name;
	enum blklat_group group;
} layer_stages[] = {
#define LAYER(id, name, group, doc) [LAYER_##id] = { name, GROUP_##group },
	BLKLAT_LAYER_STAGES(LAYER)
#undef LAYER
};

static const char *const span_names[] = {
#define SPAN(id, name, doc) [SPAN_##id] = name,
	BLKLAT_SPANS(SPAN)
#undef SPAN
};

const char *const op_names[] = {
#define OP(id, name) [BLKLAT_OP_##id] = name,
	BLKLAT_OPS(OP)
#undef OP
	[NR_OPS] = NULL
};

static const struct {
	const char *name, *doc;
} counters[] = {
#define COUNTER(id, name, doc) [COUNT_##id] = { name, doc },
	BLKLAT_COUNTERS(COUNTER)
#undef COUNTER
};

const char *stage_name(unsigned int row)
{
	return row < NR_ROWS ? stages[row].name :
	       layer_stages[(row - NR_ROWS) % NR_LAYER_STAGES].name;
}

const unsigned int *stage_order(void)
{
	static unsigned int order[NR_LINES], n;

	for (unsigned int s = 0; n < NR_LINES; s++) {
		if (s == STAGE_ALLOC)
			for (unsigned int d = 0; d < BLKLAT_MAX_LAYERS; d++)
				order[n++] = ROW_OF_LAYER(d, LAYER_SUBMIT);
		if (s == STAGE_DELIVER)
			for (unsigned int d = BLKLAT_MAX_LAYERS; d-- > 0;)
				order[n++] = ROW_OF_LAYER(d, LAYER_COMPLETE);
		if (s == STAGE_UNATTRIBUTED)
			for (unsigned int d = 0; d < BLKLAT_MAX_LAYERS; d++)
				order[n++] = ROW_OF_LAYER(d, LAYER_WHOLE);
		order[n++] = s;
	}
	return order;
}

const char *layer_stage(const char *stage)
{
	static const char prefix[] = "layer";

	return strncmp(stage, prefix, strlen(prefix)) ? NULL : stage + strlen(prefix);
}

void stage_label(char *buf, size_t len, const char *stage, const char *device)
{
	const char *what = *device ? layer_stage(stage) : NULL;

	snprintf(buf, len, "%s%s", what ? device : "", what ? what : stage);
}

enum blklat_stage stage_after(enum blklat_mark mark)
{
	static const struct {
		enum blklat_mark from, to;
		enum blklat_stage stage;
	} gaps[] = {
#define GAP(from, to, stage) { MARK_##from, MARK_##to, STAGE_##stage },
		BLKLAT_GAPS(GAP)
#undef GAP
	};

	/*
	 * The first gap of a mark leads to the stage in which an I/O usually waits after that mark.
	 * Gaps to F are left out, because only flushes have mark F.
	 */
	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++)
		if (gaps[i].from == mark && gaps[i].to != MARK_F)
			return gaps[i].stage;
	return STAGE_UNATTRIBUTED;
}

enum blklat_group stage_group(unsigned int row)
{
	return row < NR_ROWS ? stages[row].group :
	       layer_stages[(row - NR_ROWS) % NR_LAYER_STAGES].group;
}

const char *group_name(unsigned int group)
{
	return group_names[group];
}

const char *op_name(unsigned int op)
{
	return op_names[op];
}

const char *span_name(unsigned int span)
{
	return span_names[span];
}

const char *counter_name(unsigned int counter)
{
	return counters[counter].name;
}

const char *counter_doc(unsigned int counter)
{
	return counters[counter].doc;
}
