"""docs/pictures/friction.svg, for docs/theory/forces.md:  ./actio python docs/pictures/friction.py"""

import actio
import numpy as np
from drawing import COLOURS, GREY, drawn

damped = actio.System(coordinates=["x", "y"], mass=1, potential="(x^2 + y^2)*(x^2 + y^2 - 1)^2", dissipation="0.0005*(x'^2 + y'^2)")
STEP, BLOCK = 0.2, 10  # and the units of time of a mean

with drawn("friction", size=(5.6, 2.9)) as axes:
    for colour, name in zip([GREY, *COLOURS], ("cvode-adams", "midpoint", "newmark", "rk4")):
        run = damped.run(method=name, step=STEP, end=400, position=[1.2, 0], velocity=[0, 0.2])
        size = int(BLOCK/STEP)
        mean = run.energy[1:].reshape(-1, size).mean(1)
        ledger = run.certificate.ledger
        print(f"{name}: E at t = 400 {run.energy[-1]:.3f}, mean of the last {BLOCK} {mean[-1]:.3f}; "
              f"friction took {ledger.dissipated:.4f}, the method {ledger.method:.4f}")
        axes.plot(run.t[size::size] - BLOCK/2, mean, color=colour, lw=2.5 if colour == GREY else 1.1, label=name)
    axes.set(xlabel="t", ylabel="mean energy", title="weak friction, h = 0.2")
    axes.legend()
