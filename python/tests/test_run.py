"""Runs: numbers of the program, columns by name, ends that are not the end."""

import csv
import subprocess
import threading
import time

import numpy as np
import pytest

import actio


def columns_of_program(program, file, tmp_path, *options):
    out = tmp_path / "out.csv"
    subprocess.run([program, "run", str(file), "-q", "-o", str(out), *options], check=True)
    with open(out, newline="") as lines:
        rows = list(csv.reader(lines))
    table = np.array(rows[1:], float)
    return {name: table[:, k] for k, name in enumerate(rows[0])}


@pytest.mark.parametrize("name, overrides", [
    ("oscillator", {}), ("kepler", {"run.end": 20}), ("double-pendulum", {"run.end": 5}), ("damped-oscillator", {}),
    ("chain", {"run.end": 5}), ("double-well", {}), ("heavy-top", {"run.end": 1}),
])
def test_numbers_are_those_of_the_program_to_the_bit(program, examples, tmp_path, name, overrides):
    file = examples / f"{name}.toml"
    words = [f"{key}={value}" for key, value in overrides.items()]
    theirs = columns_of_program(program, file, tmp_path, *words)
    ours = actio.run(file, overrides)
    checked, known = 0, set(ours.keys())
    for column, values in theirs.items():
        if column in known:
            np.testing.assert_array_equal(ours[column], values, err_msg=column)
            checked += 1
    assert checked >= 2 + 3 * len(ours.coordinates)


def test_certificate_is_that_of_the_program(program, examples):
    import json

    file = examples / "oscillator.toml"
    theirs = json.loads(subprocess.run([program, "run", str(file), "--json"], check=True, capture_output=True).stdout)
    ours = actio.run(file).certificate
    for key in ("kept", "not_kept", "verdict", "energy", "symplecticity", "steps"):
        assert ours.to_dict()[key] == theirs[key], key
    assert ours.energy.max_error == theirs["energy"]["max_error"]
    assert "verdict" in str(ours) and "<table>" in ours._repr_html_()
    with pytest.raises(AttributeError, match="energies"):
        ours.energies


def test_columns_by_name(examples):
    run = actio.run(examples / "chain.toml", {"run.end": 1})
    family, first, count = run.problem.families[0]
    assert run[family].shape == (len(run), count)
    np.testing.assert_array_equal(run[f"{family}[1]"], run.q[:, first + 1])
    np.testing.assert_array_equal(run[f"{family}'"], run.v[:, first : first + count])
    np.testing.assert_array_equal(run[f"p({family}[0])"], run.p[:, first])
    with pytest.raises(KeyError, match="did you mean"):
        run["enrgy"]


def test_arrays_are_views_of_the_run(examples):
    run = actio.run(examples / "oscillator.toml")
    assert run.q.base is not None and not run.q.flags.owndata
    assert np.shares_memory(run["x"], run.q)
    only = actio.run(examples / "oscillator.toml", states="q")
    assert only.v is None
    with pytest.raises(KeyError, match="states="):
        only["x'"]


def test_observer_ends_a_run(examples):
    seen = []

    def observer(step, t, q, v, energy):
        seen.append((step, t, q[0], energy))
        return step >= 7

    run = actio.run(examples / "oscillator.toml", observer=observer)
    assert run.interrupted and run.certificate.verdict == "stopped"
    assert [row[0] for row in seen][:8] == list(range(8))
    np.testing.assert_array_equal([row[2] for row in seen], run["x"])


def test_exceptions_of_an_observer_pass_through(examples):
    with pytest.raises(ZeroDivisionError):
        actio.run(examples / "oscillator.toml", observer=lambda *state: 1 / 0)
    with pytest.raises(TypeError):
        actio.run(examples / "oscillator.toml", observer=lambda: None)


def test_progress_is_called(examples):
    calls = []
    actio.run(examples / "oscillator.toml", {"run.step": 1e-4, "run.end": 500, "run.every": 1000},
              progress=lambda done, total, seconds: calls.append((done, total)))
    assert calls and calls[-1][1] == 5000000 and all(done <= total for done, total in calls)


