"""The double pendulum to t = 1000: time at equal error of the energy, and lines of user code, of Actio, SciPy and heyoka.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/double_pendulum.py     needs scipy and heyoka

Each program is run with the largest step, or the largest tolerance, of those tried whose energy error stays within the limit at
1000 times. The motion is chaotic: positions at the end are not comparable. A run counts the time of its steps; "first" is the
whole of a first call, with the reading of the problem and the compilation of its code, which both programs keep for later.
"""

import numpy as np
from side_by_side import head, in_turn, lines, seconds

END, LIMIT, ROUNDS = 1000.0, 1e-8, 5
START = [2.0, 2.5, 0.0, 0.0]
T = np.linspace(0, END, 1001)


def by_actio(h, method):
    import actio

    pendulum = actio.System(
        coordinates=["th1", "th2"],
        lagrangian="th1'^2 + 0.5*th2'^2 + cos(th1 - th2)*th1'*th2' + 2*cos(th1) + cos(th2)")
    return pendulum.run(method=method, step=h, end=END, every=round(1 / h), position=START[:2], velocity=START[2:])


def by_scipy(tolerance):
    from scipy.integrate import solve_ivp

    def rates(t, y):
        th1, th2, w1, w2 = y
        c, s = np.cos(th1 - th2), np.sin(th1 - th2)
        r1, r2 = -s * w2**2 - 2 * np.sin(th1), s * w1**2 - np.sin(th2)
        d = 2 - c**2
        return [w1, w2, (r1 - c * r2) / d, (2 * r2 - c * r1) / d]

    return solve_ivp(rates, (0, END), START, "DOP853", t_eval=T, rtol=tolerance, atol=tolerance)


def by_heyoka(tolerance):
    import heyoka as hy

    th1, th2, w1, w2 = hy.make_vars("th1", "th2", "w1", "w2")
    c, s = hy.cos(th1 - th2), hy.sin(th1 - th2)
    r1, r2 = -s * w2**2 - 2 * hy.sin(th1), s * w1**2 - hy.sin(th2)
    d = 2 - c**2
    return hy.taylor_adaptive([(th1, w1), (th2, w2), (w1, (r1 - c * r2) / d), (w2, (2 * r2 - c * r1) / d)], START, tol=tolerance)


def error(y):
    """Largest error of the energy, of states (4, N)."""
    th1, th2, w1, w2 = y
    e = w1**2 + 0.5 * w2**2 + np.cos(th1 - th2) * w1 * w2 - 2 * np.cos(th1) - np.cos(th2)
    return float(abs(e - e[0]).max())


METHODS = {"Actio, midpoint of order 8": {"name": "midpoint", "compose": {"order": 8, "scheme": "kahan-li"}},
           "Actio, gauss of 4 stages": {"name": "gauss", "stages": 4}, "Actio, gauss of 6 stages": {"name": "gauss", "stages": 6}}


def actio_run(h, method):
    run = by_actio(h, method)
    return run.certificate.wall_seconds, error(np.concatenate([run.q.T, run.v.T]))


def scipy_run(tolerance):
    t, run = seconds(lambda: by_scipy(tolerance))
    return t, error(run.y)


def heyoka_run(tolerance):
    integrator = by_heyoka(tolerance)
    t, out = seconds(lambda: integrator.propagate_grid(T))
    return t, error(out[-1].T)


def largest(run, choices):
    for choice in choices:
        if run(choice)[1] <= LIMIT:
            return choice
    raise SystemExit(f"none of {choices} is within {LIMIT:g}")


def main():
    head(f"Double pendulum to t = {END:g}: the energy within {LIMIT:g}", "scipy", "heyoka")
    steps = [1 / n for n in (10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300)]
    tolerances = [10.0**-k for k in range(6, 16)]
    first, chosen, works = {}, {}, {}
    for name, method in METHODS.items():
        first[name] = seconds(lambda: by_actio(0.02, method))[0]
        chosen[name] = largest(lambda h: actio_run(h, method), steps)
        works[name] = lambda h=chosen[name], method=method: actio_run(h, method)
    first["SciPy, DOP853"] = None
    chosen["SciPy, DOP853"] = largest(scipy_run, tolerances)
    works["SciPy, DOP853"] = lambda: scipy_run(chosen["SciPy, DOP853"])
    first["heyoka, Taylor"] = seconds(lambda: by_heyoka(1e-9).propagate_grid(T))[0]
    chosen["heyoka, Taylor"] = largest(heyoka_run, tolerances)
    works["heyoka, Taylor"] = lambda: heyoka_run(chosen["heyoka, Taylor"])
    best, rest = in_turn(ROUNDS, works)
    code = {name: lines(by_actio if "Actio" in name else by_scipy if "SciPy" in name else by_heyoka) for name in works}
    print("                               step or tolerance   seconds   ratio   energy error   first call   lines")
    fastest = min(best.values())
    for name, t in best.items():
        whole = "as later" if first[name] is None else f"{first[name]:.2f}"
        print(f"{name:30s} {chosen[name]:17.3g} {t:9.4f} {t / fastest:7.2f} {rest[name][0]:14.1e} {whole:>12s} {code[name]:7d}")


main()
