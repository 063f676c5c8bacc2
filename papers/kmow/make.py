#!/usr/bin/env python3
"""Figures and page of KMOW: make.py ACTIO RESULTS. Exit code 1 when a claim of the page fails."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Failed, Paper  # noqa: E402
import abstract  # noqa: E402
import conservative  # noqa: E402
import dissipative  # noqa: E402
import forces  # noqa: E402
import shadow  # noqa: E402
import theorems  # noqa: E402

INTRODUCTION = """# Kane, Marsden, Ortiz, West: Variational integrators and the Newmark algorithm

International Journal for Numerical Methods in Engineering 49 (2000); the page follows the version of November 25, 1999, and
an abstract by West, Kane and Ortiz, "Variational integrators, the Newmark scheme, and dissipative systems". `./actio papers
kmow` runs everything and writes this page and its figures anew; it fails when a claim fails. The problems are the `.toml`
files beside it, the trajectories are in `build/release/papers/kmow`.

The paper's oscillator is V = |q|^2 (|q|^2 - 1)^2 with unit mass and h = 0.2. **It gives no initial condition.** Here q =
(1.2, 0) and v = (0, 0.2), whose lines run as its figures are described, and very nearly over the abstract's axis (see
there).

In the tables: *holds*, what the paper says was measured; *stronger*, more is true than it says; **differs**, the paper is
contradicted and what is true was measured instead. Numbers that are round-off are given as the power of ten above them.

Errors in print, each measured below:

- Example after (2.10): the discrete momentum is [M (q_(k+1) - q_k)]_1/**h**; h does not cancel.
- (3.7), Theorems 3.5 and 5.1: eta(q) = q **+** beta h^2 M^-1 grad V(q); (3.8) has V~ at x_(k+1), not x_k.
- 3.3, and the abstract: gamma > 1/2 dissipates energy, gamma < 1/2 increases it.
- Theorem 3.4, proof: the Jacobian determinant is det M, not (1 + alpha^2) det M.
- The abstract's scheme (1) is symplectic, and variational, for alpha = 1/2 only.
- Figure 4.2: the momentum of Runge-Kutta does not diverge here, it settles.
"""


def main(arguments):
    paper = Paper("kmow", arguments)
    short, many = conservative.runs(paper)
    parts = [INTRODUCTION, theorems.section(paper), shadow.section(paper), conservative.section(paper, short, many),
             forces.section(paper), dissipative.section(paper, short), abstract.section(paper, short)]
    return paper.write("\n".join(parts))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failure:
        sys.exit(str(failure))
