"""The abstract of the same authors (West, Kane, Ortiz): its Figure 1(a), its scheme (1), and what can be told of the start."""
import numpy as np

from common import BLACK, BLUE, ORANGE, RED, below, digits, plot
from oscillator import H, Q0, V0, acceleration, hessian

LOW, HIGH = 0.18, 0.34  # the ends of the figure's energy axis; t runs from 0 to 100


def energy(q, v):
    s = np.sum(q * q, axis=-1)
    return 0.5 * np.sum(v * v, axis=-1) + s * (s - 1)**2


def newmark(q, v, beta, steps):
    """Lowest and highest energy of many starts at once, gamma = 1/2; q1 = pre + beta h^2 a(q1) by Newton's method."""
    a, low, high = acceleration(q), energy(q, v), energy(q, v)
    for _ in range(steps):
        pre = q + H * v + H * H * (0.5 - beta) * a
        q = pre + beta * H * H * a
        for _ in range(12 if beta else 0):
            s = np.sum(q * q, axis=-1, keepdims=True)
            A, B = 1 + beta * H * H * 2 * (s - 1) * (3 * s - 1), beta * H * H * 4 * (6 * s - 4)  # A + B q q^T
            r = q - pre - beta * H * H * acceleration(q)
            q = q - (r - q * B * np.sum(q * r, axis=-1, keepdims=True) / (A + B * s)) / A
        a, before = acceleration(q), a
        v = v + H * (before + a) / 2
        low, high = np.minimum(low, energy(q, v)), np.maximum(high, energy(q, v))
    return low, high


def runge_kutta(q, v, steps):
    low, high = energy(q, v), energy(q, v)
    for _ in range(steps):
        q2, v2 = q + H / 2 * v, v + H / 2 * acceleration(q)
        q3, v3 = q + H / 2 * v2, v + H / 2 * acceleration(q2)
        q4, v4 = q + H * v3, v + H * acceleration(q3)
        q, v = (q + H / 6 * (v + 2 * v2 + 2 * v3 + v4),
                v + H / 6 * (acceleration(q) + 2 * acceleration(q2) + 2 * acceleration(q3) + acceleration(q4)))
        low, high = np.minimum(low, energy(q, v)), np.maximum(high, energy(q, v))
    return low, high


def starts():
    """Every start that round numbers give: the distance, the radial and the transverse velocity in tenths."""
    r, radial, transverse = (a.ravel() for a in np.meshgrid(np.arange(17) / 10, np.arange(-10, 11) / 10, np.arange(11) / 10,
                                                            indexing="ij"))
    return np.stack([r, 0 * r], axis=-1), np.stack([radial, transverse], axis=-1)


def fills(ranges):
    """Which starts make an automatic axis with ticks of 0.02 run from LOW to HIGH."""
    low, high = np.min([a for a, _ in ranges], axis=0), np.max([b for _, b in ranges], axis=0)
    return (low >= LOW) & (low < LOW + 0.02) & (high > HIGH - 0.02) & (high <= HIGH)


def scheme(q0, v0, alpha):
    """The abstract's (1), by Newton's method."""
    q1 = q0 + H * v0
    for _ in range(30):
        x = (1 - alpha) * q0 + alpha * q1
        r = q1 - q0 - H * v0 - H * H / 2 * acceleration(x)
        q1 = q1 - np.linalg.solve(np.eye(2) + H * H / 2 * alpha * hessian(x), r)
    return np.concatenate([q1, v0 + H * acceleration((1 - alpha) * q0 + alpha * q1)])


def volume(alpha):
    """Determinant of the derivative of (1), by central differences."""
    z, d, columns = np.concatenate([Q0, V0]), 1e-5, []
    for e in np.eye(4) * d:
        columns.append((scheme((z + e)[:2], (z + e)[2:], alpha) - scheme((z - e)[:2], (z - e)[2:], alpha)) / (2 * d))
    return np.linalg.det(np.array(columns).T)


