#!/usr/bin/env python3
"""What the compilation of a model's kernels takes before a first run [s]: `actio check` with an empty cache less the same with a full
one, beside the same with every kernel at -O1.

  bench/cold_kernels.py PROGRAM      PROGRAM: build/release/actio
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 5
TAIL = """[method]
name = "{method}"
[run]
step = 0.001
steps = 1
"""


def links(n):
    """A planar chain of n rods with masses at their ends, in angles from the vertical: one Lagrangian."""
    x = [" + ".join(f"cos(a[{i}])*a'[{i}]" for i in range(k + 1)) for k in range(n)]
    y = [" + ".join(f"sin(a[{i}])*a'[{i}]" for i in range(k + 1)) for k in range(n)]
    kinetic = " + ".join(f"0.5*(({u})^2 + ({v})^2)" for u, v in zip(x, y))
    potential = " + ".join(f"{9.81 * (n - i)}*cos(a[{i}])" for i in range(n))
    return (f'[system]\ncoordinates = ["a[{n}]"]\nlagrangian = "{kinetic} + {potential}"\n'
            f"[initial]\nposition = {{ a = 0.3 }}\n" + TAIL.format(method="midpoint"))


def terms(n):
    """n potentials of another formula each, of three coordinates."""
    text = '[system]\ncoordinates = ["q[12]"]\nmass = 1\n'
    for k in range(n):
        i, j, l = (k * 5) % 12, (k * 7 + 1) % 12, (k * 11 + 2) % 12
        text += f'[[system.term]]\npotential = "0.5*(q[{i}] - q[{j}])^2*(1 + {0.1 * (k + 1):.1f}*sin(q[{l}])) + exp(-q[{i}]^2)*cos({k + 1}*q[{l}])"\n'
    return text + "[initial]\nposition = { q = 0.1 }\n" + TAIL.format(method="midpoint")


def seconds(program, file, environment):
    begin = time.perf_counter()
    done = subprocess.run([program, "check", "--quiet", file], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(done.args)} failed:\n{done.stderr}")
    return time.perf_counter() - begin


def compilation(program, file, compiler, folder):
    """The least of several times with an empty cache, less the least with a full one."""
    environment = dict(os.environ, ACTIO_CC=compiler)
    cold, warm = [], []
    for _ in range(ROUNDS):
        environment["ACTIO_CACHE"] = str(folder / f"cache{len(os.listdir(folder))}")
        cold.append(seconds(program, file, environment))
        warm.append(seconds(program, file, environment))
    return min(cold) - min(warm)


def main():
    program = os.path.abspath(sys.argv[1])
    print("of `actio check`, seconds with an empty cache of kernels less seconds with a full one\n")
    for name, text in (("10 links in angles, one Lagrangian", links(10)), ("20 terms of one element", terms(20))):
        with tempfile.TemporaryDirectory() as of:
            folder = Path(of)
            file = folder / "problem.toml"
            file.write_text(text)
            low = folder / "cc"
            low.write_text('#!/bin/bash\nexec cc "${@/#-O[23]/-O1}"\n')
            low.chmod(0o755)
            ours = compilation(program, file, "cc", folder)
            plain = compilation(program, file, str(low), folder)
            print(f"  {name:36s} {ours:5.2f}   all at -O1 {plain:5.2f}   {ours / plain:4.2f} x")


main()
