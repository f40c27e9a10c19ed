#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""intervals.py DIR: checks the files of a run in DIR: result.json, series.csv and hist.log of
blkgen load, merged.json of blkgen log, and stat. Each line of stat is "BEFORE AFTER STAT": the
times before and after a reading of /sys/block/*/stat, and its text. Prints a line per fault."""

import bisect
import csv
import json
import os
import sys

faults = []


def expect(what, good, detail=""):
    if not good:
        faults.append(f"{what}: {detail}")


def number(text):
    return float(text) if "." in text or "e" in text else int(text) if text else None


def low(i, bits):
    """Return the smallest value of a log-linear bucket"""
    if not i >> (bits + 1):
        return i
    shift = (i >> bits) - 1
    return (i - (shift << bits)) << shift


def percentile(buckets, bits, pct, least, most):
    """Return the upper edge of the bucket of this rank's value, to check blkgen's percentile"""
    values = sorted(buckets.items())
    count = sum(buckets.values())
    rank = -(-int(round(pct * 1000)) * count // 100000)
    seen = 0
    for i, n in values:
        seen += n
        if seen >= rank:
            return max(least, min(most, low(i + 1, bits) - 1))
    return most


class Log:
    """A log, merged by op"""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.head, *self.entries = [json.loads(line) for line in f]
        self.ops = {}
        for e in self.entries:
            o = self.ops.setdefault((e["op"], e["of"]), {"buckets": {}, "ios": 0, "sum_ns": 0,
                                                         "bits": e["bits"], "min": [], "max": []})
            for i, n in e["buckets"]:
                o["buckets"][i] = o["buckets"].get(i, 0) + n
            o["ios"] += e["ios"]
            o["sum_ns"] += e["sum_ns"]
            if e["ios"]:
                o["min"].append(e["min_ns"])
                o["max"].append(e["max_ns"])


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    texts = ("device", "name", "step")
    return [{k: v if k in texts else number(v) for k, v in r.items()} for r in rows]


def check_rows(rows, doc):
    """Check that there is no gap between rows, and that their sums are the totals."""
    for d in doc["devices"]:
        mine = [r for r in rows if r["device"] == d["name"]]
        for key in ("ios", "bytes"):
            expect(f"sum of {key}", sum(r[key] for r in mine) == d[key],
                   f"{sum(r[key] for r in mine)}, not {d[key]}")
        expect("sum of errors", sum(r["errors"] for r in mine) == d["errors"]["total"])
        expect("first", mine[0]["start_ns"] == 0, mine[0]["start_ns"])
        for a, b in zip(mine, mine[1:]):
            expect("gap", a["end_ns"] == b["start_ns"], f"{a['end_ns']} to {b['start_ns']}")
        expect("mean", abs(sum((r["mean_ns"] or 0) * r["ios"] for r in mine) /
                           d["latency_ns"]["sum_ns"] - 1) < 1e-6)
        expect("max", max(r["max_ns"] or 0 for r in mine) == d["latency_ns"]["max_ns"])
        for r in mine:
            length = (r["end_ns"] - r["start_ns"]) / 1e9
            expect("rate", abs(r["iops"] * length - r["ios"]) <= 1e-6 * r["ios"] + 1e-6, r)
            expect("bandwidth", abs(r["bytes_per_s"] * length - r["bytes"]) <= 1e-6 * r["bytes"], r)


def check_same(rows, intervals):
    """Check that CSV and JSON have the same figures."""
    expect("rows", len(rows) == len(intervals), f"{len(rows)} and {len(intervals)}")
    for r, j in zip(rows, intervals):
        for key, v in r.items():
            part = j
            for k in key.split("."):
                part = part.get(k) if part else None
            if isinstance(v, float) or isinstance(part, float):
                near = None not in (v, part) and abs(v - part) <= 1e-6 * abs(v)
                expect(key, near, f"{v}, {part}")
            else:
                expect(key, (v or None) == (part or None), f"{v}, {part}")


def check_log(log, doc, merged):
    """Check that the log has the buckets of the whole run, and that blkgen log prints the same."""
    dev = doc["devices"][0]
    bits = {}
    for (op, of), o in log.ops.items():
        want = dev["ops"][op]["latency_ns" if of == "latency" else "service_ns"]
        got = [g for g in merged["groups"] if g["op"] == op and g["of"] == of]
        expect(f"{op} {of}: one group", len(got) == 1, got)
        expect(f"{op} {of}: as measured together", got[0]["latency_ns"] == want,
               f"{got[0]['latency_ns']}, not {want}")
        expect(f"{op} {of}: its I/Os", o["ios"] == want["count"])
        for name, v in want["percentiles_ns"].items():
            mine = percentile(o["buckets"], o["bits"], float(name), min(o["min"]), max(o["max"]))
            expect(f"{op} {of}: p{name} of the buckets", mine == v, f"{mine}, not {v}")
        bits[of] = o["bits"]
    expect("latencies are finer than service times", bits.get("service", 0) < bits["latency"], bits)
    # Rates are averages over the time from the begin of the first interval to the end of the
    # last.
    ns = max(e["end_ns"] for e in log.entries) - min(e["start_ns"] for e in log.entries)
    expect("elapsed", merged["all"]["elapsed_ns"] == ns, merged["all"]["elapsed_ns"])


def check_stat(log, path, slack):
    """Compare the I/Os after the end of each interval with the disk's statistics from then on."""
    with open(path, encoding="utf-8") as f:
        lines = [line.split() for line in f]
    before, after = ([float(w[i]) for w in lines] for i in (0, 1))
    done = [int(w[2]) + int(w[6]) for w in lines]
    ends = {}
    for e in log.entries:
        if e["of"] == "latency":
            t = (log.head["unix_ns"] + e["end_ns"]) / 1e9
            ends[t] = ends.get(t, 0) + e["ios"]
    total = left = sum(ends.values())
    worst = looked = 0
    for t in sorted(ends):
        left -= ends[t]
        # The true number lies between the one of reading i, the last reading that had ended at t,
        # and the one of reading j, the first reading that had not begun at t.
        i, j = bisect.bisect(after, t) - 1, bisect.bisect_left(before, t)
        if i < 0 or j == len(before):
            continue
        looked += 1
        least, most = done[-1] - done[j], done[-1] - done[i]
        worst = max(worst, least - left, left - most)
    expect("intervals beside the statistics", looked >= 3, looked)
    expect("follows the statistics", worst <= slack,
           f"{worst} of {total} I/Os off, {slack} in flight")


def main():
    path = sys.argv[1]

    def load(name):
        with open(os.path.join(path, name), encoding="utf-8") as f:
            return json.load(f)

    doc, merged = load("result.json"), load("merged.json")
    rows = read_csv(os.path.join(path, "series.csv"))
    log = Log(os.path.join(path, "hist.log"))
    check_rows(rows, doc)
    check_same(rows, doc["intervals"])
    check_log(log, doc, merged)
    o = doc["options"]
    check_stat(log, os.path.join(path, "stat"), 2 * o["qd"] * o["jobs"])
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
