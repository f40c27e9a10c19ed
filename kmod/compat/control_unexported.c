// SPDX-License-Identifier: GPL-2.0
/* The probe must not find this, though it compiles. exports: no_such_function_in_any_kernel */
#include <linux/bio.h>

void probe(struct bio *bio);
void probe(struct bio *bio)
{
	submit_bio(bio);
}
