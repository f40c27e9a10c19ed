#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print pages that are made of the tables in the code.

Usage: tables.py stages > Documentation/stage-tables.rst
       tables.py fio > Documentation/man/blkgen-fio.5.rst
       tables.py json > Documentation/json-tables.rst
       tables.py stacks > Documentation/man/stacks.inc
"""
import ast
import glob
import os
import re
import shlex
import subprocess
import sys
import textwrap

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The programs that the macros of a bpf file make: (macro, (program, section)...)
DRIVER_MACROS = (
    ("DRV_QUEUE_RQ", (("{}_queue_rq_enter", "fentry"), ("{}_queue_rq_exit", "fexit"))),
    ("DRV_QUEUE_RQS", (("{}_queue_rqs_enter", "fentry"), ("{}_queue_rqs_exit", "fexit"))),
    ("DRV_COMMIT_RQS", (("{}_commit_rqs_exit", "fexit"),)),
    ("STARTS", (("start_{}", "fentry"),)),
)
TYPES = {"tp_btf": "tracepoint", "raw_tp": "raw tracepoint", "fentry": "fentry", "fexit": "fexit"}


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as f:
        return f.read()


def preprocess(text):
    """The text after the C preprocessor, with string literals that follow one another joined."""
    command = shlex.split(os.environ.get("CC", "gcc"))
    command += ["-E", "-P", "-x", "c", "-I" + TREE + "/bpf", "-"]
    out = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, text=True).stdout
    return re.sub(r'"\s+"', "", out)


def rows(macro, columns):
    """Rows of an X-macro of a header of bpf/.

    columns: names of its arguments, '#' before those that are no strings
    """
    args = ", ".join(c.lstrip("#") for c in columns)
    values = " ROWSEP ".join(c for c in columns)
    text = preprocess('#include "blklat.h"\n'
                      '#define ROW(%s) ROWBEGIN %s ROWEND\n'
                      'TABLE %s(ROW)\n' % (args, values, macro))
    text = text[text.index("TABLE"):]
    found = re.findall(r"ROWBEGIN (.*?) ROWEND", text, re.S)
    return [[cell.strip().strip('"') for cell in row.split("ROWSEP")] for row in found]


def sections():
    """Return where each BPF program is attached: {program: (type, symbol)}"""
    found = {}
    one = re.compile(r'SEC\("\??(\w+)/(\w+)"\)\s*int \w+_PROG\((\w+)')
    for path in sorted(glob.glob(TREE + "/bpf/*.bpf.[ch]")):
        text = read(path)
        for kind, symbol, prog in one.findall(text):
            found[prog] = (TYPES[kind], symbol)
        for macro, programs in DRIVER_MACROS:
            for name, symbol in re.findall(r"^%s\((\w+), (\w+)" % macro, text, re.M):
                for prog, kind in programs:
                    found[prog.format(name)] = (kind, symbol)
    return found


def initializer(path, head):
    """Return the defines of a file, and the rows of one of its tables, preprocessed."""
    text = read(path)
    begin = text.index("{", text.index(head)) + 1
    defines = "\n".join(re.findall(r"^#define .*", text, re.M))
    table = text[begin:text.index("\n};", begin)]
    return preprocess(defines + "\nTABLE " + table).split("TABLE", 1)[1]


def hooks():
    table = initializer("user/blklat/collect/hooks.c", "struct hook hooks[]")
    attached = sections()
    out = []
    for prog, family, marks, without, instead_of in re.findall(
            r'\{ "(\w+)", (NULL|"[^"]+"), "(\w*)", (NULL|"[^"]+")'
            r'(?:,\s*\.instead_of = "(\w+)")?', table):
        kind, symbol = attached[prog]
        required = f"required instead of {literal(instead_of)}" if instead_of else "required"
        out.append([literal(prog), family.strip('"').replace("NULL", "all"), kind, literal(symbol),
                    marks or "\\-", without.strip('"').replace("NULL", required)])
    if len(out) != table.count("{"):
        sys.exit("tables.py: a row of hooks[] cannot be read")
    # The programs of cost.bpf.c are not attached by hooks[].
    without_row = [p for p in attached if literal(p) not in [row[0] for row in out]
                   and not p.startswith("cost_")]
    if without_row:
        sys.exit(f"tables.py: no row in hooks[] for {', '.join(without_row)}: never loaded")
    return out


def split(text):
    """Return the items of an initializer: what commas part outside of braces and strings."""
    items, depth, item = [], 0, ""
    for token in re.findall(r'"(?:\\.|[^"\\])*"|.', text + ",", re.S):
        depth += (token == "{") - (token == "}")
        if token == "," and depth == 0:
            items.append(item.strip())
            item = ""
        else:
            item += token
    return [item for item in items if item]


def braced(text):
    return split(text.strip()[1:-1])


def member(text):
    return ".".join(part.strip('"') for part in braced(text))


def links():
    out = []
    for row in split(initializer("user/blklat/collect/links.c", "links_table[]")):
        end_io, module, _, below, derefs = braced(row.split("=", 1)[-1])[:5]
        within = member(below)
        way = ["the bio lies in " + literal(within) if within else literal("bi_private")]
        way += [literal(member(d)) for d in braced(derefs)]
        out.append([literal(end_io.strip('"')), module.strip('"').replace("NULL", "the kernel"),
                    ", then ".join(way)])
    return out


def literal(text):
    return "``%s``" % text


def sentence(text):
    """A doc string as a sentence; names of functions keep their case."""
    name = re.match(r"[\w-]*[_-]\w|null|dm |md ", text)
    return (text[:1] if name else text[:1].upper()) + text[1:] + "."


def print_table(title, widths, head, body):
    print("%s\n%s\n" % (title, "=" * len(title)))
    print(".. list-table::\n   :header-rows: 1\n   :widths: %s\n" % widths)
    for row in [head] + body:
        for i, cell in enumerate(row):
            print("   %s %s" % ("* -" if i == 0 else "  -", cell))
    print()


def text(item):
    """Return the string of an initializer, None for NULL."""
    return None if item == "NULL" else ast.literal_eval(item)


FIO_HEAD = """.. SPDX-License-Identifier: GPL-2.0
.. Written by Documentation/tables.py: do not edit.

