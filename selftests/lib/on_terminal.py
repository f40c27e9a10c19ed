#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""on_terminal.py COLUMNS LINES KEYS COMMAND...: runs a command on a terminal of this size.

KEYS are pressed one after the other, each when the screen was drawn anew: "down", "up", "enter",
or a character; separated by blanks. "5rows" is no key: it makes the terminal this small, and prints
the sequence that asks an xterm to become so. Prints what the terminal got. The exit status is the
command's, or 99 if it does not end within a minute after the last key.
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

KEYS = {"down": b"\033[B", "up": b"\033[A", "enter": b"\r"}
HOME = b"\033[H"  # each drawing begins with it


def resize(fd, columns, lines):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", int(lines), int(columns), 0, 0))


def press(fd, key, columns):
    if key.endswith("rows"):
        lines = key.removesuffix("rows")
        resize(fd, columns, lines)
        sys.stdout.buffer.write(b"\033[8;%s;%st" % (lines.encode(), columns.encode()))
    else:
        os.write(fd, KEYS.get(key, key.encode()))


def main():
    columns, lines, keys, *command = sys.argv[1:]
    keys = keys.split()
    pid, fd = pty.fork()
    if not pid:
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
        os.environ.pop("COLUMNS", None)
        resize(0, columns, lines)
        os.execvp(command[0], command)
    drawn, end = 0, time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([fd], [], [], 1)[0]:
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        if not data:
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        drawn += data.count(HOME)
        if drawn and keys:
            press(fd, keys.pop(0), columns)
            drawn, end = 0, time.monotonic() + 60
    sys.exit(99)


main()
