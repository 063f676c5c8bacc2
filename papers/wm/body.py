"""WM's first example: the free rigid body in unit quaternions, through the general constrained stepper."""
import numpy as np

from common import BLACK, BLUE, ORANGE, below, digits, plot
from timing import fastest, machine, seldom

INERTIA = np.array([2, 1, 2 / 3])
# I Omega at t = 10, in extended precision (an independent program)
EXACT = np.array([.407066136588041, .283007426812844, .868449167661562])


def body_momentum(q, v):
    """(N, 4), (N, 4) -> (N, 3): I Omega with Omega = 2 conj(Q) Q'"""
    (w, x, y, z), (a, b, c, d) = q.T, v.T
    omega = 2 * np.stack([w * b - x * a - y * d + z * c, w * c - y * a - z * b + x * d, w * d - z * a - x * c + y * b], axis=1)
    return omega * INERTIA


def error(run):
    return np.linalg.norm(body_momentum(run.q, run.v)[-1] - EXACT)


def momentum_lost(run):
    return max(np.abs(values - values[0]).max() for values in run.momentum.values())


def accuracy(paper):
    steps = [0.2, 0.1, 0.05, 0.025, 0.0125]
    runs = [paper.run("rigid-body.toml", f"body-{h}", f"run.step={h}") for h in steps]
    errors = [error(run) for run in runs]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    energies = [np.abs(run.energy - run.energy[0]).max() for run in runs]
    paper.claim("body", "the method is second-order accurate", f"I Omega at t = 10 against 15 known digits: orders "
                f"{', '.join(f'{o:.2f}' for o in orders)} under halving from h = 0.2; at h = 0.0125 off by {digits(errors[-1])}",
                np.all(np.abs(orders[1:] - 2) < 0.2))
    paper.claim("body", "the momentum map is preserved exactly", "the three components of the spatial angular momentum stay within "
                f"{below(max(map(momentum_lost, runs)))}, at every step size", max(map(momentum_lost, runs)) < 1e-13)
    off = max(np.abs(np.linalg.norm(run.q, axis=1) - 1).max() for run in runs)
    paper.claim("body", "the constraint of unit norm is kept", f"the norm is off by at most {below(off)}", off < 1e-14)
    worst = max(energies)
    paper.claim("body", "energy is kept", f"within {below(worst)} at every step size, which a symplectic method of constant step "
                "does of few systems: this body is free", worst < 1e-12, "stronger")
    return "\n".join(["| h | error of I Omega at t = 10 | iterations a step |", "|-|-|-|"] + [
        f"| {h} | {digits(e)} | {run.certificate['solver']['iterations'] / run.certificate['steps']:.2f} |"
        for h, e, run in zip(steps, errors, runs)])


def regular(paper):
    """What is added to make the mass regular changes nothing."""
    one, other = (paper.run("rigid-body.toml", f"body-I0-{i}", f"system.parameters.I0={i}") for i in (1.0, 7.0))
    off = np.abs(one.q - other.q).max()
    paper.claim("body", "a multiple of (Q . Q')^2 vanishes on the constraint", "so it does for the discrete Lagrangian, "
                f"(q0 + q1)/2 . (q1 - q0)/h = (q1 . q1 - q0 . q0)/2h = 0: with 7 in place of 1 the same path to {below(off)}",
                off < 1e-12)


def long_run(paper):
    run = paper.run("rigid-body.toml", "body-long", "run.end=10000", "run.every=20")
    energy = run.energy - run.energy[0]
    paper.claim("body", "energy and momentum stay over long runs", f"1e5 steps of h = 0.1: energy within "
                f"{below(np.abs(energy).max())}, momentum within {below(momentum_lost(run))}",
                np.abs(energy).max() < 1e-11 and momentum_lost(run) < 1e-11)


# Moser and Veselov's matrices need each inertia to be less than the sum of the others: I = (2, 1.5, 1) in place of (2, 1, 2/3)
OTHER = ("system.parameters.I2=1.5", "system.parameters.I3=1")
KINDS = {"quaternions": ("rigid-body.toml", ("method.name=midpoint", *OTHER)), "matrices": ("matrices.toml", ()),
         "lie-group": ("matrices.toml", ("method.name=lie-group",))}
LABELS = {"quaternions": "unit quaternions, `midpoint`", "matrices": "Moser and Veselov's matrices, `rattle`",
          "lie-group": "rotations, `lie-group` (exponential)"}


def matrix_momentum(q, v):
    """(N, 9), (N, 9) -> (N, 3): I Omega with hat(Omega) = R'R'dot and I = (2, 1.5, 1)"""
    hat = np.swapaxes(q.reshape(-1, 3, 3), 1, 2) @ v.reshape(-1, 3, 3)
    return np.stack([hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0]], axis=1) * (2, 1.5, 1)


