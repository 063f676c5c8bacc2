"""The run times of TO beside ours, as times.py left them in times.json."""
import json
from pathlib import Path

import numpy as np

from common import BLUE, RED, plot

FILE = Path(__file__).resolve().parent / "times.json"
# what the paper gives in seconds
PENDULUM = {"angles": ("variational Euler in the angles (ours: h = 0.001)", 91.3), "shake": ("SHAKE", 3.8),
            "verlet": ("Verlet on the penalised system, h = 0.1/omega", 1.0), "newmark": ("Newmark, fully solved", 5.3),
            "one": ("Newmark, one iteration", 0.2), "zs": ("Z&S", 0.4), "push": ("push-forward Newmark", None)}
CHAIN = {"shake-half": ("SHAKE, h = 0.025", 16.5), "shake": ("SHAKE, h = 0.05", 8.1), "zs": ("Z&S, h = 0.05", 1.1)}
DNA = {"verlet": ("Verlet, h = 0.2", 23.26), "verlet-0.9": ("Verlet, h = 0.9", None), "zss": ("simplified Z&S, h = 2", None),
       "zs": ("Z&S, h = 2", 3.24)}


def ratios(measured, paper, reference):
    rows = ["| | the paper | here | a step |", "|-|-|-|-|"]
    for name, (label, seconds) in paper.items():
        took, steps, _ = measured[name]
        printed = f"{seconds / paper[reference][1]:.2g}" if seconds else "-"
        rows.append(f"| {label} | {printed} | {took / measured[reference][0]:.2g} | {1e9 * took / steps:.3g} ns |")
    return "\n".join(rows)


def mib(memory):
    return "-" if memory is None else f"{memory:.0f}"


def scaling(paper, measured):
    sizes = sorted({int(name.split()[1]) for name in measured})
    runs = {method: [measured[f"{method} {n}"] for n in sizes] for method in ("shake", "zs")}
    each = {method: np.array([seconds / steps for seconds, steps, _ in of]) for method, of in runs.items()}
    memory = {method: [mib(peak) for *_, peak in of] for method, of in runs.items()}
    drawn, axis = plot(1, 1, (4.6, 3.0))
    axis.loglog(sizes, each["shake"], "o-", color=BLUE, label="SHAKE")
    axis.loglog(sizes, each["zs"], "s--", color=RED, label="Z&S")
    axis.loglog(sizes, each["zs"][-1] * np.array(sizes) / sizes[-1], color="0.6", linewidth=0.8, label="slope 1")
    axis.set(xlabel="n", ylabel="seconds a step")
    axis.legend(fontsize=8)
    slopes = {method: np.polyfit(np.log(sizes[-3:]), np.log(times[-3:]), 1)[0] for method, times in each.items()}
    rows = "\n".join(
        f"| {n} | {1e6 * each['shake'][k]:.3g} | {1e6 * each['zs'][k]:.3g} | {memory['shake'][k]} | {memory['zs'][k]} |"
                     for k, n in enumerate(sizes))
    return f"""{paper.save(drawn, "figure-chain")}

| n | us a step: SHAKE | Z&S | MiB: SHAKE | Z&S |
|-|-|-|-|-|
{rows}

Slope over the largest three: {slopes["shake"]:.2f} (SHAKE), {slopes["zs"]:.2f} (Z&S). The steps and 1/omega shrink as
1/sqrt n, so that h times the
largest frequency of the chain, which is taut by its own weight, stays what it is at n = 10."""


def section(paper):
    if not FILE.exists():
        return "## Run times\n\nNot measured yet: `papers/to/times.py build/release/actio build/release/papers`.\n"
    measured = json.loads(FILE.read_text(encoding="utf-8"))
    return f"""## Run times

The paper's are seconds of Matlab 7.7 with `fsolve`; here and there only ratios between methods mean something. Ours are of
one run of
`times.py` on {measured["machine"]}, from the problem files, the shortest of several rounds; `times.py build/release/actio
build/release/papers`
measures them again, `./actio papers to` only shows them.

Double pendulum, until t = 50, in units of Verlet's:

{ratios(measured["pendulum"], PENDULUM, "verlet")}

Chain of ten, in units of Z&S's:

{ratios(measured["chain"], CHAIN, "zs")}

DNA, until t = 1000, in units of Verlet's at h = 0.2:

{ratios(measured["dna"], DNA, "verlet")}

Chains of n pendula:

{scaling(paper, measured["scaling"])}
"""
