"""The outer solar system for 1e5 years: time at equal error of the positions, and lines of user code, of Actio, REBOUND and heyoka.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/outer_solar_system.py     needs rebound 5 and heyoka

Masses and start are those of Hairer, Lubich, Wanner I.2.4, about the centre of mass. Each program is run with the largest step of
those tried that leaves Jupiter within the limit of a Taylor series in numbers of 64 bits of mantissa. bench/outer_planets.py is the
same for 1e6 days with the program. The first call is that without the steps:
reading and compilation.
"""

import numpy as np
from side_by_side import head, in_turn, lines, seconds

G = 2.95912208286e-4
M = np.array([1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 1 / 1.3e8])
Q = np.array([[0, 0, 0], [-3.5023653, -3.8169847, -1.5507963], [9.0755314, -3.0458353, -1.6483708],
              [8.3101420, -16.2901086, -7.2521278], [11.4707666, -25.7294829, -10.8169456], [-15.5387357, -25.2225594, -3.1902382]])
V = np.array([[0, 0, 0], [0.00565429, -0.00412490, -0.00190589], [0.00168318, 0.00483525, 0.00192462],
              [0.00354178, 0.00137102, 0.00055029], [0.00288930, 0.00114527, 0.00039677], [0.00276725, -0.00170702, -0.00136504]])
Q, V = Q - M @ Q / M.sum(), V - M @ V / M.sum()
END, LIMITS, ROUNDS = 36525000.0, (1e-3, 1e-6), 3
STEPS = [487, 375, 300, 250, 200, 150, 125, 100, 75, 60, 50, 40, 30, 25, 20, 15, 10]  # days; all divide the time


def by_actio(h, order):
    import actio

    planets = actio.System(
        coordinates=["x[6]", "y[6]", "z[6]"],
        parameters={"G": G},
        tables={"m": M},
        mass={axis: "m[i]" for axis in "xyz"},
        points={"body": ["x", "y", "z"]},
        term={"over": "i = 0..5, j = i+1..5", "potential": "-G*m[i]*m[j]/distance(body[i], body[j])"},
        initial={"position": dict(zip("xyz", Q.T)), "velocity": dict(zip("xyz", V.T))})
    method = actio.methods.Verlet(compose={"order": order, "scheme": "kahan-li"})
    return planets.run(method=method, step=h, steps=round(END / h), every=round(END / h))


def by_rebound(h, integrator, **options):
    import rebound

    sim = rebound.Simulation()
    sim.G, sim.dt, sim.integrator = G, h, integrator
    sim.integrator.safe_mode = 0
    for name, value in options.items():
        setattr(sim.integrator, name, value)
    for m, q, v in zip(M, Q, V):
        sim.add(m=m, x=q[0], y=q[1], z=q[2], vx=v[0], vy=v[1], vz=v[2])
    return sim


def by_heyoka(number=float, **tolerance):
    import heyoka

    start = np.concatenate([Q, V], axis=1).ravel().astype(number)
    system = heyoka.model.nbody(6, masses=[number(m) for m in M], Gconst=number(G))
    return heyoka.taylor_adaptive(system, start, fp_type=number, **tolerance)


def jupiter(q):
    return np.asarray(q[1] - q[0], dtype=np.longdouble)


def actio_run(h, order):
    run = by_actio(h, order)
    return run.certificate.wall_seconds, jupiter(run.q[-1].reshape(3, 6).T)


def rebound_run(h, integrator, **options):
    sim = by_rebound(h, integrator, **options)
    t, _ = seconds(lambda: sim.integrate(END, exact_finish_time=0))
    assert abs(sim.t - END) < 1e-3
    return t, jupiter(np.array([p.xyz for p in sim.particles]))


def heyoka_run():
    integrator = by_heyoka()
    t, _ = seconds(lambda: integrator.propagate_until(END))
    return t, jupiter(integrator.state.reshape(6, 6)[:, :3])


def main():
    head("The outer solar system for 1e5 years, one thread", "rebound", "heyoka")
    first = {"heyoka, Taylor": seconds(by_heyoka)[0]}
    extended = by_heyoka(np.longdouble, tol=np.longdouble(1e-19))
    extended.propagate_until(np.longdouble(END))
    exact = jupiter(extended.state.reshape(6, 6)[:, :3])

    def error(position):
        return float(np.linalg.norm(position - exact))

    whole, run = seconds(lambda: by_actio(150, 8))
    first["Actio"] = whole - run.certificate.wall_seconds
    kinds = {
        "Actio, verlet of order 6": lambda h: actio_run(h, 6),
        "Actio, verlet of order 8": lambda h: actio_run(h, 8),
        "REBOUND, whfast, corrector 17": lambda h: rebound_run(h, "whfast", corrector=17),
        "REBOUND, saba (10,6,4)": lambda h: rebound_run(h, "saba"),
    }
    tried = {name: {} for name in kinds}
    for limit in LIMITS:
        works, chosen = {"heyoka, Taylor": heyoka_run}, {"heyoka, Taylor": None}
        for name, run in kinds.items():
            for h in STEPS:
                if h not in tried[name]:
                    tried[name][h] = error(run(h)[1])
                if tried[name][h] <= limit:
                    chosen[name], works[name] = h, lambda run=run, h=h: run(h)
                    break
        best, rest = in_turn(ROUNDS, works)
        print(f"Jupiter within {limit:g} AU         step [days]   seconds   ratio to heyoka   error [AU]   lines")
        for name, t in best.items():
            code = lines(by_actio if "Actio" in name else by_rebound if "REBOUND" in name else by_heyoka)
            step = "adaptive" if chosen[name] is None else f"{chosen[name]}"
            print(f"{name:31s} {step:>11s} {t:9.3f} {t / best['heyoka, Taylor']:17.2f} {error(rest[name][0]):12.1e} {code:7d}")
        print("".join(f"{name:31s}        none of the steps tried is within\n" for name in kinds if name not in works))
    print("before the first step, with compilation: " + ", ".join(f"{name} {t:.2f} s" for name, t in first.items()))


main()
