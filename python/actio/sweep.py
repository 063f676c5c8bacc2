"""Many runs of one problem with different values, in one table."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import RunError
from .extremes import extremes
from .problem import Problem, load, run_quietly

if TYPE_CHECKING:
    from .trajectory import Trajectory


class Sweep:
    """What :func:`sweep` gives back: one row a run, in the order of the combinations.

    Attributes:
        rows: mappings of the values, then "verdict", "energy_error" (largest |E - E0|), "drift_per_step", "seconds", "broken", "error",
            "NAME.largest" (the value farthest from 0) and "NAME.last" of every observable, or of the coordinates where there are no
            observables and at most 8 of these, and what ``measure`` gave. "energy_error" and "drift_per_step" are NaN where forces act,
            constraints move or the Lagrangian depends on time: the energy then changes by itself.
        trajectories: the runs, where ``keep`` is true; None in the place of one that is not.
    """

    def __init__(self, rows: list[dict[str, Any]], trajectories: list[Trajectory | None]) -> None:
        self.rows = rows
        self.trajectories = trajectories

    def to_pandas(self) -> Any:
        """A pandas.DataFrame, one line a run."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def plot(self, y: str | None = None, x: str | None = None, *, log: bool | None = None, ax: Any = None) -> Any:
        """One column over the values of a key, a line for each combination of the others.

        Args:
            y: a column: "energy_error", "seconds", "roof.largest", what ``measure`` gave; the energy error where it is None, and where
                no run has one the first observable.
            x: the key; the first that has several numbers.
            log: both axes in powers of ten; where all numbers are positive and x spans more than a factor of 3.
            ax: matplotlib axes to draw in.

        Returns:
            The matplotlib figure. Raises KeyError where there is no such column, ValueError where no key has numbers.
        """
        import matplotlib.pyplot as plt

        names = list(self.rows[0]) if self.rows else []
        keys = names[: names.index("verdict")] if names else []
        numbers = [k for k in keys if all(isinstance(row[k], (int, float)) for row in self.rows) and len({row[k] for row in self.rows}) > 1]
        if x is None:
            if not numbers:
                raise ValueError("no key of this sweep has several numbers to draw over")
            x = numbers[0]
        if y is None:
            with_numbers = [n for n in names[len(keys):] if any(isinstance(row.get(n), float) and row[n] == row[n] for row in self.rows)]
            measured = [n for n in with_numbers if n not in ("drift_per_step", "seconds")]
            if not measured:
                raise ValueError("no run of this sweep has a number to draw")
            y = "energy_error" if "energy_error" in measured else measured[0]
        for name in (x, y):
            if not any(name in row for row in self.rows):
                raise KeyError(f"there is no column {name!r}; there are {', '.join(names)}")
        lines: dict[tuple[Any, ...], list[tuple[float, float]]] = {}
        others = [k for k in keys if k != x]
        for row in self.rows:
            if isinstance(row.get(y), (int, float)) and row[y] == row[y] and not row["error"]:
                lines.setdefault(tuple(row[k] for k in others), []).append((row[x], row[y]))
        every = [pair for line in lines.values() for pair in line]
        if log is None:
            log = bool(every) and min(min(pair) for pair in every) > 0 and max(a for a, _ in every) >= 3 * min(a for a, _ in every)
        axes = ax or plt.figure(figsize=(6, 4), layout="constrained").add_subplot()
        for values, line in lines.items():
            label = ", ".join(str(v) if k == "method.name" else f"{k.split('.')[-1]} = {v}" for k, v in zip(others, values))
            axes.plot(*zip(*sorted(line)), marker="o", ms=4, label=label or None)
        if log:
            axes.set(xscale="log", yscale="log")
        axes.set(xlabel=x, ylabel=y)
        if any(others):
            axes.legend(frameon=False)
        return axes.figure

    def _repr_html_(self) -> str:
        return str(self.to_pandas()._repr_html_())

    def __repr__(self) -> str:
        lines = []
        for row in self.rows:
            lines.append("  ".join(f"{name}={value:.6g}" if isinstance(value, float) else f"{name}={value}"
                                   for name, value in row.items() if not (isinstance(value, (str, list)) and not value)))
        if any(row["energy_error"] != row["energy_error"] for row in self.rows if "energy_error" in row):
            lines.append(_core.why_no_energy_error())
        return "\n".join(lines)

    def __len__(self) -> int:
        return len(self.rows)


