#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""kernel_doc.py FILE...: checks that each function that one of these C files can call in another
one, because a header declares or defines it, has a kernel-doc comment at its declaration or at its
definition: "/** name() - summary", a line "@name:" for each parameter and for nothing else, and
"Return:" if and only if it returns something. Prints "FILE:LINE: NAME: FAULT" for each that has
not, and exits with 1 then."""
import collections
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
# A function begins in the first column and has its name before the first parenthesis.
FUNCTION = re.compile(r'^(?!typedef|struct \w+ \{|union|enum \w+ \{|extern|return)'
                      r'([a-z_][\w\s*]*?[\s*])(\w+)\(((?:[^(){};]|\([^(){};]*\))*)\)', re.M)
ATTRIBUTE = re.compile(r'__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__(?:printf|scanf)\([^)]*\)')
QUALIFIER = re.compile(r'\b(static|inline|__always_inline|const|noinline)\b')

Function = collections.namedtuple('Function', 'place name returns params comment')


def blank(match):
    """Keeps the line ends of a comment, so that places stay the same."""
    return re.sub(r'[^\n]', ' ', match.group())


def parameters(text):
    """The names in a list of parameters; "..." is one."""
    depth, parts = 0, ['']
    for c in text:
        depth += (c == '(') - (c == ')')
        if c == ',' and not depth:
            parts.append('')
        else:
            parts[-1] += c
    names = []
    for part in (p.strip() for p in parts):
        pointer = re.search(r'\(\*\s*(\w+)\)', part)
        if part == '...' or pointer:
            names.append(pointer.group(1) if pointer else part)
        elif part not in ('void', ''):
            names.append(re.findall(r'\w+', re.sub(r'\[[^]]*\]', '', part))[-1])
    return names


def functions(path):
    with open(path, encoding='utf-8') as f:
        text = f.read()
    comments = {m.end(): m.group() for m in COMMENT.finditer(text)}
    code = ATTRIBUTE.sub(blank, COMMENT.sub(blank, text))
    code = re.sub(r'^#(?:.*\\\n)*.*$', blank, code, flags=re.M)
    for m in FUNCTION.finditer(code):
        kind = QUALIFIER.sub('', m.group(1)).split()
        if path.endswith('.c') and re.match(r'static\b', m.group(1)):
            continue
        yield Function(f'{path}:{code.count(chr(10), 0, m.start()) + 1}', m.group(2),
                       kind != ['void'], parameters(m.group(3)),
                       comments.get(len(text[:m.start()].rstrip()), ''))


def faults(fn):
    """Lists the faults of a function's comment."""
    head = re.match(r'/\*\*\n \* (\w+)\(\) - \S', fn.comment)
    if not head:
        return ['no kernel-doc']
    if head.group(1) != fn.name:
        return [f'the kernel-doc before it is of {head.group(1)}()']
    found = []
    described = re.findall(r'^ \* @(\w+|\.\.\.):', fn.comment, re.M)
    found += [f'@{p} is not described' for p in fn.params if p not in described]
    found += [f'it has no parameter @{p}' for p in described if p not in fn.params]
    if bool(re.search(r'^ \* Return:', fn.comment, re.M)) != fn.returns:
        found.append('"Return:" is missing' if fn.returns else 'it returns nothing, but says so')
    return found


def main(paths):
    seen = collections.defaultdict(list)
    for path in paths:
        for fn in functions(path):
            seen[fn.name].append(fn)
    bad = 0
    for name, places in seen.items():
        if not any('.h:' in fn.place for fn in places):
            continue
        best = min((faults(fn) for fn in places), key=lambda f: (f == ['no kernel-doc'], len(f)))
        for fault in best:
            print(f'{places[0].place}: {name}(): {fault}')
        bad += len(best)
    return 1 if bad else 0


sys.exit(main(sys.argv[1:]))
