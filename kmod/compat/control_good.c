// SPDX-License-Identifier: GPL-2.0
/* The probe must find this. exports: submit_bio bio_reset */
#include <linux/bio.h>

void probe(struct bio *bio);
void probe(struct bio *bio)
{
	submit_bio(bio);
}
