/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_FILE_H
#define BLKLAT_REPORT_FILE_H

#include <sys/types.h>

/* Return the mode 0666 less the bits of the umask. */
mode_t report_file_mode(void);

/**
 * report_file_write() - write a text
 * @path: "-" is stdout. A file appears under its name complete or not at all; devices and pipes
 *	are written to directly.
 * @mode: mode of the file; unused for devices, pipes and stdout
 * Return: 0 or -errno, not reported.
 */
int report_file_write(const char *path, const char *text, mode_t mode);

#endif
