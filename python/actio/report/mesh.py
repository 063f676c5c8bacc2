"""The surface of a solid from its mesh file: Gmsh 2 and 4.1 in text. Other meshes are left to ParaView."""

from __future__ import annotations

import os
from typing import Any

MOST_FACES = 12_000
# Corners of faces, seen from outside, by Gmsh's number of a kind of element (those of higher order begin with the corners).
_TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_HEXAHEDRON = ((0, 3, 2, 1), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7))
_FACES = {4: _TETRAHEDRON, 11: _TETRAHEDRON, 5: _HEXAHEDRON, 12: _HEXAHEDRON, 17: _HEXAHEDRON}


def surface(solid: Any, folder: str, start: Any) -> list[list[int]]:
    """Faces that belong to one element, as numbers of nodes; none where the file cannot be read or is not that of the run.

    Args:
        solid: the table [system.solid].
        folder: where the problem file is.
        start: positions of the nodes at the first observation (nodes, 3).
    """
    import numpy as np

    name, scale = (solid.get("mesh"), solid.get("scale", 1)) if isinstance(solid, dict) else (None, 1)
    if not isinstance(name, str) or not isinstance(scale, (int, float)):
        return []
    try:
        nodes, elements = _read(os.path.join(folder, name))
    except (OSError, ValueError, IndexError, KeyError, UnicodeDecodeError):
        return []
    used = {node for _, corners in elements for node in corners}
    order = {node: i for i, node in enumerate(node for node in nodes if node in used)}
    if not order or len(order) != len(start):
        return []
    reference = scale * np.array([nodes[node] for node in order])
    size = np.ptp(reference, axis=0).max()
    if np.sqrt(((reference - start) ** 2).mean()) > 0.05 * size:
        return []  # another mesh, or a start far from it
    found: dict[tuple[int, ...], list[int] | None] = {}
    for kind, corners in elements:
        for face in _FACES[kind]:
            numbers = [order[corners[i]] for i in face]
            key = tuple(sorted(numbers))
            found[key] = None if key in found else numbers
    outer = [face for face in found.values() if face is not None]
    return outer if len(outer) <= MOST_FACES else []


def _read(path: str) -> tuple[dict[int, list[float]], list[tuple[int, list[int]]]]:
    """Positions by the number of the node, in the order of the file, and (kind, nodes) of the elements that fill space."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    version, binary, _ = lines[lines.index("$MeshFormat") + 1].split()
    if binary != "0" or version not in ("2", "2.0", "2.1", "2.2", "4.1"):
        raise ValueError("a mesh that is not read here")
    parts = (lines[lines.index(f"${name}") + 1 : lines.index(f"$End{name}")] for name in ("Nodes", "Elements"))
    nodes, elements = parts
    return (_nodes_4(nodes), _elements_4(elements)) if version == "4.1" else (_nodes_2(nodes), _elements_2(elements))


def _nodes_2(lines: list[str]) -> dict[int, list[float]]:
    rows = (line.split() for line in lines[1:])
    return {int(row[0]): [float(x) for x in row[1:4]] for row in rows}


def _elements_2(lines: list[str]) -> list[tuple[int, list[int]]]:
    rows = ([int(x) for x in line.split()] for line in lines[1:])
    return [(row[1], row[3 + row[2] :]) for row in rows if row[1] in _FACES]


def _nodes_4(lines: list[str]) -> dict[int, list[float]]:
    out: dict[int, list[float]] = {}
    at = 1
    while at < len(lines):
        count = int(lines[at].split()[3])
        for i in range(count):
            out[int(lines[at + 1 + i])] = [float(x) for x in lines[at + 1 + count + i].split()[:3]]
        at += 1 + 2 * count
    return out


def _elements_4(lines: list[str]) -> list[tuple[int, list[int]]]:
    out: list[tuple[int, list[int]]] = []
    at = 1
    while at < len(lines):
        kind, count = (int(x) for x in lines[at].split()[2:4])
        if kind in _FACES:
            out += [(kind, [int(x) for x in line.split()[1:]]) for line in lines[at + 1 : at + 1 + count]]
        at += 1 + count
    return out
