"""docs/pictures/area.svg, for docs/theory/symplectic-form.md:  ./actio python docs/pictures/area.py"""

import actio
import numpy as np
from drawing import BLUE, drawn
from matplotlib.colors import to_rgb

N, H = 600, 0.75
angle = 2*np.pi*np.arange(N)/N
start = {"position": {"theta": 0.6*np.cos(angle)}, "velocity": {"theta": 1.1 + 0.6*np.sin(angle)}}
pendulums = actio.System(coordinates=[f"theta[{N}]"], mass=1, term={"over": f"k = 0..{N - 1}", "potential": "-cos(theta[k])"})


def area(q, p):
    """Of the polygon of each row."""
    return 0.5*np.abs((q*np.roll(p, -1, 1) - np.roll(q, -1, 1)*p).sum(1))


methods = {"verlet": "verlet", "midpoint": "midpoint", "rk4": "rk4", "newmark, gamma = 0.55": actio.methods.Newmark(beta=0.28, gamma=0.55)}
runs = {name: pendulums.run(method=method, step=H, steps=20, certificate={"level": "off"}, **start) for name, method in methods.items()}
with drawn("area", 1, 2, width_ratios=(1.2, 1)) as (left, right):
    for k in (0, 2, 4, 6):
        q, p = runs["verlet"].q[k, ::8], runs["verlet"].p[k, ::8]
        left.fill(q, p, facecolor=(*to_rgb(BLUE), 0.25), edgecolor=BLUE, lw=0.8)
        left.annotate(f"t = {k*H:g}", (q.mean(), p.mean()), ha="center", fontsize=8)
    left.set(xlabel="theta", ylabel="p", title="600 pendulums by verlet, h = 0.75")
    for name, run in runs.items():
        ratio = area(run.q, run.p)/area(run.q[:1], run.p[:1])
        print(f"{name}: area at t = {run.t[-1]:g} is {ratio[-1]:.4f} of the first")
        right.plot(run.t, ratio, label=name)
    right.set(xlabel="t", ylabel="area / area at t = 0", title="the area of the patch", ylim=(0.6, 1.1))
    right.legend(loc="lower left")
