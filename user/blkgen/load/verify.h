/* SPDX-License-Identifier: GPL-2.0 */
/* Check the data of the loads. */
#ifndef BLKGEN_LOAD_VERIFY_H
#define BLKGEN_LOAD_VERIFY_H

#include <stdbool.h>
#include <stdio.h>
#include <json-c/json.h>

struct load;
struct load_target;

/**
 * load_verifies() - tell if a target tags its writes or checks its reads
 * @t: the target, set up
 *
 * Return: true if its load has --verify.
 */
bool load_verifies(const struct load_target *t);

/**
 * load_verify() - check the data of the targets with --verify, after load_execute()
 * @l: its targets are done, or were given up; their sessions are still open
 *
 * Read back what was written, with I/Os that follow the same pattern. Warn of data that does not
 * match and of writes that were not read back, and count both in @l->errors.
 *
 * Return: 0, also if data does not match, or -errno, reported.
 */
int load_verify(struct load *l);

/**
 * load_verify_json() - make the "verify" member of a target
 * @t: checked by load_verify()
 *
 * Return: a new object, which the caller frees.
 */
json_object *load_verify_json(const struct load_target *t);

/**
 * load_verify_print() - print a line for each target with --verify
 * @l: its targets were checked by load_verify()
 * @f: where to print
 */
void load_verify_print(const struct load *l, FILE *f);

#endif
