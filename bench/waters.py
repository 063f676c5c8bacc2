#!/usr/bin/env python3
"""N rigid waters (TIP3P), all pairs of atoms of different molecules, no cut-off: microseconds a step of RATTLE, beside Verlet
without the constraints, which is one evaluation of the forces a step.

  bench/waters.py PROGRAM [N[,N...]]      PROGRAM: build/release/actio
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SYSTEM = """title = "{n} waters"
[system]
coordinates = ["x[3*N]", "y[3*N]", "z[3*N]"]        # atom 3a+i of molecule a: H, O, H
parameters = {{ N = {n}, Kc = 332.0636, A = 582000.0, C = 595.0, rOH = 0.9572, rHH = "2*rOH*sin(52.26*pi/180)" }}
tables = {{ Q = [0.417, -0.834, 0.417], m = [1.008, 15.9994, 1.008] }}
mass = {{ x = "m[i%3]", y = "m[i%3]", z = "m[i%3]" }}
points = {{ atom = ["x", "y", "z"] }}
define = {{ "r(j, k)" = "distance(atom[j], atom[k])" }}
[[system.term]]
over = "a = 0..N-2, b = a+1..N-1, i = 0..2, j = 0..2"
potential = "Kc*Q[i]*Q[j]/r(3*a+i, 3*b+j)"
[[system.term]]
over = "a = 0..N-2, b = a+1..N-1"
potential = "A/r(3*a+1, 3*b+1)^12 - C/r(3*a+1, 3*b+1)^6"
"""


def positions(n):
    """Molecules on a cubic lattice of 3.1 angstrom, turned at random."""
    draw = random.Random(3)
    side = math.ceil(n ** (1 / 3) - 1e-9)
    half = math.radians(52.26)
    atoms = [(0.9572 * math.sin(half), 0, 0.9572 * math.cos(half)), (0, 0, 0), (-0.9572 * math.sin(half), 0, 0.9572 * math.cos(half))]
    out = []
    for k in range(n):
        q = [draw.gauss(0, 1) for _ in range(4)]
        w, x, y, z = (c / math.hypot(*q) for c in q)
        R = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
             [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
             [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        place = [3.1 * (k % side), 3.1 * (k // side % side), 3.1 * (k // side**2)]
        out += [[p + sum(r * c for r, c in zip(row, atom)) for p, row in zip(place, R)] for atom in atoms]
    return out


def problem(n, rigid):
    text = SYSTEM.format(n=n)
    for i, j, length in (("3*a", "3*a+1", "rOH"), ("3*a+2", "3*a+1", "rOH"), ("3*a", "3*a+2", "rHH")) if rigid else ():
        text += f'[[system.constraint]]\nover = "a = 0..N-1"\nexpression = "r({i}, {j})^2 - {length}^2"\n'
    text += "[initial.position]\n"
    for name, column in zip("xyz", zip(*positions(n))):
        text += f"{name} = {list(column)}\n"
    return text + f'[method]\nname = "{"rattle" if rigid else "verlet"}"\n[run]\nstep = 0.02\nsteps = 100\n'


def run(program, folder, n, rigid, threads):
    """Microseconds a step, and iterations a step."""
    file = folder / "waters.toml"
    file.write_text(problem(n, rigid))
    steps = max(400, 10_000_000 // (n * n))
    words = [program, "run", str(file), f"run.steps={steps}", f"run.every={steps}", "--certificate", "off", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "ACTIO_THREADS": str(threads)})
    answer = json.loads(done.stdout)
    return answer["wall_seconds"] / steps * 1e6, answer["solver"]["iterations"] / steps


def main():
    program = sys.argv[1]
    sizes = [int(n) for n in sys.argv[2].split(",")] if len(sys.argv) > 2 else [7, 100, 300, 1000]
    print("    N  threads     forces      RATTLE  ratio  iterations   ns a pair of atoms")
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            for threads in (1, 2):
                force, _ = run(program, Path(folder), n, False, threads)
                rattle, iterations = run(program, Path(folder), n, True, threads)
                pairs = 9 * n * (n - 1) / 2
                print(f"{n:5}  {threads:7} {force:8.1f} us {rattle:8.1f} us  {rattle / force:5.2f}  {iterations:10.2f}   {1e3 * force / pairs:6.2f}",
                      flush=True)


main()
