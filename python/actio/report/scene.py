"""What moves in the view of a page: points, bodies, nodes of solids, values along a chain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..files import StoredProblem
from .columns import encoded

if TYPE_CHECKING:
    from ..trajectory import Trajectory

MOST_VALUES = 400_000
MOST_FRAMES = 4000
MOST_POINTS = 4000
MOST_OF_A_CHAIN = 1000
MOST_PAIRS = 120  # points between which rods are looked for

_SLICE = re.compile(r"(.+)\[\s*(\d+)\s*\.\.\s*(\d+)\s*(?:step\s*(\d+)\s*)?\]\Z")
_MEMBER = re.compile(r"(.+)\[(\d+)\]\Z")


class Scene:
    """Columns of q by point and axis, and how they are drawn.

    Attributes:
        kind: "points", "chain" (values over their index) or "plane" (the state as a point of a plane).
        places: [points][axes] indices of coordinates.
        labels: of the points.
        axes: names of the axes.
        bodies: indices of the nine entries of R by rows, of a point of ``places`` each.
        faces: of solids, the points at their corners.
        words: what the reader is looking at.
    """

    def __init__(self, kind: str, places: list[list[int]], labels: list[str], axes: list[str], words: str,
                 bodies: dict[int, list[int]] | None = None, faces: list[list[int]] | None = None) -> None:
        self.kind, self.places, self.labels, self.axes, self.words = kind, places, labels, axes, words
        self.bodies, self.faces = bodies or {}, faces or []


def scene_of(run: Trajectory) -> Scene | str:
    """What the coordinates of a run can show, or a sentence that says why nothing moves."""
    if run.q is None:
        return "The trajectory has no positions, so nothing moves here."
    table = problem_table(run.problem.text)
    system = table.get("system", {})
    solid = "solid" in system or re.search(r"^\s*\[+\s*system\.solid", run.problem.text, re.M) is not None
    bodies = _bodies(run.coordinates)
    places, labels, axes = _bodies_as_points(bodies)
    words = ["The arms of each body are its own axes."] if bodies else []
    if isinstance(system.get("points"), dict):
        for name, entries in system["points"].items():
            found = _declared(run, entries)
            places += found
            labels += [f"{name}[{i}]" if len(found) > 1 else name for i in range(len(found))]
            if found:
                axes = max(axes, ["x", "y", "z"][: len(found[0])], key=len)
    if len(places) == len(bodies):
        more, names, more_axes = _by_name(run)
        places, labels, axes = places + more, labels + names, max(axes, more_axes, key=len)
    if solid:
        given = system.get("solid", {})
        nodes = _nodes(run, [of.get("name", "x") for of in (given if isinstance(given, list) else [given])])
        faces = _surface(run, nodes)
        if faces:
            corners = sorted({i for face in faces for i in face})
            place = {node: i for i, node in enumerate(corners)}
            return Scene("points", [nodes[i] for i in corners], [f"node {i}" for i in corners], ["x", "y", "z"],
                         "The surface of the solid, by the corners of its elements; a .pvd output shows its stress in ParaView.",
                         faces=[[place[i] for i in face] for face in faces])
        if nodes:
            places += nodes
            labels += [f"node {i}" for i in range(len(nodes))]
            axes = ["x", "y", "z"]
            words.append("The points are the nodes of the solid. Its faces are not drawn, for they are too many, or the mesh is not there; "
                         "a .pvd output shows them in ParaView.")
        elif not places:
            return "The trajectory has probes of the solid alone. Its mesh and nodes are not in it, so this page has no view of the solid."
        else:
            words.append("The points are probes. The mesh of the solid is not in the trajectory, so it is not drawn.")
    if places:
        size = max(len(place) for place in places)
        places = [place + [-1] * (size - len(place)) for place in places]
        return Scene("points", places, labels, (axes + ["y", "z"])[:size] if size > len(axes) else axes[:size], " ".join(words),
                     {i: rotation for i, (_, rotation, _) in enumerate(bodies)})
    families = [family for family in run.problem.families if family[2] >= 3]
    if families:
        name, first, count = max(families, key=lambda family: family[2])
        return Scene("chain", [[first + i] for i in range(count)], [f"{name}[{i}]" for i in range(count)], ["index", name],
                     f"The values of {name} over the index: the file does not say where these coordinates are in space.")
    if run.v is not None and run.coordinates:
        name = run.coordinates[0]
        return Scene("plane", [[0]], [name], [name, name + "'"],
                     f"The coordinates do not say where points are in space, so the view shows {name} and its velocity.")
    return "The coordinates do not say where points are in space, so nothing moves here."


def problem_table(text: str) -> dict[str, Any]:
    """The problem file as a table; empty where this Python cannot read it."""
    try:
        import tomllib
    except ImportError:  # Python 3.10
        return {}
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _bodies(names: list[str]) -> list[tuple[str, list[int], list[int]]]:
    """(name, R by rows, position) of each body."""
    index = {name: i for i, name in enumerate(names)}
    out = []
    for name in names:
        if not name.endswith(".R11"):
            continue
        body = name[:-4]
        rotation = [index.get(f"{body}.R{i}{j}", -1) for i in (1, 2, 3) for j in (1, 2, 3)]
        position = [index.get(f"{body}.{axis}", -1) for axis in "xyz"]
        if -1 not in rotation:
            out.append((body, rotation, position))
    return out


def _bodies_as_points(bodies: list[tuple[str, list[int], list[int]]]) -> tuple[list[list[int]], list[str], list[str]]:
    return [position for _, _, position in bodies], [name for name, _, _ in bodies], ["x", "y", "z"] if bodies else []


def _declared(run: Trajectory, entries: Any) -> list[list[int]]:
    """The points of ``atom = ["x", "y", "z"]``; none where this reader does not understand them."""
    if not isinstance(entries, list) or not 1 <= len(entries) <= 3:
        return []
    columns = [_indices(run, entry) for entry in entries]
    if any(column is None or len(column) != len(columns[0] or []) for column in columns):
        return []
    return [list(place) for place in zip(*(column or [] for column in columns))]


def _indices(run: Trajectory, entry: Any) -> list[int] | None:
    families = {name: (first, count) for name, first, count in run.problem.families}
    if not isinstance(entry, str):
        return None
    entry = entry.strip()
    if entry in families:
        first, count = families[entry]
        return list(range(first, first + count))
    part, member = _SLICE.match(entry), _MEMBER.match(entry)
    if part and part.group(1) in families:
        first, count = families[part.group(1)]
        found = range(int(part.group(2)), int(part.group(3)) + 1, max(1, int(part.group(4) or 1)))
        return [first + i for i in found] if len(found) and found[-1] < count else None
    if member and member.group(1) in families and int(member.group(2)) < families[member.group(1)][1]:
        return [families[member.group(1)][0] + int(member.group(2))]
    return None


def _by_name(run: Trajectory) -> tuple[list[list[int]], list[str], list[str]]:
    """Points of families that are named alike but for x, y, z: x1 y1 x2 y2, xl yl, tip.x tip.y tip.z."""
    groups: dict[str, dict[str, tuple[int, int]]] = {}
    for name, first, count in run.problem.families:
        ends = re.fullmatch(r"(.*[._ ])([xyz])", name)
        begins = re.fullmatch(r"([xyz])([^a-z'].*|[a-z]?|_.*)", name)
        if ends:
            groups.setdefault(ends.group(1) + "*", {})[ends.group(2)] = (first, count)
        elif begins:
            groups.setdefault("*" + begins.group(2), {})[begins.group(1)] = (first, count)
    places: list[list[int]] = []
    labels: list[str] = []
    axes: list[str] = []
    for key, parts in groups.items():
        names = [axis for axis in "xyz" if axis in parts]
        counts = {count for _, count in parts.values()}
        if len(names) < 2 or len(counts) != 1:
            continue
        count = counts.pop()
        label = key.replace("*", "").strip("._ ") or "point"
        places += [[parts[axis][0] + i for axis in names] for i in range(count)]
        labels += [f"{label}[{i}]" if count > 1 else label for i in range(count)]
        axes = max(axes, names, key=len)
    return places, labels, axes


def _nodes(run: Trajectory, names: list[str]) -> list[list[int]]:
    """The nodes of solids: a family of that name has three coordinates of each."""
    return [[first + 3 * i, first + 3 * i + 1, first + 3 * i + 2]
            for name, first, count in run.problem.families if name in names and count % 3 == 0 and count >= 12 for i in range(count // 3)]


def _surface(run: Trajectory, nodes: list[list[int]]) -> list[list[int]]:
    """Faces of the model's solids, as numbers of ``nodes``."""
    if not nodes or len(run) == 0:
        return []
    place = {node[0]: i for i, node in enumerate(nodes)}
    found = StoredProblem.of(run.problem).surface()
    if not all(corner in place for face in found for corner in face):
        return []
    faces = [[place[corner] for corner in face] for face in found]
    return faces if len({i for face in faces for i in face}) <= MOST_POINTS else []


