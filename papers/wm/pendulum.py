"""WM's second example: the double spherical pendulum, the variational method beside the energy-momentum method."""
import json

import numpy as np

from common import BLACK, ORANGE, below, digits, plot, vector

METHODS = {"variational": "midpoint", "energy-momentum": "energy-momentum"}


def run_of(paper, kind, h, *overrides):
    return paper.run("pendulum.toml", f"pendulum-{kind}-{h}", f"method.name={METHODS[kind]}", f"run.step={h}", *overrides)


def wiggle(run):
    return run.energy - run.energy[0]


def turned(run):
    values = run.momentum["vertical"]
    return np.abs(values - values[0]).max()


def conserved(paper):
    runs = {kind: run_of(paper, kind, 0.05) for kind in METHODS}
    v, e = runs["variational"], runs["energy-momentum"]
    paper.claim("pendulum", "both keep the angular momentum about the vertical", f"variational within {below(turned(v))}, "
                f"energy-momentum within {below(turned(e))}", max(turned(v), turned(e)) < 1e-12)
    paper.claim("pendulum", "energy-momentum keeps the energy, the variational method lets it fluctuate",
                f"energy-momentum within {below(np.abs(wiggle(e)).max())}, variational {digits(np.abs(wiggle(v)).max())}",
                np.abs(wiggle(e)).max() < 1e-11 and np.abs(wiggle(v)).max() > 1e-5)
    defects = {kind: run.certificate["symplecticity"] for kind, run in runs.items()}
    paper.claim("pendulum", "the variational method is symplectic, energy-momentum is not",
                f"defect of a step on the constraints: variational {below(defects['variational']['defect'])}, energy-momentum "
                f"{digits(defects['energy-momentum']['defect'])}", defects["variational"]["defect"] < 1e-8
                and defects["energy-momentum"]["defect"] > 1e-6)
    return runs


def accuracy(paper):
    truth = paper.run("pendulum.toml", "pendulum-truth", "method.name=rattle", "method.compose={ order = 8, scheme = \"kahan-li\" }",
                      "run.step=0.005", "run.end=5").q[-1]
    steps = [0.1, 0.05, 0.025, 0.0125]
    errors = {kind: [np.linalg.norm(paper.run("pendulum.toml", f"pendulum-{kind}-short-{h}", f"method.name={name}", f"run.step={h}",
                                              "run.end=5").q[-1] - truth) for h in steps] for kind, name in METHODS.items()}
    orders = {kind: np.log2(np.array(e[:-1]) / e[1:]) for kind, e in errors.items()}
    ratio = errors["energy-momentum"][-1] / errors["variational"][-1]
    paper.claim("pendulum", "both are second-order accurate", "; ".join(
        f"{kind} {', '.join(f'{o:.2f}' for o in order)}" for kind, order in orders.items()) +
        f" under halving from h = 0.1; energy-momentum's error is {ratio:.2f} of the variational one's",
        all(np.all(np.abs(order[1:] - 2) < 0.2) for order in orders.values()))
    return "\n".join(["| h | variational | energy-momentum |", "|-|-|-|"] + [
        f"| {h} | {digits(a)} | {digits(b)} |" for h, a, b in zip(steps, errors["variational"], errors["energy-momentum"])])


def correlation(x, y):
    return np.corrcoef(x, y)[0, 1]


def tie(paper, runs):
    v, e = runs["variational"], runs["energy-momentum"]
    energy, of = wiggle(v), {name: correlation(wiggle(v), values) for name, values in v.multipliers.items()}
    halves = run_of(paper, "variational", 0.025)
    shrink = np.abs(energy).max() / np.abs(wiggle(halves)).max()
    paper.claim("pendulum", "the fluctuations in the multipliers are correlated to those of the energy",
                "of the energy's error with the multiplier: " + ", ".join(f"{name} {r:+.2f}" for name, r in of.items()),
                max(abs(r) for r in of.values()) > 0.5)
    paper.claim("pendulum", "the fluctuations of the energy shrink with the step", f"by {shrink:.2f} from h = 0.05 to 0.025",
                3.5 < shrink < 4.5)
    same = max(np.abs(v.multipliers[name][:100] - e.multipliers[name][:100]).max() / np.ptp(v.multipliers[name]) for name in of)
    paper.claim("pendulum", "both methods find the same multipliers", f"until t = 5 within {digits(same)} of their range",
                same < 0.05)


def variable(paper, base, until=20):
    """Steps that are small where the upper rod pulls, as many as with equal steps: run.step takes a list of them."""
    fine = paper.run("pendulum.toml", "pendulum-multipliers", "method.name=rattle", "run.step=0.01")
    rate = np.sqrt(np.abs(fine.multipliers["upper"]))
    count = np.concatenate([[0], np.cumsum((rate[1:] + rate[:-1]) / 2 * np.diff(fine.t))])
    h = np.diff(np.interp(np.linspace(0, count[-1], len(base.t)), count, fine.t))
    run = paper.attempt("pendulum.toml", "pendulum-variable", f"run.step={vector(h)}")[0]
    swing = {end: [np.ptp(r.energy[r.t <= end]) for r in (base, run)] for end in (until, 100)}
    early, late = (swing[end][1] / swing[end][0] for end in (until, 100))
    paper.claim("pendulum", "Barth and Leimkuhler use a variable step size to decrease the energy oscillation",
                f"{len(h)} steps from {h.min():.3f} to {h.max():.3f}, as \\|multiplier\\|^(-1/2) of the upper rod in a finer "
                f"run, in place of 0.05: the energy "
                f"swings by {digits(swing[until][1])} in place of {digits(swing[until][0])} until t = {until}, but by "
                f"{digits(swing[100][1])} in place of "
                f"{digits(swing[100][0])} until t = 100: unequal steps conserve no energy nearby, and the run leaves the path "
                f"that the steps were made for",
                early < 0.8 and late > 1.2, "holds for short times")


