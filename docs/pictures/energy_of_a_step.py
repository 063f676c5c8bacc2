"""docs/pictures/energy-of-a-step.svg, for docs/energy-of-a-step.md:  ./actio python docs/pictures/energy_of_a_step.py"""

from pathlib import Path

import actio
import matplotlib
import numpy as np
from actio.plotting import BLUE, GREEN, GREY, RED, STYLE

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402


def steps(system, **words):
    """Times and states of the steps, as far as there are any."""
    try:
        return system.run(method="symplectic-energy-momentum", **words)
    except actio.RunError as error:
        return error.trajectory


def against_law(axis, run, D, title):
    """Sizes of steps over the time, and (h0^3 D0)^(1/3) D^(-1/3) with D at their middles."""
    h = np.diff(run.t)
    middle = D((run.q[1:] + run.q[:-1]) / 2, (run.v[1:] + run.v[:-1]) / 2)
    axis.plot(run.t[:-1], h[0] * np.cbrt(middle[0] / middle), color=GREY, label="D$^{-1/3}$")
    axis.plot(run.t[:-1], h, ".", color=BLUE, markersize=3, label="h")
    axis.set(xlabel="t", ylabel="h", title=title)
    axis.legend()


def main():
    quartic = actio.System(coordinates=["q"], mass=1, potential="q^4/4")
    run = steps(quartic, step=0.1, steps=400, position=[1.0], velocity=[0.3])
    print(f"V = q^4/4: {len(run.t) - 1} steps to t = {run.t[-1]:.4f}, h from {np.diff(run.t).min():.4f} to {np.diff(run.t).max():.4f}")
    kepler = actio.System(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)")
    ends = {}
    for e in (0.3, 0.6, 0.75, 0.83):
        orbit = steps(kepler, step=0.005, end=2 * np.pi, position=[1 - e, 0.0], velocity=[0.0, np.sqrt((1 + e) / (1 - e))])
        ends[e] = orbit
        print(f"Kepler e = {e}: {len(orbit.t) - 1} steps to t = {orbit.t[-1]:.3f}")
    with plt.rc_context(STYLE):
        figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10.5, 3.2), layout="constrained")
        against_law(left, run, lambda q, v: (v[:, 0] ** 2 * 3 * q[:, 0] ** 2 + q[:, 0] ** 6), "V = q$^4$/4, from (1, 0.3)")

        def of_kepler(q, v):
            r = np.linalg.norm(q, axis=1)
            return (v * v).sum(1) / r**3 - 3 * (q * v).sum(1) ** 2 / r**5 + 1 / r**4

        against_law(middle, ends[0.75], of_kepler, "Kepler, e = 0.75")
        for e, colour in zip((0.3, 0.6, np.sqrt(5 / 8), 0.9), (BLUE, GREEN, GREY, RED)):
            r = np.linspace(1 - e, 1 + e, 200)
            right.plot(r, 2 * r - 3 + 3 * (1 - e**2) / r, color=colour, label=f"e = {e:.3g}")
        right.axhline(0, color="black", linewidth=0.8)
        right.set(xlabel="r", ylabel="D r$^4$", ylim=(-1, 4), title="Where a step exists: D > 0")
        right.legend()
        figure.savefig(Path(__file__).with_name("energy-of-a-step.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
