"""Many runs of one problem with different values, in one table."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from .errors import RunError
from .problem import Problem, load, run_quietly

if TYPE_CHECKING:
    from .trajectory import Trajectory


class Sweep:
    """What :func:`sweep` gives back: one row a run, in the order of the combinations.

    Attributes:
        rows: mappings of the values, then "verdict", "energy_error" (largest |E - E0|), "drift_per_step", "seconds", "broken", "error", "NAME.largest"
            (the value farthest from 0) and "NAME.last" of every observable, or of the coordinates where there are no observables
            and at most 8 of these, and what ``measure`` gave.
        trajectories: the runs, where ``keep`` is true; None in the place of one that is not.
    """

    def __init__(self, rows: list[dict[str, Any]], trajectories: list[Trajectory | None]) -> None:
        self.rows = rows
        self.trajectories = trajectories

    def to_pandas(self) -> Any:
        """A pandas.DataFrame, one line a run."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def _repr_html_(self) -> str:
        return str(self.to_pandas()._repr_html_())

    def __repr__(self) -> str:
        lines = []
        for row in self.rows:
            lines.append("  ".join(f"{name}={value:.6g}" if isinstance(value, float) else f"{name}={value}"
                                   for name, value in row.items() if not (isinstance(value, (str, list)) and not value)))
        return "\n".join(lines)

    def __len__(self) -> int:
        return len(self.rows)


def _extremes(trajectory: Trajectory) -> dict[str, float]:
    """"x.largest" and "x.last", as ``actio sweep`` has them."""
    columns: dict[str, Any] = dict(trajectory.observed)
    if not columns and trajectory.q is not None and len(trajectory.coordinates) <= 8:
        columns = {name: trajectory.q[:, k] for k, name in enumerate(trajectory.coordinates)}
    out: dict[str, float] = {}
    for name, column in columns.items():
        if column.size == 0:
            continue
        flat = column.ravel()
        out[f"{name}.largest"] = float(flat[abs(flat).argmax()])
        if column.ndim == 1:
            out[f"{name}.last"] = float(column[-1])
    return out


def sweep(source: str | os.PathLike[str] | Problem | Any, values: Mapping[str, Sequence[Any]], *,
          measure: Mapping[str, Callable[[Trajectory], Any]] | None = None, overrides: Mapping[str, Any] | None = None,
          jobs: int = 1, keep: bool = False) -> Sweep:
    """Runs all combinations of values.

    >>> table = actio.sweep("kepler.toml", {"method.name": ["verlet", "midpoint"], "run.step": [0.02, 0.01]},
    ...                     measure={"x at the end": lambda run: run["x"][-1]})
    >>> table.to_pandas()

    Args:
        source: as for :func:`actio.load`.
        values: by key, as ``overrides`` of :func:`actio.run`. A method is a name, a class of :mod:`actio.methods`, or a mapping,
            under the key "method".
        measure: columns of the table, as functions of a run that reached its end.
        overrides: for all runs.
        jobs: runs at a time, in threads.
        keep: whether the trajectories are kept.

    A run that does not reach its end is a row with its ``error``.

    Raises:
        InputError: wrong input, before the first run.
    """
    from .problem import method_words

    combinations = [dict(zip(values, row)) for row in itertools.product(*values.values())]
    problems = []
    for combination in combinations:
        words = dict(overrides or {})
        for name, value in combination.items():
            if name == "method":
                words["method"] = method_words(value)
            else:
                words[name] = value
        problems.append(load(source, words))

    def one(combination: Mapping[str, Any], problem: Problem) -> tuple[dict[str, Any], Trajectory | None]:
        row: dict[str, Any] = {name: value if isinstance(value, (int, float, str)) else repr(value) for name, value in combination.items()}
        try:
            trajectory, error = run_quietly(problem), ""
        except RunError as failure:
            assert failure.trajectory is not None
            trajectory, error = failure.trajectory, failure.message
        certificate = trajectory.certificate
        row.update(verdict=certificate.verdict, energy_error=certificate.energy.max_error,
                   drift_per_step=certificate.energy.drift_per_step, seconds=certificate.wall_seconds, broken=list(certificate.broken), error=error)
        row.update(_extremes(trajectory))
        for name, function in (measure or {}).items():
            row[name] = None if error else function(trajectory)
        return row, trajectory if keep else None

    if jobs <= 1:  # in the main thread, which alone gets Ctrl-C
        done = list(map(one, combinations, problems))
    else:
        with ThreadPoolExecutor(jobs) as pool:
            done = list(pool.map(one, combinations, problems))
    return Sweep([row for row, _ in done], [trajectory for _, trajectory in done])
