#!/usr/bin/env python3
"""N parallelograms of rods side by side, falling over (the N four-bar mechanism of the IFToMM benchmark), as rigid bodies on
redundant hinges and as pairs of points at fixed distances: the largest distance between the two.

  bench/four_bars.py PROGRAM [N[,N...] [END]]      PROGRAM: build/release/actio
"""
import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Method and step. energy-momentum needs shorter ones for the same distance.
RUNS = [("rattle", 2e-3), ("lie-group", 2e-3), ("energy-momentum", 5e-4)]
EVERY = 0.05  # s between the compared states


def bodies(n):
    return f"""[system]
parameters = {{ N = {n} }}
redundant = "least-squares"
bodies = [{{ name = "crank[N+1]", mass = 1.0, inertia = ["1/12.0", 1e-3, "1/12.0"] }},
          {{ name = "rod[N]", mass = 1.0, inertia = [1e-3, "1/12.0", "1/12.0"] }}]
[[system.term]]
over = "k = 0..N"
potential = "9.81*crank[k].y"
[[system.term]]
over = "k = 0..N-1"
potential = "9.81*rod[k].y"
[[system.joint]]
type = "revolute"
over = "k = 0..N"
between = ["crank[k].point(0, -0.5, 0)", "ground.point(k, 0, 0)"]
axes = ["crank[k].axis(0, 0, 1)", "ground.axis(0, 0, 1)"]
[[system.joint]]
type = "revolute"
over = "k = 0..N-1"
between = ["rod[k].point(-0.5, 0, 0)", "crank[k].point(0, 0.5, 0)"]
axes = ["rod[k].axis(0, 0, 1)", "crank[k].axis(0, 0, 1)"]
[[system.joint]]
type = "revolute"
over = "k = 0..N-1"
between = ["rod[k].point(0.5, 0, 0)", "crank[k+1].point(0, 0.5, 0)"]
axes = ["rod[k].axis(0, 0, 1)", "crank[k+1].axis(0, 0, 1)"]
[initial.bodies.crank]
position = ["i", 0.5, 0]
velocity = [0.5, 0, 0]
angular_velocity = [0, 0, -1]
[initial.bodies.rod]
position = ["i + 0.5", 1, 0]
velocity = [1, 0, 0]
"""


def points(n):
    """The ends of the rods: the mass of a uniform rod between two ends is 1/3 of it at each and 1/6 between."""
    mass = [[0.0] * (2 * n + 2) for _ in range(2 * n + 2)]
    for first in (0, n + 1):
        for k in range(n + 1):
            mass[first + k][first + k] += 1 / 3
        for k in range(n):
            i = first + k
            for a, b, m in ((i, i, 1 / 3), (i + 1, i + 1, 1 / 3), (i, i + 1, 1 / 6), (i + 1, i, 1 / 6)):
                mass[a][b] += m
    return f"""[system]
parameters = {{ N = {n} }}
coordinates = ["x[N+1]", "y[N+1]"]
mass = {mass}
[[system.term]]
over = "k = 0..N"
potential = "0.5*9.81*y[k]"
[[system.term]]
over = "k = 0..N-1"
potential = "0.5*9.81*(y[k] + y[k+1])"
[[system.constraint]]
over = "k = 0..N"
expression = "(x[k] - k)^2 + y[k]^2 - 1"
[[system.constraint]]
over = "k = 0..N-1"
expression = "(x[k+1] - x[k])^2 + (y[k+1] - y[k])^2 - 1"
[initial]
position = {[float(k) for k in range(n + 1)] + [1.0] * (n + 1)}
velocity = {[1.0] * (n + 1) + [0.0] * (n + 1)}
"""


def run(program, folder, system, method, step, end):
    """Rows of t and q as written, the verdict, and the time it took [s]."""
    problem, out = folder / "problem.toml", folder / "out.csv"
    problem.write_text(system + f'[method]\nname = "{method}"\n[run]\nstep = {step}\nend = {end}\nevery = {round(EVERY / step)}\n')
    out.unlink(missing_ok=True)
    begin = time.monotonic()
    done = subprocess.run([program, "run", "-q", str(problem), "-o", str(out)], capture_output=True, text=True)
    seconds = time.monotonic() - begin
    with out.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return rows, done.returncode, seconds, (done.stderr.strip().splitlines() or [""])[0]


def main():
    program = sys.argv[1]
    sizes = [int(n) for n in (sys.argv[2] if len(sys.argv) > 2 else "2,10,40").split(",")]
    end = float(sys.argv[3]) if len(sys.argv) > 3 else 20.0
    print(f"{'N':>3} {'method':16} {'step':>7} {'to t':>6} {'distance to t = 10':>19} {'to the end':>11} {'s':>7} {'points: s':>10}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n in sizes:
            for method, step in RUNS:
                ours, code, seconds, why = run(program, folder, bodies(n), method, step, end)
                theirs, _, other, _ = run(program, folder, points(n), "rattle", step, end)
                worst = {10.0: 0.0, end: 0.0}
                for a, b in zip(ours, theirs):
                    # The middle of a crank is half-way to its upper end.
                    far = max(
                        abs(float(a[f"crank[{k}].{c}"]) - 0.5 * float(b[f"{c}[{k}]"]) - (0.5 * k if c == "x" else 0))
                        for k in range(n + 1)
                        for c in "xy"
                    )
                    for until in worst:
                        if float(a["t"]) <= until + 1e-9:
                            worst[until] = max(worst[until], far)
                print(
                    f"{n:3} {method:16} {step:7g} {float(ours[-1]['t']):6g} {worst[10.0]:19.1e} {worst[end]:11.1e} {seconds:7.1f} "
                    f"{other:10.1f}  {'' if code == 0 else f'exit {code}: {why}'}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
