"""The notebooks of examples/notebooks run to their end, and what they assert holds."""

import ast
import pathlib
import shutil
import subprocess
import sys

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))


def code_of(book):
    return [cell.source for cell in book.cells if cell.cell_type == "code"]


def packages_of(book):
    """The packages that a notebook imports, without those of Python's library."""
    names = set()
    for node in ast.walk(ast.parse("\n".join(code_of(book)))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)


def why_not(package):
    """The last line of what Python says where a package cannot be imported: gmsh also needs libraries of the system."""
    done = subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True, text=True)
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    book = nbformat.read(path, as_version=4)
    for package in sorted(packages_of(book) - {"actio"}):
        if reason := why_not(package):
            pytest.skip(f"it needs {package}: {reason}")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    folder = tmp_path / "examples" / "notebooks"
    client = nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_with_its_outputs(path):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert path.stat().st_size < 400_000
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))  # executed once, in order
    assert not any(out.output_type == "error" for cell in code for out in cell.outputs)
    assert any("assert " in cell.source for cell in code)
    shown = [str(out.get("text") or out.get("data", {}).get("text/plain", "")) for cell in code for out in cell.outputs]
    assert "/tmp/" not in "".join(shown)  # no path of the machine that ran it
