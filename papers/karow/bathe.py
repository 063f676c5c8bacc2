"""Karow's balance on Bathe's example of two degrees of freedom, with its table."""
import numpy as np

from balance import Linear
from common import BLACK, BLUE, EPS, ORANGE, below, plot
from sdof import close

MASS, S, P = np.array([2.0, 1.0]), np.array([[6.0, -2.0], [-2.0, 4.0]]), np.array([0.0, 10.0])
STEP, STEPS = 0.28, 12
EXACT, CENTRAL, NEWMARK = (1.157, 2.489), (1.02, 2.60), (1.40, 2.31)  # as printed, at step 12
RECOMPUTED = (1.396784, 2.312925)  # Newmark in extended precision


def exact(t):
    """The motion from rest, by eigenmodes: u = sum phi_i (phi_i . P)/w_i^2 (1 - cos w_i t)."""
    root = np.sqrt(MASS)
    squares, modes = np.linalg.eigh(S / np.outer(root, root))
    shapes = modes / root[:, None]
    return (1 - np.cos(np.outer(t, np.sqrt(squares)))) * (shapes.T @ P / squares) @ shapes.T


def figure(paper, newmark, central):
    drawn, axes = plot(1, 1, (7.0, 3.0))
    t = np.linspace(0, STEP * STEPS, 400)
    for i, (name, color) in enumerate((("u", BLUE), ("w", ORANGE))):
        axes.plot(t, exact(t)[:, i], color=color, label=f"{name}, exact")
        axes.plot(newmark.t, newmark.q[:, i], color=color, linestyle="none", marker="o", markersize=4, label=f"{name}, Newmark 1/4, 1/2")
        axes.plot(central.t, central.q[:, i], color=BLACK, linestyle="none", marker="x", markersize=4,
                  label="central differences" if i else None)
    axes.set(xlabel="t", ylabel="displacement", title="Bathe's example, h = 0.28")
    axes.legend(fontsize=8, loc="upper left")
    return paper.save(drawn, "figure-bathe")


def section(paper):
    newmark = paper.run("bathe.toml", "bathe")
    central = paper.run("bathe.toml", "bathe-central", "method.name=central-difference")
    last = exact([STEP * STEPS])[0]
    paper.claim("bathe", f"exact at step {STEPS}: {EXACT}",
                f"by eigenmodes ({last[0]:.3f}, {last[1]:.3f})",
                np.allclose(last, EXACT, rtol=0, atol=5e-4))
    paper.claim("bathe", f"Newmark 1/4, 1/2: {NEWMARK}; in extended precision {RECOMPUTED}",
                f"({newmark.q[-1, 0]:.6f}, {newmark.q[-1, 1]:.6f})",
                np.allclose(newmark.q[-1], RECOMPUTED, rtol=0, atol=5e-7))
    paper.claim("bathe", f"central differences: {CENTRAL}",
                f"({central.q[-1, 0]:.3f}, {central.q[-1, 1]:.3f})",
                np.allclose(central.q[-1], CENTRAL, rtol=0, atol=5e-3))
    by_13, by_14, size = Linear(np.diag(MASS), np.zeros((2, 2)), S, np.tile(P, (STEPS + 1, 1))).balance(newmark)
    paper.claim("bathe", "(13) and (14), the load setting in at once",
                f"largest remainder of a step {below(abs(by_13).max() / size)} and {below(abs(by_14).max() / size)} of the "
                "energies",
                max(abs(by_13).max(), abs(by_14).max()) < 50 * EPS * size)
    close(paper, "bathe", newmark, "Newmark")
    return f"""## Bathe's example

M = diag(2, 1), S = [[6, -2], [-2, 4]], the load (0, 10) on a system at rest, {STEPS} steps of {STEP}.

{figure(paper, newmark, central)}

{paper.table("bathe")}
"""
