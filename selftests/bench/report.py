#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The rows that the benchmark's guests and cost.py print, as JSON, tables, a page, and compared.

make DIR KERNEL...	JSON of DIR/KERNEL.rows, on stdout
table FILE		tables of that
rst FILE		the page Documentation/bench.rst
merge OLD NEW		JSON of the new one, with the tables of the old one that it has not
diff OLD NEW		figures side by side; exit status 1 if one of ours is worse
limits FILE LIMITS	which figures are above the limits; exit status 1 if there is one
"""
import json
import re
import sys

# A figure fails if it is worse by more than WORSE, as a part of the figure. For an extra, NOISE, as
# a part of the whole, is added to the limit, because figures repeat no better than that.
WORSE = 0.02
NOISE = 0.001

# Each table has a title, a text that says what its figures are, and columns of key and heading. The
# first column is compared.
TABLES = {
    "generators": ("Generators", "instructions per 4 KiB random read on null_blk", [
        ("instructions", "instructions")]),
    "tracers": (
        "Tracers",
        "instructions per 4 KiB random read by fio on null_blk, by io_uring with 16 in flight if "
        "the row does not name another system call", [
            ("extra", "extra"), ("kernel", "in kernel"), ("user", "its threads"),
            ("instructions", "in all")]),
    "stacks": (
        "Stacks",
        "instructions per 4 KiB random read on dm, md and LVM over null_blk, not traced", [
            ("extra", "above raw"), ("instructions", "in all"),
            ("floor", "above raw, bare loop")]),
    "layers": ("blklat on stacks", "instructions per 4 KiB random read by blkgen, --no-cost", [
        ("extra", "extra"), ("kernel", "in kernel"), ("layer", "per layer"),
        ("layer_kernel", "layer, kernel"), ("cost", "extra, --cost"),
        ("instructions", "in all")]),
    "growth": ("Growth", "instructions per 4 KiB random read that blklat adds; bytes", [
        ("extra", "extra"), ("instructions", "in all"), ("depth", "in flight"),
        ("memory", "bytes of maps"), ("globals", "of these variables"),
        ("programs", "bytes of programs")]),
    "concurrency": (
        "Concurrency",
        "throughput traced of that untraced, two busy CPUs: I/Os per time of these CPUs", [
            ("ratio", "ratio"), ("low", "from"), ("high", "to"), ("apart", "pairs apart"),
            ("ratio_clock", "by the clock"), ("low_clock", "from"), ("high_clock", "to")]),
}
# An interval that is wider than this part of its ratio gets a mark: other work ran on the
# machine, and nobody should trust the figure.
WIDE = 0.1
# These figures are printed with their sign.
SIGNED = {"extra", "kernel", "layer", "layer_kernel", "cost", "floor"}
# These tables do not repeat well enough to fail.
NOT_COMPARED = {"concurrency"}


def number(text):
    value = float(text)
    return int(value) if value == int(value) and "." not in text else value


def read_rows(path):
    tables = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            kind, *rest = line.rstrip("\n").split("\t")
            # The last line may be incomplete, if the run was interrupted.
            if kind != "row" or not line.endswith("\n"):
                continue
            table, name, whose, *pairs = rest
            row = {"name": name, "whose": whose, "values": {}}
            for pair in pairs:
                key, _, value = pair.partition("=")
                if key == "why" or not value:
                    row["why"] = value or "no figure"
                else:
                    row["values"][key] = number(value)
            tables.setdefault(table, []).append(row)
    return tables


def make(directory, *kernels):
    doc = {"format": 1, "kernels": {}}
    for k in kernels:
        with open(f"{directory}/{k}.release", encoding="utf-8") as f:
            release = f.read().strip()
        doc["kernels"][k] = {"release": release, "tables": read_rows(f"{directory}/{k}.rows")}
    json.dump(doc, sys.stdout, indent=1)
    print()


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def figure(key, value):
    if value is None:
        return ""
    if key.removesuffix("_clock") in ("ratio", "low", "high"):
        return f"{value:.3f}"
    if key == "apart":
        return f"{100 * (value - 1):.0f} %"
    sign = "+" if key in SIGNED else ""
    return f"{sign}{value:,.0f}".replace("+-", "-").replace("+0", "0")


def is_wide(row, suffix=""):
    """Return true if a ratio's interval is too wide to trust; suffix is "" or "_clock"."""
    ratio, low, high = (row["values"].get(k + suffix) for k in ("ratio", "low", "high"))
    return ratio is not None and high - low > WIDE * ratio


