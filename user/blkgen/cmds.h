/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_CMDS_H
#define BLKGEN_CMDS_H

#include "core/opt.h"

/* These are the sub-commands of blkgen. Each is in a file of its own. */
extern const struct cmd cmd_load;
extern const struct cmd cmd_log;

#endif