def rotation(q):
    """(N, 4) -> (N, 9): the matrix of a unit quaternion, by rows"""
    w, x, y, z = q.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
                     2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)


def moser_veselov(paper):
    """The quaternion body beside that of Moser and Veselov, which the paper says would be interesting to compare; run times."""
    def end(kind, h, *overrides):
        problem, given = KINDS[kind]
        run = paper.run(problem, f"compare-{kind}-{h}", *given, *overrides, f"run.step={h}")
        y = body_momentum(run.q, run.v) / INERTIA * (2, 1.5, 1) if kind == "quaternions" else matrix_momentum(run.q, run.v)
        return y[-1], run

    exact, other = (end(kind, 0.02, "method.compose={ order = 8, scheme = \"kahan-li\" }")[0] for kind in ("quaternions", "lie-group"))
    agree = np.abs(exact - other).max()
    steps, rows = (0.2, 0.1, 0.05), []
    errors = {kind: [np.linalg.norm(end(kind, h)[0] - exact) for h in steps] for kind in KINDS}
    kept = {kind: max(momentum_lost(run), np.abs(run.energy - run.energy[0]).max()) for kind in KINDS for run in (end(kind, 0.1)[1],)}
    table = {kind: (problem, seldom((*given, "run.step=0.1", "run.end=1000"))) for kind, (problem, given) in KINDS.items()}
    took = {kind: seconds / n for kind, (seconds, n, _) in fastest(paper.program, paper.folder, table, 7).items()}
    for kind in KINDS:
        rows.append(f"| {LABELS[kind]} | " + " | ".join(map(digits, errors[kind])) + f" | {below(kept[kind])} | "
            f"{1e9 * took[kind]:.3g} ns |")
    orders = {kind: np.log2(np.array(e[:-1]) / e[1:]) for kind, e in errors.items()}
    cost = took["matrices"] / took["quaternions"]
    same = max(np.abs(rotation(end("quaternions", h)[1].q) - end("matrices", h)[1].q).max() for h in steps)
    paper.claim("compare", "it would be interesting to compare in more detail Moser and Veselov's integrator to that in quaternions",
                f"they are one: the rotations agree to {below(same)} until t = 10 at h = 0.2, 0.1 and 0.05. With the step's "
                f"angle theta about n both L_d are "
                f"2/h sin^2(theta/2) n . I n. Both are of order two ({orders['quaternions'][-1]:.2f} and "
                f"{orders['matrices'][-1]:.2f}) and conserve energy "
                "and momentum to round-off", same < 1e-12 and agree < 1e-9 and max(kept["quaternions"], kept["matrices"]) < 1e-12 and
                all(abs(o[-1] - 2) < 0.2 for o in orders.values()), "stronger")
    paper.claim("compare", "the efficiency of the rigid body is examined", f"a step in quaternions, with one constraint, takes "
                f"{1e9 * took['quaternions']:.3g} ns; the same step in nine entries, with six constraints, takes {cost:.2g} "
                f"times as long", cost > 1.2)
    return "\n".join(["| | error of I Omega at t = 10: h = 0.2 | 0.1 | 0.05 | energy and momentum within | a step "
        "|", "|-|-|-|-|-|-|", *rows])


def figure(paper):
    run = paper.run("rigid-body.toml", "body-figure", "run.end=40")
    drawn, axis = plot(1, 1, (7.0, 2.6))
    y = body_momentum(run.q, run.v)
    for k, colour in enumerate((BLACK, ORANGE, BLUE)):
        axis.plot(run.t, y[:, k], color=colour, label=f"$I_{k + 1} \\Omega_{k + 1}$")
    axis.set(xlabel="t", title="angular momentum in body axes")
    axis.legend(fontsize=7, ncol=3)
    return paper.save(drawn, "figure-body")


def section(paper):
    table = accuracy(paper)
    regular(paper)
    long_run(paper)
    compared = moser_veselov(paper)
    return f"""## Rigid body in unit quaternions

`rigid-body.toml`: I = (2, 1, 2/3), I Omega = (cos 1.1, 0, sin 1.1) at the start, Q = 1. The configuration is Q in R^4 with the
constraint |Q| = 1 and L = 1/2 Omega' I Omega, Omega = 2 conj(Q) Q'; that mass is singular along Q, and 2 I0 (Q . Q')^2 is added.
Nothing is written for rigid bodies: this is `midpoint` with a constraint.

{figure(paper)}

{table}

{paper.table("body")}

The same body as a matrix (`matrices.toml`), with I = (2, 1.5, 1): on matrices each inertia has to be less than the sum of the
others. The errors are against `midpoint` composed to order 8, with which `lie-group` so composed agrees. The time of a step is the shortest of 7 rounds of 10 000 steps, on {machine()}; it changes from run to run.

{compared}

{paper.table("compare")}
"""
