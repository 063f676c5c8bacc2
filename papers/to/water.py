"""TO 4.3: clusters of rigid waters. Figures 4 and 7 with noise, 5 and 6 without, and the map of energies behind Figure 6.

make.py calls `section`.
"""
import math
import random

import numpy as np

from common import BLACK, BLUE, RED, Failed, digits, plot, vector

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
NOISE = ("system.thermostat.friction=0.01", "system.thermostat.temperature=0.02", "system.thermostat.scheme=gla")
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


def lattice(count, apart=3.1):
    """Atoms (3, 3 count) of molecules on a cubic lattice [angstrom], those nearest to its middle, turned at random."""
    draw, half = random.Random(3), math.radians(52.26)
    shape = 0.9572 * np.array([[math.sin(half), 0, math.cos(half)], [0, 0, 0], [-math.sin(half), 0, math.cos(half)]])
    side = math.ceil(count ** (1 / 3) - 1e-9)
    places = apart * np.array([[k % side, k // side % side, k // side**2] for k in range(side**3)], float)
    places -= places.mean(axis=0)
    places = places[np.argsort((places**2).sum(axis=1), kind="stable")][:count]
    out = []
    for place in places:
        q = np.array([draw.gauss(0, 1) for _ in range(4)])
        w, x, y, z = q / np.linalg.norm(q)
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
        out.append(place + shape @ turn.T)
    return np.concatenate(out).T


def positions(x):
    """Overrides: the start (3, atoms)."""
    return tuple(f"initial.position.{name}={vector(row)}" for name, row in zip("xyz", x))


def oxygens(run, after):
    """Distances (times, pairs) between oxygens."""
    atoms = run.q[run.t >= after].reshape(-1, 3, run.q.shape[1] // 3)[:, :, 1::3]
    first, second = np.triu_indices(atoms.shape[2], 1)
    return np.sqrt(((atoms[:, :, first] - atoms[:, :, second]) ** 2).sum(axis=1))


def alike(a, b, edges):
    """(half the sum of |difference|, what it is between the halves of the first): of two normalised histograms."""
    def share(values):
        return np.histogram(values, edges)[0] / values.size
    half = len(a) // 2
    return 0.5 * np.abs(share(a) - share(b)).sum(), 0.5 * np.abs(share(a[:half]) - share(a[half:])).sum()


def noise(paper, name, number, end, burn_in, *start):
    """Figures 4 and 7: histograms of O-O distances by SHAKE and by Z&S, both with GLA."""
    runs = {}
    for label, overrides in (("SHAKE", METHODS["SHAKE"]), ("Z&S (19)", (*METHODS[STIFF], *soft(20)))):
        runs[label], said = paper.attempt(PROBLEM, f"water-{name}-{label[0]}", *overrides, *NOISE, "system.thermostat.seed=1",
                                          f"system.parameters.N={number}", f"run.end={end:g}", *start)
        if runs[label].t[-1] < end:
            raise Failed(f"water, {label}: {said}")
    edges = np.linspace(2, 8 if number == 7 else 20, 241)
    picture, axes = plot(1, 1, (5.2, 2.8))
    found = {label: oxygens(run, burn_in) for label, run in runs.items()}
    for (label, values), colour, dashes in zip(found.items(), (BLACK, BLUE), ("-", "--")):
        axes.stairs(np.histogram(values, edges, density=True)[0], edges, color=colour, linestyle=dashes, label=label)
    axes.set(xlabel="distance of two oxygens [angstrom]", ylabel="density", xlim=(edges[0], edges[-1]))
    axes.legend(fontsize=8)
    return paper.save(picture, f"figure-{name}"), found, alike(found["SHAKE"], found["Z&S (19)"], edges), runs


def kinetic(run):
    return run.certificate["thermostat"]["kinetic"]


def heptamer(paper, end=1e4, burn_in=500):
    drawn, found, (apart, itself), runs = noise(paper, "4", 7, end, burn_in, "run.every=20")
    soft_bonds = paper.attempt(PROBLEM, "water-4-V", *METHODS["Verlet, h = 0.005"], *soft(20), *NOISE, "system.thermostat.seed=1", f"run.end={end:g}")[0]
    found["Verlet"] = oxygens(soft_bonds, burn_in)
    nearest = {label: values[(values > 2.3) & (values < 3.4)].mean() for label, values in found.items()}
    shift, resolved = nearest["Z&S (19)"] - nearest["SHAKE"], nearest["Verlet"] - nearest["SHAKE"]
    paper.claim("figures 4 and 7", "Figure 4: seven waters, T = 10000: the histograms by SHAKE and by Z&S agree, with distinct peaks",
                f"the same peaks, the first at {nearest['SHAKE']:.3f} and {nearest['Z&S (19)']:.3f} angstrom; in bins of 0.025 {100 * apart:.0f} % of the pairs stand elsewhere, "
                f"{100 * itself:.0f} % between the halves of SHAKE's run", abs(shift) < 0.05 and apart < 0.3)
    paper.claim("figures 4 and 7", "... (the paper does not say that they differ)", f"Z&S moves the first peak by {shift:.3f}, Verlet at h = 0.005 with the same penalty by {resolved:.3f}: "
                "the bonds of omega = 20 give way", shift * resolved > 0 and abs(resolved) > 0.3 * abs(shift), "**differs**")
    hot = {label: kinetic(run) for label, run in runs.items()}
    paper.claim("figures 4 and 7", "both are at kT = 0.02", "; ".join(
        f"kinetic temperature by {label}: {t['kT']:.4f} +- {t['error']:.4f}" for label, t in hot.items()),
                all(abs(t["kT"] - 0.02) < 4 * t["error"] + 0.02 * 0.02 for t in hot.values()))
    return drawn


def hundred(paper, end=1e3, burn_in=300):
    count = 100
    cool = paper.run(PROBLEM, "water-7-start", "method.name=shake", f"system.parameters.N={count}", *positions(lattice(count)),
                     "system.thermostat.rate=0.3", "system.thermostat.temperature=0.02", "system.thermostat.seed=2",
                     "run.step=0.02", "run.end=100", "run.every=500")
    start = cool.q[-1].reshape(3, -1)
    drawn, _, (apart, itself), _ = noise(paper, "7", count, end, burn_in, *positions(start), "run.every=20")
    paper.claim("figures 4 and 7", "Figure 7: a hundred waters, T = 1000: the same histogram",
                f"{100 * apart:.1f} % of the pairs stand elsewhere in bins of 0.075, and {100 * itself:.1f} % between the halves of SHAKE's run",
                apart < 2 * itself + 0.05)
    return drawn


def section(paper):
    four, seven = heptamer(paper), hundred(paper)
    five = multipliers(paper)
    six, table = conservation(paper)
    return f"""## Figures 4 to 7: waters

`water.toml`: TIP3P in angstrom, kcal/mol and amu, so that a unit of time is 48.888 fs. Seven molecules start at a minimum of their potential with velocities drawn for
kT = 0.02 kcal/mol and made tangent to the constraints; the paper does not give its start, nor its beta. With `system.constraint_method=penalty system.omega=20` the same file is (26).
h = 0.05.

Figures 4 and 7 are Langevin dynamics (27), friction 0.01 and kT = 0.02 (10 K), by GLA (`system.thermostat`). A hundred molecules start on a lattice and are cooled for t = 100 at the rate 0.3.

{four}

{seven}

{paper.table("figures 4 and 7")}

Figures 5 and 6 are without noise.

{five}

{six}

The energies are those of (26), bonds included, over five starts; the motion has 0.4 kcal/mol.

{table}

{paper.table("figures 5 and 6")}
"""
