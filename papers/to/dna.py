"""TO 4.4: transitions of a strand of DNA, and where the linearly implicit methods are stable. Figure 8.

    python3 papers/to/dna.py ACTIO RESULTS      # the map alone, as a table on standard output

make.py calls `section`.
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import BLACK, BLUE, RED, Paper, digits, plot  # noqa: E402

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
    """(run, failure): a run of the strand to t = end, and None or what `actio` says: stopped, or a claim is broken."""
    return paper.attempt(PROBLEM, name, *overrides, every(overrides), f"run.end={end:g}", f"certificate.energy={GONE:g}")


def lost(run):
    """The run did not reach its end."""
    return run.certificate["steps"] < run.certificate["planned_steps"]


def transitions(run):
    """How often the mean angle goes from one well to the other; pi lies between, and within 1 of it nothing is counted."""
    mean = run.q.mean(axis=1)
    sides = [np.sign(m - np.pi) for m in mean if abs(m - np.pi) > 1]
    return sum(a != b for a, b in zip(sides, sides[1:]))


def outcome(run):
    """One cell of the map: transitions and the largest error of the energy, or when it was lost."""
    return f"lost at {run.t[-1]:.2g}" if lost(run) else f"{transitions(run)}, {np.abs(run.energy - run.energy[0]).max():.2g}"


def stability(paper, end=2e4, amplitudes=(0.05, 0.1, 0.2), betas=(0.25, 0.3, 0.4), steps=(1, 1.5, 2)):
    """(Markdown, gone): what becomes of the strand until t = end, for each start, with and without V''', beta and h."""
    rows = ["| start | method | beta | " + " | ".join(f"h = {h:g}" for h in steps) + " |", "|-|-|-|" + "-|" * len(steps)]
    gone = {}
    for amplitude in amplitudes:
        start = f"initial.position.theta='0.8 + {amplitude:g}*normal()'"
        for third in (False, True):
            for beta in betas:
                runs = [attempt(paper, "dna-map", end, *linearly_implicit(third, beta, h), start)[0] for h in steps]
                gone |= {(amplitude, third, beta, h): lost(run) for h, run in zip(steps, runs)}
                rows.append(f"| {amplitude:g} | {'with' if third else 'without'} V''' | {beta:g} | " +
                            " | ".join(map(outcome, runs)) + " |")
    return "\n".join(rows), gone


def verlet_limit(paper, end=2e4):
    """Markdown of Verlet at larger steps, and the largest of them that is not lost."""
    steps = (0.2, 0.5, 0.9, 0.95, 1)
    runs = [attempt(paper, f"dna-verlet-{h:g}", end, "method.name=verlet", f"run.step={h:g}")[0] for h in steps]
    table = "| Verlet | " + " | ".join(f"h = {h:g}" for h in steps) + " |\n|-|" + "-|" * len(steps) + "\n| | "
    return table + " | ".join(map(outcome, runs)) + " |", max(h for h, run in zip(steps, runs) if not lost(run))


def figure(paper, runs):
    """Figure 8: the mean angle against time and against its velocity, and the energies."""
    picture, panels = plot(2, 2, size=(7.4, 5.0), width_ratios=(2, 1))
    axes, below = panels[0], panels[1]
    for label, colour, run in runs:
        mean, rate = run.q.mean(axis=1), run.v.mean(axis=1)
        axes[0].plot(run.t, mean, color=colour, label=label)
        axes[1].plot(mean, rate, ".", color=colour, markersize=1)
        for axis, until in zip(below, (2500, run.t[-1])):
            axis.plot(run.t[run.t <= until], run.energy[run.t <= until], color=colour, linewidth=0.7)
            axis.set(xlabel="t", ylabel="energy", xlim=(0, until), ylim=(0, None))
    for level in (CLOSED, TURNED):
        axes[0].axhline(level, color="0.6", linewidth=0.6)
    axes[0].set(xlabel="t", ylabel="mean angle", xlim=(0, 2500))
    axes[1].set(xlabel="mean angle", ylabel="its velocity")
    axes[0].legend(fontsize=7, loc="center right")
    return paper.save(picture, "figure-8")