==========
blkgen-fio
==========

-------------------------------------------------
the keys of fio's job files, as blkgen takes them
-------------------------------------------------

:Manual section: 5
:Manual group: blklat

SYNOPSIS
========

**blkgen load --job** *FILE* [*DEV*]...

DESCRIPTION
===========

With **--job**, blkgen takes the job files of fio: sections that are jobs, [global], comments
(; and #), ${NAME} from the environment, $ncpus, $pagesize and $mb_memory, and fio's suffixes. In
fio all numbers take suffixes: with kb_base=1024, its default, rate_iops=1k is 1024.

Defaults are those of fio, not those of blkgen: sequential reads through the page cache, one at a
time, of 4 KiB, once over the device. Each job runs on the devices that it names. blkgen makes no
files; jobs with files run on *DEV*, if it is given. The file can never allow writing; only the
option **--write** can.

If blkgen does not know a key, or cannot follow its value, it refuses the file, prints the line, and
runs nothing. If blkgen runs something in another way than fio, but the load is the same for most
purposes, it prints a line that says so. The jobs up to a *stonewall* run at the same time.
"""

# The page of fio's keys has these sections, each for keys that blkgen handles in the same way.
FIO_SECTIONS = (
    ("KEYS THAT BECOME OPTIONS", ("TAKEN",),
     "The option of **blkgen load** that a key becomes stands first."),
    ("KEYS WITH SOME VALUES ONLY", ("ONLY", "WRITES"),
     "Any other value is refused, as it would make another load."),
    ("KEYS THAT MAKE NO DIFFERENCE", ("IGNORED", "NOTED"),
     "blkgen ignores these keys."),
    ("KEYS THAT ARE REFUSED", ("NAMED", "REFUSED"),
     "A file with one of these keys is not run."),
)


def fio_key(name, alias, kind, what, doc):
    """An entry of a definition list."""
    names = "**%s**" % name + (", **%s**" % alias if alias else "")
    values = "not set" if what == "" else ""
    if what:
        values = " or ".join("**%s**" % v for v in what.split("|"))
    says = {
        "TAKEN": "**%s**" % what if what and what.startswith("-") else what,
        "ONLY": "Only %s" % values,
        "WRITES": "Only %s, if the job writes" % values,
        "NOTED": "blkgen says so",
        "NAMED": "Refused unless the command line names devices",
    }.get(kind, "")
    body = ": ".join(p for p in (says, doc) if p)
    return names + "\n" + textwrap.fill(body, 98, initial_indent="    ", subsequent_indent="    ")


def print_fio():
    keys = []
    for row in split(initializer("user/blkgen/fio/jobfile_keys.c", "struct key keys[]")):
        name, alias, kind, what, _, doc = braced(row)
        keys.append((text(name), text(alias), kind, text(what), text(doc)))
    print(FIO_HEAD, end="")
    for title, kinds, intro in FIO_SECTIONS:
        print("\n%s\n%s\n\n%s\n" % (title, "=" * len(title), intro))
        print("\n\n".join(fio_key(n, a, k, w, d) for n, a, k, w, d in keys if k in kinds))
    print("\nSEE ALSO\n========\n\n**blkgen-load**\\ (1), **fio**\\ (1)")


WRITTEN = """.. SPDX-License-Identifier: GPL-2.0
.. Written by Documentation/tables.py: do not edit.
"""

JSON_HEAD = """
=====================
Tables of JSON output
=====================

These tables are those of the comments beside the code that writes the members, and of the options
of ``user/blkgen/load/cfg.c``. json.rst says how to read them.
"""

# The documents in the order of the page, with their titles if these are not their names. The
# objects that several documents or objects have follow.
DOCUMENTS = {
    "document": "Every document", "blklat trace": "", "events": "Single I/Os: first line",
    "event": "Single I/Os: line of an I/O", "events end": "Single I/Os: last line",
    "blklat probe": "", "blklat stuck": "", "blklat topo": "", "blklat report": "",
    "blklat record": "", "blklat compare": "", "blklat diff": "", "blkgen load": "",
    "blkgen log": "",
}
# The type in JSON of an option; all others are integers
OPTION_TYPES = {"OPT_FLAG": "boolean", "OPT_ENUM": "string", "OPT_STRING": "string"}


def option_members():
    """The members of JSON that are made from the options of a load"""
    for row in split(initializer("user/blkgen/load/cfg.c", "struct opt load_opts[]")):
        meaning = re.search(r'\.result = ("(?:\\.|[^"\\])*")', row)
        if not meaning:
            continue
        name, _, kind = braced(row)[:3]
        key = text(name).replace("-", "_") + ("_ns" if kind == "OPT_TIME" else "")
        yield key, OPTION_TYPES.get(kind, "integer"), text(meaning[1])


def json_members(where, body):
    """Return the text and the members of a comment: (text, [(member, type, meaning)])"""
    members, text = [], None
    for line in body.splitlines():
        line = line.removeprefix(" *").removeprefix(" ")
        member = re.fullmatch(r"@(\S+): ([^:]+): (\S.*)", line)
        if text is None and member:
            members.append(member.groups())
        elif text is None and line.startswith("\t") and members:
            members[-1] = (*members[-1][:2], members[-1][2] + " " + line.strip())
        elif line.startswith("@") or (text is None and line):
            sys.exit(f"tables.py: {where}: '{line}' is neither '@member: type: meaning', nor goes "
                     "on with it after a tab; text needs an empty line before it")
        else:
            text = f"{text or ''} {line}".strip()
    names = [name for name, _, _ in members if name != "*"]
    if len(names) > len(set(names)):
        sys.exit(f"tables.py: {where}: a member is there twice")
    return text, members


def json_objects():
    """The documents and objects of JSON: {name: (text, members)}

    A comment beside the code that writes an object has a line for each member, and may have text
    after an empty line.
    """
    found = {"options": ('Most options of a load; the others are members of "Load options".',
                         list(option_members()))}
    title = " * Members of the JSON "
    comment = re.compile(r'^/\*\n \* Members of the JSON (document|object) "([^"]*)":\n'
                         r"(.*?)^ \*/$", re.S | re.M)
    for path in sorted(glob.glob(TREE + "/user/**/*.c", recursive=True)):
        comments = comment.findall(read(path))
        if len(comments) != read(path).count(title):
            sys.exit(f'tables.py: {path}: a comment does not begin with "{title}object "NAME":" or '
                     'document')
        for kind, name, body in comments:
            where = f"{path}: JSON {kind} {name}"
            if name in found:
                sys.exit(f"tables.py: {where}: it is there already")
            if (kind == "document") != (name in DOCUMENTS):
                sys.exit(f"tables.py: {where}: DOCUMENTS has the documents, all else are objects")
            found[name] = json_members(where, body)
    return found


def base(kind):
    """Return the object or simple type that a member has, or has many of"""
    return re.sub(r"(map of|array of) |, optional$| or null", "", kind)


def json_check(objects):
    """End if a type is not known, or an object or document is missing or not used."""
    known = {"string", "integer", "number", "boolean", *objects}
    used = set(DOCUMENTS)
    for name, (_, members) in objects.items():
        for member, kind, _ in members:
            if base(kind) not in known:
                sys.exit(f'tables.py: JSON object {name}: @{member}: no type or object "{kind}"')
            if base(kind) != name:
                used.add(base(kind))
    for name in {*DOCUMENTS, *objects}:
        if name not in objects:
            sys.exit(f'tables.py: no comment has the members of the JSON document "{name}"')
        if name not in used:
            sys.exit(f'tables.py: JSON object {name}: no member has it')


def inlined(objects):
    """The objects that are a member of one other object only, and have no text

    Their members stand in the table of that object.
    """
    used = [(member, kind.removesuffix(", optional"))
            for _, members in objects.values() for member, kind, _ in members]
    kinds = [base(kind) for _, kind in used]
    return {kind for member, kind in used if kinds.count(kind) == 1 and member != "*"
            and kind in objects and not objects[kind][0]}


def json_rows(objects, inline, name, prefix=""):
    """The rows of the table of an object, with the members of the objects that only it has"""
    for member, kind, meaning in objects[name][1]:
        if base(kind) not in inline:
            yield literal(prefix + member), kind, meaning
            continue
        yield literal(prefix + member), kind.replace(base(kind), "object"), meaning
        yield from json_rows(objects, inline, base(kind), prefix + member + ".")


def print_json():
    objects = json_objects()
    json_check(objects)
    inline = inlined(objects)
    shared = sorted(set(objects) - inline - set(DOCUMENTS))

    print(WRITTEN + JSON_HEAD, end="")
    for name in [*DOCUMENTS, *shared]:
        title = DOCUMENTS.get(name) or (name if name in DOCUMENTS else name[0].upper() + name[1:])
        print("\n%s\n%s\n" % (title, "=" * len(title)))
        if objects[name][0]:
            print(textwrap.fill(objects[name][0], 98, break_on_hyphens=False) + "\n")
        print(".. json: %s\n.. list-table::\n   :header-rows: 1\n   :widths: 30 20 50\n" % name)
        for row in [("Member", "Type", "Meaning"), *json_rows(objects, inline, name)]:
            print("   * - %s\n     - %s" % row[:2])
            print(textwrap.fill("- " + row[2], 98, initial_indent="     ",
                                subsequent_indent="       ", break_on_hyphens=False))


def print_stacks():
    print(WRITTEN)
    for path in sorted(glob.glob(TREE + "/user/blklat/stack/*.c")):
        if not re.search(r"^const struct stack_type \w+\[\] = \{", read(path), re.M):
            continue
        for row in split(initializer(path, "\nconst struct stack_type ")):
            if row == "{ }":
                continue
            name, says, legs = braced(braced(row)[0])
            needs = "; at least %s legs" % legs if legs != "1" else ""
            needs += ", an even number" if ".even = true" in row else ""
            print("**%s**\n    %s%s" % (text(name), text(says), needs))


def print_stages():
    groups = {ident: name for ident, name in rows("BLKLAT_GROUPS", ("#id", "name"))}
    stages = {ident: name for ident, name, _, _ in
              rows("BLKLAT_STAGES", ("#id", "name", "#group", "doc"))}

    print(WRITTEN + """
=========================
Tables of the stage model
=========================

These tables are those of the code: the marks, stages, gaps and spans of ``bpf/stages.h``, the
counters of ``bpf/counters.h``, the hooks of ``user/blklat/collect/hooks.c`` and the links of
``user/blklat/collect/links.c``. stage-model.rst says what they mean.
""")
    print_table("Marks", "8 92", ["Mark", "Moment"],
                [[literal(letter), sentence(doc)] for _, letter, doc in
                 rows("BLKLAT_MARKS", ("#id", "letter", "doc"))])
    print_table("Stages", "25 20 55", ["Stage", "Group", "What the time goes into"],
                [[literal(name), groups[group], sentence(doc)] for _, name, group, doc in
                 rows("BLKLAT_STAGES", ("#id", "name", "#group", "doc"))])
    print_table("Stages of a layer", "25 20 55", ["Stage", "Group", "What the time goes into"],
                [[literal(name), groups[group], sentence(doc)] for _, name, group, doc in
                 rows("BLKLAT_LAYER_STAGES", ("#id", "name", "#group", "doc"))])
    print_table("Gaps", "15 15 70", ["From", "To", "Stage"],
                [[literal(a), literal(b), literal(stages[s])] for a, b, s in
                 rows("BLKLAT_GAPS", ("#from", "#to", "#stage"))])
    print_table("Spans", "20 80", ["Span", "From - to"],
                [[literal(name), sentence(doc)] for _, name, doc in
                 rows("BLKLAT_SPANS", ("#id", "name", "doc"))])
    print_table("Counters", "20 80", ["Counter", "What it counts"],
                [[literal(key), sentence(doc)] for _, key, doc in
                 rows("BLKLAT_COUNTERS", ("#id", "key", "doc"))])
    print_table("Hooks", "25 10 10 25 5 25",
                ["Program", "Family", "Type", "Symbol", "Mark", "Without it"], hooks())
    print_table("Links", "30 15 55", ["bi_end_io", "Module", "The bio above"], links())


def main():
    pages = {"stages": print_stages, "fio": print_fio, "json": print_json,
             "stacks": print_stacks}
    if len(sys.argv) != 2 or sys.argv[1] not in pages:
        sys.exit(__doc__)
    pages[sys.argv[1]]()


if __name__ == "__main__":
    main()
