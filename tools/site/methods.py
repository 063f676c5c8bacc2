"""A page for each method, from what the program says of it: `actio list --json`, `explain --spectral`, `check` and `run`."""
import json
import re
import subprocess

# The papers in full, by the words that a citation has of them.
IN_FULL = {
    "KMOW": "C. Kane, J. E. Marsden, M. Ortiz, M. West, *Variational integrators and the Newmark algorithm for conservative and "
            "dissipative mechanical systems*, Int. J. Numer. Meth. Engng 49 (2000) 1295-1325",
    "Karow": "M. Karow, *The Newmark method*, note, 2016",
    "TO": "M. Tao, H. Owhadi, *Variational and linearly implicit integrators, with applications*, IMA J. Numer. Anal. 36 (2016) 80-107",
    "WM": "J. M. Wendlandt, J. E. Marsden, *Mechanical integrators derived from a discrete variational principle*, "
          "Physica D 106 (1997) 223-246",
    "Zhang and Skeel": "M. Zhang, R. D. Skeel, *Cheap implicit symplectic integrators*, Appl. Numer. Math. 25 (1997) 297-302",
    "Moser and Veselov": "J. Moser, A. P. Veselov, *Discrete versions of some classical integrable systems and factorization of matrix "
                         "polynomials*, Comm. Math. Phys. 139 (1991) 217-243",
    "Bou-Rabee and Marsden": "N. Bou-Rabee, J. E. Marsden, *Hamilton-Pontryagin integrators on Lie groups*, Found. Comput. Math. 9 (2009) "
                             "197-219",
    "SUNDIALS": "A. C. Hindmarsh, P. N. Brown, K. E. Grant, S. L. Lee, R. Serban, D. E. Shumaker, C. S. Woodward, *SUNDIALS: suite of "
                "nonlinear and differential/algebraic equation solvers*, ACM Trans. Math. Softw. 31 (2005) 363-396",
    "Chung and Hulbert": "J. Chung, G. M. Hulbert, *A time integration algorithm for structural dynamics with improved numerical "
                         "dissipation: the generalized-alpha method*, J. Appl. Mech. 60 (1993) 371-375",
    "Hilber, Hughes and Taylor": "H. M. Hilber, T. J. R. Hughes, R. L. Taylor, *Improved numerical dissipation for time integration "
                                 "algorithms in structural dynamics*, Earthq. Eng. Struct. Dyn. 5 (1977) 283-292",
    "Wood, Bossak and Zienkiewicz": "W. L. Wood, M. Bossak, O. C. Zienkiewicz, *An alpha modification of Newmark's method*, "
                                    "Int. J. Numer. Meth. Eng. 15 (1980) 1562-1566",
    "Wilson, Farhoomand and Bathe": "E. L. Wilson, I. Farhoomand, K. J. Bathe, *Nonlinear dynamic analysis of complex structures*, "
                                    "Earthq. Eng. Struct. Dyn. 1 (1973) 241-252",
    "McLachlan and Atela": "R. I. McLachlan, P. Atela, *The accuracy of symplectic integrators*, Nonlinearity 5 (1992) 541-562",
    "Takahashi and Imada": "M. Takahashi, M. Imada, *Monte Carlo calculation of quantum systems II. Higher order correction*, "
                           "J. Phys. Soc. Jpn. 53 (1984) 3765-3769",
    "Rowlands": "G. Rowlands, *A numerical algorithm for Hamiltonian systems*, J. Comput. Phys. 97 (1991) 235-239",
    "Wisdom and Holman": "J. Wisdom, M. Holman, *Symplectic maps for the N-body problem*, Astron. J. 102 (1991) 1528-1538",
    "Wisdom, Holman and Touma": "J. Wisdom, M. Holman, J. Touma, *Symplectic correctors*, Fields Inst. Comm. 10 (1996) 217-244",
    "Laskar and Robutel": "J. Laskar, P. Robutel, *High order symplectic integrators for perturbed Hamiltonian systems*, "
                          "Celest. Mech. Dyn. Astron. 80 (2001) 39-62",
    "McLachlan, BIT": "R. I. McLachlan, *Composition methods in the presence of small parameters*, BIT 35 (1995) 258-268",
    "Blanes": "S. Blanes, F. Casas, A. Farres, J. Laskar, J. Makazaga, A. Murua, *New families of symplectic splitting methods for "
              "numerical integration in dynamical astronomy*, Appl. Numer. Math. 68 (2013) 58-72",
    "Preto and Tremaine": "M. Preto, S. Tremaine, *A class of symplectic integrators with adaptive time step for separable Hamiltonian "
                          "systems*, Astron. J. 118 (1999) 2532-2541",
    "Mikkola and Tanikawa": "S. Mikkola, K. Tanikawa, *Algorithmic regularization of the few-body problem*, "
                            "Mon. Not. R. Astron. Soc. 310 (1999) 745-749",
    "Marsden and West": "J. E. Marsden, M. West, *Discrete mechanics and variational integrators*, Acta Numerica 10 (2001) 357-514",
    "L. Jay": "L. Jay, *Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems*, SIAM J. Numer. Anal. 33 (1996) "
              "368-387",
    "Gonzalez": "O. Gonzalez, *Time integration and discrete Hamiltonian systems*, J. Nonlinear Sci. 6 (1996) 449-467",
    "Andersen": "H. C. Andersen, *Rattle: a velocity version of the Shake algorithm for molecular dynamics calculations*, "
                "J. Comput. Phys. 52 (1983) 24-34",
    "Ryckaert": "J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, *Numerical integration of the cartesian equations of motion of a system "
                "with constraints: molecular dynamics of n-alkanes*, J. Comput. Phys. 23 (1977) 327-341",
    "Bathe, Finite": "K. J. Bathe, *Finite Element Procedures*, Prentice Hall, 1996",
    "Kane, Marsden and Ortiz": "C. Kane, J. E. Marsden, M. Ortiz, *Symplectic-energy-momentum preserving variational integrators*, "
                               "J. Math. Phys. 40 (1999) 3353-3371",
}

