#!/usr/bin/env python3
"""check_budget.py SOURCE BUILD [--write]: no file of the library or the program gives more machine code than its budget.

How long a file takes to compile goes with the size of its object (over the files of the library their correlation is 0.9), and
that differs little between machines. Files have a default budget; those that need more stand in tools/budget.txt with their own. Where
files are compiled together (ACTIO_TOGETHER), the budget is that of all files of a folder. --write makes the table anew from a
build: do that when a file is meant to be larger, and look at the difference.
"""
import os
import re
import sys

DEFAULT = 150  # kB
ROOM = 1.5     # other machines and compilers

source, build = sys.argv[1:3]
table = os.path.join(source, 'tools', 'budget.txt')


def objects():
    """Of each file, or folder of files compiled together, the kB of its objects."""
    sizes = {}
    for target in ('actio', 'actio_cold', 'actio_steppers', 'actio_commands', 'actio_cli'):
        top = os.path.join(build, 'CMakeFiles', target + '.dir')
        for folder, _, files in os.walk(top):
            for name in files:
                if not name.endswith('.cpp.o'):
                    continue
                path = os.path.join(folder, name)
                key = os.path.relpath(path, top)[:-2]
                together = re.fullmatch(r'together/\w+/(?:(src)_)?(\w+)_\d+\.cpp', key)
                if together:
                    if not os.path.exists(os.path.join(build, key)):
                        continue  # of an earlier build
                    key = '/'.join(part for part in together.groups() if part) + '/*'
                elif not os.path.exists(os.path.join(source, key)):
                    continue
                sizes[key] = sizes.get(key, 0) + os.path.getsize(path) / 1000
    return sizes


def budgets():
    with open(table) as lines:
        rows = (line.split() for line in lines if not line.startswith('#'))
        return {path: float(kB) for kB, path in rows}


sizes = objects()
if not sizes:
    sys.exit('check_budget.py: no objects below ' + build)
if '--write' in sys.argv:
    known = budgets() if os.path.exists(table) else {}
    known = {p: k for p, k in known.items() if p.endswith('/*') or os.path.exists(os.path.join(source, p))}
    known.update(sizes)
    with open(table, 'w') as out:
        out.write('# kB of machine code that a file may give; src/io/* is a folder compiled together. Others: %d. Made by\n'
                  '# tools/check_budget.py . build/release --write; a build without a compiler cache compiles together.\n' % DEFAULT)
        for path, kB in sorted(known.items()):
            if kB > DEFAULT or path.endswith('/*'):
                out.write('%5.0f %s\n' % (kB, path))
    sys.exit()

known = budgets()
over = []
for path, kB in sorted(sizes.items()):
    if path.endswith('/*') and path not in known:
        over.append(f'{path}: no budget; tools/check_budget.py . {build} --write gives it one')
        continue
    budget = known.get(path, DEFAULT)
    if kB > ROOM * budget:
        over.append(f'{path}: {kB:.0f} kB of machine code, its budget is {budget:.0f} kB (and half of that for other compilers). '
                    'What does it instantiate, or include?')
for line in over:
    print(line)
if over:
    sys.exit(1)
print(f'{len(sizes)} files and folders are within their budget')
