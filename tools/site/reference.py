"""The reference of problem files: a page of all keys, and one page for each joint, material, element, force, event and output, made
from the lists by which the program checks a file: `actio list keys --json` and `actio list kinds --json`. Every example is run."""

import itertools
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

GROUPS = {  # of kinds: the title of their section, and what it says
    "joint": ("Joints", "Between two bodies, or a body and the ground."),
    "force": ("Forces", "All that acts on coordinates, points and bodies."),
    "load of a solid": ("Loads of solids", "What acts on a solid, and what moves its nodes."),
    "material": ("Materials", "Energy densities of solids."),
    "element": ("Elements", "Cells of a mesh."),
    "thermostat scheme": ("Schemes of a thermostat", "Where friction and noise stand in a step."),
    "fast part": ("Fast parts of a split", "Motions that are known exactly."),
    "symmetry": ("Symmetries", "Vector fields along which the Lagrangian does not change."),
    "quantity": ("Quantities", "What a run knows of a state beside its coordinates, by name in an observable."),
    "reduction": ("Reductions", "What becomes of an observable over the time."),
    "combination": ("Combinations", "What becomes of the elements of an observable at one time."),
    "event direction": ("Directions of events", "Which passages through 0 count."),
    "event action": ("Actions of events", "What is done at a passage."),
}
TEXT = re.compile(r"([*_<>|\[\]\\`])")

# A problem for each kind, which the program runs. {name} is the kind.
OUTPUT = """[system]
coordinates = ["x[8]"]
mass = {{ x = 1 }}
[[system.term]]
over = "i = 0..6"
potential = "0.5*(x[i+1] - x[i])^2 + 0.25*(x[i+1] - x[i])^4"
[[observe]]
name = "stretch"
over = "i = 0..6"
value = "x[i+1] - x[i]"
{lines}
[initial]
position = {{ x = "0.3*normal()" }}
[method]
name = "verlet"
[run]
step = 0.05
end = 100
"""
QUANTITY = """[system]
coordinates = ["x"]
mass = 1
potential = "0.25*x^4"
[output]
value = "{name}"
[initial]
position = [1]
[method]
name = "verlet"
[run]
step = 0.01
end = 10
"""
BODIES = """[system]
bodies = [
  {{ name = "door", mass = 10, inertia = [3, 3.5, 1] }},
  {{ name = "handle", mass = 0.5, inertia = [0.002, 0.003, 0.004] }},
]
potential = "9.81*(10*door.z + 0.5*handle.z)"
{joints}
[initial.bodies.door]
position = [0.5, 0, 0]
[initial.bodies.handle]
position = [1, 0, 0]
[method]
name = "rattle"
[run]
step = 0.005
end = 1
"""
HINGE = """[[system.joint]]
name = "hinge"
type = "revolute"
between = ["door.point(-0.5, 0, 0)", "ground.point(0, 0, 0)"]
axes = ["door.axis(0, 1, 0)", "ground.axis(0, 1, 0)"]
"""
JOINTS = {
    "spherical": HINGE + """[[system.joint]]
name = "eye"
type = "spherical"
between = ["handle.point(0, 0, 0)", "door.point(0.5, 0, 0)"]""",
    "revolute": HINGE + """[[system.joint]]
name = "spindle"
type = "revolute"
between = ["handle.point(0, 0, 0)", "door.point(0.5, 0, 0)"]
axes = ["handle.axis(0, 0, 1)", "door.axis(0, 0, 1)"]""",
    "fixed": HINGE + """[[system.joint]]
name = "screws"
type = "fixed"
between = ["handle.point(0, 0, 0)", "door.point(0.5, 0, 0)"]""",
    "distance": HINGE + """[[system.joint]]
name = "rod"
type = "distance"
length = 2
between = ["handle.point(0, 0, 0)", "ground.point(1, 0, 2)"]
[[system.joint]]
name = "eye"
type = "spherical"
between = ["handle.point(0, 0, 0)", "door.point(0.5, 0, 0)"]""",
}
SOLID = """[system.solid]
mesh = "cantilever.msh"             # ten hexahedra of 20 nodes, in mm; groups rubber, clamp and tip
scale = 1e-3
{loads}
[[system.solid.material]]
group = "rubber"
{material}
density = 1100
[method]
name = "newmark"
[run]
step = 0.002
end = 0.1
"""
RUBBER = 'model = "neo-hookean"\nE = { value = 5, unit = "MPa" }\nnu = 0.4'
CLAMPED = 'fixed = ["clamp"]\n'
LOADS = {
    "gravity": CLAMPED + "gravity = [0, 0, -9.81]",
    "body_force": CLAMPED + 'body_force = { group = "rubber", value = [0, 0, "-1e4*sin(20*t)"] }',
    "traction": CLAMPED + 'traction = { group = "tip", value = [0, 0, "-1e3*sin(20*t)"] }',
    "pressure": CLAMPED + 'pressure = { group = "tip", value = "1e4*sin(20*t)" }',
    "driven": 'driven = { group = "clamp", x = 0, y = 0, z = "0.003*(1 - cos(25*t))" }',
}
MATERIALS = {name: f'model = "{name}"\nE = {{ value = 5, unit = "MPa" }}\nnu = 0.4' for name in
             ("linear-elastic", "st-venant-kirchhoff", "neo-hookean")}