def not_trusted(rows):
    """Yield the remark that explains the mark of ratios, if a ratio is marked."""
    if any(is_wide(r) or is_wide(r, "_clock") for r in rows):
        yield (f"?: the interval is wider than {100 * WIDE:.0f} % of the ratio, as the machine had "
               "other work to do: measure again when it has none.")


def growth(rows):
    """Yield the growth from the row with the lowest number to the highest, for each kind of row."""
    of_kind = {}
    for r in rows:
        kind = re.fullmatch(r"(.*?)(?:, up to)?,? (\d+)(?: of \d+)?", r["name"])
        if kind and "extra" in r["values"]:
            of_kind.setdefault(kind[1], {})[int(kind[2])] = r["values"]["extra"]
    for kind, extras in of_kind.items():
        least, most = min(extras), max(extras)
        if least == most:
            continue
        if least == 0:
            first = f", {extras[1] - extras[0]:+,.0f} for the first" if 1 in extras else ""
            yield f"{kind}: {(extras[most] - extras[0]) / most:+,.0f} for each of {most}{first}"
        else:
            part = extras[most] / extras[least] - 1
            yield f"{kind}: {100 * part:+.1f} % from {least} to {most}"


def remarks(table, rows):
    yield from not_trusted(rows)
    if table == "growth":
        yield from growth(rows)


def columns_of(table, rows):
    known = TABLES[table][2]
    return [c for c in known if any(c[0] in r["values"] for r in rows)]


def cells(table, rows):
    """Yield a list of cells per row; a row without figures has one cell that says why."""
    cols = columns_of(table, rows)
    yield ["", *(heading for _, heading in cols)]
    for r in rows:
        if "why" in r:
            yield [r["name"], None, r["why"]]
        else:
            first, *others = (figure(key, r["values"].get(key)) for key, _ in cols)
            yield [r["name"], f"{first} ?" if is_wide(r) else first, *others]


def aligned(lines, ncols):
    full = [c for c in lines if c[1] is not None]
    widths = [max(len(c[i]) for c in full) for i in range(ncols)]
    widths[0] = max(len(c[0]) for c in lines)
    for c in lines:
        if c[1] is not None:
            figures = (x.rjust(w) for x, w in zip(c[1:], widths[1:]))
            yield "  ".join([c[0].ljust(widths[0]), *figures]).rstrip()
        else:
            yield f"{c[0].ljust(widths[0])}  {'-'.rjust(widths[1])}  {c[2]}"


def print_tables(path):
    doc = load(path)
    for k, kernel in doc["kernels"].items():
        for table, (title, what, _) in TABLES.items():
            rows = kernel["tables"].get(table)
            if not rows:
                continue
            print(f"{title}, Linux {kernel['release']}: {what}\n")
            for line in aligned(list(cells(table, rows)), 1 + len(columns_of(table, rows))):
                print("  " + line)
            print("".join(f"\n  {line}\n" for line in remarks(table, rows)))


PAGE_HEAD = """.. SPDX-License-Identifier: GPL-2.0
.. Written by selftests/bench/run --rst: do not edit.

=====================
Results of make bench
=====================

Of {releases}. performance.rst says how they are measured, and what each table is about.
"""


def on_page(table, row, key):
    """Return the text of a figure for the page. The row that the others are compared with shows all
    of its instructions, because it has no extra ones. A ratio is followed by its interval."""
    values = row["values"]
    if key == "extra" and values.get("extra") == 0 and row["whose"] == "base":
        key = "instructions"
    text = figure(key, values.get(key))
    if key in ("ratio", "ratio_clock") and text:
        suffix = key.removeprefix("ratio")
        text += f" ({values['low' + suffix]:.3f} to {values['high' + suffix]:.3f})"
        text += " ?" if is_wide(row, suffix) else ""
    return text


