"""The largest and the last value of what a run observes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .trajectory import Trajectory


def extremes(trajectory: Trajectory) -> dict[str, float]:
    """"x.largest" and "x.last", as ``actio sweep`` has them."""
    columns: dict[str, Any] = dict(trajectory.observed)
    if not columns and trajectory.q is not None and len(trajectory.coordinates) <= 8:
        columns = {name: trajectory.q[:, k] for k, name in enumerate(trajectory.coordinates)}
    out: dict[str, float] = {}
    for name, column in columns.items():
        if column.size == 0:
            continue
        flat = column.ravel()[~(column != column).ravel()]  # without what is not a number
        if flat.size == 0:
            continue
        out[f"{name}.largest"] = float(flat[abs(flat).argmax()])
        if column.ndim == 1:
            out[f"{name}.last"] = float(column[-1])
    return out
