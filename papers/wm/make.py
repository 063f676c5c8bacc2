#!/usr/bin/env python3
"""Figures and page of WM: make.py ACTIO RESULTS. Exit code 1 when a claim of the page fails. Run times: times.py."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Failed, Paper  # noqa: E402
import body  # noqa: E402
import pendulum  # noqa: E402

INTRODUCTION = """# Wendlandt, Marsden: Mechanical integrators derived from a discrete variational principle

Physica D 106 (1997) 223. Its text did not come down to us, only its abstract and what citing it quotes: the parameters below are
ours, and the sentences are what it is quoted for. `./actio papers wm` runs everything but the run times of the pendulum and
writes this page and its figures anew; it fails when a claim fails. The problems are the `.toml` files beside it.
"""

GAPS = """## What is missing

The paper wants its method for nonholonomic constraints too, as of a body that rolls. Actio has constraints on positions only: the
discrete Lagrange-d'Alembert principle with constraints on velocities is not available, so no rolling body is shown here.
"""


def main(arguments):
    paper = Paper("wm", arguments)
    return paper.write("\n".join([INTRODUCTION, body.section(paper), pendulum.section(paper), GAPS]))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failure:
        sys.exit(str(failure))
