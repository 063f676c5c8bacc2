"""Karow's balance on a building frame of 10500 coordinates under the record: the run's ledger, and what other methods lose."""
import csv
import shutil
import subprocess

import numpy as np

from balance import Linear
from common import BLACK, BLUE, EPS, GREEN, ORANGE, PURPLE, RED, SKY, Failed, below, digits, plot
from matrix import Sparse
from sdof import close, newmark

BAYS, STOREYS = "6x4", 50
RAYLEIGH = 0.0685, 0.00434  # as in frame.toml
UNEQUAL = "run.step=[0.02, 0.01, 0.03]"
# name: (overrides, label, colour, dashes)
METHODS = {
    "average": (newmark(0.25, 0.5), "Newmark 1/4, 1/2", BLACK, "-"),
    "newmark-0.51": (newmark(1.01**2 / 4, 0.51), r"Newmark, $\gamma$ = 0.51", SKY, "--"),
    "newmark-0.6": (newmark(1.1**2 / 4, 0.6), r"Newmark, $\gamma$ = 0.6", BLUE, "-."),
    "hht": (("method.name=hht", "method.rho=0.8"), r"HHT, $\rho$ = 0.8", ORANGE, "--"),
    "generalized-0.8": (("method.name=generalized-alpha", "method.rho=0.8"), r"generalised-$\alpha$, $\rho$ = 0.8", GREEN, "-."),
    "generalized-0": (("method.name=generalized-alpha", "method.rho=0"), r"generalised-$\alpha$, $\rho$ = 0", RED, ":")}


