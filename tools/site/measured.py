"""The measured pages: accuracy, speed, the certificate's two error rates, reliability.

Known answers are computed when the site is built; times are those of bench/results, with the processor and the date they name;
tests are listed from their sources. No figure is typed here, but published answers with their source.
"""

import re

HEAD = ("date", "commit", "cores", "processor", "compiler", "versions", "load", "command", "reference", "DOLFINx")
WITHOUT = ("against", "build-before", "certificate-before", "certificate", "build")  # of bench/results: not the speed of a run
TEST = re.compile(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", re.MULTILINE)


def write_pages(root, folder):
    """docs/measured: four pages."""
    folder.mkdir(parents=True)
    pages = {"accuracy": _accuracy(root), "speed": _speed(root), "error-rates": _rates(root), "reliability": _reliability(root)}
    for name, lines in pages.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def text(words):
    return re.sub(r"([*_<>|\[\]\\`])", r"\\\1", words)


def sentence(suite, test):
    """HeavyTop, precesses_steadily -> "Heavy top: precesses steadily"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", suite).lower()
    return f"{words[:1].upper()}{words[1:]}: {test.replace('_', ' ')}"


# Published answers: the problem, overrides, coordinates at the end, what they should be, and from where.
IVP = "Test Set for Initial Value Problem Solvers (Mazzia, Magherini)"
ORDER_8 = {"method.compose": {"order": 8, "scheme": "kahan-li"}}
ANSWERS = (
    ("Pleiades at t = 3", "pleiades.toml", {"run.step": 1e-4}, None,
     (.3706139143970502, 3.237284092057233, -3.222559032418324, .6597091455775310, .3425581707156584, 1.562172101400631, -.7003092922212495,
      -3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470, 1.198213693392275, -.2429682344935824,
      1.091449240428980), IVP),
    ("Car axis at t = 3, `rattle`", "car-axis.toml", {"run.step": 1e-4}, None,
     (.0493455784275402809, .496989460230171154, 1.04174252488542152, .373911027265361257), IVP),
    ("Car axis at t = 3, `lobatto` of degree 3", "car-axis.toml",
     {"method.name": "lobatto", "method.degree": 3, "run.step": 1e-3}, None,
     (.0493455784275402809, .496989460230171154, 1.04174252488542152, .373911027265361257), IVP),
    ("Henon-Heiles at t = 100", "henon-heiles.toml", {}, None, (-.040194237876, .679016921772), "extended precision"),
    ("Simple pendulum at t = 10: sin(theta), -cos(theta)", "pendulum.toml", {**ORDER_8, "run.step": 0.01, "run.end": 10},
     "pendulum", (.275087462576117, -.961419205099125), "IFToMM benchmark A01, in extended precision"),
    ("The two-degree problem of Bathe at its step 12, `newmark`", "BATHE", {}, None, (1.396784, 2.312925),
     "the same method, in extended precision; K.-J. Bathe, Finite Element Procedures, chapter 9, has (1.40, 2.31)"),
)
BATHE = {"coordinates": ["x", "y"], "mass": [2, 1], "stiffness": [[6, -2], [-2, 4]], "load": {"pattern": [0, 10]}}


def _answer(root, name, overrides, read):
    import actio
    import numpy

    if name == "BATHE":
        run = actio.System(**BATHE).run(method="newmark", step=0.28, steps=12, position=[0, 0])
    else:
        run = actio.run(root / "examples" / name, {**overrides, "run.every": 1})
    q = run.q[-1]
    return numpy.array([numpy.sin(q[0]), -numpy.cos(q[0])]) if read == "pendulum" else q


def _accuracy(root):
    import numpy

    lines = ["# Accuracy", "", "## Known answers", "",
             "Computed when this site was built, by the problem files of `examples/`. The error is the largest of all coordinates; that of a "
             "method of order 2 is mostly the method's own.", "", "| problem | error at the end | the answer is from |", "|-|-|-|"]
    for title, name, overrides, read, expected, source in ANSWERS:
        error = numpy.abs(_answer(root, name, overrides, read) - numpy.array(expected)).max()
        lines.append(f"| {title} | {error:.1e} | {text(source)} |")
    lines += ["", "## What the tests compare", "",
              "Each is a test that `./actio test` runs. They state their tolerances beside the answers, in `tests/cases`.", "",
              *_tests(root, "tests/cases/*.cpp", {
                  "known_answers": "Published and recomputed answers", "car_axis": "Constraints that move", "nist_lennard_jones": "NIST: Lennard-Jones",
                  "nist_water": "NIST: water", "bodies": "Rigid bodies", "solids": "Solids", "static_solids": "Static equilibrium",
                  "solid_output": "Reactions and stress", "frequencies": "Frequencies", "modes": "Modes", "damping_ratios": "Damping ratios",
                  "drag": "Drag", "friction": "Friction", "kept_factors": "Factorisations that serve several steps"}),
              "Every method is held to its stated order, its conservation laws and its symmetry on every system that it takes: the tests in "
              "`tests/laws`.", "",
              *_tests(root, "tests/laws/*.cpp", {}, folded=True),
              "## Work and precision beside others", ""]
    for name in ("precision", "work-precision-small", "outer-planets", "close-encounters", "ewald"):
        lines += _result(root, name)
    return lines


def _tests(root, pattern, titles, folded=False):
    lines, all_tests = [], []
    for path in sorted(root.glob(pattern)):
        found = [sentence(*test) for test in TEST.findall(path.read_text(encoding="utf-8"))]
        if not found:
            continue
        all_tests += found
        if not folded:
            lines += [f"**{titles.get(path.stem, path.stem.replace('_', ' '))}**", "", *[f"- {text(one)}" for one in found], ""]
    if folded:
        lines = [f"- {text(one)}" for one in all_tests] + [""]
    return lines


def _parts(path):
    """What a results file says of its run, and the rest of it."""
    head, rest = {}, []
    for line in path.read_text(encoding="utf-8").split("\n"):
        found = re.match(rf"({'|'.join(HEAD)})\s{{2,}}(.*)", line) or re.match(rf"({'|'.join(HEAD)}) {{1,}}(\S.*)", line)
        if found and found.group(1) not in head and len(rest) < 8:
            head[found.group(1)] = found.group(2).strip()
        else:
            rest.append(line)
    return head, "\n".join(rest).strip("\n")


def _result(root, name, level="###"):
    head, rest = _parts(root / "bench/results" / f"{name}.txt")
    said = [f"{key} {text(head[key])}" for key in ("processor", "cores", "compiler", "versions", "load", "date", "commit") if key in head]
    return [f"{level} {name.replace('-', ' ')}", "", *(["; ".join(said) + ".", ""] if said else []), "```text", rest, "```", ""]


def _speed(root):
    folder = root / "bench/results"
    names = sorted(path.stem for path in folder.glob("*.txt") if path.stem not in WITHOUT)
    goals = (root / "bench/README.md").read_text(encoding="utf-8")
    about = {}
    for work, program, beside in re.findall(r"^\| (.*?) \| (.*?) \| (.*?) ?\|$", goals, re.MULTILINE):
        for one in re.findall(r"`([^`]+)`", program):
            name = re.sub(r"\.py$", "", one.rstrip("/")).replace("/", "-").replace("_", "-")
            for known in names:  # "python-close-encounters" printed close-encounters.txt
                if known in (name, name.removeprefix("python-")) or known.startswith(f"{name.removeprefix('python-')}-"):
                    about.setdefault(known, (work, beside))
    lines = ["# Speed", "", "Whole runs beside loops by hand and other programs, as the programs of [bench](../../bench/README.md) printed them. "
             "A file keeps the date, the processor and the versions. Ratios within one table mean something; times of two tables that were "
             "measured on different machines or beside other work do not. Goals, and which of them are missed, stand "
             "[beside the programs](../../bench/README.md#limits).", "", "| | work | beside | date | processor |", "|-|-|-|-|-|"]
    sections = []
    for name in names:
        head, _ = _parts(folder / f"{name}.txt")
        work, beside = about.get(name, ("", ""))
        processor = re.sub(r"\(R\)|, \d+ cores$|, family.*", "", head.get("processor", "")).strip()
        lines.append(f"| [{name}](#{name}) | {work.removeprefix('... ')} | {beside} | {head.get('date', '')} | {text(processor)} |")
        sections += [f"({name})=", *_result(root, name, "##")]
    return [*lines, "", *sections]


def _rates(root):
    source = (root / "bench/results/certificate.txt").read_text(encoding="utf-8")
    head, _ = _parts(root / "bench/results/certificate.txt")
    table, _, rest = source.partition("\nkind ")[2].partition("\n\n")
    lines = ["# The certificate's error rates", "",
             "How often is a verdict wrong? A run that is spoiled must not be `kept`; a run that is sound must not be `failed`, nor "
             "`unresolved` where its laws can be measured. "
             "`bench/certificate` makes both kinds of runs, with verdicts that are known beforehand, and `tests/certificate` makes the short "
             "ones with every test run. [The certificate](../certificate.md) explains the verdicts.", "",
             f"Measured {head.get('date', '')} at {text(head.get('commit', ''))}, {text(head.get('processor', ''))}, "
             f"{head.get('cores', '')} cores.", "", "| kind | runs | false kept | false failed | false unresolved |", "|-|-|-|-|-|"]
    for line in table.split("\n")[1:]:
        *kind, runs, kept, failed, unresolved = line.split()
        name = f"**{' '.join(kind)}**" if kind[0] == "all" else text(" ".join(kind))
        lines.append(f"| {name} | {runs} | {kept} | {failed} | {unresolved} |")
    return [*lines, "", "The runs whose verdict is wrong, and what measuring costs:", "", "```text", rest.strip("\n"), "```"]


def _reliability(root):
    topics = (
        ("Kills and interrupts", "A run is killed at random times, again and again, and resumed from its checkpoint. It must end with the same "
         "rows, the same observables and the same certificate, to the bit, as a run that was never stopped. [Checkpoints](../checkpoint.md).",
         ("tests/cli/checkpoint.cpp", "tests/run/checkpoint.cpp")),
        ("Files in any state", "Problem files, matrices, records and meshes are cut off, and bytes of them are changed at random. Each must be "
         "read, or be refused with an error that names the place; none may crash the program or take memory without bound.",
         ("tests/io/hostile.cpp", "tests/io/hostile_files.cpp", "tests/io/hostile_meshes.cpp")),
        ("Full disks and files that are in the way", "A disk fills up at any byte. What was written before must be whole, and the run must say "
         "what happened.", ("tests/run/full_disk.cpp", "tests/cli/files.cpp")),
        ("The cache of compiled energies", "A compiler fails, hangs, or writes nonsense; files of the cache are damaged, or belong to others.",
         ("tests/expr/cache.cpp",)),
    )
    lines = ["# Reliability", "", "What is done to runs and files in the tests, and what must then hold. The list is made from the tests' "
             "sources; each runs with `./actio test`, and once more under the address and undefined-behaviour sanitizers with "
             "`./actio sanitize`.", ""]
    for title, words, files in topics:
        lines += [f"## {title}", "", words, ""]
        for name in files:
            source = (root / name).read_text(encoding="utf-8")
            found = TEST.findall(source)
            if not found:
                raise SystemExit(f"{name} has no tests: tools/site/measured.py lists them")
            lines += [f"- {text(sentence(*test))}" for test in found]
        lines.append("")
    return lines
