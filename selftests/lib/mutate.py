#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""mutate.py SEED RUNS FILE...: report damaged results and logs, compare results with whole ones.

Each run takes one of the JSON files, or makes a log of blkgen load --log, damages some of its
values (other types, huge and negative numbers, missing keys, control characters) or of its bytes,
and gives it to blklat report, blklat diff or blkgen log. Prints a line for each run that ended with
anything but a status from 0 to 2, or that printed a control character, a sanitizer's message or
what is not UTF-8, or that wrote a control character or the markup of a name into a page or a plot.
Keeps the file of such a run as bad.SEED.
"""

import copy
import json
import os
import random
import re
import subprocess
import sys

TEXTS = ["", "x", "\x1b[31m\x07", "\x9b31m", "\x7f", "a\nb\tc", "\u202e", "<b>&'\"", "%s%n",
         "9" * 400]
VALUES = TEXTS + [None, True, False, 0, 1, -1, 1 << 63, (1 << 64) - 1, -(1 << 63), 1e308, -0.5,
                  [], {}, [[]], [{}], [None], {"a": {}}, [0, 1], ["x"]]
BYTES = [b"\x1b", b"\x00", b"\xff", b"\xc2\x9b", b"\n", b"[" * 40, b"}", b",", b"1e999", b"-"]
REPORTS = [
    ["report", "DAMAGED"], ["report", "-v", "DAMAGED"], ["report", "DAMAGED", "--csv", "-"],
    ["report", "DAMAGED", "--json"], ["report", "DAMAGED", "--heat-map"],
    ["report", "DAMAGED", "--heat-map", "--stage", "device"],
    ["report", "DAMAGED", "--icicle"], ["report", "DAMAGED", "--icicle", "--json"],
    ["diff", "DAMAGED", "WHOLE", "--icicle", "--allow", "load,seed,ops,size,block-size"],
    ["report", "DAMAGED", "--openmetrics", "-"], ["report", "DAMAGED", "WHOLE"],
    ["report", "DAMAGED", "WHOLE", "--csv", "-"], ["diff", "DAMAGED", "WHOLE"],
    ["diff", "WHOLE", "DAMAGED"], ["diff", "DAMAGED", "DAMAGED", "--detail"],
    ["diff", "DAMAGED", "WHOLE", "--allow", "load,seed,ops,size,block-size", "--json"],
]
# gnuplot makes these slow.
PAGES = [["report", "-q", "DAMAGED", "--html", "page.html"],
         ["report", "-q", "DAMAGED", "--plots", "plots"]]
LOGS = [["log", "DAMAGED"], ["log", "DAMAGED", "--hist"], ["log", "DAMAGED", "--json"],
        ["log", "DAMAGED", "DAMAGED", "--per", "all", "--hist"]]
# Control characters: C0 except tabs and line ends, DEL, and C1 as UTF-8
CONTROL = re.compile(b"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\r(?!\n)")


def places(node):
    """Yield all pairs of an array or object in the document and a key in it"""
    keys = node.keys() if isinstance(node, dict) else range(len(node))
    for key in keys:
        yield node, key
        if isinstance(node[key], (dict, list)):
            yield from places(node[key])


def damage(rng, doc):
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        found = list(places(doc))
        if not found:
            return
        # Most values lie in histograms, so mostly choose from the start of the document.
        node, key = rng.choice(found if rng.random() < 0.3 else found[:len(found) // 20 + 1])
        what = rng.random()
        if what < 0.2 and isinstance(node, dict):
            value = node.pop(key)
            if what < 0.05:
                node[key + rng.choice(TEXTS)] = value
        elif what < 0.3 and isinstance(node, list):
            node.append(copy.deepcopy(rng.choice(node)))
        elif what < 0.4 and isinstance(node[key], str):
            node[key] += rng.choice(TEXTS)
        else:
            node[key] = copy.deepcopy(rng.choice(VALUES))


def damage_bytes(rng, data):
    """End the data early, or put other bytes into it."""
    if rng.random() < 0.4:
        return data[:rng.randrange(len(data))]
    for _ in range(rng.choice((1, 3, 10))):
        at = rng.randrange(len(data))
        data = data[:at] + rng.choice(BYTES) + data[at + 1:]
    return data


def log(rng):
    """The lines of a log of blkgen load --log"""
    lines = [{"schema": "blkgen-log/1", "host": "h", "unix_ns": 1700000000000000000}]
    for i in range(4):
        lines.append({"step": "s", "device": "nvme0n1", "name": "a",
                      "op": rng.choice(("read", "flush")),
                      "of": rng.choice(("latency", "service")), "start_ns": i * 10**9,
                      "end_ns": (i + 1) * 10**9, "ios": 6, "bytes": 24576, "errors": 0,
                      "sum_ns": 60000, "min_ns": 1000, "max_ns": 20000, "bits": 7,
                      "nbuckets": 4608, "buckets": [[500, 2], [600, 4]]})
    return lines


def make(rng, files, name):
    """Write a damaged file. Return the command to run with it."""
    if rng.random() < 0.2:
        docs = log(rng)
        args = ["blkgen"] + rng.choice(LOGS)
        whole = name
    else:
        whole = rng.choice(files)
        with open(whole, encoding="utf-8") as f:
            docs = [json.load(f)]
        args = ["blklat"] + rng.choice(PAGES if rng.random() < 0.05 else REPORTS)
    damage(rng, docs)
    ascii_only = rng.random() < 0.5
    data = "".join(json.dumps(d, ensure_ascii=ascii_only) + "\n" for d in docs).encode()
    if rng.random() < 0.15:
        data = damage_bytes(rng, data)
    with open(name, "wb") as f:
        f.write(data)
    return [{"DAMAGED": name, "WHOLE": whole}.get(a, a) for a in args]


def unclean(args):
    """Return why a file that the command wrote may not be shown, or None."""
    paths = ["page.html"] if "page.html" in args else []
    if "plots" in args and os.path.isdir("plots"):
        paths += [os.path.join("plots", name) for name in os.listdir("plots")]
    for path in paths:
        if not os.path.exists(path):
            continue
        with open(path, "rb") as f:
            data = f.read()
        os.unlink(path)
        if CONTROL.search(data):
            return "control characters in " + path
        if path.endswith((".html", ".svg")) and b"<b>&'" in data:
            return "markup of a name in " + path
    return None


def run(seed, files):
    rng = random.Random(seed)
    name = "bad.%d" % seed
    args = make(rng, files, name)
    width = rng.choice(("", "60", "100"))
    # pylint: disable=subprocess-run-check
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          env={**os.environ, "COLUMNS": width})
    why = None
    if done.returncode not in (0, 1, 2):
        why = "status %d" % done.returncode
    elif done.returncode and not done.stderr:
        why = "status %d without a message" % done.returncode
    elif b"runtime error: " in done.stderr or b"Sanitizer: " in done.stderr:
        why = "a sanitizer's message"
    elif CONTROL.search(done.stdout + done.stderr):
        why = "control characters"
    elif "\ufffd" in (done.stdout + done.stderr).decode(errors="replace"):
        why = "not UTF-8"
    else:
        why = unclean(args)
    return why and "seed %d: %s: %s" % (seed, why, " ".join(args))


def main():
    first, runs, files = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    bad = 0
    for seed in range(first, first + runs):
        said = run(seed, files)
        if said:
            print(said)
            bad += 1
        else:
            os.unlink("bad.%d" % seed)
    print("%d of %d runs were bad" % (bad, runs))


if __name__ == "__main__":
    main()
