"""Work and precision: the double pendulum to t = 200 and the figure eight over ten periods; Actio beside heyoka and REBOUND's IAS15.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/work_precision.py     needs heyoka and rebound 5

Each program is run with many steps, or tolerances. Errors are those of all positions at the end, against a Taylor series in numbers
of 64 bits of mantissa. Time is that of the steps alone: Actio's is the certificate's, heyoka's and REBOUND's that of the propagation. For each error the least time of a run that meets it is shown, the least of several rounds.
"""

import numpy as np
from side_by_side import head, in_turn, seconds

TARGETS = [10.0**-k for k in range(4, 14)]
PENDULUM_END, START = 200.0, [1.0, -0.5, 0.3, 0.7]
PERIOD = 6.32591398082647
X, V = [0.97000436, -0.24308753], [-0.93240737, -0.86473146]  # of the figure eight (Chenciner and Montgomery 2000)
EIGHT_Q = np.array([[X[0], X[1]], [-X[0], -X[1]], [0.0, 0.0]])
EIGHT_V = np.array([[-V[0] / 2, -V[1] / 2], [-V[0] / 2, -V[1] / 2], [V[0], V[1]]])
EIGHT_END = 10 * PERIOD


def pendulum_by_actio(method):
    import actio

    system = actio.System(
        coordinates=["th1", "th2"],
        lagrangian="th1'^2 + 0.5*th2'^2 + cos(th1 - th2)*th1'*th2' + 2*cos(th1) + cos(th2)")

    def run(n):
        done = system.run(method=method, step=PENDULUM_END / n, steps=n, every=n, certificate={"level": "off"}, position=START[:2], velocity=START[2:])
        return done.certificate.wall_seconds, done.q[-1]

    return run


def eight_by_actio(method):
    import actio

    system = actio.System(
        coordinates=["x[3]", "y[3]"], mass=1, points={"body": ["x", "y"]},
        term={"over": "i = 0..2, j = i+1..2", "potential": "-1/distance(body[i], body[j])"})
    start = {"position": {"x": list(EIGHT_Q[:, 0]), "y": list(EIGHT_Q[:, 1])}, "velocity": {"x": list(EIGHT_V[:, 0]), "y": list(EIGHT_V[:, 1])}}

    def run(n):
        done = system.run(method=method, step=EIGHT_END / n, steps=n, every=n, certificate={"level": "off"}, **start)
        return done.certificate.wall_seconds, done.q[-1].reshape(2, 3).T.ravel()

    return run


def heyoka_of(which, tolerance, extended=False):
    import heyoka as hy

    more = {"fp_type": np.longdouble} if extended else {}
    number = np.longdouble if extended else float
    if which == "pendulum":
        th1, th2, w1, w2 = hy.make_vars("th1", "th2", "w1", "w2")
        c, s = hy.cos(th1 - th2), hy.sin(th1 - th2)
        r1, r2 = -s * w2**2 - 2 * hy.sin(th1), s * w1**2 - hy.sin(th2)
        d = 2 - c**2
        system, start, end = [(th1, w1), (th2, w2), (w1, (r1 - c * r2) / d), (w2, (2 * r2 - c * r1) / d)], START, PENDULUM_END
    else:
        system = hy.model.nbody(3, masses=[number(1)] * 3)
        start, end = np.hstack([EIGHT_Q, np.zeros((3, 1)), EIGHT_V, np.zeros((3, 1))]).ravel(), EIGHT_END
    start = np.array(start, dtype=number)
    ta = hy.taylor_adaptive(system, start, tol=number(tolerance), **more)

    def run():
        ta.time = number(0)
        ta.state[:] = start
        took = seconds(lambda: ta.propagate_until(number(end)))[0]
        return took, (ta.state[:2] if which == "pendulum" else ta.state.reshape(3, 6)[:, :2].ravel()).copy()

    return run


def rebound_of(epsilon):
    import rebound

    def run():
        sim = rebound.Simulation()
        for q, v in zip(EIGHT_Q, EIGHT_V):
            sim.add(m=1, x=q[0], y=q[1], vx=v[0], vy=v[1])
        sim.integrator = "ias15"
        sim.integrator.epsilon = epsilon
        took = seconds(lambda: sim.integrate(EIGHT_END))[0]
        return took, np.array([[p.x, p.y] for p in sim.particles]).ravel()

    return run


def gauss(stages):
    return {"name": "gauss", "stages": stages}


def composed(order, scheme):
    return {"name": "verlet", "compose": {"order": order, "scheme": scheme}}


def table(which, ours, theirs):
    exact = heyoka_of(which, 1e-19, True)()[1]
    works = {}
    for name, (make, counts) in ours.items():
        for n in counts:
            works[name, n] = lambda make=make, n=n: make(n)
    for name, runs in theirs.items():
        for label, run in runs.items():
            works[name, label] = run
    for work in works.values():
        work()  # compiled
    best, rest = in_turn(40, works)
    errors = {key: float(abs(rest[key][0] - exact).max()) for key in works}
    names = list(ours) + list(theirs)
    print(f"{which}: ms to the error\n{'':30s}" + "".join(f"{t:9.0e}" for t in TARGETS) + "    least error")
    rows = {}
    for name in names:
        rows[name] = [min((1e3 * best[key] for key in works if key[0] == name and errors[key] <= t), default=np.nan) for t in TARGETS]
        least = min(errors[key] for key in works if key[0] == name)
        print(f"{name:30s}" + "".join(f"{x:9.2f}" for x in rows[name]) + f"    {least:.1e}")
    us, them = (np.nanmin([rows[n] for n in part] + [[np.inf] * len(TARGETS)], axis=0) for part in (ours, theirs))
    print(f"{'best of ours / best of theirs':30s}" + "".join(f"{a / b:9.2f}" if np.isfinite(a) and np.isfinite(b) else f"{'-':>9s}" for a, b in zip(us, them)) + "\n")


def main():
    head("Work and precision of small systems", "heyoka", "rebound")
    counts = [round(500 * 1.12**k) for k in range(29)]  # close together, as the tolerances are, so that no side waits for its next one
    pendulum = {f"Actio, gauss of {s} stages": (pendulum_by_actio(gauss(s)), counts) for s in (4, 5, 6)}
    tolerances = [10.0**-k for k in range(6, 19)]
    table("pendulum", pendulum, {"heyoka": {t: heyoka_of("pendulum", t) for t in tolerances}})
    counts = [round(150 * 1.12**k) for k in range(28)]
    eight = {f"Actio, gauss of {s} stages": (eight_by_actio(gauss(s)), counts) for s in (4, 6)}
    eight["Actio, verlet of order 8"] = (eight_by_actio(composed(8, "kahan-li")), counts)
    eight["Actio, verlet of order 10"] = (eight_by_actio(composed(10, "sofroniou-spaletta")), counts)
    table("figure eight", eight, {"heyoka": {t: heyoka_of("figure eight", t) for t in tolerances},
                                  "REBOUND, IAS15": {e: rebound_of(e) for e in (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)}})


if __name__ == "__main__":
    main()
