#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""schema_rows.py: prints each member that user/blklat/result/schema.c expects in a result file and
that Documentation/json-tables.rst does not have with that type; exit status 1 if there is one."""

import os
import re
import sys

TREE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
# TYPES says, for each type of schema.c, which types json-tables.rst may give a member. A "[]" in it
# belongs to the member's name.
TYPES = {
    "TEXT": "string( or null)?", "COUNT": "integer", "NUMBER": "number|integer", "FLAG": "boolean",
    "OBJECT": r"[^\[].*", "OBJECTS": r"\[\].*|array of .*", "TEXTS": "array of string",
    "COUNTS": "map of integer", "BUCKETS": "array of array of integer",
}


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as f:
        return f.read()


def documented():
    """{member: [type]} of all objects"""
    types = {}
    rows = re.findall(r"^   \* - ``(?:.*\.)?([^.]*?)(\[\])?``\n     - (.*)$",
                      read("Documentation/json-tables.rst"), re.M)
    for member, array, kind in rows:
        types.setdefault(member, []).append(array + kind.removesuffix(", optional"))
    return types


def main():
    types = documented()
    expected = set(re.findall(r'\{ "(\w+)", ([A-Z]+)', read("user/blklat/result/schema.c")))
    missing = [f"{member}: {kind}" for member, kind in sorted(expected)
               if not any(re.fullmatch(TYPES[kind], t) for t in types.get(member, []))]
    print("\n".join(missing), end="\n" if missing else "")
    return bool(missing) or len(expected) < 50


if __name__ == "__main__":
    sys.exit(main())
