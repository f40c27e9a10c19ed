/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_LVM_H
#define BLKLAT_STACK_LVM_H

/**
 * lvm_remove_group() - remove a volume group of ours and what is in it
 * @pvs: names of its devices, NULL-terminated; nothing else is looked at
 * What is left on the devices is not wiped.
 * Return: 1 if there was anything, 0 or -errno; not reported.
 */
int lvm_remove_group(const char *vg, char *const *pvs);

#endif
