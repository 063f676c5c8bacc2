"""TO Figures 9 and 10: Z&S on matrices and variational Euler on the group, beside the other methods of Actio."""
import numpy as np

from byhand import runge_kutta, variational_euler, zhang_skeel
from common import below, digits, plot
from magnet import END, H, ROWS, attempt, deviation, energy_error, from_rotation, rotations, run
from pictures import SHOWN, animation, stills

T = np.arange(round(END / H) + 1) * H


def momentum_error(of):
    return max(np.abs(values - values[0]).max() for values in of.momentum.values())


def drifts(of):
    """The certificate sees a drift of the energy."""
    return abs(of.certificate["energy"]["drift_per_step"]) > of.certificate["energy"]["drift_confidence"]


def benchmark(paper):
    R = rotations(run(paper, "euler", 1e-4))
    difference = deviation(R, runge_kutta(END, 0.005)).max()
    errors = [deviation(rotations(run(paper, "euler", h)), R).max() for h in (0.02, 0.01)]
    order = np.log2(errors[0] / errors[1])
    paper.claim("figure 9", "variational Euler (34) at h = 1e-4 is a benchmark",
                f"within {digits(difference)} of Runge and Kutta's method of order 4 on R' = R hat(Omega), at h = 0.005, until t "
                f"= {END:g}", difference < 1e-5)
    paper.claim("figure 9", "(34) is an Euler method", f"in R of order {order:.2f}: the path is that of the endpoint rule of "
                "second order from a momentum half a kick away, and at R = 1 the field has no torque", abs(order - 2) < 0.1,
                "stronger")
    return R


def drawn(paper, runs, reference):
    picture, axes = plot(3, 2, (7.4, 5.2), sharex=True)
    for column, (name, title) in enumerate((("zs", "(a) Z&S on matrices"), ("euler", "(b) variational Euler on the group"))):
        R, colour = rotations(runs[name]), ROWS[name][2]
        for axis, y, label in zip(axes[:, column], (energy_error(runs[name]), from_rotation(R), deviation(R, reference)),
                                  ("error of energy", "$|R^TR - 1|$", "largest $|R - R'|$")):
            axis.plot(T, y, color=colour)
            axis.set(ylabel=label, xlim=(0, END), ylim=(0, None))
        axes[0, column].set_title(f"{title}, h = {H:g}")
        axes[2, column].set_xlabel("t")
    axes[1, 1].set(yscale="log", ylim=(1e-17, 1e-14))
    axes[2, 1].sharey(axes[2, 0])
    axes[0, 0].sharey(axes[0, 1])
    return paper.save(picture, "figure-10")


def modelling(paper, whole, reference):
    """What is left of the error of Z&S when its step resolves the penalty."""
    by = {omega: deviation(rotations(run(paper, "zs", h, omega=omega)), reference).max() for omega, h in (
        (10, 0.0125), (20, 0.00625), (40, 0.003125))}
    slope = -np.polyfit(np.log(list(by)), np.log(list(by.values())), 1)[0]
    stopped, failure = attempt(paper, "zs", omega=20)
    paper.claim("figure 10", "their difference is regarded as the error of Z&S (omega = 10)",
                f"{digits(by[10])} of the {digits(whole)} is of the penalty and not of the step: that is left at h = 0.0125; "
                f"{digits(by[20])} and {digits(by[40])} with omega = 20 and 40 and steps as much shorter, as omega^-{slope:.1f}. "
                f"With omega = 20 at h = 0.1 the run is lost at t = {stopped.t[-1]:.1f}, exit code 1",
                0.3 * whole < by[10] and 1.7 < slope < 2.3 and failure is not None)


