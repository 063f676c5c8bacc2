"""The run times of TO beside ours: those of a few rounds now, and those that times.py left in times.json."""
import json
from pathlib import Path

import numpy as np

import times
import water
from common import BLUE, RED, plot
from timing import machine

ROUNDS = 9  # of this command
FILE = Path(__file__).resolve().parent / "times.json"
# what the paper gives in seconds
PENDULUM = {"angles": ("variational Euler in the angles (ours: h = 0.001)", 91.3), "shake": ("SHAKE", 3.8),
            "verlet": ("Verlet on the penalised system, h = 0.1/omega", 1.0), "newmark": ("Newmark, fully solved", 5.3),
            "one": ("Newmark, one iteration", 0.2), "zs": ("Z&S", 0.4), "push": ("push-forward Newmark", None)}
CHAIN = {"shake-half": ("SHAKE, h = 0.025", 16.5), "shake": ("SHAKE, h = 0.05", 8.1), "zs": ("Z&S, h = 0.05", 1.1)}
DNA = {"verlet": ("Verlet, h = 0.2", 23.26), "verlet-0.9": ("Verlet, h = 0.9", None), "zss": ("simplified Z&S, h = 2", None),
       "zs": ("Z&S, h = 2", 3.24)}


WATER = {7: {"SHAKE": 13472, "Z&S (19)": 1549, "Verlet": None}, 100: {"SHAKE": 42234, "Z&S (19)": 30059}}


def ratios(now, before, paper, reference):
    """now, before: name -> [seconds, steps, MiB] of this command and of times.py."""
    rows = ["| | the paper | here | a step | by times.py | a step |", "|-|-|-|-|-|-|"]
    for name, (label, seconds) in paper.items():
        printed = f"{seconds / paper[reference][1]:.2g}" if seconds else "-"
        cells = [f"{run[name][0] / run[reference][0]:.2g} | {1e9 * run[name][0] / run[name][1]:.3g} ns" for run in (now, before)]
        rows.append(f"| {label} | {printed} | {' | '.join(cells)} |")
    return "\n".join(rows)


def waters():
    """Seconds of the runs of Figures 4 and 7, which water.py left."""
    rows = ["| waters | | the paper, s | in Z&S's | here, s | in Z&S's |", "|-|-|-|-|-|-|"]
    for number, of in WATER.items():
        for label, seconds in of.items():
            took, reference = water.TIMES[label, number], water.TIMES["Z&S (19)", number]
            printed = f"{seconds} | {seconds / of['Z&S (19)']:.2g}" if seconds else "- | -"
            rows.append(f"| {number} | {label}{', h = 0.005' * (label == 'Verlet')} | {printed} | {took:.2g} | {took / reference:.2g} |")
    return "\n".join(rows)


def order(paper, now):
    """What the paper's times say, which no noise of ours turns round."""
    def times_as_long(table, slow, fast, printed, said):
        ratio = now[table][slow][0] / now[table][fast][0]
        paper.claim("times", said, f"here {ratio:.2g} times, in the paper {printed:.2g} times as long", ratio > 1.2)

    times_as_long("pendulum", "newmark", "zs", 5.3 / 0.4, "double pendulum: Newmark with a full solve takes longer than Z&S")
    times_as_long("pendulum", "shake", "zs", 3.8 / 0.4, "... and so does SHAKE")
    times_as_long("pendulum", "verlet", "zs", 1.0 / 0.4, "... and Verlet at the step it needs")
    times_as_long("pendulum", "angles", "shake", 91.3 / 3.8, "... the benchmark takes longest (ours at h = 0.001)")
    times_as_long("chain", "shake", "zs", 8.1 / 1.1, "chain of ten: SHAKE takes longer than Z&S")
    times_as_long("dna", "verlet", "zs", 23.26 / 3.24, "DNA: Verlet at h = 0.2 takes longer than Z&S at h = 2")
    one = now["pendulum"]["one"][0] / now["pendulum"]["zs"][0]
    paper.claim("times", "double pendulum: Newmark with one iteration takes half as long as Z&S",
                f"here {one:.2g} times as long", one > 1.2, "**differs**")
    seven, hundred = (water.TIMES["SHAKE", n] / water.TIMES["Z&S (19)", n] for n in (7, 100))
    paper.claim("times", "waters: SHAKE takes longer than Z&S, less so for a hundred", f"here {seven:.2g} and {hundred:.2g} "
                f"times, in the paper "
                f"{13472 / 1549:.2g} and {42234 / 30059:.2g} times as long", seven > hundred > 1.2)


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
    now = {name: measure(paper.program, ROUNDS) for name, measure in (
        ("pendulum", times.pendulum), ("chain", times.chain), ("dna", times.dna))}
    order(paper, now)
    measured = json.loads(FILE.read_text(encoding="utf-8"))
    return f"""## Run times

The paper's are seconds of Matlab 7.7 with `fsolve`; here and there only ratios between methods mean something. *Here* is the
shortest of {ROUNDS} rounds of this command, on {machine()}: these numbers alone change from run to run. *By times.py* is the
shortest of {times.ROUNDS} rounds of `python3 papers/to/times.py build/release/actio build/release/papers` on
{measured["machine"]}.

{paper.table("times")}

Double pendulum, until t = 50, in units of Verlet's:

{ratios(now["pendulum"], measured["pendulum"], PENDULUM, "verlet")}

Chain of ten, in units of Z&S's:

{ratios(now["chain"], measured["chain"], CHAIN, "zs")}

DNA, until t = 1000, in units of Verlet's at h = 0.2:

{ratios(now["dna"], measured["dna"], DNA, "verlet")}

Waters with noise, T = 10000 for 7 and T = 1000 for 100, one run each, observations included:

{waters()}

Chains of n pendula, by times.py:

{scaling(paper, measured["scaling"])}
"""
