"""TO section 2 as claims: where Z&Ss is symplectic (Remark 2.2), and from which beta on (19) is stable for every step."""
import numpy as np

from common import below, digits

SOFT, STIFF = np.array([[1, -0.5], [-0.5, 2]]), np.array([[2, 1], [1, 3]])  # of split.toml
STEPS = (0.1, 1, 10, 100, 1000)


def commutation(paper):
    def defect(*overrides):
        return paper.run("separable.toml", "separable", *overrides).certificate["symplecticity"]["defect"]

    def order(*overrides):
        """In (q, p): the certificate's unit of length is ten steps, which is one power of h."""
        return np.log2(defect(*overrides, "run.step=0.1", "run.steps=1") / defect(*overrides, "run.step=0.05", "run.steps=1")) - 1

    one, coupled, heavy = (), ("system.parameters.c=0.3",), ("system.parameters.m=3",)
    orders = [order(*coupled), order(*heavy)]
    paper.claim("section 2", "Remark 2.2: Z&Ss is symplectic where a matrix independent of x diagonalises the Hessian of V",
                f"V = f(x + y) + g(x - y), unit masses, h = 0.4: defect of a step below {below(defect(*one))}; with a term of both "
                f"0.3 (x + y)^2 (x - y)^2/4 it is {digits(defect(*coupled))}, of order {orders[0]:.2f} in h for one step",
                defect(*one) < 1e-11 and defect(*coupled) > 1e-4 and abs(orders[0] - 5) < 0.2)
    paper.claim("section 2", "... with any mass matrix M", f"with the masses 1 and 3 the same V gives {digits(defect(*heavy))}, of order "
                f"{orders[1]:.2f}: the matrix has to diagonalise M too", defect(*heavy) > 1e-4 and abs(orders[1] - 5) < 0.2, "**differs**")


def bounded(paper, method, eps, beta, h=1000):
    run = paper.attempt("split.toml", "split", f"method.name={method}", f"method.beta={float(beta)!r}",
                        f"system.parameters.eps={eps}", f"run.step={h}")[0]
    return run.certificate["steps"] == 2000 and np.abs(run.energy).max() < 1e3 * run.energy[0]


def limit(paper, method, eps, steps=22):
    """The smallest beta with which 2000 steps of 1000 stay bounded, by bisection."""
    low, high = 0.05, 2.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if bounded(paper, method, eps, middle) else (middle, high)
    return high


def stability(paper):
    every = (0.1, 0.01, 0.001)
    excess = {method: [limit(paper, method, eps) - 0.25 for eps in every] for method in ("zhang-skeel-stiff", "zhang-skeel-simplified")}
    theory = np.linalg.eigvals(np.linalg.solve(STIFF, SOFT)).real.max() / 4
    split = np.array(excess["zhang-skeel-stiff"])
    orders = np.log10(split[:-1] / split[1:])
    safe = all(bounded(paper, "zhang-skeel-stiff", eps, 0.25 + 1.01 * theory * eps, h) for eps in every for h in STEPS)
    paper.claim("section 2", "(19) is stable for every step if beta > 1/4 + O(eps)",
                f"V = V0 + V1/eps, both quadratic, h = 1000: the smallest stable beta less 1/4 is "
                f"{', '.join(digits(x, 3) for x in split)} at eps = "
                f"{', '.join(map(str, every))}, of order {', '.join(f'{x:.2f}' for x in orders)} in eps. It is eps max "
                f"eig(V1''^-1 V0'')/4 = "
                f"{digits(theory, 3)} eps, and one per cent above it h = {', '.join(f'{h:g}' for h in STEPS)} are all stable",
                np.all(np.abs(orders - 1) < 0.05) and np.all(np.abs(split / (theory * np.array(every)) - 1) < 0.02) and safe)
    whole = np.abs(excess["zhang-skeel-simplified"]).max()
    paper.claim("section 2", "Theorem 2.1: Z&Ss, which takes the Hessian of both, is so if and only if beta >= 1/4",
                f"the same by (18): 1/4 to {below(whole)} at each eps", whole < 1e-4)


def section(paper):
    commutation(paper)
    stability(paper)
    return f"""## Section 2: symplecticity and stability, measured

Defects are those of the certificate for `separable.toml`; the steps of `split.toml` are far beyond all periods.

{paper.table("section 2")}
"""
