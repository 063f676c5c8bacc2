"""docs/pictures/shadow.svg, for docs/theory/shadow.md:  ./actio python docs/pictures/shadow.py"""

import actio
import numpy as np
from drawing import BLUE, RED, drawn

pendulum = actio.System(coordinates=["theta"], mass=1, potential="-cos(theta)")


def energies(h, end):
    """Times, H, and H with the term of h^2, along a run of verlet."""
    run = pendulum.run(method="verlet", step=h, end=end, position=[2.0])
    q, p = run["theta"], run["p(theta)"]
    H = p**2/2 - np.cos(q)
    return run.t, H, H + h**2*(p**2*np.cos(q)/12 - np.sin(q)**2/24)


with drawn("shadow", 1, 2) as (left, right):
    t, H, shadow = energies(0.5, 20)
    left.plot(t, H - H[0], label="H - H(0)")
    left.plot(t, shadow - shadow[0], color=RED, label="with the term of h$^2$")
    left.set(xlabel="t", title="verlet on a pendulum, h = 0.5", ylim=(-0.075, 0.025))
    left.legend(loc="upper right")
    steps = np.array([0.5, 0.25, 0.125, 0.0625, 0.03125])
    errors = []
    for h in steps:
        _, H, shadow = energies(h, 2000)
        errors.append((np.abs(H - H[0]).max(), np.abs(shadow - shadow[0]).max()))
        print(f"h = {h}: H is off by {errors[-1][0]:.3g}, with the term of h^2 by {errors[-1][1]:.3g}")
    errors = np.array(errors)
    right.loglog(steps, errors[:, 0], "o-", ms=3, color=BLUE, label="H")
    right.loglog(steps, errors[:, 1], "o-", ms=3, color=RED, label="with the term of h$^2$")
    right.set(xlabel="h", ylabel="largest error to t = 2000", title="orders 2 and 4")
    right.set_xticks(steps[::2], [f"{h:g}" for h in steps[::2]], minor=False)
    right.minorticks_off()
    right.legend()
