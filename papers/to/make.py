#!/usr/bin/env python3
"""Figures and page of TO: make.py ACTIO RESULTS. Exit code 1 when a claim of the page fails. Scaling of run times with n: times.py."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Failed, Paper  # noqa: E402
import chain  # noqa: E402
import dna  # noqa: E402
import multipliers  # noqa: E402
import pendulum  # noqa: E402
import properties  # noqa: E402
import speed  # noqa: E402
import water  # noqa: E402

INTRODUCTION = """# Tao, Owhadi: Variational and linearly-implicit integrators, with applications

Version of August 25, 2014 (IMA Journal of Numerical Analysis 36, 2016); sections 4.1 to 4.4 ([4.5](../to-so3/README.md)).
`./actio papers to` runs
everything but the scaling of run times with n, writes this page and its figures anew, and fails when a claim fails. The problems
are the `.toml` files beside it, the trajectories are in `build/release/papers/to`. Z&S is `zhang-skeel` (3), simplified Z&S `zhang-skeel-simplified` (18), the penalised system (7) is
`system.constraint_method=penalty`.

In the tables: *holds*, what the paper says was measured; **differs**, the paper is contradicted and what is true was measured
instead; *not decided*, the measurement agrees but does not show the reason given.

In print gravity points up: V = -g (y1 + y2), with the masses starting below. Both here and in the paper's figures they hang.
"""

THEOREMS = """## Sections 1 and 2: the theorems

| | test (`tests/method/linearly_implicit.cpp`, `tests/laws/laws.cpp`) |
|-|-|
| 1.1 and 2.1 (1), 2.2: stable on linear systems for every step if and only if beta >= 1/4 | `LinearlyImplicit.is_stable_for_every_step_from_beta_one_quarter_on`, `LinearlyImplicit.is_stable_below_the_limit_for_smaller_beta` |
| 1.1 (2), 2.5: Z&S is symplectic, and keeps momentum maps | `ZhangSkeel.is_symplectic`, `Law.is_symplectic_exactly_when_it_says_so`, `MomentumLaw.keeps_momentum_when_it_says_so` |
| 2.1 (2): simplified Z&S is where two matrices commute, as in one degree of freedom, else not, by O(h^5) | `ZhangSkeelSimplified.is_symplectic_in_one_degree_of_freedom`, `ZhangSkeelSimplified.has_a_symplecticity_defect_of_fifth_order` |
| 1.1 and 2.1 (3), 2.3: second order | `OrderLaw.has_the_stated_order`, `ZhangSkeelStiff.is_of_second_order` |
| 1.1 and 2.1 (4), 2.4: reversible | `Law.runs_backwards_when_symmetric` |
| (14): push-forward Newmark is Newmark in other coordinates | `PushForwardNewmark.is_newmark_in_its_own_coordinates` |
| (19): stiff terms alone | `ZhangSkeelStiff.solves_with_the_hessian_of_the_stiff_terms` |
"""


def main(arguments):
    paper = Paper("to", arguments)
    return paper.write("\n".join([INTRODUCTION, pendulum.section(paper), multipliers.section(paper), chain.section(paper),
                                  water.section(paper), dna.section(paper), speed.section(paper), properties.section(paper), THEOREMS]))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failure:
        sys.exit(str(failure))
