#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""events.py RESULT EVENTS: checks the lines of --events against the result of the same trace or
recording. The stages of each line must sum to its total. Without --slower and --sample, the lines
together must have the counts and sums that the distributions in the result have. With --slower,
there must be as many lines as the result has I/Os that took at least this time. Prints one line per
difference (20 at most), and a last line with the counts. Exits with status 1 if there was a
difference."""

import collections
import json
import sys

HIST_BITS = 6


def index_of(ns):
    """The bucket of this time, by uapi/loglin.h"""
    shift = max(0, ns.bit_length() - 1 - HIST_BITS)
    return (shift << HIST_BITS) + (ns >> shift)


class Sums:
    """The sums of one device: of its I/Os, of their totals and of each stage"""

    def __init__(self):
        self.count = self.total = self.bytes = 0
        self.ops = collections.Counter()
        self.stages = collections.defaultdict(lambda: [0, 0])
        self.buckets = collections.defaultdict(collections.Counter)

    def add(self, line):
        self.count += 1
        self.total += line["total_ns"]
        self.bytes += line["bytes"]
        self.ops[line["op"]] += 1
        self.buckets["total"][index_of(line["total_ns"])] += 1
        for name, ns in line["stages"].items():
            self.stages[name][0] += 1
            self.stages[name][1] += ns
            self.buckets[name][index_of(ns)] += 1


def label(stage):
    if stage["layer"] == "leaf":
        return stage["stage"]
    return stage["device"] + stage["stage"].removeprefix("layer")


def same(faults, what, got, want):
    if got != want:
        faults.append(f"{what}: {got}, not {want}")


def low(index):
    """The lower end of this bucket, in ns"""
    shift = max(0, (index >> HIST_BITS) - 1)
    return (index - (shift << HIST_BITS)) << shift


def check_median(faults, what, buckets, dist):
    """Check the median: times in wrong buckets have the right sum, but wrong percentiles."""
    rank = (dist["count"] + 1) // 2
    for index in sorted(buckets):
        rank -= buckets[index]
        if rank <= 0:
            break
    median = dist["percentiles_ns"]["50"]
    if not low(index) <= median <= low(index + 1):
        faults.append(f"{what}: median {median}, not from {low(index)} to {low(index + 1)}")


def check_all(faults, device, sums):
    name = device["name"]
    same(faults, f"{name}: I/Os", sums.count, device["total"]["count"])
    same(faults, f"{name}: sum of the totals", sums.total, device["total"]["sum_ns"])
    # The ledger has the bytes of all I/Os that began. It also counts an I/O whose end the kernel
    # did not show, which has no line.
    no_line = device["ledger"]["lost"] + device["ledger"]["inflight"]
    missed = device["cost"]["events_missed"]
    if no_line > missed:
        faults.append(f"{name}: {no_line} I/Os without a line, and {missed} events were missed")
    if no_line:
        if sums.bytes > device["ledger"]["bytes"]:
            faults.append(f"{name}: bytes: {sums.bytes}, more than {device['ledger']['bytes']}")
    else:
        same(faults, f"{name}: bytes", sums.bytes, device["ledger"]["bytes"])
    same(faults, f"{name}: I/Os of each kind", dict(sums.ops),
         {o["op"]: o["total"]["count"] for o in device["ops"]})
    for stage in device["stages"]:
        key = label(stage)
        if stage["stage"] in ("think", "unattributed"):
            continue
        same(faults, f"{name}: {key}", sums.stages[key], [stage["count"], stage["sum_ns"]])
        if stage["count"]:
            check_median(faults, f"{name}: {key}", sums.buckets[key], stage)
    check_median(faults, f"{name}: total", sums.buckets["total"], device["total"])


def check_slow(faults, device, sums, slower):
    buckets = device["total"].get("buckets", [])
    want = sum(n for i, n in buckets if i >= index_of(slower))
    same(faults, f"{device['name']}: I/Os of at least {slower} ns", sums.count, want)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        result = json.load(f)
    with open(sys.argv[2], encoding="utf-8") as f:
        head, *lines, end = [json.loads(line) for line in f]
    faults = []
    devices = collections.defaultdict(Sums)
    for line in lines:
        devices[line["device"]].add(line)
        if sum(line["stages"].values()) != line["total_ns"]:
            faults.append(f"stages that do not sum to the total: {line}")
        if line["total_ns"] < head["events"]["slower_ns"]:
            faults.append(f"an I/O that is not slow: {line}")
    end, slower, sample = end["end"], head["events"]["slower_ns"], head["events"]["sample"]
    same(faults, "lines", len(lines), end["events"])
    same(faults, "written", result["events"]["written"], end["events"])
    same(faults, "lost", result["events"]["lost"], end["lost"])
    same(faults, "lost, by the ledgers", sum(d["ledger"]["events_lost"] for d in result["devices"]),
         end["lost"])
    # The devices that have lines are those that were named; the tops come first.
    named = [d for d in result["devices"] if d["name"] in devices]
    same(faults, "devices", len(named), len(devices))
    completed = sum(d["ledger"]["completed"] for d in named)
    for d in named:
        if slower:
            check_slow(faults, d, devices[d["name"]], slower)
        elif sample <= 1 and not end["lost"]:
            check_all(faults, d, devices[d["name"]])
    if not slower:
        same(faults, "lines and those lost", len(lines) + end["lost"], -(-completed // sample))
    print("\n".join(faults[:20]), end="\n" if faults else "")
    print(f"# {len(lines)} lines of {', '.join(f'{n}: {s.count}' for n, s in devices.items())};"
          f" {end['lost']} lost of {completed}")
    return bool(faults)


sys.exit(main())
