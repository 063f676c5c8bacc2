"""Systems in Python words, methods, steps, structures."""

import inspect
import json
import subprocess

import numpy as np
import pytest

import actio

KEPLER = dict(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)",
              symmetry={"name": "angular momentum", "generator": ["-y", "x"]})
START = dict(position=[1.0, 0.0], velocity=[0.0, 0.8])


def test_a_system_is_a_problem_file_and_back(tmp_path):
    system = actio.System(title='Two "bodies"', parameters={"k": 0.1 + 0.2}, **KEPLER)
    text = system.to_toml(method="verlet", step=0.01, end=10, **START)
    file = tmp_path / "kepler.toml"
    file.write_text(text)
    ours, theirs = system.run(method="verlet", step=0.01, end=10, **START), actio.run(file)
    np.testing.assert_array_equal(ours.q, theirs.q)
    assert theirs.problem.title == 'Two "bodies"'
    np.testing.assert_allclose(ours.momentum["angular momentum"], 0.8, rtol=1e-13)


def test_numbers_keep_their_bits():
    position = np.random.default_rng(1).normal(size=50)
    system = actio.System(coordinates=["x[50]"], mass=1, term=[{"over": "i = 0..49", "potential": "0.5*x[i]^2"}])
    problem = system.problem(method="verlet", step=0.1, steps=1, position=list(position))
    np.testing.assert_array_equal(problem.q0, position)


def test_terms_and_tables():
    n = 20
    system = actio.System(coordinates=[f"x[{n}]"], mass=1,
                          term=[{"over": f"i = 0..{n - 2}", "potential": "0.5*(x[i+1] - x[i])^2"}])
    run = system.run(method="midpoint", step=0.1, end=20, position={"x": "sin(pi*i/10)"})
    assert run["x"].shape == (201, n) and run.certificate.verdict == "kept"


@pytest.mark.parametrize("name", actio.methods.__all__)
def test_every_method_has_a_class_that_a_person_can_read(name):
    method = getattr(actio.methods, name)
    assert inspect.isclass(method) and method.__doc__
    if method is actio.methods.Method:
        return
    made = method()
    assert made.to_table()["name"] == made.name and "From:" in method.__doc__
    for word, parameter in inspect.signature(method).parameters.items():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if word != "compose":
            assert method(**{word: parameter.default}).to_table()[word] == parameter.default


def test_methods_are_those_of_the_program(program):
    theirs = json.loads(subprocess.run([program, "list", "--json"], check=True, capture_output=True).stdout)
    assert [m["name"] for m in theirs] == [getattr(actio.methods, n).name for n in actio.methods.__all__ if n != "Method"]


def test_fields_and_composition_reach_the_run():
    system = actio.System(**KEPLER)
    run = system.run(method=actio.methods.Verlet(compose={"order": 4}), step=0.02, end=10, **START)
    assert "order 4" in run.problem.method
    coarse = system.run(method="verlet", step=0.02, end=10, **START)
    assert np.ptp(run.energy) < 0.1 * np.ptp(coarse.energy)


def test_simulation_steps_as_a_run_does():
    system = actio.System(**KEPLER)
    run = system.run(method="verlet", step=0.01, end=1, **START)
    sim = system.simulation(method="verlet", h=0.01, **START)
    for k in range(1, 101):
        sim.step()
        np.testing.assert_array_equal(sim.q, run.q[k])
    assert sim.steps == 100 and sim.t == run.t[-1] and sim.energy == run.energy[-1]
    sim.step(50, h=-0.01)
    np.testing.assert_allclose(sim.q, run.q[50], atol=1e-13)


def test_simulation_goes_on_from_what_was_saved_to_the_bit():
    for method in ("verlet", "midpoint", "newmark", "cvode-adams"):
        sim = actio.System(**KEPLER).simulation(method=method, h=0.05, **START)
        sim.step(10)
        saved = sim.save()
        sim.step(20)
        end = sim.state
        other = actio.System(**KEPLER).simulation(method=method, h=0.05, **START)
        other.restore(saved)
        other.step(20)
        if method != "cvode-adams":  # writing its state changes what follows
            np.testing.assert_array_equal(other.q, end.q)
        assert other.steps == sim.steps == 30


def test_simulation_refuses_the_state_of_another():
    one = actio.System(**KEPLER).simulation(method="verlet", h=0.05, **START)
    two = actio.System(**KEPLER).simulation(method="midpoint", h=0.05, **START)
    before = one.state
    with pytest.raises(actio.InputError, match="another"):
        one.restore(two.save())
    for wrong in (b"", b"junk", one.save()[:-3]):
        with pytest.raises(actio.InputError):
            one.restore(wrong)
    np.testing.assert_array_equal(one.q, before.q)
    with pytest.raises(actio.InputError, match="3 numbers"):
        one.start(0, [1, 2, 3], [0, 0])
    with pytest.raises(actio.InputError, match="finite"):
        one.start(0, [1, float("nan")], [0, 0])


