"""TO 4.4: transitions of a strand of DNA, and where the linearly implicit methods are stable. Figure 8.

    python3 papers/to/dna.py ACTIO RESULTS      # the map alone, as a table on standard output

make.py calls `figure` and `stability`.
"""
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import BLACK, BLUE, RED, Failed, Paper, Run, plot  # noqa: E402

PROBLEM = Path(__file__).resolve().parents[2] / "examples" / "dna.toml"
CLOSED, TURNED = np.arccos(0.7), 2 * np.pi - np.arccos(0.7)  # the minima of U
VERLET = ("method.name=verlet", "run.step=0.2")
GONE = 100.0  # energy error of a run that is lost, 50 times the energy


def linearly_implicit(third, beta, h):
    """Zhang and Skeel's method with V''' (`third`), or simplified, without."""
    return (f"method.name={'zhang-skeel' if third else 'zhang-skeel-simplified'}", f"method.beta={beta:g}", f"run.step={h:g}")


def every(overrides, time=10.0):
    """run.every for one observation in `time`."""
    h = next(float(o.split("=")[1]) for o in overrides if o.startswith("run.step="))
    return f"run.every={max(1, round(time / h))}"


def attempt(paper, name, end, *overrides):
    """(run, failure): a run of the strand to t = end, and None or what `actio` says of why it stopped. Exit code 1 is for those."""
    out = paper.results / f"{name}.h5"
    command = [paper.program, "run", PROBLEM, *overrides, every(overrides), f"run.end={end:g}", f"certificate.energy={GONE:g}",
               "--quiet", "-o", out]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise Failed(f"{' '.join(map(str, command))}\nexited with {done.returncode}\n{done.stdout}{done.stderr}")
    failure = next((line for line in done.stderr.splitlines() if line.startswith("error:")), None)
    if (done.returncode == 1) != (failure is not None):
        raise Failed(f"{' '.join(map(str, command))}\nexited with {done.returncode}, and said\n{done.stdout}{done.stderr}")
    return Run(out), failure


def transitions(run):
    """How often the mean angle goes from one well to the other; pi lies between, and within 1 of it nothing is counted."""
    mean = run.q.mean(axis=1)
    sides = [np.sign(m - np.pi) for m in mean if abs(m - np.pi) > 1]
    return sum(a != b for a, b in zip(sides, sides[1:]))


def outcome(run, failure):
    """One cell of the map."""
    if failure is not None:
        return f"lost at t = {run.t[-1]:.3g}"
    error = np.abs(run.energy - run.energy[0]).max()
    return f"{transitions(run)} transitions, energy off by {error:.2g}"


def stability(paper, end=2e4, amplitudes=(0.1, 0.05, 0.2), betas=(0.25, 0.3, 0.4), steps=(0.5, 1, 1.5, 2)):
    """Markdown: what becomes of the strand until t = end, for each start, with and without V''', beta and h."""
    rows = ["| start | method | beta | " + " | ".join(f"h = {h:g}" for h in steps) + " |", "|-|-|-|" + "-|" * len(steps)]
    for amplitude in amplitudes:
        start = f"initial.position.theta='0.8 + {amplitude:g}*normal()'"
        cell = outcome(*attempt(paper, f"dna-verlet-{amplitude:g}", end, *VERLET, start))
        rows.append(f"| {amplitude:g} | Verlet, h = 0.2 | | {cell} |" + " |" * (len(steps) - 1))
        for third in (False, True):
            for beta in betas:
                cells = [outcome(*attempt(paper, f"dna-{third:d}-{beta:g}-{h:g}-{amplitude:g}", end,
                                          *linearly_implicit(third, beta, h), start)) for h in steps]
                rows.append(f"| {amplitude:g} | {'with' if third else 'without'} V''' | {beta:g} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def figure(paper, end=1e4):
    """Figure 8: the mean angle against time, and against its velocity."""
    runs = [("Verlet, h = 0.2", BLACK, attempt(paper, "dna-figure-verlet", end, *VERLET)),
            ("Zhang-Skeel simplified, h = 2", BLUE, attempt(paper, "dna-figure-zss", end, *linearly_implicit(False, 0.3, 2))),
            ("Zhang-Skeel, h = 1", RED, attempt(paper, "dna-figure-zs", end, *linearly_implicit(True, 0.3, 1)))]
    picture, axes = plot(1, 2, size=(7.0, 3.0), width_ratios=(2, 1))
    for label, colour, (run, _) in runs:
        mean, rate = run.q.mean(axis=1), run.v.mean(axis=1)
        axes[0].plot(run.t, mean, color=colour, label=label)
        axes[1].plot(mean, rate, ".", color=colour, markersize=1)
    for level in (CLOSED, TURNED):
        axes[0].axhline(level, color="0.6", linewidth=0.6)
    axes[0].set(xlabel="t", ylabel="mean angle")
    axes[1].set(xlabel="mean angle", ylabel="its velocity")
    axes[0].legend(fontsize=7)
    return paper.save(picture, "figure-8"), {label: transitions(run) for label, _, (run, _) in runs}


if __name__ == "__main__":
    print(stability(Paper("to", sys.argv[1:])))
