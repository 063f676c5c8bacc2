"""Karow on one degree of freedom: the scheme (5)-(10), the balance (13), (14), any step, variable steps, f(u'', u', u, t) = 0."""
import numpy as np

from balance import Linear
from common import BLACK, BLUE, EPS, GREEN, ORANGE, PURPLE, RED, below, digits, plot

M, D, S, P = 2.0, 0.8, 50.0, 3.0  # kg, kg/s, N/m, N: as in sdof.toml
UNEQUAL = "run.step=[0.05, 0.02, 0.11]"


def system(t):
    return Linear(np.array([[M]]), np.array([[D]]), np.array([[S]]), (P * np.cos(4 * t) + P)[:, None])


def newmark(beta, gamma):
    return f"method.beta={beta!r}", f"method.gamma={gamma!r}"


def allowed(run, size):
    """Rounding of a step's balance: a few roundings of each of its terms, and what the solver may leave."""
    return 50 * EPS * size


def scheme(paper):
    worst = 0.0
    for name, beta, gamma in (("average", 0.25, 0.5), ("linear", 1 / 6, 0.5), ("explicit", 0.0, 0.5), ("half", 0.5, 1.0),
                              ("skewed", 0.3, 0.6), ("corner", 0.0, 0.0), ("other", 0.5, 0.0)):
        run = paper.run("sdof.toml", f"scheme-{name}", *newmark(beta, gamma), "run.step=0.01", "run.end=2")
        first, second = system(run.t).equations(run, beta, gamma)
        worst = max(worst, abs(first).max(), abs(second).max())
    paper.claim("1", "(1), (2), (5), (6) define the method, for beta in [0, 1/2] and gamma in [0, 1]",
                "at (beta, gamma) = (1/4, 1/2), (1/6, 1/2), (0, 1/2), (1/2, 1), (0.3, 0.6), (0, 0), (1/2, 0) both hold in "
                f"every step, with the accelerations of (2), to {below(worst)}",
                worst < 1e-13)
    constant = paper.run("sdof.toml", "constant")
    unequal = paper.run("sdof.toml", "unequal", UNEQUAL)
    counts = [run.certificate["solver"]["factorisations"] for run in (constant, unequal)]
    paper.claim("1", "(b'): one linear equation a step, whose matrix depends on h_j alone",
                f"factorisations: {counts[0]} in {constant.certificate['steps']} equal steps, {counts[1]} in "
                f"{unequal.certificate['steps']} steps of three sizes in turn",
                counts[0] <= 1 and counts[1] <= 3)


def general(paper):
    matrices = paper.run("sdof.toml", "matrices")
    equation = paper.run("equation.toml", "equation")
    off = max(abs(matrices.q - equation.q).max(), abs(matrices.v - equation.v).max())
    paper.claim("1", "(10): any f(u'', u', u, t) = 0; the linear f is a special case",
                f"the same system written as an equation in u'' runs the same: 400 steps agree to {below(off)}",
                off < 1e-11)
    ends = [paper.run("implicit.toml", f"implicit-{n}", f"run.steps={n}", f"run.step={4 / n}", f"run.every={n}").q[-1, 0]
            for n in (100, 200, 400, 6400)]
    orders = np.log2(abs(np.array(ends[:-1]) - ends[-1])[:-1] / abs(np.array(ends[:-1]) - ends[-1])[1:])
    paper.claim("1", "(10) with u'' in a nonlinear way",
                f"u'' + 0.1 u''^3 + 0.2 u' abs(u') + sin u = cos t: order {orders[-1]:.2f}",
                abs(orders[-1] - 2) < 0.2)


def balance(paper):
    for name, steps in (("equal steps", "run.step=0.05"), ("steps of 0.05, 0.02, 0.11 in turn", UNEQUAL),
                        ("h(t)", "run.step=\"0.05*(1 + 0.9*sin(t))\"")):
        run = paper.run("sdof.toml", f"balance-{name[0]}-{len(name)}", steps)
        by_13, by_14, size = system(run.t).balance(run)
        paper.claim("2", f"(13) and (14) hold for beta = 1/4, gamma = 1/2; {name}",
                f"largest remainder of a step {below(abs(by_13).max() / size)} and {below(abs(by_14).max() / size)} of "
                    "the energies at work",
                    max(abs(by_13).max(), abs(by_14).max()) < allowed(run, size))
        close(paper, "2", run, name)
    for beta, gamma in ((0.25, 0.55), (1 / 6, 0.5)):
        run = paper.run("sdof.toml", f"no-balance-{gamma}", *newmark(beta, gamma))
        by_13, by_14, size = system(run.t).balance(run)
        paper.claim("2", f"for other parameters they need not hold; beta = {beta:.3g}, gamma = {gamma}",
                f"largest remainder {digits(abs(by_13).max() / size)} and {digits(abs(by_14).max() / size)}, in all "
                    f"{digits(by_13.sum())} J",
                    abs(by_13).max() > 1e-6 * size)


