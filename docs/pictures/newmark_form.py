"""docs/pictures/newmark-form.svg, for docs/theory/newmark.md:  ./actio python docs/pictures/newmark_form.py"""

import actio
import numpy as np
from drawing import drawn

N, H, BETA = 600, 0.8, 0.25
angle = 2*np.pi*np.arange(N)/N
pendulums = actio.System(coordinates=[f"theta[{N}]"], mass=1, term={"over": f"k = 0..{N - 1}", "potential": "-cos(theta[k])"})
run = pendulums.run(method=actio.methods.Newmark(beta=BETA), step=H, steps=60, certificate={"level": "off"},
                    position={"theta": 0.2*np.cos(angle)}, velocity={"theta": 1.4 + 0.2*np.sin(angle)})


def area(q, p):
    return 0.5*np.abs((q*np.roll(p, -1, 1) - np.roll(q, -1, 1)*p).sum(1))


oscillator = actio.System(coordinates=["x", "y"], mass=1, potential="(x^2 + y^2)*(x^2 + y^2 - 1)^2",
                          symmetry={"name": "J", "generator": ["-y", "x"]})
long = oscillator.run(method="newmark", step=0.2, end=60, position=[1.2, 0], velocity=[0, 0.2])
x = long.q + BETA*0.2**2*2*((long.q**2).sum(1, keepdims=True) - 1)*(3*(long.q**2).sum(1, keepdims=True) - 1)*long.q
in_x = x[:, 0]*long.v[:, 1] - x[:, 1]*long.v[:, 0]

with drawn("newmark-form", 1, 2) as (left, right):
    for label, q in (("in (q, p)", run.q), ("in (x, p)", run.q + BETA*H**2*np.sin(run.q))):
        size = area(q, run.p)
        print(f"area {label}: {size.min()/size[0] - 1:+.2g} to {size.max()/size[0] - 1:+.2g} of the first")
        left.plot(run.t, size/size[0], label=label)
    left.set(xlabel="t", ylabel="area / area at t = 0", title="a patch of pendulums, h = 0.8", ylim=(0.98, 1.2))
    left.legend(loc="upper right")
    right.plot(long.t, long.momentum["J"], label="of (q, p)")
    right.plot(long.t, in_x, label="of (x, p)")
    print(f"J in (q, p) moves by {np.ptp(long.momentum['J']):.3g}, in (x, p) by {np.ptp(in_x):.3g}")
    right.set(xlabel="t", title="angular momentum, h = 0.2", ylim=(0.2395, 0.252))
    right.legend(loc="upper right")
