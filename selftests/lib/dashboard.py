#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""dashboard.py DASHBOARD METRICS: fails if the Grafana dashboard asks for a metric, or for a label
of one, that the file of metrics does not have."""

import json
import re
import sys


def labels_of(path):
    """Return {metric: labels} of a file of metrics"""
    labels = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"(blklat_\w+)(?:\{(.*)\})? ", line)
            if m:
                labels.setdefault(m[1], set()).update(re.findall(r'(\w+)="', m[2] or ""))
    return labels


def expressions(path):
    with open(path, encoding="utf-8") as f:
        dashboard = json.load(f)
    for panel in dashboard["panels"]:
        yield from (t["expr"] for t in panel["targets"])
    yield from (v["query"] for v in dashboard["templating"]["list"])


def main(dashboard, metrics):
    labels, asked = labels_of(metrics), 0
    for expr in expressions(dashboard):
        for name, selector in re.findall(r"(blklat_\w+)(?:\{([^}]*)\})?", expr):
            asked += 1
            if name not in labels:
                sys.exit(f"there is no metric {name}")
            for label in re.findall(r"(\w+)[=!]", selector):
                if label not in labels[name]:
                    sys.exit(f"{name} has no label {label}")
    if asked < 10:
        sys.exit(f"only {asked} metrics are asked for")


main(*sys.argv[1:])
