"""TO 4.1, Figure 1: errors of six methods on the double pendulum, and what omega = 2000 does."""
import numpy as np

from common import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, digits, plot

BETA, OMEGA = 0.4, 20
BENCHMARK = 1e-4  # its step
PENALTY = ("system.constraint_method=penalty", f"system.omega={OMEGA}")


def method(name, *overrides):
    return (f"method.name={name}", f"method.beta={BETA}", *overrides)


# row: (overrides, label, colour); h = 0.1 but for Verlet, whose step is 0.1/omega
ROWS = {
    "shake": (("method.name=shake",), "SHAKE", BLACK),
    "verlet": (("method.name=verlet", f"run.step={0.1 / OMEGA}", f"run.every={OMEGA}", *PENALTY), "Verlet, h = 0.1/omega",
               ORANGE),
    "newmark": (method("newmark", *PENALTY), "Newmark, fully solved", BLUE),
    "one": (method("newmark", "method.iterations=1", *PENALTY), "Newmark, one iteration", RED),
    "zs": (method("zhang-skeel", *PENALTY), "Zhang-Skeel", GREEN),
    "push": (method("push-forward-newmark", *PENALTY), "push-forward Newmark", PURPLE)}
MORE = {
    "two": (method("newmark", "method.iterations=2", *PENALTY), "Newmark, two iterations"),
    "zss": (method("zhang-skeel-simplified", *PENALTY), "Zhang-Skeel, simplified (18)"),
    "zs-0.025": (method("zhang-skeel", "run.step=0.025", "run.every=4", *PENALTY), "Zhang-Skeel, h = 0.025"),
    "shake-0.025": (("method.name=shake", "run.step=0.025", "run.every=4"), "SHAKE, h = 0.025")}


def cartesian(angles):
    """(N, 2) theta, phi -> (N, 4) x1, y1, x2, y2"""
    theta, phi = angles.T
    x1, y1 = np.sin(theta), -np.cos(theta)
    return np.stack([x1, y1, x1 + np.sqrt(2) * np.sin(phi), y1 - np.sqrt(2) * np.cos(phi)], axis=1)


def benchmark(paper):
    """Positions at t = 0, 0.1, ... 50, by variational Euler in the angles, and its largest errors in x2 and y2, estimated from
    twice the step and its second order; checked in two other ways."""
    positions, twice = (cartesian(paper.run("angles.toml", f"angles-{h}", f"run.step={h}", f"run.every={round(0.1 / h)}").q)
                        for h in (BENCHMARK, 2 * BENCHMARK))
    estimate = np.abs(twice - positions)[:, 2:].max(axis=0) / 3
    adams = cartesian(paper.run("angles.toml", "angles-adams", "method.name=cvode-adams", "method.rtol=1e-12",
                                "method.atol=1e-14",
                                "run.step=0.1", "run.every=1").q)
    errors = [np.abs(paper.run("pendulum.toml", f"rattle-{h}", "method.name=rattle", f"run.step={h}",
                               f"run.every={round(0.1 / h)}").q - adams).max() for h in (0.002, 0.001)]
    difference = np.abs(positions - adams).max()
    order = np.log2(errors[0] / errors[1])
    paper.claim("figure 1", "variational Euler in generalised coordinates, whose mass matrix (23) depends on the position, "
                "at a small "
                "step is a "
                "benchmark", f"h = 1e-4: within {digits(difference)} of Adams' method at 1e-12, and a third of the "
                f"difference to h = 2e-4 is {digits(estimate.max())}; RATTLE on the constraints "
                f"comes to the same, {digits(errors[1])} at h = 0.001, order "
                f"{order:.2f}", difference < 1e-7 and 0.5 < estimate.max() / difference < 2 and
                1.8 < order < 2.2)
    return positions, estimate


def error(run, reference):
    return np.abs(run.q - reference)[:, 2:]


def figure(paper, reference, estimate, errors):
    drawn, axes = plot(len(ROWS) + 1, 1, (7.0, 9.8), sharex=True)
    t = np.linspace(0, 50, len(reference))
    axes[0].plot(t, reference[:, 2], color=BLACK, label="$x_2$")
    axes[0].plot(t, reference[:, 3], color=BLACK, linestyle=":", label="$y_2$")
    axes[0].set(title=f"benchmark: variational Euler in the angles, h = {BENCHMARK:g}; positions, errors about "
                f"{digits(estimate.max(), 1)}", ylim=(-3.6, 3.4))
    axes[0].legend(fontsize=8, ncol=2, loc="upper left")
    for axis, (name, (_, label, colour)) in zip(axes[1:], ROWS.items()):
        t = np.linspace(0, 50, len(errors[name]))
        axis.plot(t, errors[name][:, 0], color=colour, label="$x_2$")
        axis.plot(t, errors[name][:, 1], color=colour, linestyle=":", label="$y_2$")
        axis.set(title=label, ylim=(0, 0.18), xlim=(0, 50))
    axes[1].legend(fontsize=8, ncol=2, loc="upper left")
    axes[-1].set(xlabel="t")
    drawn.supylabel("error of position (first row: position)", fontsize=9)
    return paper.save(drawn, "figure-1")