def sweep(source: str | os.PathLike[str] | Problem | Any, values: Mapping[str, Sequence[Any]] | None = None, *,
          measure: Mapping[str, Callable[[Trajectory], Any]] | None = None, overrides: Mapping[str, Any] | None = None,
          jobs: int = 1, keep: bool = False, **words: Any) -> Sweep:
    """Runs all combinations of values.

    >>> table = actio.sweep("kepler.toml", {"method.name": ["verlet", "midpoint"], "run.step": [0.02, 0.01]},
    ...                     measure={"x at the end": lambda run: run["x"][-1]})
    >>> table.to_pandas()

    Args:
        source: as for :func:`actio.load`.
        values: by key, as ``overrides`` of :func:`actio.run`; a name without a dot is a parameter of the system. A method is a name, a
            class of :mod:`actio.methods`, or a mapping, under the key "method".
        measure: columns of the table, as functions of a run that reached its end.
        overrides: for all runs.
        jobs: runs at a time, in threads.
        keep: whether the trajectories are kept.
        **words: lists of values of parameters, ``k=[1, 2, 3]``; of a System also keywords of :meth:`System.run`, which hold for all
            runs: ``method``, ``step``, ``end``, ``position``.

    A run that does not reach its end is a row with its ``error``.

    Raises:
        InputError: wrong input, before the first run.
    """
    from .problem import method_words
    from .system import System, keywords_of_run

    of_run = {name: words.pop(name) for name in keywords_of_run() if name in words}
    if isinstance(source, System):
        source = source.problem(**of_run)
    elif of_run:
        name = next(iter(of_run))
        raise TypeError(f"{name!r} is a keyword for a System, and this is a problem: overrides={{...}} changes its keys")
    for name, given in words.items():
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise TypeError(f"{name} = {given!r} must be a list of values to sweep over")
    swept = {**(values or {}), **words}
    if not swept:
        raise TypeError("no values to sweep over: sweep(source, {\"run.step\": [0.1, 0.05]}), or k=[1, 2] for a parameter k")
    combinations = [dict(zip(swept, row)) for row in itertools.product(*(list(column) for column in swept.values()))]
    problems = []
    for combination in combinations:
        changes = dict(overrides or {})
        for name, value in combination.items():
            if name == "method":
                changes["method"] = method_words(value)
            else:
                changes[name if "." in name else f"system.parameters.{name}"] = value
        problems.append(load(source, changes))

    def one(combination: Mapping[str, Any], problem: Problem) -> tuple[dict[str, Any], Trajectory | None]:
        row: dict[str, Any] = {name: value if isinstance(value, (int, float, str)) else repr(value) for name, value in combination.items()}
        try:
            trajectory, error = run_quietly(problem), ""
        except RunError as failure:
            assert failure.trajectory is not None
            trajectory, error = failure.trajectory, failure.message
        certificate = trajectory.certificate
        stays = certificate.energy.expected_to_stay
        row.update(verdict=certificate.verdict, energy_error=certificate.energy.max_error if stays else float("nan"),
                   drift_per_step=certificate.energy.drift_per_step if stays else float("nan"), seconds=certificate.wall_seconds, broken=list(certificate.broken), error=error)
        row.update(extremes(trajectory))
        for name, function in (measure or {}).items():
            row[name] = None if error else function(trajectory)
        return row, trajectory if keep else None

    if jobs <= 1:  # in the main thread, which alone gets Ctrl-C
        done = list(map(one, combinations, problems))
    else:
        with ThreadPoolExecutor(jobs) as pool:
            done = list(pool.map(one, combinations, problems))
    return Sweep([row for row, _ in done], [trajectory for _, trajectory in done])
