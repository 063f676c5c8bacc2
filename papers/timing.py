"""Run times of `actio`, as times.py of a paper's folder measures them: seconds of the steps alone, the shortest of several
rounds.

    fastest(program, folder, {"verlet": ("pendulum.toml", ("method.name=verlet",))})     # name -> [seconds, steps, MiB]
"""
import json
import os
import resource
import subprocess
from pathlib import Path

from common import Failed

ROUNDS = 9


def run(program, problem, overrides):
    """(seconds of the steps, steps, peak memory of the process in MiB; none where this program takes more itself)"""
    command = [program, "run", problem, *overrides, "--json"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
    out, errors = process.stdout.read(), process.stderr.read()
    _, _, used = os.wait4(process.pid, 0)
    certificate = json.loads(out)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # a process inherits the peak of the one that starts it
    if "wall_seconds" not in certificate or certificate["steps"] != certificate["planned_steps"]:
        raise Failed(f"{' '.join(map(str, command))}\n{errors}")
    return certificate["wall_seconds"], certificate["steps"], used.ru_maxrss / 1024 if used.ru_maxrss > 1.1 * own else None


def fastest(program, folder, table, rounds=ROUNDS):
    """name -> [seconds, steps, MiB] of {name: (problem, overrides)}, problems of a folder or given by their whole paths."""
    best = {}
    for _ in range(rounds):
        for name, (problem, overrides) in table.items():
            now = run(program, folder / problem, overrides)
            if name not in best or now[0] < best[name][0]:
                best[name] = now
    return best


def seldom(overrides):
    """As few observations as can be: the first and the last."""
    return (*(o for o in overrides if not o.startswith("run.every=")), "run.every=100000000")


def machine():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "an unnamed machine"
