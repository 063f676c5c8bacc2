"""The gallery: problems of the repository with a picture of each, drawn by running them.

A picture is drawn again when its problem, this file or the program has changed.
"""
import base64
import hashlib
import json
import os
import shutil
import subprocess

MOST_LINES = 30  # of a problem
BLUE, RED, GREY = "#1f4e8c", "#b3361f", "#6b7280"


def panels(*names):
    """What `actio plot -p` draws."""
    return lambda run: run.plot(*names)


def _axes(title="", columns=1, size=(6.4, 3.4)):
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title, fontsize=10)
    axes = figure.subplots(1, columns, squeeze=False)[0]
    for one in axes:
        one.grid(True, color="#d8dce2", lw=0.6)
        one.spines[["top", "right"]].set_visible(False)
        one.tick_params(labelsize=8)
    return figure, axes


def orbits(x="x", y="y", labels=()):
    """The path of each member of two families in one plane."""

    def draw(run):
        figure, (axes,) = _axes(run.problem.title, size=(5, 4.4))
        for k in range(run[x].shape[1]):
            line, = axes.plot(run[x][:, k], run[y][:, k], lw=0.9, label=labels[k] if labels else None)
            axes.plot(run[x][-1, k], run[y][-1, k], "o", ms=4, color=line.get_color())
        axes.set(xlabel=x, ylabel=y, aspect="equal")
        if labels:
            axes.legend(frameon=False, fontsize=8, loc="upper right")
        return figure

    return draw


def planes(*pairs):
    """Several paths in one plane."""

    def draw(run):
        figure, (axes,) = _axes(run.problem.title, size=(5, 4.4))
        for x, y in pairs:
            axes.plot(run[x], run[y], lw=0.9, label=f"{x}, {y}")
        axes.set_aspect("equal")
        axes.legend(frameon=False, fontsize=8)
        return figure

    return draw


def field(family, label):
    """A family over its index and the time, in colours."""

    def draw(run):
        figure, (axes,) = _axes(run.problem.title)
        values = run[family]
        middle = values.shape[1] // 2
        window = values[:, max(0, middle - 500): middle + 500]
        image = axes.imshow(window, aspect="auto", origin="lower", cmap="RdBu", interpolation="nearest",
                            extent=(max(0, middle - 500), max(0, middle - 500) + window.shape[1], run.t[0], run.t[-1]))
        figure.colorbar(image, label=label)
        axes.grid(False)
        axes.set(xlabel="index", ylabel="t")
        return figure

    return draw


def mean_of(family, label):
    def draw(run):
        figure, (axes,) = _axes(run.problem.title)
        axes.plot(run.t, run[family].mean(axis=1), lw=1, color=BLUE)
        axes.set(xlabel="t", ylabel=label)
        return figure

    return draw


def histogram(name, label, column="density", kind="histogram"):
    """A reduction of the run: a histogram or a radial distribution."""

    def draw(run):
        table = getattr(getattr(run.certificate.observed, name), kind)
        figure, (axes,) = _axes(run.problem.title)
        axes.stairs(getattr(table, column), table.edge, color=BLUE, fill=True, alpha=0.35)
        axes.stairs(getattr(table, column), table.edge, color=BLUE)
        axes.set(xlabel=label, ylabel=column)
        return figure

    return draw


def stiff_energies(run):
    figure, (axes,) = _axes(run.problem.title)
    energies = 0.5 * run["f'"] ** 2 + 0.5 * 2500 * run["f"] ** 2
    for k in range(3):
        axes.plot(run.t, energies[:, k], lw=0.9, label=f"stiff spring {k + 1}")
    axes.plot(run.t, energies.sum(axis=1), lw=0.9, color=GREY, label="their sum")
    axes.set(xlabel="t", ylabel="energy")
    axes.legend(frameon=False, fontsize=8, loc="center right")
    return figure


def well(run):
    figure, (path, places) = _axes(run.problem.title, columns=2)
    path.plot(run.t[:2000], run["x"][:2000], lw=0.5, color=BLUE)
    path.set(xlabel="t", ylabel="x")
    places.hist(run["x"], bins=60, density=True, color=BLUE, alpha=0.4)
    places.set(xlabel="x", ylabel="density")
    return figure


def members(said):
    """The histogram that an ensemble ends in, from its JSON."""
    bins = said["outputs"]["radius"]["histogram"]
    figure, (axes,) = _axes(said["title"])
    width = (bins["to"] - bins["from"]) / len(bins["bins"])
    edges = [bins["from"] + k * width for k in range(len(bins["bins"]) + 1)]
    axes.stairs([count / said["members"] / width for count in bins["bins"]], edges, color=BLUE, fill=True, alpha=0.4)
    axes.set(xlabel="radius at the end", ylabel="density")
    return figure


