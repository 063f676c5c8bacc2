"""KMOW section 4: energy and angular momentum of the conservative oscillator, Figures 4.1 and 4.2."""
import numpy as np

from common import BLACK, BLUE, GREEN, ORANGE, RED, below, digits, plot
from oscillator import BENCHMARK, EXPLICIT, NEWMARK, RK4, VARIATIONAL

LONG = 1e5  # t, half a million steps
# name: (method, label, colour, dashes)
METHODS = {
    "newmark": (NEWMARK, "implicit Newmark", BLUE, "-"), "explicit": (EXPLICIT, "explicit Newmark", ORANGE, "-"),
    "variational": (VARIATIONAL, "variational", GREEN, "-"), "rk4": (RK4, "Runge-Kutta", RED, "--"),
    "benchmark": (BENCHMARK, "benchmark", BLACK, ":")}


def runs(paper):
    short = {name: paper.run("oscillator.toml", f"conservative-{name}", *METHODS[name][0]) for name in METHODS}
    many = {name: paper.run("oscillator.toml", f"long-{name}", *METHODS[name][0], f"run.end={LONG:g}", "run.every=5")
            for name in ("newmark", "explicit", "variational", "rk4")}
    return short, many


def spread(values):
    return values.max() - values.min()


def parts(run, what):
    """Spread over the first 1 % and the last 1 % of a long run."""
    n = len(what) // 100
    return spread(what[:n]), spread(what[-n:])


def energies(paper, short, many):
    e0 = short["benchmark"].energy[0]
    for name in ("newmark", "explicit", "variational"):
        first, last = parts(many[name], many[name].energy)
        energy = many[name].certificate["energy"]
        paper.claim("4.1", f"{METHODS[name][1]}: the energy fluctuates and stays, for essentially arbitrarily long times",
                    f"spread {digits(first, 3)} over the first 1000 units of time, {digits(last, 3)} over the last of "
                    f"{LONG:g}; no drift that can be seen (95 %)",
                    abs(last / first - 1) < 0.01 and abs(energy["drift_per_step"]) < energy["drift_confidence"])
    at = {t: short["rk4"].energy[np.searchsorted(short["rk4"].t, t - 1e-9)] for t in (50, 100)}
    paper.claim("4.1", "Runge-Kutta behaves qualitatively differently",
                f"it loses energy: {e0:.3f} at t = 0, {at[50]:.3f} at 50, {at[100]:.3f} at 100; at {LONG:g} it moves on a "
                f"circle at the bottom of the potential with {many['rk4'].energy[-1]:.3f}",
                e0 - at[50] > 0.04 and at[50] - at[100] > 0.02 and many["rk4"].energy[-1] < 0.03)
    sides = {}
    for name in ("newmark", "explicit", "variational"):
        up, down = short[name].energy.max() - e0, e0 - short[name].energy.min()
        sides[name] = min(up, down) / max(up, down)
    paper.claim("4.1", "the energies of each trajectory lie all above or all below the exact value",
                "so they do, but for a hundredth: excursion to the other side, of the largest: "
                + ", ".join(f"{METHODS[name][1]} {digits(100 * side)} %" for name, side in sides.items()),
                max(sides.values()) < 0.01)
    error = short["benchmark"].certificate["energy"]["max_error"]
    turn = abs(short["benchmark"].momentum["angular momentum"] - 0.24).max()
    paper.claim("4.1", "the benchmark preserves energy and momentum to within almost machine precision",
                f"CVODE's Adams at rtol 1e-12 to {below(error)} and {below(turn)} at t = 100: not quite, but far below all "
                "that is compared with it",
                max(error, turn) < 1e-8, "**differs**")


def momenta(paper, short, many):
    J = {name: run.momentum["angular momentum"] for name, run in many.items()}
    for name in ("explicit", "variational"):
        worst = many[name].certificate["momentum"]["angular momentum"]
        paper.claim("4.2", f"{METHODS[name][1]} conserves the angular momentum exactly, so it is not plotted",
                    f"largest error over half a million steps below {below(worst['max_error'])}, round-off",
                    worst["max_error"] < 1e-11)
    first, last = parts(many["newmark"], J["newmark"])
    paper.claim("4.2", "implicit Newmark: finite fluctuations that persist indefinitely (Theorem 3.6)",
                f"spread {digits(first, 3)} over the first 1000 units of time and {digits(last, 3)} over the last of {LONG:g}",
                abs(last / first - 1) < 0.01)
    rk4 = short["rk4"].momentum["angular momentum"]
    paper.claim("4.2", "the momentum of Runge-Kutta diverges",
                f"it falls and does not return, by {digits(0.24 - rk4[-1])} at t = 100, but that is a tenth of Newmark's "
                f"fluctuation, and it ends: {digits(0.24 - J['rk4'][len(J['rk4']) // 100])} at t = 1000, "
                f"{digits(0.24 - J['rk4'][-1])} at {LONG:g}, where the motion has become a circle",
                0.24 - rk4[-1] > 5e-4 and 0.24 - J["rk4"][-1] < 3e-3, "**differs**")


def figures(paper, short, many):
    drawn, (upper, lower) = plot(2, 1, (7.4, 4.6))
    for name, (_, label, color, style) in METHODS.items():
        upper.plot(short[name].t, short[name].energy, color=color, linestyle=style, label=label, linewidth=1.0)
    upper.set(xlabel="t", ylabel="energy", xlim=(0, 100), title="h = 0.2")
    for name in ("newmark", "explicit", "variational", "rk4"):
        _, label, color, style = METHODS[name]
        t, energy = envelope(many[name].t, many[name].energy)
        lower.fill_between(t, *energy, color=color, alpha=0.75, linewidth=0.8)
    lower.axhline(short["benchmark"].energy[0], color=BLACK, linestyle=":")
    lower.set(xlabel="t", ylabel="energy", xscale="log", xlim=(20, LONG),
              title="the same on: lowest to highest in equal parts of log t")
    upper.legend(loc="lower left", ncol=3, fontsize=8)
    energy = paper.save(drawn, "figure-4.1")

    drawn, axes = plot(1, 1, (7.4, 3.0))
    for name in ("newmark", "rk4", "benchmark"):
        _, label, color, style = METHODS[name]
        momentum = short[name].momentum["angular momentum"]
        axes.plot(short[name].t, momentum, color=color, linestyle=style, label=label, linewidth=1.0)
    axes.set(xlabel="t", ylabel="angular momentum", xlim=(0, 100), title="h = 0.2")
    axes.legend(loc="upper right", ncol=3, fontsize=8, bbox_to_anchor=(1, 1.14))
    return energy, paper.save(drawn, "figure-4.2")


def envelope(t, values, parts_of_log=120):
    """t and the (lowest, highest) value in each of equal parts of log t."""
    edges = np.unique(np.searchsorted(t, np.geomspace(20, t[-1] * (1 + 1e-12), parts_of_log + 1)))
    spans = [slice(a, b) for a, b in zip(edges[:-1], edges[1:])]
    return [t[s][0] for s in spans], ([values[s].min() for s in spans], [values[s].max() for s in spans])


def section(paper, short, many):
    energies(paper, short, many)
    momenta(paper, short, many)
    energy, momentum = figures(paper, short, many)
    return f"""## Figure 4.1: energy, conservative

Start (1.2, 0) with velocity (0, 0.2), h = 0.2, to t = 100 (the length of the abstract's figure; the paper's text gives none), and
on to t = {LONG:g}.

{energy}

{paper.table("4.1")}

## Figure 4.2: angular momentum, conservative

{momentum}

{paper.table("4.2")}
"""
