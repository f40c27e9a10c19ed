/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_RIGHTS_H
#define BLKLAT_CORE_RIGHTS_H

/**
 * rights_for_files() - give up all capabilities but those that let root read and write any file
 *
 * A command calls this as soon as it needs nothing of the kernel any more, so that a hostile file
 * or name which finds a fault in the command meets as few rights as possible. A command that only
 * reads files calls it first. Programs that the process starts do not get the capabilities back.
 * Messages about a failure are for verbose output only, because the command works as well with its
 * capabilities.
 *
 * Context: while the process has no other threads, which would keep their capabilities
 */
void rights_for_files(void);

#endif