def compare(paper, largest, runs):
    ratio = largest["zs"] / largest["newmark"]
    paper.claim("figure 1", "Z&S yields small errors almost identical to those of fully-nonlinear-solve Newmark",
                f"ratio of the largest errors: {ratio[0]:.3f} (x2), {ratio[1]:.3f} (y2)", np.all(np.abs(ratio - 1) < 0.1))
    worse = largest["one"] / largest["newmark"]
    paper.claim("figure 1", "Newmark with only the first step of the nonlinear solve has a large error",
                f"{worse[0]:.2f} (x2) and {worse[1]:.2f} (y2) times Newmark's; a second iteration brings it to "
                f"{np.max(largest['two'] / largest['newmark']):.4f}", np.all(worse > 1.2))
    lost = {name: np.abs(runs[name].energy - runs[name].energy[0]).max() for name in ("one", "newmark")}
    paper.claim("figure 1", "... due to the loss of symplecticity",
                f"its energy is off by at most {digits(lost['one'])}, Newmark's by {digits(lost['newmark'])}; simplified "
                "Z&S, not "
                f"symplectic either, has the errors {largest['zss'][0]:.3f} and {largest['zss'][1]:.3f}. That it is this "
                "and not a larger "
                "constant of an error of second order is not shown", lost["one"] > lost["newmark"], "not decided")
    paper.claim("figure 1", "Z&S produces larger error than SHAKE", f"{largest['zs'][0]:.3f} and {largest['zs'][1]:.3f}, SHAKE "
                f"{largest['shake'][0]:.3f} and {largest['shake'][1]:.3f}", np.all(largest["zs"] > largest["shake"]))
    paper.claim("figure 1", "... because there is modelling error due to finite omega",
                f"little of it: at h = 0.025 Z&S is left with {largest['zs-0.025'][0]:.3f} and "
                f"{largest['zs-0.025'][1]:.3f}, Verlet "
                f"resolves the same penalty to {largest['verlet'][0]:.3f} and {largest['verlet'][1]:.3f}; the rest of its "
                "error at "
                "h = 0.1 is that of the step", np.all(largest["zs"] > 2 * largest["verlet"]), "**differs**")


def stiff(paper):
    """What becomes of large omega at h = 0.1."""
    names = {"zhang-skeel": method("zhang-skeel"), "newmark": method("newmark"), "midpoint": ("method.name=midpoint",)}
    cells, ends = [], {}
    for omega in (20, 40, 100, 500, 2000):
        row = []
        for name, overrides in names.items():
            run, failure = paper.attempt("pendulum.toml", f"stiff-{name}-{omega}", *overrides, "run.every=1",
                                         "system.constraint_method=penalty", f"system.omega={omega}")
            ends[name, omega] = run.t[-1], failure
            reached = run.t[-1] > 49.95
            error = np.abs(run.energy - run.energy[0]).max()
            row.append(f"energy off by {digits(error)}" if reached else f"exit code 1 at t = {run.t[-1]:.3g}")
        cells.append(f"| {omega} | " + " | ".join(row) + " |")
    gone = {name: ends[name, 2000][1] is not None and ends[name, 2000][0] < 49.95 for name in names}
    paper.claim("stiff", "omega = 2000: instability occurs in all Z&S, original Newmark, and implicit midpoint",
                f"in Z&S (at t = {ends['zhang-skeel', 2000][0]:.2g}) and midpoint (t = {ends['midpoint', 2000][0]:.3g}), "
                "exit code 1 "
                "with what happened and what to try; fully solved Newmark, started from q0 with its own a0, runs to t = 50",
                gone["zhang-skeel"] and gone["midpoint"] and not gone["newmark"], "**differs**")
    head = "| omega | " + " | ".join(names) + " |\n|-|-|-|-|\n"
    return head + "\n".join(cells), ends["zhang-skeel", 2000][1].split(";")[0]


def section(paper):
    reference, estimate = benchmark(paper)
    runs = {name: paper.run("pendulum.toml", name, *row[0]) for name, row in {**ROWS, **MORE}.items()}
    errors = {name: error(run, reference) for name, run in runs.items()}
    largest = {name: e.max(axis=0) for name, e in errors.items()}
    compare(paper, largest, runs)
    table = "\n".join(f"| {row[1]} | {largest[name][0]:.3f} | {largest[name][1]:.3f} |" for name, row in {**ROWS, **MORE}.items())
    drawn = figure(paper, reference, estimate, errors)
    omegas, message = stiff(paper)
    return f"""## Figure 1: the double pendulum

m = g = L1 = 1, L2 = sqrt 2, from rest at (0, -1), (1, -2); omega = {OMEGA}, beta = {BETA}, h = 0.1 where nothing else is said.
`actio run papers/to/pendulum.toml` is SHAKE; `method.name=zhang-skeel method.beta=0.4 system.constraint_method=penalty
system.omega=20` behind it is Z&S on the penalised system (7). Errors are against the benchmark in the angles (`angles.toml`), which the first row draws.

{drawn}

| largest error until t = 50 | x2 | y2 |
|-|-|-|
| benchmark: variational Euler in the angles, h = {BENCHMARK:g}, its error estimated | {digits(estimate[0])} | {digits(estimate[1])} |
{table}

{paper.table("figure 1")}

A larger penalty at h = 0.1, until t = 50:

{omegas}

{paper.table("stiff")}

The message of Z&S at omega = 2000: "{message}".
"""
