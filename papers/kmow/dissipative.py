"""KMOW section 6: decay of the energy with friction phi = 1e-3/2 |v|^2, Figures 6.1 and 6.2.

Energies fluctuate with the motion, so decay is measured on their means over 8 units of time, about two fluctuations:
rate = -slope of ln(mean energy), and the largest distance from the benchmark's.
"""
import numpy as np

from common import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, below, digits, plot
from oscillator import BENCHMARK, H, RK4, VARIATIONAL, cross

WINDOW = 40  # steps
LONG = 2000.0
TWO_STEP = ("method.name=two-step", "method.alpha=0.5")
NEWMARK, EXPLICIT = (("method.name=minimising-newmark", f"method.beta={beta}", "method.gamma=0.5") for beta in (0.25, 0))
METHODS = {
    "variational": (VARIATIONAL, "discrete Lagrange-d'Alembert", GREEN, "-"),
    "two-step": (TWO_STEP, "two-step", PURPLE, "--"),
    "newmark": (NEWMARK, "implicit Newmark", BLUE, "-"), "explicit": (EXPLICIT, "explicit Newmark", ORANGE, "-"),
    "rk4": (RK4, "Runge-Kutta", RED, "--"), "benchmark": (BENCHMARK, "benchmark", BLACK, ":")}
STRUCTURED = ("variational", "two-step", "newmark", "explicit")


def runs(paper):
    return {name: paper.run("friction.toml", f"friction-{name}", *METHODS[name][0], f"run.end={LONG:g}") for name in METHODS}


def mean(values):
    return np.convolve(values, np.ones(WINDOW) / WINDOW, "valid")


def rate(t, values, end):
    within = t[WINDOW - 1:] <= end
    return -np.polyfit(t[WINDOW - 1:][within], np.log(mean(values)[within]), 1)[0]


def deviation(runs, name, end):
    """Largest distance of the mean energy from the benchmark's, and the ratio of the two at the end."""
    n = int(end / H) + 2 - WINDOW
    own, true = mean(runs[name].energy)[:n], mean(runs["benchmark"].energy)[:n]
    return abs(own - true).max(), own[-1] / true[-1]


def short_claims(paper, runs, conservative):
    """conservative: the runs of section 4 by name, whose fluctuation is the yardstick of what friction adds."""
    until = slice(0, 501)
    true = runs["benchmark"].energy[until]
    for name in STRUCTURED:
        alike = conservative["variational" if name == "two-step" else name].energy
        own = abs(alike - alike[0]).max()
        off = abs(runs[name].energy[until] - true).max()
        paper.claim("6.1", f"{METHODS[name][1]} correctly captures the energy decay",
                f"never further than {digits(off)} from the benchmark; without friction it fluctuates by {digits(own)}. "
                    f"Mean energy at t = 100: {deviation(runs, name, 100)[1]:.3f} of the benchmark's",
                    off < 1.05 * own)
    far, ratio = deviation(runs, "rk4", 100)
    lost = (true[0] - runs["rk4"].energy[500]) / (true[0] - true[-1])
    paper.claim("6.1", "Runge-Kutta does not",
                f"by t = 100 it has lost {lost:.1f} times as much as the benchmark; its mean energy is {ratio:.2f} of the "
                "benchmark's",
                lost > 2)
    ledger = {name: values[500] for name, values in runs["rk4"].ledger.items()}
    friction = runs["benchmark"].ledger["dissipated"][500]
    paper.claim("6.1", "(ours) what Runge-Kutta loses is no friction",
                f"its ledger at t = 100: friction {digits(ledger['dissipated'], 3)} (benchmark {digits(friction, 3)}), lost by "
                f"the method {digits(ledger['method'], 3)}",
                ledger["method"] > 3 * ledger["dissipated"] and ledger["dissipated"] < 1.2 * friction)
    both = abs(runs["variational"].energy[until] - runs["two-step"].energy[until]).max()
    means = abs(mean(runs["variational"].energy[until]) - mean(runs["two-step"].energy[until])).max()
    own = abs(conservative["variational"].energy - true[0]).max()
    paper.claim("6.1", "discrete Lagrange-d'Alembert and two-step give results which are almost indistinguishable",
                f"their mean energies are at most {digits(means)} apart; the energies {digits(both)}, of a fluctuation of "
                f"{digits(own)}, as the phases part",
                means < 0.1 * own)
    low, fourth = one_step_error(runs, "variational"), one_step_error(runs, "rk4")
    paper.claim("6.1", "the variational integrators are only low order, unlike Runge-Kutta: local error is not the measure",
                f"error of the first step: Runge-Kutta {digits(fourth)}, variational {digits(low)}, {digits(low / fourth, 1)} "
                "times as large",
                low > 10 * fourth)


