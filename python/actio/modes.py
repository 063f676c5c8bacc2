"""Modal analysis: the lowest modes of a problem linearised at its start, and its matrices."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from .problem import Problem, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .system import System

    Source = str | os.PathLike[str] | Problem | System


class Modes:
    """The lowest modes of M u'' + V''(q) u = 0 (docs/modes.md). ``print(modes)`` shows a table.

    Attributes:
        omega: angular frequencies (k): 0 of a rigid mode, NaN of one that grows.
        frequency, period: omega / (2 pi), and its inverse (k).
        growth: rates of modes that grow, exp(growth t) (k); 0 of others.
        residual: w^2 is as near to an eigenvalue as this share of it (k); NaN of a rigid mode.
        shapes: (k, n), mass-normalised, the largest entry positive; 0 at coordinates that do not move.
        directions: the d translations that the problem knows: "x", "y", "z" of solids, those of [system.base], or symmetries.
        mass: the moving mass in each direction (d).
        participation, effective_mass: (k, d).
        coordinates: n names.
        rigid, growing: how many of these modes are so.
        not_proved: "", or why it is not known that no lower mode is missing.
        problem: what was linearised.
    """

    def __init__(self, problem: Problem, result: dict[str, Any]) -> None:
        self.problem = problem
        self.omega: NDArray[np.float64] = result["omega"]
        self.frequency: NDArray[np.float64] = result["frequency"]
        self.period: NDArray[np.float64] = result["period"]
        self.growth: NDArray[np.float64] = result["growth"]
        self.residual: NDArray[np.float64] = result["residual"]
        self.shapes: NDArray[np.float64] = result["shapes"]
        self.directions: list[str] = result["directions"]
        self.mass: NDArray[np.float64] = result["mass"]
        self.participation: NDArray[np.float64] = result["participation"]
        self.effective_mass: NDArray[np.float64] = result["effective_mass"]
        self.coordinates: list[str] = result["coordinates"]
        self.rigid: int = result["rigid"]
        self.growing: int = result["growing"]
        self.not_proved: str = result["not_proved"]
        self._text: str = result["text"]

    def __len__(self) -> int:
        return len(self.omega)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def to_pandas(self) -> Any:
        """A pandas.DataFrame, a row a mode. Its index is the number of the mode, 0 of rigid and growing ones."""
        import pandas as pd

        columns: dict[str, Any] = {name: getattr(self, name) for name in ("omega", "frequency", "period", "growth", "residual")}
        for d, name in enumerate(self.directions):
            columns[f"participation {name}"] = self.participation[:, d]
            columns[f"effective mass {name}"] = self.effective_mass[:, d]
        return pd.DataFrame(columns, index=pd.Index(self.numbers(), name="mode"))

    def numbers(self) -> NDArray[np.int64]:
        """Of every mode its number, as system.rayleigh.modes counts them: from 1; 0 of rigid and growing ones."""
        import numpy as np

        return np.maximum(np.arange(len(self)) + 1 - self.rigid - self.growing, 0)

    def _repr_html_(self) -> str:
        lines = self._text.splitlines()
        words = "".join(f"<p>{html.escape(line.strip())}</p>" for line in lines[: len(lines) - len(self) - 2])
        share = self.effective_mass / self.mass if len(self.directions) else self.effective_mass
        head = ["mode", "angular frequency", "frequency", "period"]
        head += [f"{name}: effective mass" for name in self.directions]
        rows = []
        for k, number in enumerate(self.numbers()):
            name = str(number) if number else "rigid" if self.omega[k] == 0 else f"growing, exp({self.growth[k]:.6g} t)"
            cells = [name, *(f"{x[k]:.8g}" for x in (self.omega, self.frequency, self.period))]
            rows.append(cells + [f"{100 * x:.3f} %" for x in share[k]])
        table = ["".join(f"<th>{html.escape(cell)}</th>" for cell in head)]
        table += ["".join(f'<td style="text-align:right">{html.escape(cell)}</td>' for cell in row) for row in rows]
        return f"{words}<table>{''.join(f'<tr>{row}</tr>' for row in table)}</table>"


def _problem(source: Source, overrides: Mapping[str, Any] | None, words: dict[str, Any]) -> Problem:
    """A system has no steps of its own, and modes need none."""
    if not hasattr(source, "problem"):
        if words:
            raise TypeError(f"a file takes overrides, not {', '.join(words)}")
        return load(source, overrides)
    return load(source.problem(**{"method": "midpoint", "step": 1.0, "steps": 1, **words}), overrides)


def modes(source: Source, n: int | None = None, overrides: Mapping[str, Any] | None = None, *, kernels: str = "auto",
          **words: Any) -> Modes:
    """The lowest n modes of a problem, linearised at its start without friction and forces.

    Args:
        source: the path of a problem file, or a System, a Structure, a Problem.
        n: how many; 10, or as many as there are, where it is None.
        overrides: as for :func:`actio.load`.
        kernels: as for :func:`actio.run`.
        **words: of a System, where it is linearised: position, static, ...; ``method`` where it lumps the mass.

    Raises:
        InputError: there are fewer modes, they were not found, or the problem has none: bodies, constraints that join coordinates.
    """
    problem = _problem(source, overrides, words)
    return Modes(problem, _core.modes(problem, n, kernels))


def matrices(source: Source, overrides: Mapping[str, Any] | None = None, *, kernels: str = "auto",
             **words: Any) -> tuple[Any, Any]:
    """(M, K) of the problem linearised at its start, of the coordinates that move, as scipy.sparse.csc_matrix.

    Arguments as for :func:`modes`.

    Raises:
        InputError: as :func:`modes`; ImportError: without scipy.
    """
    M, K, _ = _core.matrices(_problem(source, overrides, words), kernels)
    for matrix in (M, K):
        matrix.eliminate_zeros()
    return M, K
