/* SPDX-License-Identifier: GPL-2.0 */
/* Check the data of the loads. */
#ifndef BLKGEN_LOAD_VERIFY_H
#define BLKGEN_LOAD_VERIFY_H

#include <stdio.h>
#include "blkgen/load/target.h"

/* Return true if the target tags its writes or checks its reads. */
bool load_verifies(const struct load_target *t);

/**
 * load_verify() - check the data of the targets with --verify; the last step of load_execute()
 *
 * Read back what was written, with I/Os that follow the same pattern. Report what does not match,
 * and count it in @l->errors.
 * Return: 0, also if data does not match, or -errno, reported.
 */
int load_verify(struct load *l);
/* Return the "verify" member of a target. */
json_object *load_verify_json(const struct load_target *t);
/* Print a line for each target with --verify. */
void load_verify_print(const struct load *l, FILE *f);

#endif
