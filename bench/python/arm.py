"""An arm of four links that falls under gravity for 10 s: time at equal error, and drift of the energy over 1000 s, of Actio and MuJoCo.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/arm.py     needs mujoco

Links are uniform rods of 1 m and 1 kg on hinges without friction or contact, in a plane. Each program is run with the largest of the
steps tried whose angles at the end are within the limit of a run of `gauss` with six stages; the same run by SciPy's DOP853 checks
that one. The time is that of the steps: MuJoCo's are made by its `rollout`, without a call from Python each.
"""

import numpy as np
from side_by_side import head, in_turn, lines, seconds

LINKS, END, LONG, G = 4, 10.0, 1000.0, 9.81
LIMITS = (1e-3, 1e-6)
START = 0.5 * np.ones(LINKS)  # absolute angles from hanging down


def by_actio(method, h, end=END, every=None):
    import actio

    n = LINKS
    i, j = np.indices((n, n))
    coupling = np.where(i == j, n - i - 2 / 3, n - np.maximum(i, j) - 0.5)
    arm = actio.System(
        coordinates=[f"a[{n}]"], parameters={"N": n, "g": G},
        tables={"M": coupling.ravel(), "W": n - np.arange(n) - 0.5},
        term=[{"over": "i = 0..N-1, j = 0..N-1", "lagrangian": "0.5*M[N*i + j]*cos(a[i] - a[j])*a'[i]*a'[j]"},
              {"over": "i = 0..N-1", "potential": "-g*W[i]*cos(a[i])"}])
    return arm.run(method=method, step=h, end=end, every=every or round(end / h), position={"a": list(START)})


def model_of_mujoco(integrator, h):
    import mujoco

    body = ""
    for k in reversed(range(LINKS)):
        place = 'pos="0 0 0"' if k == 0 else 'pos="0 0 -1"'
        body = (f'<body {place}><joint type="hinge" axis="0 1 0"/>'
                f'<inertial pos="0 0 -0.5" mass="1" diaginertia="{1 / 12} {1 / 12} 1e-9"/>{body}</body>')
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option timestep="{h!r}" integrator="{integrator}" gravity="0 0 {-G}">
        <flag contact="disable" energy="enable"/></option><compiler balanceinertia="false" boundinertia="1e-12"/>
        <worldbody>{body}</worldbody></mujoco>""")


def by_mujoco(integrator, h, end=END, every=None):
    import mujoco
    from mujoco import rollout

    model = model_of_mujoco(integrator, h)
    data = mujoco.MjData(model)
    data.qpos[0] = START[0]
    data.qpos[1:] = np.diff(START)
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(mujoco.mj_stateSize(model, full))
    mujoco.mj_getState(model, data, state, full)
    steps = round(end / h)
    t, (states, _) = seconds(lambda: rollout.rollout(model, data, state, nstep=steps))
    q = states[0][:, 1:1 + LINKS]  # time, angles, velocities
    return t, np.cumsum(q, axis=1), states[0][:, 1 + LINKS:1 + 2 * LINKS].cumsum(axis=1)


def energy(a, v):
    i, j = np.indices((LINKS, LINKS))
    M = np.where(i == j, LINKS - i - 2 / 3, LINKS - np.maximum(i, j) - 0.5)
    kinetic = 0.5 * np.einsum("ij,ti,tj,tij->t", M, v, v, np.cos(a[:, :, None] - a[:, None, :]))
    return kinetic - G * np.cos(a) @ (LINKS - np.arange(LINKS) - 0.5)


def reference():
    from scipy.integrate import solve_ivp

    i, j = np.indices((LINKS, LINKS))
    M = np.where(i == j, LINKS - i - 2 / 3, LINKS - np.maximum(i, j) - 0.5)
    W = LINKS - np.arange(LINKS) - 0.5

    def rates(t, y):
        a, v = y[:LINKS], y[LINKS:]
        d = a[:, None] - a[None, :]
        return np.concatenate([v, np.linalg.solve(M * np.cos(d), -(M * np.sin(d)) @ v**2 - G * W * np.sin(a))])

    ours = by_actio({"name": "gauss", "stages": 6}, 0.005).q[-1]
    other = solve_ivp(rates, (0, END), np.concatenate([START, 0 * START]), "DOP853", rtol=1e-13, atol=1e-13).y[:LINKS, -1]
    print(f"reference: gauss of six stages and DOP853 differ by {abs(ours - other).max():.0e} at t = {END:g}\n")
    return ours


def actio_run(method, h, truth):
    run = by_actio(method, h)
    return run.certificate.wall_seconds, float(abs(run.q[-1] - truth).max())


def mujoco_run(integrator, h, truth):
    t, a, _ = by_mujoco(integrator, h)
    return t, float(abs(a[-1] - truth).max())


def main():
    head(f"An arm of {LINKS} links to t = {END:g}", "mujoco", "scipy")
    truth = reference()
    programs = {"Actio, gauss of 2 stages": lambda h: actio_run({"name": "gauss", "stages": 2}, h, truth),
                "Actio, gauss of 4 stages": lambda h: actio_run({"name": "gauss", "stages": 4}, h, truth),
                "Actio, midpoint": lambda h: actio_run("midpoint", h, truth),
                "MuJoCo, RK4": lambda h: mujoco_run("RK4", h, truth),
                "MuJoCo, implicitfast": lambda h: mujoco_run("implicitfast", h, truth)}
    steps = [END / n for n in (100, 200, 300, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000)]
    code = {name: lines(by_actio) if "Actio" in name else lines(model_of_mujoco, by_mujoco) for name in programs}
    for limit in LIMITS:
        works, chosen = {}, {}
        for name, run in programs.items():
            for h in steps:
                if run(h)[1] <= limit:
                    chosen[name], works[name] = h, lambda run=run, h=h: run(h)
                    break
        best, rest = in_turn(3, works)
        fastest = min(best.values())
        print(f"angles within {limit:g} rad          step   seconds   ratio     error   lines")
        for name in programs:
            if name in best:
                print(f"  {name:28s} {chosen[name]:9.3g} {best[name]:9.5f} {best[name] / fastest:7.2f} {rest[name][0]:9.1e} {code[name]:7d}")
            else:
                print(f"  {name:28s} none of the steps down to {steps[-1]:g}")
        print()
    print(f"energy to t = {LONG:g} with steps of 0.005, in parts of m g l: largest error in the first and the last tenth")
    for name, (a, v) in {
        "Actio, gauss of 2 stages": (lambda r: (r.q, r.v))(by_actio({"name": "gauss", "stages": 2}, 0.005, LONG, 20)),
        "Actio, midpoint": (lambda r: (r.q, r.v))(by_actio("midpoint", 0.005, LONG, 20)),
        "MuJoCo, RK4": by_mujoco("RK4", 0.005, LONG)[1:],
        "MuJoCo, implicitfast": by_mujoco("implicitfast", 0.005, LONG)[1:],
    }.items():
        e = abs(energy(a, v) - energy(START[None], 0 * START[None])[0]) / G
        tenth = len(e) // 10
        print(f"  {name:28s} {e[:tenth].max():9.1e} {e[-tenth:].max():9.1e}")


main()