def stored(run: Trajectory, scene: Scene) -> tuple[dict[str, Any], list[str]]:
    """The scene as a page has it, and sentences that say what was left out."""
    import numpy as np

    assert run.q is not None
    notes: list[str] = []
    most = MOST_OF_A_CHAIN if scene.kind == "chain" else MOST_POINTS
    chosen = list(range(len(scene.places)))
    if len(chosen) > most:
        stride = -(-len(chosen) // most)
        notes.append(f"The view shows every {stride}th of {len(chosen)} {'values' if scene.kind == 'chain' else 'points'}.")
        chosen = chosen[::stride]
    places = np.array([scene.places[i] for i in chosen])
    bodies = {k: scene.bodies[i] for k, i in enumerate(chosen) if i in scene.bodies}
    values = places.size + 9 * len(bodies) + (scene.kind == "plane")
    rows = len(run.t)
    frames = max(2, min(rows, MOST_FRAMES, MOST_VALUES // max(1, values)))
    picked = np.unique(np.round(np.linspace(0, rows - 1, frames)).astype(int)) if rows else np.zeros(0, int)
    if len(picked) < rows:
        notes.append(f"The view has {len(picked)} of {rows} observations, spread evenly.")
    q = run.q[picked]
    flat = np.where(places.ravel() < 0, 0.0, q[:, np.maximum(places.ravel(), 0)])
    if scene.kind == "plane":
        assert run.v is not None
        flat = np.column_stack([flat, run.v[picked, 0]])
    out: dict[str, Any] = {
        "kind": scene.kind, "axes": scene.axes, "labels": [scene.labels[i] for i in chosen], "words": scene.words,
        "index": chosen if scene.kind == "chain" else [], "dim": 2 if scene.kind == "plane" else places.shape[1],
        "points": len(chosen), "frames": len(picked), "t": encoded(run.t[picked]),
        "q": encoded(flat.astype(np.float32)), "bodies": sorted(bodies), "rods": [], "faces": scene.faces,
    }
    if bodies:
        rotations = np.concatenate([q[:, bodies[i]] for i in sorted(bodies)], axis=1)
        out["R"] = encoded(rotations.astype(np.float32))
    if scene.kind == "points" and run.multipliers and len(chosen) <= MOST_PAIRS:
        out["rods"] = _rods(flat.reshape(len(picked), len(chosen), -1), set(bodies))
        if out["rods"]:
            out["words"] = (out["words"] + " Lines join points whose distance stays the same in all observations.").strip()
    return out, notes


def _rods(x: Any, bodies: set[int]) -> list[list[int]]:
    """Pairs of points at a distance that stays the same while they move, -1 being the origin."""
    import numpy as np

    points = x.shape[1]
    with_origin = np.concatenate([x, np.zeros_like(x[:, :1])], axis=1)
    moves = np.ptp(with_origin, axis=0).max(axis=1) > 1e-9
    out = []
    for a in range(points):
        for b in range(a + 1, points + 1):
            if not (moves[a] or moves[b]) or a in bodies and b in bodies:
                continue
            distance = np.linalg.norm(with_origin[:, a] - with_origin[:, b], axis=1)
            if distance.max() > 0 and np.ptp(distance) < 1e-6 * distance.max():
                out.append([a, b if b < points else -1])
    return out
