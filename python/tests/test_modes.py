"""Modes and matrices, beside scipy's."""

import numpy as np
import pytest

import actio

sparse = pytest.importorskip("scipy.sparse")
linalg = pytest.importorskip("scipy.linalg")
FRAME = "examples/frame.toml"


def chain(n):
    """A fixed-free chain: K, M."""
    K = sparse.diags([[-1.0] * (n - 1), [2.0] * (n - 1) + [1.0], [-1.0] * (n - 1)], [-1, 0, 1])
    return 3 * K, 0.5 * np.ones(n)


def closed_form(k, n):
    return 2 * np.sqrt(6) * np.sin((2 * np.asarray(k) - 1) * np.pi / (4 * n + 2))


@pytest.mark.parametrize("n", [12, 500])  # decomposed, and by Lanczos
def test_modes_of_a_structure_are_those_of_the_closed_formula(n):
    K, M = chain(n)
    modes = actio.Structure(M, K, base={"acceleration": "sin(t)", "direction": 1}).modes(7)
    np.testing.assert_allclose(modes.omega, closed_form(range(1, 8), n), rtol=1e-8)
    assert modes.shapes.shape == (7, n) and modes.not_proved == "" and modes.rigid == 0
    np.testing.assert_allclose(modes.shapes @ (M[:, None] * modes.shapes.T), np.eye(7), atol=1e-9)
    assert modes.directions == ["base acceleration"]
    np.testing.assert_allclose(modes.participation[:, 0], modes.shapes @ M, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(modes.effective_mass, modes.participation**2)
    np.testing.assert_allclose(modes.mass, [0.5 * n])


def test_modes_are_those_of_scipy_on_the_exported_matrices():
    modes, (M, K) = actio.modes(FRAME, 24), actio.matrices(FRAME)
    assert sparse.issparse(M) and M.shape == K.shape == (24, 24)
    w2, shapes = linalg.eigh(K.toarray(), M.toarray())
    np.testing.assert_allclose(modes.omega**2, w2, rtol=1e-9)
    moving = modes.shapes[:, 6:]  # the six coordinates of the supports are fixed
    np.testing.assert_array_equal(modes.shapes[:, :6], 0)
    np.testing.assert_allclose(np.abs(np.sum((moving @ M.toarray()) * shapes.T, axis=1)), 1, rtol=1e-6)


def test_files_of_the_command_line_are_those_of_scipy(tmp_path, program):
    import subprocess

    io = pytest.importorskip("scipy.io")
    subprocess.run([program, "modes", FRAME, "-q", "--matrices", tmp_path / "f", "-o", tmp_path / "f.h5"], check=True)
    M, K = io.mmread(tmp_path / "f.M.mtx"), io.mmread(tmp_path / "f.K.mtx")
    w2 = linalg.eigh(K.toarray(), M.toarray(), eigvals_only=True)
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "f.h5") as file:
        np.testing.assert_allclose(file["omega"][()] ** 2, w2[:10], rtol=1e-9)
        assert file["shape"].shape == (10, 30) and file["effective_mass"].shape == (10, 1)


def test_a_system_has_modes_where_it_starts():
    pendulum = actio.System(coordinates=["theta"], mass=1, potential="-9.81*cos(theta)")
    hanging, upright = pendulum.modes(position=[0.0]), pendulum.modes(position=["pi"])
    np.testing.assert_allclose(hanging.period, 2 * np.pi / np.sqrt(9.81))
    assert upright.growing == 1 and np.isnan(upright.omega[0])
    np.testing.assert_allclose(upright.growth, np.sqrt(9.81))
    M, K = pendulum.matrices(position=[0.0])
    assert M[0, 0] == 1 and K[0, 0] == pytest.approx(9.81)


def test_modes_can_be_read():
    pd = pytest.importorskip("pandas")
    free = actio.Structure(np.ones(3), np.array([[1.0, -1, 0], [-1, 2, -1], [0, -1, 1]]))
    modes = free.modes()
    assert len(modes) == 3 and modes.rigid == 1 and list(modes.numbers()) == [0, 1, 2]
    table = modes.to_pandas()
    assert isinstance(table, pd.DataFrame) and list(table.index) == [0, 1, 2]
    np.testing.assert_allclose(table["omega"], [0, 1, np.sqrt(3)], atol=1e-12)
    assert "1 rigid mode" in repr(modes) and "<td" in modes._repr_html_() and "rigid" in modes._repr_html_()


def test_wrong_input_is_refused():
    K, M = chain(3)
    structure = actio.Structure(M, K)
    with pytest.raises(actio.InputError, match="0 modes are asked for"):
        structure.modes(0)
    with pytest.raises(actio.InputError, match="has 3, one for each coordinate that moves"):
        structure.modes(4)
    with pytest.raises(actio.InputError, match="the system has constraints"):
        actio.modes("examples/double-pendulum.toml")
    with pytest.raises(TypeError, match="position"):
        actio.modes(FRAME, position=[1])


def test_overrides_change_the_problem():
    modes = actio.modes("examples/pendulum.toml", overrides={"system.parameters.g": 4 * 9.81, "initial.position": [0]})
    np.testing.assert_allclose(modes.omega, 2 * np.sqrt(9.81))