FINE = {"run.every": 1}
# Section, then: file, what is changed for the picture, how it is drawn, one sentence.
ITEMS = {
    "Oscillators and pendulums": [
        ("examples/oscillator.toml", {"run.end": 100}, panels("x : y", "energy"),
         "The oscillator of Kane, Marsden, Ortiz and West: its energy error oscillates and does not grow."),
        ("examples/pendulum.toml", FINE, panels("theta", "energy"),
         "A pendulum from the horizontal, with the midpoint rule composed to order 6."),
        ("examples/double-pendulum.toml", FINE, planes(("x1", "y1"), ("x2", "y2")),
         "Two point masses on rigid rods, in Cartesian coordinates: the rods are constraints."),
        ("examples/damped-oscillator.toml", {"run.every": 1}, panels("x : y", "ledger"),
         "The same oscillator with friction: the ledger separates what friction took from what the method lost."),
        ("examples/forced-pendulum.toml", {"run.every": 1}, panels("theta", "theta : theta'"),
         "A pendulum with friction and a periodic force that is strong enough for chaos."),
        ("examples/implicit-oscillator.toml", {"run.every": 1}, panels("x", "energy"),
         "An equation f(x'', x', x, t) = 0 that cannot be solved for x'' by hand."),
        ("papers/kmow/curved.toml", {"run.end": 20}, panels("x", "energy"),
         "A mass that depends on the position: a Lagrangian that is not 1/2 v'Mv - V(q)."),
    ],
    "Orbits": [
        ("examples/kepler.toml", {"run.every": 20}, panels("x : y", "energy"), "A planet on an ellipse: the energy error peaks near the sun, and returns."),
        ("examples/comet.toml", {"run.end": 20, "run.every": 1}, panels("x : y", "energy"),
         "Eccentricity 0.99: the steps follow the motion, and the energy does not drift."),
        ("examples/outer-planets.toml", {"run.end": 1e5, "run.every": 1}, orbits(labels=("sun", "Jupiter", "Saturn", "Uranus", "Neptune", "Pluto")),
         "The outer solar system in steps of 200 days: the motion about the sun is exact, the attractions of planets are kicks."),
        ("examples/pythagorean.toml", {"run.every_time": 0.01, "run.end": 20}, orbits(labels=("mass 3", "mass 4", "mass 5")),
         "Three bodies fall from rest and pass one another as near as 4e-4; here the first 20 units of time."),
        ("examples/pleiades.toml", {"run.every": 10}, orbits(), "Seven stars in a plane, with Verlet composed to order 8."),
        ("examples/figure-eight.toml", FINE, orbits(), "Three equal masses chase each other along one figure of eight."),
        ("examples/henon-heiles.toml", {"run.every": 2}, panels("x : y"), "A star in a galaxy's plane, after Henon and Heiles."),
        ("examples/section.toml", {}, panels("section"), "Its Poincare section: events within steps, where x passes through 0 upwards."),
        ("examples/henon-heiles-ensemble.toml", {"system.parameters.E": 0.125}, members,
         "Where 100000 stars of one energy are after a while: an ensemble in one command."),
    ],
    "Bodies and mechanisms": [
        ("examples/heavy-top.toml", FINE, planes(("top.x", "top.y")), "A heavy top on its tip, its centre seen from above: precession and nutation."),
        ("papers/wm/rigid-body.toml", {}, panels("w, x, y, z", "momentum"), "A free rigid body in unit quaternions, with the midpoint rule and one constraint."),
        ("papers/to-so3/magnet.toml", {}, panels("energy", "momentum"), "A magnetised body on the rotation group, with two momenta that stay to round-off."),
        ("examples/car-axis.toml", FINE, panels("yl, yr"), "A car's axle over a bumpy road: two constraints, one of which moves."),
        ("examples/drag.toml", FINE, panels("x : z", "x : y"), "A golf ball in a gusty wind along the ground."),
    ],
    "Structures and solids": [
        ("examples/frame.toml", {"run.every": 1}, panels("roof_drift", "base_shear"),
         "A steel frame of four storeys under a ground record, from its matrices."),
        ("examples/cantilever.toml", {}, panels("tip.z", "energy"), "A rubber beam falls under its weight; the energy stays to the solver's tolerance."),
        ("examples/shaken-cantilever.toml", {"run.end": 0.6}, panels("tip.z", "ledger"), "The same beam on a shaking table: the ledger has the table's work."),
        ("papers/karow/bathe.toml", {}, panels("coordinates"), "Two masses under a load that sets in at once, an example of Bathe's book."),
    ],
    "Chains, molecules and noise": [
        ("examples/chain.toml", {"run.every": 4}, field("theta", "theta"), "A ring of 20000 coupled pendulums; the picture has the thousand in the middle."),
        ("examples/dna.toml", {}, mean_of("theta", "mean angle"), "Bases of a strand of DNA: their mean angle turns over, back, and over again."),
        ("examples/fpu.toml", {"run.every": 50}, stiff_energies,
         "Three stiff springs exchange energy, and their sum is nearly constant."),
        ("examples/observed-chain.toml", {}, histogram("bond", "length of a bond"), "A chain in thermal motion: lengths of its bonds, counted while it runs."),
        ("examples/double-well.toml", {"run.every": 10}, well, "A particle in a double well, in a heat bath: noise takes it over the barrier."),
        ("examples/water.toml", {}, histogram("OO", "distance of oxygens [angstrom]"), "Seven rigid waters at 10 K: distances between their oxygens."),
        ("examples/argon.toml", {"run.end": 60}, histogram("g", "distance [angstrom]", "g", "radial-distribution"),
         "Liquid argon, 864 atoms in a periodic box: the radial distribution."),
        ("examples/salt.toml", {}, panels("energy"), "A crystal of salt: charges by an Ewald sum; the energy error of a picosecond."),
    ],
}

