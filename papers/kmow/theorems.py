"""KMOW sections 2 and 3 as claims: orders, the theorems, the momentum Newmark keeps."""
import numpy as np

from common import EPS, below, digits, vector
from oscillator import BENCHMARK, H, acceleration, cross, hessian, rounding


def apart(a, b):
    return max(abs(a.q - b.q).max(), abs(a.v - b.v).max())


def order(errors):
    """Slope between the last two of the errors at h, h/2, ..."""
    return np.log2(errors[-2] / errors[-1])


def order_of(paper, problem, name, method, end, steps, *changes):
    """Order of positions and velocities at `end` against CVODE; `changes` of the problem hold for both."""
    exact = paper.run(problem, f"{name}-exact", *BENCHMARK, *changes, f"run.end={end}", f"run.step={end}")
    errors = []
    for n in steps:
        run = paper.run(problem, f"{name}-{n}", *method, *changes, f"run.step={end / n!r}", f"run.steps={n}", f"run.every={n}")
        errors.append(np.hypot(np.linalg.norm(run.q[-1] - exact.q[-1]), np.linalg.norm(run.v[-1] - exact.v[-1])))
    return order(errors)


def order_on_pairs(paper, problem, name, alpha, momentum, end, steps):
    """Order of L_d^alpha as the paper has it, on Q x Q: from two exact positions; momentum(q0, q1, alpha, h) is -D1 L_d as a
    velocity."""
    exact = paper.run(problem, f"{name}-exact", *BENCHMARK, f"run.step={end / steps[-1]!r}", f"run.steps={steps[-1]}")
    errors = []
    for n in steps:
        h, q1 = end / n, exact.q[steps[-1] // n]
        run = paper.run(problem, f"{name}-{n}", "method.name=variational", f"method.alpha={alpha}", "method.symmetric=false",
                        f"run.step={h!r}", f"run.steps={n}", f"run.every={n}",
                        f"initial.velocity={vector(momentum(exact.q[0], q1, alpha, h))}")
        errors.append(np.linalg.norm(run.q[-1] - exact.q[-1]))
    return order(errors)


def oscillator_start(q0, q1, alpha, h):
    return (q1 - q0) / h - h * (1 - alpha) * acceleration((1 - alpha) * q0 + alpha * q1)


def curved_start(q0, q1, alpha, h):
    """For L = (1 + x^2) x'^2 / 2 - x^2/2 - x^4/4."""
    x, u = (1 - alpha) * q0 + alpha * q1, (q1 - q0) / h
    return ((1 + x * x) * u - h * (1 - alpha) * (x * u * u - x - x**3)) / (1 + q0 * q0)


def orders(paper):
    steps, end = (80, 160, 320), 4.0
    for alpha in (0.5, 0.25):
        sym = ("method.name=variational", f"method.alpha={alpha}", "method.symmetric=true")
        plain = order_of(paper, "oscillator.toml", f"order-sym-{alpha}", sym, end, steps)
        curved = order_of(paper, "curved.toml", f"order-sym-curved-{alpha}", sym, 2.0, steps)
        paper.claim("2", f"L_d^sym,alpha is second-order for any alpha and any Lagrangian; alpha = {alpha}",
                f"order {plain:.2f} on the oscillator, {curved:.2f} with a mass 1 + x^2",
                    max(abs(plain - 2), abs(curved - 2)) < 0.2)
    for alpha, expected in ((0.25, 1), (0.5, 2)):
        plain = order_on_pairs(paper, "oscillator.toml", f"order-{alpha}", alpha, oscillator_start, end, steps)
        curved = order_on_pairs(paper, "curved.toml", f"order-curved-{alpha}", alpha, curved_start, 2.0, steps)
        paper.claim("2", "L_d^alpha on Q x Q is second-order for L of the form (2.1), for others "
                f"{'only first-order' * (expected == 1)}{'too' * (expected == 2)}; alpha = {alpha}",
                    f"order {plain:.2f} on the oscillator, {curved:.2f} with a mass 1 + x^2",
                    abs(plain - 2) < 0.2 and abs(curved - expected) < 0.2)
    for gamma, expected in ((0.5, 2), (0.6, 1)):
        newmark = ("method.name=newmark", "method.beta=0.3", f"method.gamma={gamma}")
        found = order_of(paper, "oscillator.toml", f"order-newmark-{gamma}", newmark, end, (320, 640, 1280))
        paper.claim("3.1", f"Newmark is second-order if and only if gamma = 1/2; gamma = {gamma}",
                f"order {found:.2f}",
                    abs(found - expected) < 0.2)


def equations(paper):
    """The printed equations along the runs, with a_{k+alpha} = a((1-alpha) q_k + alpha q_{k+1})."""
    alpha, steps = 0.3, 200
    given = ("method.name=variational", f"method.alpha={alpha}", f"run.steps={steps}")

    def force(q, weight):
        return acceleration((1 - weight) * q[:-1] + weight * q[1:])

    plain = paper.run("oscillator.toml", "plain", *given, "method.symmetric=false")
    second = plain.q[2:] - 2 * plain.q[1:-1] + plain.q[:-2]
    a = force(plain.q, alpha)
    off = {"(2.15)": second - H * H * ((1 - alpha) * a[1:] + alpha * a[:-1])}

    symmetric = paper.run("oscillator.toml", "symmetric", *given, "method.symmetric=true")
    q, v = symmetric.q, symmetric.v
    a, b = force(q, alpha), force(q, 1 - alpha)
    off["(2.17)"] = q[2:] - 2 * q[1:-1] + q[:-2] - H * H / 2 * ((1 - alpha) * (a[1:] + b[:-1]) + alpha * (b[1:] + a[:-1]))
    off["(2.19)"] = np.concatenate([q[1:] - q[:-1] - H * v[:-1] - H * H / 2 * ((1 - alpha) * a + alpha * b),
                                    v[1:] - v[:-1] - H / 2 * (a + b)])
    shake = paper.run("oscillator.toml", "shake", "method.name=variational", "method.alpha=1", "method.symmetric=false",
                      f"run.steps={steps}")
    off["Verlet from L_d^1"] = shake.q[2:] - 2 * shake.q[1:-1] + shake.q[:-2] - H * H * acceleration(shake.q[1:-1])
    worst = max(abs(r).max() for r in off.values())
    paper.claim("2", f"the discrete Euler-Lagrange equations are {', '.join(list(off)[:-1])}; L_d^alpha with alpha = 1 is Verlet",
                f"alpha = {alpha}: along {steps} steps they hold to {below(worst)}",
                worst < 1e-13)
    defects = [run.certificate["symplecticity"]["defect"] for run in (plain, symmetric)]
    turns = [run.certificate["momentum"]["angular momentum"]["max_error"] for run in (plain, symmetric)]
    paper.claim("2", "L_d^alpha and L_d^sym,alpha keep the symplectic form and the momentum, for any alpha",
                f"alpha = {alpha}: defect of a step below {below(max(defects))}, angular momentum over {steps} steps to "
                f"{below(max(turns))}",
                max(defects) < 1e-10 and max(turns) < 1e-13)

    beta, gamma = 0.3, 0.6
    run = paper.run("oscillator.toml", "positions", f"method.beta={beta}", f"method.gamma={gamma}", f"run.steps={steps}")
    q, a = run.q, acceleration(run.q)
    right = beta * a[2:] - (2 * beta - gamma - 0.5) * a[1:-1] - (gamma - beta - 0.5) * a[:-2]
    off = q[2:] - 2 * q[1:-1] + q[:-2] - H * H * right
    paper.claim("3.1", "(3.6): Newmark as an update of positions, any beta and gamma",
                f"beta = {beta}, gamma = {gamma}: along {steps} steps to {below(abs(off).max())}",
                abs(off).max() < 1e-13)


def discrete(paper):
    """(2.10) to (2.13), by the observables of cyclic.toml and in numpy: V = (y^2 - 1)^2, M = [[2, 0.3], [0.3, 1]]."""
    M, alpha = np.array([[2, 0.3], [0.3, 1]]), 0.3

    def energy(q, v):
        return 0.5 * np.sum(v @ M * v, axis=1) + (q[:, 1]**2 - 1)**2

    def action(q0, q1, h):
        """L_d^alpha (2.2)"""
        q, v = (1 - alpha) * q0 + alpha * q1, (q1 - q0) / h
        return h * (0.5 * np.sum(v @ M * v, axis=1) - (q[:, 1]**2 - 1)**2)

    runs = {h: paper.run("cyclic.toml", f"cyclic-{h}", f"run.step={h}", f"run.steps={round(100 / h)}") for h in (0.2, 0.1, 0.05)}
    printed, moved, found = [], [], []
    for h, run in runs.items():
        momenta = np.diff(run.q, axis=0) @ M[0]
        found.append(run.observe["Jd"][0])
        printed.append(momenta[0])
        moved.append(max(np.ptp(run.observe["Jd"]), abs(run.observe["Jd"][:-1] - momenta / h).max()))
    paper.claim("2.10", "(2.10) is conserved where V is independent of q^1",
                f"J_d is {found[0]:.6f}, moves by less than {below(max(moved))} in t = 100 at h = 0.2, 0.1 and 0.05, and is "
                "[M (q_(k+1) - q_k)]_1/h", max(moved) < 1e-12)
    paper.claim("2.10", "... it is [M (q_(k+1) - q_k)]_1, because h cancels",
                f"that is {', '.join(f'{x:.3f}' for x in printed)} at these steps; J_d, and p_1 of the motion, is "
                f"{found[-1]:.3f} at each: with "
                "L_d of (2.2) one of two factors h remains",
                abs(printed[0] / printed[1] - 2) < 1e-9 and np.ptp(found) < 1e-12, "**differs**")

    run, h = runs[0.2], 0.2
    q0, q1, E_d = run.q[:-1], run.q[1:], run.observe["Ed"][:-1]
    step = 1e-3 * h
    slope = [(action(q0, q1, h + d) - action(q0, q1, h - d)) / (2 * d) for d in (step, 2 * step)]
    off_11 = abs(E_d + (4 * slope[0] - slope[1]) / 3).max()
    off_13 = abs(E_d - energy((1 - alpha) * q0 + alpha * q1, (q1 - q0) / h)).max()
    paper.claim("2.10", "(2.11) E_d = -dL_d/dh; (2.12), (2.13) it is E at the point and the velocity that L_d evaluates",
                f"alpha = {alpha}, 500 steps of 0.2: E_d by `discrete_energy` is between {E_d.min():.4f} and {E_d.max():.4f}. "
                f"The difference "
                f"quotient of (2.11) is within {below(off_11)} of it, (2.13) within {below(off_13)}", off_11 < 1e-8 and off_13 < 1e-13)
    swing = {name: [np.ptp(values(run)) for run in runs.values()] for name, values in (
        ("E_d", lambda run: run.observe["Ed"]), ("E", lambda run: run.energy))}
    orders = {name: np.log2(np.array(of[:-1]) / of[1:]) for name, of in swing.items()}
    paper.claim("2.10", "(the paper does not say whether E_d is conserved)", "at equal steps it is not: it swings by "
                "" + ", ".join(map(digits, swing["E_d"])) +
                f" at h = 0.2, 0.1, 0.05, of order {orders['E_d'][-1]:.2f}. E(q, v) swings by " + ", ".join(map(digits, swing["E"])) +
                f", of order {orders['E'][-1]:.2f}", min(swing["E_d"]) > 1e-6 and max(swing["E_d"]) < 1, "ours")


def quoted(paper):
    """Simo, Tarnow and Wong, as quoted in section 1."""
    lost = {}
    for beta, gamma in ((0.25, 0.5), (1 / 6, 0.5), (0.0, 0.6), (0.0, 0.5)):
        run = paper.run("oscillator.toml", f"quoted-{beta:.2f}-{gamma}", f"method.beta={beta!r}", f"method.gamma={gamma}",
                        "run.steps=50")
        lost[beta, gamma] = run.certificate["momentum"]["angular momentum"]["max_error"]
    paper.claim("1", "Simo, Tarnow, Wong: all implicit members of the Newmark family fail to conserve momentum; of the explicit "
                "ones only central differences do",
                "largest error of the angular momentum in 50 steps: " + ", ".join(
                f"beta = {beta:.3g}, gamma = {gamma}: {digits(error) if error > 1e-12 else below(error)}"
                for (beta, gamma), error in lost.items()),
                lost.pop((0.0, 0.5)) < 1e-14 and min(lost.values()) > 1e-3)


def same_methods(paper):
    steps = 50
    short = (f"run.steps={steps}",)
    limit = rounding(steps)

    midpoint = paper.run("oscillator.toml", "midpoint", "method.name=midpoint", *short)
    variational = paper.run("oscillator.toml", "variational-half", "method.name=variational", "method.alpha=0.5", *short)
    q, p = midpoint.q, midpoint.p
    rule = max(abs(q[1:] - q[:-1] - H * (p[1:] + p[:-1]) / 2).max(),
               abs(p[1:] - p[:-1] - H * acceleration((q[1:] + q[:-1]) / 2)).max())
    defect = variational.certificate["symplecticity"]["defect"]
    paper.claim("2", "Theorem 2.1: L_d^sym,1/2 is the midpoint rule (2.18)",
                f"(2.18) holds along its trajectory to {below(rule)}; `variational` and `midpoint` differ by less than "
                f"{below(apart(midpoint, variational))}",
                rule < 1e-13 and apart(midpoint, variational) < limit)
    paper.claim("2", "pushed forward to T*Q it preserves the canonical form and the momentum",
                f"symplecticity defect of a step below {below(defect)}, angular momentum to "
                f"{below(np.ptp(variational.momentum['angular momentum']))}",
                defect < 1e-10 and np.ptp(variational.momentum["angular momentum"]) < 100 * EPS * steps**0.5)

    explicit = paper.run("oscillator.toml", "explicit-newmark", "method.name=newmark", "method.beta=0", *short)
    ends = [paper.run("oscillator.toml", f"central-{alpha}", "method.name=variational", f"method.alpha={alpha}", *short)
            for alpha in (0, 1)]
    worst = max(apart(explicit, run) for run in ends)
    paper.claim("3.1", "Theorem 3.1: Newmark beta = 0, gamma = 1/2 is L_d^sym,0 and L_d^sym,1",
                f"{steps} steps agree to {below(worst)}",
                worst < limit)

    worst, defect = 0.0, 0.0
    for alpha in (0.5, 0.2):
        newmark = paper.run("linear.toml", f"affine-newmark-{alpha}", f"method.beta={alpha * (1 - alpha)!r}")
        variational = paper.run("linear.toml", f"affine-{alpha}", "method.name=variational", f"method.alpha={alpha}")
        worst = max(worst, apart(newmark, variational))
    paper.claim("3.1", "Theorem 3.2: for an affine force Newmark with beta = alpha (1 - alpha) is L_d^sym,alpha",
                f"alpha = 0.5, 0.2, a full mass matrix, 200 steps: agree to {below(worst)}",
                worst < rounding(200))
    paper.claim("3.1", "Newmark averages forces, the variational method evaluates them at averaged positions: no essential "
                "difference",
                f"from one start the two are {digits(differ(paper), 1)} apart after 50 steps; through the coordinates of 3.3 "
                "they are one",
                differ(paper) > 0.1)


def differ(paper):
    newmark = paper.run("oscillator.toml", "implicit-newmark", "method.name=newmark", "run.steps=50")
    variational = paper.run("oscillator.toml", "variational-half", "method.name=variational", "run.steps=50")
    return apart(newmark, variational)


def damping(paper):
    stiffness, load, gain = np.array([[6.0, -2.0], [-2.0, 4.0]]), np.array([0.2, 0.0]), {}
    for gamma in (0.45, 0.5, 0.55):
        # the run whose energy grows fails, as it should: its trajectory is there all the same
        run, _ = paper.attempt("linear.toml", f"gamma-{gamma}", f"method.gamma={gamma}", f"method.beta={(gamma + 0.5)**2 / 4!r}")
        lowest = -0.5 * load @ np.linalg.solve(stiffness, load)  # energy at rest in equilibrium
        gain[gamma] = (run.energy[-1] - lowest) / (run.energy[0] - lowest)
    paper.claim("3.1", "gamma < 1/2 dissipates energy and gamma > 1/2 increases it (also in the abstract)",
                "the other way round: energy of a linear system after 200 steps of 0.2, relative to the start: gamma = 0.45: "
                f"{digits(gain[0.45])}, 0.5: {gain[0.5]:.6f}, 0.55: {digits(gain[0.55])}",
                gain[0.45] > 1.5 and abs(gain[0.5] - 1) < 1e-11 and gain[0.55] < 0.6, "**differs**")


def newmark_is_variational(paper):
    """Theorem 3.5: x_k = eta(q_k) obeys (3.8), with eta(q) = q + beta h^2 grad V."""
    beta, steps = 0.25, 500
    run = paper.run("oscillator.toml", "theorem-3.5", f"method.beta={beta}", f"run.steps={steps}")
    a = acceleration(run.q)
    wrong_sign = {}
    for sign in (1, -1):
        x = run.q - sign * beta * H * H * a  # grad V = -a
        second = x[2:] - 2 * x[1:-1] + x[:-2]
        wrong_sign[sign] = abs(second - H * H * a[1:-1]).max()
    x = run.q - beta * H * H * a
    wrong_index = abs(x[2:] - 2 * x[1:-1] + x[:-2] - H * H * a[:-2]).max()
    paper.claim("3.4", "(3.7), Theorem 3.5: eta(q) = q - beta h^2 M^-1 grad V(q)",
                f"with the printed minus (3.8) is off by {digits(wrong_sign[-1])}, with a plus by less than "
                f"{below(wrong_sign[1])}",
                wrong_sign[1] < 1e-13 and wrong_sign[-1] > 1e-3, "**differs**")
    paper.claim("3.4", "(3.8) has grad V~(x_k)",
                f"it is grad V~(x_(k+1)), as in (3.7): as printed it is off by {digits(wrong_index)}",
                wrong_index > 1e-3, "**differs**")

    asymmetry = 0.0
    for q in run.q[:50]:
        map_of_step = np.eye(2) + beta * H * H * hessian(q)  # D eta
        gradient_of_force = hessian(q) @ np.linalg.inv(map_of_step)
        asymmetry = max(asymmetry, abs(gradient_of_force - gradient_of_force.T).max())
    paper.claim("3.4", "V~ exists: grad V o eta^-1 has a symmetric derivative (3.12)",
                f"asymmetry at 50 states below {below(asymmetry)}",
                asymmetry < 1e-13)
    own = run.certificate["symplecticity"]
    paper.claim("3.4", "so Newmark with gamma = 1/2 is symplectic, in coordinates not quite the obvious ones",
                f"defect of a step below {below(own['own_defect'])} in (eta(q), p), {digits(own['defect'], 1)} in (q, p)",
                own["own_defect"] < 1e-10 < 1e-3 < own["defect"])

    kept = cross(x[1:], x[1:] - x[:-1]) / H
    naive = cross(run.q[1:], run.q[1:] - run.q[:-1]) / H
    bound = 4 * steps**0.5 * EPS * np.linalg.norm(x, axis=1).max() * np.linalg.norm(x[1:] - x[:-1], axis=1).max() / H + 1e-13
    paper.claim("3.5", "the discrete momentum J_d of L_d^beta is kept exactly, the naive one is not",
                f"over 500 steps (eta(q_k) - eta(q_(k-1)))/h x eta(q_k) moves by less than {below(np.ptp(kept))}, (q_k - "
                f"q_(k-1))/h x q_k by {digits(np.ptp(naive), 1)}",
                np.ptp(kept) < 10 * bound and np.ptp(naive) > 1e-3)

    errors = {}
    for h in (0.2, 0.1, 0.05, 0.025):
        J = paper.run("oscillator.toml", f"momentum-{h}", f"run.step={h}", "run.end=200").momentum["angular momentum"]
        errors[h] = abs(J - J[0]).max()
    found = order(list(errors.values()))
    paper.claim("3.5", "Theorem 3.6: the momentum error is bounded for all time and tends to zero with h, by O(h^2)",
                "largest error of J over 200 units of time " + ", ".join(f"{digits(e)} (h = {h})" for h, e in errors.items())
                + f": order {found:.2f}; for long times see Figure 4.2",
                abs(found - 2) < 0.2)


def section(paper):
    quoted(paper)
    discrete(paper)
    equations(paper)
    orders(paper)
    same_methods(paper)
    damping(paper)
    newmark_is_variational(paper)
    return f"""## Section 1: what was known

{paper.table("1")}

## Section 2: variational integrators

{paper.table("2")}

The discrete momentum and energy, on `cyclic.toml`: V = (y^2 - 1)^2 with the mass matrix ((2, 0.3), (0.3, 1)).

{paper.table("2.10")}

## Sections 3.1 to 3.3: Newmark and its relatives

{paper.table("3.1")}

## Sections 3.4 and 3.5: Newmark is variational

{paper.table("3.4")}

{paper.table("3.5")}
"""
