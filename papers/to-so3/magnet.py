"""TO 4.5: the runs of the magnetised body, and what the pages' figures are drawn of."""
import numpy as np

from common import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, vector

PROBLEM, B_MU, OMEGA, BETA, H, END = "magnet.toml", 1.0, 10.0, 0.4, 0.1, 50.0
OMEGA0 = np.array([1, 0.2, 0.1])
ZS = (f'method={{ name = "zhang-skeel", beta = {BETA / 2:g} }}', "system.constraint_method=penalty",
      f"system.omega={OMEGA:g}")  # their mass is 1/2: their beta counts twice


def group(retraction, rule="endpoint", alpha=None):
    alpha = "" if alpha is None else f", alpha = {alpha:g}"
    return (f'method={{ name = "lie-group", retraction = "{retraction}", rule = "{rule}"{alpha} }}',)


def euler(h):
    """(34) at the step h. Its momentum is (1 + h^2/4 |Omega|^2) Omega, and it starts from Omega(0)."""
    start = (1 + h**2 / 4 * OMEGA0 @ OMEGA0) * OMEGA0
    return (*group("cayley", alpha=0), f"initial.bodies.magnet.angular_velocity={vector(start)}")


# name: (overrides, label, colour), at h = 0.1
ROWS = {
    "zs": (ZS, "Z&S on 3 x 3 matrices", GREEN),
    "euler": (euler(H), "variational Euler (34)", BLUE),
    "cayley": (group("cayley"), "`lie-group`, Cayley, endpoints", PURPLE),
    "exponential": (group("exponential"), "`lie-group`, exponential, endpoints", RED),
    "cayley-midpoint": (group("cayley", "midpoint"), "`lie-group`, Cayley, midpoint", ORANGE),
    "exponential-midpoint": (group("exponential", "midpoint"), "`lie-group`, exponential, midpoint", BLACK),
    "rattle": (('method={ name = "rattle" }',), "`rattle`: Moser and Veselov's body", BLACK)}


def settings(name, h, end, omega):
    """(name of the trajectory, overrides)"""
    overrides = euler(h) if name == "euler" else ROWS[name][0]
    penalty = (f"system.omega={omega:g}",) if name == "zs" else ()
    return (f"{name}-{h:g}-{end:g}-{omega:g}", *overrides, *penalty, f"run.step={h!r}", f"run.every={round(H / h)}",
            f"run.end={end:g}")


def run(paper, name, h=H, end=END, omega=OMEGA):
    """A row of the table at the step h, observed at multiples of 0.1."""
    return paper.run(PROBLEM, *settings(name, h, end, omega))


def attempt(paper, name, h=H, end=END, omega=OMEGA):
    """(run, failure), as Paper.attempt."""
    return paper.attempt(PROBLEM, *settings(name, h, end, omega))


def rotations(run):
    """(N, 3, 3)"""
    return run.q.reshape(-1, 3, 3)


def from_rotation(R):
    """|R'R - 1|: (N, 3, 3) -> (N)"""
    return np.linalg.norm(np.swapaxes(R, 1, 2) @ R - np.eye(3), axis=(1, 2))


def deviation(R, reference):
    """Largest entry of R - R': (N, 3, 3) -> (N); not a number for a path that is lost"""
    if len(R) < len(reference):
        return np.full(1, np.nan)
    return np.abs(R - reference).max(axis=(1, 2))


def energy_error(run):
    return np.abs(run.energy - run.energy[0])