LONG = {"run.step": 1e-4, "run.end": 1e6, "run.every": 100000}


def test_ctrl_c_ends_with_what_was_computed(examples):
    import _thread

    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    start = time.monotonic()
    run = actio.run(examples / "oscillator.toml", LONG)
    assert time.monotonic() - start < 60
    assert run.interrupted and len(run) > 1 and run.certificate.steps < 1e10


def test_other_threads_go_on_during_a_run(examples):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    before = counted[0]
    actio.run(examples / "oscillator.toml", {"run.step": 1e-5, "run.end": 30, "run.every": 1000000})
    during = counted[0] - before
    stop.set()
    other.join()
    assert during > 5


def test_many_runs_at_once_in_threads_are_the_same_to_the_bit(examples):
    alone = actio.run(examples / "kepler.toml", {"run.end": 20})
    results = [None] * 6

    def work(k):
        results[k] = actio.run(examples / "kepler.toml", {"run.end": 20})

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for run in results:
        np.testing.assert_array_equal(run.q, alone.q)


def test_runs_in_a_forked_process(examples):
    import multiprocessing

    alone = actio.run(examples / "kepler.toml", {"run.end": 20})
    with multiprocessing.get_context("fork").Pool(2) as pool:
        ends = pool.starmap(end_of, [(examples / "kepler.toml",)] * 4)
    for end in ends:
        np.testing.assert_array_equal(end, alone.q[-1])


def end_of(file):
    return actio.run(file, {"run.end": 20}).q[-1]


def test_a_failed_run_raises_with_the_trajectory_so_far():
    system = actio.System(coordinates=["x"], mass=1, potential="-x^4")
    with pytest.raises(actio.RunError) as caught:
        system.run(method="verlet", step=0.01, end=10, position=[1.0])
    error = caught.value
    assert error.trajectory is not None and 1 <= len(error.trajectory) < 1001
    assert error.trajectory.certificate.verdict == "failed"
    assert error.step == error.trajectory.certificate.steps


def test_a_broken_claim_warns():
    system = actio.System(coordinates=["x"], mass=1, potential="0.5*x^2")
    with pytest.warns(actio.CertificateWarning):
        system.run(method="verlet", step=2.5, end=25, position=[1.0])


def test_trajectory_files_are_read_back(examples, tmp_path):
    pytest.importorskip("h5py")
    out = tmp_path / "run.h5"
    run = actio.run(examples / "damped-oscillator.toml", output=out)
    back = actio.Trajectory.read(out)
    for name in ("t", "energy", "q", "v", "p"):
        np.testing.assert_array_equal(getattr(back, name), getattr(run, name))
    for name, column in run.ledger.items():
        np.testing.assert_array_equal(back.ledger[name], column)
    assert back.certificate.verdict == run.certificate.verdict
    assert back.problem.families == run.problem.families


def test_tables(examples):
    pd = pytest.importorskip("pandas")
    xr = pytest.importorskip("xarray")
    run = actio.run(examples / "oscillator.toml")
    frame = run.to_pandas()
    assert isinstance(frame, pd.DataFrame) and list(frame["x'"]) == list(run["x'"]) and frame.index.name == "t"
    data = run.to_xarray()
    assert isinstance(data, xr.Dataset) and data["q"].sel(coordinate="y").values.tolist() == run["y"].tolist()
    assert data.attrs["verdict"] == "kept"


def test_ensembles_are_refused_by_name(examples):
    with pytest.raises(actio.InputError, match="ensemble"):
        actio.run(examples / "henon-heiles-ensemble.toml")


def test_entries_of_the_ledger_go_by_name(examples):
    run = actio.run(examples / "damped-oscillator.toml")
    np.testing.assert_array_equal(run["ledger/dissipated"], run.ledger["dissipated"])
    assert "ledger/method" in run.keys()
    with pytest.raises(KeyError, match="did you mean 'ledger/method'"):
        run["ledger/metod"]
