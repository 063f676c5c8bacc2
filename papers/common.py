"""What the pages of papers/ share: runs of `actio`, plots, claims, and the page they end in.

    paper = Paper("kmow", sys.argv[1:])                  # kmow/make.py ACTIO RESULTS
    run = paper.run("oscillator.toml", "verlet", "method.name=verlet", "run.end=100")
    figure, axes = plot(1); axes.plot(run.t, run.energy); paper.save(figure, "figure-4.1")
    paper.claim("4.3", "the energy stays", f"{digits(error)}", error < bound)
    sys.exit(paper.write(text))                          # 1 when a claim fails

A claim is ours: what we say of the paper's sentence. Its verdict is **differs** where the
measurement contradicts the print, "stronger" where more is true.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: sums in one order, everywhere

import h5py  # noqa: E402
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the backend)
import numpy as np  # noqa: E402

EPS = np.finfo(float).eps
# Okabe and Ito's colours, told apart by the colour-blind; every line also differs in its dashes or its label.
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")

plt.rcParams.update({
    "svg.hashsalt": "actio", "svg.fonttype": "path", "figure.dpi": 110, "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
    "grid.linewidth": 0.6, "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.2,
    "legend.frameon": False, "axes.titlesize": 9, "axes.titlelocation": "left", "figure.constrained_layout.use": True,
    "axes.formatter.useoffset": False, "path.simplify": True})


class Failed(Exception):
    """A run that ended with an exit code other than 0."""


class Run:
    """One trajectory: t (N), q, v, p (N, n), energy (N), momentum[name] (N), ledger[name] (N) if there is one,
    multipliers[name] (N) of constraints if the run has them, observe[name] (N) or (N, elements) of observables in columns,
    certificate."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.t, self.q, self.v, self.p, self.energy = (file[name][:] for name in ("t", "q", "v", "p", "energy"))
            self.momentum = {name: values[:] for name, values in file.get("momentum", {}).items()}
            self.ledger = {name: values[:] for name, values in file.get("ledger", {}).items()}
            names = file["constraints"].asstr()[:] if "constraints" in file else ()
            self.multipliers = {name: file["multipliers"][:, k] for k, name in enumerate(names)}
            self.observe = {name: values[:] for name, values in file.get("observe", {}).items() if isinstance(values, h5py.Dataset)}
            self.certificate = json.loads(file.attrs["certificate"])


class Paper:
    def __init__(self, short, arguments):
        """arguments: the program `actio`, and the folder that receives the trajectories."""
        self.folder = Path(__file__).parent / short
        self.program, results = Path(arguments[0]).resolve(), Path(arguments[1]).resolve()
        self.results = results / short
        self.results.mkdir(parents=True, exist_ok=True)
        self.sections, self.failed = {}, []

    def run(self, problem, name, *overrides):
        """Runs a problem of the paper's folder, or one given by its whole path, into results/NAME.h5."""
        run, failure = self.attempt(problem, name, *overrides)
        if failure is not None:
            raise Failed(f"{problem} {' '.join(overrides)}\n{failure}")
        return run

    def attempt(self, problem, name, *overrides):
        """(run, failure): `failure` is None, or the errors `actio` printed as it ended with exit code 1 and what there was."""
        out = self.results / f"{name}.h5"
        command = [self.program, "run", self.folder / problem, *overrides, "--quiet", "-o", out]
        one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # sums in one order, everywhere
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=one_thread)
        errors = [line.removeprefix("error: ") for line in done.stderr.splitlines() if line.startswith("error: ")]
        if done.returncode not in (0, 1) or (done.returncode == 1) != bool(errors):
            raise Failed(f"{' '.join(map(str, command))}\nexited with {done.returncode}\n{done.stdout}{done.stderr}")
        return Run(out), "; ".join(errors) or None

    def save(self, figure, name):
        """NAME.svg and NAME.png in the paper's folder, the same bytes for the same numbers; returns the line of Markdown."""
        figure.savefig(self.folder / f"{name}.svg", metadata={"Date": None})
        figure.savefig(self.folder / f"{name}.png", metadata={"Software": None})
        plt.close(figure)
        return f"![{name}]({name}.svg)"

    def claim(self, section, said, measured, holds, verdict="holds"):
        """One row of the section's table: what the paper says, what was measured; `holds` is the test of our reading of it."""
        self.sections.setdefault(section, []).append((said, measured, verdict if holds else "**fails**"))
        if not holds:
            self.failed.append(f"{said}: {measured}")
            print(f"claim fails: {said}: {measured}", file=sys.stderr)

    def table(self, section):
        rows = [f"| {said} | {measured} | {verdict} |" for said, measured, verdict in self.sections[section]]
        return "\n".join(["| the paper | measured | |", "|-|-|-|", *rows])

    def write(self, text):
        """README.md of the paper's folder; returns the exit code."""
        (self.folder / "README.md").write_text(text, encoding="utf-8")
        count = sum(len(rows) for rows in self.sections.values())
        print(f"{self.folder.name}: {count - len(self.failed)} of {count} claims hold; {self.folder / 'README.md'}")
        return 1 if self.failed else 0


def digits(x, n=2):
    """n digits, the same on every machine unless the number itself is round-off."""
    return f"{x:.{n - 1}e}" if x != 0 and not 1e-4 <= abs(x) < 1e4 else f"{float(f'{x:.{n - 1}e}'):g}"


def below(x):
    """The power of ten above a number that is round-off, whose digits differ from machine to machine."""
    return f"1e{max(-16, int(np.floor(np.log10(x))) + 1) if x > 0 else -16}"


def vector(x):
    """An array as the value of an override, to the last bit."""
    return "[" + ", ".join(repr(float(value)) for value in np.ravel(x)) + "]"


def plot(rows=1, columns=1, size=(7.0, 3.2), **keys):
    return plt.subplots(rows, columns, figsize=size, **keys)
