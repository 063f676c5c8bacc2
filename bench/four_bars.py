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
BODIES = Path(__file__).resolve().parent.parent / "tests/data/four-bars.toml"


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
[method]
name = "rattle"
[run]
step = 1e-3
end = 1
"""


def run(program, folder, problem, step, end, *overrides):
    """Rows of t and q as written, the verdict, and the time it took [s]."""
    out = folder / "out.csv"
    overrides = [f"run.step={step}", f"run.end={end}", f"run.every={round(EVERY / step)}", *overrides]
    out.unlink(missing_ok=True)
    begin = time.monotonic()
    done = subprocess.run([program, "run", "-q", str(problem), *overrides, "-o", str(out)], capture_output=True, text=True)
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
        pairs = folder / "points.toml"
        for n in sizes:
            pairs.write_text(points(n))
            for method, step in RUNS:
                choice = [f"system.parameters.N={n}", f"method.name={method}"]
                ours, code, seconds, why = run(program, folder, BODIES, step, end, *choice)
                theirs, _, other, _ = run(program, folder, pairs, step, end)
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