OSCILLATOR = """title = "{title}"
[system]
coordinates = ["x", "y"]
mass = 1
potential = "(x^2 + y^2)*(x^2 + y^2 - 1)^2"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [1.2, 0]
velocity = [0, 0.2]
[method]
name = "{name}"
[run]
step = 0.05
end = 50
"""
PLANET = """title = "{title}"
[system]
coordinates = ["x[3]", "y[3]"]
tables = {{ m = [1, 1e-3, 3e-4] }}
mass = {{ x = "m[i]", y = "m[i]" }}
points = {{ body = ["x", "y"] }}
[[system.term]]
over = "i = 0..2, j = i+1..2"
potential = "-m[i]*m[j]/distance(body[i], body[j])"
[system.split]
fast = "kepler"
gravitational_constant = 1
[[symmetry]]
name = "angular momentum"
generator = {{ x = "-y[i]", y = "x[i]" }}
[initial]
position = {{ x = [0, 1, 2], y = 0 }}
velocity = {{ x = 0, y = [0, 1, 0.7] }}
[method]
name = "{name}"
[run]
step = 0.3
end = 1000
"""
BODY = """title = "{title}"
[system]
bodies = [{{ name = "box", mass = 1, inertia = [1, 2, 3] }}]
[[symmetry]]
name = "angular momentum about z"
rotation = [0, 0, 1]
[initial.bodies.box]
angular_velocity = [0.1, 2, 0.1]        # about the axis in the middle: it tumbles
[method]
name = "{name}"
[run]
step = 0.02
end = 50
"""
PENDULUM = """title = "{title}"
[system]
coordinates = ["x", "y"]
mass = 1
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
position = [1, 0]
[method]
name = "{name}"
[run]
step = 0.02
end = 50
"""
SPRINGS = """title = "{title}"
[system]
coordinates = ["slow", "fast"]
mass = 1
[[system.term]]
potential = "0.5*400*fast^2"            # a stiff spring: omega = 20
stiff = true
[[system.term]]
potential = "0.5*(slow - fast)^2 + 0.25*slow^4"
[initial]
position = [1, "1/401"]
[method]
name = "{name}"
[run]
step = 0.15                             # omega h = 3, beyond the limit of explicit methods
end = 50
"""
FRAME = """title = "{title}"
[system]
coordinates = ["roof", "storey"]
mass = 1
potential = "0.5*(roof - storey)^2 + 0.5*1e4*storey^2"
dissipation = "0.01*roof'^2"
[system.force]
roof = "0.1*sin(0.9*t)"
[initial]
position = [0.1, 0.01]
[method]
name = "{name}"
[run]
step = 0.1                              # longer than the period 0.063 of the storey: what moves there dies out
end = 50
"""
KEPLER = """title = "{title}"
[system]
coordinates = ["x", "y"]
mass = 1
potential = "-1/sqrt(x^2 + y^2)"
[[symmetry]]
name = "angular momentum"
generator = ["-y", "x"]
[initial]
position = [0.1, 0]                     # an orbit of eccentricity {e}
velocity = [0, {v}]
[method]
name = "{name}"
[run]
step = {step}
end = {end}
"""
RING = """title = "{title}"
[system]
coordinates = ["x"]
mass = 1
potential = "x^4/4"
[initial]
position = [1]
velocity = [0.3]
[method]
name = "{name}"
[run]
step = 0.1
end = 2
"""
SLIDER = """title = "{title}"
[system]
coordinates = ["x"]
mass = 1
potential = "0.5*x^2"
dissipation = "0.2*sqrt(x'^2 + 1e-6)"   # Coulomb's friction, rounded
[initial]
position = [1]
[method]
name = "{name}"
[run]
step = 0.05
end = 10
"""
PROBLEMS = {
    **dict.fromkeys(("wisdom-holman", "saba", "sbab", "aba"), PLANET), "lie-group": BODY,
    **dict.fromkeys(("rattle", "shake", "energy-momentum"), PENDULUM),
    **dict.fromkeys(("zhang-skeel", "zhang-skeel-simplified", "zhang-skeel-stiff", "push-forward-newmark"), SPRINGS),
    **dict.fromkeys(("generalized-alpha", "hht", "wbz", "wilson"), FRAME),
    **dict.fromkeys(("minimising-newmark", "two-step"), SLIDER),
    "log-hamiltonian": KEPLER.replace("{e}", "0.9").replace("{v}", "4.358898943540674").replace("step = {step}", "step = {{ eps = 0.05 }}")
                             .replace("{end}", "100"),
    "symplectic-energy-momentum": RING,
}
# What a method takes is asked of the program: it checks each of these with the method.
HEAD = '[system]\ncoordinates = ["x", "y"]\n'
TAIL = '\n[initial]\nposition = [1, 0]\n[run]\nstep = 0.01\nend = 1\n'
PROBES = {
    "L = 1/2 v'Mv - V(q)": "mass = 1\npotential = '-1/sqrt(x^2 + y^2)'",
    "a general L(q, v)": "lagrangian = \"0.5*(1 + x^2)*x'^2 + 0.5*y'^2 - x^2 - y^2\"",
    "a potential V(q, t)": "mass = 1\npotential = '(x^2 + y^2)*(1 + 0.1*sin(t))'",
    "constraints g(q, t) = 0": "mass = 1\npotential = 'y'\nconstraints = ['x^2 + y^2 - 1']",
    "prescribed coordinates x(t)": "mass = 1\npotential = '(x - y)^2'\nconstraints = ['x - cos(t)']",
    "friction": "mass = 1\npotential = 'x^2 + y^2'\ndissipation = \"0.1*x'^2\"",
    "forces F(t)": "mass = 1\npotential = 'x^2 + y^2'\n[system.force]\nx = 'sin(t)'",
    "forces F(q, v, t)": "mass = 1\npotential = 'x^2 + y^2'\n[system.force]\nx = \"-y'\"",
    "a thermostat": "mass = 1\npotential = 'x^2 + y^2'\n[system.thermostat]\nrate = 1\ntemperature = 0.1\nseed = 1",
    "equations f(x'', x', x, t) = 0": "[system.equations]\nx = \"x'' + x\"\ny = \"y'' + y\"",
}
SPLIT = "a part whose motion is known, in `[system.split]`; forces F(q, t); no constraints, fixed coordinates or thermostats"
BODIES = "rigid bodies, in `bodies`, with or without joints; no thermostat"
STIFF = "terms with `stiff = true`, or a stiffness matrix, in L = 1/2 v'Mv - V(q)"
OWN_TIME = "V < 0, without time, forces, constraints or thermostats"