MATERIALS["mooney-rivlin"] = ('model = "mooney-rivlin"\nC10 = { value = 0.6, unit = "MPa" }\nC01 = { value = 0.2, unit = "MPa" }\n'
                              'bulk = { value = 8, unit = "MPa" }')
ELEMENT = """[system.solid]
mesh = "{name}.vtu"                 # one cell, in m
momentum = ["linear", "angular"]
[[system.solid.material]]
model = "neo-hookean"
E = {{ value = 5, unit = "MPa" }}
nu = 0.4
density = 1100
[initial.solid]
displacement = ["0.02*X", 0, 0]     # stretched by 2 %, and let go
angular_velocity = [0, 0, 1]
[method]
name = "midpoint"
[run]
step = 1e-3
end = 0.1
"""
FORCES = {
    "potential": "examples/henon-heiles.toml", "term": "examples/pleiades.toml", "coulomb": "examples/salt.toml",
    "force": "examples/forced-pendulum.toml", "base": "examples/frame.toml", "drag": "examples/drag.toml",
    "dissipation": "examples/damped-oscillator.toml", "thermostat": "examples/double-well.toml",
    "load": """[system]
coordinates = ["x[4]"]
mass = {{ x = 1 }}
[[system.term]]
over = "i = 0..2"
potential = "50*(x[i+1] - x[i])^2"
[[system.load]]
name = "crane"
pattern = {{ "x[3]" = 1, "x[0..2]" = "0.1*i" }}
time = "sin(3*t)"
scale = 2
[initial]
position = {{ x = 0 }}
[method]
name = "newmark"
[run]
step = 0.01
end = 10
""",
    "rayleigh": """[system]
coordinates = ["x", "y"]
mass = [1, 1]
stiffness = [[200, -100], [-100, 100]]
rayleigh = {{ ratio = 0.05, modes = [1, 2] }}   # 5 % of critical damping in both modes
[initial]
position = [0, 0.1]
[method]
name = "newmark"
[run]
step = 0.01
end = 10
""",
}
SCHEME = """[system]
coordinates = ["x"]
mass = 1
potential = "(x^2 - 1)^2"
[system.thermostat]
rate = 0.5
temperature = 0.25
seed = 1
scheme = "{name}"
[initial]
position = [-1]
[method]
name = "verlet"
[run]
step = 0.1
steps = 20000
every = 100
"""
LINEAR = """[system]
coordinates = ["x", "y"]
mass = [1, 1]
stiffness = [[101, -100], [-100, 101]]
potential = "0.1*(x - y)^4"         # the kicks
[system.split]
fast = "linear"
[initial]
position = [1, 0.5]
[method]
name = "saba"
[run]
step = 0.2
end = 100
"""
SYMMETRIES = {
    "generator": "examples/oscillator.toml",
    "rotation": ("[[symmetry]]\nname = \"angular momentum\"\nrotation = [0, 0, 1]", '"-1/distance(body[0], body[1])"'),
    "translation": ("[[symmetry]]\nname = \"momentum\"\ntranslation = [1, 0, 0]", '"-1/distance(body[0], body[1])"'),
    "body": "examples/heavy-top.toml",
}
PAIR = """[system]
coordinates = ["x[2]", "y[2]", "z[2]"]
mass = {{ x = 1, y = 1, z = 1 }}
points = {{ body = ["x", "y", "z"] }}
potential = {potential}
{symmetry}
[initial]
position = {{ x = [-1, 1], y = 0, z = 0 }}
velocity = {{ x = 0, y = [-0.3, 0.4], z = 0 }}
[method]
name = "verlet"
[run]
step = 0.01
end = 20
"""
EVENT = """[system]
coordinates = ["x", "y"]
mass = 1
potential = "0.5*(x^2 + y^2) + x^2*y - y^3/3"
[[event]]
name = "section"
when = "x"
{lines}
[initial]
position = [0, 0.1]
velocity = [0.4, 0]
[method]
name = "gauss"
[run]
step = 0.1
end = 100
"""
BINS = "from = -2\nto = 2\nbins = 20"
RUN = {"stopped_at": "examples/henon-heiles-ensemble.toml", "radial-distribution": "examples/argon.toml", "kepler": "examples/outer-planets.toml"}


