/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_LVM_H
#define BLKLAT_STACK_LVM_H

/**
 * lvm_remove_group() - remove a volume group of ours with its volumes
 * @vg: name of the volume group
 * @pvs: names of its devices, NULL-terminated; LVM looks at no other devices
 *
 * Labels of LVM on the devices are not wiped.
 * Return: 1 if there was a volume, 0 if not, or -errno; not reported.
 */
int lvm_remove_group(const char *vg, char *const *pvs);

#endif
