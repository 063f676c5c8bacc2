"""Sweeps: a table of all combinations."""

import math
import subprocess
import sys

import pytest

import actio


def test_all_combinations_are_runs_of_their_own(examples):
    file = examples / "kepler.toml"
    table = actio.sweep(file, {"method": ["verlet", actio.methods.Midpoint()], "run.step": [0.02, 0.01]}, overrides={"run.end": 10},
                        measure={"x": lambda run: run["x"][-1]}, jobs=2, keep=True)
    assert [(row["method"], row["run.step"]) for row in table.rows] == [
        ("verlet", 0.02), ("verlet", 0.01), ("Midpoint()", 0.02), ("Midpoint()", 0.01)]
    alone = actio.run(file, {"method.name": "midpoint", "run.step": 0.01, "run.end": 10})
    assert table.rows[3]["x"] == alone["x"][-1] and table.rows[3]["energy_error"] == alone.certificate.energy.max_error
    assert table.rows[3]["x.last"] == alone["x"][-1] and table.rows[3]["x.largest"] == max(alone["x"], key=abs)
    assert table.rows[3]["drift_per_step"] == alone.certificate.energy.drift_per_step
    assert table.rows[1]["energy_error"] < 0.5 * table.rows[0]["energy_error"]
    assert (table.trajectories[3].q == alone.q).all() and "verdict=kept" in repr(table)


def test_failed_runs_are_rows():
    system = actio.System(coordinates=["x"], mass=1, potential="k*x^4", parameters={"k": 1}, initial={"position": [1.0]})
    table = actio.sweep(system.problem(method="verlet", step=0.01, end=10), {"system.parameters.k": [1, -1]},
                        measure={"end": lambda run: run.t[-1]})
    assert [row["verdict"] for row in table.rows] == ["kept", "failed"]
    assert table.rows[1]["error"] and table.rows[1]["end"] is None and table.rows[0]["end"] == pytest.approx(10)


def test_wrong_values_are_refused_before_the_first_run(examples):
    with pytest.raises(actio.InputError, match="stp"):
        actio.sweep(examples / "kepler.toml", {"run.stp": [1, 2]})


def test_tables(examples):
    pytest.importorskip("pandas")
    table = actio.sweep(examples / "kepler.toml", {"run.step": [0.02, 0.01]}, overrides={"run.end": 5})
    assert list(table.to_pandas()["run.step"]) == [0.02, 0.01] and "<table" in table._repr_html_()


def test_a_sweep_is_drawn_over_its_numbers(examples):
    pytest.importorskip("matplotlib").use("agg")
    table = actio.sweep(examples / "kepler.toml", {"method.name": ["verlet", "midpoint"], "run.step": [0.04, 0.02, 0.01]},
                        overrides={"run.end": 5}, measure={"x at the end": lambda run: run["x"][-1]})
    axes = table.plot().axes[0]
    assert axes.get_xlabel() == "run.step" and axes.get_ylabel() == "energy_error" and axes.get_xscale() == "log"
    assert [line.get_label() for line in axes.lines] == ["verlet", "midpoint"]
    x, y = axes.lines[0].get_data()
    assert list(x) == [0.01, 0.02, 0.04] and list(y) == [row["energy_error"] for row in table.rows[2::-1]]
    assert table.plot("x at the end", log=False).axes[0].get_yscale() == "linear"
    with pytest.raises(KeyError, match="there is no column"):
        table.plot("colour")
    with pytest.raises(ValueError, match="numbers"):
        actio.sweep(examples / "kepler.toml", {"method.name": ["verlet"]}, overrides={"run.end": 1}).plot()


DUFFING = actio.System(coordinates=["x"], mass=1, potential="0.5*k*x^2 + x^4", parameters={"k": 1.0}, force={"x": "0.1*sin(t)"})


def test_a_system_is_swept_by_keywords():
    table = actio.sweep(DUFFING, k=[1, 2], step=0.1, end=5, position=[1.0], method="newmark")
    assert [row["k"] for row in table.rows] == [1, 2] and table.rows[0]["x.last"] != table.rows[1]["x.last"]
    same = actio.sweep(DUFFING, {"k": [1, 2]}, step=0.1, end=5, position=[1.0], method="newmark")
    assert [row["x.last"] for row in same.rows] == [row["x.last"] for row in table.rows]
    with pytest.raises(actio.InputError, match="give position="):
        actio.sweep(DUFFING, k=[1, 2], step=0.1, end=5)
    with pytest.raises(TypeError, match="must be a list of values"):
        actio.sweep(DUFFING, k=1, step=0.1, end=5, position=[1.0])
    with pytest.raises(TypeError, match="no values"):
        actio.sweep(DUFFING, step=0.1, end=5, position=[1.0])
    with pytest.raises(TypeError, match="overrides="):
        actio.sweep(DUFFING.problem(step=0.1, end=5, position=[1.0]), k=[1, 2], step=0.2)


def test_a_driven_sweep_has_no_energy_error_and_is_drawn_by_what_it_observes():
    pytest.importorskip("matplotlib").use("agg")
    table = actio.sweep(DUFFING, k=[1, 2], step=0.1, end=5, position=[1.0])
    assert all(math.isnan(row["energy_error"]) and math.isnan(row["drift_per_step"]) for row in table.rows)
    assert "no energy error where forces act" in repr(table)
    assert table.plot().axes[0].get_ylabel() == "x.largest"


@pytest.mark.parametrize("across, words", [
    ("k", ["k=1,2,3"]), ("run.step", ["method.name=verlet,rk4", "run.step=0.1,0.05"]), ("k", ["k=1,2", "run.step=0.1,0.05"])])
def test_the_command_line_draws_a_sweep(tmp_path, across, words):
    pytest.importorskip("matplotlib")
    swing = actio.System(coordinates=["x"], mass=1, potential="0.5*k*x^2 + x^4", parameters={"k": 1.0})
    (tmp_path / "swing.toml").write_text(swing.to_toml(step=0.1, end=5, position=[1.0]))
    done = subprocess.run([sys.executable, "-m", "actio", "sweep", "swing.toml", *words, "--plot", "a.svg"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0 and "energy" in done.stdout and done.stdout.endswith("a.svg\n"), done
    picture = (tmp_path / "a.svg").read_text()
    assert f"<!-- {across} -->" in picture and "<!-- energy_error -->" in picture  # matplotlib names its labels
