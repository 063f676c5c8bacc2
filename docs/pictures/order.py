"""docs/pictures/order.svg, for docs/theory/order.md:  ./actio python docs/pictures/order.py"""

import actio
import numpy as np
from drawing import COLOURS, drawn

kepler = actio.System(coordinates=["x", "y"], mass=1, potential="-1/sqrt(x^2 + y^2)")
methods = {"symplectic-euler": "symplectic-euler", "verlet": "verlet", "verlet, composed to 4": {"name": "verlet", "compose": {"order": 4}},
           "gauss, 2 stages": actio.methods.Gauss(stages=2), "gauss, 3 stages": actio.methods.Gauss(stages=3),
           "verlet, composed to 8": {"name": "verlet", "compose": {"order": 8, "scheme": "kahan-li"}}}
END, start = 2.0, {"position": [0.8, 0], "velocity": [0, np.sqrt(1.5)]}
exact = kepler.run(method=actio.methods.Gauss(stages=6), step=0.02, end=END, **start).q[-1]

with drawn("order", size=(5.6, 3.2)) as axes:
    for colour, (name, method) in zip(COLOURS, methods.items()):
        h, errors = [], []
        for steps in (10, 20, 40, 80, 160, 320):
            run = kepler.run(method=method, step=END/steps, steps=steps, certificate={"level": "off"}, **start)
            error = np.linalg.norm(run.q[-1] - exact)
            if error > 2e-13:
                h.append(END/steps)
                errors.append(error)
        slopes = -np.diff(np.log2(errors))
        print(f"{name}: errors {' '.join(f'{e:.2g}' for e in errors)}; orders {' '.join(f'{s:.2f}' for s in slopes)}")
        axes.loglog(h, errors, "o-", ms=3, color=colour, label=name)
    axes.set(xlabel="h", ylabel="error of q at t = 2", title="a planet, eccentricity 0.2", ylim=(1e-13, 1e5))
    axes.legend(fontsize=7, ncols=2, loc="upper left")
