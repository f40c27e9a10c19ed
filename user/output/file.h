/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * report_is_stdout() - tell if an output file is stdout
 * @path: name of the file, may be NULL
 *
 * Return: true for "-".
 */
bool report_is_stdout(const char *path);

/**
 * report_file_open() - open an output file for writing, and empty it
 * @path: any file but a block device, whose data a result would overwrite
 *
 * Return: the fd, or -errno, reported.
 */
int report_file_open(const char *path);

/**
 * report_file_no_disk() - refuse a block device as an output file
 * @path: name of the file; may be NULL, "-", or a file that is not there
 *
 * Return: 0; -ENOTSUP, reported, for a block device.
 */
int report_file_no_disk(const char *path);

/**
 * report_file_mode() - get the mode of a new file, as open(2) would set it
 *
 * The umask is 0 for a moment, so no other thread may make a file at this time.
 *
 * Return: 0666 less the bits of the umask.
 */
mode_t report_file_mode(void);

/**
 * report_file_write() - write a text
 * @path: name of the file; "-" is stdout
 * @text: the text
 * @mode: mode of the file; unused for devices, pipes and stdout
 *
 * A file appears under its name complete or not at all. Devices and pipes are written to directly,
 * block devices never. A file behind a symbolic link is also written to directly if its directory
 * takes no new file.
 *
 * Return: 0 or -errno, not reported.
 */
int report_file_write(const char *path, const char *text, mode_t mode);

#endif
