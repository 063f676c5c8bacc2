"""The reference of the Python package: a page for each group of its classes and functions. Sphinx's autodoc fills them in from the
docstrings; what the package exports and no page names ends the build."""

import importlib

# The page, its title, what it says, and the objects of the package in their order.
PAGES = (
    ("runs", "Problems and runs", "From a problem file or Python words to a trajectory.",
     ("load", "run", "Problem", "System", "Structure", "Mesh", "callbacks.CallbackSystem")),
    ("results", "Trajectories and certificates", "What a run gives back.",
     ("Trajectory", "Certificate", "certificate.Part", "Comparison", "compare")),
    ("simulation", "Steps in a loop of your own", "For those who own the loop, and for those who come from SciPy.",
     ("Simulation", "simulation.State", "solve_ivp", "IvpResult", "ivp.DenseSolution")),
    ("analysis", "Advice, sweeps and modes", "Many runs, and what needs none.",
     ("advise", "Advice", "sweep", "Sweep", "modes", "Modes", "matrices")),
    ("errors", "Errors and warnings", "All errors of the package are ActioError; the program's message is `str(error)`.",
     ("ActioError", "InputError", "RunError", "CertificateWarning")),
)


def write_pages(folder):
    """docs/reference/python: index.md, one page a group, and one of all methods."""
    package = importlib.import_module("actio")
    folder.mkdir(parents=True)
    named = {one for page in PAGES for one in page[3]} | {"methods"}
    missing = sorted(set(package.__all__) - named)
    if missing:
        raise SystemExit(f"no page of tools/site/python_api.py has {', '.join(missing)}")
    for name, title, words, objects in PAGES:
        lines = [f"# {title}", "", words, ""]
        for one in objects:
            lines += ["```{eval-rst}", *_directive(package, one), "```", ""]
        (folder / f"{name}.md").write_text("\n".join(lines), encoding="utf-8")
    (folder / "methods.md").write_text("\n".join(_methods(importlib.import_module("actio.methods"))), encoding="utf-8")
    (folder / "index.md").write_text("\n".join(_index(package)), encoding="utf-8")


def _find(package, name):
    *modules, last = name.split(".")
    module = importlib.import_module(".".join([package.__name__, *modules])) if modules else package
    return getattr(module, last)


def _directive(package, name):
    of = _find(package, name)
    if not (of.__doc__ or "").strip():
        raise SystemExit(f"actio.{name} has no docstring")
    if not isinstance(of, type):
        return [f".. autofunction:: actio.{name}"]
    if issubclass(of, BaseException):
        return [f".. autoexception:: actio.{name}", "   :members:", "   :show-inheritance:"]
    return [f".. autoclass:: actio.{name}", "   :members:", "   :special-members: __getitem__, __len__, __enter__, __call__"]


def _methods(module):
    lines = ["# Methods as classes", "", module.__doc__.split("\n\n")[0], "",
             "Each has the fields of its [method](../../methods/index.md) as keywords, and `compose={\"order\": 4}` where it can be composed.", "",
             "```{eval-rst}", ".. autoclass:: actio.methods.Method", "   :members:", "```", "",
             "| class | method | order | |", "|-|-|-|-|"]
    for name in sorted(vars(module)):
        of = getattr(module, name)
        if isinstance(of, type) and issubclass(of, module.Method) and of is not module.Method:
            words = (of.__doc__ or "").strip().split("\n")[0].replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")
            lines.append(f"| `{name}` | [`{of.name}`](../../methods/{of.name}.md) | {of.order or 'adaptive'} | {words} |")
    return [*lines, ""]


def _index(package):
    lines = ["# Python", "", "The package `actio`, from its docstrings. [Python](../../python.md) explains it by examples.", "", "| | |", "|-|-|"]
    for name, title, words, objects in PAGES:
        lines.append(f"| [{title}]({name}.md) | {', '.join(f'`{one.rpartition(chr(46))[2]}`' for one in objects)} |")
    lines += ["| [Methods as classes](methods.md) | `Verlet`, `Newmark`, `Midpoint`, ... |", "", f"This is version {package.__version__}.", "",
              "```{toctree}", ":hidden:", "", *[page[0] for page in PAGES], "methods", "```", ""]
    return lines