def _needs(method):
    """What a method that is for one kind of system needs; "" where it takes what PROBES are."""
    traits = method["traits"]
    if traits["needs_split"]:
        return SPLIT
    if traits["on_groups"]:
        return BODIES
    if traits["matrices"] == "stiff":
        return STIFF
    return OWN_TIME if traits["transforms_time"] and not traits["finds_step"] else ""


USES = ["explicit", "structural dynamics", "variational, implicit", "energy exactly", "constraints", "rigid bodies", "linearly implicit",
        "for comparison"]


def write_pages(root, folder, program):
    """docs/methods: index.md and one page a method. Gives their names."""
    folder.mkdir(parents=True)
    catalogue = json.loads(_said(program, "list", "--json"))
    for method in catalogue:
        (folder / f"{method['name']}.md").write_text(_page(method, folder, program), encoding="utf-8")
    pages = "".join((folder / f"{method['name']}.md").read_text(encoding="utf-8") for method in catalogue)
    for what in PROBES:
        if f"| {_text(what)} | yes |" not in pages:
            raise SystemExit(f"no method takes {what}: the problem that asks for it is wrong")
    (folder / "index.md").write_text(_index(catalogue), encoding="utf-8")
    return [method["name"] for method in catalogue]


def _said(program, *words, folder=None):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False, cwd=folder, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"actio {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def _index(catalogue):
    lines = ["# Methods", "", "One page for each method, made from the program's own list. [Which method, what step?](../which-method.md) "
             "says how to choose.", ""]
    uses = [*USES, *sorted({method["use"] for method in catalogue} - set(USES))]
    for use in uses:
        of_use = [method for method in catalogue if method["use"] == use]
        if of_use:
            lines += [f"## {use[:1].upper()}{use[1:]}", "", "| method | order | |", "|-|-|-|"]
            lines += [f"| [`{m['name']}`]({m['name']}.md) | {m['order'] or 'adaptive'} | {_text(m['summary'])} |" for m in of_use]
            lines.append("")
    return "\n".join(lines) + "\n```{toctree}\n:hidden:\n\n" + "\n".join(m["name"] for m in catalogue) + "\n```\n"


