"""What the scripts of water share: TIP3P of Jorgensen et al., J. Chem. Phys. 79 (1983) 926, in angstrom, kcal/mol and amu, the
places of n molecules, and how programs are run. The atoms of molecule a are 3a, 3a+1, 3a+2: H, O, H."""
import ctypes
import json
import math
import os
import random
import subprocess
import sys

COULOMB, A, C, OH, HALF_ANGLE = 332.0636, 582000.0, 595.0, 0.9572, math.radians(52.26)
HH = 2 * OH * math.sin(HALF_ANGLE)
CHARGE, MASS = (0.417, -0.834, 0.417), (1.008, 15.9994, 1.008)
K_BOND, K_ANGLE = 900.0, 110.0  # of 1/2 K (r - r0)^2, where the molecules are flexible
FEMTOSECONDS = 48.88821290839616  # the unit of time
KELVIN = 0.0019872042586408316  # k_B T in kcal/mol


def positions(n, spacing):
    """Atoms of molecules on a cubic lattice, turned at random."""
    draw = random.Random(3)
    side = math.ceil(n ** (1 / 3) - 1e-9)
    atoms = [(OH * math.sin(HALF_ANGLE), 0, OH * math.cos(HALF_ANGLE)), (0, 0, 0),
             (-OH * math.sin(HALF_ANGLE), 0, OH * math.cos(HALF_ANGLE))]
    out = []
    for k in range(n):
        q = [draw.gauss(0, 1) for _ in range(4)]
        w, x, y, z = (c / math.hypot(*q) for c in q)
        R = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
             [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
             [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        place = [spacing * (k % side), spacing * (k // side % side), spacing * (k // side**2)]
        out += [[p + sum(r * c for r, c in zip(row, atom)) for p, row in zip(place, R)] for atom in atoms]
    return out


def columns(points):
    """As [initial.position] takes them."""
    return "".join(f"{name} = {list(column)}\n" for name, column in zip("xyz", zip(*points)))


def actio(program, file, *words, threads=1):
    """What `actio run --json` prints."""
    done = subprocess.run([program, "run", str(file), "--certificate", "off", "--json", *words], capture_output=True, text=True,
                          env={**os.environ, "ACTIO_THREADS": str(threads)})
    if done.returncode != 0:
        sys.exit(done.stderr + done.stdout)
    return json.loads(done.stdout)


def by_hand(source, folder):
    """The library of a loop by hand, compiled for this processor."""
    out = os.path.join(folder, os.path.basename(source) + ".so")
    subprocess.run(["cc", "-O3", "-march=native", "-mprefer-vector-width=512", "-fno-math-errno", "-shared", "-fPIC", "-o", out,
                    os.path.join(os.path.dirname(os.path.abspath(__file__)), source), "-lm"], check=True)
    return ctypes.CDLL(out)


def import_openmm():
    """OpenMM, or None."""
    try:
        import openmm
    except ImportError:
        print("openmm is missing (PyPI): left out")
        return None
    return openmm
