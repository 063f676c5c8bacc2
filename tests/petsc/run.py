#!/usr/bin/env python3
"""actio run -np N as a user runs it: the state of one process, errors told once, and no process that waits for ever."""
import array
import csv
import ctypes
import ctypes.util
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

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


def listed(pvd):
    """(time, file) of the frames in a list, which has to be XML."""
    return [(float(e.get("timestep")), pvd.parent / e.get("file")) for e in ElementTree.parse(pvd).getroot().iter("DataSet")]


def arrays(vtu):
    """The arrays in a file of ours, by name: XML up to the bytes."""
    bytes_of, end = vtu.read_bytes(), b'<AppendedData encoding="raw">\n_'
    at = bytes_of.index(end) + len(end)
    root = ElementTree.fromstring(bytes_of[:at] + b"</AppendedData></VTKFile>")
    of_type = {"Float64": "d", "Int64": "q", "Int32": "i", "UInt8": "B"}
    out = {}
    for e in root.iter("DataArray"):
        if e.get("format") == "appended":
            first = at + int(e.get("offset"))
            size, = struct.unpack_from("=Q", bytes_of, first)
            out[e.get("Name")] = array.array(of_type[e.get("type")], bytes_of[first + 8:first + 8 + size])
    return out


def frames(pvd):
    """Of every frame the cells by the places of their nodes: displacements, velocities, stress."""
    out = []
    for _, file in listed(pvd):
        pieces = [file]
        if file.suffix == ".pvtu":
            pieces = [file.parent / piece.get("Source") for piece in ElementTree.parse(file).getroot().iter("Piece")]
            assert len(pieces) == 2, pieces
        cells = {}
        for process, piece in enumerate(pieces):
            of, begin = arrays(piece), 0
            assert "process" not in of or set(of["process"]) == {process}
            for c, end in enumerate(of["offsets"]):
                nodes, begin = of["connectivity"][begin:end], end
                at = {name: [x for a in nodes for x in of[name][3 * a:3 * a + 3]] for name in ("Points", "displacement", "velocity")}
                place = (of["types"][c], *at["Points"])
                assert place not in cells, place
                cells[place] = (at["displacement"], at["velocity"], list(of["stress"][6 * c:6 * c + 6]))
        out.append(cells)
    return out


# The same certificate, but for the time it took and what rounding makes of it: energy-momentum divides differences of energies,
# and an order of summation is seen in the tenth digit of velocities.
short = ["run.end=0.03"]
# The level is full, for the standard one measures less where the machine is busy.
certificate = same_state("examples/cantilever.toml", *short, 'certificate.level="full"', tolerance=1e-9).stdout
for words in ("energy-momentum, order 2", "3 of 3 steps of 0.01, 384 coordinates", "0.33721875 at the start", "verdict         kept"):
    assert words in certificate, certificate
same_state("examples/chain.toml", "system.parameters.N=500", "run.end=1")

# The noise of a thermostat is that of one process, and so are the ledger, the temperatures and what is observed. For any number of
# processes the path of a chain is the same to the bit; a column of energies is a sum over them.
bath = 'system.thermostat={rate=0.5,temperature=0.1,seed=3,scheme="%s"}'
seen = same_state("examples/observed-chain.toml", bath % "baoab", 'method={name="verlet"}', "run.end=100").stdout
alone = run("examples/observed-chain.toml", bath % "baoab", 'method={name="verlet"}', "run.end=100").stdout
told = ("ledger", "kinetic kT", "configurational kT", "heat", "bond", "velocity", "shift")
for words in told:
    lines = [[line for line in text.splitlines() if words in line] for text in (seen, alone)]
    assert lines[0] == lines[1] and lines[0], (words, lines)
for scheme in ("gla", "baoab", "obabo"):
    paths = []
    for count in (1, 2, 3):
        run("-np", str(count), "examples/observed-chain.toml", bath % scheme, 'method={name="verlet"}', "run.end=100", "run.every=10",
            "-o", str(folder / "path.csv"))
        with open(folder / "path.csv") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        paths.append([{name: x for name, x in row.items() if "x" in name} for row in rows])  # x[i] and p(x[i])
    assert len(paths[0]) > 10 and len(paths[0][0]) >= 64 and paths[0] == paths[1] == paths[2], scheme