def _text(words):
    """The program's words as Markdown: nothing in them is markup."""
    return re.sub(r"([*_<>|\[\]\\])", r"\\\1", words)


def _page(method, folder, program):
    name = method["name"]
    problem = PROBLEMS.get(name, OSCILLATOR).format(title=f"An example of {name}", name=name)
    file = folder / f"{name}.toml"
    file.write_text(problem, encoding="utf-8")
    certificate = _said(program, "run", file.name, folder=folder)
    order = f"{method['order']}" if method["order"] else "adaptive: it chooses its own steps"
    if method["composes"]:
        order += "; 4, 6, 8 or 10 with `compose = { order, scheme }`"
    needs = _needs(method) or ("a Lagrangian 1/2 v'Mv - V(q, t)" if method["separable_only"] else "any Lagrangian L(q, v, t)")
    lines = [f"# {name}", "", f"{_text(method['summary'][:1].upper() + method['summary'][1:])}.", "",
             "## The step", "", "```text", *_equation(method["equation"]), "```", "",
             "| | |", "|-|-|", f"| order | {order} |", f"| conserves | {_text(method['conserves'])} |",
             f"| symmetric | {'yes: a step back undoes a step' if method['symmetric'] else 'no'} |",
             f"| needs | {needs} |"]
    if method["also_called"]:
        lines.append(f"| also called | {_text(', '.join(method['also_called']))} |")
    lines += [f"| {what} | {said} |" for what, said in _traits(method)]
    taken = [] if _needs(method) else _taken(name, folder, program)
    if taken:
        lines += ["", "## Systems it takes", "", "| | | |", "|-|-|-|", *taken]
    lines += ["", "## Fields", ""]
    if method["fields"]:
        lines += ["Under `[method]` in a problem file; keywords of "
                  f"`actio.methods.{''.join(part.capitalize() for part in name.split('-'))}` in Python.", "",
                  "| field | default | values | |", "|-|-|-|-|"]
        lines += [f"| `{f['name']}` | `{json.dumps(f['default'])}` | {_values(f)} | {_text(f['doc'])} |" for f in method["fields"]]
    else:
        lines += ["None."]
    picture = _spectral(name, folder, program)
    lines += ["", "## Stability and period", "", *picture] if picture else []
    lines += ["", "## An example", "", "```toml", problem.rstrip("\n"), "```", "", "```text", certificate.rstrip("\n"), "```", "",
              *_energy(name, folder), f"The file: [{name}.toml]({name}.toml).", "", "## From", "", f"{_text(method['citation'])}.", ""]
    lines += [f"- {full}" for short, full in IN_FULL.items() if short in f"{method['citation']} "]
    return "\n".join(lines) + "\n"


def _equation(words):
    """One formula a line."""
    return [part.strip() for part in re.split(r"(?<=[^,;:]),  |;  |:  ", words)]


