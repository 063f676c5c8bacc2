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

    with h5py.File(path) as file:
        if "problem" not in file.attrs or "t" not in file:
            raise InputError(f"{os.fspath(path)} is not a trajectory that Actio wrote")
        attributes = {name: str(value) for name, value in file.attrs.items()}
        coordinates = [name.decode() for name in file["coordinates"]] if "coordinates" in file else []
        arrays: dict[str, Any] = {name: file[name][()] for name in ("t", "energy", "q", "v", "p") if name in file}
        groups: dict[str, dict[str, Any]] = {"momentum": {}, "ledger": {}, "observe": {}}
        for group, columns in groups.items():
            if group in file:
                columns.update({name: data[()] for name, data in file[group].items() if isinstance(data, h5py.Dataset)})
        events: dict[str, tuple[int, dict[str, Any]]] = {}
        for name, group in (file["event"].items() if "event" in file else ()):
            names = [column.decode() for column in group["columns"]]
            events[name] = (int(group.attrs["times"]), {column: group[column.replace("/", "_")][()] for column in names})
        constraints = [name.decode() for name in file["constraints"]] if "constraints" in file else []
        if "multipliers" in file:
            arrays["multipliers"] = file["multipliers"][()]
    if groups["momentum"]:
        arrays["momentum"] = np.column_stack(list(groups["momentum"].values()))
    if groups["ledger"]:
        arrays["ledger"] = np.column_stack([groups["ledger"].get(name, np.zeros_like(arrays["t"])) for name in LEDGER])
    observed = [(name, 1 if column.ndim == 1 else column.shape[1]) for name, column in groups["observe"].items()]
    if observed:
        rows = len(arrays["t"])
        arrays["observed"] = np.column_stack([column.reshape(rows, -1) for column in groups["observe"].values()])
    certificate = json.loads(attributes.get("certificate", '{"verdict": "stopped", "kept": [], "broken": []}'))
    units = [(name[6:], value) for name, value in attributes.items() if name.startswith("units.")]
    problem = StoredProblem(
        title=attributes.get("title", ""), path=attributes.get("problem_path", ""), text=attributes["problem"],
        overrides=attributes.get("overrides", "").splitlines(), method=attributes.get("method", ""), coordinates=coordinates,
        units=units, families=families_of(coordinates))
    result = {
        "arrays": arrays, "coordinates": coordinates, "momentum": list(groups["momentum"]), "multipliers": constraints,
        "probes": [], "observed": observed, "events": events, "certificate": json.dumps(certificate), "interrupted": certificate["verdict"] == "stopped",
        "text": f"  verdict         {certificate['verdict']}: {', '.join(certificate.get('kept', []))}",
    }
    return problem, result