def problem(kind):
    """The text of a problem that uses the kind, or the path of an example of the repository; None where there is none."""
    group, name = kind["group"], kind["name"]
    if name in RUN:
        return RUN[name]
    if group == "joint":
        return BODIES.format(joints=JOINTS[name])
    if group == "material":
        return SOLID.format(loads=CLAMPED + "gravity = [0, 0, -9.81]", material=MATERIALS[name])
    if group == "load of a solid":
        return SOLID.format(loads=LOADS[name], material=RUBBER)
    if group == "element":
        return ELEMENT.format(name=name) if name in CELLS else None
    if group == "force":
        text = FORCES[name]
        return text if text.startswith("examples/") else text.format()
    if group == "thermostat scheme":
        return SCHEME.format(name=name)
    if group == "fast part":
        return LINEAR
    if group == "symmetry":
        found = SYMMETRIES[name]
        return found if isinstance(found, str) else PAIR.format(symmetry=found[0], potential=found[1])
    if group == "quantity":
        return QUANTITY.format(name=name)
    if group == "reduction":
        return OUTPUT.format(lines=f'reduce = "{name}"' + ("\n" + BINS if name == "histogram" else ""))
    if group == "combination":
        return OUTPUT.format(lines=f'combine = "{name}"')
    if group == "event direction":
        return EVENT.format(lines=f'direction = "{name}"')
    if group == "event action":
        return EVENT.format(lines={"record": 'do = "record"\nrecord = ["y", "y\'"]', "count": 'do = "count"',
                                   "stop": 'do = "stop"\ncount = 3'}[name])
    raise SystemExit(f"tools/site/reference.py has no example of the {group} {name}")


# Cells with nodes in VTK's order: corners, then the middles of edges and faces, then the middle (include/actio/system/mesh.hpp).
TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
HEXAHEDRON = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
TETRAHEDRON_EDGES = "01 12 20 03 13 23".split()
HEXAHEDRON_EDGES = "01 12 23 30 45 56 67 74 04 15 26 37".split()
HEXAHEDRON_FACES = "0473 1265 0154 3762 0321 4567".split()
CELLS = {  # VTK's number, corners, and the groups of corners in whose middles further nodes are
    "tetrahedron4": (10, TETRAHEDRON, []),
    "tetrahedron10": (24, TETRAHEDRON, TETRAHEDRON_EDGES),
    "hexahedron8": (12, HEXAHEDRON, []),
    "hexahedron20": (25, HEXAHEDRON, HEXAHEDRON_EDGES),
    "hexahedron27": (29, HEXAHEDRON, [*HEXAHEDRON_EDGES, *HEXAHEDRON_FACES, "01234567"]),
}


