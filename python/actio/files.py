"""Trajectories from HDF5 files."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import ActioError, InputError

if TYPE_CHECKING:
    from .problem import Problem
    from .trajectory import Trajectory

MOST_FACES = 12_000  # of a surface

_MEMBER = re.compile(r"(.*)\[(\d+)\]\Z")


@dataclass
class StoredProblem:
    """What a trajectory file says of its problem: a Problem without what a run needs."""

    title: str
    path: str
    text: str
    overrides: list[str]
    method: str
    coordinates: list[str]
    units: list[tuple[str, str]]
    families: list[tuple[str, int, int]]
    faces: list[list[int]] | None = None  # of its solids, where they are known without its files

    @classmethod
    def of(cls, problem: Problem | StoredProblem) -> StoredProblem:
        """What can be stored of a problem that can be run."""
        if isinstance(problem, StoredProblem):
            return problem
        return cls(problem.title, problem.path, problem.text, list(problem.overrides), problem.method, list(problem.coordinates),
                   list(problem.units), list(problem.families), _core.surface(problem, MOST_FACES))

    def loaded(self) -> Problem:
        """The problem, read again. Raises InputError where files that it names are not there."""
        return _core.load_text(self.text, self.path, self.overrides, "")

    def surface(self) -> list[list[int]]:
        """The outer faces of its solids, see :func:`actio.report.scene.scene_of`; none where its files are not there."""
        if self.faces is None:
            try:
                self.faces = _core.surface(self.loaded(), MOST_FACES)
            except (ActioError, OSError):
                self.faces = []
        return self.faces


def families_of(names: list[str]) -> list[tuple[str, int, int]]:
    """(name, first, count) of each family: "x", "y[0]", "y[1]" are x and y."""
    out: list[tuple[str, int, int]] = []
    for i, name in enumerate(names):
        member = _MEMBER.match(name)
        family = member.group(1) if member else name
        if member and out and out[-1][0] == family and int(member.group(2)) == out[-1][2]:
            out[-1] = (family, out[-1][1], out[-1][2] + 1)
        else:
            out.append((family, i, 1))
    return out


def read_hdf5(path: str | os.PathLike[str]) -> tuple[StoredProblem, dict[str, Any]]:
    """The problem and the arrays of a file, as a run gives them."""
    import h5py
    import numpy as np

    from .trajectory import LEDGER

    name = os.fspath(path)
    if not os.path.exists(name):
        raise InputError(f"there is no file {name!r}")
    if os.path.isdir(name):
        raise InputError(f"{name} is a folder, and no trajectory")
    if not h5py.is_hdf5(name):
        other = " A .csv has columns alone: pandas.read_csv reads it." if name.endswith(".csv") else ""
        raise InputError(f"{name} is no HDF5 file: trajectories are read from what actio run -o x.h5 writes.{other}")
    try:
        with h5py.File(path) as file:
            if "problem" not in file.attrs or not isinstance(file.get("t"), h5py.Dataset):
                raise InputError(f"{name} is not a trajectory that Actio wrote")
            attributes = {key: str(value) for key, value in file.attrs.items()}
            coordinates = _names_in(file, "coordinates")
            arrays: dict[str, Any] = {key: file[key][()] for key in ("t", "energy", "q", "v", "p") if key in file}
            groups = {group: _group_of(file, group) for group in
                      ("momentum", "ledger", "observe", "columns", "reaction", "stress")}
            words = {key: (str(file["observe"][key].attrs.get("definition", "")), str(file["observe"][key].attrs.get("unit", "")))
                     for key in groups["observe"]}
            reductions = _reductions_of(file)
            events: dict[str, tuple[int, str, dict[str, Any]]] = {}
            for event, group in (file["event"].items() if "event" in file else ()):
                events[event] = (int(group.attrs["times"]), str(group.attrs["definition"]),
                                 {column: group[column.replace("/", "_")][()] for column in str(group.attrs["columns"]).split("\n") if column})
            constraints = _names_in(file, "constraints")
            multipliers = file.get("multipliers")
            if isinstance(multipliers, h5py.Dataset):
                arrays["multipliers"] = multipliers[()]
            elif multipliers is not None:
                chosen = _group_of(file, "multipliers")
                constraints, arrays["multipliers"] = list(chosen), np.column_stack(list(chosen.values()))
    except (OSError, RuntimeError, KeyError, AttributeError, TypeError) as error:
        raise InputError(f"{name} cannot be read as a trajectory: {error}") from error
    if groups["momentum"]:
        arrays["momentum"] = np.column_stack(list(groups["momentum"].values()))
    ledger = [key for key in LEDGER if key in groups["ledger"]]
    if ledger:
        arrays["ledger"] = np.column_stack([groups["ledger"][key] for key in ledger])
    observed = [(key, 1 if column.ndim == 1 else column.shape[1], *words[key]) for key, column in groups["observe"].items()]
    if observed:
        rows = len(arrays["t"])
        arrays["observed"] = np.column_stack([column.reshape(rows, -1) for column in groups["observe"].values()])
    certificate = json.loads(attributes.get("certificate", '{"verdict": "stopped", "kept": [], "broken": []}'))
    if reductions:
        certificate.setdefault("observed", reductions)
    units = [(key[6:], value) for key, value in attributes.items() if key.startswith("units.")]
    problem = StoredProblem(
        title=attributes.get("title", ""), path=attributes.get("problem_path", ""), text=attributes["problem"],
        overrides=attributes.get("overrides", "").splitlines(), method=attributes.get("method", ""), coordinates=coordinates,
        units=units, families=families_of(coordinates))
    columns = dict(groups["columns"])
    for group in ("reaction", "stress"):
        columns.update({f"{group}/{key}": column for key, column in groups[group].items()})
    numbers = ("step", "smallest_step", "largest_step")
    result = {
        "arrays": arrays, "coordinates": coordinates, "momentum": list(groups["momentum"]), "multipliers": constraints,
        "probes": [], "observed": observed, "events": events, "ledger": ledger, "columns": columns,
        "certificate": json.dumps(certificate), "interrupted": certificate["verdict"] == "stopped",
        "text": f"  verdict         {certificate['verdict']}: {', '.join(certificate.get('kept', []))}",
        "attributes": [(key, value) for key, value in attributes.items() if key not in (*numbers, "certificate")],
        "smallest_step": float(attributes.get("smallest_step", "nan")), "largest_step": float(attributes.get("largest_step", "nan")),
    }
    return problem, result


def _names_in(file: Any, dataset: str) -> list[str]:
    return [name.decode() for name in file[dataset]] if dataset in file else []


def _group_of(file: Any, group: str) -> dict[str, Any]:
    """The columns of a group."""
    return {name: data[()] for name, data in file[group].items() if hasattr(data, "shape")} if group in file else {}


def _reductions_of(file: Any) -> dict[str, Any]:
    """Reductions of observables, as the certificate of a run in memory has them."""
    out: dict[str, Any] = {}
    for name, of in file["observe"].items() if "observe" in file else ():
        if hasattr(of, "shape"):
            continue
        entry: dict[str, Any] = {key: value if isinstance(value, str) else float(value) for key, value in of.attrs.items()}
        for key in ("elements", "times"):
            entry[key] = int(entry[key])
        for reduction, figures in of.items():
            entry[reduction] = {figure: data[()].tolist() for figure, data in figures.items()}
        out[name] = entry
    return out


def save(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """See :meth:`actio.Trajectory.save`."""
    import numpy as np

    def table(columns: Any) -> Any:
        return np.ascontiguousarray(np.column_stack(list(columns)), float)

    one = trajectory
    arrays: dict[str, Any] = {"t": table([one.t])}
    if one.energy is not None:
        arrays["energy"] = table([one.energy])
    for name in "qvp":
        if getattr(one, name) is not None:
            arrays[name] = np.ascontiguousarray(getattr(one, name), float)
    flat = {"momentum": one.momentum, "multipliers": one.multipliers, "observed": one.observed}
    arrays.update({name: table(columns.values()) for name, columns in flat.items() if columns})
    whole_ledger = len(one.ledger) == 6
    if whole_ledger:
        arrays["ledger"] = table(one.ledger.values())
    in_groups = os.fspath(path).lower().endswith((".h5", ".hdf5"))
    measured = {name if "/" in name or not in_groups else f"columns/{name}": column
                for name, column in {**one.probed, **one.columns}.items()}
    if not whole_ledger:
        measured.update({f"ledger/{name}": column for name, column in one.ledger.items()})
    if measured:
        arrays["measured"] = table(measured.values())
    columns: list[str] = []
    if one.energy is None or any(getattr(one, name) is None for name in "qvp"):  # then the file has what there is
        columns = [before + name + after for array, before, after in (("q", "", ""), ("v", "", "'"), ("p", "p(", ")"))
                   if array in arrays for name in one.coordinates]
        columns += [name for name in ("energy",) if name in arrays]
        columns += [*one.momentum, *(f"lambda({name})" for name in one.multipliers)]
        columns += [f"ledger/{name}" for name in one.ledger if whole_ledger] + [*measured, *one.observed]
        columns = columns or ["t"]
    certificate = one.certificate.to_dict()
    in_columns = one.columns and not one.coordinates
    of = {"coordinates": [] if in_columns else one.coordinates, "momentum": list(one.momentum), "multipliers": list(one.multipliers),
          "measured": list(measured), "columns": columns, "observed": one.observed_words, **one.header}
    extremes = {name: entry for name, entry in (certificate.get("observables") or {}).items() if name in one.observed}
    _core.save(os.fspath(path), of, arrays, json.dumps(certificate), extremes, certificate.get("observed") or {},
               {name: (one.counts[name], one.event_words[name], table) for name, table in one.events.items()})
