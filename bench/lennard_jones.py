#!/usr/bin/env python3
"""A Lennard-Jones liquid of N atoms in a box (density 0.8, temperature 1, cut off at 2.5, lists with a skin of 0.3, steps of 0.004 by
Verlet): nanoseconds an atom and step, beside a loop by hand, OpenMM and LAMMPS.

  bench/lennard_jones.py PROGRAM [N[,N...]]      PROGRAM: build/release/actio; openmm is that of PyPI, lmp that of Debian's lammps;
                                                 those that are missing are left out

All start from the same liquid, which the loop by hand makes. The programs take turns, and the least of their times is kept.
"""
import ctypes
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tip3p

ROUNDS, DENSITY, CUTOFF, SKIN, STEP = 4, 0.8, 2.5, 0.3, 0.004
SYSTEM = f"""title = "Lennard-Jones liquid"
[system]
coordinates = ["x[N]", "y[N]", "z[N]"]
parameters = {{ N = %d, L = %r, rc = {CUTOFF} }}
points = {{ atom = ["x", "y", "z"] }}
tables = {{ vx = {{ csv = "v.csv", column = "x" }}, vy = {{ csv = "v.csv", column = "y" }}, vz = {{ csv = "v.csv", column = "z" }} }}
box = ["L", "L", "L"]
mass = 1
define = {{ "lj(r)" = "4*(1/r^12 - 1/r^6)" }}
[[system.term]]
over = "a, b = pairs(atom, cutoff = rc, skin = {SKIN})"
potential = "lj(distance(atom[a], atom[b])) - lj(rc)"
[initial]
xyz = "start.xyz"
velocity = {{ x = "vx[i]", y = "vy[i]", z = "vz[i]" }}
[method]
name = "verlet"
[run]
step = {STEP}
steps = 1
"""


