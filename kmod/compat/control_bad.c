// SPDX-License-Identifier: GPL-2.0
/* The probe must not find this: no kernel has such a field. */
#include <linux/bio.h>

void probe(struct bio *bio);
void probe(struct bio *bio)
{
	bio->bi_no_such_field = 0;
}
