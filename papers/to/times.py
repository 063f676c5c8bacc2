#!/usr/bin/env python3
"""Run times of TO 4.1, 4.2 and 4.4 and of chains of n pendula: times.py ACTIO RESULTS writes times.json, which the page shows.

Runs of one table go round in turn, several times, and the shortest of each counts: ratios within one run of this program. make.py
measures the tables anew and shows both; the chains of n pendula it only reads.
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Failed  # noqa: E402
from dna import PROBLEM, VERLET, linearly_implicit  # noqa: E402
from pendulum import BETA, OMEGA, PENALTY, ROWS, method  # noqa: E402
from timing import ROUNDS, fastest, machine, seldom  # noqa: E402

FOLDER = Path(__file__).resolve().parent
SIZES = (10, 100, 1000, 10000, 100000)


def pendulum(program, rounds=ROUNDS):
    table = {name: ("pendulum.toml", seldom(row[0])) for name, row in ROWS.items()}
    table["angles"] = ("angles.toml", seldom(("run.step=0.001",)))
    return fastest(program, FOLDER, table, rounds)


def chain(program, rounds=ROUNDS):
    return fastest(program, FOLDER, {
        "shake-half": ("chain.toml", seldom(("method.name=shake", "run.step=0.025"))),
        "shake": ("chain.toml", seldom(("method.name=shake",))),
        "zs": ("chain.toml", seldom(method("zhang-skeel", *PENALTY)))}, rounds)


def dna(program, rounds=ROUNDS):
    table = {name: (PROBLEM, seldom((*overrides, "run.end=1000", "certificate.energy=1e3"))) for name, overrides in {
        "verlet": VERLET, "verlet-0.9": ("method.name=verlet", "run.step=0.9"), "zss": linearly_implicit(False, 0.3, 2),
        "zs": linearly_implicit(True, 0.3, 2)}.items()}
    return fastest(program, FOLDER, table, rounds)


def scaling(program, sizes=SIZES):
    """(method, n) -> as above; h and 1/omega shrink as 1/sqrt n, so that h times the frequency of a taut chain stays."""
    table = {}
    for n in sizes:
        h, omega = 0.05 * (10 / n) ** 0.5, OMEGA * (n / 10) ** 0.5
        common = (f"system.parameters.n={n}", f"run.step={h!r}", f"run.steps={max(20, min(20000, 2000000 // n))}")
        table[f"shake {n}"] = ("chain.toml", seldom(("method.name=shake", *common)))
        table[f"zs {n}"] = ("chain.toml", seldom((*method("zhang-skeel", *common), PENALTY[0], f"system.omega={omega!r}")))
    return fastest(program, FOLDER, table, 3)


if __name__ == "__main__":
    actio = Path(sys.argv[1]).resolve()
    try:
        measured = {"machine": machine(), "beta": BETA, "pendulum": pendulum(actio), "chain": chain(actio), "dna": dna(actio),
                    "scaling": scaling(actio)}
    except Failed as failure:
        sys.exit(str(failure))
    (FOLDER / "times.json").write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
