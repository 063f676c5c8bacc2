"""Potentials that are functions of Python."""

import numpy as np
import pytest

import actio

A = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]])


def value(q):
    return 0.5 * q @ A @ q + 0.25 * np.sum(q**4)


def gradient(q):
    return A @ q + q**3


def hessian(q):
    return A + np.diag(3 * q**2)


START = dict(position=[1.0, 0.5, -0.3], velocity=[0.0, 0.2, 0.1])
SAME = actio.System(coordinates=["u[3]"], mass=1, term=[
    {"over": "i = 0..2", "potential": "u[i]^2 + 0.25*u[i]^4"}, {"over": "i = 0..1", "potential": "-u[i]*u[i+1]"}])


@pytest.mark.parametrize("method", ["verlet", "midpoint", "newmark", "energy-momentum"])
def test_runs_as_the_expressions_do(method):
    code = actio.System.from_callbacks(value, gradient, hessian)
    if method == "energy-momentum":
        with pytest.raises(actio.InputError):
            code.run(method=method, step=0.05, end=10, **START)
        return
    ours = code.run(method=method, step=0.05, end=10, **START)
    theirs = SAME.run(method=method, step=0.05, end=10, **START)
    np.testing.assert_allclose(ours.q, theirs.q, atol=1e-10)
    np.testing.assert_allclose(ours.energy, theirs.energy, atol=1e-11)
    assert ours.certificate.kept == theirs.certificate.kept


def test_sparse_hessians_patterns_and_masses():
    sparse = pytest.importorskip("scipy.sparse")
    rows, columns = np.nonzero(A)
    plain = actio.System.from_callbacks(value, gradient, hessian, mass=np.diag([1.0, 2.0, 3.0]))
    whole = plain.run(method="midpoint", step=0.05, end=2, **START)
    for system in (
        actio.System.from_callbacks(value, gradient, lambda q: sparse.csr_matrix(hessian(q)), mass=[1, 2, 3], pattern=(rows, columns)),
        actio.System.from_callbacks(value, gradient, lambda q: hessian(q)[rows, columns], mass=sparse.diags([1.0, 2.0, 3.0]),
                                    pattern=(rows, columns)),
    ):
        np.testing.assert_allclose(system.run(method="midpoint", step=0.05, end=2, **START).q, whole.q, atol=1e-12)


def test_forces_and_time():
    driven = actio.System.from_callbacks(lambda t, q: 0.5 * q @ q - np.cos(t) * q[0], lambda t, q: q - np.cos(t), time=True,
                                         force=lambda t, q, v: -0.1 * v)
    run = driven.run(method="rk4", step=0.01, end=5, position=[0.0])
    w = np.sqrt(1 - 0.05**2)
    t = run.t
    # u'' + 0.1 u' + u = cos t: 10 sin t, and what decays
    exact = 10 * np.sin(t) - np.exp(-0.05 * t) * 10 / w * np.sin(w * t)
    np.testing.assert_allclose(run.q[:, 0], exact, atol=1e-8)


def test_exceptions_pass_through_and_shapes_are_checked():
    def broken(q):
        raise KeyError("table")

    with pytest.raises(KeyError, match="table"):
        actio.System.from_callbacks(value, broken).run(method="verlet", step=0.1, end=1, **START)
    with pytest.raises(actio.InputError, match="2 numbers in place of 3"):
        actio.System.from_callbacks(value, lambda q: q[:2]).run(method="verlet", step=0.1, end=1, **START)
    system = actio.System.from_callbacks(value, gradient)
    with pytest.raises(actio.InputError):  # no Hessian
        system.run(method="midpoint", step=0.1, end=1, **START)
    with pytest.raises(ValueError, match="step"):
        system.run(method="verlet", end=1, **START)
    with pytest.raises(TypeError, match="position"):
        system.run(method="verlet", step=0.1, end=1)
    with pytest.raises(TypeError, match="temperature"):
        system.run(method="verlet", step=0.1, end=1, temperature=1, **START)
    with pytest.raises(ValueError, match="mass"):
        actio.System.from_callbacks(value, gradient, mass=[1, 2]).run(method="verlet", step=0.1, end=1, **START)


def test_steps_one_by_one():
    sim = actio.System.from_callbacks(value, gradient, hessian).simulation(method="midpoint", h=0.05, **START)
    sim.step(20)
    run = SAME.run(method="midpoint", step=0.05, end=1, **START)
    np.testing.assert_allclose(sim.q, run.q[-1], atol=1e-11)


def test_symmetries_observables_and_outputs_are_those_of_expressions():
    words = dict(symmetry={"name": "spin", "generator": ["-q[1]", "q[0]"]}, output={"radius": "sqrt(q[0]^2 + q[1]^2)"},
                 observe={"name": "mean", "value": "q[0]*q[1]", "reduce": "mean"}, title="A plane")
    code = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q, lambda q: np.eye(2), **words)
    same = actio.System(coordinates=["q[2]"], mass=1, potential="0.5*(q[0]^2 + q[1]^2)", **words)
    start = dict(step=0.1, end=5, position=[1.0, 0.0], velocity=[0.0, 0.7])
    ours, theirs = code.run(method="midpoint", **start), same.run(method="midpoint", **start)
    np.testing.assert_allclose(ours["spin"], theirs["spin"], atol=1e-13)
    np.testing.assert_allclose(ours["radius"], theirs["radius"], atol=1e-13)
    assert "spin" in ours.certificate.kept and "spin" in theirs.certificate.kept
    assert ours.certificate.observed.mean.mean.value == pytest.approx(theirs.certificate.observed.mean.mean.value, abs=1e-13)
    assert "radius" in str(ours.certificate) and ours.problem.title == "A plane"
    with pytest.raises(actio.InputError, match="unknown name"):
        actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q, output={"a": "z"}).run(**start)


@pytest.mark.filterwarnings("ignore::actio.CertificateWarning")
def test_messages_speak_of_the_words_of_python():
    wrong = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q, lambda q: 2 * np.eye(1))
    broken = wrong.run(method="midpoint", step=0.1, end=5, position=[1.0]).certificate.broken
    assert any("the Hessian off those of the gradient by 5.0e-01" in sentence for sentence in broken)
    code = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q)
    with pytest.raises(actio.InputError, match=r"needs the Hessian \(hessian=\): give it") as error:
        code.run(method="midpoint", step=0.1, end=1, position=[1.0])
    assert error.value.hint.startswith("methods that fit: verlet")
    with pytest.raises(TypeError, match="position and velocity, not by 'temperature'"):
        code.run(step=0.1, end=1, position=[1.0], temperature=1.0)
