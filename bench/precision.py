#!/usr/bin/env python3
"""Work and precision over a million years: the outer solar system (Hairer, Lubich, Wanner I.2.4), where the attraction of the sun is
solved exactly and those of the planets are kicks, beside REBOUND's WHFast, SABA and IAS15 and heyoka's Taylor series.

  bench/precision.py PROGRAM [YEARS [REFERENCE]]      PROGRAM: build/release/actio; needs heyoka, rebound 5 and numpy from PyPI.
                                                      REFERENCE: a file.npy that keeps the exact motion for another run

Each program is run with several steps, or tolerances, and looked at 20 times. Errors are the largest of those: of the energy,
relative, computed in extended precision from positions and velocities for all programs alike; and of the positions relative to the sun,
beside the distance, of the worst planet, against a Taylor series in numbers of 64 bits of mantissa at a tolerance of 1e-19. Work is
processor time, of our program from its start to its end, of the others without the setting up.
"""
import csv
import importlib.metadata
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import heyoka
import numpy as np
import rebound
from outer_planets import G, M, Q, SYSTEM, V

YEARS = float(sys.argv[2]) if len(sys.argv) > 2 else 1e6
LOOKS = 20
DAYS = 365.25 * YEARS / LOOKS  # between looks
TARGETS = [10.0 ** -k for k in range(6, 14)]
ONE = [600, 500, 400, 300, 250, 200, 175, 150, 125, 100, 75, 50]   # days, of methods of one force a step
MANY = [800, 700, 600, 500, 450, 400, 350, 300, 250, 200]   # and of several
extended = np.longdouble
mass = np.array(M, dtype=extended)
# about the centre of mass
Q0, V0 = (np.array(x, dtype=float) - (np.array(M) @ np.array(x)) / sum(M) for x in (Q, V))


def energy(q, v):
    q, v = np.asarray(q, dtype=extended), np.asarray(v, dtype=extended)
    pairs = [(i, j) for i in range(6) for j in range(i)]
    return (mass * (v**2).sum(axis=1)).sum() / 2 - extended(G) * sum(mass[i] * mass[j] / np.sqrt(((q[i] - q[j])**2).sum()) for i, j in pairs)


def exact():
    """The positions at each look."""
    kept = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    if kept and kept.exists():
        return said(np.load(kept))
    system = heyoka.model.nbody(6, masses=list(mass), Gconst=extended(G))
    start = np.concatenate([Q0, V0], axis=1).ravel().astype(extended)
    ta = heyoka.taylor_adaptive(system, start, fp_type=extended, tol=extended(1e-19))
    out = []
    for k in range(LOOKS):
        ta.propagate_until(extended(DAYS) * (k + 1))
        out.append(np.array(ta.state).reshape(6, 6).copy())
    if kept:
        np.save(kept, np.array(out))
    return said(out)


def said(out):
    worst = max(abs(energy(x[:, :3], x[:, 3:]) / energy(Q0, V0) - 1) for x in out)
    print(f"reference  Taylor series in extended precision, energy within {float(worst):.0e}\n", flush=True)
    return [x[:, :3] for x in out]


def errors(looks, of):
    """The largest of energy and positions, of (q, v) at each look."""
    before = energy(Q0, V0)
    in_energy = max(abs(energy(q, v) / before - 1) for q, v in looks)
    in_position = 0
    for (q, _), right in zip(looks, of):
        q = np.asarray(q, dtype=extended)
        off = np.linalg.norm((q - q[0] - right + right[0])[1:], axis=1) / np.linalg.norm((right - right[0])[1:], axis=1)
        in_position = max(in_position, off.max())
    return float(in_energy), float(in_position)


def by_actio(program, folder, method, h):
    file, out = folder / "planets.toml", folder / "looks.csv"
    text = SYSTEM.format(G=repr(G), M=repr(M)).replace("[[system.term]]", 'points = { body = ["x", "y", "z"] }\n[[system.term]]', 1)
    text += '[system.split]\nfast = "kepler"\ngravitational_constant = "G"\n'
    for name, of_body in (("position", Q0), ("velocity", V0)):
        text += f"[initial.{name}]\n" + "".join(f"{c} = {[float(b[i]) for b in of_body]}\n" for i, c in enumerate("xyz"))
    every = round(DAYS / h)
    file.write_text(text + f"[method]\n{method}\n[run]\nstep = {DAYS / every!r}\nsteps = {LOOKS * every}\nevery = {every}\n")
    child = subprocess.Popen([program, "run", str(file), "--certificate", "off", "--json", "-o", str(out)], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, env={**os.environ, "ACTIO_THREADS": "1"})
    child.stdout.read()
    _, _, used = os.wait4(child.pid, 0)  # it fails where the energy strays, and its rows tell how far
    with out.open() as f:
        rows = list(csv.DictReader(row for row in f if not row.startswith("#")))[1:]
    looks = [tuple([[float(row[f"{a}[{k}]{mark}"]) for a in "xyz"] for k in range(6)] for mark in ("", "'")) for row in rows]
    return used.ru_utime + used.ru_stime, looks


