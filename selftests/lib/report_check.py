#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""report_check.py RESULT DIR: compares DIR/all.csv, all.json and plots/, which blklat report made
of RESULT, with RESULT. Prints a line per figure that differs."""

import csv
import json
import math
import os
import sys
import xml.etree.ElementTree as xml

doc = json.load(open(sys.argv[1]))
os.chdir(sys.argv[2])
devices = {d["name"]: d for d in doc["devices"]}
tops = [d for d in doc["devices"] if d["top"]]
rows = list(csv.DictReader(open("all.csv", newline="")))
told = json.load(open("all.json"))["rows"]


def expect(what, got, wanted, within=0.0):
    if isinstance(wanted, float) and isinstance(got, float) and abs(got - wanted) <= within:
        return
    if got != wanted:
        print(f"{what}: {got}, wanted {wanted}")


def blocks(name):
    """Blocks of lines of cells of plots/name.dat"""
    text = open(f"plots/{name}.dat").read()
    cells = lambda line: [c.strip('"') for c in line.split("\t")]
    return [[cells(l) for l in b.splitlines() if l and not l.startswith("#")]
            for b in text.split("\n\n\n")]


# CSV and JSON
whole = [r for r in rows if r["sample"] == ""]
expect("rows of CSV and JSON", len(rows), len(told))
KEYS = ("file", "stage", "count", "sum_ns", "p99_ns", "sample")
for r, t in zip(rows, told):
    expect("a row of CSV and JSON", {k: str(t.get(k, "")) for k in KEYS}, {k: r[k] for k in KEYS})
for name, d in devices.items():
    mine = [r for r in whole if r["device"] == name]
    total = [r for r in mine if r["stage"] == "total"]
    expect(f"{name}: totals", len(total), 1)
    expect(f"{name}: I/Os", int(total[0]["count"]), d["total"]["count"])
    for r in mine:
        if r["stage"] == "total":
            of = d["total"]
        else:
            of = [s for s in d["stages"] if (s["stage"], s["layer"]) == (r["stage"], r["layer"])][0]
        expect(f"{name} {r['stage']}: sum", int(r["sum_ns"]), of["sum_ns"])
        if of["count"]:
            for p in ("50", "99", "99.9", "99.999"):
                expect(f"{name} {r['stage']}: p{p}", int(r[f"p{p.replace('.', '_')}_ns"]),
                       of["percentiles_ns"][p])
    expect(f"{name}: stages", sum(int(r["sum_ns"]) for r in mine if r["group"] not in ("", "app")),
           d["total"]["sum_ns"])
    parts = [r for r in rows if r["device"] == name and r["sample"] != "" and r["stage"] == "total"]
    expect(f"{name}: I/Os of the parts", sum(int(r["count"]) for r in parts), d["total"]["count"])
    expect(f"{name}: parts", len(parts), len(d["samples"]))

# The bars: each part has the mean of its stage and begins where the part before it ends
bars = blocks("stages")
at = [0.0] * len(tops)
for block in bars[:-1]:
    for row, cell in enumerate(block):
        of = [s for s in tops[row]["stages"] if (s["stage"], s["layer"]) == (cell[2], cell[4])]
        mean = of[0]["sum_ns"] / tops[row]["total"]["count"] if of else 0.0
        expect(f"bar {row} {cell[2]}", float(cell[7]), mean, 0.001)
        expect(f"bar {row} {cell[2]} begins", float(cell[5]), at[row], 0.1)
        at[row] = float(cell[6])
for row, cell in enumerate(bars[-1]):
    expect(f"bar {row} ends", at[row], tops[row]["total"]["mean_ns"], 1.0)
    expect(f"bar {row}: total", float(cell[2]), tops[row]["total"]["mean_ns"], 0.001)

# The curves: the percentiles of the recording are on them
for d, block in zip(tops, blocks("latency")):
    points = [tuple(map(float, c)) for c in block]
    for p in (50, 90, 99):
        first = next(v for v, _, share in points if share >= p - 1e-5)
        expect(f"curve of {d['name']} at {p} %", int(first), d["total"]["percentiles_ns"][str(p)])
    for v, nines, share in points[:-1]:
        expect(f"curve of {d['name']} at {v}", nines, -math.log10(1 - share / 100),
               0.01 if share < 99 else 5)
    expect(f"curve of {d['name']} ends", points[-1][0], float(d["total"]["max_ns"]))

# The lines over time: each has the figures of its sample
for d, block in zip(tops, blocks("time")):
    kept = [s for s in d["samples"] if s["elapsed_ns"]]
    expect(f"{d['name']}: lines over time", len(block), 2 * len(kept))
    for s, cell in zip(kept, block[::2]):
        expect(f"{d['name']}: begins", float(cell[0]), s["at_ns"] / 1e9, 1e-6)
        expect(f"{d['name']}: rate", float(cell[2]), s["ios"] / (s["elapsed_ns"] / 1e9), 0.001)
        if s["total"]["count"]:
            expect(f"{d['name']}: p99", int(cell[4]), s["total"]["percentiles_ns"]["99"])

# In a heat map the cells of a column sum to the I/Os of its samples, and all cells sum to those of
# the device.
with_heat = [d for d in tops if d["total"]["count"] and len(d["samples"]) > 1]
expect("heat maps", len(blocks("heat")), len(with_heat))
for d, block in zip(with_heat, blocks("heat")):
    expect(f"{d['name']}: I/Os in cells", sum(int(c[4]) for c in block), d["total"]["count"])
    for begin, end in {(c[0], c[1]) for c in block}:
        inside = [s for s in d["samples"] if float(begin) - 1e-6 < s["at_ns"] / 1e9 and
                  (s["at_ns"] + s["elapsed_ns"]) / 1e9 < float(end) + 1e-6]
        expect(f"{d['name']}: I/Os in cells from {begin}",
               sum(int(c[4]) for c in block if c[0] == begin),
               sum(s["total"]["count"] for s in inside))

# The icicles: a block is as wide as its stage's mean, the stages are side by side from 0 to the
# total in the order of time, and no stage reaches out of the frame above it
IN_TIME = ["entry", "throttle", "layer submit", "alloc", "plug", "sched", "requeue", "submit",
           "device", "reap", "end", "layer complete", "deliver"]
BELOW = "layer+below"


def moment(cell):
    """The position of a stage in the order of time; a merged stage has that of its first part"""
    below, layer = cell[5] == BELOW, cell[6]
    stage = "layer complete" if below else cell[5]
    at = next(i for i, name in enumerate(IN_TIME) if (stage + "+").startswith(name + "+"))
    return at, int(layer) * (-1 if stage == "layer complete" else 1) if layer != "leaf" else 0, \
        not below


def hold_icicle(d, block, of):
    """Compare the blocks of a device with @of, which has the sums and the I/Os."""
    total, end = of["sum_ns"] / of["count"], 0.0
    stages = [c for c in block if c[5]]
    frames = [c for c in block if not c[5]]
    whole, = [c for c in frames if c[2] == "0"]
    expect(f"{d['name']}: frame of the device", float(whole[1]),
           sum(s["sum_ns"] for s in of["stages"] if s["stage"] != "think") / of["count"], 0.01)
    for c in sorted(stages, key=lambda c: float(c[0])):
        stage = [s for s in of["stages"] if (s["stage"], s["layer"]) == (c[5], c[6])]
        expect(f"{d['name']}: width of {c[5]}", float(c[1]) - float(c[0]),
               stage[0]["sum_ns"] / of["count"], 0.01)
        expect(f"{d['name']}: {c[5]} begins where the stage before it ends", float(c[0]), end,
               total / 300)
        end = float(c[1])
        around = [f for f in frames if int(f[2]) == int(c[2]) - 1 and
                  float(f[0]) <= float(c[0]) + 0.01 and float(c[1]) <= float(f[1]) + 0.01]
        expect(f"{d['name']}: frames above {c[5]}", len(around), 1)
    order = [c for c in sorted(stages, key=lambda c: float(c[0])) if c[5] != "unattributed"]
    expect(f"{d['name']}: order of the stages", [c[5:7] for c in order],
           [c[5:7] for c in sorted(order, key=moment)])
    expect(f"{d['name']}: the last stage ends", end, float(total), total / 300)


def slowest(d):
    """Return the I/Os of a device from the p99 on"""
    return next(t for t in d["tail"] if t["percentile"] == 99)


with_icicle = [d for d in tops if d["total"]["count"]]
has_layers = any(s["layer"] != "leaf" for d in tops for s in d["stages"])
for name, of in (("icicle", lambda d: {"stages": d["stages"], **d["total"]}),
                 ("icicle-p99", slowest)):
    expect(name, len(blocks(name)) if has_layers else 0, len(with_icicle) * has_layers)
    for d, block in zip(with_icicle, blocks(name) if has_layers else []):
        hold_icicle(d, block, of(d))

# The icicles of the JSON have the same blocks, also those that are too narrow for a plot
drawn = json.load(open("all.json"))["icicles"]
expect("icicles in JSON", [(i["label"], i["of"]) for i in drawn],
       [(d["label"], of) for of in ("all", "p99") for d in with_icicle])
for icicle in drawn:
    d, = [d for d in tops if d["label"] == icicle["label"]]
    of = {"stages": d["stages"], **d["total"]} if icicle["of"] == "all" else slowest(d)
    expect("icicle in JSON: I/Os", icicle["ios"], of["count"])
    means = {(s["stage"], s["layer"]): s["sum_ns"] / of["count"] for s in of["stages"]
             if s["sum_ns"] and s["stage"] != "think"}
    widths = {(b["stage"], b["layer"]): b["to_ns"] - b["from_ns"] for b in icicle["blocks"]
             if "stage" in b}
    expect(f"icicle in JSON: stages of {icicle['of']}", sorted(widths), sorted(means))
    for stage, mean in means.items():
        expect(f"icicle in JSON: width of {stage}", widths[stage], mean, 0.01)

# The legs of devices that have several of them
legs = [(leg, d) for d in doc["devices"] for leg in d["legs"] if len(d["legs"]) > 1]
expect("legs", len(blocks("legs")[0]), len(legs))
for (leg, d), cell in zip(legs, blocks("legs")[0]):
    expect(f"share of {leg['device']}", float(cell[2]), leg["share_pct"], 0.0001)
    expect(f"share of bytes of {leg['device']}", float(cell[3]),
           100 * leg["bytes"] / sum(l["bytes"] for l in d["legs"]), 0.0001)

# All pictures name each top, except those of the heat map and of the legs.
for name in ("stages", "latency", "time", "heat", "legs"):
    svg = xml.parse(f"plots/{name}.svg").getroot()
    expect(f"{name}.svg", svg.tag, "{http://www.w3.org/2000/svg}svg")
    texts = ["".join(e.itertext()).strip() for e in svg.iter("{http://www.w3.org/2000/svg}text")]
    for d in tops if name not in ("heat", "legs") else []:
        labels = {d["label"], d["label"].replace('"', "'").replace("\\", "'")}
        expect(f"{name}.svg has {d['label']}", bool(labels & set(texts)), True)
