#!/usr/bin/env python3
"""Run times of the double spherical pendulum: times.py ACTIO writes times.json, which the page shows. Runs go round in turn, and
the shortest of each counts."""
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

FOLDER, ROUNDS, STEPS = Path(__file__).resolve().parent, 7, 20000


def seconds(program, name):
    command = [program, "run", FOLDER / "pendulum.toml", f"method.name={name}", f"run.end={STEPS * 0.05}", "run.every=100000000", "--json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
    return json.loads(done.stdout)["wall_seconds"]


def main(program):
    best = {}
    for _ in range(ROUNDS):
        for name in ("midpoint", "energy-momentum", "rattle"):
            best[name] = min(seconds(program, name), best.get(name, float("inf")))
    (FOLDER / "times.json").write_text(json.dumps({"machine": f"{platform.machine()}, {os.cpu_count()} cores", "rounds": ROUNDS,
                                                   "steps": STEPS, "runs": best}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