def page_columns(table, rows):
    """Return the columns that the page shows: each as its own table, with a column per kernel."""
    beside = ("low", "high", "apart", "low_clock", "high_clock")
    cols = [c for c in columns_of(table, rows) if c[0] not in beside]
    return [c for c in cols if c[0] != "instructions" or len(cols) == 1]


def print_simple_table(lines):
    widths = [max(2, *(len(c[i]) for c in lines)) for i in range(len(lines[0]))]
    rule = "  ".join("=" * w for w in widths)
    for i, line in enumerate([None, *lines, None]):
        if line is None:
            print(rule)
            continue
        print("  ".join(x.ljust(w) for x, w in zip(line, widths)).rstrip())
        if i == 1:
            print(rule)
    print()


def print_rst(path):
    """Print a section per table of the benchmark, and below it why figures are missing."""
    kernels = load(path)["kernels"]
    print(PAGE_HEAD.format(releases=", ".join(f"Linux {k['release']}" for k in kernels.values())))
    for table, (title, what, _) in TABLES.items():
        rows = {k: {r["name"]: r for r in kernel["tables"].get(table, [])}
                for k, kernel in kernels.items()}
        names = list(dict.fromkeys(name for of_kernel in rows.values() for name in of_kernel))
        all_rows = [r for of_kernel in rows.values() for r in of_kernel.values()]
        columns = page_columns(table, all_rows)
        if not names:
            continue
        print(f"{title}\n{'=' * len(title)}\n\n{what[0].upper()}{what[1:]}.\n")
        for key, heading in columns:
            lines = [[heading if len(columns) > 1 else title.lower(), *rows]]
            for name in names:
                texts = [on_page(table, of_kernel[name], key) if name in of_kernel else ""
                         for of_kernel in rows.values()]
                if any(texts):
                    lines.append([name, *(text or "-" for text in texts)])
            print_simple_table(lines)
        for line in not_trusted(all_rows):
            print(f"{line}\n")
        if table == "growth":
            for k, of_kernel in rows.items():
                for line in growth(of_kernel.values()):
                    print(f"- {k}: {line}")
            print()
        print_notes(names, rows)


def print_notes(names, rows):
    """Print why figures are missing, once for all kernels with the same reason."""
    notes = {}
    for name in names:
        for k, of_kernel in rows.items():
            if "why" in of_kernel.get(name, {}):
                notes.setdefault((name, of_kernel[name]["why"]), []).append(k)
    for (name, why), which in notes.items():
        print(f"- {name}, {', '.join(which)}: {why.replace('*', chr(92) + '*')}")
    if notes:
        print()


def merge(old_path, new_path):
    """The new figures, and those of the old for tables that were not measured."""
    doc, new = load(old_path), load(new_path)
    for k, kernel in new["kernels"].items():
        before = doc["kernels"].setdefault(k, {"tables": {}})
        before["release"] = kernel["release"]
        before["tables"].update(kernel["tables"])
    json.dump(doc, sys.stdout, indent=1)
    print()


def worse(key, old, new):
    """Return true if a figure got worse by more than WORSE of it and NOISE of the whole."""
    whole = max(new.get("instructions", 0), new.get(key, 0)) if key == "extra" else 0
    return new[key] > old[key] + WORSE * abs(old[key]) + NOISE * whole


