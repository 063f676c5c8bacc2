"""docs/pictures/momentum.svg, for docs/theory/momentum.md:  ./actio python docs/pictures/momentum.py"""

import actio
import numpy as np
from drawing import drawn

oscillator = actio.System(coordinates=["x", "y"], mass=1, potential="(x^2 + y^2)*(x^2 + y^2 - 1)^2",
                          symmetry={"name": "J", "generator": ["-y", "x"]})

with drawn("momentum", size=(5.6, 2.9)) as axes:
    for method in ("rk4", "newmark", "verlet"):
        run = oscillator.run(method=method, step=0.2, end=2000, position=[1.2, 0], velocity=[0, 0.2])
        error = np.abs(run.momentum["J"] - run.momentum["J"][0])
        print(f"{method}: {error.max():.2g}")
        blocks = np.maximum(error[1:].reshape(-1, 50).max(1), 1e-17)  # the largest of each 10 units of time
        axes.plot(run.t[50::50], blocks, label=method)
    axes.set(xlabel="t", ylabel="largest |J - J0| in 10 units of t", yscale="log", ylim=(1e-17, 1), title="angular momentum, h = 0.2")
    axes.legend(loc="center right")
