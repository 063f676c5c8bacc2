#!/usr/bin/env python3
"""216 rigid waters (TIP3P) in a periodic box at 300 K, by RATTLE with a thermostat, beside OpenMM with the same potential: the kinetic
temperature and the radial distribution of oxygen, with standard errors of block means.

  bench/water_box.py PROGRAM [PICOSECONDS]      PROGRAM: build/release/actio; 60 ps are some five minutes. Needs numpy, and openmm
                                                of PyPI: without it only Actio runs

Charges act by a reaction field of a conductor, q q' (1/r + r^2/(2 rc^3) - 3/(2 rc)) up to rc = 9 angstrom, oxygens by the
Lennard-Jones potential, switched off between 8 and 9. Exit status 1: a difference of more than four standard errors.
"""
import math
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

import tip3p

N, BOX, CUTOFF, ON, STEP, KELVIN, RATE = 216, 18.62, 9.0, 8.0, 1.0, 300, 2.0  # angstrom, fs, 1/ps
EVERY, SETTLING, BLOCKS, EDGE, BINS = 100, 10.0, 10, 9.3, 186  # steps; picoseconds
SYSTEM = f"""title = "{N} waters in a box"
[system]
coordinates = ["x[3*N]", "y[3*N]", "z[3*N]"]        # atom 3a+i of molecule a: H, O, H
units = {{ length = "angstrom", mass = "amu", energy = "kcal/mol" }}
parameters = {{ N = {N}, L = {BOX}, rc = {CUTOFF}, Kc = {tip3p.COULOMB}, A = {tip3p.A}, C = {tip3p.C}, rOH = {tip3p.OH}, rHH = {tip3p.HH!r} }}
tables = {{ Q = {list(tip3p.CHARGE) * N}, m = {list(tip3p.MASS)} }}
mass = {{ x = "m[i%3]", y = "m[i%3]", z = "m[i%3]" }}
box = ["L", "L", "L"]
[system.points]
atom = ["x", "y", "z"]
oxygen = ["x[1..3*N-1 step 3]", "y[1..3*N-1 step 3]", "z[1..3*N-1 step 3]"]
[system.define]
"r(j, k)" = "distance(atom[j], atom[k])"
"field(d)" = "1/d + d^2/(2*rc^3) - 3/(2*rc)"
"lj(d)" = "A/d^12 - C/d^6"
[[system.term]]
name = "charges"
over = "a, b = pairs(atom, cutoff = rc, skin = 1)"
exclude = "floor(a/3) == floor(b/3)"
potential = "Kc*Q[a]*Q[b]*field(r(a, b))"
[[system.term]]
name = "Lennard-Jones"
over = "a, b = pairs(oxygen, cutoff = rc, skin = 1)"
potential = "switch(distance(oxygen[a], oxygen[b]), {ON}, rc)*lj(distance(oxygen[a], oxygen[b]))"
[[system.constraint]]
over = "a = 0..N-1, i = 0..1"
expression = "r(3*a+2*i, 3*a+1)^2 - rOH^2"
[[system.constraint]]
over = "a = 0..N-1"
expression = "r(3*a, 3*a+2)^2 - rHH^2"
[system.thermostat]
rate = {1e-3 * RATE * tip3p.FEMTOSECONDS}
temperature = {{ value = {KELVIN}, unit = "K" }}
seed = 1
[[observe]]
name = "T"
value = "temperature"
[[observe]]
name = "V"
value = "potential_energy"
[[observe]]
name = "g"
over = "a, b = pairs(oxygen)"
value = "distance(oxygen[a], oxygen[b])"
reduce = "radial-distribution"
from = 0
to = {EDGE}
bins = {BINS}
after = {1e3 * SETTLING / tip3p.FEMTOSECONDS}
[initial]
seed = 2
temperature = {{ value = {KELVIN}, unit = "K" }}
[method]
name = "rattle"
[run]
step = {STEP / tip3p.FEMTOSECONDS!r}
every = {EVERY}
"""


