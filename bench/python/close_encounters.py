"""The Pythagorean problem (Burrau 1913) to t = 70, through encounters of 4e-4: Actio's steps that follow the motion beside REBOUND's
IAS15 and heyoka's Taylor series.

    PYTHONPATH=build/release/python build/venv/bin/python bench/python/close_encounters.py     needs rebound 5 and heyoka

Errors are those of the lightest body's place at t = 70, against 40 digits, and of the energy at the end. Work is the time of the
run, and how often the forces of all pairs were computed (heyoka computes derivatives of them in their place).
"""

import numpy as np
from side_by_side import head, in_turn, seconds

END = 70.0
MASSES, X, Y = [3.0, 4.0, 5.0], [1.0, -2.0, 1.0], [3.0, -1.0, -1.0]
EXACT = np.array([6.933463599011887, 20.26180430595171])
E0 = -769 / 60


def energy(q, v):
    pairs = [(0, 1), (0, 2), (1, 2)]
    return sum(m * (v[i] @ v[i]) / 2 for i, m in enumerate(MASSES)) - sum(MASSES[i] * MASSES[j] / np.linalg.norm(q[i] - q[j]) for i, j in pairs)


def by_actio(step, order, scheme, method="log-hamiltonian"):
    import actio

    bodies = actio.System(
        coordinates=["x[3]", "y[3]"], tables={"m": MASSES}, mass={"x": "m[i]", "y": "m[i]"}, points={"body": ["x", "y"]},
        term={"over": "i = 0..2, j = i+1..2", "potential": "-m[i]*m[j]/distance(body[i], body[j])"})
    stages = {4: 5, 6: 9, 8: 17, 10: 35}[order]

    def run():
        done = bodies.run(method={"name": method, "compose": {"order": order, "scheme": scheme}}, step=step, end=END, at=[END],
                          certificate={"level": "off"}, position={"x": X, "y": Y}, velocity={"x": 0, "y": 0})
        q, v = done.q[-1].reshape(2, 3).T, done.v[-1].reshape(2, 3).T
        return q, v, done.certificate.steps * stages

    return run


def by_rebound(epsilon):
    import rebound

    def made():
        sim = rebound.Simulation()
        for m, x, y in zip(MASSES, X, Y):
            sim.add(m=m, x=x, y=y)
        sim.integrator = "ias15"
        sim.integrator.epsilon = epsilon
        return sim

    def count():
        sim, calls = made(), [0]

        def forces(_):
            calls[0] += 1

        sim.additional_forces = forces
        sim.integrate(END)
        return calls[0]

    forces = count()

    def run():
        sim = made()
        sim.integrate(END)
        p = sim.particles
        return np.array([[b.x, b.y] for b in p]), np.array([[b.vx, b.vy] for b in p]), forces

    return run


def by_heyoka(tolerance):
    import heyoka as hy

    system = hy.model.nbody(3, masses=MASSES)
    start = [z for x, y in zip(X, Y) for z in (x, y, 0.0, 0.0, 0.0, 0.0)]
    ta = hy.taylor_adaptive(system, start, tol=tolerance)

    def run():
        ta.time = 0.0
        ta.state[:] = start
        ta.propagate_until(END)
        z = ta.state.reshape(3, 6)
        return z[:, :2].copy(), z[:, 3:5].copy(), float("nan")

    return run


def main():
    head("The Pythagorean problem to t = 70", "rebound", "heyoka")
    programs = {}
    for order, eps in ((8, 0.1), (8, 0.05), (10, 0.3), (10, 0.2)):
        scheme = "kahan-li" if order == 8 else "sofroniou-spaletta"
        programs[f"Actio, log-hamiltonian of order {order}, eps = {eps}"] = by_actio({"eps": eps}, order, scheme)
    for eps in (0.01, 0.005):
        programs[f"Actio, verlet of order 8, reversible, eps = {eps}"] = by_actio({"reversible": "distance", "eps": eps}, 8, "kahan-li", "verlet")
    for epsilon in (1e-7, 1e-9, 1e-10):
        programs[f"REBOUND, IAS15, epsilon = {epsilon:g}"] = by_rebound(epsilon)
    for tolerance in (1e-12, 1e-15, 1e-18):
        programs[f"heyoka, tol = {tolerance:g}"] = by_heyoka(tolerance)
    print(f"{'':52s} {'ms':>8s} {'forces':>9s} {'error':>9s} {'energy':>9s}")
    for run in programs.values():
        run()  # compiled
    best, rest = in_turn(3, {name: lambda run=run: seconds(run) for name, run in programs.items()})
    for name, took in best.items():
        q, v, forces = rest[name][0]
        print(f"{name:52s} {1e3 * took:8.1f} {forces:9.0f} {np.linalg.norm(q[0] - EXACT):9.1e} {abs(energy(q, v) - E0):9.1e}")


if __name__ == "__main__":
    main()