def one_step_error(runs, name):
    run, true = runs[name], runs["benchmark"]
    return max(abs(run.q[1] - true.q[1]).max(), abs(run.v[1] - true.v[1]).max())


def long_claims(paper, runs):
    t, true = runs["benchmark"].t, rate(runs["benchmark"].t, runs["benchmark"].energy, LONG)
    for name in (*STRUCTURED, "rk4"):
        own, (far, ratio) = rate(t, runs[name].energy, LONG), deviation(runs, name, LONG)
        said = "does not" if name == "rk4" else "continues to capture the decay, with slight deviations at very large times"
        paper.claim("6.2", f"{METHODS[name][1]} {said}",
                f"rate of decay {digits(own, 3)}, {own / true:.3f} of the benchmark's {digits(true, 3)}; mean energy at "
                    f"most {digits(far)} from the benchmark's, at t = {LONG:g} {digits(ratio, 3)} of it",
                    own / true > 2 if name == "rk4" else abs(own / true - 1) < 0.05)
    exact = 0.24 * np.exp(-1e-3 * t)  # dJ/dt = -c J
    benchmark = runs["benchmark"].momentum["angular momentum"]
    away = {name: abs(mean(runs[name].momentum["angular momentum"]) / mean(exact) - 1).max() for name in METHODS}
    errors = ", ".join(f"{METHODS[name][1]} {100 * away[name]:.1f} %" for name in (*STRUCTURED, "rk4"))
    kept = abs(benchmark / exact - 1).max()
    paper.claim("6.2", "the momentum decays too; its plots are qualitatively similar",
                f"it is 0.24 exp(-t/1000) exactly, which the benchmark keeps to {below(kept)}. Largest relative error of its "
                f"mean: {errors}. Not similar for Runge-Kutta, whose momentum is right where its energy is not",
                kept < 1e-6 and max(away.values()) < 0.1 and away["rk4"] < 0.02, "**differs**")
    falling = {name: np.diff(runs[name].energy).max() for name in ("benchmark", "rk4")}
    paper.claim("6.2", "energy and momentum should decrease",
                f"the benchmark's does at every step (largest change {digits(falling['benchmark'], 1)}); the energies of the "
                "structured methods fluctuate about it",
                falling["benchmark"] <= 0)


def barrier(J):
    """(level, top): of V + J^2/(2 r^2) between its bottoms at the centre and at |q| = 1; without a top (J above 0.16) the level
    where it is flattest."""
    r = np.linspace(0.3, 0.8, 5001)
    slope = np.gradient(r**2 * (r**2 - 1)**2 + J**2 / (2 * r**2), r)
    tops = np.flatnonzero((slope[:-1] > 0) & (slope[1:] <= 0))
    at = r[tops[0] if len(tops) else np.argmax(slope[(r > 0.4) & (r < 0.6)]) + np.searchsorted(r, 0.4)]
    return at**2 * (at**2 - 1)**2 + J**2 / (2 * at**2), len(tops) > 0