def by_rebound(h, integrator, **options):
    sim = rebound.Simulation()
    sim.G = G
    sim.integrator = integrator
    if h:
        sim.dt = DAYS / round(DAYS / h)
        sim.integrator.safe_mode = 0
    for name, value in options.items():
        setattr(sim.integrator, name, value)
    for m, q, v in zip(M, Q0, V0):
        sim.add(m=m, x=q[0], y=q[1], z=q[2], vx=v[0], vy=v[1], vz=v[2])
    looks, spent = [], 0
    for k in range(LOOKS):
        begin = time.process_time()
        sim.integrate(DAYS * (k + 1) - (sim.dt / 2 if h else 0), exact_finish_time=0 if h else 1)
        spent += time.process_time() - begin
        assert abs(sim.t / (DAYS * (k + 1)) - 1) < 1e-9
        looks.append(([p.xyz for p in sim.particles], [p.vxyz for p in sim.particles]))
    return spent, looks


def by_heyoka(tolerance):
    system = heyoka.model.nbody(6, masses=M, Gconst=G)
    ta = heyoka.taylor_adaptive(system, np.concatenate([Q0, V0], axis=1).ravel(), tol=tolerance)
    looks, spent = [], 0
    for k in range(LOOKS):
        begin = time.process_time()
        ta.propagate_until(DAYS * (k + 1))
        spent += time.process_time() - begin
        x = np.array(ta.state).reshape(6, 6)
        looks.append((x[:, :3].copy(), x[:, 3:].copy()))
    return spent, looks


def main():
    program = os.path.abspath(sys.argv[1])
    with open("/proc/cpuinfo") as file:
        processor = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("rebound", "heyoka"))
    print(f"The outer solar system for {YEARS:g} years: processor time and errors\n\nprocessor  {processor}, {os.cpu_count()} cores\n"
          f"versions   {versions}\nload       {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory() as folder:
        ours = {"wisdom-holman, corrector 8": 'name = "wisdom-holman"\ncorrector = 8',
                "saba, 4 stages": 'name = "saba"\nstages = 4',
                "aba 8-6-4": 'name = "aba"\norders = "8-6-4"',
                "aba 10-6-4": 'name = "aba"\norders = "10-6-4"'}
        theirs = {"REBOUND whfast, corrector 17": dict(integrator="whfast", corrector=17),
                  "REBOUND whfast, lazy, corrector 17": dict(integrator="whfast", corrector=17, kernel="LAZY"),
                  "REBOUND saba (8,6,4)": dict(integrator="saba", type="8_6_4"),
                  "REBOUND saba (10,6,4)": dict(integrator="saba", type="10_6_4")}
        steps_of = lambda name: ONE if "wisdom" in name or "whfast" in name else MANY  # noqa: E731
        kinds = {f"Actio {name}": (steps_of(name), lambda h, m=m: by_actio(program, Path(folder), m, h)) for name, m in ours.items()}
        kinds |= {name: (steps_of(name), lambda h, o=o: by_rebound(h, **o)) for name, o in theirs.items()}
        kinds["REBOUND ias15"] = ([0], lambda _: by_rebound(0, "ias15"))
        kinds["heyoka"] = ([1e-10, 1e-12, 1e-14, 2.2e-16], by_heyoka)
        by_actio(program, Path(folder), ours["aba 8-6-4"], DAYS / 10)  # compiles the kernels
        made = []
        for h in sorted({*ONE, *MANY}, reverse=True):  # in turn, so that all see the same machine
            for name, (steps, run) in kinds.items():
                if h in steps:
                    made.append((name, h, *run(h)))
        for name, (steps, run) in kinds.items():
            for h in steps:
                if h < 1:
                    made.append((name, h, *run(h)))
    of, rows = exact(), []
    print(f"{'':36s}{'step':>8s}{'seconds':>10s}{'energy':>10s}{'position':>10s}")
    for name, h, seconds, looks in made:
        rows.append((name, h, seconds, *errors(looks, of)))
        print(f"{name:36s}{h:8g}{seconds:10.3f}{rows[-1][3]:10.1e}{rows[-1][4]:10.1e}")
    for which, column in (("energy", 3), ("position", 4)):
        print(f"\nleast time for an error of the {which}      Actio                                     beside                       ratio")
        for target in TARGETS if which == "energy" else [10.0 ** -k for k in range(2, 10)]:
            best = []
            for mine in (True, False):
                within = [row for row in rows if row[0].startswith("Actio") == mine and row[column] <= target]
                best.append(min(within, key=lambda row: row[2]) if within else None)
            texts = [f"{row[0]:36s} {row[2]:8.2f} s" if row else f"{'none within':47s}" for row in best]
            print(f"  {target:7.0e}  {texts[0]}  {texts[1]}  " + (f"{best[0][2] / best[1][2]:5.2f}" if all(best) else ""))


main()
