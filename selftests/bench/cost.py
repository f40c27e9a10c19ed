#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Instructions per I/O by function, of what count.c counted in guests.

make DIR ROWS [DIR ROWS]...	JSON of the sections of these directories, on stdout
table FILE [-n FUNCTIONS]	tables of that JSON: each profile, and what it has above the first
			one of its kernel and load; with several kernels, what differs between them
diff FILE A B [-n FUNCTIONS]	table of what profile B has above A; a profile is KERNEL:STACK:LOAD
between FILE FILE A [-n N]
			table of what profile A of the second file has above that of the first
figure FILE A [--above B] [--function NAME]
			the instructions of profile A, less those of B; or those of one function
			without its callees
rows stacks FILE		lines of the tables of selftests/bench/run
rows layers FILE FILE		the same; the profiles of the first file are traced with --no-cost,
			those of the second with --cost
html FILE [-n FUNCTIONS]	the same tables and flame graphs, as a page
show DIR [-n FUNCTIONS]	tables of a command that vm/run --count DIR counted as a whole

DIR is what vm/run --count made: "raw", which count.c writes; symbols.N, modules.N and maps.N of the
sections, as mark writes them; and "binaries", with lines "PATH-IN-GUEST PATH". ROWS is what
cost-guest prints: a line for each section. Two sections of the same kernel, stack and load with
different numbers of I/Os make a profile: their difference is what each I/O costs.
"""
import bisect
import collections
import json
import os
import re
import subprocess
import sys
import textwrap
import zlib
from html import escape

KERNEL = 0x800000000000
ROOT, USER = 0, 1
# The processor enters the kernel here in the middle of anything, so paths begin anew.
INTERRUPT = re.compile(r"(asm_|__)?(sysvec_|exc_|common_interrupt|spurious_)|irqentry_|error_entry|"
                       r"error_return|paranoid_|__?irq_exit_rcu|handle_softirqs|__do_softirq")
INTERRUPTS = ("interrupts and exceptions", "kernel")
# These only jump to the function whose address they got.
THUNK = re.compile(r"(__pi_)?__x86_(indirect|return)_|srso_|retbleed_")
# BPF programs and trampolines have symbols without a size: code this far behind one is not its own.
# The largest program of blklat has about 10 KiB.
GENERATED = 1 << 15
# An address that is in no code that was there when the symbols were written.
GONE = ("gone code", "kernel", 0)
# A line of nm -S. It has no size for some symbols, mostly of code in assembly.
NM = re.compile(r"([0-9a-f]+) (?:([0-9a-f]+) )?[tTwWi] (.*)")


class Symbols:
    """The names of addresses of the kernel, from lines of /proc/kallsyms and /proc/modules."""

    def __init__(self, path, modules):
        by_address = {}
        # The end of the code of each module, and of the kernel itself
        self.ends = {}
        with open(modules, encoding="utf-8") as f:
            for line in f:
                name, size, _, _, _, address, *_ = line.split()
                self.ends[name] = int(address, 16) + int(size)
        with open(path, encoding="utf-8") as f:
            for line in f:
                address, _, name, *module = line.split()
                module = module[0].strip("[]") if module else "kernel"
                if name == "_etext":
                    self.ends[module] = int(address, 16)
                # A local label or alias is no better than the first name.
                by_address.setdefault(int(address, 16), (name, module))
        self.addresses = sorted(by_address)
        self.by_address = by_address

    def of(self, address):
        i = bisect.bisect_right(self.addresses, address) - 1
        if i < 0:
            return GONE
        start = self.addresses[i]
        name, module = self.by_address[start]
        if address >= self.ends.get(module, start + GENERATED):
            return GONE
        # The tag between "bpf_prog_" and the name is a hash of the program's code.
        return re.sub(r"^bpf_prog_[0-9a-f]{16}_", "bpf_", name), module, start


class Binary:
    """A program or library: its bytes, and the names of its functions."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        with open(path, "rb") as f:
            self.bytes = f.read()
        out = subprocess.run(["nm", "-SC", path], capture_output=True, text=True,
                             check=False).stdout
        out = out or subprocess.run(["nm", "-SDC", path], capture_output=True, text=True,
                                    check=False).stdout
        rows = (NM.fullmatch(line) for line in out.splitlines())
        self.symbols = sorted((int(r[1], 16), int(r[2] or "0", 16), r[3]) for r in rows if r)
        self.starts = [start for start, _, _ in self.symbols]

    def of(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0:
            return 0, "?"
        start, size, name = self.symbols[i]
        return (start, name) if not size or address < start + size else (0, "?")


class Programs:
    """The code of user space, from lines "PID FROM-TO r-xp OFFSET ..." of mark."""
    binaries = {}

    def __init__(self, maps, files):
        self.maps = []
        with open(maps, encoding="utf-8") as f:
            for line in f:
                _, span, _, offset, _, _, path = line.split(None, 6)
                path = files(path.strip())
                if path:
                    start, end = (int(x, 16) for x in span.split("-"))
                    self.maps.append((start, end, int(offset, 16), path))

    def of(self, address, size, crc):
        for start, end, offset, path in self.maps:
            if not start <= address < end:
                continue
            at = address - start + offset
            binary = self.binaries.get(path)
            if not binary:
                binary = self.binaries[path] = Binary(path)
            if zlib.crc32(binary.bytes[at:at + size]) == crc:
                entry, name = binary.of(at)
                return name, binary.name, address - at + entry
        return "other programs", "user", 0


def file_of(directory):
    """A function that finds the file of this machine for a path of the guest."""
    with open(os.path.join(directory, "binaries"), encoding="utf-8") as f:
        prefixes = [line.split() for line in f]

    def find(path):
        for prefix, here in prefixes:
            if path.startswith(prefix):
                found = here + path[len(prefix):]
                return found if os.path.isfile(found) else None
        return None
    return find


class Section:
    """Executed instructions by path: {(function, ...): [self, calls]}. A function is a pair of
    name and module."""

    def __init__(self, symbols, programs):
        self.symbols, self.programs = symbols, programs
        self.nodes = {}
        # The instructions in user space, which are in paths as well
        self.user = 0
        self.paths = collections.defaultdict(lambda: [0, 0])
        self.path_of = {ROOT: (), USER: ()}

    def path(self, node):
        """The functions that were called to get to a node, it included."""
        if node not in self.path_of:
            parent, site, entry = self.nodes[node]
            # The function that called it has no node if it was reached by a jump itself.
            caller = self.running(self.path(parent), self.symbols.of(site)[:2])
            self.path_of[node] = self.extend(caller, self.symbols.of(entry)[:2])
        return self.path_of[node]

    @classmethod
    def running(cls, path, function):
        """The path of a function that runs in the node of a path: it was called, or reached by a
        jump."""
        return path if path and path[-1] == function else cls.extend(path, function)

    @staticmethod
    def extend(path, function):
        if INTERRUPT.match(function[0]):
            return (INTERRUPTS, function)
        if path and THUNK.match(path[-1][0]):
            path = path[:-1]
        return path + (function,)

    def block(self, node, address, insns, size, crc, executions):
        if address < KERNEL:
            name, module, start = self.programs.of(address, size, crc)
            self.user += insns * executions
        else:
            name, module, start = self.symbols.of(address)
        count = self.paths[self.running(self.path(node), (name, module))]
        count[0] += insns * executions
        count[1] += executions if address == start else 0


class Names:
    """The symbols and programs of the sections: those that were written next after a section."""

    def __init__(self, directory):
        self.directory, self.files = directory, file_of(directory)
        self.numbers = sorted(int(name.split(".")[1]) for name in os.listdir(directory)
                              if name.startswith("symbols."))
        self.number, self.names = None, None

    def of(self, section):
        """The names of a section; None if the count was interrupted before they were written."""
        number = next((n for n in self.numbers if n >= section), None)
        if number is None:
            return None
        if number != self.number:
            self.number = number
            self.names = (Symbols(f"{self.directory}/symbols.{number}",
                                  f"{self.directory}/modules.{number}"),
                          Programs(f"{self.directory}/maps.{number}", self.files))
        return self.names


def sections(directory):
    """Yields each section of a directory that vm/run --count made, and has names."""
    section, names = None, Names(directory)
    with open(f"{directory}/raw", encoding="utf-8") as f:
        for line in f:
            kind, *rest = line.split()
            if kind == "section":
                if section:
                    yield section
                found = names.of(int(rest[0]))
                if not found:
                    return
                section = Section(*found)
            elif kind == "node":
                section.nodes[int(rest[0])] = int(rest[1]), int(rest[2], 16), int(rest[3], 16)
            else:
                section.block(int(rest[0]), int(rest[1], 16), int(rest[2]), int(rest[3]),
                              int(rest[4], 16), int(rest[5]))
    if section:
        yield section


def difference(short, long, ios):
    """Return the cost of one I/O by path; long has ios more I/Os than short."""
    paths = {}
    for path in sorted(long.paths.keys() | short.paths.keys()):
        per = [(b - a) / ios for a, b in zip(short.paths.get(path, (0, 0)),
                                             long.paths.get(path, (0, 0)))]
        if abs(per[0]) >= 0.005:
            paths[path] = per
    return paths


def profile_of(kernel, stack, load, ios, clock, user, paths):
    return {
        "kernel": kernel, "stack": stack, "load": load, "ios": ios,
        "instructions": round(sum(own for own, _ in paths.values()), 2),
        "user": round(user, 2), "clock": clock,
        "paths": [{"path": [f"{n} [{m}]" if m != "kernel" else n for n, m in path],
                   "self": round(own, 2), "calls": round(calls, 3)}
                  for path, (own, calls) in paths.items()]}


def profiles_of(directory, rows):
    """Yields the profiles of a directory: of each pair of a short and a long section."""
    waiting = {}
    with open(rows, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    for section, (*key, ios, ns) in zip(sections(directory), rows):
        key, ios, ns = tuple(key), int(ios), int(ns)
        if key not in waiting:
            waiting[key] = section, ios, ns
            continue
        short, short_ios, short_ns = waiting.pop(key)
        more = ios - short_ios
        yield profile_of(*key, more, round((ns - short_ns) / more, 2),
                         (section.user - short.user) / more, difference(short, section, more))


def make(*pairs):
    profiles = []
    for directory, rows in zip(pairs[::2], pairs[1::2]):
        profiles += profiles_of(directory, rows)
    json.dump({"format": 1, "profiles": profiles}, sys.stdout, indent=0)
    print()


def show(directory, *args):
    for section in sections(directory):
        profile = profile_of("command", "all", "once", 1, None, section.user, section.paths)
        print_change(Change(profile), top_of(args))


def functions(profile):
    """{function: [self, with callees, calls]} of a profile."""
    out = collections.defaultdict(lambda: [0, 0, 0])
    for p in profile["paths"]:
        f = out[p["path"][-1]]
        f[0] += p["self"]
        f[2] += p["calls"]
        for name in set(p["path"]):
            out[name][1] += p["self"]
    return out


def read_groups():
    """The table of groups: [(name, pattern)]."""
    rows = []
    with open(os.path.join(os.path.dirname(__file__), "cost-groups"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                name, patterns = line.rstrip("\n").split("\t")
                rows.append((name, re.compile("|".join(f"(?:{p})" for p in patterns.split()))))
    return rows


GROUPS = read_groups()
OTHER = "in no group"


def group_of(function):
    return next((name for name, pattern in GROUPS if pattern.fullmatch(function.replace(" ", ""))),
                OTHER)


class Change:
    """The difference of a profile to a base profile, or the whole profile if there is no base."""

    def __init__(self, profile, base=None):
        self.profile, self.base = profile, base
        self.ours = functions(profile)
        self.theirs = functions(base) if base else {}
        self.names = sorted(self.ours.keys() | self.theirs.keys(),
                            key=lambda n: (-abs(self.weight(n)), n))

    def own(self, name):
        return self.ours.get(name, (0, 0, 0))

    def weight(self, name):
        """Return how much more a function costs than in the base; without a base, its cost."""
        return self.own(name)[0] - self.theirs.get(name, (0, 0, 0))[0]

    def above(self, name):
        return self.weight(name) if self.base else 0

    def groups(self):
        """[(group, self, above)], the largest first."""
        own, above = collections.Counter(), collections.Counter()
        for name in self.names:
            own[group_of(name)] += self.own(name)[0]
            above[group_of(name)] += self.above(name)
        return sorted(((g, own[g], above[g]) for g in own),
                      key=lambda r: -abs(r[2] if self.base else r[1]))

    def in_no_group(self):
        """The functions of no group that make at least a thousandth."""
        least = max(1, self.profile["instructions"] / 1000)
        return [n for n in self.names if group_of(n) == OTHER and abs(self.weight(n)) >= least]

    def title(self):
        p, b = self.profile, self.base
        text = f"{name_of(p)}: {p['instructions']:,.0f} instructions per I/O"
        if b:
            what = b["stack"] if same_but_stack(p, b) else name_of(b)
            text += f", {p['instructions'] - b['instructions']:+,.0f} above {what}"
        return text


def name_of(profile):
    return f"{profile['kernel']}:{profile['stack']}:{profile['load']}"


def same_but_stack(p, b):
    return (p["kernel"], p["load"]) == (b["kernel"], b["load"])


def figure(value, sign=False):
    return f"{value:{'+' if sign else ''},.0f}" if abs(value) >= 0.5 else "-"


def print_change(change, top):
    print(f"\n{change.title()}")
    if change.profile["clock"]:
        print(f"(by the guest's clock {change.profile['clock']:,.1f})")
    print(f"\n{'group':40} {'self':>10} {'above':>10}")
    for name, own, above in change.groups():
        print(f"{name:40} {figure(own):>10} {figure(above, True):>10}")
    print(f"\n{'function':44} {'calls':>7} {'self':>7} {'callees':>8} {'above':>7}")
    for name in change.names[:top]:
        own, every, calls = change.own(name)
        print(f"{name[:44]:44} {calls:7.2f} {figure(own):>7} {figure(every - own):>8} "
              f"{figure(change.above(name), True):>7}")
    if change.in_no_group():
        print(textwrap.fill("in no group: " + " ".join(change.in_no_group()), 79))


def plain(name):
    """The name without suffixes of the compiler or configuration, which other kernels may lack."""
    return re.sub(r"\.(isra|constprop|part|cold)(\.\d+)?|_noprof\b", "", name)


def with_plain_names(profile):
    return {**profile, "paths": [{**p, "path": [plain(n) for n in p["path"]]}
                                 for p in profile["paths"]]}


def by_kernel(profiles):
    """Yields for each stack and load that several kernels have: a title, the kernels, the sums, and
    rows of function and self by kernel, those that differ most first. For all stacks but the first
    one, the figures are the instructions above the first stack."""
    keys = dict.fromkeys((p["stack"], p["load"]) for p in profiles)
    for stack, load in keys:
        changes = {p["kernel"]: Change(p, base_of(p, profiles)) for p in profiles
                   if (p["stack"], p["load"]) == (stack, load)}
        if len(changes) < 2:
            continue
        rows = collections.defaultdict(collections.Counter)
        for kernel, change in changes.items():
            for name in change.names:
                rows[plain(name)][kernel] += change.weight(name)
        order = sorted(rows, key=lambda n: -spread(rows[n], changes))
        sums = {k: sum(c.weight(n) for n in c.names) for k, c in changes.items()}
        base = next(iter(changes.values())).base
        title = f"{stack}:{load}" + (f", above {base['stack']}" if base else "")
        yield title, list(changes), sums, [(n, rows[n]) for n in order
                                           if spread(rows[n], changes) >= 1]


def spread(row, kernels):
    return max(row[k] for k in kernels) - min(row[k] for k in kernels)


def print_kernels(profiles, top):
    for title, kernels, sums, rows in by_kernel(profiles):
        print(f"\n{title}: what differs between kernels")
        print(f"{'function':44}" + "".join(f"{k:>9}" for k in kernels))
        print(f"{'all':44}" + "".join(f"{figure(sums[k], True):>9}" for k in kernels))
        for function, row in rows[:top]:
            print(f"{function[:44]:44}" + "".join(f"{figure(row[k], True):>9}" for k in kernels))


def load_profiles(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)["profiles"]


def base_of(profile, profiles):
    """The first profile of the same kernel and load; None for that one itself."""
    base = next(p for p in profiles if same_but_stack(p, profile))
    return None if base is profile else base


def find(profiles, name):
    found = [p for p in profiles if name_of(p).startswith(name)]
    if len(found) != 1:
        sys.exit(f"cost.py: {'no' if not found else 'more than one'} profile '{name}'; there are: "
                 f"{' '.join(name_of(p) for p in profiles)}")
    return found[0]


def print_row(table, name, whose, **values):
    print("row", table, name, whose, *(f"{k}={v:.2f}" for k, v in values.items()), sep="\t")


def stacks_rows(path):
    of = {(p["stack"], p["load"]): p["instructions"] for p in load_profiles(path)}
    if ("raw", "randread") not in of or ("raw", "floor") not in of:
        sys.exit("cost.py: there is no figure of raw")
    for stack in dict.fromkeys(stack for stack, _ in of):
        if (stack, "randread") in of and (stack, "floor") in of:
            extra, floor = (of[stack, x] - of["raw", x] for x in ("randread", "floor"))
            print_row("stacks", stack, "base", extra=extra, instructions=of[stack, "randread"],
                      floor=floor)


def traced(path):
    """Return {stack: (extra, extra in the kernel, in all)} of the instructions with tracing."""
    of = {p["stack"]: p for p in load_profiles(path)}
    out = {}
    for stack, before in of.items():
        with_trace = of.get(stack + "+trace")
        if with_trace:
            extra, user = (with_trace[k] - before[k] for k in ("instructions", "user"))
            out[stack] = extra, extra - user, with_trace["instructions"]
    return out


def layers_rows(no_cost, cost):
    of, with_cost = traced(no_cost), traced(cost)
    if "raw" not in of:
        sys.exit("cost.py: there is no figure of raw")
    for stack in (s for s in of if s in with_cost):
        extra, kernel, instructions = of[stack]
        number = re.search(r"-(\d+)$", stack)
        layers = int(number[1]) if number else int(stack != "raw")
        per = {"layer": (extra - of["raw"][0]) / layers,
               "layer_kernel": (kernel - of["raw"][1]) / layers} if layers else {}
        print_row("layers", stack, "ours", extra=extra, kernel=kernel, **per,
                  cost=with_cost[stack][0], instructions=instructions)


def bench_rows(table, *paths):
    {"stacks": stacks_rows, "layers": layers_rows}[table](*paths)


def top_of(args):
    return int(args[args.index("-n") + 1]) if "-n" in args else 25


def table(path, *args):
    profiles = load_profiles(path)
    for p in profiles:
        print_change(Change(p, base_of(p, profiles)), top_of(args))
    print_kernels(profiles, top_of(args))


def diff(path, a, b, *args):
    profiles = load_profiles(path)
    print_change(Change(find(profiles, b), find(profiles, a)), top_of(args))


# --- flame graphs

WIDTH, ROW = 1180, 17
# A character is about this wide.
CHARACTER = 6.3


def figure_of(path, name, *args):
    options = dict(zip(args[::2], args[1::2]))
    profiles = load_profiles(path)
    profile = find(profiles, name)
    if "--function" in options:
        wanted = options["--function"]
        found = [own for f, (own, _, _) in functions(profile).items()
                 if plain(f.split(" ")[0]) == wanted]
        print(round(sum(found), 2))
        return
    above = find(profiles, options["--above"])["instructions"] if "--above" in options else 0
    print(round(profile["instructions"] - above, 2))


def between(before, after, name, *args):
    profiles = [dict(find(load_profiles(path), name), kernel=kernel)
                for path, kernel in ((before, "before"), (after, "after"))]
    print_change(Change(profiles[1], profiles[0]), top_of(args))


def tree_of(profile):
    """{name: [total, own, subtree]} of the paths."""
    root = {}
    for p in profile["paths"]:
        at = root
        for name in p["path"]:
            node = at.setdefault(name, [0, 0, {}])
            node[0] += p["self"]
            at = node[2]
        node[1] += p["self"]
    return root


def colour(change, name):
    """Return grey for what the base has as well, red for more than that, blue for less."""
    above = change.above(name)
    if not change.base:
        return f"hsl({20 + zlib.crc32(name.encode()) % 35},75%,70%)"
    if abs(above) < 1:
        return "#e8e8e8"
    light = 85 - 35 * min(1, abs(above) / 100)
    return f"hsl({0 if above > 0 else 215},80%,{light:.0f}%)"


def boxes(tree, change, left, depth, scale):
    """Yields the boxes of a tree: x, y, width, name, text on it, colour."""
    for name, (total, own, below) in sorted(tree.items(), key=lambda t: -t[1][0]):
        width = total * scale
        if width < 0.4:
            continue
        text = f"{name}: {total:,.0f} with callees, {own:,.0f} here"
        if change.base:
            text += f"; the function {change.above(name):+,.0f} above {name_of(change.base)}"
        yield left, depth, width, name, text, colour(change, name)
        yield from boxes(below, change, left, depth + 1, scale)
        left += width


def svg(change):
    tree = tree_of(change.profile)
    scale = WIDTH / sum(max(total, 0) for total, _, _ in tree.values())
    drawn = list(boxes(tree, change, 0, 0, scale))
    height = (max(b[1] for b in drawn) + 1) * ROW
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           f'viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="10.5">']
    for x, depth, width, name, text, fill in drawn:
        label = name[:int((width - 4) / CHARACTER)] if width > 3 * CHARACTER else ""
        out.append(f'<g><title>{escape(text)}</title><rect x="{x:.1f}" y="{depth * ROW}" '
                   f'width="{width:.1f}" height="{ROW - 1}" fill="{fill}"/>'
                   f'<text x="{x + 2:.1f}" y="{depth * ROW + 12}">{escape(label)}</text></g>')
    return "\n".join(out + ["</svg>"])


STYLE = """body { font: 14px sans-serif; max-width: 1200px; margin: 1em auto; padding: 0 1em }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: 1px 10px; text-align: right }
td:first-child, th:first-child { text-align: left; font-family: monospace }
tr:nth-child(even) { background: #f4f4f4 } .wide { overflow-x: auto }"""


def html_table(heads, rows):
    out = ["<table><tr>" + "".join(f"<th>{escape(h)}</th>" for h in heads) + "</tr>"]
    out += ["<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows]
    return "\n".join(out + ["</table>"])


def html_flames(change):
    print('<div class="wide">' + svg(change) + "</div>")
    if change.base:
        print(f"<p>Red: the function costs more than in {escape(name_of(change.base))}, wherever "
              "it is called; blue: less; grey: as much.</p>")


def html_change(change, top):
    print(f"<h2>{escape(change.title())}</h2>")
    print(html_table(("group", "self", "above"),
                     [(g, figure(own), figure(above, True)) for g, own, above in change.groups()]))
    html_flames(change)
    print(html_table(("function", "calls", "self", "callees", "above"),
                     [(n, f"{change.own(n)[2]:.2f}", figure(change.own(n)[0]),
                       figure(change.own(n)[1] - change.own(n)[0]), figure(change.above(n), True))
                      for n in change.names[:top]]))


def html(path, *args):
    profiles = load_profiles(path)
    print(f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>make cost</title>'
          f"<style>{STYLE}</style></head><body><h1>Instructions per I/O, by function</h1>")
    for title, kernels, sums, rows in by_kernel(profiles):
        print(f"<h2>{escape(title)}: what differs between kernels</h2>")
        print(html_table(("function", *kernels), [
            ("all", *(figure(sums[k], True) for k in kernels)),
            *((f, *(figure(row[k], True) for k in kernels)) for f, row in rows[:top_of(args)])]))
    for p in profiles:
        first = next(q for q in profiles if (q["stack"], q["load"]) == (p["stack"], p["load"]))
        if first is not p:
            change = Change(with_plain_names(p), with_plain_names(first))
            print(f"<h2>{escape(change.title())}</h2>")
            html_flames(change)
    for p in profiles:
        html_change(Change(p, base_of(p, profiles)), top_of(args))
    print("</body></html>")


if __name__ == "__main__":
    COMMANDS = {"make": make, "table": table, "diff": diff, "html": html, "show": show,
                "figure": figure_of, "between": between, "rows": bench_rows}
    COMMANDS[sys.argv[1]](*sys.argv[2:])
