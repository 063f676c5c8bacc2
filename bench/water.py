#!/usr/bin/env python3
"""N waters (TIP3P), all pairs of atoms of different molecules, no cut-off: microseconds a step of flexible molecules (harmonic bonds
and angle) by Verlet and of rigid ones by RATTLE, beside a loop by hand, OpenMM, and GROMACS in mixed and double precision.

  bench/water.py PROGRAM [N[,N...]]      PROGRAM: build/release/actio; openmm is that of PyPI, gmx and gmx_d those of Debian's
                                         gromacs; those that are missing are left out

All start at rest from the same places. The programs take turns, and the least of their times is kept. GROMACS has no systems without
a box: it gets a box of 3 times the size, a cutoff beyond all pairs, and a list that is never made anew.
"""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tip3p

ROUNDS = 5
STEP = {False: 0.01, True: 0.02}  # by whether the molecules are rigid
SYSTEM = f"""title = "waters"
[system]
coordinates = ["x[3*N]", "y[3*N]", "z[3*N]"]        # atom 3a+i of molecule a: H, O, H
units = {{ length = "angstrom", mass = "amu", energy = "kcal/mol" }}
parameters = {{ N = %d, Kc = {tip3p.COULOMB}, A = {tip3p.A}, C = {tip3p.C}, rOH = {tip3p.OH}, rHH = {tip3p.HH!r}, half = {tip3p.HALF_ANGLE!r} }}
tables = {{ Q = {list(tip3p.CHARGE)}, m = {list(tip3p.MASS)} }}
mass = {{ x = "m[i%%3]", y = "m[i%%3]", z = "m[i%%3]" }}
points = {{ atom = ["x", "y", "z"] }}
define = {{ "r(j, k)" = "distance(atom[j], atom[k])" }}
[[system.term]]
over = "a = 0..N-2, b = a+1..N-1, i = 0..2, j = 0..2"
potential = "Kc*Q[i]*Q[j]/r(3*a+i, 3*b+j)"
[[system.term]]
over = "a = 0..N-2, b = a+1..N-1"
potential = "A/r(3*a+1, 3*b+1)^12 - C/r(3*a+1, 3*b+1)^6"
"""
FLEXIBLE = f"""[[system.term]]
over = "a = 0..N-1, i = 0..1"
potential = "0.5*{tip3p.K_BOND}*(r(3*a+2*i, 3*a+1) - rOH)^2"
[[system.term]]
over = "a = 0..N-1"
potential = "0.5*{tip3p.K_ANGLE}*(angle(atom[3*a], atom[3*a+1], atom[3*a+2]) - 2*half)^2"
"""
RIGID = """[[system.constraint]]
over = "a = 0..N-1, i = 0..1"
expression = "r(3*a+2*i, 3*a+1)^2 - rOH^2"
[[system.constraint]]
over = "a = 0..N-1"
expression = "r(3*a, 3*a+2)^2 - rHH^2"
"""


