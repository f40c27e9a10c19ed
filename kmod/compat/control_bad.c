// SPDX-License-Identifier: GPL-2.0
/* Must not be found: no kernel has this. */
#include <linux/bio.h>

void probe(struct bio *bio);
void probe(struct bio *bio)
{
	bio->bi_no_such_field = 0;
}
