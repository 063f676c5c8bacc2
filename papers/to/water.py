"""TO 4.3: clusters of rigid waters. Figures 5 and 6, and the map of energies behind Figure 6.

make.py calls `section`.
"""
import numpy as np

from common import BLACK, BLUE, RED, digits, plot

PROBLEM = "water.toml"
METHODS = {
    "SHAKE": ("method.name=shake",),
    "Z&S (19), beta = 0.25": ("method.name=zhang-skeel-stiff", "method.beta=0.25"),
    "Z&S (19), beta = 0.3": ("method.name=zhang-skeel-stiff", "method.beta=0.3"),
    "Z&S (19), beta = 0.4": ("method.name=zhang-skeel-stiff", "method.beta=0.4"),
    "Z&S simplified (18), beta = 0.3": ("method.name=zhang-skeel-simplified", "method.beta=0.3"),
    "Z&S (3), beta = 0.3": ("method.name=zhang-skeel", "method.beta=0.3"),
    "Newmark, one iteration": ("method.name=newmark", "method.iterations=1"),
    "Newmark": ("method.name=newmark",),
    "Verlet, h = 0.005": ("method.name=verlet", "run.step=0.005", "run.every=200"),
}
STIFF, PARTIAL = "Z&S (19), beta = 0.3", "Newmark, one iteration"


def soft(omega):
    return ("system.constraint_method=penalty", f"system.omega={omega:g}")


def error(values):
    return np.abs(values - values[0]).max()


def lost(run):
    """It did not reach its end, or its energy is off by more than 100 times that of its motion."""
    return run.certificate["steps"] < run.certificate["planned_steps"] or not error(run.energy) < 50


def of_each(runs, measure):
    """The smallest and the largest of some runs, or how many of them are lost."""
    gone = sum(map(lost, runs))
    if gone:
        return f"{gone} of {len(runs)} lost"
    values = [measure(run) for run in runs]
    return f"{digits(min(values))} to {digits(max(values))}"


def multipliers(paper, end=200.0):
    """Figure 5: the multiplier of a bond, SHAKE's, and the means (8) of a penalty of omega = 500."""
    window = ("run.window=0.2", f"run.end={end:g}", *soft(500))
    shake = paper.run(PROBLEM, "water-5-shake", "method.name=shake", f"run.end={end:g}", "run.every=1")
    verlet = paper.attempt(PROBLEM, "water-5-verlet", "method.name=verlet", "run.step=4e-4", "run.every=125", *window)[0]
    fine = paper.attempt(PROBLEM, "water-5-fine", *METHODS[STIFF], "run.step=0.005", "run.every=10", *window)[0]
    coarse = paper.attempt(PROBLEM, "water-5-coarse", *METHODS[STIFF], "run.every=1", *window)[0]
    name = next(iter(shake.multipliers))
    exact = shake.multipliers[name]

    def off(run, until=20.0):
        known = np.isfinite(run.multipliers[name]) & (run.t >= 0.2) & (run.t <= until)  # whole windows
        return np.sqrt(np.mean((run.multipliers[name][known] - np.interp(run.t[known], shake.t, exact)) ** 2))

    at = [np.abs([np.interp(run.t, shake.t, shake.q[:, 1]) - run.q[:, 1]]).max() for run in (verlet, fine)]
    picture, axes = plot(1, 2, size=(7.4, 2.8))
    for a, until in zip(axes, (10, end)):
        for run, label, colour, width in ((coarse, "Z&S (19), h = 0.05", RED, 0.5), (fine, "Z&S (19), h = 0.005", BLUE, 1.0),
                                          (shake, "SHAKE, h = 0.05", BLACK, 1.0)):
            if run is coarse and until == end:
                continue
            a.plot(run.t, run.multipliers[name], color=colour, linewidth=width, label=label, linestyle="--" if run is shake else "-")
        a.set(xlabel="t", xlim=(0, until), ylim=(exact.min() - 3, exact.max() + 3))
    axes[0].set(ylabel="multiplier of the first bond")
    axes[0].legend(fontsize=7, loc="lower right")
    paper.claim("figures 5 and 6", "Figure 5: the multiplier by (8) over a window of 0.2, omega = 500, is close to SHAKE's until the motion is chaotic",
                f"root mean square difference until t = 20, of multipliers between {exact.min():.1f} and {exact.max():.1f}: "
                f"{digits(off(verlet))} by Verlet at h = 4e-4, {digits(off(fine))} by Z&S at h = 0.005, where the paths differ by "
                f"{digits(max(at))} until t = {end:g}", off(verlet) < 0.03 * np.abs(exact).max() and off(fine) < 0.05 * np.abs(exact).max())
    paper.claim("figures 5 and 6", "... at the step of the other runs, h = 0.05", f"by Z&S {digits(off(coarse))}, of the size of the multiplier itself: h omega = 25 "
                "does not follow the bonds", off(coarse) > 5 * off(fine), "**differs**")
    return paper.save(picture, "figure-5")


