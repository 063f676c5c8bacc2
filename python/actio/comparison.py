"""Certificates side by side."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from .extremes import extremes

if TYPE_CHECKING:
    from .certificate import Certificate
    from .trajectory import Trajectory

NO_ENERGY_ERROR = _core.why_no_energy_error()
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

    Attributes:
        labels: of the runs.
        reference: of what errors were measured by: "method", "step", "observations", "moved", "energy_error"; {} without a reference.
    """

    def __init__(self, certificates: Mapping[str, Certificate]) -> None:
        self.reference: dict[str, Any] = {}
        self._words = ""
        self.labels = list(certificates)
        self._rows: dict[str, dict[str, Any]] = {}
        for name, path in _ROWS:
            meant = path[0] != "energy" or {label for label, c in certificates.items() if _stays(c.to_dict())}
            self._add(name, {label: _at(c.to_dict(), path) if meant is True or label in meant else None
                             for label, c in certificates.items()})
            if name.startswith("  at"):  # momenta stand below the energy
                momenta = dict.fromkeys(m for c in certificates.values() for m in c.to_dict().get("momentum") or {})
                for m in momenta:
                    self._add(f"{m}: largest error",
                              {label: _at(c.to_dict(), ("momentum", m, "max_error")) for label, c in certificates.items()})

        if not all(_stays(c.to_dict()) for c in certificates.values()):
            self._words = NO_ENERGY_ERROR

    def measure(self, runs: Mapping[str, Trajectory], reference: str) -> None:
        """Adds the errors of positions and peaks, by a run with another method and step."""
        import numpy as np

        by = _core.Reference(reference)
        problem = next(iter(runs.values())).problem
        if not problem.text:
            raise TypeError("a reference needs a problem file, and a system of functions of Python has none")
        by.run(_core.load_text(problem.text, problem.path, list(problem.overrides), by.method))
        found = {}
        for label, run in runs.items():
            if run.q is None:
                raise ValueError(f"{label}: its positions were not kept, and errors are measured by them")
            found[label] = by.errors_of(np.ascontiguousarray(run.t), np.ascontiguousarray(run.q),
                                        [(name[: -len(".largest")], value) for name, value in extremes(run).items() if name.endswith(".largest")])
        self._add("position error", {label: _finite(largest) for label, (largest, _, _) in found.items()}, always=True)
        self._add("position error at the end", {label: _finite(at_end) for label, (_, at_end, _) in found.items()}, always=True)
        peaks = {label: dict(errors) for label, (_, _, errors) in found.items()}
        for name in next(iter(peaks.values())):
            self._add(f"peak error of {name}", {label: _finite(errors[name]) for label, errors in peaks.items()}, always=True)
        self.reference = {name: getattr(by, name) for name in ("method", "step", "observations", "moved", "energy_error")}
        self._words += ("\n" if self._words else "") + by.words.rstrip("\n")

    def _add(self, name: str, row: dict[str, Any], always: bool = False) -> None:
        if always or any(entry is not None for entry in row.values()):
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
        text = "\n".join(row[0].ljust(widths[0]) + "".join("  " + word.rjust(width) for word, width in zip(row[1:], widths[1:]))
                         for row in cells)
        return text + (f"\n\n{self._words}" if self._words else "")

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        lines = ["<tr>" + "".join(f"<th>{html.escape(word)}</th>" for word in head) + "</tr>"]
        for name, *words in rows:
            lines.append(f'<tr><th style="text-align:left">{html.escape(name.strip())}</th>'
                         + "".join(f"<td>{html.escape(word)}</td>" for word in words) + "</tr>")
        below = "".join(f"<p>{html.escape(line)}</p>" for line in self._words.splitlines())
        return f"<table>{''.join(lines)}</table>{below}"


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


def _finite(x: float) -> float | None:
    return x if x == x else None


def _stays(entries: dict[str, Any]) -> bool:
    return bool((entries.get("energy") or {}).get("expected_to_stay", True))


def compare(runs: Mapping[str, Trajectory], *, reference: str = "") -> Comparison:
    """The certificates of several runs side by side.

    >>> compare({name: pendulum.run(method=name, step=0.1, end=100, position=[2.0]) for name in ("midpoint", "rk4")})

    Args:
        runs: {"label": run}.
        reference: "verlet@1e-4", a method and its step, or a method that chooses its own steps: the problem of the first run is run
            by it, and the table gets the errors of positions and peaks, as ``actio compare --reference`` does.

    Raises:
        InputError: no such method, or a step that does not fit; RunError: the reference did not reach its end.
    """
    table = Comparison({label: run.certificate for label, run in runs.items()})
    if reference:
        table.measure(runs, reference)
    return table
