"""docs/pictures/comet.svg, for docs/theory/steps.md:  ./actio python docs/pictures/comet.py"""

from pathlib import Path

import actio
import numpy as np
from drawing import COLOURS, drawn

FILE = Path(__file__).parents[2] / "examples/comet.toml"
TURN = 2*np.pi


def turns(t, error):
    """The largest of each turn."""
    turn = (t // TURN).astype(int)
    return np.array([error[turn == k].max() for k in range(100)])


def from_the_state(eps):
    """verlet with h = eps r^1.5 of the state that a step leaves."""
    q, v, t = np.array([0.01, 0.0]), np.array([0.0, 14.106735979665884]), 0.0

    def force(q):
        return -q/np.linalg.norm(q)**3

    times, energies = [], []
    while t < 100*TURN:
        h = eps*np.linalg.norm(q)**1.5
        p = v + h/2*force(q)
        q = q + h*p
        v = p + h/2*force(q)
        t += h
        times.append(t)
        energies.append(v @ v/2 - 1/np.linalg.norm(q))
    return np.array(times), np.array(energies)


with drawn("comet", size=(5.6, 2.9)) as axes:
    t, energy = from_the_state(0.05)
    error = turns(t, abs(energy + 0.5))
    print(f"h from the state: {error[0]:.3g} in the first turn, {error[-1]:.3g} in the last, {len(t)/100:.0f} steps a turn")
    axes.plot(range(100), error, label="h = eps r$^{1.5}$ of the state")
    changes = {"reversible": {}, "log-hamiltonian": {"method.name": "log-hamiltonian", "run.step": {"eps": 0.05}}}
    for colour, (name, change) in zip(COLOURS[1:], changes.items()):
        run = actio.run(FILE, {"run.every": 1, "run.end": 100*TURN, **change})
        error = turns(run.t, np.maximum(abs(run.energy - run.energy[0]), 1e-16))
        print(f"{name}: {error[0]:.3g} in the first turn, {error[-1]:.3g} in the last, {len(run.t)/100:.0f} steps a turn")
        axes.plot(range(100), error, color=colour, label=name)
    axes.set(xlabel="turn", ylabel="largest |E - E0| in a turn", yscale="log", title="a comet of eccentricity 0.99")
    axes.legend(loc="center right")