def close(paper, section, run, name):
    """The ledger of the run itself: energy = start + external - dissipated - method + solver."""
    ledger = run.ledger
    size = max(abs(run.energy).max(), abs(ledger["external"]).max(), abs(ledger["dissipated"]).max())
    lost = abs(ledger["method"]).max() / size
    paper.claim(section, f"the same by the ledger of the run; {name}",
                f"work in {digits(ledger['external'][-1], 3)} J, dissipated {digits(ledger['dissipated'][-1], 3)} J, energy "
                f"{digits(run.energy[-1] - run.energy[0], 3)} J more: loss by the method {below(lost)} of the largest",
                lost < 50 * EPS * len(run.t))


def any_step(paper):
    free = ("system.parameters.d=0", "system.parameters.p=0", "run.steps=400")
    worst = {}
    for h in (0.02, 0.2, 2, 20):
        run = paper.run("sdof.toml", f"free-{h}", *free, f"run.step={h}")
        worst[h] = abs(run.energy / run.energy[0] - 1).max()
    paper.claim("2", "energy is preserved if D = 0 and p = 0",
                "400 steps of " + ", ".join(f"{h} ({below(w)})" for h, w in worst.items())
                + " s; the period is 1.26 s. In parentheses the largest relative change: rounding, of h u' beside u",
                all(w < 50 * EPS * 400 * (1 + h * np.sqrt(S / M)) for h, w in worst.items()))
    grown = {}
    for h in (0.2, 2, 20):
        run = paper.run("sdof.toml", f"damped-{h}", "system.parameters.p=0", "run.steps=400", f"run.step={h}")
        grown[h] = np.diff(run.energy).max() / run.energy[0]
    paper.claim("2", "the method is stable for any step size",
                "with D > 0 and p = 0 the energy grows in none of 400 steps of 0.2, 2, 20 s",
                max(grown.values()) < 50 * EPS)


# weights of inertia and of force at the beginning of the step, beta and gamma, of rho: Chung and Hulbert, and Hilber et al.
def generalised(rho):
    m, f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    return m, f, (1 - m + f)**2 / 4, 0.5 - m + f


def hilber(rho):
    f = (1 - rho) / (1 + rho)
    return 0.0, f, (1 + f)**2 / 4, 0.5 + f


def amplification(h, m, f, beta, gamma):
    """Of (u, h u', h^2 u'') in one step without load and damping: (1 - m) M u1'' + m M u0'' + (1 - f) S u1 + f S u0 = 0."""
    w = h * h * S / M
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - f) * w, 0, 1 - m]])
    return np.linalg.solve(left, np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-f * w, 0, -m]]))


DAMPED = {
    "Newmark, gamma = 0.55": (newmark(1.05**2 / 4, 0.55), (0, 0, 1.05**2 / 4, 0.55)),
    "Newmark, gamma = 0.6": (newmark(1.1**2 / 4, 0.6), (0, 0, 1.1**2 / 4, 0.6)),
    "HHT, rho = 0.8": (("method.name=hht", "method.rho=0.8"), hilber(0.8)),
    "generalised-alpha, rho = 0.8": (("method.name=generalized-alpha", "method.rho=0.8"), generalised(0.8)),
    "generalised-alpha, rho = 0": (("method.name=generalized-alpha", "method.rho=0"), generalised(0.0))}


