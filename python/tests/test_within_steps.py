"""Observations and events within steps."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import actio

KEPLER = dict(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)")
SECTION = {"name": "section", "when": "x", "direction": "up", "record": ["y", "y'", "x"]}


def henon_heiles(**words):
    return actio.System(coordinates=["x", "y"], mass=1, potential="(x^2 + y^2)/2 + x^2*y - y^3/3",
                        initial={"position": {"x": 0, "y": -0.25}, "velocity": {"x": 0.420812705765, "y": 0}}, **words)


def test_at_and_every_time():
    times = [0, 0.123, 1, 2.5]
    run = actio.System(**KEPLER).run(step=0.01, end=3, at=times, position=[1, 0], velocity=[0, 1])
    assert run.t.tolist() == times
    assert np.abs(run.q - np.stack([np.cos(times), np.sin(times)], 1)).max() < 1e-4
    spaced = actio.System(**KEPLER).run(step=0.01, end=1, every_time=0.25, position=[1, 0], velocity=[0, 1])
    assert spaced.t.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_events_of_the_file(tmp_path):
    run = henon_heiles(event=SECTION).run(method={"name": "verlet", "compose": {"order": 6}}, step=0.1, end=300,
                                          output=tmp_path / "run.h5")
    table = run.events["section"]
    assert list(table) == ["t", "y", "y'", "x"]
    assert run.counts == {"section": len(table["t"])} and len(table["t"]) > 40
    assert np.abs(table["x"]).max() < 1e-12
    assert run["section.y'"] is table["y'"]
    again = actio.Trajectory.read(tmp_path / "run.h5")
    assert again.counts == run.counts
    for name, column in table.items():
        assert (again.events["section"][name] == column).all()
    run.save(tmp_path / "saved.h5")
    saved = actio.Trajectory.read(tmp_path / "saved.h5")
    assert saved.counts == run.counts and saved.event_words == {"section": "x"}
    assert all((saved.events["section"][name] == column).all() for name, column in table.items())
    assert pickle.loads(pickle.dumps(run)).events["section"]["y"].tolist() == table["y"].tolist()
    with pytest.raises(KeyError, match="did you mean .*section.y"):
        run["section.z'"]


def test_sections_are_drawn():
    run = henon_heiles(event=SECTION).run(step=0.1, end=100)
    figure = run.plot("section", "energy")
    line = figure.axes[0].lines[0]
    assert line.get_marker() == "." and len(line.get_xdata()) == run.counts["section"]
    assert figure.axes[0].get_xlabel() == "section.y" and figure.axes[0].get_ylabel() == "section.y'"


def test_functions_as_events():
    def bottom(t, q, v):
        return q[0]

    bottom.direction = 1
    bottom.terminal = 3
    run = henon_heiles().run(step=0.1, end=300, events={"bottom": bottom, "turn": lambda t, q, v: v[1]})
    same = henon_heiles(event=[{"name": "bottom", "when": "x", "direction": "up", "do": "stop", "count": 3},
                               {"name": "turn", "when": "y'"}]).run(step=0.1, end=300)
    assert run.counts == same.counts and run.counts["bottom"] == 3
    assert (run.events["turn"]["t"] == same.events["turn"]["t"]).all()
    assert run.t[-1] == run.events["bottom"]["t"][-1]


def test_an_exception_of_an_event_passes_through():
    def broken(t, q, v):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        henon_heiles().run(step=0.1, end=3, events={"broken": broken})


def test_a_trajectory_at_any_time():
    errors = []
    for h in (0.2, 0.1):
        t = np.arange(0, 1.01, h)
        run = actio.System(**KEPLER).run(step=h, end=1, position=[1, 0], velocity=[0, 1])
        run.q[:], run.v[:] = np.stack([np.cos(t), np.sin(t)], 1), np.stack([-np.sin(t), np.cos(t)], 1)  # the exact states
        times = np.linspace(0, 1, 101)
        q, v = run(times)
        errors.append(np.abs(q - np.stack([np.cos(times), np.sin(times)], 1)).max())
    assert 5.8 < np.log2(errors[0] / errors[1]) < 6.2
    one, speed = run(0.55)
    assert one.shape == speed.shape == (2,)
    assert (run(run.t)[0] == run.q).all()
    with pytest.raises(ValueError, match="leaves the observations"):
        run(1.5)


def test_a_trajectory_of_a_file_at_any_time(tmp_path):
    run = actio.System(**KEPLER).run(step=0.1, end=1, position=[1, 0], velocity=[0, 1], output=tmp_path / "run.h5")
    again = actio.Trajectory.read(tmp_path / "run.h5")
    assert (again(0.55)[0] == run(0.55)[0]).all()


def test_solve_ivp_as_scipy_has_it():
    def ground(t, y):
        return y[0]

    ground.terminal = True
    ground.direction = -1
    ball = actio.System(coordinates=["z"], mass=1, potential="9.81*z")
    out = actio.solve_ivp(ball, (0, 10), [1, 0], max_step=0.01, events=[ground, lambda t, y: y[1] + 1], dense_output=True)
    assert out.status == 1
    assert out.t_events[0] == pytest.approx([np.sqrt(2 / 9.81)], abs=1e-14)
    assert out.t_events[1] == pytest.approx([1 / 9.81], abs=1e-14)
    assert out.y_events[0] == pytest.approx(np.array([[0, -np.sqrt(2 * 9.81)]]), abs=1e-13)
    assert out.sol(0.3) == pytest.approx([1 - 9.81 / 2 * 0.09, -9.81 * 0.3], abs=1e-12)
    assert out.sol(np.array([0.1, 0.2])).shape == (2, 2)
    assert out.t[-1] == out.t_events[0][-1]


def test_names_and_answers_of_functions():
    stars = henon_heiles()
    for name in ("", "a b", "../x", "observed"):
        with pytest.raises(actio.InputError, match="name"):
            stars.run(step=0.1, end=1, events={name: lambda t, q, v: q[0]})
    with pytest.raises(actio.InputError, match="two events"):
        henon_heiles(event=SECTION).run(step=0.1, end=1, events={"section": lambda t, q, v: q[0]})
    with pytest.raises(TypeError, match="mapping"):
        stars.run(step=0.1, end=1, events=[lambda t, q, v: q[0]])
    with pytest.raises(TypeError):
        stars.run(step=0.1, end=1, events={"none": lambda t, q, v: None})
    assert stars.run(step=0.1, end=30, events={"array": lambda t, q, v: np.asarray(q[0])}).counts["array"] > 2


def test_a_dense_solution_can_be_pickled():
    ball = actio.System(coordinates=["z"], mass=1, potential="9.81*z")
    out = actio.solve_ivp(ball, (0, 1), [1, 0], max_step=0.01, dense_output=True)
    assert (pickle.loads(pickle.dumps(out)).sol(0.3) == out.sol(0.3)).all()


def test_words_that_are_wrong():
    with pytest.raises(actio.InputError, match="event.0..when"):
        henon_heiles(event={"when": "z"}).run(step=0.1, end=1)
    with pytest.raises(TypeError, match="did you mean 'at'"):
        henon_heiles().run(step=0.1, end=1, t_eval=[0, 1])
