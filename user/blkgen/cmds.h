/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_CMDS_H
#define BLKGEN_CMDS_H

#include "core/opt.h"

/* blkgen's sub-commands, one file each. */
extern const struct cmd cmd_load;
extern const struct cmd cmd_log;

#endif
