"""Pictures of runs, by matplotlib, in the style of the papers' pages."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .trajectory import Trajectory

BLUE, RED, GREEN, GREY = "#1f4e8c", "#b3361f", "#2d7d46", "#6b7280"
COLOURS = [BLUE, RED, GREEN, "#8a5a00", "#6b3fa0", "#00788c", "#a8326e", "#4b5320"]
STYLE = {
    "figure.dpi": 110, "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#d8dce2", "grid.linewidth": 0.6, "axes.edgecolor": GREY, "axes.linewidth": 0.8, "lines.linewidth": 1.1,
    "legend.frameon": False, "svg.hashsalt": "actio",
}
MOST_LINES = 8
MOST_POINTS = 20000  # of a line: more are thinned to the extremes of short pieces


def panels(trajectory: Trajectory) -> list[str]:
    """What is drawn without a word: energy error, momenta, the ledger and coordinates, as far as there are any."""
    out = ["energy"] if trajectory.energy is not None else []
    if trajectory.momentum:
        out.append("momentum")
    if trajectory.ledger:
        out.append("ledger")
    if trajectory.q is not None or trajectory.columns:
        out.append("coordinates")
    return out or list(trajectory.observed)


def plot(trajectory: Trajectory | dict[str, Trajectory], *what: str, title: str | None = None, axes: Any = None) -> Any:
    """Draws panels one above the other, over t.

    Args:
        trajectory: a run, or {"label": run} of several, laid over one another.
        *what: "energy" (E - E0), "momentum" (J - J0 of all), "ledger", "coordinates", any name that ``trajectory[name]`` takes,
            several of them "x, y" in one panel, or a plane "x : y", the first across and the second up. The name of an event is the
            plane of the first two columns of its table, a section: "section", or "section.y : section.y'". Without any: what there is.
        title: of the figure; that of the problem where it is None.
        axes: matplotlib axes, as many as panels, to draw on; a new figure where it is None.

    Returns:
        The matplotlib figure.

    Raises:
        KeyError: there is no such column. ImportError: matplotlib is not installed.
    """
    import matplotlib.pyplot as plt

    plt.draw_if_interactive()  # loads the backend: that of notebooks sets rcParams then, which the context below would undo
    runs = trajectory if isinstance(trajectory, dict) else {"": trajectory}
    first = next(iter(runs.values()))
    wanted: Sequence[str] = what or panels(first)
    style: Any = {**STYLE, "axes.prop_cycle": plt.cycler(color=COLOURS)}
    with plt.rc_context(style):
        if axes is None:
            figure, made = plt.subplots(len(wanted), 1, figsize=(6.4, 0.6 + 1.9 * len(wanted)), squeeze=False,
                                        layout="constrained")
            axes = made[:, 0]
        else:
            axes = list(axes) if hasattr(axes, "__iter__") else [axes]
            figure = axes[0].figure
        for axis, name in zip(axes, wanted):
            _panel(axis, runs, name)
        _share_time([axis for axis, name in zip(axes, wanted) if ":" not in name and name not in first.events])
        figure.suptitle(title if title is not None else first.problem.title, fontsize=10)
    return figure


def _share_time(axes: list[Any]) -> None:
    for axis in axes[:-1]:
        axis.sharex(axes[-1])
        axis.tick_params(labelbottom=False)
        axis.set_xlabel("")


def _unit(trajectory: Trajectory, name: str) -> str:
    unit = dict(trajectory.problem.units).get(name, "")
    return f" [{unit}]" if unit else ""


def _panel(axis: Any, runs: dict[str, Trajectory], name: str) -> None:
    for label, run in runs.items():
        if name in run.events and ":" not in name:
            if not run.events[name]:
                raise KeyError(f"the event {name!r} was only counted, and has no table")
            name = " : ".join(f"{name}.{column}" for column in [*[c for c in run.events[name] if c != "t"], "t"][:2])
        if ":" in name:
            across, up = (part.strip() for part in name.split(":", 1))
            points = across.split(".")[0] in run.events
            axis.plot(run[across], run[up], "." if points else "-", markersize=2, label=label or None, rasterized=points)
            axis.set_xlabel(across)
            axis.set_ylabel(up)
            if "'" not in name and "(" not in name:
                axis.set_aspect("equal", "datalim")
            continue
        lines, ylabel = lines_of(run, name)
        for line, column in list(lines.items())[:MOST_LINES]:
            words = " ".join(word for word in (label, line if len(lines) > 1 else "") if word)
            axis.plot(*_thinned(run.t, column), label=words or None)
        if len(lines) > MOST_LINES:
            axis.annotate(f"{MOST_LINES} of {len(lines)}", (1, 1), xycoords="axes fraction", ha="right", va="top", color=GREY)
        axis.set_ylabel(textwrap.fill(ylabel, 24))
        axis.set_xlabel("t" + _unit(run, "time"))
    handles, labels = axis.get_legend_handles_labels()
    if len(labels) > 3 or len(runs) > 1:  # above the panel, where no line is
        columns = max(1, 100 // (8 + max(map(len, labels))))
        axis.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=min(5, columns), fontsize="small", borderaxespad=0)
    elif labels:
        axis.legend(loc="best", ncols=len(labels))


def lines_of(run: Trajectory, name: str) -> tuple[dict[str, Any], str]:
    """The lines of a panel by name, (N) each, and what stands at its axis. Raises KeyError."""
    lines: dict[str, Any]
    if name == "energy":
        energy = run["energy"]  # KeyError where the columns of a file leave it out
        return {"energy": energy - energy[0]}, "E - E0" + _unit(run, "energy")
    if name == "momentum":
        lines = {key: column - column[0] for key, column in run.momentum.items()}
        return lines, "J - J0" if len(lines) != 1 else f"{next(iter(lines))} - initial"
    if name == "ledger":
        return {key: column for key, column in run.ledger.items() if abs(column).max() > 0}, "energy" + _unit(run, "energy")
    if name == "coordinates":
        if run.q is None:
            if not run.columns:
                raise KeyError("the positions were not kept: run with states=\"q\" in it")
            return dict(run.columns), "columns"
        return {key: run.q[:, i] for i, key in enumerate(run.coordinates)}, "q"
    lines = {}
    for part in (part.strip() for part in name.split(",")):
        column = run[part]
        if column.ndim == 1:
            lines[part] = column
        else:
            lines.update({f"{part}[{i}]": column[:, i] for i in range(column.shape[1])})
    return lines, name


def _thinned(t: Any, x: Any) -> tuple[Any, Any]:
    """Of a long line the least and the largest value of each short piece, so that no peak is lost."""
    import numpy as np

    if len(t) <= MOST_POINTS:
        return t, x
    size = -(-len(t) // (MOST_POINTS // 2))
    whole = len(t) // size * size
    pieces = x[:whole].reshape(-1, size)
    start = np.arange(0, whole, size)
    low, high = start + np.nanargmin(pieces, axis=1), start + np.nanargmax(pieces, axis=1)
    keep = np.unique(np.concatenate([low, high, np.arange(whole, len(t))]))
    return t[keep], x[keep]
