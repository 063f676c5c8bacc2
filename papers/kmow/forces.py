"""KMOW section 5 and 3.6 as claims: the discrete Lagrange-d'Alembert principle, forced Newmark, two steps, minimisation."""
import numpy as np

from common import below, digits, vector
from oscillator import H, Q0, V0, VARIATIONAL, acceleration, hessian, rounding
from theorems import apart, order_of

C = 1e-3  # of friction.toml
STEPS = 500


def lagrange_dalembert(paper):
    for alpha in (0.5, 0.25):
        method = ("method.name=variational", f"method.alpha={alpha}", "method.symmetric=true")
        found = order_of(paper, "forced.toml", f"forced-{alpha}", method, 2.0, (80, 160, 320))
        paper.claim("5.1", f"L_d^sym,alpha with F_d^sym,alpha is second-order for any Lagrangian and any force; alpha = {alpha}",
                    f"order {found:.2f} with a mass 1 + x^2 and a force of x, x' and t",
                    abs(found - 2) < 0.2)
    run = paper.run("friction.toml", "dalembert", *VARIATIONAL, f"run.steps={STEPS}")
    q, a = run.q, acceleration((run.q[:-1] + run.q[1:]) / 2)
    u = (q[1:] - q[:-1]) / H
    left = -(u[1:] - u[:-1]) + H / 2 * (a[1:] + a[:-1]) - H / 2 * C * (u[1:] + u[:-1])
    paper.claim("5.1", "for F(v) the integrator is (5.4)",
                f"(5.4) holds along {STEPS} steps with friction to {below(abs(left).max())}",
                abs(left).max() < 1e-13)


def forced_newmark(paper):
    newmark = paper.run("friction.toml", "forced-newmark", "method.name=newmark", f"run.steps={STEPS}")
    q0, p0 = Q0 - H / 2 * V0, V0 - H / 2 * (acceleration(Q0) - C * V0)  # as in shadow.py, friction in a
    shadow = paper.run("friction.toml", "forced-shadow", *VARIATIONAL, f"run.steps={STEPS}", f"initial.position={vector(q0)}",
                       f"initial.velocity={vector(p0)}")
    off = np.linalg.norm(newmark.q[:-1] - (shadow.q[:-1] + shadow.q[1:]) / 2, axis=1).max()
    paper.claim("5.2", "average-acceleration Newmark with linear viscous friction is shadowed by (5.4)",
                f"{STEPS} steps: x_k = (q_k + q_(k+1))/2 to {below(off)}",
                off < rounding(STEPS))
    for beta in (0.25, 0.1):
        run = paper.run("friction.toml", f"theorem-5.1-{beta}", "method.name=newmark", f"method.beta={beta}",
                        f"run.steps={STEPS}")
        paper.claim("5.2", f"Theorem 5.1: forced Newmark obeys the forced discrete Euler-Lagrange equations; beta = {beta}",
                    f"(5.3) with (5.11)-(5.13), eta with the corrected sign, along {STEPS} steps to "
                    f"{below(theorem_5_1(run, beta, 1))}; with the printed sign it is off by "
                    f"{digits(theorem_5_1(run, beta, -1))}",
                    theorem_5_1(run, beta, 1) < 1e-13 and theorem_5_1(run, beta, -1) > 1e-3, "**differs**")
    found = order_of(paper, "friction.toml", "order-forced-newmark", ("method.name=newmark",), 4.0, (80, 160, 320),
                     "system.parameters.c=0.2")
    paper.claim("5.2", "forced Newmark with gamma = 1/2 is second-order",
                f"order {found:.2f}, with friction 0.2",
                abs(found - 2) < 0.2)


def theorem_5_1(run, beta, sign):
    """Residual of (5.3) at the inner points of a Newmark run; `sign` is that of eta = q + sign beta h^2 grad V."""
    gradient, F = -acceleration(run.q), -C * run.v
    x = run.q + sign * beta * H * H * gradient
    worst = 0.0
    for k in range(1, len(x) - 1):
        D_eta = np.eye(2) + sign * beta * H * H * hessian(run.q[k])
        left = H / 2 * ((1 - 2 * beta) * F[k] + 2 * beta * F[k + 1])   # F_d^-(q_k, q_k+1)
        right = H / 2 * (2 * beta * F[k - 1] + (1 - 2 * beta) * F[k])  # F_d^+(q_k-1, q_k)
        euler_lagrange = -(x[k + 1] - 2 * x[k] + x[k - 1]) / H - H * gradient[k]  # (D_1 L_d + D_2 L_d) D_eta^-1
        worst = max(worst, abs((euler_lagrange + left + right) @ D_eta).max())
    return worst


def two_steps(paper):
    method = ("method.name=two-step", "method.alpha=0.5")
    found = order_of(paper, "friction.toml", "order-two-step", method, 4.0, (2560, 5120, 10240), "system.parameters.c=0.2")
    paper.claim("5.3", "Theorem 5.2: the two-step method is consistent",
                f"order {found:.2f}, with friction 0.2: it acts at one end of the step, so the order is not two",
                abs(found - 1) < 0.2)
    two, one = (paper.run("oscillator.toml", f"no-friction-{name}", f"method.name={name}", f"run.steps={STEPS}")
                for name in ("two-step", "variational"))
    paper.claim("5.3", "its first step is the discrete Euler-Lagrange equation: without friction it is the variational method",
                f"{STEPS} steps agree to {below(apart(two, one))}",
                apart(two, one) < rounding(STEPS))


def minimisation(paper):
    newmark = paper.run("oscillator.toml", "newmark-conservative", "method.name=newmark", f"run.steps={STEPS}")
    minimising = paper.run("oscillator.toml", "minimising-conservative", "method.name=minimising-newmark", f"run.steps={STEPS}")
    off = apart(newmark, minimising)
    paper.claim("3.6", "for conservative systems minimisation of (3.22) is literally the Newmark scheme",
                f"{STEPS} steps agree to {below(off)}",
                off < rounding(STEPS))
    for sigma in (0, 1):
        method = ("method.name=minimising-newmark", f"method.sigma={sigma}")
        found = order_of(paper, "rough.toml", f"order-sigma-{sigma}", method, 4.0, (2560, 5120, 10240))
        paper.claim("3.6", f"(3.20) is consistent for any sigma; sigma = {sigma}",
                    f"order {found:.2f}, with friction that depends on the position",
                    abs(found - 1) < 0.2)


def section(paper):
    minimisation(paper)
    lagrange_dalembert(paper)
    forced_newmark(paper)
    two_steps(paper)
    return f"""## Section 3.6: Newmark as minimisation

{paper.table("3.6")}

## Section 5: forces and friction

{paper.table("5.1")}

{paper.table("5.2")}

{paper.table("5.3")}
"""
