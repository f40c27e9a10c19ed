#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""openmetrics.py FILE [JSON]: reads FILE with the parsers of the Prometheus client, of OpenMetrics
and of the older text format, and checks that both see the same, that histograms are sound, and
that the figures are those of JSON, the result of the same trace. Prints one line per difference;
exit status 1 if there was one."""

import json
import re
import sys

from prometheus_client import openmetrics, parser
import prometheus_client.openmetrics.parser

FAULTS = []


def fault(what):
    FAULTS.append(what)


def key(name, labels):
    return (name, tuple(sorted(labels.items())))


def samples(families):
    found = {}
    for family in families:
        for s in family.samples:
            k = key(s.name, s.labels)
            if k in found:
                fault(f"{k}: is there twice")
            found[k] = s.value
    return found


def check_family(family):
    for what in (family.documentation, family.type not in ("unknown", "info")):
        if not what:
            fault(f"{family.name}: no help, or of type {family.type}")
    for unit in ("seconds", "bytes"):
        if (family.unit == unit) != family.name.endswith("_" + unit):
            fault(f"{family.name}: unit {family.unit!r}")


def check_histogram(where, values):
    """values: [(le, count)], count, sum"""
    bounds = [float(le) for le, _ in values["buckets"]]
    counts = [n for _, n in values["buckets"]]
    if bounds != sorted(set(bounds)) or bounds[-1] != float("inf"):
        fault(f"{where}: bounds {bounds}")
    if counts != sorted(counts):
        fault(f"{where}: not cumulative: {counts}")
    if counts[-1] != values["count"]:
        fault(f"{where}: {counts[-1]} in +Inf, {values['count']} in all")
    for bound in bounds[:-1]:
        ns = round(bound * 1e9)
        if ns & (ns + 1):
            fault(f"{where}: the bound of {ns} ns is not the end of an octave")


def histograms(families):
    """{(name, labels): {buckets, count, sum}}"""
    found = {}
    for family in families:
        if family.type != "histogram":
            continue
        for s in family.samples:
            labels = {k: v for k, v in s.labels.items() if k != "le"}
            h = found.setdefault(key(family.name, labels), {"buckets": []})
            if s.name.endswith("_bucket"):
                h["buckets"].append((s.labels["le"], s.value))
            else:
                h[s.name.removeprefix(family.name + "_")] = s.value
    return found


def same(where, got, want):
    if got != want:
        fault(f"{where}: {got}, and {want} in JSON")


def compare_latency(where, h, want):
    """Compare a histogram with a latency object of JSON."""
    if h is None:
        fault(f"{where}: is absent")
        return
    same(f"{where}: count", h["count"], want["count"])
    if abs(h["sum"] * 1e9 - want["sum_ns"]) > 1e-12 * want["sum_ns"]:
        fault(f"{where}: sum {h['sum']}, and {want['sum_ns']} ns in JSON")
    for le, n in h["buckets"]:
        ns = float(le) * 1e9
        if ns < want["min_ns"] - 0.5 and n:
            fault(f"{where}: {n} within {le}, and {want['min_ns']} is min")
        if ns >= want["max_ns"] - 0.5 and n != want["count"]:
            fault(f"{where}: {n} within {le}, and {want['max_ns']} is max")
        for pct, value in want["percentiles_ns"].items():
            # A percentile is the upper end of the bucket in which it lies, but at most the
            # maximum.
            if ns >= value - 0.5 and n < float(pct) / 100 * want["count"] - 1e-6:
                fault(f"{where}: {n} within {le}, and p{pct} is {value}")
            if ns < value * (1 - 1 / 64) - 1 and n >= float(pct) / 100 * want["count"] + 1e-6:
                fault(f"{where}: {n} within {le}, and p{pct} is {value}")


def compare_ledger(dev, values, ledger):
    d = {"device": dev}
    for name, want in ledger.items():
        if name == "lost":
            continue
        cause = re.fullmatch("lost_(.*)", name)
        k = key(f"blklat_{name}_total", d)
        if cause:
            k = key("blklat_lost_total", {**d, "cause": cause[1]})
        elif name.startswith("inflight"):
            k = key(f"blklat_{name}", d)
        same(f"{dev}: {name}", values.get(k), want)


def compare_device(dev, hists, values, kernel):
    name = dev["name"]
    left = {k for k in hists if ("device", name) in k[1]}
    for op in dev["ops"]:
        k = key("blklat_io_latency_seconds", {"device": name, "op": op["op"]})
        compare_latency(f"{name} {op['op']}", hists.get(k), op["total"])
        left.discard(k)
    for s in dev["stages"]:
        if not s["count"]:
            continue
        k = key("blklat_stage_latency_seconds",
                {"device": name, "stage": s["stage"], "group": s["group"], "layer": s["layer"]})
        compare_latency(f"{name} {s['stage']} of {s['layer']}", hists.get(k), s)
        left.discard(k)
    for k in left:
        fault(f"{k}: is not in JSON")
    compare_ledger(name, values, dev["ledger"])
    same(f"{name}: missed events", values.get(key("blklat_events_missed_total", {})),
         dev["cost"]["events_missed"])
    traced = values[key("blklat_traced_seconds_total", {"device": name})]
    same(f"{name}: traced", round(traced * 1e9, -3), round(dev["elapsed_ns"], -3))
    infos = [dict(k[1]) for k in values
             if k[0] == "blklat_device_info" and ("device", name) in k[1]]
    same(f"{name}: descriptions", len(infos), 1)
    for label in ("driver", "model", "firmware", "scheduler"):
        same(f"{name}: {label}", infos[0][label], dev["facts"].get(label, ""))
    same(f"{name}: kernel", infos[0]["kernel"], kernel)


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as f:
        text = f.read()
    families = list(openmetrics.parser.text_string_to_metric_families(text))
    values = samples(families)
    if values != samples(parser.text_string_to_metric_families(text)):
        fault("the parser of the text format sees other samples")
    for family in families:
        check_family(family)
    hists = histograms(families)
    for k, h in hists.items():
        check_histogram(k, h)
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as f:
            doc = json.load(f)
        for dev in doc["devices"]:
            compare_device(dev, hists, values, doc["kernel"]["release"])
        same("devices", len({dict(k[1])["device"] for k in values if k[0] == "blklat_device_info"}),
             len(doc["devices"]))
    print("\n".join(FAULTS), end="\n" if FAULTS else "")
    return bool(FAULTS)


sys.exit(main())
