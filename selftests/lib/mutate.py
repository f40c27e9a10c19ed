#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""mutate.py SEED RUNS FILE...: report damaged results, and compare them with whole ones.

Each run takes one of the JSON files, damages some of its values (other types, huge and negative
numbers, missing keys, control characters), and gives it to blklat report or blklat diff. Prints a
line for each run that ended with anything but a status from 0 to 2, or that printed a control
character, and keeps its file as bad.SEED.json.
"""

import json
import random
import re
import subprocess
import sys

VALUES = [None, True, False, 0, 1, -1, 1 << 63, (1 << 64) - 1, -(1 << 63), 1e308, -0.5, "", "x",
          "\x1b[31m\x07", "\x9b31m", "a\nb\tc", "\u202e", "<b>&'\"", "%s%n", "9" * 400, [], {},
          [[]], [{}], [None], {"a": {}}, [0, 1], ["x"]]
COMMANDS = [
    ["report", "DAMAGED"], ["report", "-v", "DAMAGED"], ["report", "DAMAGED", "--csv", "-"],
    ["report", "DAMAGED", "--json"], ["report", "-q", "DAMAGED", "--html", "page.html"],
    ["report", "DAMAGED", "WHOLE"], ["diff", "DAMAGED", "WHOLE"], ["diff", "WHOLE", "DAMAGED"],
    ["diff", "DAMAGED", "DAMAGED"],
]
# C0 but tab and line ends, DEL and C1, as UTF-8
CONTROL = re.compile(b"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")


def places(node):
    """All pairs of an array or object in the document and a key in it"""
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
        # Most values lie deep in histograms, so choose by depth first.
        node, key = rng.choice(found if rng.random() < 0.3 else found[:len(found) // 20 + 1])
        what = rng.random()
        if what < 0.2 and isinstance(node, dict):
            del node[key]
        elif what < 0.3 and isinstance(node, list) and node:
            node.append(rng.choice(node))
        elif what < 0.4 and isinstance(node[key], str):
            node[key] += rng.choice([v for v in VALUES if isinstance(v, str)])
        else:
            node[key] = rng.choice(VALUES)


def run(seed, files):
    rng = random.Random(seed)
    whole = rng.choice(files)
    with open(whole, encoding="utf-8") as f:
        doc = json.load(f)
    damage(rng, doc)
    name = "bad.%d.json" % seed
    with open(name, "w", encoding="utf-8") as f:
        json.dump(doc, f, ensure_ascii=rng.random() < 0.5)
    args = [{"DAMAGED": name, "WHOLE": whole}.get(a, a) for a in rng.choice(COMMANDS)]
    # pylint: disable=subprocess-run-check
    done = subprocess.run(["blklat"] + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60)
    why = None
    if done.returncode not in (0, 1, 2):
        why = "status %d" % done.returncode
    elif done.returncode and not done.stderr:
        why = "status %d without a message" % done.returncode
    elif CONTROL.search(done.stdout + done.stderr):
        why = "control characters"
    return why and "seed %d: %s: blklat %s" % (seed, why, " ".join(args))


def main():
    first, runs, files = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    bad = 0
    for seed in range(first, first + runs):
        said = run(seed, files)
        if said:
            print(said)
            bad += 1
        else:
            subprocess.run(["rm", "-f", "bad.%d.json" % seed], check=True)
    print("%d of %d runs were bad" % (bad, runs))


if __name__ == "__main__":
    main()
