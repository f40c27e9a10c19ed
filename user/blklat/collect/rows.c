// SPDX-License-Identifier: GPL-2.0
/* Keep the histograms of the stages and spans of some I/Os. */
#include <errno.h>
#include <stdlib.h>
#include "blklat/collect/rows.h"
#include "core/log.h"

struct hist *rows_new_hist(void)
{
	struct hist *h = calloc(1, sizeof(*h));

	/* Without the histogram, samples would be missing in the result, and nobody would know. */
	if (!h || hist_init(h, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS)) {
		err(-ENOMEM, "out of memory for histograms");
		abort();
	}
	return h;
}

void rows_free(struct hist **rows)
{
	for (unsigned int row = 0; row < NR_ALL_ROWS; row++) {
		if (rows[row])
			hist_free(rows[row]);
		free(rows[row]);
	}
}

uint64_t rows_add_event(struct hist **rows, const struct io_event *ev, uint64_t *ns)
{
	uint64_t seen = io_event_times(ev, ns);

	for (uint64_t left = seen; left; left &= left - 1) {
		unsigned int row = __builtin_ctzll(left);

		rows_add(rows, row, ns[row]);
	}
	rows_add(rows, ROW_OF_SPAN(SPAN_TOTAL), ev->total_ns);
	return seen;
}
