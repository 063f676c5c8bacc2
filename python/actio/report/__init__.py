"""A run as one page: the problem, its certificate in plain words, plots, the ledger and what moves. The page needs no network.

>>> run = actio.run("pendulum.toml")
>>> run.report("pendulum.html")
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .document import page

if TYPE_CHECKING:
    from ..trajectory import Trajectory

__all__ = ["page", "report"]


def report(run: Trajectory, path: str | os.PathLike[str], columns: list[str] | None = None) -> None:
    """Writes the page of a run.

    Args:
        run: what to show.
        path: the .html file; an existing one is replaced.
        columns: what the plots of coordinates show, by the names that ``run[name]`` takes; the coordinates where it is None.

    Raises:
        KeyError: there is no such column. OSError: the file cannot be written.
    """
    text = page(run, columns)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
