"""docs/pictures/multiplier.svg, for docs/theory/constraints.md:  ./actio python docs/pictures/multiplier.py"""

from pathlib import Path

import actio
from drawing import GREY, RED, drawn

FILE = Path(__file__).parents[2] / "examples/double-pendulum.toml"
rods = actio.run(FILE, {"run.step": 0.01, "run.end": 6, "run.every": 2})
soft = actio.run(FILE, {"run.step": 0.0025, "run.end": 6, "run.every": 8, "method.name": "verlet", "system.constraint_method": "penalty",
                        "system.omega": 20})
g = soft["x1"]**2 + soft["y1"]**2 - 1
with drawn("multiplier", size=(5.6, 2.9)) as axes:
    axes.plot(soft.t, -400*g, color=GREY, lw=0.8, label="soft rod: - omega$^2$ g, omega = 20")
    axes.plot(rods.t, rods.multipliers["upper rod"], color=RED, label="multiplier of rattle")
    axes.set(xlabel="t", title="what holds the upper rod of a double pendulum", ylim=(-2.2, 0.6))
    axes.legend()
print(rods.certificate.constraints.distance, abs(g).max(), rods.certificate.verdict, soft.certificate.verdict)
