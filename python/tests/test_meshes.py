"""Meshes as objects, probes in memory, surfaces of the model."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import actio
from actio.report import scene

STEEL = {"model": "neo-hookean", "E": 1e6, "nu": 0.3, "density": 1000}
# Two tetrahedra with a common face; node 5 belongs to none.
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [9, 9, 9]], float)
TETRAHEDRA = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])


def beam(mesh, **words):
    return actio.System(solid={"mesh": mesh, "fixed": ["root"], "material": STEEL, "gravity": [0, 0, -1], **words})


def box(gmsh):
    gmsh.initialize(interruptible=False)  # which leaves Ctrl-C to Python
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.occ.addBox(0, 0, 0, 1, 0.2, 0.2)
    gmsh.model.occ.synchronize()
    gmsh.model.addPhysicalGroup(3, [1], name="all")
    for name, x in (("root", 0.0), ("tip", 1.0)):
        faces = [tag for _, tag in gmsh.model.getEntities(2) if abs(gmsh.model.occ.getCenterOfMass(2, tag)[0] - x) < 1e-9]
        gmsh.model.addPhysicalGroup(2, faces, name=name)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.2)
    gmsh.model.mesh.generate(3)


def test_a_model_of_gmsh_runs_as_its_file_does(tmp_path):
    gmsh = pytest.importorskip("gmsh", exc_type=ImportError)
    box(gmsh)
    try:
        gmsh.option.setNumber("Mesh.MshFileVersion", 2.2)
        mesh = actio.Mesh.from_gmsh(gmsh)
        assert gmsh.option.getNumber("Mesh.MshFileVersion") == 2.2 and gmsh.option.getNumber("Mesh.Binary") == 0
        gmsh.write(str(tmp_path / "box.msh"))
        gmsh.model.add("empty")
        with pytest.raises(ValueError, match="generate"):
            actio.Mesh.from_gmsh(gmsh)
    finally:
        gmsh.finalize()
    words = {"method": "energy-momentum", "step": 0.01, "end": 0.2}
    probe = [{"name": "tip", "group": "tip"}]
    ours = beam(mesh, probe=probe).run(**words)
    theirs = beam(str(tmp_path / "box.msh"), probe=probe).run(**words)
    np.testing.assert_allclose(ours.q, theirs.q, atol=1e-9)  # the file in text has 16 digits
    assert ours["tip.z"][-1] < ours["tip.z"][0]
    # meshio reads the file with its groups, and the object runs
    meshio = pytest.importorskip("meshio")
    again = beam(meshio.read(tmp_path / "box.msh"), probe=probe).run(**words)
    np.testing.assert_allclose(again["tip.z"], ours["tip.z"], atol=1e-12)


def test_meshes_of_meshio(tmp_path):
    meshio = pytest.importorskip("meshio")
    sets = {"root": [None, [0]], "body": [[0, 1], None]}
    mesh = meshio.Mesh(POINTS, [("tetra", TETRAHEDRA), ("triangle", [[0, 2, 1], [1, 4, 3]])], cell_sets=sets)
    system = beam(mesh)
    run = system.run(method="newmark", step=0.01, end=0.5)
    assert len(run.coordinates) == 15
    np.testing.assert_array_equal(run.q[:, :9], run.q[0, :9] + np.zeros((len(run), 1)))  # the root is fixed
    assert (run.q[-1, 9:] != run.q[0, 9:]).any()
    found = scene.scene_of(run)  # without a file beside the problem
    assert len(found.faces) == 6 and not any({tuple(POINTS[i]) for i in face} == {tuple(POINTS[i]) for i in (1, 2, 3)} for face in found.faces)
    system.save(tmp_path)
    (tmp_path / "two.toml").write_text(system.to_toml(method="newmark", step=0.01, end=0.5))
    np.testing.assert_array_equal(actio.run(tmp_path / "two.toml").q, run.q)


def test_errors_of_meshes_name_the_argument():
    meshio = pytest.importorskip("meshio")
    cells = [("tetra", TETRAHEDRA)]
    for mesh, words in ((meshio.Mesh(POINTS, cells), "root"), (meshio.Mesh(POINTS * np.nan, cells), "mesh")):
        with pytest.raises(actio.InputError, match=words) as error:
            beam(mesh).problem(step=0.1, end=1)
        assert "tmp" not in str(error.value) and "tmp" not in (error.value.file or "")


def test_probes_are_columns(examples, tmp_path):
    output = tmp_path / "beam.h5"
    run = actio.run(examples / "cantilever.toml", {"run.end": 0.2}, output=output)
    stored = actio.Trajectory.read(output)
    for name in ("tip.x", "tip.z", "tip.z'", "p(tip.z)"):
        np.testing.assert_array_equal(run[name], stored[name])
    only = actio.run(examples / "cantilever.toml", {"run.end": 0.2}, states="")
    np.testing.assert_array_equal(only["tip.z"], run["tip.z"])
    assert "tip.z" in run.keys() and "tip.z" in run.to_pandas() and "tip.z" in run.to_xarray()


def test_trajectories_are_pickled_and_copied(examples):
    run = actio.run(examples / "cantilever.toml", {"run.end": 0.1})
    shallow = copy.copy(run)
    assert shallow.q is run.q and shallow.problem is run.problem
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        np.testing.assert_array_equal(other.q, run.q)
        np.testing.assert_array_equal(other["tip.z"], run["tip.z"])
        assert str(other.certificate) == str(run.certificate) and other.keys() == run.keys()
        assert repr(other) == repr(run) and other.problem.text == run.problem.text
        assert scene.scene_of(other).faces == scene.scene_of(run).faces != []


def test_a_pool_gives_trajectories_back(examples):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        run = pool.apply(actio.run, (str(examples / "kepler.toml"), {"run.end": 10}))
    np.testing.assert_array_equal(run.q, actio.run(examples / "kepler.toml", {"run.end": 10}).q)
