"""docs/pictures/defect.svg, for docs/theory/what-a-certificate-knows.md:  ./actio python docs/pictures/defect.py"""

import actio
import numpy as np
from drawing import COLOURS, GREY, drawn

star = actio.System(coordinates=["x", "y"], mass=1, potential="0.5*(x^2 + y^2) + x^2*y - y^3/3")
steps = 0.5*0.5**np.arange(7)

with drawn("defect", size=(5.6, 2.9)) as axes:
    for colour, method in zip(COLOURS, ("verlet", "rk4", "zhang-skeel-simplified", "energy-momentum")):
        found = [star.run(method=method, step=h, end=20, position=[0.1, 0], velocity=[0, 0.5]).certificate for h in steps]
        defects, floors = [c.symplecticity.defect for c in found], [c.symplecticity.floor for c in found]
        print(method, " ".join(f"{d:.1e} ({f:.0e}) {c.verdict}" for d, f, c in zip(defects, floors, found)))
        axes.loglog(steps, np.maximum(defects, 1e-17), "o-", ms=3, color=colour, label=method)
    axes.loglog(steps, floors, ":", color=GREY, label="resolution of the measurement")
    axes.set(xlabel="h", ylabel="defect of the symplectic form", ylim=(1e-14, 1e4), title="one step in the potential of Henon and Heiles")
    axes.legend(loc="upper left", fontsize=8)
