"""A Poincare section of Henon-Heiles, x = 0 upwards at E = 1/8, with 1e5 crossings: Actio's events beside heyoka's and SciPy's.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/section.py     needs scipy and heyoka

Each program finds the same section; the motion is chaotic, so the points differ after some time, and how many there are within a
few. What is compared: the time a crossing, how far the points are from the section, and the energy there. SciPy takes 1000 crossings.
"""

import numpy as np
from side_by_side import head, in_turn, lines, seconds

END, START = 662_000.0, [0.0, -0.25, 0.420812705765, 0.0]


def by_actio(step, method, end=END):
    import actio

    stars = actio.System(
        coordinates=["x", "y"], mass=1, potential="(x^2 + y^2)/2 + x^2*y - y^3/3",
        event={"name": "section", "when": "x", "direction": "up", "record": ["x", "y", "x'", "y'"]})
    return stars.run(method=method, step=step, end=end, every_time=end / 100, position=START[:2], velocity=START[2:])


def by_heyoka(tolerance, end=END):
    import heyoka as hy

    x, y, u, v = hy.make_vars("x", "y", "u", "v")
    points = []
    event = hy.nt_event(x, lambda ta, t, sign: points.append(ta.update_d_output(t).copy()), direction=hy.event_direction.positive)
    ta = hy.taylor_adaptive([(x, u), (y, v), (u, -x - 2 * x * y), (v, -y - x**2 + y**2)], START, tol=tolerance, nt_events=[event])
    ta.propagate_until(end)
    return np.array(points)


def by_scipy(tolerance, end=END / 100):
    from scipy.integrate import solve_ivp

    def rates(t, z):
        x, y, u, v = z
        return [u, v, -x - 2 * x * y, -y - x * x + y * y]

    def section(t, z):
        return z[0]

    section.direction = 1
    return solve_ivp(rates, (0, end), START, "DOP853", events=section, rtol=tolerance, atol=tolerance).y_events[0]


def energy(points):
    x, y, u, v = points.T
    return (u**2 + v**2 + x**2 + y**2) / 2 + x**2 * y - y**3 / 3


def of_actio(run):
    table = run.events["section"]
    return np.column_stack([table[name] for name in ("x", "y", "x'", "y'")])


def main():
    head("Henon-Heiles, section x = 0 upwards, E = 1/8, to t = 662000 (SciPy: 6620)", "scipy", "heyoka")
    order8 = {"name": "verlet", "compose": {"order": 8, "scheme": "kahan-li"}}
    programs = {
        "Actio, verlet of order 8, h = 0.25": (lambda: of_actio(by_actio(0.25, order8)), by_actio),
        "Actio, verlet of order 8, h = 0.1": (lambda: of_actio(by_actio(0.1, order8)), by_actio),
        "heyoka, tol = 1e-9": (lambda: by_heyoka(1e-9), by_heyoka),
        "heyoka, tol = 1e-15": (lambda: by_heyoka(1e-15), by_heyoka),
        "SciPy, DOP853, 1e-9": (lambda: by_scipy(1e-9), by_scipy),
    }
    print(f"{'':36s} {'crossings':>10s} {'us each':>9s} {'off x = 0':>10s} {'energy error':>13s}  lines")
    for name, (run, code) in programs.items():
        run() if "SciPy" not in name else None  # compiled
        took, points = seconds(run)
        print(f"{name:36s} {len(points):10d} {1e6 * took / len(points):9.2f} {abs(points[:, 0]).max():10.1e}"
              f" {abs(energy(points) - 0.125).max():13.1e}  {lines(code)}")


if __name__ == "__main__":
    main()
