#!/usr/bin/env python3
"""actio run -np N as a user runs it: the state of one process, errors told once, and no process that waits for ever."""
import csv
import ctypes
import ctypes.util
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
folder = Path(tempfile.mkdtemp(prefix="actio-np-"))


def run(*words, expect=0, timeout=300):
    done = subprocess.run([program, "run", *words], cwd=root, capture_output=True, text=True, timeout=timeout,
                          stdin=subprocess.DEVNULL)
    if done.returncode != expect:
        sys.exit(f"actio run {' '.join(words)}: exit code {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}")
    return done


def last_row(path):
    with open(path) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return rows[0], [float(x) for x in rows[-1]]


def same_state(problem, *changes, options=(), tolerance=1e-10):
    one, many = folder / "one.csv", folder / "many.csv"
    run(problem, *changes, "-o", str(one))
    done = run("-np", "2", problem, *changes, "-o", str(many), *options)
    names, a = last_row(one)
    other, b = last_row(many)
    assert names == other, problem
    for forces in (False, True):  # reactions are not of the size of the state
        pairs = [(x, y) for name, x, y in zip(names, a, b) if name.startswith(("reaction/", "stress/")) == forces]
        size = max((abs(x) for x, _ in pairs), default=0)
        worst = max((abs(x - y) for x, y in pairs), default=0)
        assert worst <= tolerance * size, f"{problem}: {worst:.1e} of {size:.1e}"
    return done


def states(path):
    """All numbers of the positions in an HDF5 file, by the library itself."""
    h5 = ctypes.CDLL(ctypes.util.find_library("hdf5_serial"))
    for function in (h5.H5Fopen, h5.H5Dopen2, h5.H5Dget_space):
        function.restype = ctypes.c_int64
    h5.H5Sget_simple_extent_npoints.restype = ctypes.c_int64
    h5.H5open()
    double = ctypes.c_int64.in_dll(h5, "H5T_NATIVE_DOUBLE_g")
    file = ctypes.c_int64(h5.H5Fopen(str(path).encode(), 0, ctypes.c_int64(0)))
    data = ctypes.c_int64(h5.H5Dopen2(file, b"q", ctypes.c_int64(0)))
    size = h5.H5Sget_simple_extent_npoints(ctypes.c_int64(h5.H5Dget_space(data)))
    assert size > 0, path
    numbers = (ctypes.c_double * size)()
    none = ctypes.c_int64(0)
    assert h5.H5Dread(data, double, none, none, none, numbers) >= 0, path
    h5.H5Fclose(file)
    return list(numbers)


# The same certificate, but for the time it took and what rounding makes of it: energy-momentum divides differences of energies,
# and an order of summation is seen in the tenth digit of velocities.
short = ["run.end=0.03"]
certificate = same_state("examples/cantilever.toml", *short, tolerance=1e-9).stdout
for words in ("energy-momentum, order 2", "3 of 3 steps of 0.01, 384 coordinates", "0.33721875 at the start", "verdict         kept"):
    assert words in certificate, certificate
same_state("examples/chain.toml", "system.parameters.N=500", "run.end=1")

# An iterative solver by PETSc's options; an option that nobody asks for is told.
newmark = ["method={name=\"newmark\"}", *short]
solved = same_state("examples/cantilever.toml", *newmark,
                    options=["--", "-ksp_type", "cg", "-pc_type", "gamg", "-ksp_rtol", "1e-13", "-no_such_option", "1"])
assert "-no_such_option" in solved.stderr, solved.stderr
assert "of linear equations" in solved.stdout, solved.stdout

# A static start is found together: the reactions at the clamp are the weight of 2.75 kg/m * 0.5 m, and that something is free is told.
hangs = [*newmark, "initial.static=true"]
iterating = ["--", "-ksp_type", "cg", "-pc_type", "gamg", "-ksp_rtol", "1e-12"]
for options in ([], iterating):
    same_state("examples/cantilever.toml", *hangs, options=options, tolerance=1e-9)
    names, row = last_row(folder / "many.csv")
    weight = dict(zip(names, row))["reaction/clamp.z"]
    assert abs(weight - 2.75 * 0.5 * 9.81) < 1e-8, weight
    adrift = run("-np", "2", "examples/cantilever.toml", *hangs, "system.solid.fixed=[]", *options, expect=2)
    assert adrift.stderr.count("something moves freely; hold more of it") == 1, adrift.stderr

# States in HDF5, written by the first process, are those of one process.
one, many = folder / "one.h5", folder / "many.h5"
run("examples/cantilever.toml", *newmark, "-o", str(one))
run("-np", "2", "examples/cantilever.toml", *newmark, "-o", str(many))
a, b = states(one), states(many)
assert len(a) == len(b) > 0 and max(map(abs, a)) > 0, (len(a), len(b))
assert max(abs(x - y) for x, y in zip(a, b)) <= 1e-10 * max(map(abs, a))

# An iteration that does not converge is an error of the step, told once.
lost = run("-np", "2", "examples/cantilever.toml", *newmark, "--", "-ksp_type", "cg", "-pc_type", "none", "-ksp_max_it", "2",
           expect=1)
assert lost.stderr.count("did not converge") == 1, lost.stderr

