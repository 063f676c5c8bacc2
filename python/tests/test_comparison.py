"""Certificates side by side."""

import json
import subprocess

import numpy as np
import pytest

import actio


def test_rows_are_those_of_the_certificates():
    kepler = actio.System(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)",
                          symmetry={"name": "angular momentum", "generator": ["-y", "x"]})
    runs = {name: kepler.run(method=name, step=0.05, end=50, position=[1, 0], velocity=[0, 0.8]) for name in ("verlet", "cvode-adams")}
    table = actio.compare(runs)
    for name, run in runs.items():
        assert table["verdict"][name] == run.certificate.verdict
        assert table["energy: largest error"][name] == run.certificate.energy.max_error
        assert table["angular momentum: largest error"][name] == run.certificate.momentum["angular momentum"].max_error
    assert table["symplecticity: defect"]["cvode-adams"] is None  # it chooses its own steps
    assert "loss by the method" not in table  # no friction, no loss: no ledger


def test_it_is_shown_as_a_table():
    pendulum = actio.System(title="<pendulum>", coordinates=["theta"], lagrangian="0.5*theta'^2 + cos(theta)")
    table = actio.compare({"<a>": pendulum.run(method="midpoint", step=0.1, end=10, position=[2.0])})
    lines = str(table).splitlines()
    assert len(lines) == 1 + len(table) and len({len(line) for line in lines}) == 1
    assert "kept" in lines[1]
    assert "&lt;a&gt;" in table._repr_html_() and "<a>" not in table._repr_html_()


def test_a_reference_measures_errors_as_the_program_does(examples, program):
    file, words = examples / "kepler.toml", {"run.end": 5}
    table = actio.compare({name: actio.run(file, {**words, "method.name": name}) for name in ("verlet", "midpoint")},
                          reference="rk4@0.001")
    done = subprocess.run([program, "compare", file, "-m", "verlet,midpoint", "--reference", "rk4@0.001", "run.end=5", "--json"],
                          capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    for name, row in zip(("verlet", "midpoint"), theirs["runs"]):
        assert table["position error"][name] == row["errors"]["position"]
        assert table["position error at the end"][name] == row["errors"]["position_at_end"]
        assert table["peak error of x"][name] == row["errors"]["peaks"]["x"]
    assert table.reference == theirs["reference"]
    verlet = actio.run(file, words)
    every = round(verlet.problem.step / 0.001) * verlet.problem.every
    exact = actio.run(file, {**words, "method.name": "rk4", "run.step": 0.001, "run.every": every})
    away = np.linalg.norm(verlet.q - exact.q, axis=1) / np.linalg.norm(exact.q - exact.q[0], axis=1).max()
    assert table["position error"]["verlet"] == pytest.approx(away.max(), rel=1e-9)
    assert table["position error at the end"]["verlet"] == pytest.approx(away[-1], rel=1e-9)
    assert "position error: |q - q_ref|" in repr(table) and "reference: rk4" in table._repr_html_()


def test_a_reference_that_does_not_fit_is_refused(examples):
    run = actio.run(examples / "kepler.toml", {"run.end": 1})
    for words, message in [("verlt@0.1", "did you mean"), ("rk4", "for example rk4@0.0001"), ("rk4@-1", "not a positive step")]:
        with pytest.raises(actio.InputError, match=message):
            actio.compare({"a": run}, reference=words)
    other = actio.System(coordinates=["z"], mass=1, potential="z^2").run(step=0.1, end=1, position=[1.0])
    with pytest.raises(actio.InputError, match="of one problem"):
        actio.compare({"a": run, "b": other}, reference="rk4@0.01")


def test_a_driven_run_has_no_energy_error():
    driven = actio.System(coordinates=["x"], mass=1, potential="x^2", force={"x": "sin(t)"})
    table = actio.compare({"a": driven.run(step=0.1, end=5, position=[1.0])})
    assert "energy: largest error" not in table and "no energy error where forces act" in repr(table)