typo = run("-np", "2", "examples/chain.toml", "system.thermostat={rate=0.5,temperture=0.1,seed=3}", expect=2)
assert typo.stderr.count('did you mean "temperature"?') == 1, typo.stderr

# An iterative solver by PETSc's options; an option that nobody asks for is told.
newmark = ["method={name=\"newmark\"}", *short]
solved = same_state("examples/cantilever.toml", *newmark,
                    options=["--", "-ksp_type", "cg", "-pc_type", "gamg", "-ksp_rtol", "1e-13", "-no_such_option", "1"])
assert "-no_such_option" in solved.stderr, solved.stderr
assert "linear iterations a step" in solved.stdout, solved.stdout

# A static start is found together: the reactions at the clamp are the weight of 2.75 kg/m * 0.5 m, and that something is free is told.
hangs = [*newmark, "initial.static=true"]
iterating = ["--", "-ksp_type", "cg", "-pc_type", "gamg", "-ksp_rtol", "1e-12"]
same_state("examples/cantilever.toml", *hangs, options=iterating, tolerance=1e-9)
names, row = last_row(folder / "many.csv")
weight = dict(zip(names, row))["reaction/clamp.z"]
assert abs(weight - 2.75 * 0.5 * 9.81) < 1e-8, weight
adrift = run("-np", "2", "examples/cantilever.toml", *hangs, "system.solid.fixed=[]", *iterating, expect=2)
assert adrift.stderr.count("some part can move freely; fix more coordinates") == 1, adrift.stderr

# States in HDF5, written by the first process, are those of one process.
one, many = folder / "one.h5", folder / "many.h5"
run("examples/cantilever.toml", *newmark, "-o", str(one))
run("-np", "2", "examples/cantilever.toml", *newmark, "-o", str(many))
a, b = states(one), states(many)
assert len(a) == len(b) > 0 and max(map(abs, a)) > 0, (len(a), len(b))
assert max(abs(x - y) for x, y in zip(a, b)) <= 1e-10 * max(map(abs, a))

# Each process writes its cells for ParaView: all of them once, at the start with the numbers of one process to the bit.
stretched = [*newmark, "run.every=1", "initial.solid={displacement=[\"0.01*X\",0,\"0.1*X*X\"]}"]
one, many = folder / "one.pvd", folder / "many.pvd"
run("examples/cantilever.toml", *stretched, "-o", str(one))
run("-np", "2", "examples/cantilever.toml", *stretched, "-o", str(many))
for first, (a, b) in enumerate(zip(frames(one), frames(many), strict=True)):
    assert len(a) > 0 and a.keys() == b.keys(), (len(a), len(b))
    size = [max(max(map(abs, numbers)) for cell in a.values() for numbers in [cell[name]]) for name in range(3)]
    assert min(size[0], size[2]) > 0, size
    for place, numbers in a.items():
        for name, (x, y) in enumerate(zip(numbers, b[place])):
            worst = max(abs(s - t) for s, t in zip(x, y))
            assert worst <= (0 if first == 0 else 1e-9 * size[name]), f"frame {first}, array {name}: {worst:.1e} of {size[name]:.1e}"
assert first == 3, first

# A piece that cannot be written ends both processes, is told once, and its frame is not listed.
barred = folder / "barred" / "barred_000002_p0001.vtu"
(barred / "in the way").mkdir(parents=True)
full = run("-np", "2", "examples/cantilever.toml", *newmark, "run.every=1", "-o", str(folder / "barred.pvd"), expect=1)
assert full.stderr.count(f'cannot write "{barred}"') == 1 and "step 2," in full.stderr, full.stderr
assert [Path(file).name for _, file in listed(folder / "barred.pvd")] == ["barred_000000.pvtu", "barred_000001.pvtu"]

# An iteration that does not converge is an error of the step, told once.
lost = run("-np", "2", "examples/cantilever.toml", *newmark, "--", "-ksp_type", "cg", "-pc_type", "none", "-ksp_max_it", "2",
           expect=1)
assert lost.stderr.count("did not converge") == 1, lost.stderr

