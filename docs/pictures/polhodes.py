"""docs/pictures/polhodes.svg, for docs/theory/rotations.md:  ./actio python docs/pictures/polhodes.py"""

import actio
import numpy as np
from drawing import BLUE, GREEN, RED, drawn

INERTIA = np.array([1.0, 2.0, 2.8])
box = actio.System(bodies=[{"name": "box", "inertia": list(INERTIA)}])
circle = np.linspace(0, 2*np.pi, 73)

with drawn("polhodes", 1, 2, size=(7.4, 3.4), width_ratios=(1, 1.3)) as (left, right):
    left.plot(np.cos(circle), np.sin(circle), color="#9aa0aa", lw=0.8)
    look = np.linalg.qr(np.array([[0.75, 1.1, 0.5], [0, 0, 1], [1, -0.5, 0]]).T)[0].T  # seen from between the axes
    for colour, axis, tilts in ((BLUE, 0, (0.25, 0.5, 0.75)), (GREEN, 2, (0.25, 0.5, 0.75)), (RED, 1, (0.02,))):
        for tilt in tilts:
            momentum = np.zeros(3)
            momentum[axis], momentum[(axis + 1) % 3] = np.cos(tilt), np.sin(tilt)
            run = box.run(method="lie-group", step=0.2, end=50, bodies={"box": {"angular_velocity": list(momentum/INERTIA)}})
            R, P = run.q.reshape(-1, 3, 3), run.p.reshape(-1, 3, 3)
            A = np.einsum("tji,tjk->tik", R, P)
            body = np.stack([A[:, 2, 1] - A[:, 1, 2], A[:, 0, 2] - A[:, 2, 0], A[:, 1, 0] - A[:, 0, 1]], 1)
            error = abs(np.linalg.norm(body, axis=1) - 1).max()
            print(f"axis {axis + 1}, tilt {tilt}: |Pi| off by {error:.2g}, energy by {run.certificate.energy.max_error:.2g}")
            for sign in (1, -1):
                seen = sign*body @ look.T
                seen[seen[:, 0] < 0] = np.nan
                left.plot(seen[:, 2], seen[:, 1], color=colour, lw=0.8)
            if axis == 1:
                for k in range(3):
                    right.plot(run.t, body[:, k], color=(BLUE, RED, GREEN)[k], label=f"axis {k + 1}")
    left.set(aspect="equal", title="angular momentum, seen in the body", xticks=[], yticks=[])
    left.grid(False)
    left.spines[:].set_visible(False)
    right.set(xlabel="t", ylabel="angular momentum along the body", title="near the middle axis: it turns over")
    right.legend(loc="lower right")