def _traits(method):
    """What holds of a method whatever its fields, from its declaration."""
    traits = method["traits"]
    solves = "nothing but the mass" if traits["is_explicit"] else {
        "all": "equations with all second derivatives", "potential": "equations with M + s V''", "stiff": "equations with M + s V1'' of the stiff terms",
        "mass": "equations with M alone", "none": "equations without matrices"}[traits["matrices"]]
    rows = [("keeps, by its defaults", method["keeps"]), ("solves", solves),
            ("constraints", {"kept": "kept by multipliers", "imposed": "only prescribed coordinates x(t)", "none": "only as penalties"}[traits["constraints"]]),
            ("many processes", ("yes, with constraints too" if traits["distributed_constraints"] else "yes") if traits["distributed"] else "no")]
    if traits["symmetric_if"]:
        rows.append(("symmetric if", traits["symmetric_if"]))
    if traits["with_constraints"]:
        rows.append(("with constraints", traits["with_constraints"]))
    if traits["third_derivatives"]:
        rows.append(("derivatives", "also third ones of the potential"))
    return rows


def _taken(name, folder, program):
    """What of PROBES a method takes, as rows, with the program's own reason where it does not."""
    rows = []
    for what, system in PROBES.items():
        file = folder / f"{name}.probe.toml"
        file.write_text(f"{HEAD}{system}{TAIL}[method]\nname = \"{name}\"\n", encoding="utf-8")
        done = subprocess.run([program, "check", "--json", file], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        file.unlink()
        why = "" if done.returncode == 0 else json.loads(done.stdout)["error"]["message"].splitlines()[0]
        why = re.sub(rf"^(.*?error: )?({name} )?", "", why).partition(": ")[0]
        rows.append(f"| {_text(what)} | {'no' if why else 'yes'} | {_text(why)} |")
    return rows


def _values(field):
    if "choices" in field:
        return ", ".join(f"`{choice}`" for choice in field["choices"])
    return f"{field['least']:g} to {field['most']:g}" if "least" in field else "`true`, `false`"


def _spectral(name, folder, program):
    """The table of `explain --spectral` as a picture, in the shape of lines of Markdown; [] where a method has none."""
    done = subprocess.run([program, "explain", name, "--spectral"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    rows = [line.split() for line in done.stdout.splitlines() if re.match(r"\s+[\d.]+\s+[\d.e+-]+\s+\d", line)]
    if done.returncode or not rows or "grows at every step" in done.stdout:
        return []
    _draw(rows, folder / f"{name}.svg", name)
    words = done.stdout.splitlines()[-2].strip()
    return [f"On q'' + omega^2 q = 0, without friction: {words}.", "", f"![Spectral radius, period error and damping of {name}]({name}.svg)", "",
            "The points are those of `actio explain " + name + " --spectral`, with the default fields."]


def _energy(name, folder):
    """The energy error of the example, drawn where there is no other picture."""
    if (folder / f"{name}.svg").exists():
        return []
    import actio

    run = actio.run(folder / f"{name}.toml")
    run.plot("energy").savefig(folder / f"{name}.svg", metadata={"Date": None})
    return [f"![The energy error of this example]({name}.svg)", ""]


def _draw(rows, path, name):
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    blue, red, grey = "#1f4e8c", "#b3361f", "#6b7280"
    figure = Figure(figsize=(7, 2.6))  # places by hand: a layout that is solved takes longer than all the rest
    FigureCanvasSVG(figure)
    left, right = figure.subplots(1, 2, gridspec_kw={"left": 0.07, "right": 0.98, "bottom": 0.19, "top": 0.96, "wspace": 0.25})
    number = [[float(x) if x != "-" else float("nan") for x in row] for row in rows]
    short = [row for row in number if 0.005 <= row[0] <= 0.5]
    left.plot([row[0] for row in short], [100 * row[3] for row in short], "o-", ms=3, color=blue, label="period error [%]")
    left.plot([row[0] for row in short], [100 * row[4] for row in short], "s--", ms=3, color=red, label="damping ratio [%]")
    left.set(xlabel="h / T", xscale="log")
    left.legend(frameon=False, fontsize=8)
    right.plot([row[0] for row in number], [row[2] for row in number], "o-", ms=3, color=blue)
    right.axhline(1, color=grey, lw=0.8)
    right.set(xlabel="h / T", xscale="log", ylabel="spectral radius", ylim=(0, 1.5))
    for axes, ticks in ((left, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)), (right, (0.001, 0.01, 0.1, 1, 10, 100, 1000))):
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.grid(True, color="#d8dce2", lw=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
    figure.savefig(path, metadata={"Date": None})