# What cannot run on several processes, a missing file, too many processes: wrong input, one message.
for words, message in ((["examples/heavy-top.toml", "method={name=\"rattle\"}"], "rigid bodies run on one process only"),
                       (["examples/kepler.toml", "method={name=\"rk4\"}"], "these methods run on several: newmark"),
                       (["examples/cantilever.toml", bath % "obabo", *newmark], "lump the mass of a solid"),
                       (["examples/no-such-file.toml"], "no-such-file"),
                       (["examples/pendulum.toml", "method={name=\"midpoint\"}"], "cannot run on 2 processes"),
                       (["examples/chain.toml", "-o", "/no/such/folder/x.csv"], "cannot write")):
    done = run("-np", "2", *words, expect=2)
    assert done.stderr.count(message) == 1, done.stderr
assert "number of processes" in run("-np", "none", "examples/chain.toml", expect=2).stderr
assert "1000000 processes are too many for a machine of" in run("-np", "1000000", "examples/chain.toml", expect=2).stderr

# A process that is alone with its error tells it, once, and ends the others.
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_orte_execute_quiet="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_mpi_yield_when_idle="1")
companion = str(program.parent / "actio-petsc")
files = ["examples/chain.toml", "examples/no-such-file.toml"]
for first, second in (files, files[::-1]):
    alone = subprocess.run(["mpiexec", "-n", "1", companion, "run", first, ":", "-n", "1", companion, "run", second], cwd=root,
                           env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert alone.returncode == 2 and alone.stderr.count("cannot open") == 1, (alone.returncode, alone.stdout, alone.stderr)


def children_of(process):
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


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
        children = [child for starter in children_of(process.pid) for child in children_of(starter)]
        if children:
            os.kill(random.choice(children), signal.SIGKILL)
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
        ([*chain, "run.end=50", bath % "baoab"], [], [], True),
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
        assert refused.returncode == 2 and "distributed over 2 processes" in refused.stderr, refused.stderr
        done = subprocess.run([program, *words], cwd=root, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    assert not saved.exists(), saved
    if to_the_bit:
        assert whole.read_bytes() == parts.read_bytes(), f"{problem} is another run after {kills} kills"
    else:
        a, b = last_row(whole)[1], last_row(parts)[1]
        assert max(abs(x - y) for x, y in zip(a, b)) <= 1e-9 * max(abs(x) for x in a), f"{problem}, {kills} kills"

# So do its frames, which an earlier run of more processes has left others beside.
lumped = ["examples/cantilever.toml", "method={name=\"verlet\"}", "system.solid.mass=\"lumped\"", "run.step=1e-5", "run.every=100"]
whole, parts = folder / "whole" / "a.pvd", folder / "parts" / "a.pvd"
for pvd in (whole, parts):
    pvd.parent.mkdir()
run("-np", "3", *lumped, "run.end=3e-3", "-o", str(parts))
lumped.append("run.end=0.1")
run("-np", "2", *lumped, "-o", str(whole))
saved = parts.with_suffix(".pvd.checkpoint")
for _ in range(5):
    if killed(["run", "-np", "2", *lumped, "-o", str(parts), "--checkpoint", "every=500"], saved, random.uniform(0, 0.05)):
        break
else:
    sys.exit("the run was over before it could be killed")
copy = saved.with_suffix(".copy")
shutil.copy(saved, copy)
for checkpoint, options in (copy, ["--", "-mat_partitioning_type", "average"]), (saved, []):
    done = subprocess.run([program, "resume", "-np", "2", str(checkpoint), *options], cwd=root, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    assert ("another partition of the coordinates" in done.stderr) == bool(options), done.stderr
files = [sorted(file.relative_to(pvd.parent) for file in pvd.parent.rglob("*") if file.is_file()) for pvd in (whole, parts)]
assert files[0] == files[1] and len(files[0]) == 1 + 3 * 101, (len(files[0]), set(files[0]) ^ set(files[1]))
for file in files[0]:
    assert (whole.parent / file).read_bytes() == (parts.parent / file).read_bytes(), f"{file} is another"

# An interrupt ends the run after its batch, with its certificate.
process = subprocess.Popen([program, "run", "-np", "2", "examples/chain.toml", "run.end=1e6", "run.every=1000000"], cwd=root,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
time.sleep(3)
process.send_signal(signal.SIGTERM)
out, err = process.communicate(timeout=60)
assert "interrupted" in out + err and "verdict" in out, f"exit code {process.returncode}\n{out}\n{err}"
