/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* Return true if @path names stdout, as "-" does; false for NULL. */
bool report_is_stdout(const char *path);

/**
 * report_file_open() - open an output file for writing, and empty it
 * @path: any file but a block device, whose data a result would overwrite
 * Return: the fd, or -errno, reported.
 */
int report_file_open(const char *path);

/*
 * Return 0 if @path is not a block device, else -errno, reported. @path may be NULL, "-", or a file
 * that is not there.
 */
int report_file_no_disk(const char *path);

/* Return the mode 0666 less the bits of the umask. */
mode_t report_file_mode(void);

/**
 * report_file_write() - write a text
 * @path: "-" is stdout. A file appears under its name complete or not at all; devices and pipes
 *	are written to directly, block devices never.
 * @mode: mode of the file; unused for devices, pipes and stdout
 * Return: 0 or -errno, not reported.
 */
int report_file_write(const char *path, const char *text, mode_t mode);

#endif
