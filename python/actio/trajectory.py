"""What was observed along a run."""

from __future__ import annotations

import difflib
import json
import os
import re
from typing import TYPE_CHECKING, Any

from . import _core
from .certificate import Certificate
from .files import StoredProblem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .problem import Problem

LEDGER = ("external", "constraints", "heat", "dissipated", "method", "solver")


class Trajectory:
    """A run at its N observations. Arrays are views of the run's memory; n is the number of coordinates.

    Attributes:
        t: times (N).
        q, v, p: positions, velocities and momenta (N, n); None where ``states`` left them out, and of a file with ``run.columns``.
        energy: v . dL/dv - L (N); None where the columns of a file leave it out.
        momentum: momenta of the declared symmetries by name, (N) each.
        ledger: "external", "constraints", "heat", "dissipated", "method", "solver" (N): E - E0 = external + constraints + heat -
            dissipated + solver - method. Empty where no forces act and the method may lose energy.
        multipliers: of constraints by name, (N) each.
        probed: means of the nodes of solids' probes by name, "tip.x", "tip.x'", and sums, "p(tip.x)", (N) each; of a file they are
            the coordinates.
        observed: columns of ``[[observe]]`` by name, (N) or (N, elements).
        events: of ``[[event]]`` and ``events=`` by name: a mapping of columns "t", "x", "x'", ... (times) each; empty of those that
            are only counted, whose numbers are in ``counts``.
        counts: how often each event happened, by name.
        columns: of a file by name, (N) each: coordinates, velocities and momenta that ``run.columns`` chose, means and sums of
            probes that :meth:`save` wrote, reactions and stresses, "reaction/clamp.x".
        coordinates: n names; none of a file with ``run.columns``.
        certificate: what was kept.
        problem: what was run.
        interrupted: the run was ended by Ctrl-C, an observer or ``stop``.

    ``trajectory["theta"]`` is a column or a family of coordinates, ``["theta'"]`` its velocity, ``["p(theta)"]`` its momentum;
    "t", "energy", momenta, multipliers, probes and observables go by their names, the ledger's entries by "ledger/method" and others,
    columns of an event by "section.t", "section.y", ...

    ``trajectory(t)`` is (q, v), (n) each, at a time between observations, or (q, v), (N, n) each, at N of them: by the quintic through
    q, v and x'' of the observations around it, with an error of H^6 q^(6)/46080 where these are H apart; by the cubic, H^4 q''''/384,
    where constraints act. With an observation every step that is the accuracy of the steps themselves, but for methods of high order.
    """

    def __init__(self, problem: Problem | StoredProblem, result: dict[str, Any]) -> None:
        arrays = result["arrays"]
        self.problem = problem
        self.t: NDArray[np.float64] = arrays["t"]
        self.energy: NDArray[np.float64] | None = arrays.get("energy")
        self.q: NDArray[np.float64] | None = arrays.get("q")
        self.v: NDArray[np.float64] | None = arrays.get("v")
        self.p: NDArray[np.float64] | None = arrays.get("p")
        self.coordinates: list[str] = result["coordinates"]
        self.momentum = _columns(result["momentum"], arrays.get("momentum"))
        self.ledger = _columns(result.get("ledger", LEDGER), arrays.get("ledger"))
        self.columns: dict[str, NDArray[np.float64]] = result.get("columns", {})
        self.multipliers = _columns(result["multipliers"], arrays.get("multipliers"))
        self.observed: dict[str, NDArray[np.float64]] = {}
        first = 0
        # name, elements, definition, unit; who makes a result by hand may leave the words out
        self.observed_words: list[tuple[str, int, str, str]] = [(*words, "", "")[:4] for words in result["observed"]]
        for name, elements, _, _ in self.observed_words:
            block = arrays["observed"][:, first : first + elements]
            self.observed[name] = block[:, 0] if elements == 1 else block
            first += elements
        probes: list[str] = result["probes"]
        self.probed = _columns([*probes, *(f"{name}'" for name in probes), *(f"p({name})" for name in probes)], arrays.get("probes"))
        self.events: dict[str, dict[str, NDArray[np.float64]]] = {name: table for name, (_, _, table) in result.get("events", {}).items()}
        self.counts: dict[str, int] = {name: times for name, (times, _, _) in result.get("events", {}).items()}
        self.event_words: dict[str, str] = {name: words for name, (_, words, _) in result.get("events", {}).items()}
        self.certificate = Certificate(json.loads(result["certificate"]), result["text"])
        self.interrupted: bool = result["interrupted"]
        self.header: dict[str, Any] = {"attributes": [], "smallest_step": 0.0, "largest_step": 0.0}
        self.header.update((name, result[name]) for name in self.header if name in result)
        self._names = self._make_names()

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Trajectory:
        """A trajectory of an HDF5 file that ``actio run -o`` or ``output`` wrote, with its problem.

        Raises:
            InputError: the file is not one of these, or is damaged. ImportError: h5py is not installed.
        """
        from .files import read_hdf5

        return cls(*read_hdf5(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the run to a file, as ``actio run -o`` does: ``.h5``, which :meth:`read`, ``actio plot`` and ``actio report`` take, or
        ``.csv``. Without q, v or p (``states``) the file has the columns that there are, as with ``run.columns``.

        Raises:
            InputError: another extension, or the file cannot be made. RunError: it cannot be written.
        """
        from .files import save

        save(self, path)

    def _make_names(self) -> dict[str, tuple[str, Any]]:
        """Of every column: the array and where in it."""
        places: dict[str, Any] = {name: i for i, name in enumerate(self.coordinates)}
        for name, first, count in self.problem.families:
            places.setdefault(name, slice(first, first + count))
        out: dict[str, tuple[str, Any]] = {}
        for name, place in places.items():
            out[name] = ("q", place)
            out[name + "'"] = ("v", place)
            out[f"p({name})"] = ("p", place)
        return out

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name == "t":
            return self.t
        if name == "energy" and self.energy is not None:
            return self.energy
        for columns in (self.observed, self.momentum, self.multipliers, self.probed, self.columns):
            if name in columns:
                return columns[name]
        if name.startswith("ledger/") and name[7:] in self.ledger:
            return self.ledger[name[7:]]
        event, _, column = name.partition(".")
        if column in self.events.get(event, {}):
            return self.events[event][column]
        if name in self._names:
            array, place = self._names[name]
            table = getattr(self, array)
            if table is None:
                raise KeyError(f"{name!r} was not kept: run with states={array!r} in it")
            return table[:, place]
        known = self.keys()
        family = [column for key, column in self.columns.items() if "[" in key and re.sub(r"\[\d+\]", "", key, count=1) == name]
        if family:
            import numpy as np

            return np.column_stack(family)
        if self.energy is None or self.columns:
            raise KeyError(f"there is no {name!r}: the file has only columns that were chosen (run.columns), {', '.join(known[:12])}")
        rate = name.removesuffix("_dot") + "'"
        near = [rate] if rate in known and name.endswith("_dot") else difflib.get_close_matches(name, known, 1)
        raise KeyError(f"there is no {name!r}; " + (f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known[:12])}"))

    def keys(self) -> list[str]:
        """The names that ``trajectory[name]`` takes."""
        states = [name for name, (array, _) in self._names.items() if getattr(self, array) is not None]
        ledger = [f"ledger/{name}" for name in self.ledger]
        events = [f"{name}.{column}" for name, table in self.events.items() for column in table]
        energy = ["energy"] if self.energy is not None else []
        return ["t", *energy, *self.momentum, *ledger, *self.multipliers, *self.probed, *self.columns, *self.observed, *states,
                *events]

    def __call__(self, t: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(q, v) at times between observations, see above.

        Raises:
            ValueError: a time is before the first observation or after the last one. KeyError: q or v were not kept.
        """
        import numpy as np

        if self.q is None or self.v is None:
            name = "q" if self.q is None else "v"
            raise KeyError(f"{name!r} was not kept: run with states={name!r} in it")
        times = np.atleast_1d(np.asarray(t, float))
        if not ((times >= self.t[0]) & (times <= self.t[-1])).all():
            raise ValueError(f"t leaves the observations, {self.t[0]:g} to {self.t[-1]:g}")
        problem = self.problem.loaded() if isinstance(self.problem, StoredProblem) else self.problem
        table = _core.states_at(problem, "auto", self.t, self.q, self.v, times.ravel())
        n = len(self.coordinates)
        shape = (*np.shape(t), n)
        return table[:, :n].reshape(shape), table[:, n:].reshape(shape)

    def __copy__(self) -> Trajectory:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the arrays, and of the problem what a trajectory file says of it."""
        return {**self.__dict__, "problem": StoredProblem.of(self.problem)}

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} to {self.t[-1]:g}" if len(self) else "empty"
        what = f"{len(self.coordinates)} coordinates" if self.coordinates else f"{len(self.keys()) - 1} chosen columns"
        return (f"<Trajectory {self.problem.title!r}: {len(self)} observations, {span}, {what}, "
                f"{self.problem.method}, {self.certificate.verdict}>")

    def _repr_html_(self) -> str:
        import html

        return f"<p>{html.escape(repr(self)[1:-1])}</p>{self.certificate._repr_html_()}"

    def _units(self, name: str) -> str:
        return dict(self.problem.units).get(name, "")

    def to_pandas(self) -> Any:
        """A pandas.DataFrame over t, with the columns of a CSV trajectory: coordinates, velocities, momenta, energy, ..."""
        import pandas as pd

        columns: dict[str, Any] = {}
        for name, i in ((name, i) for i, name in enumerate(self.coordinates)):
            for array, label in (("q", name), ("v", name + "'"), ("p", f"p({name})")):
                if getattr(self, array) is not None:
                    columns[label] = getattr(self, array)[:, i]
        columns.update(self.columns)
        if self.energy is not None:
            columns["energy"] = self.energy
        columns.update(self.momentum)
        columns.update({f"ledger/{name}": column for name, column in self.ledger.items()})
        columns.update(self.multipliers)
        columns.update(self.probed)
        columns.update({name: column for name, column in self.observed.items() if column.ndim == 1})
        return pd.DataFrame(columns, index=pd.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """An xarray.Dataset over t and coordinate, with units where the problem names them, and the certificate's verdict."""
        import xarray as xr

        data: dict[str, Any] = {name: (("t", "coordinate"), getattr(self, name)) for name in "qvp" if getattr(self, name) is not None}
        if self.energy is not None:
            data["energy"] = ("t", self.energy, {"units": self._units("energy")})
        for group in (self.momentum, self.multipliers, self.probed, self.columns):
            data.update({name: ("t", column) for name, column in group.items()})
        data.update({f"ledger/{name}": ("t", column) for name, column in self.ledger.items()})
        for name, column in self.observed.items():
            data[name] = ("t", column) if column.ndim == 1 else (("t", f"{name} element"), column)
        attributes = {"title": self.problem.title, "method": self.problem.method, "verdict": self.certificate.verdict}
        return xr.Dataset(data, coords={"t": ("t", self.t, {"units": self._units("time")}), "coordinate": self.coordinates},
                          attrs=attributes)

    def plot(self, *what: str, **options: Any) -> Any:
        """Draws columns over t; see :func:`actio.plotting.plot`."""
        from .plotting import plot

        return plot(self, *what, **options)

    def report(self, path: str | os.PathLike[str], columns: list[str] | None = None) -> None:
        """Writes the run as one HTML page; see :func:`actio.report.report`."""
        from .report import report

        report(self, path, columns)


def _columns(names: Any, table: Any) -> dict[str, Any]:
    return {} if table is None else {name: table[:, i] for i, name in enumerate(names)}