class ByHand:
    def __init__(self, folder, n):
        self.library, self.n, self.box = tip3p.by_hand("lennard_jones_hand.c", folder), n, (n / DENSITY) ** (1 / 3)
        self.library.lennard_jones_steps.restype = ctypes.c_double
        self.name = ctypes.c_char_p.in_dll(self.library, "lennard_jones_name").value.decode()
        draw, side = random.Random(1), math.ceil(n ** (1 / 3) - 1e-9)
        array = ctypes.c_double * (3 * n)
        self.q = array(*(self.box / side * (k // side**axis % side) for axis in range(3) for k in range(n)))
        self.v = array(*(draw.gauss(0, 1) for _ in range(3 * n)))
        self.steps(800, self.q, self.v, 1)
        for axis in range(3):
            mean = sum(self.v[axis * n:(axis + 1) * n]) / n
            for k in range(axis * n, (axis + 1) * n):
                self.v[k] -= mean

    def steps(self, count, q, v, temperature=0.0):
        builds = ctypes.c_long()
        seconds = self.library.lennard_jones_steps(ctypes.c_long(self.n), *(ctypes.c_double(x) for x in (self.box, CUTOFF, SKIN, STEP)),
                                                   ctypes.c_long(count), ctypes.c_double(temperature), q, v, ctypes.byref(builds))
        self.note = f"{count / builds.value:.1f} steps a list"
        return seconds

    def run(self, count):
        array = ctypes.c_double * (3 * self.n)
        self.end, self.end_v = array(*self.q), array(*self.v)
        return self.steps(count, self.end, self.end_v)

    def atoms(self, of):
        return [[of[axis * self.n + k] for axis in range(3)] for k in range(self.n)]


class Actio:
    def __init__(self, program, folder, hand, threads):
        self.program, self.threads, self.file, self.name, self.note = program, threads, folder / "liquid.toml", "Actio", ""
        self.file.write_text(SYSTEM % (hand.n, hand.box))
        (folder / "start.xyz").write_text(f"{hand.n}\n\n" + "".join("A %r %r %r\n" % tuple(x) for x in hand.atoms(hand.q)))
        (folder / "v.csv").write_text("x,y,z\n" + "".join("%r,%r,%r\n" % tuple(x) for x in hand.atoms(hand.v)))

    def run(self, steps, *words):
        return tip3p.actio(self.program, self.file, f"run.steps={steps}", f"run.every={steps}", *words, threads=self.threads)["wall_seconds"]

    def end(self, steps, folder, n):
        self.run(steps, "-o", str(folder / "end.xyz"))
        return [[float(x) for x in row.split()[1:4]] for row in (folder / "end.xyz").read_text().splitlines()[-n:]]


class OpenMM:
    def __init__(self, openmm, platform, hand, threads):
        self.name, self.note = f"OpenMM, {platform}", "pairs in single precision" if platform == "CPU" else ""
        system, force = openmm.System(), openmm.NonbondedForce()
        system.setDefaultPeriodicBoxVectors(*([hand.box * (i == k) for k in range(3)] for i in range(3)))
        force.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
        force.setCutoffDistance(CUTOFF)
        force.setUseDispersionCorrection(False)
        for _ in range(hand.n):
            system.addParticle(1)
            force.addParticle(0, 1, 1)
        system.addForce(force)
        self.integrator = openmm.VerletIntegrator(STEP)
        self.context = openmm.Context(system, self.integrator, openmm.Platform.getPlatformByName(platform),
                                      {"Threads": str(threads)} if platform == "CPU" else {})
        self.start, self.v = hand.atoms(hand.q), hand.atoms(hand.v)

    def run(self, steps):
        from time import perf_counter
        self.context.setPositions(self.start)
        self.context.setVelocities(self.v)
        self.integrator.step(1)
        begin = perf_counter()
        self.integrator.step(steps)
        self.context.getState(getPositions=True)
        return perf_counter() - begin


class Lammps:
    def __init__(self, folder, hand, threads):
        self.name, self.note, self.folder, self.threads = "LAMMPS, lj/cut/opt", "two processes" if threads > 1 else "", folder, threads
        q = [[x - hand.box * math.floor(x / hand.box) for x in atom] for atom in hand.atoms(hand.q)]
        (folder / "data").write_text(
            f"liquid\n\n{hand.n} atoms\n1 atom types\n" + "".join(f"0 {hand.box!r} {c}lo {c}hi\n" for c in "xyz") + "\nMasses\n\n1 1\n\nAtoms\n\n" +
            "".join("%d 1 %r %r %r\n" % (k + 1, *x) for k, x in enumerate(q)) + "\nVelocities\n\n" +
            "".join("%d %r %r %r\n" % (k + 1, *x) for k, x in enumerate(hand.atoms(hand.v))))
        (folder / "in").write_text(f"""units lj
atom_style atomic
read_data data
pair_style lj/cut/opt {CUTOFF}
pair_coeff 1 1 1 1
neighbor {SKIN} bin
neigh_modify every 1 delay 0 check yes
timestep {STEP}
fix move all nve
thermo 1000000
run 0
run ${{steps}}
""")

    def run(self, steps):
        words = ["mpirun", "--allow-run-as-root", "--bind-to", "none", "-np", str(self.threads)] if self.threads > 1 else []
        done = subprocess.run(words + ["lmp", "-in", "in", "-var", "steps", str(steps)], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        return float(re.findall(r"Loop time of (\S+)", done.stdout)[-1])


def main():
    program = os.path.abspath(sys.argv[1])
    sizes = [int(n) for n in sys.argv[2].split(",")] if len(sys.argv) > 2 else [1000, 10_000, 100_000]
    openmm = tip3p.import_openmm()
    if not shutil.which("lmp"):
        print("lmp is missing (Debian's lammps): left out")
    for n in sizes:
        steps = max(200, 2_000_000 // n)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            hand = ByHand(folder, n)
            for threads in (1, 2):
                programs = [Actio(program, folder, hand, threads), hand]
                if openmm:
                    programs += [OpenMM(openmm, platform, hand, threads) for platform in ("Reference", "CPU")[:2 if n < 50_000 and threads == 1 else 0]]
                    if len(programs) == 2:
                        programs.append(OpenMM(openmm, "CPU", hand, threads))
                if shutil.which("lmp"):
                    programs.append(Lammps(folder, hand, threads))
                if threads == 1:
                    hand.run(20)
                    apart = max(abs(a - b - hand.box * round((a - b) / hand.box)) for x, y in
                                zip(programs[0].end(20, folder, n), hand.atoms(hand.end)) for a, b in zip(x, y))
                    print(f"\n{n} atoms; after 20 steps Actio and the loop by hand are {apart:.1e} apart")
                counts = [max(10, steps // 20) if p.name == "OpenMM, Reference" else steps for p in programs]
                best = [min(times) for times in zip(*([p.run(c) / c for p, c in zip(programs, counts)] for _ in range(ROUNDS)))]
                print(f"{threads} thread{'s' if threads > 1 else ''}              ns an atom and step   beside the loop by hand, one thread")
                if threads == 1:
                    one = best[1]
                for p, seconds in zip(programs, best):
                    if threads == 1 or p is not hand:
                        print(f"  {p.name:22} {1e9 * seconds / n:14.1f}   {seconds / one:24.2f}   {p.note}", flush=True)


main()