def by_actio(program, folder, picoseconds, start):
    """Temperatures [K] and places of oxygen [angstrom] of each look, the program's own radial distribution, its energies."""
    file, out = folder / "box.toml", folder / "box.csv"
    steps = round(1e3 * (SETTLING + picoseconds) / STEP)
    file.write_text(SYSTEM + f"steps = {steps}\n[initial.position]\n" + tip3p.columns(start))
    answer = tip3p.actio(program, file, "-o", str(out), threads=os.cpu_count())
    rows = [row for row in out.read_text().splitlines() if not row.startswith("#")]
    names = rows[0].split(",")
    wanted = [names.index("T")] + [names.index(f"{axis}[{3 * a + 1}]") for a in range(N) for axis in "xyz"]
    values = np.array([[float(row[k]) for k in wanted] for row in (row.split(",") for row in rows[1:])])
    values = values[round(1e3 * SETTLING / STEP / EVERY):]
    print(f"Actio: the potential energy of the start is {float(rows[1].split(',')[names.index('V')]):.4f} kcal/mol")
    own = answer["observed"]["g"]["radial-distribution"]
    print(f"Actio: {steps} steps, {1e6 * answer['wall_seconds'] / steps:.0f} us each")
    return values[1:, 0] / tip3p.KELVIN, values[1:, 1:].reshape(-1, N, 3), own, values[:, 1:].reshape(-1, N, 3)


def by_openmm(openmm, picoseconds, start):
    from time import perf_counter
    system = openmm.System()
    length, pairs = 0.1, openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(length * CUTOFF)
    pairs.setReactionFieldDielectric(1e15)
    pairs.setUseSwitchingFunction(True)
    pairs.setSwitchingDistance(length * ON)
    pairs.setUseDispersionCorrection(False)
    # OpenMM's constant of Coulomb's law is its own
    charge = math.sqrt(0.4184 * tip3p.COULOMB / 138.93545764438198)
    sigma, epsilon = length * (tip3p.A / tip3p.C) ** (1 / 6), 4.184 * tip3p.C**2 / (4 * tip3p.A)
    for k in range(3 * N):
        system.addParticle(tip3p.MASS[k % 3])
        pairs.addParticle(charge * tip3p.CHARGE[k % 3], *((sigma, epsilon) if k % 3 == 1 else (1, 0)))
    for a in range(0, 3 * N, 3):
        for i, j, d in ((a, a + 1, tip3p.OH), (a + 2, a + 1, tip3p.OH), (a, a + 2, tip3p.HH)):
            pairs.addException(i, j, 0, 1, 0)
            system.addConstraint(i, j, length * d)
    system.addForce(pairs)
    system.setDefaultPeriodicBoxVectors(*([length * BOX * (i == k) for k in range(3)] for i in range(3)))
    integrator = openmm.LangevinMiddleIntegrator(KELVIN, RATE, 1e-3 * STEP)
    integrator.setConstraintTolerance(1e-8)
    integrator.setRandomNumberSeed(3)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("CPU"), {"Threads": str(os.cpu_count())})
    context.setPositions([[length * x for x in atom] for atom in start])
    V = context.getState(getEnergy=True).getPotentialEnergy()._value / 4.184
    print(f"OpenMM: the potential energy of the start is {V:.4f} kcal/mol")
    context.setVelocitiesToTemperature(KELVIN, 4)
    integrator.step(round(1e3 * SETTLING / STEP))
    temperatures, places = [], []
    begin, looks = perf_counter(), round(1e3 * picoseconds / STEP / EVERY)
    for _ in range(looks):
        integrator.step(EVERY)
        state = context.getState(getEnergy=True, getPositions=True)
        temperatures.append(state.getKineticEnergy()._value / 4.184 / (0.5 * 6 * N) / tip3p.KELVIN)
        places.append(np.asarray(state.getPositions(asNumpy=True)._value)[1::3] / length)
    print(f"OpenMM: {1e6 * (perf_counter() - begin) / (looks * EVERY):.0f} us a step")
    return np.array(temperatures), np.array(places)