class Frame:
    """The problem with all its files in one folder of the results, and what the trajectory does not say."""

    def __init__(self, paper):
        self.folder = paper.results / "tower"
        self.folder.mkdir(exist_ok=True)
        for name in ("frame.toml", "record.csv"):
            shutil.copy(paper.folder / name, self.folder)
        generate = paper.program.parent / "models" / "generate"
        done = subprocess.run([generate, "frame", "--bays", BAYS, "--storeys", str(STOREYS), "--out", self.folder / "frame"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(done.stderr)
        self.problem = self.folder / "frame.toml"
        with open(self.folder / "frame" / "ground.csv", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        self.direction = np.array([float(row["x"]) for row in rows])
        self.roof = max(k for k, row in enumerate(rows) if row["k"] == "0")  # x of the last node
        self.record = np.loadtxt(self.folder / "record.csv", delimiter=",", skiprows=1)

    def linear(self, t):
        M, S = (Sparse(self.folder / "frame" / f"{name}.mtx") for name in "MS")
        ground = np.interp(t, *self.record.T)
        return Linear(M, M.scaled(RAYLEIGH[0], S, RAYLEIGH[1]), S, -ground[:, None] * (M @ self.direction))


def identities(paper, frame):
    """(13) and (14) in numpy from the trajectory alone, while the ground shakes hardest."""
    for name, steps in (("100 steps of 0.02 s", "run.step=0.02"), ("steps of 0.02, 0.01 and 0.03 s in turn", UNEQUAL)):
        run = paper.run(frame.problem, f"frame-every-step-{len(name)}", steps, "run.start=7", "run.end=9", "run.every=1")
        by_13, by_14, size = frame.linear(run.t).balance(run)
        paper.claim("frame", f"(13) and (14); {name} from rest at t = 7",
                    f"largest remainder of a step {below(abs(by_13).max() / size)} and {below(abs(by_14).max() / size)} of "
                    "the energies at work",
                    max(abs(by_13).max(), abs(by_14).max()) < 50 * EPS * size)


def ledgers(paper, frame):
    runs = {name: paper.run(frame.problem, f"frame-{name}", *METHODS[name][0]) for name in METHODS}
    average = runs["average"]
    close(paper, "frame", average, f"{average.certificate['steps']} steps of 0.02 s")
    unequal = paper.run(frame.problem, "frame-unequal", UNEQUAL)
    close(paper, "frame", unequal, "steps of 0.02, 0.01 and 0.03 s in turn")
    counts = average.certificate["solver"]["factorisations"], unequal.certificate["solver"]["factorisations"]
    paper.claim("frame", "(b'): the matrix M + gamma h D + beta h^2 S depends on h_j alone",
                f"factorisations: {counts[0]} for {average.certificate['steps']} equal steps, {counts[1]} for "
                f"{unequal.certificate['steps']} steps of three sizes",
                counts[0] <= 2 and counts[1] <= 4)
    work = average.ledger["external"][-1]
    for name in list(METHODS)[1:]:
        lost, given = runs[name].ledger["method"], runs[name].ledger["external"][-1]
        paper.claim("loss", f"{METHODS[name][1].replace('$', '').replace(chr(92), '')}",
                    f"{digits(100 * lost[-1] / given)} % of the work done on it, {digits(lost[-1])} J; work "
                    f"{digits(given / work, 4)} of Newmark 1/4, 1/2's",
                    abs(lost[-1]) > 1e-6 * given)
    return runs


def figures(paper, frame, runs):
    average = runs["average"]
    t, ledger = average.t, {name: values / 1e6 for name, values in average.ledger.items()}
    drawn, axes = plot(3, 1, (7.4, 6.4), sharex=True, gridspec_kw={"height_ratios": (1, 1, 2)})
    axes[0].plot(*frame.record.T, color=PURPLE, linewidth=0.6)
    axes[0].set(ylabel="ground [m/s$^2$]", title=f"Frame of {BAYS} bays and {STOREYS} storeys, {average.q.shape[1]} coordinates")
    axes[1].plot(t, average.q[:, frame.roof], color=BLUE)
    axes[1].set(ylabel="roof [m]")
    axes[2].plot(t, ledger["external"], color=BLUE, label="work of the ground")
    axes[2].plot(t, ledger["dissipated"], color=RED, linestyle="--", label="dissipated")
    axes[2].plot(t, (average.energy - average.energy[0]) / 1e6, color=GREEN, linestyle="-.", label="energy")
    axes[2].plot(t, ledger["external"] - ledger["dissipated"], color=BLACK, linestyle=":", label="work less dissipated")
    axes[2].set(xlabel="t [s]", ylabel="MJ", xlim=(0, t[-1]))
    axes[2].legend(fontsize=8)
    ledger_figure = paper.save(drawn, "figure-frame")

    drawn, axes = plot(1, 1, (7.4, 3.4))
    for name, (_, label, color, style) in METHODS.items():
        share = np.maximum(np.abs(runs[name].ledger["method"]) / average.ledger["external"][-1], 1e-16)
        shown = share if name != "average" else 10 ** np.ceil(np.log10(np.maximum.accumulate(share)))  # rounding, by decades
        axes.semilogy(runs[name].t, shown, color=color, linestyle=style, label=label)
    axes.set(xlabel="t [s]", ylabel="|loss by the method| / work", xlim=(0, t[-1]), ylim=(1e-16, 10))
    axes.legend(fontsize=8, ncol=2)
    return ledger_figure, paper.save(drawn, "figure-loss")


def section(paper):
    frame = Frame(paper)
    identities(paper, frame)
    runs = ledgers(paper, frame)
    ledger, loss = figures(paper, frame, runs)
    average = runs["average"]
    peak = abs(average.q[:, frame.roof]).max()
    work, spent, lost = (abs(average.ledger[name][-1]) for name in ("external", "dissipated", "method"))
    return f"""## The balance of energy: a building

A frame of steel columns and beams, {BAYS} bays and {STOREYS} storeys, {average.q.shape[1]} coordinates, from `generate frame`
(in `models/`); damping D = {RAYLEIGH[0]} M + {RAYLEIGH[1]} S, 3 % of critical at 0.2 and 2 Hz. The ground moves by `record.csv`,
noise shaped like an earthquake (`record.py`). The roof moves by {peak:.2f} m; of {digits(work / 1e6, 3)} MJ of work
{digits(spent / 1e6, 3)} MJ are dissipated within {average.t[-1]:g} s, {below(lost / work)} of it is lost by the method.

{ledger}

{paper.table("frame")}

## What other methods lose

The same frame and record, h = 0.02 s. The balance (13) does not hold for these; what is missing in it is the method's. The black
line is round-off: it shows the largest value so far, rounded up to a power of ten, because the digits of round-off differ from
machine to machine. So it rises in steps.

{loss}

{paper.table("loss").replace("the paper", "method").replace("measured", "loss in 40 s")}
"""
