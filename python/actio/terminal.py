"""Pictures of runs in letters, for a terminal without a display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .plotting import lines_of, panels

if TYPE_CHECKING:
    from .trajectory import Trajectory

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of a Braille letter, by row and column
_HEIGHT = 8  # letters


def picture(runs: dict[str, Trajectory], wanted: list[str], width: int = 80) -> str:
    """Panels one above the other, as letters of 2 x 4 dots. Raises KeyError where there is no such column."""
    first = next(iter(runs.values()))
    out = [first.problem.title] if first.problem.title else []
    for name in wanted or panels(first):
        if ":" in name:
            across, up = (part.strip() for part in name.split(":", 1))
            curves = [(run[across], run[up]) for run in runs.values()]
            label = f"{up} over {across}"
        else:
            drawn = [(run.t, column) for run in runs.values() for column in lines_of(run, name)[0].values()]
            curves, label = drawn, lines_of(first, name)[1]
        out += ["", label, *_panel(curves, max(20, width - 12))]
    return "\n".join(out)


def _panel(curves: list[tuple[Any, Any]], width: int) -> list[str]:
    import numpy as np

    xs, ys = np.concatenate([x for x, _ in curves]), np.concatenate([y for _, y in curves])
    finite = np.isfinite(xs) & np.isfinite(ys)
    if not finite.any():
        return ["(no number is finite)"]
    x0, x1, y0, y1 = xs[finite].min(), xs[finite].max(), ys[finite].min(), ys[finite].max()
    cells = np.zeros((_HEIGHT, width), int)
    for x, y in curves:
        # Points along the lines between observations, closer than dots.
        along = np.linspace(0, len(x) - 1, max(len(x), 8 * width))
        px, py = np.interp(along, np.arange(len(x)), x), np.interp(along, np.arange(len(y)), y)
        good = np.isfinite(px) & np.isfinite(py)
        column = np.round((px[good] - x0) / (x1 - x0 or 1) * (2 * width - 1)).astype(int)
        row = np.round((y1 - py[good]) / (y1 - y0 or 1) * (4 * _HEIGHT - 1)).astype(int)
        bits = np.array(_DOTS)[row % 4, column % 2]
        np.bitwise_or.at(cells, (row // 4, column // 2), bits)
    rows = ["".join(chr(0x2800 + cell) for cell in line) for line in cells]
    labels = [""] * _HEIGHT
    labels[0], labels[-1] = f"{y1:.3g}", f"{y0:.3g}"
    left, right = f"{x0:.4g}", f"{x1:.4g}"
    return [f"{label:>10} {row}" for label, row in zip(labels, rows)] + [f"{'':11}{left}{right:>{width - len(left)}}"]
