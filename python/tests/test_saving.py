"""Trajectories in files: saved from memory, read again, and with chosen columns."""

import subprocess
import sys

import numpy as np
import pytest

import actio

h5py = pytest.importorskip("h5py")

RUNS = {
    "kepler.toml": {"run.end": 2, "run.every": 2},
    "forced-pendulum.toml": {"run.end": 2},
    "observed-chain.toml": {},
    "double-pendulum.toml": {"run.end": 0.5},
    "heavy-top.toml": {"run.end": 0.1},
}


def datasets(path):
    """Every dataset of a file by its path."""
    out = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: out.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
        attributes = {name: value for name, value in file.attrs.items() if name != "certificate"}
    return out, attributes


@pytest.mark.parametrize("name", RUNS)
def test_a_saved_run_is_the_file_that_the_program_writes(examples, tmp_path, name):
    run = actio.run(examples / name, RUNS[name], output=tmp_path / "run.h5")
    run.save(tmp_path / "saved.h5")
    (theirs, their_words), (ours, our_words) = datasets(tmp_path / "run.h5"), datasets(tmp_path / "saved.h5")
    assert ours.keys() == theirs.keys() and our_words == their_words
    for key, column in theirs.items():
        assert np.array_equal(ours[key], column, equal_nan=column.dtype.kind == "f"), key


def test_a_saved_run_is_read_drawn_and_reported(examples, tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    run = actio.run(examples / "kepler.toml", {"run.end": 2})
    path = tmp_path / "run.h5"
    run.save(path)
    for again in (actio.Trajectory.read(path),):
        assert (again["x"] == run["x"]).all() and (again["angular momentum"] == run["angular momentum"]).all()
        assert again.certificate.verdict == "kept" and again.problem.text == run.problem.text
        again.plot()
        again.report(tmp_path / "page.html")
        again.save(tmp_path / "again.h5")
    assert datasets(tmp_path / "again.h5")[0].keys() == datasets(path)[0].keys()
    run.save(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().startswith("t,x,y,x',y',p(x),p(y),energy,angular momentum\n")
    done = subprocess.run([sys.executable, "-m", "actio", "plot", path], capture_output=True, text=True)
    assert done.returncode == 0 and "E - E0" in done.stdout, done.stderr


def test_what_a_run_left_out_is_left_out_of_the_file(examples, tmp_path):
    run = actio.run(examples / "kepler.toml", {"run.end": 1}, states="q")
    run.save(tmp_path / "q.h5")
    again = actio.Trajectory.read(tmp_path / "q.h5")
    assert again.q is None and (again["x"] == run["x"]).all() and (again["energy"] == run.energy).all()
    with pytest.raises(KeyError, match="run.columns"):
        again["x'"]


def test_reductions_and_figures_of_columns_are_saved(examples, tmp_path):
    run = actio.run(examples / "observed-chain.toml")
    run.save(tmp_path / "run.h5")
    again = actio.Trajectory.read(tmp_path / "run.h5")
    assert again.certificate.observed.to_dict() == run.certificate.observed.to_dict()


def test_a_system_of_functions_is_saved_too(tmp_path):
    run = actio.System.from_callbacks(lambda q: 0.5 * q @ q, lambda q: q).run(step=0.1, end=1, position=[1.0, 2.0])
    run.save(tmp_path / "run.h5")
    assert (actio.Trajectory.read(tmp_path / "run.h5")["q"] == run.q).all()


def test_probes_of_solids_stay_columns_beside_the_nodes(examples, tmp_path):
    run = actio.run(examples / "cantilever.toml", {"run.end": 0.002})
    run.save(tmp_path / "run.h5")
    again = actio.Trajectory.read(tmp_path / "run.h5")
    assert (again.q == run.q).all() and run.probed
    for name, column in run.probed.items():
        assert (again[name] == column).all()


CHOSEN = ["x", "y'", "energy", "angular momentum"]


@pytest.fixture
def chosen(examples, tmp_path):
    run = actio.run(examples / "kepler.toml", {"run.end": 1, "run.columns": CHOSEN}, output=tmp_path / "chosen.h5")
    return run, tmp_path / "chosen.h5"


def test_chosen_columns_are_read_by_their_names(chosen):
    run, path = chosen
    again = actio.Trajectory.read(path)
    assert again.keys() == ["t", "energy", "angular momentum", "x", "y'"]
    for name in CHOSEN:
        assert (again[name] == run[name]).all()
    assert again.q is None and run.q is not None
    assert "4 chosen columns" in repr(again)
    with pytest.raises(KeyError, match="only columns that were chosen"):
        again["y"]
    assert list(again.to_pandas().columns) == ["x", "y'", "energy", "angular momentum"]


def test_chosen_columns_of_families_and_observables(tmp_path):
    chain = actio.System(coordinates=["x[3]"], mass=1, term={"over": "i = 0..1", "potential": "(x[i+1] - x[i])^2"},
                         output={"length": "x[2] - x[0]"})
    run = chain.run(step=0.1, end=1, position=[1.0, 0.0, 2.0], columns=["x", "length"], output=tmp_path / "a.h5")
    again = actio.Trajectory.read(tmp_path / "a.h5")
    assert (again["x"] == run["x"]).all() and (again["length"] == run["length"]).all() and again.energy is None
    with pytest.raises(KeyError, match="'energy'"):
        again.plot("energy")


def test_chosen_columns_are_drawn_and_reported(chosen, tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    again = actio.Trajectory.read(chosen[1])
    assert [axis.get_ylabel().replace("\n", " ") for axis in again.plot().axes] == ["E - E0", "angular momentum - initial", "columns"]
    again.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "The file has only the columns that run.columns chose" in page and "no positions" in page


def test_files_that_are_not_ours_are_refused_in_words(tmp_path):
    (tmp_path / "text.h5").write_text("hello")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["t"] = [1.0]
    with h5py.File(tmp_path / "group.h5", "w") as file:
        file.attrs["problem"] = ""
        file.create_group("t")
    for name, words in [("text.h5", "no HDF5 file"), ("other.h5", "not a trajectory"), ("group.h5", "not a trajectory"), ("none.h5", "no file"),
                        ("", "is a folder")]:
        with pytest.raises(actio.InputError, match=words):
            actio.Trajectory.read(tmp_path / name)
    run = actio.System(coordinates=["x"], mass=1, potential="x^2").run(step=0.1, end=1, position=[1.0])
    with pytest.raises(actio.InputError, match="no known format"):
        run.save(tmp_path / "run.txt")
