"""Sweeps: a table of all combinations."""

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
