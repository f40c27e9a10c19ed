/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_CTL_H
#define _BLKGEN_CTL_H

int blkgen_ctl_init(void);
void blkgen_ctl_exit(void);

#endif /* _BLKGEN_CTL_H */
