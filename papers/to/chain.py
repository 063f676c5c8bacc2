"""TO 4.2, Figure 3: a chain of ten pendula by SHAKE and by Z&S on the penalised system."""
import numpy as np

from common import BLACK, BLUE, GREEN, RED, digits, plot
from pendulum import BETA, OMEGA, PENALTY, method

LENGTH = np.sqrt(5)
RUNS = {
    "shake": (("method.name=shake",), "SHAKE, h = 0.05", BLUE, "-"),
    "shake-half": (("method.name=shake", "run.step=0.025", "run.every=2"), "SHAKE, h = 0.025", BLACK, ":"),
    "zs": (method("zhang-skeel", *PENALTY), "Z&S, h = 0.05, omega = 20", RED, "--")}


def links(run):
    """(N, n): how much each rod is too long, of its length."""
    n = run.q.shape[1] // 2
    x, y = (np.pad(part, ((0, 0), (1, 0))) for part in (run.q[:, :n], run.q[:, n:]))
    return np.hypot(np.diff(x), np.diff(y)) / LENGTH - 1


def apart(a, b):
    """The largest distance of a mass of the one from that of the other, in rods."""
    n = a.q.shape[1] // 2
    return np.hypot(a.q[:, :n] - b.q[:, :n], a.q[:, n:] - b.q[:, n:]).max() / LENGTH


def section(paper):
    runs = {name: paper.run("chain.toml", f"chain-{name}", *row[0]) for name, row in RUNS.items()}
    fine = paper.run("chain.toml", "chain-fine", "method.name=rattle", "run.step=0.0025", "run.every=20")
    off = {name: apart(run, fine) for name, run in runs.items()}
    stretched = np.abs(links(runs["zs"])).max()
    paper.claim("figure 3", "good agreement between SHAKE and Z&S; errors are not shown, for lack of a benchmark",
                f"no mass is ever farther from RATTLE's at h = 0.0025 than {digits(off['shake-half'])} rods (SHAKE, h = 0.025), "
                f"{digits(off['shake'])} (SHAKE, h = 0.05), {digits(off['zs'])} (Z&S)",
                off["zs"] < 0.05 and 3 < off["shake"] / off["shake-half"] < 5)
    paper.claim("figure 3", "the constraints", f"SHAKE: rods of the right length to 1e-10; Z&S: to {digits(100 * stretched)} %",
                np.abs(links(runs["shake"])).max() < 1e-10 and stretched < 0.1)
    drawn, axes = plot(3, 1, (7.0, 5.6), sharex=True)
    for axis, k in zip(axes, (0, 4, 9)):
        for name, (_, label, colour, style) in RUNS.items():
            axis.plot(runs[name].t, runs[name].q[:, k], color=colour, linestyle=style, label=label)
        axis.plot(fine.t, fine.q[:, k], color=GREEN, linewidth=0.5, label="RATTLE, h = 0.0025")
        axis.set(ylabel=f"$x_{{{k + 1}}}$", xlim=(0, fine.t[-1]))
    axes[0].legend(fontsize=7, ncol=4, loc="upper center", bbox_to_anchor=(0.5, 1.3))
    axes[-1].set(xlabel="t")
    return f"""## Figure 3: a chain of ten pendula

n = 10, rods of sqrt 5, from rest at x_i = i, y_i = -2 i, gravity down; Z&S with beta = {BETA} and omega = {OMEGA}. The
paper does not say how long its figure is; here t = {fine.t[-1]:g}.

{paper.save(drawn, "figure-3")}

{paper.table("figure 3")}
"""
