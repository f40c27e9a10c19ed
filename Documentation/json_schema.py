#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""json_schema.py DIR: writes a JSON Schema (draft 7) for the documents of each command to
DIR/COMMAND.schema.json, from the tables of json-tables.rst."""

import json
import os
import re
import sys

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "json-tables.rst")
SCALARS = {
    "string": {"type": "string"},
    "integer": {"type": "integer", "minimum": 0},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
}


def read_tables():
    """Return {table: [(member, type, optional, meaning)]}"""
    tables, rows = {}, None
    with open(TABLES, encoding="utf-8") as f:
        lines = f.read().splitlines()
    for line in lines:
        m = re.match(r"\.\. json: (.*)", line)
        if m:
            rows = tables[m[1]] = []
        elif rows is None or not line.startswith("   ") or line.startswith("   :"):
            # a heading or a paragraph ends a table
            rows = rows if not line or line.startswith(("..", "   :")) else None
        elif line.startswith("   * - "):
            rows.append([line[7:]])
        elif line.startswith("     - "):
            rows[-1].append(line[7:])
        elif rows:
            rows[-1][-1] += " " + line.strip()
    return {name: [row_of(r) for r in rows if r[0] != "Member"] for name, rows in tables.items()}


def row_of(cells):
    member, kind, meaning = cells
    required = kind.removesuffix(", optional")
    return member.strip("`"), required, required != kind, meaning.replace("``", "")


class Schema:
    """Make the schema of one table, with all that it refers to"""

    def __init__(self, tables):
        self.tables = tables
        self.definitions = {}

    def refer(self, table, prefix=""):
        """Return a reference to the members of @table whose names begin with @prefix.

        They may have members like themselves.
        """
        name = re.sub(r"[^a-z_]+", "-", f"{table} {prefix}").strip("-")
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self.members(table, prefix)
        return {"$ref": f"#/definitions/{name}"}

    def value(self, kind, table, prefix):
        """Return the schema of a type as the tables have it.

        An object's members are those of @table that begin with @prefix.
        """
        if kind.endswith(" or null"):
            value = self.value(kind.removesuffix(" or null"), table, prefix)
            return {"anyOf": [{"type": "null"}, value]}
        if kind.startswith("map of "):
            return {"type": "object", "additionalProperties": self.value(kind[7:], table, prefix)}
        if kind.startswith("array of "):
            return {"type": "array", "items": self.value(kind[9:], table, prefix)}
        if kind == "object":
            return self.refer(table, prefix)
        return dict(SCALARS[kind]) if kind in SCALARS else self.refer(kind)

    def members(self, table, prefix=""):
        schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
        for member, kind, optional, meaning in self.tables[table]:
            name = member.removeprefix(prefix)
            if not member.startswith(prefix) or "." in name:
                continue
            if name == "*":  # the members of a shared object, right here
                shared = self.members(kind)
                schema["properties"].update(shared["properties"])
                schema["required"] += shared["required"]
                continue
            key = name.removesuffix("[]")
            value = self.value(kind, table, member + ".")
            if name != key:
                value = {"type": "array", "items": value}
            if "$ref" in value:  # draft 7 ignores what stands beside a reference
                value = {"allOf": [value]}
            schema["properties"][key] = {"description": meaning, **value}
            schema["required"] += [] if optional else [key]
        return schema


def schema_of(tables, title, *parts):
    """Return the schema of a document with the members of these tables"""
    tables = {**tables, title: [row for part in parts for row in tables[part]]}
    schema = Schema(tables)
    root = schema.members(title)
    if "schema" in root["properties"]:
        root["properties"]["schema"]["pattern"] = r"^%s/[0-9]+$" % title.split()[0]
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": title, **root,
            "definitions": schema.definitions}


def documents(tables):
    """(name, tables) of each kind of document; lines of blklat trace --events are three kinds"""
    for name in tables:
        if name.startswith(("blklat ", "blkgen ")):
            yield name, ("document", name)
    yield "blklat events", ("document", "events")
    yield "event", ("event",)
    yield "events end", ("events end",)


def main():
    tables = read_tables()
    for name, parts in documents(tables):
        path = f"{sys.argv[1]}/{name.replace(' ', '-')}.schema.json"
        with open(path, "w", encoding="utf-8") as f:
            json.dump(schema_of(tables, name, *parts), f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    sys.exit(main())
