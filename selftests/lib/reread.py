#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""reread.py FILE END METRIC: reads FILE, which has OpenMetrics text, again and again until the file
END is there. Prints four numbers: how often FILE was complete, how often it was not, how many
versions of it there were, and how often METRIC was lower than before."""

import os
import re
import sys
import time

path, end, metric = sys.argv[1:]
metric = re.compile("^" + re.escape(metric) + r" (\S+)$", re.M)
whole = partial = down = 0
last, inodes = -1.0, set()
while not os.path.exists(end):
    time.sleep(0.01)
    try:
        with open(path, encoding="utf-8") as f:
            inodes.add((os.fstat(f.fileno()).st_ino, os.fstat(f.fileno()).st_mtime_ns))
            text = f.read()
    except FileNotFoundError:
        continue
    value = metric.search(text)
    if not text.startswith("# HELP ") or not text.endswith("\n# EOF\n") or not value:
        partial += 1
        continue
    whole += 1
    down += float(value[1]) < last
    last = float(value[1])
print(whole, partial, len(inodes), down)
