"""``actio plot`` and ``actio report``: pictures and pages of problem files and trajectories."""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from typing import Any

from .errors import ActioError
from .trajectory import Trajectory


def plot(words: list[str]) -> int:
    """The command ``actio plot``. Gives the exit code: 0, 1 for a run that failed, 2 for wrong input."""
    parser = argparse.ArgumentParser(
        prog="actio plot",
        description="Draws runs over t: what each kept of energy and momenta, its ledger, its coordinates.",
        epilog='Panels: energy, momentum, ledger, coordinates, any column ("theta"), several in one ("x, y"), a plane ("x : y"). '
        "Several files are laid over one another.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="trajectories (.h5), or problem files (.toml), which are run; KEY=VALUE changes those, as for actio run")
    parser.add_argument("-p", "--panel", action="append", default=[], metavar="WHAT", help="a panel; may be given several times")
    parser.add_argument("-m", "--method", action="append", default=[], metavar="NAME",
                        help="runs a problem file by this method; several are laid over one another")
    parser.add_argument("-o", "--output", metavar="FILE", help="a picture: .svg, .png, .pdf; without it, on the terminal")
    given = parser.parse_args(words)
    try:
        runs = _runs(given)
        if given.output:
            figure = _figure(runs, given.panel)
            figure.savefig(given.output)
            print(given.output)
        else:
            from .terminal import picture

            print(picture(runs, given.panel, width=_columns()))
    except ActioError as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, RuntimeError) else 2
    except (KeyError, OSError, ImportError, ValueError) as error:
        print(f"error: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    return 0


def report(words: list[str]) -> int:
    """The command ``actio report``. Gives the exit code: 0, 1 for a run that failed, whose page is written too, 2 for wrong input."""
    parser = argparse.ArgumentParser(
        prog="actio report",
        description="Writes a run as one HTML page: the problem, its certificate in plain words, plots, the ledger and what moves. "
        "The page needs no network.")
    parser.add_argument("file", metavar="FILE", help="a trajectory (.h5), or a problem file (.toml), which is run")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE", help="changes the problem file, as for actio run")
    parser.add_argument("-c", "--column", action="append", metavar="NAME",
                        help="a coordinate, velocity (\"x'\") or momentum (\"p(x)\") of the plots, in place of all coordinates; may be given several times")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page; without it, FILE with .html in the folder where you are")
    given = parser.parse_args(words)
    from .errors import RunError
    from .report import report as write

    out = given.output or os.path.splitext(os.path.basename(given.file))[0] + ".html"
    try:
        failure: RunError | None = None
        try:
            run = _run(given.file, given.overrides)
        except RunError as error:
            if error.trajectory is None:
                raise
            run, failure = error.trajectory, error
        write(run, out, given.column)
        print(out)
        if failure is not None:
            print(failure, file=sys.stderr)
        return 1 if run.certificate.verdict in ("failed", "stopped") else 0
    except ActioError as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, RuntimeError) else 2
    except (KeyError, OSError, ImportError, ValueError) as error:
        print(f"error: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2


def sweep(words: list[str]) -> int:
    """The command ``actio sweep ... --plot FILE``: the program's table, and a picture of it. Gives the exit code of the program."""
    from . import _core
    from .sweep import Sweep

    parser = argparse.ArgumentParser(prog="actio sweep", add_help=False, allow_abbrev=False)
    parser.add_argument("--plot", required=True, metavar="FILE")
    parser.add_argument("-o", "--output")
    given, others = parser.parse_known_args(words)
    if given.output and not given.output.lower().endswith(".csv"):
        print("error: with --plot the table is a .csv: -o table.csv", file=sys.stderr)
        return 2
    if not given.plot.lower().endswith((".svg", ".png", ".pdf")):
        print(f"error: the picture {given.plot!r} has no known format: end its name in .svg, .png or .pdf", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="actio-") as folder:
        table = given.output or os.path.join(folder, "table.csv")
        code = int(_core.command_line(["actio", "sweep", *others, "-o", table]))
        if not os.path.exists(table):
            return code
        try:
            rows = _rows_of(table)
            keys = [word.split("=", 1)[0] for word in others if "=" in word and not word.startswith("-")]
            import matplotlib

            matplotlib.use("agg")
            figure = Sweep([_as_row(row, [key for key in keys if key in row]) for row in rows], []).plot()
            figure.savefig(given.plot)
        except (KeyError, OSError, ImportError, ValueError) as error:
            print(f"error: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
            return 2
    if not {"-q", "--quiet", "--json"} & set(others):
        print(given.plot)
    return code


def _rows_of(table: str) -> list[dict[str, Any]]:
    """The lines of a table that the program wrote."""
    with open(table, newline="", encoding="utf-8") as file:
        return [{name: word if name in ("error", "failed", "verdict") else _number(word) for name, word in line.items()}
                for line in csv.DictReader(file)]


def _as_row(row: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """A row of a Sweep, with the values of its keys before the others."""
    others = {name: x for name, x in row.items() if name not in keys}
    return {**{key: row[key] for key in keys}, "verdict": "", "error": row.get("failed", ""), **others}


def _number(word: str) -> Any:
    try:
        return float(word)
    except ValueError:
        return float("nan") if word == "" else word


def _run(file: str, overrides: list[str]) -> Trajectory:
    from . import _core
    from .problem import run

    wrong = [word for word in overrides if "=" not in word]
    if wrong:
        raise ValueError(f"{wrong[0]!r} is no KEY=VALUE; one file makes one report")
    if not file.endswith(".toml"):
        if overrides:
            raise ValueError("KEY=VALUE changes a problem file; a trajectory has been run already")
        return Trajectory.read(file)
    return run(_core.load(file, overrides, ""))


def _columns() -> int:
    try:
        return os.get_terminal_size().columns
    except OSError:
        return 80


def _figure(runs: dict[str, Trajectory], panels: list[str]) -> Any:
    import matplotlib

    matplotlib.use("agg")
    from .plotting import plot as draw

    return draw(runs, *panels)


def _runs(given: argparse.Namespace) -> dict[str, Trajectory]:
    from . import _core
    from .problem import run

    out: dict[str, Trajectory] = {}
    overrides = [word for word in given.files if "=" in word]
    for file in (word for word in given.files if "=" not in word):
        if not file.endswith(".toml"):
            out[os.path.basename(file)] = Trajectory.read(file)
            continue
        for method in given.method or [""]:
            problem = _core.load(file, overrides, method)
            label = method or os.path.splitext(os.path.basename(file))[0]
            out[label] = run(problem)
    return {"": next(iter(out.values()))} if len(out) == 1 else out