def test_structure_from_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    n = 30
    K = sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1]).tocsr() * 100.0
    M = np.linspace(1, 2, n)
    mode = np.linalg.eigh(K.toarray() / np.sqrt(np.outer(M, M)))
    w, shape = np.sqrt(mode[0][0]), mode[1][:, 0] / np.sqrt(M)
    run = actio.Structure(M, K).run(method="newmark", step=0.001, end=1, every=10, position=list(shape))
    np.testing.assert_allclose(run["u"], np.cos(w * run.t)[:, None] * shape, atol=2e-5 * abs(shape).max())
    dense = actio.Structure(np.diag(M), K.toarray(), fixed=[0, "u[5..6]"]).run(method="newmark", step=0.001, end=0.1,
                                                                                   velocity={"u": "where(i == 0 or (i > 4 and i < 7), 0, 1)"})
    assert (dense["u[0]"] == 0).all() and (dense["u"][:, 5:7] == 0).all() and (dense["u[7]"] != 0).any()
    with pytest.raises(ValueError, match="shape"):
        actio.Structure(np.ones(3), K)


def test_solve_ivp():
    system = actio.System(**KEPLER)
    at = np.linspace(0, 10, 7)
    fourth = actio.methods.Verlet(compose={"order": 4})
    fine = actio.solve_ivp(system, (0, 10), [1, 0, 0, 0.8], max_step=0.001, method=fourth, t_eval=at)
    coarse = actio.solve_ivp(system, (0, 10), [1, 0, 0, 0.8], max_step=0.005, method=fourth, t_eval=at)
    assert fine.y.shape == (4, 7) and fine.success
    np.testing.assert_allclose(fine.y, coarse.y, atol=3e-6)
    whole = actio.solve_ivp(system, (0, 1), [1, 0, 0, 0.8], max_step=0.3)
    assert whole.t.tolist() == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    with pytest.raises(TypeError, match="System"):
        actio.solve_ivp(lambda t, y: y, (0, 1), [1, 0], max_step=0.1)
    with pytest.raises(ValueError, match="t_eval"):
        actio.solve_ivp(system, (0, 1), [1, 0, 0, 0.8], max_step=0.1, t_eval=[2])


def test_one_term_may_be_a_mapping():
    term = {"over": "k = 0..1", "potential": "0.5*(x[k+1] - x[k])^2"}
    one, several = (actio.System(coordinates=["x[3]"], mass=1, term=given) for given in (term, [term]))
    words = {"step": 0.1, "end": 1, "position": [0, 1, 3]}
    assert one.to_toml(**words) == several.to_toml(**words)
    assert one.run(**words).certificate.verdict == "kept"
    rod = {"name": "rod", "expression": "x^2 + y^2 - 1"}
    pendulum = actio.System(coordinates=["x", "y"], mass=1, potential="y", constraint=rod)
    assert "rod" in pendulum.run(method="rattle", step=0.1, end=1, position=[1, 0]).multipliers


def test_outputs_are_columns_with_their_extremes(tmp_path):
    system = actio.System(coordinates=["u[3]"], mass=1, fixed="u[0]",
                          term={"over": "i = 0..1", "potential": "50*(u[i+1] - u[i])^2"},
                          output={"roof": "u[2] - u[0]", "shear": {"value": "reaction(u[0])", "unit": "N"}})
    words = dict(method="newmark", step=0.01, end=2, position={"u": "0.1*i"}, velocity={"u": 0})
    run = system.run(**words)
    roof = run.observed["roof"]
    assert np.array_equal(roof, run["u"][:, 2] - run["u"][:, 0])
    figures = run.certificate.observables.roof
    assert (figures.largest, figures.last) == (roof.max(), roof[-1])
    assert run.t[roof.argmax()] == figures.largest_time
    assert run.certificate.observables.shear.unit == "N"
    assert np.allclose(run["shear"], -100 * run["u"][:, 1], rtol=0, atol=1e-12)
    (tmp_path / "p.toml").write_text(system.to_toml(**words))
    again = actio.run(tmp_path / "p.toml", {"output.roof": "u[1]"})
    assert np.array_equal(again["roof"], run["u"][:, 1])
    assert np.array_equal(again["shear"], run["shear"])


