#!/usr/bin/env python3
"""The outer solar system over a million days (Hairer, Lubich, Wanner I.2.4): for each method the time of its largest step, of those
tried, that ends within 1e-9 AU of the exact motion, beside heyoka's Taylor series and REBOUND's SABA, IAS15 and WHFast.

  bench/outer_planets.py PROGRAM      PROGRAM: build/release/actio; needs heyoka, rebound 4 and numpy from PyPI
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import heyoka
import numpy as np
import rebound

G = 2.95912208286e-4
M = [1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 7.692307692307693e-9]
Q = [[0, 0, 0], [-3.5023653, -3.8169847, -1.5507963], [9.0755314, -3.0458353, -1.6483708], [8.3101420, -16.2901086, -7.2521278],
     [11.4707666, -25.7294829, -10.8169456], [-15.5387357, -25.2225594, -3.1902382]]
V = [[0, 0, 0], [0.00565429, -0.00412490, -0.00190589], [0.00168318, 0.00483525, 0.00192462], [0.00354178, 0.00137102, 0.00055029],
     [0.00288930, 0.00114527, 0.00039677], [0.00276725, -0.00170702, -0.00136504]]
DAYS, TOLERANCE, ROUNDS = 1e6, 1e-9, 5
SYSTEM = """[system]
coordinates = ["x[6]", "y[6]", "z[6]"]
parameters = {{ G = {G} }}
tables = {{ m = {M} }}
mass = {{ x = "m[i]", y = "m[i]", z = "m[i]" }}
[[system.term]]
over = "i = 0..5, j = i+1..5"
potential = "-G*m[i]*m[j]/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2)"
"""


def exact():
    """By Taylor series in numbers of 64 bits of mantissa, at a tolerance of 1e-19; masses and start as doubles."""
    extended = np.longdouble
    system = heyoka.model.nbody(6, masses=[extended(m) for m in M], Gconst=extended(G))
    start = [extended(x) for k in range(6) for x in (*Q[k], *V[k])]
    ta = heyoka.taylor_adaptive(system, start, fp_type=extended, tol=extended(1e-19))
    ta.propagate_until(extended(DAYS))
    return np.array(ta.state, dtype=extended).reshape(6, 6)[:, :3]


def error(positions, of):
    return float(np.max(np.linalg.norm(np.asarray(positions, dtype=np.longdouble) - of, axis=1)))


def by_actio(program, folder, method, h, of):
    file, out = folder / "planets.toml", folder / "end.csv"
    text = SYSTEM.format(G=G, M=M)
    for name, of_body in (("position", Q), ("velocity", V)):
        text += f"[initial.{name}]\n" + "".join(f"{c} = {[b[i] for b in of_body]}\n" for i, c in enumerate("xyz"))
    steps = round(DAYS / h)
    file.write_text(text + f"[method]\n{method}\n[run]\nstep = {DAYS / steps!r}\nsteps = {steps}\nevery = {steps}\n")
    words = [program, "run", str(file), "--certificate", "off", "--json", "-o", str(out)]
    best = float("inf")
    for _ in range(ROUNDS):
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "ACTIO_THREADS": "1"})
        if done.returncode != 0:
            sys.exit(done.stderr)
        best = min(best, json.loads(done.stdout)["wall_seconds"])
    with out.open() as f:
        last = list(csv.DictReader(row for row in f if not row.startswith("#")))[-1]
    return best, error([[float(last[f"{c}[{k}]"]) for c in "xyz"] for k in range(6)], of)


def by_rebound(integrator, h, of):
    best = float("inf")
    for _ in range(ROUNDS):
        sim = rebound.Simulation()
        sim.G = G
        for m, q, v in zip(M, Q, V):
            sim.add(m=m, x=q[0], y=q[1], z=q[2], vx=v[0], vy=v[1], vz=v[2])
        sim.integrator = integrator.split(" ")[0]
        if integrator.startswith("saba"):
            sim.ri_saba.type = integrator.split(" ")[1]
            sim.ri_saba.safe_mode = 0
        if integrator.startswith("whfast"):
            sim.ri_whfast.safe_mode = 0
        if h:
            sim.dt = h
        begin = time.perf_counter()
        sim.integrate(DAYS, exact_finish_time=1)
        best = min(best, time.perf_counter() - begin)
    return best, error([[p.x, p.y, p.z] for p in sim.particles], of)


def by_heyoka(of):
    system = heyoka.model.nbody(6, masses=M, Gconst=G)
    best = float("inf")
    for _ in range(ROUNDS):
        ta = heyoka.taylor_adaptive(system, [x for k in range(6) for x in (*Q[k], *V[k])])
        begin = time.perf_counter()
        ta.propagate_until(DAYS)
        best = min(best, time.perf_counter() - begin)
    return best, error(np.array(ta.state).reshape(6, 6)[:, :3], of)


def largest(run, steps):
    """Of the steps, from the largest: the first within the tolerance, else the best of all."""
    best = None
    for h in steps:
        seconds, miss = run(h)
        if miss <= TOLERANCE:
            return h, seconds, miss
        if best is None or miss < best[2]:
            best = (h, seconds, miss)
    return best


def main():
    program = os.path.abspath(sys.argv[1])
    of = exact()
    steps = [400, 300, 200, 150, 100, 75, 50, 35, 25, 17, 12, 8, 5]
    rows = [("heyoka, Taylor", 0, *by_heyoka(of))]
    for name in ("saba (10,6,4)", "saba (8,6,4)", "whfast"):
        rows.append((f"REBOUND, {name}", *largest(lambda h: by_rebound(name, h, of), steps)))
    rows.append(("REBOUND, ias15", 0, *by_rebound("ias15", 0, of)))
    methods = {"verlet, composed to order 4": 'name = "verlet"\ncompose = { order = 4, scheme = "suzuki" }', "verlet, composed to order 6": 'name = "verlet"\ncompose = { order = 6, scheme = "kahan-li" }',
               "verlet, composed to order 8": 'name = "verlet"\ncompose = { order = 8, scheme = "kahan-li" }'}
    with tempfile.TemporaryDirectory() as folder:
        for name, method in methods.items():
            rows.append((f"Actio, {name}", *largest(lambda h: by_actio(program, Path(folder), method, h, of), steps)))
    print(f"{DAYS:.0f} days, one thread: the largest step of those tried within {TOLERANCE:g} AU at the end\n")
    for name, h, seconds, miss in rows:
        print(f"  {name:34s} {'h = ' + format(h, '5g') + ' d' if h else 'adaptive   '} {seconds:8.4f} s   {seconds / rows[0][2]:6.2f} x   error {miss:.1e} AU"
              + ("" if miss <= TOLERANCE else "   (not within)"))


if __name__ == "__main__":
    main()
