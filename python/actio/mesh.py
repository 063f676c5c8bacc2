"""Meshes of solids as objects: from Gmsh's current model, and from meshio."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any


class Mesh:
    """A mesh, as the bytes of a mesh file (docs/mesh.md), for ``System(solid={"mesh": mesh, ...})``.

    >>> gmsh.model.mesh.generate(3)
    >>> fork = System(solid={"mesh": Mesh.from_gmsh(gmsh), "fixed": ["foot"], "material": steel})

    Args:
        content: the bytes of the file.
        extension: ".msh" or ".vtu".
    """

    def __init__(self, content: bytes, extension: str) -> None:
        self.content, self.extension = content, extension

    @classmethod
    def from_gmsh(cls, gmsh: Any) -> Mesh:
        """The mesh of Gmsh's current model with its physical groups, whatever version and kind of files the options ask for.

        Args:
            gmsh: the module, after ``gmsh.model.mesh.generate(3)``.

        Raises:
            ValueError: the model has no elements of three dimensions.
        """
        if not gmsh.model.mesh.getElementTypes(3).size:
            raise ValueError("the model of Gmsh has no elements of three dimensions: gmsh.model.mesh.generate(3) makes them")
        asked = {"Mesh.MshFileVersion": 4.1, "Mesh.Binary": 1.0}
        before = {name: gmsh.option.getNumber(name) for name in asked}
        with tempfile.TemporaryDirectory(prefix="actio-") as folder:
            path = os.path.join(folder, "model.msh")
            try:
                for name, value in asked.items():
                    gmsh.option.setNumber(name, value)
                gmsh.write(path)
            finally:
                for name, value in before.items():
                    gmsh.option.setNumber(name, value)
            return cls(Path(path).read_bytes(), ".msh")

    @classmethod
    def from_meshio(cls, mesh: Any) -> Mesh:
        """The points, cells and sets of cells of a meshio.Mesh; physical groups of Gmsh by name, or by number where they have none."""
        import meshio
        import numpy as np

        points = np.zeros((len(mesh.points), 3))
        points[:, : mesh.points.shape[1]] = mesh.points
        data: dict[str, Any] = {}
        for name, members in mesh.cell_sets.items():
            if name.startswith("gmsh:"):  # what bounds what, no group
                continue
            marks = [np.zeros(len(block.data), np.int32) for block in mesh.cells]
            for mark, numbers in zip(marks, members):
                if numbers is not None:
                    mark[np.asarray(numbers, int)] = 1
            data[f"group:{name}"] = marks
        numbers = mesh.cell_data.get("gmsh:physical")
        if numbers is not None:
            dimensions = [block.dim for block in mesh.cells]
            names = {(int(number), int(dimension)): name for name, (number, dimension) in mesh.field_data.items()}
            for number, dimension in {(int(n), d) for of, d in zip(numbers, dimensions) for n in of if n != 0}:
                name = names.get((number, dimension), str(number))
                data.setdefault(f"group:{name}", [
                    ((np.asarray(of) == number) & (d == dimension)).astype(np.int32) for of, d in zip(numbers, dimensions)])
        with tempfile.TemporaryDirectory(prefix="actio-") as folder:
            path = os.path.join(folder, "mesh.vtu")
            meshio.Mesh(points, mesh.cells, cell_data=data).write(path, file_format="vtu")
            return cls(Path(path).read_bytes(), ".vtu")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the mesh file."""
        Path(path).write_bytes(self.content)

    def __repr__(self) -> str:
        return f"<Mesh of {len(self.content)} bytes, {self.extension}>"


def mesh_of(x: Any) -> Mesh | None:
    """A mesh object, where x is one of these; None for the name of a file."""
    if isinstance(x, Mesh):
        return x
    if hasattr(x, "points") and hasattr(x, "cells") and hasattr(x, "cell_sets"):
        return Mesh.from_meshio(x)
    return None
