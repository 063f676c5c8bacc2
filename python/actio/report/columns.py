"""The columns that a page draws: which, and stored how."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..trajectory import Trajectory

GROUPS = ("energy", "momentum", "ledger", "multipliers", "observed", "coordinates")
MOST_VALUES = 1_200_000  # of all columns together: 4 bytes each, 5.3 in base64
MOST_COORDINATES = 60
MOST_LINES = 24  # of each of the other groups
MOST_SAMPLES = 4000  # rows of a thinned column that stand for themselves, for planes


@dataclass
class Column:
    """A line of a plot.

    Attributes:
        name: as ``trajectory[name]`` takes it.
        group: the plot it belongs to: "energy", "momentum", "ledger", "multipliers", "observed", "coordinates".
        values: (N).
        unit: as text; "" where the problem names none.
    """

    name: str
    group: str
    values: NDArray[np.float64]
    unit: str = ""


def columns_of(run: Trajectory, wanted: list[str] | None = None) -> tuple[list[Column], list[str]]:
    """The columns of a page, and sentences that say what was left out.

    Args:
        wanted: names of coordinates, velocities or momenta that the page shall have; where it is None, the coordinates.
    """
    energy = dict(run.problem.units).get("energy", "")
    out = [] if run.energy is None else [Column("E - E0", "energy", run.energy - run.energy[:1], energy)]
    notes: list[str] = []
    out += [Column(name, "momentum", values - values[:1]) for name, values in _first(run.momentum, "momenta", notes)]
    ledger = {name: values for name, values in run.ledger.items() if abs(values).max(initial=0) > 0}
    out += [Column(name, "ledger", values, energy) for name, values in ledger.items()]
    out += [Column(name, "multipliers", values) for name, values in _first(run.multipliers, "multipliers", notes)]
    out += [Column(name, "observed", values) for name, values in _first(_elements(run.observed), "observables", notes)]
    if wanted is not None:
        out += [Column(name, "coordinates", values) for name, values in _elements({name: run[name] for name in wanted}).items()]
        return out, notes
    if run.q is None:
        out += [Column(name, "coordinates", values) for name, values in _first(run.columns, "columns", notes)]
        if run.columns:
            notes.append("The file has only the columns that run.columns chose: nothing that moves is drawn.")
        return out, notes
    count = len(run.coordinates)
    for i in _spread(count, MOST_COORDINATES):
        out.append(Column(run.coordinates[i], "coordinates", run.q[:, i]))
    if count > MOST_COORDINATES:
        notes.append(f"The plots have {MOST_COORDINATES} of the {count} coordinates, spread evenly; "
                     "actio report --column NAME chooses others.")
    if run.v is not None and count <= MOST_COORDINATES // 4:
        out += [Column(name + "'", "coordinates", run.v[:, i]) for i, name in enumerate(run.coordinates)]
    return out, notes


def stored(t: NDArray[np.float64], columns: list[Column]) -> tuple[dict[str, Any], list[str]]:
    """The columns as a page has them: base64 of single precision, thinned where they are too long.

    Of a thinned column each piece of equally many rows is its least and its largest value, in the order in which they
    come, so that no peak is lost. Every ``stride``-th row is stored besides, as it is, for planes.
    """
    import numpy as np

    rows, notes = len(t), []
    most = max(2000, MOST_VALUES // max(1, len(columns)))
    size = 1 if rows <= most else -(-2 * rows // most)
    out: dict[str, Any] = {"rows": rows, "piece": size}
    if size > 1:
        starts = np.arange(0, rows, size)
        ends = np.minimum(starts + size, rows) - 1
        out["t"] = encoded(np.stack([t[starts], t[ends]], axis=1).ravel())
        stride = -(-rows // MOST_SAMPLES)
        out["sample_t"] = encoded(t[::stride])
        notes.append(f"Data are thinned: of every {size} observations the plots have the least and the largest value of each line "
                     f"(planes have every {stride}th observation).")
    else:
        out["t"] = encoded(t)
    out["columns"] = []
    for column in columns:
        entry: dict[str, Any] = {"name": column.name, "group": column.group, "unit": column.unit}
        entry["values"] = encoded(_single(column.values if size == 1 else _extremes(column.values, size)))
        if size > 1:
            entry["sample"] = encoded(_single(column.values[::stride]))
        out["columns"].append(entry)
    return out, notes


def encoded(values: Any) -> str:
    """Little-endian bytes in base64; the type stays."""
    return base64.b64encode(values.astype(values.dtype.newbyteorder("<")).tobytes()).decode()


def _single(values: Any) -> Any:
    import numpy as np

    return np.clip(values, -3e38, 3e38).astype(np.float32)


def _extremes(values: Any, size: int) -> Any:
    import numpy as np

    missing = -len(values) % size
    pieces = np.concatenate([values, np.full(missing, values[-1])]).reshape(-1, size)
    finite = np.where(np.isfinite(pieces), pieces, np.nan)
    finite[np.isnan(finite).all(axis=1)] = 0
    first, last = np.nanargmin(finite, axis=1), np.nanargmax(finite, axis=1)
    row = np.arange(len(pieces))
    return np.stack([pieces[row, np.minimum(first, last)], pieces[row, np.maximum(first, last)]], axis=1).ravel()


def _first(columns: dict[str, Any], what: str, notes: list[str]) -> list[tuple[str, Any]]:
    if len(columns) > MOST_LINES:
        notes.append(f"The plots have {MOST_LINES} of the {len(columns)} {what}, spread evenly.")
    entries = list(columns.items())
    return [entries[i] for i in _spread(len(entries), MOST_LINES)]


def _elements(columns: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, values in columns.items():
        if values.ndim == 1:
            out[name] = values
        else:
            out.update({f"{name}[{i}]": values[:, i] for i in _spread(values.shape[1], MOST_LINES)})
    return out


def _spread(count: int, most: int) -> list[int]:
    """At most ``most`` of 0 .. count - 1, evenly, the first and the last among them."""
    return list(range(count)) if count <= most else [round(i * (count - 1) / (most - 1)) for i in range(most)]