# Notebooks keep their pictures: name, which code cell is shown, one sentence.
NOTEBOOKS = [
    ("double-pendulum", 1, "What five methods conserve of a chaotic motion, with their certificates side by side."),
    ("earthquake", 13, "A frame from its matrices under a ground record, beside OpenSees, with numerical damping in the ledger."),
    ("outer-solar-system", 5, "A million years of the outer planets, beside REBOUND and heyoka."),
    ("tuning-fork", 5, "Mesh, strike and tone of a tuning fork, a solid meshed by Gmsh."),
    ("heavy-top", 5, "Precession and nutation of a heavy top, beside Lagrange's integral."),
]


def write_page(root, folder, pictures, program):
    """gallery.md and gallery/*.svg in the folder; `pictures` keeps what was drawn before."""
    (folder / "gallery").mkdir(parents=True)
    pictures.mkdir(parents=True, exist_ok=True)
    count = sum(map(len, ITEMS.values())) + len(NOTEBOOKS)
    lines = ["# Gallery", "", f"{count} problems and notebooks of the repository, each with a picture and up to {MOST_LINES} lines of it. "
             "Pictures with a shorter end or more observations than the file say so.", ""]
    for section, items in ITEMS.items():
        lines += [f"## {section}", ""]
        for path, changes, draw, sentence in items:
            file, name = root / path, path.removesuffix(".toml").replace("/", "-")
            picture = _picture(file, changes, draw, pictures / name, program)
            shutil.copyfile(picture, folder / "gallery" / f"{name}.svg")
            text = file.read_text(encoding="utf-8")
            title = json.loads(next(line for line in text.splitlines() if line.startswith("title")).partition("=")[2])
            shown = [line for line in text.splitlines() if line.strip() and not line.startswith(("#", "title"))]
            more = ["# ..."] if len(shown) > MOST_LINES else []
            words = " ".join(f"{key}={value}" for key, value in changes.items())
            lines += [f"### {title}", "", sentence, "", f"![{sentence}](gallery/{name}.svg)", "", "```toml", *shown[:MOST_LINES], *more, "```", "",
                      f"[{path}](../{path})" + (f", drawn with `{words}`." if words else "."), ""]
    lines += ["## Notebooks", ""]
    for name, cell, sentence in NOTEBOOKS:
        lines += _of_notebook(root, folder, f"examples/notebooks/{name}.ipynb", cell, sentence)
    (folder / "gallery.md").write_text("\n".join(lines), encoding="utf-8")
    for _, items in ITEMS.items():  # what the page links to
        for path, *_ in items:
            copied = folder.parent / path
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, copied)


def _of_notebook(root, folder, path, cell, sentence):
    """The first picture that a notebook keeps, and one of its cells."""
    cells = json.loads((root / path).read_text(encoding="utf-8"))["cells"]
    outputs = (output.get("data", {}) for each in cells for output in each.get("outputs", []))
    image = next(data["image/png"] for data in outputs if "image/png" in data)
    name = path.removesuffix(".ipynb").replace("/", "-")
    (folder / "gallery" / f"{name}.png").write_bytes(base64.b64decode("".join(image)))
    copied = folder.parent / path
    copied.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(root / path, copied)
    title = "".join(cells[0]["source"]).splitlines()[0].lstrip("# ")
    return [f"### {title}", "", sentence, "", f"![{sentence}](gallery/{name}.png)", "", "```python",
            *"".join(cells[cell]["source"]).splitlines()[:MOST_LINES], "```", "", f"[{path}](../{path})", ""]


def _picture(file, changes, draw, stem, program):
    import actio

    key = hashlib.sha256()
    for part in (file, __file__):
        with open(part, "rb") as source:
            key.update(source.read())
    key.update(repr((changes, os.stat(program).st_mtime_ns)).encode())
    picture = stem.with_name(f"{stem.name}-{key.hexdigest()[:16]}.svg")
    if picture.exists():
        return picture
    for old in stem.parent.glob(f"{stem.name}-????????????????.svg"):
        old.unlink()
    if draw is members:
        words = [f"{key}={value}" for key, value in changes.items()]
        done = subprocess.run([program, "run", file, *words, "--json"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
        figure = draw(json.loads(done.stdout))
    else:
        figure = draw(actio.run(file, {**changes, "certificate.level": "off"}))
    figure.savefig(picture, metadata={"Date": None})
    _forget_figures()
    return picture


def _forget_figures():
    from matplotlib import pyplot

    pyplot.close("all")