def section(paper, end=2e4):
    verlet, zss, zs = runs = [attempt(paper, f"dna-{name}", end, *overrides)[0] for name, overrides in (
        ("verlet", VERLET), ("zss", linearly_implicit(False, 0.3, 2)), ("zs", linearly_implicit(True, 0.3, 1)))]
    drawn = figure(paper, list(zip(("Verlet, h = 0.2", "Z&S simplified, h = 2", "Z&S, h = 1"), (BLACK, BLUE, RED), runs)))
    means = np.concatenate([run.q.mean(axis=1) for run in runs])
    counts = [transitions(run) for run in runs]
    paper.claim("figure 8", "the strand transits between the meta-stable configurations arccos(0.7) and 2 pi - arccos(0.7), by "
                "Velocity-Verlet and by "
                "Z&S", f"{counts[0]} transitions by Verlet (h = 0.2), {counts[1]} by simplified Z&S (h = 2), "
                f"{counts[2]} by Z&S (h = 1) until t = {end:g}; the mean angle is between {means.min():.2f} and "
                f"{means.max():.2f}",
                min(counts) >= 1 and not any(map(lost, runs)) and means.min() < CLOSED + 1 and means.max() > TURNED - 1)
    blown, said = attempt(paper, "dna-blown", end, *linearly_implicit(True, 0.3, 2))
    table, gone = stability(paper)
    full = [gone[key] for key in gone if key[1] and key[3] == 2]
    rest = [gone[key] for key in gone if not key[1] and key[2] >= 0.3]
    paper.claim("figure 8", "Z&S with beta = 0.3 at h = 2 simulates it, near its stability limit",
                f"it is lost at t = {blown.t[-1]:.3g} with exit code 1; with V''' and h = 2 {sum(full)} of {len(full)} runs "
                "of the map are "
                f"lost, without V''' and beta from 0.3 on {sum(rest)} of {len(rest)} at any h to 2",
                lost(blown) and said is not None and sum(full) > sum(rest), "**differs**")
    limits, largest = verlet_limit(paper)
    paper.claim("figure 8", "h = 0.2 in Velocity-Verlet is near the stability limit", 
                f"it runs to t = {end:g} at h = {largest:g} too; the "
                "neighbours alone, of frequency up to 2, allow h < 1", largest > 0.4, "**differs**")
    late = [run.energy[3 * len(run.energy) // 4:].mean() - verlet.energy[0] for run in (verlet, zss, zs)]
    early = [run.energy[(run.t > 0) & (run.t < 1000)].mean() - verlet.energy[0] for run in (zss, zs)]
    paper.claim("figure 8", "the Z&S energy is lower than the benchmark because fast oscillations are damped by large time-steps",
                f"mean less the start, last quarter: Verlet {digits(late[0])}, simplified Z&S (h = 2) {digits(late[1])}, "
                "Z&S (h = 1) "
                f"{digits(late[2])}, of {digits(verlet.energy[0], 3)}; before t = 1000 already {digits(early[0])} and "
                f"{digits(early[1])}: what is "
                "missing is missing from the first steps on, not lost in time. Simplified Z&S even gains some again",
                late[1] < late[0] and late[2] < late[0] and late[1] > early[0])
    return f"""## Figure 8: a strand of DNA

(31) with N = 200, from theta_k = 0.8 + 0.1 xi_k: `examples/dna.toml`. The motion is chaotic: another draw, another machine
or another compiler gives other numbers of transitions, and the map below moves a little. Upper left the first 2500,
after which the strand stays in one of the wells; upper right all of it, a point every 10 units of time. Below the energies, over
the first 2500 and over all.

{drawn}

{paper.table("figure 8")}

Where it is stable until t = 2e4: "4, 0.9" are four transitions and a largest error of 0.9 of the energy, which is
{digits(verlet.energy[0], 3)} for the start 0.1; *start* is the factor of xi_k. A run whose energy is off by {GONE:g} is
lost; it ends with exit code 1: "{said.split(";")[0]}".

{table}

{limits}

A run that reaches its end may still break a claim of the certificate: where the energy stays away from the start's for
good, as it does at these steps, `actio` says so, and its exit code is 1 too.
"""


if __name__ == "__main__":
    print(stability(Paper("to", sys.argv[1:]))[0])
