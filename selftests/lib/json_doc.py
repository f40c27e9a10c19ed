#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""json_doc.py JSON_RST "PROGRAM COMMAND" FILE...: checks documents of a command against the tables of
Documentation/json.rst: members that are not there, that should be, and wrong types. Prints one line
per difference; exit status 1 if there was one. json_doc.py JSON_RST --events FILE... does so with the
lines of blklat trace --events."""

import json
import re
import sys


def read_tables(path):
    """{table: [(member, type, optional)]}"""
    tables, name, cells = {}, None, []
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    for line in lines + [""]:
        m = re.match(r"\.\. json: (.*)", line)
        if m:
            name, cells = m[1], []
            tables[name] = []
            continue
        m = re.match(r"   (\* -|  -) (.*)", line)
        if not name or not m:
            continue
        cells = cells if m[1] == "  -" else []
        cells.append(m[2])
        if len(cells) == 2 and cells[0] != "Member":
            kind = cells[1].removesuffix(", optional")
            tables[name].append((cells[0].strip("`"), kind, kind != cells[1]))
    return tables


class Checker:
    """Walks a value along the rows of a table"""

    scalars = {
        "string": lambda v: isinstance(v, str),
        "integer": lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= 0,
        "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
        "boolean": lambda v: isinstance(v, bool),
    }

    def __init__(self, tables):
        self.tables = tables
        self.faults = set()

    def fault(self, where, what):
        self.faults.add(f"{where}: {what}")

    def value(self, where, kind, v, rows, prefix):
        """@rows: the table that may have members of this value, whose names begin with @prefix"""
        if kind.endswith(" or null"):
            if v is None:
                return
            kind = kind.removesuffix(" or null")
        if kind in self.scalars:
            if not self.scalars[kind](v):
                self.fault(where, f"is {v!r}, not of type {kind}")
        elif kind.startswith("map of "):
            for key in v if self.is_a(where, v, dict) else ():
                self.value(f"{where}.{key}", kind[len("map of "):], v[key], [], "")
        elif kind.startswith("array of "):
            for item in v if self.is_a(where, v, list) else ():
                self.value(where + "[]", kind[len("array of "):], item, [], "")
        elif kind == "object":
            self.members(where, v, rows, prefix)
        elif kind.startswith("like "):
            # the members of another row of the same table
            self.members(where, v, rows, kind[len("like "):].strip("`") + ".")
        else:
            self.members(where, v, self.tables[kind], "")

    def is_a(self, where, v, kind):
        if isinstance(v, kind):
            return True
        self.fault(where, f"is {v!r}")
        return False

    def members(self, where, v, rows, prefix):
        if not self.is_a(where, v, dict):
            return
        known = set()
        for member, kind, optional in rows:
            if not member.startswith(prefix):
                continue
            name = member[len(prefix):]
            if name == "*":
                # the members of a shared object, right here
                shared = self.tables[kind]
                self.members_of(where, v, shared, known)
                continue
            if "." in name or "[]." in name:
                continue
            self.member(where, v, name, member, kind, optional, rows, known)
        for key in v.keys() - known:
            self.fault(f"{where}.{key}", "is not documented")

    def members_of(self, where, v, rows, known):
        for member, kind, optional in rows:
            if "." not in member:
                self.member(where, v, member, member, kind, optional, rows, known)

    def member(self, where, v, name, path, kind, optional, rows, known):
        key = name.removesuffix("[]")
        known.add(key)
        if key not in v:
            if not optional:
                self.fault(f"{where}.{key}", "is absent")
            return
        if name.endswith("[]"):
            for item in v[key] if self.is_a(f"{where}.{key}", v[key], list) else ():
                self.value(f"{where}.{name}", kind, item, rows, path + ".")
        else:
            self.value(f"{where}.{key}", kind, v[key], rows, path + ".")


def check_document(checker, command, path):
    try:
        with open(path, encoding="utf-8") as f:
            doc = json.load(f)
    except (OSError, ValueError) as e:
        checker.fault(path, str(e))
        return
    checker.members("", doc, checker.tables["document"] + checker.tables[command], "")
    if not re.fullmatch(command.split()[0] + r"/\d+", str(doc.get("schema"))):
        checker.fault(".schema", f"is {doc.get('schema')!r}")


def check_events(checker, path):
    with open(path, encoding="utf-8") as f:
        head, *lines, end = [json.loads(line) for line in f]
    checker.members("", head, checker.tables["document"] + checker.tables["events"], "")
    for line in lines:
        checker.members("line", line, checker.tables["event"], "")
    checker.members("last", end, checker.tables["events end"], "")


def main():
    command = sys.argv[2]
    checker = Checker(read_tables(sys.argv[1]))
    for path in sys.argv[3:]:
        if command == "--events":
            check_events(checker, path)
        else:
            check_document(checker, command, path)
    print("\n".join(sorted(checker.faults)), end="\n" if checker.faults else "")
    return bool(checker.faults)


sys.exit(main())