def unforced(paper):
    """Ledgers of methods that damp, without load and damping: all that is lost is the method's. Beside the ledger stand the powers
    of the step's matrix, and for Newmark with gamma > 1/2 the identity of a step."""
    free = ("system.parameters.d=0", "system.parameters.p=0", "run.steps=200")
    rows, closed, apart, identity = ["| | h = 0.05 s: lost | by the matrix of the step | h = 0.5 s: lost | by the matrix "
        "|", "|-|-|-|-|-|"], 0, 0, 0
    lost = {}
    for name, (overrides, weights) in DAMPED.items():
        cells = []
        for h in (0.05, 0.5):
            run = paper.run("sdof.toml", f"unforced-{h}", *free, *overrides, f"run.step={h}")
            e0, ledger = run.energy[0], run.ledger
            other = max(abs(ledger[column]).max() for column in ("external", "dissipated"))
            closed = max(closed, (abs(run.energy - e0 + ledger["method"]).max() + other) / e0)
            A, z = amplification(h, *weights), np.array([run.q[0, 0], h * run.v[0, 0], -h * h * S / M * run.q[0, 0]])
            for _ in range(200):
                z = A @ z
            matrix = 1 - (0.5 * M * (z[1] / h)**2 + 0.5 * S * z[0]**2) / e0
            share = ledger["method"] / e0
            lost[name, h] = share[-1]
            apart = max(apart, abs(share[-1] - matrix))
            cells += [f"{100 * share[-1]:.4g} %", f"{100 * matrix:.4g} %"]
            if name.startswith("Newmark"):
                _, _, beta, gamma = weights
                a, du = -S / M * run.q[:, 0], np.diff(run.q[:, 0])
                work = (gamma - 0.5) * (S * du**2 + (beta - gamma / 2) * h * h * M * np.diff(a)**2)
                shift = 0.5 * (beta - gamma / 2) * h * h * M * np.diff(a**2)
                identity = max(identity, abs(np.diff(run.energy) + work + shift).max() / e0)
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    paper.claim("unforced", "(ours) without load and damping, all that gamma > 1/2 or rho < 1 loses is the method's",
                f"200 steps of 0.05 and 0.5 s: energy at the start less the column `method` is the energy to {below(closed)} of "
                f"it, and the columns of work "
                f"and friction are zero; the powers of the step's matrix lose the same to {below(apart)}",
                closed < 1e-12 and apart < 1e-10 and all(1e-4 < share < 1 + 1e-12 for share in lost.values()))
    paper.claim("unforced", "(ours) what Newmark loses in a step", "(gamma - 1/2) (du . S du + (beta - gamma/2) h^2 da . M da), "
                "and the energy moves by the change of "
                f"(beta - gamma/2) h^2 a . M a/2 besides: every step to {below(identity)} of the energy", identity < 1e-12)
    paper.claim("unforced", "(ours) methods that damp high frequencies spare low ones", f"with 25 steps a period HHT loses "
                f"{100 * lost['HHT, rho = 0.8', 0.05]:.2g} % and "
                f"generalised-alpha {100 * lost['generalised-alpha, rho = 0.8', 0.05]:.2g} % in 200 steps, with 2.5 steps a period "
                f"{100 * lost['HHT, rho = 0.8', 0.5]:.3g} % and {100 * lost['generalised-alpha, rho = 0.8', 0.5]:.3g} %; "
                f"Newmark with gamma = 0.55 loses "
                f"{100 * lost['Newmark, gamma = 0.55', 0.05]:.2g} % and {100 * lost['Newmark, gamma = 0.55', 0.5]:.3g} %",
                lost["Newmark, gamma = 0.55", 0.05] > 10 * lost["HHT, rho = 0.8", 0.05] > 50 * lost[
                    "generalised-alpha, rho = 0.8", 0.05] and
                lost["generalised-alpha, rho = 0.8", 0.5] > 0.9)
    return "\n".join(rows)


def figure(paper):
    run = paper.run("sdof.toml", "balance-h-4", "run.step=\"0.05*(1 + 0.9*sin(t))\"")
    drawn, (upper, lower) = plot(2, 1, (7.2, 4.4), sharex=True, gridspec_kw={"height_ratios": (2, 1)})
    ledger = run.ledger
    upper.plot(run.t, ledger["external"], color=BLUE, label="work of the load")
    upper.plot(run.t, ledger["dissipated"], color=RED, linestyle="--", label="dissipated")
    upper.plot(run.t, run.energy - run.energy[0], color=GREEN, linestyle="-.", label="energy gained")
    upper.plot(run.t, ledger["external"] - ledger["dissipated"], color=BLACK, linestyle=":", label="work less dissipated")
    upper.set(ylabel="J", title="One degree of freedom, steps h(t) = 0.05 (1 + 0.9 sin t) s")
    upper.legend(fontsize=8)
    lower.step(run.t[:-1], np.diff(run.t), where="post", color=PURPLE)
    lower.set(xlabel="t [s]", ylabel="h [s]", xlim=(0, 20))
    return paper.save(drawn, "figure-sdof")


def section(paper):
    scheme(paper)
    general(paper)
    balance(paper)
    any_step(paper)
    damped = unforced(paper)
    return f"""## The method

On m = {M} kg, d = {D} kg/s, s = {S} N/m and the load 3 + 3 cos 4t N.

{paper.table("1")}

## The balance of energy: one degree of freedom

{figure(paper)}

{paper.table("2")}

## Ledgers without forces

The same system without load and damping, by methods that lose energy of their own. Share of the energy lost in 200 steps:

{damped}

{paper.table("unforced").replace("the paper", "ours").replace("(ours) ", "")}
"""
