"""What users may do that is not foreseen: functions that ask back, exceptions in the middle, runs that end early."""

import copy
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import actio

KEPLER = dict(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)")
START = dict(position=[1.0, 0.0], velocity=[0.0, 0.8])


def spring(gradient):
    return actio.System.from_callbacks(lambda q: 0.5 * q @ q, gradient).simulation(method="verlet", h=0.01, position=[1.0])


def test_a_state_is_read_while_another_thread_steps():
    sim = spring(lambda q: q)
    other = threading.Thread(target=lambda: [sim.step(50) for _ in range(20)])
    other.start()
    while other.is_alive():
        now = sim.state
        assert abs(now.q[0] - np.cos(now.t)) < 0.1
    assert sim.steps == 1000


def test_a_function_may_not_ask_its_own_simulation():
    sims = []
    sim = spring(lambda q: sims[0].q if sims else q)
    sims.append(sim)
    with pytest.raises(actio.InputError, match="its own simulation"):
        sim.step()


def test_after_an_exception_in_a_step_there_is_no_state():
    calls = [0]

    def gradient(q):
        calls[0] += 1
        if calls[0] == 60:
            raise KeyError("table")
        return q

    sim = spring(gradient)
    sim.step(10)
    saved = sim.save()
    with pytest.raises(KeyError):
        sim.step(100)
    for ask in (lambda: sim.q, lambda: sim.step(), lambda: sim.energy, sim.save):
        with pytest.raises(actio.InputError, match="exception"):
            ask()
    sim.restore(saved)
    sim.step(10)
    assert sim.steps == 20 and abs(sim.q[0] - np.cos(0.2)) < 1e-5


def test_ctrl_c_ends_steps():
    import _thread

    sim = actio.System(**KEPLER).simulation(method="verlet", h=0.01, **START)
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(10**10)
    assert 0 < sim.steps < 10**10
    start = time.monotonic()
    sim.step(10)
    assert time.monotonic() - start < 10


def test_steps_in_parts_are_the_same_steps():
    one, parts = (actio.System(**KEPLER).simulation(method="verlet", h=0.01, **START) for _ in range(2))
    one.step(1000)
    for _ in range(10):
        parts.step(100)
    np.testing.assert_array_equal(one.q, parts.q)
    with pytest.raises(actio.InputError, match="t is not finite"):
        one.start(float("nan"), [1, 0], [0, 1])


def test_solve_ivp_says_nothing_beyond_an_early_end():
    system = actio.System(**KEPLER)
    early = actio.solve_ivp(system, (0, 10), [1, 0, 0, 0.8], max_step=0.01, t_eval=[1, 2, 5], observer=lambda k, t, *rest: t > 1.5)
    assert early.t.tolist() == [1, 2] and early.y.shape == (4, 2) and not early.success and early.status == -1
    for words, error in (({"max_step": -1.0}, ValueError), ({"max_step": 0.1, "every": 10}, TypeError),
                         ({"max_step": 0.1, "t_eval": [float("nan")]}, ValueError)):
        with pytest.raises(error):
            actio.solve_ivp(system, (0, 1), [1, 0, 0, 0.8], **words)


def test_a_method_replaces_the_one_before_with_all_its_fields(tmp_path):
    system = actio.System(**KEPLER)
    file = tmp_path / "newmark.toml"
    file.write_text(system.to_toml(method=actio.methods.Newmark(beta=0.3), step=0.05, end=5, **START))
    table = actio.sweep(file, {"method": [actio.methods.Newmark(), actio.methods.Newmark(beta=0.25)]})
    assert table.rows[0]["energy_error"] == table.rows[1]["energy_error"]
    file.write_text(system.to_toml(method=actio.methods.Verlet(compose={"order": 4}), step=0.05, end=5, **START))
    plain, composed = actio.sweep(file, {"method": ["verlet", actio.methods.Verlet(compose={"order": 4})]}).rows
    assert composed["energy_error"] < 0.5 * plain["energy_error"]
    assert actio.Simulation(file, "midpoint").problem.method == "midpoint"


def test_systems_are_sources_too():
    system = actio.System(**KEPLER, initial=START)
    words = {"run.step": 0.1, "run.end": 1, "method.name": "midpoint"}
    assert actio.load(system, words).method == "midpoint" and len(actio.run(system, words)) == 11
    sim = actio.Simulation(system, "verlet", h=0.1)
    sim.step(3)
    assert sim.t == pytest.approx(0.3)
    pytest.importorskip("scipy")
    structure = actio.Structure(np.ones(2), np.eye(2))
    problem = structure.problem(method="newmark", step=0.1, end=1, position=[1, 0])
    assert len(actio.run(problem, {"run.end": 2})) == 21
    code = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q).problem(step=0.1, end=1, position=[1])
    with pytest.raises(TypeError, match="overrides"):
        actio.run(code, {"run.end": 2})