class Actio:
    def __init__(self, program, folder, start, rigid, threads):
        self.program, self.threads, self.file = program, threads, folder / f"actio-{rigid}.toml"
        self.name, self.rigid, self.atoms = "Actio", rigid, len(start)
        self.file.write_text(SYSTEM % (len(start) // 3) + (RIGID if rigid else FLEXIBLE) + "[initial.position]\n" +
                             tip3p.columns(start) +
                             f'[method]\nname = "{"rattle" if rigid else "verlet"}"\n[run]\nstep = {STEP[rigid]}\nsteps = 1\n')

    def run(self, steps):
        answer = tip3p.actio(self.program, self.file, f"run.steps={steps}", f"run.every={steps}", threads=self.threads)
        self.note = f"{answer['solver']['iterations'] / steps:.2f} iterations" if self.rigid else ""
        return answer["wall_seconds"]

    def end(self, steps, folder):
        """Atoms after so many steps."""
        out = folder / "end.csv"
        tip3p.actio(self.program, self.file, f"run.steps={steps}", f"run.every={steps}", "-o", str(out))
        rows = [row.split(",") for row in out.read_text().splitlines() if not row.startswith("#")]
        last = dict(zip(rows[0], rows[-1]))
        return [float(last[f"{axis}[{k}]"]) for axis in "xyz" for k in range(self.atoms)]


class ByHand:
    def __init__(self, folder, start, rigid, _):
        self.library, self.rigid, self.n = tip3p.by_hand("water_hand.c", folder), rigid, len(start) // 3
        self.library.water_steps.restype = ctypes.c_double
        self.start, self.name = [x for axis in zip(*start) for x in axis], "by hand"

    def run(self, steps):
        array = ctypes.c_double * (9 * self.n)
        self.q, iterations = array(*self.start), ctypes.c_double()
        seconds = self.library.water_steps(ctypes.c_long(self.n), ctypes.c_int(self.rigid), ctypes.c_double(STEP[self.rigid]),
                                           ctypes.c_long(steps), self.q, array(), ctypes.byref(iterations))
        self.note = f"{iterations.value:.2f} iterations" if self.rigid else ""
        return seconds


class OpenMM:
    def __init__(self, openmm, platform, start, rigid, threads):
        self.name, self.note = f"OpenMM, {platform}", "pairs in single precision" if platform == "CPU" else ""
        system, pairs = openmm.System(), openmm.NonbondedForce()
        bonds, angles = openmm.HarmonicBondForce(), openmm.HarmonicAngleForce()
        pairs.setNonbondedMethod(openmm.NonbondedForce.NoCutoff)
        sigma, epsilon = (tip3p.A / tip3p.C) ** (1 / 6), tip3p.C**2 / (4 * tip3p.A)
        for k in range(len(start)):
            system.addParticle(tip3p.MASS[k % 3])
            pairs.addParticle(tip3p.CHARGE[k % 3], 0.1 * sigma if k % 3 == 1 else 0.1, 4.184 * epsilon if k % 3 == 1 else 0)
        for a in range(0, len(start), 3):
            for i, j, length in ((a, a + 1, tip3p.OH), (a + 2, a + 1, tip3p.OH), (a, a + 2, tip3p.HH)):
                pairs.addException(i, j, 0, 1, 0)
                if rigid:
                    system.addConstraint(i, j, 0.1 * length)
                elif j == a + 1:
                    bonds.addBond(i, j, 0.1 * length, 418.4 * tip3p.K_BOND)
            if not rigid:
                angles.addAngle(a, a + 1, a + 2, 2 * tip3p.HALF_ANGLE, 4.184 * tip3p.K_ANGLE)
        for force in (pairs,) if rigid else (pairs, bonds, angles):
            system.addForce(force)
        self.integrator = openmm.VerletIntegrator(1e-3 * STEP[rigid] * tip3p.FEMTOSECONDS)
        properties = {"Threads": str(threads)} if platform == "CPU" else {}
        self.context = openmm.Context(system, self.integrator, openmm.Platform.getPlatformByName(platform), properties)
        self.start = [[0.1 * x for x in atom] for atom in start]

    def run(self, steps):
        from time import perf_counter
        self.context.setPositions(self.start)
        self.context.setVelocities([[0, 0, 0]] * len(self.start))
        self.integrator.step(2)
        begin = perf_counter()
        self.integrator.step(steps)
        self.context.getState(getPositions=True)
        return perf_counter() - begin


class Gromacs:
    FILES = {
        "run.mdp": """integrator = md
dt = {dt}
nsteps = 1000000000
cutoff-scheme = Verlet
nstlist = 1000000000
verlet-buffer-tolerance = -1
rlist = {cutoff}
coulombtype = reaction-field
epsilon-rf = 1
rcoulomb = {cutoff}
rvdw = {cutoff}
comm-mode = none
nstcalcenergy = 1000000000
nstenergy = 0
nstlog = 0
""",
        "topol.top": """[ defaults ]
1 1 no
[ atomtypes ]
OW 8 {mO} 0 A {C6} {A12}
HW 1 {mH} 0 A 0 0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 {qO} {mO}
2 HW 1 SOL H1 1 {qH} {mH}
3 HW 1 SOL H2 1 {qH} {mH}
{inside}
[ exclusions ]
1 2 3
2 1 3
3 1 2
[ system ]
waters
[ molecules ]
SOL {n}
"""}
    INSIDE = {True: "[ settles ]\n1 1 {rOH} {rHH}", False: "[ bonds ]\n1 2 1 {rOH} {kb}\n1 3 1 {rOH} {kb}\n[ angles ]\n2 1 3 1 {angle} {ka}"}

    def __init__(self, command, folder, start, rigid, threads):
        self.name = "GROMACS, " + ("double" if command == "gmx_d" else "mixed precision")
        self.note = subprocess.run([command, "--version"], capture_output=True, text=True).stdout
        self.note = "with " + re.search(r"SIMD instructions: *(\S+)", self.note)[1]
        self.command, self.threads, self.folder = command, threads, folder / f"{command}-{rigid}-{threads}"
        self.folder.mkdir()
        n, size = len(start) // 3, max(max(axis) - min(axis) for axis in zip(*start)) / 10
        box = 3 * size + 2
        values = {"dt": 1e-3 * STEP[rigid] * tip3p.FEMTOSECONDS, "cutoff": round(0.49 * box, 3), "mO": tip3p.MASS[1], "mH": tip3p.MASS[0],
                  "C6": tip3p.C * 4.184e-6, "A12": tip3p.A * 4.184e-12, "qO": tip3p.CHARGE[1], "qH": tip3p.CHARGE[0], "n": n,
                  "rOH": tip3p.OH / 10, "rHH": tip3p.HH / 10, "kb": 418.4 * tip3p.K_BOND, "ka": 4.184 * tip3p.K_ANGLE, "angle": 2 * 52.26}
        values["inside"] = self.INSIDE[rigid].format(**values)
        for name, text in self.FILES.items():
            (self.folder / name).write_text(text.format(**values))
        gro = f"waters\n{3 * n}\n"
        for a in range(n):
            for name, k in (("OW", 3 * a + 1), ("H1", 3 * a), ("H2", 3 * a + 2)):
                gro += f"{a + 1:5}{'SOL':5}{name:>5}{k + 1:5}" + "".join(f"{0.1 * x + box / 3:12.7f}" for x in start[k]) + "\n"
        (self.folder / "conf.gro").write_text(gro + f"{box} {box} {box}\n")
        self._gmx("grompp", "-f", "run.mdp", "-c", "conf.gro", "-maxwarn", "5")

    def _gmx(self, *words):
        done = subprocess.run([self.command, *words, "-nobackup"], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)

    def run(self, steps):
        self._gmx("mdrun", "-nsteps", str(2 * steps), "-resethway", "-noconfout", "-ntomp", str(self.threads), "-pin", "off")
        return float(re.search(r"^ *Time: +\S+ +(\S+)", (self.folder / "md.log").read_text(), re.M)[1])


def main():
    program = os.path.abspath(sys.argv[1])
    sizes = [int(n) for n in sys.argv[2].split(",")] if len(sys.argv) > 2 else [100]
    openmm = tip3p.import_openmm()
    for command in ("gmx", "gmx_d"):
        if not shutil.which(command):
            print(f"{command} is missing (Debian's gromacs): left out")
    for n in sizes:
        start, pairs = tip3p.positions(n, 3.1), 9 * n * (n - 1) / 2
        steps = max(200, 10_000_000 // (n * n))
        for rigid in (False, True):
            for threads in (1, 2):
                with tempfile.TemporaryDirectory() as name:
                    folder = Path(name)
                    programs = [Actio(program, folder, start, rigid, threads), ByHand(folder, start, rigid, threads)]
                    if openmm:
                        programs += [OpenMM(openmm, platform, start, rigid, threads) for platform in ("Reference", "CPU")]
                    programs += [Gromacs(command, folder, start, rigid, threads) for command in ("gmx", "gmx_d") if shutil.which(command)]
                    if threads == 1:
                        programs[1].run(20)
                        apart = max(abs(a - b) for a, b in zip(programs[0].end(20, folder), programs[1].q))
                        print(f"\n{n} waters, {'rigid' if rigid else 'flexible'}; after 20 steps Actio and the loop by hand are "
                              f"{apart:.1e} angstrom apart")
                    best = [min(times) for times in zip(*([p.run(steps) for p in programs] for _ in range(ROUNDS)))]
                print(f"{threads} thread{'s' if threads > 1 else ''}                   us a step   ns a pair of atoms   beside the loop by hand, one thread")
                if threads == 1:
                    hand = best[1]
                for p, seconds in zip(programs, best):
                    if threads > 1 and p.name in ("by hand", "OpenMM, Reference"):
                        continue
                    print(f"  {p.name:26} {1e6 * seconds / steps:9.1f}   {1e9 * seconds / steps / pairs:8.2f}   {seconds / hand:20.2f}   {p.note}", flush=True)


main()