def distribution(places):
    """g(r) of some frames, as the reduction of Actio counts it."""
    counts = np.zeros(BINS)
    i, j = np.triu_indices(N, 1)
    for frame in places:
        d = frame[i] - frame[j]
        d -= BOX * np.round(d / BOX)
        counts += np.histogram(np.sqrt((d * d).sum(1)), BINS, (0, EDGE))[0]
    edges = np.linspace(0, EDGE, BINS + 1)
    return counts / (len(places) * len(i) * 4 / 3 * math.pi * np.diff(edges**3) / BOX**3)


def blocks(values):
    """Means of blocks."""
    return np.array([part.mean(0) for part in np.array_split(values, BLOCKS)])


def extrema(g):
    """First peak and first minimum: place and height, of polynomials of degree 4."""
    r, out = (np.arange(BINS) + 0.5) * EDGE / BINS, []
    for low, high, sign in ((2.6, 3.05, 1), (3.05, 4.5, -1)):
        inside, at = (r > low) & (r < high), np.linspace(low, high, 1000)
        fit = sign * np.polynomial.Polynomial.fit(r[inside], g[inside], 4)(at)
        out += [at[np.argmax(fit)], sign * fit.max()]
    return np.array(out)


def main():
    program, picoseconds = os.path.abspath(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    start, openmm = tip3p.positions(N, BOX / 6), tip3p.import_openmm()
    with tempfile.TemporaryDirectory() as name:
        T, places, own, all_places = by_actio(program, Path(name), picoseconds, start)
    sides = [("Actio", T, places)]
    if openmm:
        T, places = by_openmm(openmm, picoseconds, start)
        sides.append(("OpenMM", T, places))
    rows, curves, worst = [], [], 0.0
    for _, T, places in sides:
        g = np.array([distribution(part) for part in np.array_split(places, BLOCKS)])
        four = g[:, :BINS // 4 * 4].reshape(BLOCKS, -1, 4).mean(2)  # bins together
        curves.append((four.mean(0), four.var(0, ddof=1) / BLOCKS))
        each, whole = np.array([extrema(x) for x in g]), extrema(g.mean(0))
        t = blocks(T)
        rows.append([(t.mean(), t.std(ddof=1) / math.sqrt(BLOCKS))] +
                    [(a, b) for a, b in zip(whole, each.std(0, ddof=1) / math.sqrt(BLOCKS))])
    print(f"{picoseconds:g} ps after {SETTLING:g}, means of {BLOCKS} blocks\n")
    print(" " * 32 + "".join(f"{side[0]:>22}" for side in sides) + ("   apart, in standard errors" if openmm else ""))
    for k, what in enumerate(("temperature [K]", "first peak at [angstrom]", "first peak", "first minimum at [angstrom]", "first minimum")):
        text = f"  {what:30}" + "".join(f"{row[k][0]:14.3f} +- {row[k][1]:5.3f}" for row in rows)
        if openmm:
            apart = (rows[0][k][0] - rows[1][k][0]) / math.hypot(rows[0][k][1], rows[1][k][1])
            worst, text = max(worst, abs(apart)), text + f"{apart:12.1f}"
        print(text)
    for (name, _, _), row in zip(sides, rows):
        print(f"  {name} is {(row[0][0] - KELVIN) / row[0][1]:.1f} standard errors from {KELVIN} K")
    counted = distribution(all_places)
    print(f"  Actio's radial-distribution and that of its trajectory differ by at most {np.abs(counted - own['g']).max():.1e}")
    if openmm:
        apart, error = curves[0][0] - curves[1][0], np.sqrt(curves[0][1] + curves[1][1])
        z = apart[error > 0] / error[error > 0]
        print(f"  g as a whole: the largest difference is {np.abs(apart).max():.3f}; "
              f"{z.size} bins, rms {math.sqrt((z * z).mean()):.2f} and at most {np.abs(z).max():.1f} standard errors")
        sys.exit(int(worst > 4))


main()
