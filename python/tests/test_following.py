"""Steps that follow the motion, in Python."""

import actio
import numpy as np
import pytest


def orbit(**words):
    return actio.System(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)", **words)


START = {"position": [0.1, 0.0], "velocity": [0.0, np.sqrt(19.0)]}


def test_a_run_has_the_times_of_its_steps():
    run = orbit().run(method="verlet", step={"reversible": "(x^2 + y^2)^0.75", "eps": 0.02}, end=20, **START)
    h = np.diff(run.t)
    r = np.hypot(run["x"], run["y"])[:-1]
    assert run.certificate.verdict == "kept"
    assert h.max() > 20 * h.min()
    assert abs(h / (0.02 * r**1.5) - 1).max() < 0.1
    assert run.t[-2] < 20 <= run.t[-1]
    assert run.certificate.shortest == pytest.approx(h.min(), rel=1e-9)
    assert run.certificate.longest == pytest.approx(h.max(), rel=1e-9)


def test_times_of_ones_own_and_the_trajectory_between_steps():
    system = orbit()
    exact = system.run(method="gauss", step=0.001, end=7, at=[1.0, 7.0], **START)
    run = system.run(method={"name": "gauss", "stages": 6}, step={"poincare": "sqrt(x^2 + y^2)", "eps": 0.1}, end=7, at=[1.0, 7.0], **START)
    assert list(run.t) == [1.0, 7.0]
    assert abs(run.q - exact.q).max() < 1e-7
    assert run.certificate.verdict == "kept"


def test_a_simulation_takes_its_reference_where_it_starts():
    sim = orbit().simulation(method="log-hamiltonian", h=0.001, **START)
    sim.step(100)
    t, q, energy = sim.t, sim.q.copy(), sim.energy
    assert energy == pytest.approx(-0.5, abs=1e-12)
    saved = sim.save()
    sim.step(100)
    later = sim.q.copy()
    sim.restore(saved)
    assert sim.t == t and (sim.q == q).all()
    sim.step(100)
    assert (sim.q == later).all()


def test_a_sweep_of_eps():
    table = actio.sweep(orbit(), {"run.step.eps": [0.04, 0.02]}, method="verlet", step={"reversible": "(x^2 + y^2)^0.75", "eps": 0.1}, end=20, **START)
    errors = [row["energy_error"] for row in table.rows]
    assert 3.5 < errors[0] / errors[1] < 4.5


def test_what_is_wrong_is_said():
    with pytest.raises(actio.InputError, match="eps is -0.1"):
        orbit().run(method="verlet", step={"reversible": "x", "eps": -0.1}, end=1, **START)
    with pytest.raises(actio.InputError, match="positive"):
        orbit().run(method="verlet", step={"reversible": "-1 - x^2", "eps": 0.1}, end=1, **START)
