"""docs/pictures/what-is-kept.svg, for the README and the manual's first page:  ./actio python docs/pictures/what_is_kept.py"""

from pathlib import Path

import actio
import matplotlib
import numpy as np
from actio.plotting import BLUE, GREEN, RED, STYLE

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

TURNS, STEP, PERIOD = 200, 0.1, 2 * np.pi
kepler = actio.System(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)",
                      symmetry={"name": "angular momentum", "generator": ["-y", "x"]})
runs = {method: kepler.run(method=method, step=STEP, end=TURNS * PERIOD, position=[0.4, 0], velocity=[0, 2])
        for method in ("verlet", "gauss", "rk4")}
colours = {"verlet": BLUE, "gauss": GREEN, "rk4": RED}

with plt.rc_context({**STYLE, "svg.fonttype": "path"}):
    figure, (orbit, energy) = plt.subplots(1, 2, figsize=(7.4, 2.9), layout="constrained", width_ratios=(1, 1.5))
    for method in ("rk4", "gauss"):
        last = runs[method].t > (TURNS - 3) * PERIOD
        orbit.plot(runs[method]["x"][last], runs[method]["y"][last], color=colours[method], label=method)
    orbit.plot(0, 0, "o", color="#8a5a00", ms=6)
    orbit.set(xlabel="x", ylabel="y", aspect="equal", title="turns 198 to 200")
    for method, run in runs.items():
        turn = run.t // PERIOD
        error = np.abs(run.energy - run.energy[0])
        worst = [error[turn == k].max() for k in range(TURNS)]
        energy.plot(np.arange(TURNS), worst, color=colours[method], label=method)
    energy.set(xlabel="turn", ylabel="largest |E - E0| in a turn", yscale="log", title=f"the energy, {PERIOD / STEP:.0f} steps a turn")
    energy.legend(loc="center right")
    figure.savefig(Path(__file__).parent / "what-is-kept.svg", metadata={"Date": None})
for method, run in runs.items():
    print(method, run.certificate.verdict, run.certificate.energy.max_error)
