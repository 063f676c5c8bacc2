"""Pictures: what is drawn, the command, the terminal."""

import numpy as np
import pytest

import actio
from actio.cli import plot

pytest.importorskip("matplotlib").use("agg")


def test_panels_show_what_there_is(examples):
    run = actio.run(examples / "damped-oscillator.toml")
    figure = run.plot()
    assert len(figure.axes) == 3  # energy, ledger, coordinates
    line = figure.axes[0].lines[0]
    np.testing.assert_array_equal(line.get_ydata(), run.energy - run.energy[0])


def test_columns_and_planes(examples):
    run = actio.run(examples / "oscillator.toml")
    figure = run.plot("x, y", "x : y", title="both")
    upper, lower = figure.axes
    assert len(upper.lines) == 2 and upper.get_legend() is not None
    np.testing.assert_array_equal(lower.lines[0].get_xdata(), run["x"])
    with pytest.raises(KeyError, match="did you mean"):
        run.plot("energ")


def test_peaks_of_long_runs_are_drawn():
    from actio.plotting import MOST_POINTS, _thinned

    t = np.arange(10.0 * MOST_POINTS)
    x = np.zeros_like(t)
    x[12345], x[54321] = 7, -3
    thin_t, thin_x = _thinned(t, x)
    assert len(thin_t) <= MOST_POINTS + 20 and thin_x.max() == 7 and thin_x.min() == -3
    assert thin_t[thin_x.argmax()] == 12345


def test_command_draws_files(examples, tmp_path, capsys):
    for kind in ("svg", "png"):
        out = tmp_path / f"p.{kind}"
        assert plot([str(examples / "oscillator.toml"), "-m", "verlet", "-m", "newmark", "-o", str(out)]) == 0
        assert out.stat().st_size > 5000
    assert "verlet" in (tmp_path / "p.svg").read_text() or (tmp_path / "p.svg").stat().st_size > 10000


def test_command_draws_on_the_terminal(examples, tmp_path, capsys):
    pytest.importorskip("h5py")
    out = tmp_path / "run.h5"
    actio.run(examples / "oscillator.toml", output=out)
    assert plot([str(out), "-p", "energy", "-p", "x : y"]) == 0
    text = capsys.readouterr().out
    assert any("\u2800" < letter <= "\u28ff" for letter in text) and "E - E0" in text and "y over x" in text


def test_command_names_what_is_wrong(examples, capsys):
    assert plot([str(examples / "oscillator.toml"), "-p", "enrgy"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert plot(["nowhere.toml"]) == 2
    assert "cannot open" in capsys.readouterr().err
    assert plot(["nowhere.h5"]) == 2


def test_a_notebook_shows_every_figure(monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.delenv("MPLBACKEND", raising=False)
    of_actio = """import actio
run = actio.System(coordinates=["x"], mass=1, potential="x^2").run(step=0.1, end=1, position=[1])
run.plot("x");"""
    of_matplotlib = "import matplotlib.pyplot as plt\nfigure, axis = plt.subplots()"
    cells = [nbformat.v4.new_code_cell(code) for code in (of_actio, of_matplotlib)]
    book = nbclient.NotebookClient(nbformat.v4.new_notebook(cells=cells), kernel_name="python3").execute()
    for cell in book.cells:
        assert any("image/png" in out.get("data", {}) for out in cell.outputs)


@pytest.mark.parametrize("names", [list("ab"), list("abcde"), ["a long name of a run that is one of five"] * 5])
def test_the_legend_of_several_runs_stands_above_the_lines(examples, names):
    run = actio.run(examples / "oscillator.toml")
    axis = actio.plotting.plot({f"{name}{i}": run for i, name in enumerate(names)}, "x").axes[0]
    axis.figure.canvas.draw()
    legend, lines, whole = (thing.get_window_extent() for thing in (axis.get_legend(), axis, axis.figure))
    assert legend.y0 >= lines.y1 - 1 and legend.x1 <= whole.x1 and legend.y1 <= whole.y1
