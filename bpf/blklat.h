/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Include all that the programs of a trace and user space share. All fields have a fixed width, and
 * the same layout on both sides.
 */
#ifndef BLKLAT_H
#define BLKLAT_H

#include "config.h"
#include "counters.h"
#include "io.h"
#include "stages.h"
#include "state.h"

#endif /* BLKLAT_H */