def print_diff(old_path, new_path):
    old, new = load(old_path), load(new_path)
    bad, changes, lines = [], [], [["", "old", "new", "change", "of the whole"]]
    for k, kernel in new["kernels"].items():
        tables_before = old["kernels"].get(k, {"tables": {}})["tables"]
        for table in TABLES:
            rows = kernel["tables"].get(table, [])
            before = {r["name"]: r for r in tables_before.get(table, [])}
            key = TABLES[table][2][0][0]
            for r in rows:
                b = before.get(r["name"])
                at = f"{k} {table}: {r['name']}"
                for has, lacks in ((b, r), (r, b)):
                    measured = has and has["whose"] == "ours" and "why" not in has
                    if measured and (not lacks or "why" in lacks):
                        which = "new" if has is b else "old"
                        why = (lacks or {}).get("why", "no such row")
                        lines.append([at, None, f"not measured in the {which}: {why}"])
                        if has is b:
                            bad.append(at)
                if not b or "why" in r or "why" in b:
                    continue
                values = r["values"]
                used = next((c for c in (key, *values) if c in values and c in b["values"]), None)
                if used is None:
                    continue
                v, w = values[used], b["values"][used]
                whole, before_whole = values.get("instructions"), b["values"].get("instructions")
                if whole and before_whole:
                    part = 100 * (whole - before_whole) / before_whole
                else:
                    part = 100 * (v - w) / w if w else 0
                if table not in NOT_COMPARED:
                    changes.append((abs(part), part, at))
                is_worse = (r["whose"] == "ours" and table not in NOT_COMPARED and
                            worse(used, b["values"], values))
                lines.append([at, figure(used, w), figure(used, v),
                              f"{100 * (v - w) / w:+.2f} %" if w else "",
                              f"{part:+.3f} %{' WORSE' if is_worse else ''}"])
                if is_worse:
                    bad.append(at)
            for name, b in before.items():
                if (b["whose"] == "ours" and "why" not in b and
                        not any(r["name"] == name for r in rows)):
                    bad.append(f"{k} {table}: {name}")
                    lines.append([bad[-1], None, "not measured in the new"])
    print("\n".join(aligned(lines, 5)))
    if changes:
        _, part, at = max(changes)
        moved = sum(c[0] > 100 * NOISE for c in changes)
        print(f"\nlargest change of a whole: {part:+.3f} % ({at})")
        print(f"changed by more than {100 * NOISE} %: {moved} of {len(changes)}")
    for at in bad:
        print(f"worse: {at}")
    return 1 if bad else 0


def read_limits(path):
    """Return {kernel: {column: limit}} of the file, whose last comment has the columns."""
    columns, limits = [], {}
    with open(path, encoding="utf-8") as f:
        for fields in filter(None, (line.split() for line in f)):
            if fields[0] == "#":
                columns = fields[2:]
            else:
                limits[fields[0]] = dict(zip(columns, map(int, fields[1:])))
    return limits


def limited(tables):
    """Yield the figures for which there are limits: column of the limits, table, row, figure.
    A figure is None if it was not measured, or if a row that it is made of was not."""
    def minus(a, b):
        return None if a is None or b is None else a - b

    rows = {(t, r["name"]): r["values"] for t, of_table in tables.items() for r in of_table}

    def value(name, key, table="tracers"):
        return rows.get((table, name), {}).get(key)

    def all_but_samples(name):
        return minus(value(name, "extra"), value(name, "samples"))

    json_row = "blklat --no-cost --json"
    for column, name in ("trace", "blklat --json"), ("no-cost", json_row):
        yield column, "tracers", name, all_but_samples(name)
        yield "user", "tracers", name, value(name, "samples")
    for column, name in (("slower", f"{json_row} --slower than any"),
                         ("events", f"{json_row} --events")):
        yield column, "tracers", name, minus(all_but_samples(name), all_but_samples(json_row))
    for column, name in (("idle", "blklat --no-cost, of another device"),
                         ("all", "blklat --no-cost"), ("bare", "blklat --no-cost --no-submitter")):
        yield column, "tracers", name, value(name, "extra")
    stacks = ["raw", "dm-linear", "dm-linear-2", "dm-linear-3"]
    for below, name in zip(stacks, stacks[1:]):
        yield "layer", "layers", name, minus(*(value(n, "extra", "layers") for n in (name, below)))


def print_limits(path, limits_path):
    """Print the figures that are above their limits, or else which ones are within them."""
    limits = read_limits(limits_path)
    above, within = [], {}
    for k, kernel in load(path)["kernels"].items():
        for column, table, name, value in limited(kernel["tables"]):
            limit = limits.get(k, {}).get(column)
            if limit is None or value is None:
                continue
            if value > limit:
                above.append(f"above its limit: {k} {table}: {name}: {column} is {value:,.0f}, "
                             f"limit {limit:,}")
            else:
                within.setdefault(k, {})[column] = True
    for line in above:
        print(line)
    if within and not above:
        print("within their limits: " + "; ".join(f"{k} {' '.join(c)}" for k, c in within.items()))
    return 1 if above else 0


def main():
    commands = {"make": make, "merge": merge, "table": print_tables, "rst": print_rst,
                "diff": print_diff, "limits": print_limits}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]](*sys.argv[2:]))


main()