def captures(paper, runs):
    """Why the bands of Figure 6.2 end: when the motion stops to cross the barrier, and where it stays."""
    rows, at = ["| | last crossing at t | mean energy then | level of the barrier then | stays at |q| | energy's swing over 8 "
        "units before, after |".replace("|q|", "\\|q\\|"),
                "|-|-|-|-|-|-|"], {}
    for name in METHODS:
        run, J = runs[name], runs[name].momentum["angular momentum"]
        inside = np.hypot(*run.q.T) < np.sqrt(1 / 3)
        last = np.flatnonzero(np.diff(inside))[-1]
        before, after = slice(last - WINDOW, last), slice(last + WINDOW, last + 2 * WINDOW)
        top = barrier(J[last - WINDOW:last + WINDOW].mean())[0]
        energy, swings = run.energy[last - WINDOW:last + WINDOW].mean(), [np.ptp(run.energy[s]) for s in (before, after)]
        at[name] = run.t[last], energy, top, inside[-1], swings
        rows.append(f"| {METHODS[name][1]} | {run.t[last]:.0f} | {energy:.3f} | {top:.3f} | "
                    f"{'small' if inside[-1] else 'about 1'} | {digits(swings[0])}, {digits(swings[1])} |")
    own = at["variational"]
    close = {name: at[name][1] / at[name][2] - 1 for name in ("variational", "two-step", "newmark", "explicit", "benchmark")}
    paper.claim("6.2", "(ours) the band of the discrete Lagrange-d'Alembert method ends near t = 400, implicit Newmark's near 650",
                "V + J^2/(2 r^2) has a barrier between the bottoms at the centre and at \\|q\\| = 1. Where the mean "
                f"energy falls to it (within {digits(100 * max(map(abs, close.values())))} %), the motion stays on one side. "
                f"These two methods stay inside, where the motion is "
                f"nearly a circle: at t = {own[0]:.0f} the energy's swing falls from {digits(own[4][0])} to "
                f"{digits(own[4][1])}. The benchmark stays outside, from t = "
                f"{at['benchmark'][0]:.0f} on: the side is a matter of chance",
                own[3] and at["newmark"][3] and not at["benchmark"][3] and own[4][0] > 4 * own[4][1] and
                max(map(abs, close.values())) < 0.06)
    return "\n".join(rows)


def figures(paper, runs):
    drawn, axes = plot(1, 1, (7.4, 3.4))
    until = slice(0, 501)
    for name, (_, label, color, style) in METHODS.items():
        axes.plot(runs[name].t[until], runs[name].energy[until], color=color, linestyle=style, label=label, linewidth=1.0)
    axes.set(xlabel="t", ylabel="energy", xlim=(0, 100), title="h = 0.2, friction 1e-3")
    axes.legend(loc="lower left", ncol=2, fontsize=8)
    short = paper.save(drawn, "figure-6.1")

    drawn, (upper, lower) = plot(2, 1, (7.4, 5.0), sharex=True)
    for name in ("variational", "rk4", "benchmark"):
        _, label, color, style = METHODS[name]
        upper.plot(runs[name].t[::2], runs[name].energy[::2], color=color, linestyle=style, label=label, linewidth=1.0)
    upper.set(ylabel="energy", ylim=(0, 0.31), title="h = 0.2, friction 1e-3")
    upper.legend(fontsize=8)
    t = runs["benchmark"].t[WINDOW - 1:] - WINDOW * H / 2
    for name in METHODS:
        _, label, color, style = METHODS[name]
        ratio = mean(runs[name].energy) / mean(runs["benchmark"].energy)
        lower.plot(t[::10], ratio[::10], color=color, linestyle=style, label=label)
    lower.set(xlabel="t", ylabel="mean energy / benchmark's", xlim=(0, LONG), ylim=(0, 1.3))
    lower.legend(loc="center right", fontsize=8, ncol=2)
    return short, paper.save(drawn, "figure-6.2")


def section(paper, conservative):
    done = runs(paper)
    short_claims(paper, done, conservative)
    long_claims(paper, done)
    captured = captures(paper, done)
    short, long = figures(paper, done)
    return f"""## Figure 6.1: energy with friction

As Figure 4.1 with phi = 1e-3/2 |v|^2. Newmark is the minimising form of 3.6, as the paper has it. The paper draws one line for
both variational methods; here each has its own.

{short}

{paper.table("6.1")}

## Figure 6.2: the same, much longer

The paper leaves Newmark out for clearness; below, the mean over 8 units of time as a part of the benchmark's shows all.

{long}

{paper.table("6.2")}

Where the motion stays, once its energy is below the barrier:

{captured}
"""
