"""A plane frame under a ground record by Newmark's method: time and lines of user code of Actio and OpenSeesPy.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/frame.py     needs scipy and openseespy

Both take the same matrices and the same steps, so the error is the same; the table says how far apart the roofs are. OpenSees builds
the frame in both cases, and its matrices are given to Actio; that is not timed. Times are those of the 1500 steps with the roof's
displacement kept at each: for OpenSees by a loop of Python and by a recorder, for Actio the whole of the call, with the writing and
reading of matrices and with the certificate.
"""

import os
import tempfile

import numpy as np
import scipy.sparse as sparse
from side_by_side import head, in_turn, lines, seconds

H, STEPS, A0, A1, E = 0.01, 1500, 0.22, 0.0009, 210e9
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SECONDS, ACCELERATION = np.loadtxt(os.path.join(ROOT, "examples/frame/record.csv"), delimiter=",", skiprows=2).T
ACCELERATION = 9.81 * ACCELERATION


def build(ops, storeys, bays, held=True):
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("Linear", 1)
    for tag, area, inertia in ((1, 1.49e-2, 2.517e-4), (2, 8.45e-3, 2.313e-4)):
        ops.section("Elastic", tag, E, area, inertia)
        ops.beamIntegration("Lobatto", tag, tag, 3)
    across = bays + 1
    for k in range(storeys + 1):
        for b in range(across):
            ops.node(across * k + b, 5.0 * b, 3.2 * k)
            if k == 0 and held:
                ops.fix(b, 1, 1, 1)
    columns = [(across * k + b, across * (k + 1) + b) for k in range(storeys) for b in range(across)]
    beams = [(across * k + b, across * k + b + 1) for k in range(1, storeys + 1) for b in range(bays)]
    for number, (i, j) in enumerate(columns + beams):
        tag, mass = (1, 117.0) if number < len(columns) else (2, 6000.0)
        ops.element("dispBeamColumn", number, i, j, 1, tag, "-cMass", "-mass", mass)


def matrices(ops, storeys, bays):
    build(ops, storeys, bays, held=False)
    out = []
    for coefficients in ((1, 0, 0), (0, 0, 1)):
        ops.wipeAnalysis()
        ops.constraints("Plain")
        ops.numberer("Plain")
        ops.system("FullGeneral")
        ops.algorithm("Linear")
        ops.integrator("GimmeMCK", *coefficients)
        ops.analysis("Transient")
        ops.analyze(1, 0.0)
        n = ops.systemSize()
        order = np.ravel([ops.nodeDOFs(node) for node in ops.getNodeTags()])
        out.append(sparse.csr_matrix(np.array(ops.printA("-ret")).reshape(n, n)[np.ix_(order, order)]))
    return out


def by_opensees(ops, roof, loop):
    ops.rayleigh(A0, A1, 0, 0)
    ops.timeSeries("Path", 1, "-dt", 0.02, "-values", *ACCELERATION)
    ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
    ops.constraints("Plain")
    ops.numberer("RCM")
    ops.system("BandGeneral")
    ops.algorithm("Linear", "-factorOnce")
    ops.integrator("Newmark", 0.5, 0.25)
    ops.analysis("Transient")
    return loop(ops, roof)


def looped(ops, roof):
    out = [0.0]
    for _ in range(STEPS):
        ops.analyze(1, H)
        out.append(ops.nodeDisp(roof, 1))
    return np.array(out)


def recorded(ops, roof):
    with tempfile.NamedTemporaryFile(suffix=".out") as file:
        ops.recorder("Node", "-file", file.name, "-precision", 17, "-node", roof, "-dof", 1, "disp")
        ops.analyze(STEPS, H)
        ops.wipe()  # closes the file
        return np.concatenate([[0.0], np.loadtxt(file.name)])


def by_actio(M, K, fixed, roof, method="newmark"):
    import actio

    frame = actio.Structure(
        M, K,
        fixed=range(fixed),
        rayleigh={"mass": A0, "stiffness": A1},
        signals={"ag": {"time": SECONDS, "value": ACCELERATION}},
        base={"acceleration": "ag", "direction": np.tile([1, 0, 0], M.shape[0] // 3)})
    return frame.run(method=method, step=H, steps=STEPS, states="q")["u"][:, 3 * roof]


def main():
    import openseespy.opensees as ops

    head(f"Frames of beams under a ground record, {STEPS} steps of Newmark", "openseespy", "scipy")
    code = {"OpenSeesPy, a loop": lines(by_opensees, looped), "OpenSeesPy, a recorder": lines(by_opensees, recorded), "Actio": lines(by_actio)}
    for storeys, bays, rounds in ((4, 2, 5), (20, 5, 3)):
        M, K = matrices(ops, storeys, bays)
        roof = M.shape[0] // 3 - 1

        def theirs(loop):
            build(ops, storeys, bays)
            t, u = seconds(lambda: by_opensees(ops, roof, loop))
            return t, u

        works = {"OpenSeesPy, a loop": lambda: theirs(looped), "OpenSeesPy, a recorder": lambda: theirs(recorded),
                 "Actio": lambda: seconds(lambda: by_actio(M, K, 3 * (bays + 1), roof))}
        best, rest = in_turn(rounds, works)
        reference = rest["OpenSeesPy, a loop"][0]
        print(f"{storeys} storeys, {bays} bays, {M.shape[0]} coordinates     seconds   ratio   roof differs by   lines")
        for name, t in best.items():
            apart = abs(rest[name][0] - reference).max() / abs(reference).max()
            print(f"{name:38s} {t:9.3f} {t / best['Actio']:7.2f} {apart:17.0e} {code[name]:7d}")
        print()


main()