def scaled(paper):
    """What powers of h do to the equations of a step, and what becomes of our solves as h shrinks."""
    q = np.array([0.6, 0, -0.8, 0.6, 0.6, -1.6])
    G = 2 * np.stack([np.concatenate([q[:3], np.zeros(3)]), np.concatenate([q[:3] - q[3:], q[3:] - q[:3]])])

    def condition(h, power):
        """Of the derivative of (DEL, g) by (q1, multipliers): M/h, with DEL and the multipliers multiplied by h^power."""
        return np.linalg.cond(np.block([[h**(power - 1) * np.eye(6), G.T], [G, np.zeros((2, 2))]]))

    steps = (0.1, 0.01, 0.001)
    plain, better = ([condition(h, power) for h in steps] for power in (0, 1))
    slope = np.log10(plain[-2] / plain[-1])
    paper.claim("pendulum", "to improve the scaling of the entries in the Jacobian, one can multiply the DEL equations by powers of h",
                f"condition number at the start, h = 0.1, 0.01, 0.001: {', '.join(map(digits, plain))}, as h^{slope:.2f}; with "
                f"the equations and the multipliers "
                f"times h {digits(better[0])} at each", abs(slope + 2) < 0.1 and np.ptp(better) < 1e-9)
    runs = {h: paper.run("pendulum.toml", f"pendulum-small-{h}", f"run.step={h!r}", "run.steps=200") for h in (0.1, 1e-3, 1e-5, 1e-7)}
    solver = [run.certificate["solver"] for run in runs.values()]
    each = [one["iterations"] / 200 for one in solver]
    residual = max(one["worst_residual"] for one in solver)
    # in 200 steps of 1e-7 nothing moves by more than 1e-4: the spread of the multipliers is rounding
    noise = np.ptp(runs[1e-7].multipliers["upper"])
    paper.claim("pendulum", "(ours) Actio solves for w = (q1 - q0)/h, whose matrix is so scaled", f"iterations a step at h = "
                f"0.1, 1e-3, 1e-5, 1e-7: "
                f"{', '.join(f'{x:.2f}' for x in each)}, residual below {below(residual)} at each. The multipliers lose digits "
                f"all the same, as the rounding of q over h^2: "
                f"at 1e-7 they scatter by {digits(noise, 1)}", max(each) < 4 and residual < 1e-13 and 1e-4 < noise < 1)


def figure(paper, runs):
    drawn, axes = plot(3, 1, (7.0, 6.0), sharex=True)
    colours = {"variational": BLACK, "energy-momentum": ORANGE}
    for kind, run in runs.items():
        early = run.t <= 30
        axes[0].plot(run.t[early], wiggle(run)[early], color=colours[kind], label=kind)
        for axis, name in zip(axes[1:], run.multipliers):
            axis.plot(run.t[early], run.multipliers[name][early], color=colours[kind], linestyle="-" if kind == "variational" else ":")
            axis.set(title=f"multiplier, {name} rod")
    axes[0].set(title="energy error, h = 0.05")
    axes[0].legend(fontsize=8, ncol=2)
    axes[-1].set(xlabel="t")
    return paper.save(drawn, "figure-pendulum")


def cost(paper):
    path = paper.folder / "times.json"
    if not path.exists():
        return "Run times: `papers/wm/times.py`, not run yet.\n"
    times = json.loads(path.read_text(encoding="utf-8"))
    base = times["runs"]["midpoint"]
    rows = [f"| {name} | {t / base:.2f} |" for name, t in times["runs"].items()]
    return "\n".join([f"Time of a step beside the variational method's, shortest of {times['rounds']} runs in turn, h = 0.05, "
                      f"{times['steps']} steps (`papers/wm/times.py`; {times['machine']}):", "", "| | |", "|-|-|", *rows, ""])


def section(paper):
    runs = conserved(paper)
    table = accuracy(paper)
    tie(paper, runs)
    variable(paper, runs["variational"])
    scaled(paper)
    iterations = ", ".join(f"{kind} {run.certificate['solver']['iterations'] / run.certificate['steps']:.2f}"
                           for kind, run in runs.items())
    return f"""## Double spherical pendulum

`pendulum.toml`: two unit masses on rods of length 1, g = 1, in R^6 with two length constraints; h = 0.05 until t = 100 where nothing
else is said. Variational is `midpoint`, the paper's Ld = h L((q0 + q1)/2, (q1 - q0)/h); `energy-momentum` is Gonzalez's discrete
gradient with the constraints' (V is linear and g quadratic here, so both take their gradients at the middle: the difference is
that the variational step multiplies G(q0) and G(q1), energy-momentum G((q0 + q1)/2)). Multipliers are those at the states,
means of the steps that meet there.

{figure(paper, runs)}

Error of the positions at t = 5, against RATTLE composed to order 8:

{table}

Iterations of Newton's method a step: {iterations}.

{cost(paper)}
{paper.table("pendulum")}
"""