def mesh_of_one(name):
    """A VTU file of one cell with an edge of 1 m."""
    number, corners, middles = CELLS[name]
    nodes = [*corners, *(tuple(sum(corners[int(k)][i] for k in of) / len(of) for i in range(3)) for of in middles)]
    points = " ".join(f"{x:g}" for x in itertools.chain(*nodes))
    return f"""<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">
<UnstructuredGrid><Piece NumberOfPoints="{len(nodes)}" NumberOfCells="1">
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">{points}</DataArray></Points>
<Cells>
<DataArray type="Int32" Name="connectivity" format="ascii">{" ".join(map(str, range(len(nodes))))}</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">{len(nodes)}</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">{number}</DataArray>
</Cells>
</Piece></UnstructuredGrid>
</VTKFile>
"""


def text(words):
    """The program's words as Markdown: nothing in them is markup, but code in backquotes."""
    parts = re.split(r"(`[^`]*`)", words)
    parts[::2] = [TEXT.sub(r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def code(words):
    return f"`{words}`" if words else ""


def said(program, *words, folder=None):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False, cwd=folder, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"actio {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def slug(kind):
    return f"{kind['group'].replace(' ', '-')}-{kind['name'].replace('_', '-')}"


def write_pages(root, folder, program):
    """docs/reference: problem-file.md and kinds/. `folder` is in the copy of the pages."""
    tables = json.loads(said(program, "list", "keys", "--json"))
    kinds = json.loads(said(program, "list", "kinds", "--json"))
    pages = folder / "kinds"
    pages.mkdir(parents=True)
    (folder / "problem-file.md").write_text(_keys(tables, kinds), encoding="utf-8")
    wanted = [kind for kind in kinds if kind["group"] != "element" or kind["name"] in CELLS]
    (pages / "cantilever.msh").write_bytes((root / "examples/cantilever.msh").read_bytes())
    for name in CELLS:
        (pages / f"{name}.vtu").write_text(mesh_of_one(name), encoding="utf-8")
    with ThreadPoolExecutor(2) as pool:
        for kind, page in zip(wanted, pool.map(lambda one: _kind(one, kinds, root, pages, tables, program), wanted)):
            (pages / f"{slug(kind)}.md").write_text(page, encoding="utf-8")
    (pages / "index.md").write_text(_index(kinds, wanted), encoding="utf-8")


def anchor(table):
    return "table-" + (re.sub(r"[^a-z0-9]+", "-", table.lower()).strip("-") or "file")


def _rows(keys):
    rows = ["| key | type | unit | default | |", "|-|-|-|-|-|"]
    for key in keys:
        standard = f"*{key['default']}*" if key["default"] == "required" else text(key["default"])
        rows.append(f"| {code(key['name'])} | {text(key['type'])} | {text(key['unit'])} | {standard} | {text(key['meaning'])} |")
    return rows


def _keys(tables, kinds):
    count = sum(len(table["keys"]) for table in tables)
    lines = ["# Keys of a problem file", "",
             f"All {len(tables)} tables and {count} keys, from the lists by which the program checks a file. "
             "[Problem files](../problem-file.md) explains them; `actio explain run.step` prints one of them, `actio list keys` all. "
             "The fields of a method stand on [its page](../methods/index.md). "
             "Units are those of the file: \"time\" is the unit of time that its numbers are in.", ""]
    for table in tables:
        page, _, place = table["page"].partition("#")
        lines += [f"({anchor(table['table'])})=", f"## {text(table['heading'])}", "", text(table["meaning"]) +
                  f" Explained in [{page.removesuffix('.md')}](../{page}{'#' + place if place else ''}).", "", *_rows(table["keys"]), ""]
        of_table = [kind for kind in kinds if kind["key"].rpartition(".")[0] == table["table"] and kind["key"] not in
                    {one["table"] for one in tables} and (kind["group"] != "element" or kind["name"] in CELLS)]
        for group in dict.fromkeys(kind["group"] for kind in of_table):
            links = ", ".join(f"[{code(kind['name'])}](kinds/{slug(kind)}.md)" for kind in of_table if kind["group"] == group)
            lines += [f"{GROUPS[group][0]}: {links}", ""]
    return "\n".join(lines)


def _index(kinds, wanted):
    lines = ["# Joints, elements, forces, events and outputs", "",
             "One page for each, made from the program's own list, `actio list kinds`. Every example is run when this site is built.", ""]
    for group in dict.fromkeys(kind["group"] for kind in kinds):
        title, words = GROUPS[group]
        lines += [f"## {title}", "", words, "", "| | | |", "|-|-|-|"]
        for kind in kinds:
            if kind["group"] == group:
                name = f"[{code(kind['name'])}]({slug(kind)}.md)" if kind in wanted else code(kind["name"])
                lines.append(f"| {name} | {text(kind['summary'])} | {text(kind['formula'])} |")
        lines.append("")
    return "\n".join(lines) + "\n```{toctree}\n:hidden:\n\n" + "\n".join(slug(kind) for kind in wanted) + "\n```\n"


def _kind(kind, kinds, root, folder, tables, program):
    by_name = {table["table"]: table for table in tables}
    table = by_name.get(kind["key"]) or by_name[kind["key"].rpartition(".")[0]]
    lines = [f"# {text(kind['name'])} ({kind['group']})", "", text(kind["summary"]), ""]
    if kind["formula"]:
        lines += ["```text", *re.split(r"(?<=:) (?=\d constraint)|; ", kind["formula"]), "```", ""]
    place = f"[{text(table['heading'])}](#{anchor(table['table'])})"
    if kind["key"] == table["table"]:
        lines += [f"Written in {place}.", ""]
    else:
        lines += [f"The word of the key `{kind['key'].rpartition('.')[2]}` in {place}.", ""]
    # Those of other kinds are left out, and of large tables what has nothing to do with this one.
    others = {key for other in kinds if other["group"] == kind["group"] for key in other["keys"]} - set(kind["keys"])
    few = {"system": {kind["name"]}, "system.solid": {kind["name"]}, "system.solid.mesh": {"mesh", "scale", "mass", "material"},
           "observe.value": {"name", "value", "reduce", "unit"}}.get(kind["key"])
    lines += ["## Keys", "", *_rows([key for key in table["keys"] if key["name"] in few] if few else
                                    [key for key in table["keys"] if key["name"] not in others]), ""]
    lines += ["## An example", "", *_example(kind, root, folder, program)]
    if kind["citation"]:
        lines += ["## From", "", f"{text(kind['citation'])}.", ""]
    lines.append(f"More: [{table['page'].partition('#')[0].removesuffix('.md')}](../../{table['page']})")
    return "\n".join(lines) + "\n"


def _example(kind, root, folder, program):
    found = problem(kind)
    if found.startswith("examples/"):
        words = (root / found).read_text(encoding="utf-8")
        said(program, "check", root / found)
        return ["```toml", words.rstrip("\n"), "```", "", f"The file is `{found}` of the repository.", ""]
    file = folder / f"{slug(kind)}.toml"
    file.write_text(found, encoding="utf-8")
    done = subprocess.run([program, "run", file.name], capture_output=True, text=True, check=False, cwd=folder, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"{file.name}: exit code {done.returncode}\n{found}\n{done.stdout}{done.stderr}")
    return ["```toml", found.rstrip("\n"), "```", "", "```text", done.stdout.rstrip("\n"), "```", "", f"The file: [{file.name}]({file.name}).", ""]