def test_certificates_are_copied_and_pickled():
    run = actio.System(**KEPLER).run(method="verlet", step=0.1, end=1, **START)
    for again in (copy.copy(run.certificate), copy.deepcopy(run.certificate), pickle.loads(pickle.dumps(run.certificate))):
        assert again.energy.max_error == run.certificate.energy.max_error and str(again) == str(run.certificate)


def test_methods_of_the_same_coefficients_are_equal():
    Newmark = actio.methods.Newmark
    assert Newmark() == Newmark(beta=0.25) and hash(Newmark()) == hash(Newmark(beta=0.25))
    assert Newmark(beta=0.3, gamma=0.5) == Newmark(gamma=0.5, beta=0.3)
    assert hash(Newmark(beta=0.3, gamma=0.5)) == hash(Newmark(gamma=0.5, beta=0.3)) and Newmark() != Newmark(beta=0.3)


@pytest.mark.parametrize("words", [{"every": 0}, {"steps": -3}, {"end": -5}, {"end": 1, "steps": 3}, {"end": float("nan")},
                                   {"position": []}])
def test_schedules_of_callbacks_are_checked(words):
    system = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q)
    given = {"step": 0.1, "position": [1.0], **({} if "end" in words or "steps" in words else {"end": 1}), **words}
    with pytest.raises((actio.InputError, ValueError, TypeError)):
        system.problem(**given)


def test_masses_of_callbacks_are_checked():
    sparse = pytest.importorskip("scipy.sparse")
    for mass in (sparse.csr_matrix((2, 2)), np.array([[1.0, 5.0], [0.0, 1.0]]), [1.0, 2.0, 3.0]):
        system = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q, mass=mass)
        with pytest.raises((actio.InputError, ValueError)):
            system.run(method="verlet", step=0.1, end=1, position=[1.0, 1.0])


def test_ctrl_c_in_a_function_of_python_gives_back_what_was_observed():
    calls = [0]

    def gradient(q):
        calls[0] += 1
        if calls[0] == 300:
            signal.raise_signal(signal.SIGINT)
        time.sleep(1e-4)
        return q

    system = actio.System.from_callbacks(lambda q: 0.5 * q @ q, gradient)
    run = system.run(method="verlet", step=0.01, steps=10**6, position=[1.0])
    assert run.interrupted and 200 < len(run) < 10**5 and run.certificate.verdict == "stopped"
    np.testing.assert_allclose(run.q[:, 0], np.cos(run.t), atol=1e-3)

    def twice(q):
        calls[0] += 1
        if calls[0] in (300, 301):
            signal.raise_signal(signal.SIGINT)
        return q

    calls[0] = 0
    with pytest.raises(KeyboardInterrupt):
        actio.System.from_callbacks(lambda q: 0.5 * q @ q, twice).run(method="verlet", step=0.01, steps=10**6, position=[1.0])

    def observer(step, *rest):
        if step == 50:
            signal.raise_signal(signal.SIGINT)

    assert actio.System(**KEPLER).run(method="verlet", step=0.01, end=100, observer=observer, **START).interrupted


def test_ctrl_c_in_a_function_of_a_simulation_leaves_its_state():
    calls = [0]

    def gradient(q):
        calls[0] += 1
        if calls[0] == 60:
            signal.raise_signal(signal.SIGINT)
        return q

    sim = spring(gradient)
    with pytest.raises(KeyboardInterrupt):
        sim.step(10**6)
    assert abs(sim.q[0] - np.cos(sim.t)) < 1e-2


def test_warnings_name_the_line_of_the_user(tmp_path):
    file = tmp_path / "kepler.toml"
    system = actio.System(coordinates=["x"], mass=1, potential="0.5*x^2")
    words = dict(method="verlet", step=2.5, end=25, position=[1.0])  # beyond the limit of stability, 2
    file.write_text(system.to_toml(**words))
    for run in (lambda: system.run(**words), lambda: actio.run(file)):
        with pytest.warns(actio.CertificateWarning) as seen:
            run()
        assert {warning.filename for warning in seen} == {__file__}


def test_errors_of_structures_name_the_argument():
    pytest.importorskip("scipy")
    lopsided = np.array([[2.0, -1.0], [0.0, 2.0]])
    for words, name in (({"K": lopsided}, "K"), ({"M": np.array([-1.0, 1.0])}, "M"), ({"C": lopsided}, "C"),
                        ({"load": {"on": "u[7]", "force": "1"}}, "load")):
        given = {"M": np.ones(2), "K": np.eye(2), **words}
        with pytest.raises(actio.InputError) as error:
            actio.Structure(**given).problem(method="newmark", step=0.1, end=1)
        text = str(error.value)
        assert name in text and "actio-" not in text and "actio-" not in (error.value.file or ""), text
    with pytest.raises(ValueError, match="^M has the shape"):
        actio.Structure(np.ones(3), np.eye(2))