# What cannot be spread, what is not there, and too many processes: wrong input, told once.
for words, message in ((["examples/heavy-top.toml", "method={name=\"rattle\"}"], "rigid bodies are kept on one process only"),
                       (["examples/kepler.toml", "method={name=\"rk4\"}"], "on many do newmark"),
                       (["examples/no-such-file.toml"], "no-such-file"),
                       (["examples/pendulum.toml", "method={name=\"midpoint\"}"], "cannot be spread over 2 processes"),
                       (["examples/chain.toml", "-o", "/no/such/folder/x.csv"], "cannot write")):
    done = run("-np", "2", *words, expect=2)
    assert done.stderr.count(message) == 1, done.stderr
assert "number of processes" in run("-np", "none", "examples/chain.toml", expect=2).stderr
assert "1000000 processes on a machine of" in run("-np", "1000000", "examples/chain.toml", expect=2).stderr

# A process that is alone with its error tells it, once, and ends the others.
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_orte_execute_quiet="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_mpi_yield_when_idle="1")
companion = str(program.parent / "actio-petsc")
files = ["examples/chain.toml", "examples/no-such-file.toml"]
for first, second in (files, files[::-1]):
    alone = subprocess.run(["mpiexec", "-n", "1", companion, "run", first, ":", "-n", "1", companion, "run", second], cwd=root,
                           env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert alone.returncode == 2 and alone.stderr.count("cannot open") == 1, (alone.returncode, alone.stdout, alone.stderr)


def killed(words, saved, seconds):
    """Runs until another checkpoint is written, a while longer, and kills one of the processes: mpiexec ends the others. False:
    the run was over by then, and went well."""
    def written():
        return saved.stat().st_mtime_ns if saved.exists() else 0

    process = subprocess.Popen([program, *words], cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL)
    before, start = written(), time.monotonic()
    while process.poll() is None and written() in (0, before):
        assert time.monotonic() - start < 300, f"{words} writes no checkpoint"
        time.sleep(0.005)
    try:
        code = process.wait(seconds)
        assert code == 0, f"{words}: exit code {code}"
        return False
    except subprocess.TimeoutExpired:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if children:
            os.kill(int(random.choice(children)), signal.SIGKILL)
        else:
            process.kill()
        process.wait(60)
        return saved.exists()  # it is removed at the end


# Killed at random times and resumed, a run ends as one that was not: with the same bytes, but where MUMPS adds in the order in
# which messages come.
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(2**32)
print(f"kills with seed {seed}", flush=True)
random.seed(seed)
multigrid = ["--", "-ksp_type", "cg", "-pc_type", "gamg"]
chain = ["examples/chain.toml", "system.parameters.N=300", "run.every=10"]
swings = ["examples/cantilever.toml", "method={name=\"verlet\"}", "system.solid.mass=\"lumped\"", "initial.static=true",
          "initial.solid.velocity=[0,0,\"0.1*X\"]", "run.step=1e-4", "run.end=0.05", "run.every=5"]
for problem, options, later, to_the_bit in (
        ([*chain, "run.end=100"], [], [], True),
        ([*chain, "run.end=20", "method={name=\"newmark\"}"], multigrid, multigrid, True),
        (swings, multigrid, ["--", "-ksp_type", "cg", "-pc_type", "none", "-ksp_max_it", "1"], True),  # statics are not found again
        (["examples/car-axis.toml", "run.end=0.2", "run.every=5"], [], [], False)):
    whole, parts, saved = folder / "whole.csv", folder / "parts.csv", folder / "parts.csv.checkpoint"
    run("-np", "2", *problem, "-o", str(whole), *options)
    kills = 0
    for _ in range(5):  # a run may be over before it is killed
        if kills > 0:
            break
        words = ["run", "-np", "2", *problem, "-o", str(parts), "--checkpoint", "every=5", *options]
        while kills < 2 and killed(words, saved, random.uniform(0, 0.05)):
            kills += 1
            words = ["resume", "-np", "2", str(saved), *later]
    assert kills > 0, f"{problem} was over before it could be killed"
    if kills == 2:
        refused = subprocess.run([program, "resume", str(saved)], cwd=root, capture_output=True, text=True, timeout=300)
        assert refused.returncode == 2 and "spread over 2 processes" in refused.stderr, refused.stderr
        done = subprocess.run([program, *words], cwd=root, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    assert not saved.exists(), saved
    if to_the_bit:
        assert whole.read_bytes() == parts.read_bytes(), f"{problem} is another run after {kills} kills"
    else:
        a, b = last_row(whole)[1], last_row(parts)[1]
        assert max(abs(x - y) for x, y in zip(a, b)) <= 1e-9 * max(abs(x) for x in a), f"{problem}, {kills} kills"

# An interrupt ends the run after its batch, with its certificate.
process = subprocess.Popen([program, "run", "-np", "2", "examples/chain.toml", "run.end=1e6", "run.every=1000000"], cwd=root,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
time.sleep(3)
process.send_signal(signal.SIGTERM)
out, err = process.communicate(timeout=60)
assert "interrupted" in out + err and "verdict" in out, f"exit code {process.returncode}\n{out}\n{err}"
