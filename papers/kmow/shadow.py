"""KMOW section 3.3: the shadow of a Newmark trajectory (Theorem 3.4), Figure 3.1.

With u_k = (q_{k+1} - q_k)/h on the variational side and x_k, v_k on Newmark's, x_k = (1-alpha) q_k + alpha q_{k+1} gives

    v_k = u_k + h (alpha - 1/2) a(x_k),    p_k = u_k - h (1-alpha) a(x_k)    with unit mass,

so the start of the shadow is explicit, for every h.
"""
import numpy as np

from common import BLUE, ORANGE, below, digits, plot, vector
from oscillator import H, Q0, V0, acceleration, rounding


def shadow_of(x0, v0, alpha, h):
    """(q0, p0) of the L_d^alpha trajectory that shadows Newmark from (x0, v0)."""
    a0 = acceleration(x0)
    u0 = v0 - h * (alpha - 0.5) * a0
    return x0 - alpha * h * u0, u0 - h * (1 - alpha) * a0


def interpolated(q, alpha):
    return (1 - alpha) * q[:-1] + alpha * q[1:]


def pair(paper, alpha, steps=500, h=H, x0=Q0, v0=V0):
    """The Newmark run with beta = alpha (1-alpha) and the variational run that shadows it."""
    q0, p0 = shadow_of(x0, v0, alpha, h)
    many = (f"run.steps={steps}", f"run.step={h}")
    newmark = paper.run("oscillator.toml", f"shadowed-{alpha}-{h}", "method.name=newmark", f"method.beta={alpha * (1 - alpha)!r}",
                        f"initial.position={vector(x0)}", f"initial.velocity={vector(v0)}", *many)
    variational = paper.run("oscillator.toml", f"shadow-{alpha}-{h}", "method.name=variational", f"method.alpha={alpha}",
                            "method.symmetric=false", f"initial.position={vector(q0)}", f"initial.velocity={vector(p0)}", *many)
    return newmark, variational


def error(newmark, variational, alpha):
    """|x_k - ((1-alpha) q_k + alpha q_{k+1})| at every k."""
    return np.linalg.norm(newmark.q[:-1] - interpolated(variational.q, alpha), axis=1)


def claims(paper):
    steps = 500
    tolerance = rounding(steps)
    worst = {alpha: error(*pair(paper, alpha), alpha).max() for alpha in (0.5, 0.2, 0.8, 0.05)}
    paper.claim("3.3", "Theorem 3.4: an L_d^alpha trajectory shadows Newmark with gamma = 1/2, beta <= 1/4 for all time",
                f"alpha = 0.5, 0.2, 0.8, 0.05, {steps} steps of 0.2: x_k and the interpolation agree to "
                f"{below(max(worst.values()))} (rounding allows {digits(tolerance, 1)})",
                max(worst.values()) < tolerance)
    paper.claim("3.3", "two values of alpha for each beta < 1/4",
                f"beta = 0.16: alpha = 0.2 and alpha = 0.8 both shadow it, to {below(max(worst[0.2], worst[0.8]))}",
                max(worst[0.2], worst[0.8]) < tolerance)

    # the paper's recipe for the converse: two steps of the variational method, then (3.3) for the velocity
    alpha, beta = 0.3, 0.21
    q = paper.run("oscillator.toml", "converse-variational", "method.name=variational", f"method.alpha={alpha}",
                  "method.symmetric=false", f"run.steps={steps}")
    x = interpolated(q.q, alpha)
    a = acceleration(x[:2])
    v0 = (x[1] - x[0]) / H - H / 2 * ((1 - 2 * beta) * a[0] + 2 * beta * a[1])
    newmark = paper.run("oscillator.toml", "converse-newmark", "method.name=newmark", f"method.beta={beta}", f"run.steps={steps}",
                        f"initial.position={vector(x[0])}", f"initial.velocity={vector(v0)}")
    converse = np.linalg.norm(newmark.q[:-1] - x, axis=1).max()
    paper.claim("3.3", "the converse: every L_d^alpha trajectory is the shadow of a Newmark trajectory",
                f"alpha = {alpha}, start by the paper's recipe: agree to {below(converse)}",
                converse < tolerance)

    coarse = error(*pair(paper, 0.5, 200, 0.5), 0.5).max()
    paper.claim("3.3", "the shadow exists \"for small time steps h\" (implicit function theorem)",
                "its start is explicit, u_0 = v_0 - h (alpha - 1/2) a_0 (see shadow.py): it exists for every h. h = 0.5: to "
                f"{below(coarse)}",
                coarse < rounding(200), "stronger")
    alphas = np.linspace(0, 1, 11)
    determinant = np.array([np.linalg.det([[1, -2, 1], [1 - b, b, 0], [0, 1 - b, b]]) for b in alphas])
    paper.claim("3.3", "its Jacobian determinant at h = 0 is (1 + alpha^2) det M",
                f"it is det M, for every alpha: largest distance from 1 below {below(abs(determinant - 1).max())}",
                np.allclose(determinant, 1, rtol=0, atol=1e-14), "**differs**")


def figure(paper):
    steps = 500
    drawn, (left, right) = plot(1, 2, (7.6, 3.4))
    newmark, variational = pair(paper, 0.5, 12, 0.5, np.array([1.1, 0.0]), np.array([0.0, 0.6]))
    left.plot(*variational.q.T, color=ORANGE, linestyle="--", marker="s", markersize=4, label="variational $q_k$")
    left.plot(*newmark.q[:-1].T, color=BLUE, marker="o", markersize=4, label="Newmark $x_k$")
    left.set(xlabel="x", ylabel="y", aspect="equal", title="$x_k$ halves the chord $q_k q_{k+1}$")
    left.legend(loc="center", fontsize=8)
    for value, color, style in ((0.5, BLUE, "-"), (0.2, ORANGE, "--"), (0.05, "#000000", ":")):
        # rounding: the largest so far, up to the next tenth of a decade
        so_far = np.maximum.accumulate(error(*pair(paper, value, steps), value))
        shown = 10 ** (np.ceil(10 * np.log10(np.maximum(so_far, 1e-17))) / 10)
        right.semilogy(H * np.arange(steps), shown, color=color, linestyle=style, drawstyle="steps-post",
                       label=rf"$\alpha$ = {value}")
    limit = rounding(np.arange(1, steps + 1))
    right.semilogy(H * np.arange(1, steps + 1), limit, color="0.6", label="what rounding allows")
    right.set(xlabel="t", ylabel=r"largest $|x_k - (1-\alpha) q_k - \alpha q_{k+1}|$ so far", ylim=(1e-17, 1e-8),
              title="The shadow relation")
    right.legend(fontsize=8)
    return paper.save(drawn, "figure-3.1")


def section(paper):
    claims(paper)
    return f"""## Figure 3.1: a Newmark trajectory and its shadow

Left, Newmark with beta = 1/4 (solid) and the variational method with alpha = 1/2 (dashed) from (1.1, 0) with velocity (0, 0.6),
h = 0.5, wide apart enough to be seen. Right, how well x_k = (1 - alpha) q_k + alpha q_(k+1) holds at h = 0.2 from (1.2, 0) with
velocity (0, 0.2), for three values of alpha and beta = alpha (1 - alpha): round-off. A line is the largest value so far, rounded
up to a tenth of a decade, because the digits of round-off differ from machine to machine. So it rises in steps.

{figure(paper)}

{paper.table("3.3")}
"""