def claims(paper, runs, reference):
    zs, euler = runs["zs"], runs["euler"]
    off, kept = (from_rotation(rotations(of)).max() for of in (zs, euler))
    error = {name: deviation(rotations(of), reference).max() for name, of in runs.items()}
    by_hand = deviation(rotations(zs), zhang_skeel(END)[0]).max()
    paper.claim("figure 10", "variational Z&S on matrices, from (36)",
                f"is `zhang-skeel` on the entries of R with the penalty: within {below(by_hand)} of (37) and its update written "
                "by hand in numpy, with f_k as below", by_hand < 1e-10)
    first, ahead = zhang_skeel(END, order=1)[0], zhang_skeel(END, ahead=True)[0]
    path = deviation(first, ahead).max()
    late = deviation(first, reference).max()
    paper.claim("figure 10", "(36) is a first-order quadrature; the trapezoidal rule leads to a method of second order",
                f"both go the same path, to {below(path)}, from momenta h/2 f apart, so the first order is no `method` of its "
                f"own; from the same momentum the first is off by {digits(late, 3)} at most, the second "
                f"by {digits(error['zs'], 3)}", path < 1e-9)
    paper.claim("figure 10", "(34) is variational and thus numerically energy and momentum preserving",
                f"energy within {digits(energy_error(euler).max())}, not drifting; momenta about the field and about the dipole "
                f"within {below(momentum_error(euler))}. The same of Z&S: {digits(energy_error(zs).max())} and "
                f"{below(momentum_error(zs))}",
                momentum_error(euler) < 1e-11 and momentum_error(zs) < 1e-11
                and not drifts(euler) and not drifts(zs))
    paper.claim("figure 10", "variational Lie group integrator is much better at preserving the Lie group structure",
                f"\\|R'R - 1\\| at most {below(kept)}, Z&S {digits(off)}", kept < 1e-12 < off)
    paper.claim("figure 10", "accuracy of Z&S is moderate",
                f"R is off by {digits(error['zs'])} at most, by (34) {digits(error['euler'])}; by `lie-group` with the "
                f"exponential map, of one force a step as (34), {digits(error['exponential'])}",
                error["euler"] < error["zs"] < 2 * error["euler"] and error["exponential"] < 0.2 * error["euler"])
    modelling(paper, error["zs"], reference)
    iterations = euler.certificate["solver"]["iterations"] / euler.certificate["steps"]
    closed = deviation(rotations(euler), variational_euler(END, H)).max()
    paper.claim("figure 10", "variational methods on noncommutative groups are intrinsically nonlinearly implicit",
                "(34) is not, its inertia being 1: the bracket is -\\|Omega\\|^2 Omega, Omega_{k+1} is parallel to a vector that "
                "is known, and its length the root of a cubic, a formula. So written (`byhand.py`) it agrees with `lie-group`, "
                f"which takes {iterations:.1f} of Newton's iterations a step, to {below(closed)}",
                closed < 1e-10, "**differs**")
    return error


def section(paper):
    reference = benchmark(paper)
    runs = {name: run(paper, name) for name in ROWS}
    error = claims(paper, runs, reference)
    half = {name: deviation(rotations(run(paper, name, H / 2)), reference).max() for name in ROWS}
    rows = "\n".join(f"| {ROWS[name][1]} | {error[name]:.3f} | {half[name]:.3f} | {energy_error(of).max():.3f} | "
                     f"{digits(largest) if (largest := from_rotation(rotations(of)).max()) > 1e-10 else below(largest)} |"
                     for name, of in runs.items())
    group = [name for name in ROWS if name != "zs"]
    paper.claim("figure 10", "Lie group integrators [26, 36] as other examples",
                f"all of second order: half the step divides the error by {min(error[n] / half[n] for n in group):.1f} to "
                f"{max(error[n] / half[n] for n in group):.1f}; Z&S at h = 0.05, with the same omega: by "
                f"{error['zs'] / half['zs']:.1f}", all(3 < error[n] / half[n] < 5 for n in group), "ours")
    shown = [("benchmark, h = 0.0001", reference), ("Z&amp;S, h = 0.1", rotations(runs["zs"]))]
    still = [("benchmark", reference), ("Z&S, h = 0.1", rotations(runs["zs"]))]
    return f"""## Figures 9 and 10: motion, energy, orthogonality, error

Snapshots: red the field, black the dipole with the path of its tip, orange and blue the other axes of the body.

{stills(paper, still)}

The same moving, until t = {SHOWN:g} (an SVG that a browser animates):

{animation(paper, shown)}

{paper.table("figure 9")}

Figure 10, until t = {END:g}:

{drawn(paper, runs, reference)}

{paper.table("figure 10")}

Largest errors until t = {END:g}, R against the benchmark:

| | R, h = 0.1 | R, h = 0.05 | energy, h = 0.1 | \\|R'R - 1\\|, h = 0.1 |
|-|-|-|-|-|
{rows}
"""
