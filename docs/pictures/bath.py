"""docs/pictures/bath.svg, for docs/theory/noise.md:  ./actio python docs/pictures/bath.py"""

import actio
import numpy as np
from drawing import COLOURS, drawn

N, STEPS = 2000, 1500
springs = {scheme: actio.System(coordinates=[f"x[{N}]"], mass=1, term={"over": f"k = 0..{N - 1}", "potential": "0.5*x[k]^2"},
                                thermostat={"rate": 1, "temperature": 1, "seed": 3, "scheme": scheme}) for scheme in ("obabo", "gla", "baoab")}
steps = np.array([0.4, 0.8, 1.2, 1.6])
fine = np.linspace(0.2, 1.7, 50)

with drawn("bath", size=(5.6, 2.9)) as axes:
    for colour, (scheme, system) in zip(COLOURS, springs.items()):
        variances = []
        for h in steps:
            run = system.run(method="verlet", step=h, steps=STEPS, every=10, certificate={"level": "off"}, states="q",
                             position={"x": 0}, temperature=1)
            variances.append((run.q[30:]**2).mean())
        print(scheme, " ".join(f"{v:.3f}" for v in variances))
        size, filled = (6, "none") if scheme == "obabo" else (4, "full")
        axes.plot(steps, variances, "o", ms=size, color=colour, fillstyle=filled, label=scheme)
    axes.plot(fine, 1/(1 - fine**2/4), color=COLOURS[0], lw=0.8)
    axes.plot(fine, 1 + 0*fine, color=COLOURS[2], lw=0.8)
    axes.set(xlabel="omega h", ylabel="<x$^2$> omega$^2$/kT", title="2000 oscillators in a bath; lines: theory", ylim=(0.8, 3.5))
    axes.legend()
