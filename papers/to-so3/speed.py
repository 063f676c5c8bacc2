"""The run times of TO 4.5 beside ours, as times.py left them in times.json."""
import json
from pathlib import Path

from magnet import ROWS

FILE = Path(__file__).resolve().parent / "times.json"
SECONDS = {"zs": 0.03, "euler": 1.45}  # what the paper gives


def section():
    if not FILE.exists():
        return "## Run times\n\nNot measured yet: `python3 papers/to-so3/times.py build/release/actio`.\n"
    measured = json.loads(FILE.read_text(encoding="utf-8"))
    runs = measured["runs"]
    printed = {name: f"{seconds / SECONDS['zs']:.2g}" for name, seconds in SECONDS.items()}
    rows = "\n".join(f"| {ROWS[name][1]} | {printed.get(name, '-')} | "
                     f"{seconds / runs['zs'][0]:.2g} | {1e9 * seconds / steps:.3g} ns |"
                     for name, (seconds, steps, _) in runs.items())
    return f"""## Run times

The paper's are seconds of Matlab, which solves (34) by `fsolve`; here and there only ratios mean something. In units of Z&S's at
the same h = 0.1; ours of one run of `python3 papers/to-so3/times.py build/release/actio` on {measured["machine"]}, from the
problem file, the shortest of several rounds, which `./actio papers to-so3` only shows.

| | the paper | here | a step |
|-|-|-|-|
{rows}
"""