def conservation(paper, starts=(1, 2, 3, 4, 5), omegas=(10, 20, 40)):
    """Figure 6, and Markdown of the largest errors of energy and angular momentum for several starts and penalties."""
    runs = {}
    for omega in omegas:
        for name, overrides in METHODS.items():
            if name == "SHAKE" and omega != 20:
                continue
            keep = () if name == "SHAKE" else soft(omega)
            runs[name, omega] = [paper.attempt(PROBLEM, f"water-6-{omega}-{seed}", *overrides, *keep, f"initial.seed={seed}")[0]
                                 for seed in starts]
    rows = ["| largest error until t = 500 | " + " | ".join(f"energy, omega = {w}" for w in omegas) + " | angular momentum, omega = 20 |",
            "|-|" + "-|" * (len(omegas) + 1)]
    turn = "angular momentum z"
    for name in METHODS:
        cells = [of_each(runs[name, w], lambda run: error(run.energy)) if (name, w) in runs else "" for w in omegas]
        rows.append(f"| {name} | " + " | ".join(cells) + f" | {of_each(runs[name, 20], lambda run: error(run.momentum[turn]))} |")

    picture, axes = plot(1, 3, size=(7.4, 2.6))
    for name, colour in (("SHAKE", BLACK), (STIFF, BLUE), (PARTIAL, RED)):
        run = runs[name, 20][0]
        axes[0].plot(run.t, run.energy - run.energy[0], color=colour, label=name)
        axes[1].plot(run.t, run.momentum["momentum x"] - run.momentum["momentum x"][0], color=colour)
        axes[2].plot(run.t, run.momentum[turn] - run.momentum[turn][0], color=colour)
    for a, title in zip(axes, ("energy, change", "momentum x, change", "angular momentum z, change")):
        a.set(xlabel="t", title=title)
    axes[2].legend(*axes[0].get_legend_handles_labels(), fontsize=6, loc="upper left")

    def worse(measure):
        return sum(measure(a) > measure(b) for a, b in zip(runs[STIFF, 20], runs[PARTIAL, 20]))

    energies, turns = worse(lambda run: error(run.energy)), worse(lambda run: error(run.momentum[turn]))
    paper.claim("figures 5 and 6", "Figure 6: Z&S conserves energy and angular momentum better than partially solved Newmark",
                f"at omega = 20 and h = 0.05 its largest error of the energy is the larger one for {energies} of {len(starts)} starts, that of the angular momentum for "
                f"{turns}: (19), with the Hessian of the penalty alone, is not symplectic and has no angular momentum of its own",
                energies == len(starts) and turns == len(starts), "**differs**")
    linear = max(error(run.momentum["momentum x"]) for key in ((STIFF, 20), (PARTIAL, 20), ("SHAKE", 20)) for run in runs[key])
    paper.claim("figures 5 and 6", "... and all of them the linear momentum", f"to {digits(linear)}", linear < 1e-10)
    return paper.save(picture, "figure-6"), "\n".join(rows)


def section(paper):
    five = multipliers(paper)
    six, table = conservation(paper)
    return f"""## Figures 5 and 6: seven waters

`water.toml`: TIP3P in angstrom, kcal/mol and amu, so that a unit of time is 48.888 fs. Seven molecules start at a minimum of their potential with velocities drawn for
kT = 0.02 kcal/mol and made tangent to the constraints; the paper does not give its start, nor its beta. With `system.constraint_method=penalty system.omega=20` the same file is (26).
No noise, h = 0.05.

{five}

{six}

The energies are those of (26), bonds included, over five starts; the motion has 0.4 kcal/mol.

{table}

{paper.table("figures 5 and 6")}
"""
