#!/usr/bin/env python3
"""Figures and page of TO 4.5: make.py ACTIO RESULTS. Exit code 1 when a claim of the page fails. Run times: times.py."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Failed, Paper  # noqa: E402
import compare  # noqa: E402
import signs  # noqa: E402
import speed  # noqa: E402
from magnet import B_MU, BETA, OMEGA  # noqa: E402

INTRODUCTION = f"""# Tao, Owhadi, section 4.5: Lie group integration

A magnetised body of inertia 1 in a constant field, V = B mu R33, from R = 1 with Omega = (1, 0.2, 0.1) along the axes of the
body. `./actio papers to-so3` runs everything but the run times and writes this page and its figures anew; it fails when a claim
fails. The other sections: [to](../to/README.md). The problem is `magnet.toml`.

The paper gives neither B mu nor the length of its runs: here B mu = {B_MU:g}, with which the dipole, from the top, swings down to
within 6 degrees of the bottom and back, and t = 50. Z&S has omega = {OMEGA:g} and beta = {BETA:g}, h = 0.1 as in the paper.

- Z&S on 3 x 3 matrices is `zhang-skeel` with `system.constraint_method=penalty system.omega=10`: bodies are nine entries and R'R
  = 1. The paper's a is the force on entries of mass 1/2, so its beta is twice that of `method.beta`: `beta = {BETA / 2:g}`.
- (34) is `lie-group` with `retraction = "cayley"`, `alpha = 0`, the momentum being (1 + h^2/4 |Omega|^2) Omega.

In the tables: *holds*, what the paper says was measured; *stronger*, more is true; **differs**, the paper is contradicted and
what is true was measured instead; *ours*, the paper does not say it.
"""


def main(arguments):
    paper = Paper("to-so3", arguments)
    return paper.write("\n".join([INTRODUCTION, compare.section(paper), signs.section(paper), speed.section()]))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failure:
        sys.exit(str(failure))