def test_a_spinning_top_is_the_example(examples):
    top = actio.System(
        parameters={"m": 1.0, "g": 9.81, "L": 0.1}, bodies={"name": "top", "mass": "m", "inertia": [0.002, 0.002, 0.0008]},
        potential="m*g*top.z", joint={"name": "tip", "type": "spherical", "between": ["top.point(0, 0, -L)", "ground.point(0, 0, 0)"]},
        symmetry=[{"name": "angular momentum about the vertical", "rotation": [0, 0, 1]},
                  {"name": "spin about the axis of the top", "body": "top", "axis": [0, 0, 1]}])
    start = {"orientation": {"axis": [1, 0, 0], "angle": 0.3}, "position": [0, "-L*sin(0.3)", "L*cos(0.3)"], "angular_velocity": [0, 0, 200]}
    ours = top.run(method="rattle", step=1e-3, end=0.2, every=10, bodies={"top": start})
    theirs = actio.run(examples / "heavy-top.toml", {"run.end": 0.2})
    np.testing.assert_array_equal(ours.q, theirs.q)
    assert ours.certificate.verdict == "kept" and "spin about the axis of the top" in ours.momentum


def test_a_two_link_arm_of_bodies_moves_as_its_angles_do():
    rod = {"mass": 1, "inertia": [1e-3, 1 / 12, 1 / 12]}
    hinge = {"type": "revolute"}
    arm = actio.System(
        bodies=[{"name": "upper", **rod}, {"name": "lower", **rod}], potential="9.81*(upper.z + lower.z)",
        joint=[{"name": "shoulder", **hinge, "between": ["upper.point(-0.5, 0, 0)", "ground.point(0, 0, 0)"],
                "axes": ["upper.axis(0, 1, 0)", "ground.axis(0, 1, 0)"]},
               {"name": "elbow", **hinge, "between": ["lower.point(-0.5, 0, 0)", "upper.point(0.5, 0, 0)"],
                "axes": ["lower.axis(0, 1, 0)", "upper.axis(0, 1, 0)"]}])
    start = {"upper": {"position": [0.5, 0, 0]}, "lower": {"position": [1.5, 0, 0]}}
    run = arm.run(method="rattle", step=1e-3, end=1, every=10, bodies=start)
    angles = actio.System(
        coordinates=["a", "b"],
        lagrangian="a'^2/6 + a'^2/2 + b'^2/6 + a'*b'*cos(a - b)/2 - 9.81*(1.5*sin(a) + 0.5*sin(b))")
    exact = angles.run(method="midpoint", step=1e-3, end=1, every=10, position=[0, 0])
    np.testing.assert_allclose(run["lower.z"], np.sin(exact["a"]) + 0.5 * np.sin(exact["b"]), atol=1e-4)
    assert run.certificate.verdict == "kept" and np.ptp(run["lower.z"]) > 1


def test_keywords_of_others_are_understood():
    system = actio.System(coordinates=["theta"], lagrangian="0.5*theta'^2 + cos(theta)", units=None)
    words = dict(method="midpoint", step=0.1, end=1, position=[2.0])
    run = system.run(**words)
    for other, ours in (("dt", "step"), ("t_end", "end"), ("x0", "position"), ("stepp", "step")):
        with pytest.raises(TypeError, match=f"did you mean '{ours}'"):
            system.run(**words, **{other: 1})
    with pytest.raises(KeyError) as caught:
        run["theta_dot"]
    assert 'did you mean "theta\'"' in caught.value.args[0]


def test_what_is_missing_is_said_in_words_of_python():
    pendulum = actio.System(coordinates=["theta"], lagrangian="0.5*(1 + theta^2)*theta'^2 + cos(theta)")
    with pytest.raises(actio.InputError, match="methods that fit: variational, midpoint, gauss"):
        pendulum.run(step=0.1, end=1, position=[1.0])
    with pytest.raises(actio.InputError, match="give position="):
        pendulum.run(method="midpoint", step=0.1, end=1)
    shaken = actio.System(coordinates=["x"], mass=1, potential="x^2", base={"acceleration": [0.0, 1.0], "direction": [1.0]})
    with pytest.raises(actio.InputError, match="samples over time are a signal") as error:
        shaken.run(method="newmark", step=0.1, end=1, position=[1.0])
    assert "signals = {" in error.value.hint


@pytest.mark.filterwarnings("ignore::actio.CertificateWarning")
def test_certificates_have_the_lines_of_observables_and_name_balances_and_gains():
    damped = actio.System(coordinates=["x"], mass=1, potential="0.5*x^2", dissipation="0.05*x'^2", output={"twice": "2*x"})
    run = damped.run(method="newmark", step=0.1, end=20, position=[1.0])
    assert "the energy balance exactly" in run.certificate.kept
    assert str(run.certificate).splitlines()[-1].startswith("  twice           largest 2 at t = 0")
    lossy = damped.run(method=actio.methods.Newmark(beta=0.25, gamma=0.4), step=0.1, end=5, position=[1.0])
    assert lossy.certificate.ledger.method < 0 and "gain by the method: " in str(lossy.certificate)
    lost = damped.run(method=actio.methods.Newmark(beta=0.3025, gamma=0.6), step=0.1, end=5, position=[1.0])
    assert lost.certificate.ledger.method > 0 and "loss by the method: " in str(lost.certificate)
