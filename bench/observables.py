#!/usr/bin/env python3
"""What observables cost beside the steps: a chain of 1e5 springs, each length observed at every step by one reduction.

python3 bench/observables.py PROGRAM. The best of five runs of one thread each, processor time of the user, less that of a run of
no steps; a step of Verlet is the first line, the others are what an observation takes more."""

import os
import resource
import subprocess
import sys
import tempfile

PROBLEM = """[system]
coordinates = ["x[N]"]
parameters = {{ N = 100001 }}
mass = 1.0
[[system.term]]
over = "i = 0..N-2"
potential = "0.5*(x[i+1] - x[i])^2 + 0.25*(x[i+1] - x[i])^4"
{observe}
[initial]
position = {{ x = "0.3*normal()" }}
[method]
name = "verlet"
[run]
step = 0.05
steps = {steps}
every = {steps}
[certificate]
level = "off"
"""
OBSERVE = '[[observe]]\nname = "o"\nover = "i = 0..N-2"\nvalue = "{value}"\nreduce = "{reduce}"\nevery = 1\n{more}'
LENGTH = "x[i+1] - x[i]"
CASES = [(f"{r} of x[i+1] - x[i]", LENGTH, r, "from = -2\nto = 2\nbins = 100\n" if r == "histogram" else "")
         for r in ("mean", "rms", "largest", "histogram", "mean-square-displacement", "autocorrelation")]
CASES.append(("mean of sqrt(1 + (x[i+1] - x[i])^2)*exp(x[i])", f"sqrt(1 + ({LENGTH})^2)*exp(x[i])", "mean", ""))
STEPS = 400


def seconds(program, folder, observe, steps):
    path = os.path.join(folder, "p.toml")
    with open(path, "w") as f:
        f.write(PROBLEM.format(observe=observe, steps=steps))
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "run", "-q", path], check=True, env={**os.environ, "ACTIO_THREADS": "1"})
        best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return best


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        start = seconds(program, folder, "", 1)
        steps = seconds(program, folder, "", STEPS) - start
        print(f"{'a step of Verlet, 100001 coordinates':<50}{1e3 * steps / STEPS:8.3f} ms")
        for name, value, reduce, more in CASES:
            all_of_it = seconds(program, folder, OBSERVE.format(value=value, reduce=reduce, more=more), STEPS)
            print(f"{name:<50}{1e3 * (all_of_it - start - steps) / STEPS:8.3f} ms")


if __name__ == "__main__":
    main()
