/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CMDS_H
#define BLKLAT_CMDS_H

#include "core/opt.h"

extern const struct cmd cmd_trace;
extern const struct cmd cmd_record;
extern const struct cmd cmd_probe;
extern const struct cmd cmd_topo;
extern const struct cmd cmd_stuck;
extern const struct cmd cmd_top;
extern const struct cmd cmd_compare;
extern const struct cmd cmd_report;
extern const struct cmd cmd_diff;

#endif