def claims(paper, runs):
    with np.errstate(all="ignore"):
        start = starts()
        implicit, explicit, rk4 = newmark(*start, 0.25, 500), newmark(*start, 0.0, 500), runge_kutta(*start, 500)
    own = newmark(Q0[None], V0[None], 0.25, 500)
    assert abs(own[1][0] - runs["newmark"].energy.max()) < 1e-10, "numpy and actio differ"
    alone, together = fills([implicit]) | fills([explicit]), fills([implicit, explicit, rk4])
    e0 = energy(*start)[together]
    low, high = runs["rk4"].energy.min(), runs["newmark"].energy.max()
    paper.claim("003", "Figure 1(a): energy of the Newmark method, axis from .18 to .34, t to 100",
                f"no start in tenths makes one Newmark trajectory with h = 0.2 fill that axis ({alone.sum()} of "
                f"{len(alone)}); implicit and explicit Newmark and Runge-Kutta together do for {together.sum()}, all with an "
                f"energy of {e0.min():.2f} to {e0.max():.2f}. Our start has {energy(Q0, V0):.3f}, and its lines run from "
                f"{low:.3f} to {high:.3f}",
                not alone.any() and together.any() and e0.min() < energy(Q0, V0) < e0.max() and LOW < low < LOW + 0.02 and
                abs(high - HIGH) < 1e-3, "unclear")
    fluctuation = runs["newmark"].certificate["energy"]
    paper.claim("003", "gamma = 1/2 and any beta: the energy merely oscillates",
                f"beta = 1/4: between {runs['newmark'].energy.min():.4f} and {runs['newmark'].energy.max():.4f}, beta = 0: "
                f"between {runs['explicit'].energy.min():.4f} and {runs['explicit'].energy.max():.4f}; no drift that can be "
                "seen",
                abs(fluctuation["drift_per_step"]) < fluctuation["drift_confidence"])
    skewed, middle = volume(0.25), volume(0.5)
    paper.claim("003", "scheme (1) is symplectic for any alpha",
                f"only alpha = 1/2: volume of the phase space after one step from our start {middle:.6f} for alpha = 0.5, "
                f"{skewed:.3f} for 0.25. From L_d^alpha follows q_(k+1) = q_k + h v_k + h^2 (1 - alpha) a_k; (1) has 1/2",
                abs(middle - 1) < 1e-8 and abs(skewed - 1) > 1e-2, "**differs**")


def figure(paper, runs):
    drawn, axes = plot(1, 1, (7.0, 3.0))
    lines = (("newmark", r"Newmark, $\beta$ = 1/4", BLUE, "-"), ("explicit", r"Newmark, $\beta$ = 0", ORANGE, "-"),
             ("rk4", "Runge-Kutta", RED, "--"), ("benchmark", "benchmark", BLACK, ":"))
    for name, label, color, style in lines:
        axes.plot(runs[name].t, runs[name].energy, color=color, linestyle=style, label=label, linewidth=1.0)
    axes.set(xlabel="t", ylabel="energy", xlim=(0, 100), ylim=(LOW, HIGH + 0.004), xticks=range(0, 101, 10),
             yticks=[LOW + 0.02 * k for k in range(9)])
    axes.legend(loc="lower left", fontsize=8)
    return paper.save(drawn, "figure-abstract-1a")


def section(paper, runs):
    """runs: the short conservative ones by name."""
    claims(paper, runs)
    return f"""## The abstract's Figure 1

Its text survives with the numbers of the axes of (a), without the lines; of (b) only that it exists. (a) redrawn on its axes:

{figure(paper, runs)}

{paper.table("003")}

Read as an automatic axis, .18 to .34 says that the lowest value drawn lies between .18 and .20 and the highest between .32 and
.34. The fluctuation of one Newmark trajectory is too small for that; Runge-Kutta's loss from about .30 to .19 by t = 100 fits.
Nothing can be said of (b): the text ends before it. It may be the dissipative case, which the abstract announces; that is
Figure 6.1.
"""
