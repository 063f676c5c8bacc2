"""Advice from Python, beside the program's."""

import json
import os
import subprocess

import pytest

import actio

PENDULUM = "examples/pendulum.toml"


def test_lines_of_the_first_choice_run():
    advice = actio.advise(PENDULUM)
    assert advice.best is not None and advice.best["error"] < 4e-4 and advice.best["verdict"] == "kept"
    assert advice.lines.startswith('[method]\nname = "') and "\n[run]\nstep = " in advice.lines
    assert str(advice).endswith(advice.lines)
    costs = [m["cost"] for m in advice.methods if m["tried"] and m["measured"]]
    assert costs == sorted(costs)
    pytest.importorskip("pandas")
    assert list(advice.to_pandas()["cost"].dropna()) == costs


def test_a_system_needs_no_method_and_no_step():
    pendulum = actio.System(coordinates=["theta"], lagrangian="0.5*theta'^2 + cos(theta)")
    advice = actio.advise(pendulum, methods=["verlet", "midpoint"], tries=2, error=1e-3, end=100, position=[2.0])
    assert {m["name"] for m in advice.methods} == {"verlet", "midpoint"}
    assert advice.error == 1e-3 and advice.window[0] == 0
    best = advice.best
    method = {"name": best["name"]}
    run = pendulum.run(method=method, step=best["step"], end=100, position=[2.0])
    assert run.certificate.verdict == "kept"


def test_advice_is_that_of_the_program():
    program = os.environ.get("ACTIO_PROGRAM")
    if not program:
        pytest.skip("no program")
    options = ["--methods", "midpoint", "--json"]
    made = json.loads(subprocess.run([program, "advise", PENDULUM, *options], capture_output=True, check=True, text=True).stdout)
    advice = actio.advise(PENDULUM, methods=["midpoint"])
    assert advice.best["method"] == made["best"] and advice.best["step"] == made["methods"][0]["step"]
    assert advice.facts["system"] == made["facts"]["system"]


def test_what_is_wrong_is_said():
    with pytest.raises(actio.InputError, match='no parameter "gg"'):
        actio.advise(PENDULUM, {"system.parameters.gg": 1})
    with pytest.raises(actio.InputError, match="the error is 0; it must be between 0 and 1"):
        actio.advise(PENDULUM, error=0)
    with pytest.raises(actio.InputError, match="none of these methods takes the system"):
        actio.advise(PENDULUM, methods=["lie-group"])
    with pytest.raises(actio.InputError, match="has an ensemble"):
        actio.advise("examples/henon-heiles-ensemble.toml")
    with pytest.raises(TypeError, match="a file takes overrides, not end"):
        actio.advise(PENDULUM, end=3)
    spring = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q)
    with pytest.raises(TypeError):
        actio.advise(spring, end=3, position=[1.0])
