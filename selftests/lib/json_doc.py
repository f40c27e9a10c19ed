#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""json_doc.py "PROGRAM COMMAND" FILE...: checks documents of a command against the JSON Schema that
Documentation/json_schema.py makes of json-tables.rst. Prints the first fault of each; exit status 1
if there was one. json_doc.py --events FILE... does so with the lines of blklat trace --events.
json_doc.py --compile DIR: writes the checks of all documents to DIR, as Python programs and as
bytecode."""

import importlib.util
import json
import os
import py_compile
import sys

import fastjsonschema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Documentation"))
# pylint: disable=wrong-import-position
import json_schema  # noqa: E402

# The selftests' Makefile compiles the schemas into programs and bytecode in this directory. In a
# guest each test would spend seconds on both: a program has up to 900,000 characters, and a guest
# cannot write bytecode to this directory.
COMPILED = os.path.join(os.environ.get("OUT", ""), "selftests/json")


def path_of(directory, name):
    return os.path.join(directory, name.replace(" ", "_") + ".py")


def compile_all(directory):
    tables = json_schema.read_tables()
    for name, parts in json_schema.documents(tables):
        path = path_of(directory, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(fastjsonschema.compile_to_code(json_schema.schema_of(tables, name, *parts)))
        py_compile.compile(path, doraise=True,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def load(name):
    """The function that checks a document of this kind"""
    path = path_of(COMPILED, name)
    if not os.path.exists(path):
        tables = json_schema.read_tables()
        parts = dict(json_schema.documents(tables))[name]
        return fastjsonschema.compile(json_schema.schema_of(tables, name, *parts))
    spec = importlib.util.spec_from_file_location("compiled", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.validate


def fault_of(check, text):
    try:
        check(json.loads(text))
    except (ValueError, fastjsonschema.JsonSchemaException) as e:
        return str(e)
    return None


def check_events(path):
    with open(path, encoding="utf-8") as f:
        head, *lines, end = f
    yield fault_of(load("blklat events"), head)
    check = load("event")
    yield from (fault_of(check, line) for line in lines)
    yield fault_of(load("events end"), end)


def check_document(command, path):
    with open(path, encoding="utf-8") as f:
        yield fault_of(load(command), f.read())


def main():
    command, *files = sys.argv[1:]
    if command == "--compile":
        return compile_all(files[0])
    faults = set()
    for path in files:
        if command == "--events":
            found = check_events(path)
        else:
            found = check_document(command, path)
        faults |= {f"{path}: {fault}" for fault in found if fault}
    print("\n".join(sorted(faults)), end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
