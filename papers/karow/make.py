#!/usr/bin/env python3
"""Figures and page of Karow's note: make.py ACTIO RESULTS. Exit code 1 when a claim of the page fails."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import Failed, Paper  # noqa: E402
import bathe  # noqa: E402
import frame  # noqa: E402
import sdof  # noqa: E402

INTRODUCTION = """# Karow: The Newmark method

Michael Karow, note of January 18, 2016. `./actio papers karow` runs everything and writes this page and its figures anew; it
fails when a claim fails. The problems are the `.toml` files beside it, the trajectories are in `build/release/papers/karow`.

For M u'' + D u' + S u = p(t) and Newmark with beta = 1/4, gamma = 1/2 the note proves that in every step, whatever its size,

    E_(j+1) - E_j = (u_(j+1) - u_j) . (p_j + p_(j+1))/2 - (u_(j+1) - u_j) . D (u'_j + u'_(j+1))/2                       (13)
    (E_(j+1) - E_j)/h_j = (u'_j + u'_(j+1))/2 . (p_j + p_(j+1))/2 - (u'_j + u'_(j+1))/2 . D (u'_j + u'_(j+1))/2          (14)

with E = (u' . M u' + u . S u)/2. Here both are computed from the trajectories, in numpy, and beside them stands the ledger that
the run itself keeps. Numbers that are round-off are given as the power of ten above them. We found no error in the note.
"""


def main(arguments):
    paper = Paper("karow", arguments)
    return paper.write("\n".join([INTRODUCTION, sdof.section(paper), bathe.section(paper), frame.section(paper)]))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failure:
        sys.exit(str(failure))
