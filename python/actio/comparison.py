"""Certificates side by side."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .certificate import Certificate
    from .trajectory import Trajectory

_ROWS = (
    ("verdict", ("verdict",)),
    ("energy: largest error", ("energy", "max_error")),
    ("energy: drift a step", ("energy", "drift_per_step")),
    ("  at 95 %, +-", ("energy", "drift_confidence")),
    ("loss by the method", ("ledger", "method")),
    ("symplecticity: defect", ("symplecticity", "defect")),
    ("reversibility: defect", ("reversibility", "defect")),
    ("steps", ("steps",)),
    ("seconds", ("wall_seconds",)),
)


class Comparison(Mapping[str, Any]):
    """A table of certificates: ``table["energy: largest error"]["rk4"]`` is a number, None where nothing was measured.

    ``print(table)`` shows it, and a notebook shows it as a table.
    """

    def __init__(self, certificates: Mapping[str, Certificate]) -> None:
        self.labels = list(certificates)
        self._rows: dict[str, dict[str, Any]] = {}
        for name, path in _ROWS:
            self._add(name, {label: _at(c.to_dict(), path) for label, c in certificates.items()})
            if name.startswith("  at"):  # momenta stand below the energy
                momenta = dict.fromkeys(m for c in certificates.values() for m in c.to_dict().get("momentum") or {})
                for m in momenta:
                    self._add(f"{m}: largest error",
                              {label: _at(c.to_dict(), ("momentum", m, "max_error")) for label, c in certificates.items()})

    def _add(self, name: str, row: dict[str, Any]) -> None:
        if any(entry is not None for entry in row.values()):
            self._rows[name] = row

    def __getitem__(self, name: str) -> dict[str, Any]:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def _cells(self) -> list[list[str]]:
        out = [["", *self.labels]]
        return out + [[name, *(_word(name, row[label]) for label in self.labels)] for name, row in self._rows.items()]

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
        return "\n".join(row[0].ljust(widths[0]) + "".join("  " + word.rjust(width) for word, width in zip(row[1:], widths[1:]))
                         for row in cells)

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        lines = ["<tr>" + "".join(f"<th>{html.escape(word)}</th>" for word in head) + "</tr>"]
        for name, *words in rows:
            lines.append(f'<tr><th style="text-align:left">{html.escape(name.strip())}</th>'
                         + "".join(f"<td>{html.escape(word)}</td>" for word in words) + "</tr>")
        return f"<table>{''.join(lines)}</table>"


def _at(entries: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(entries, dict):
            return None
        entries = entries.get(name)
    return entries


def _word(name: str, x: Any) -> str:
    if x is None:
        return "-"
    if isinstance(x, str):
        return x.replace("_", " ")
    return str(x) if isinstance(x, int) else f"{x:.3g}" if name == "seconds" else f"{x:.1e}"


def compare(runs: Mapping[str, Trajectory]) -> Comparison:
    """The certificates of several runs side by side.

    >>> compare({name: pendulum.run(method=name, step=0.1, end=100, position=[2.0]) for name in ("midpoint", "rk4")})

    Args:
        runs: {"label": run}.
    """
    return Comparison({label: run.certificate for label, run in runs.items()})
