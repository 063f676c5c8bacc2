"""TO 4.3: clusters of rigid waters. Figures 4 and 7 with noise, 5 and 6 without, and the map of energies behind Figure 6.

make.py calls `section`; speed.py shows the run times that `section` leaves in TIMES.
"""
import math
import random

import numpy as np

from common import BLACK, BLUE, RED, Failed, below, digits, plot, vector

PROBLEM, WINDOW = "water.toml", 0.2
TIMES = {}  # (method, number of waters): seconds of the steps, of the runs of Figures 4 and 7
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


# of water.toml
MASS, CHARGE = np.array([1.008, 15.9994, 1.008]), np.array([0.417, -0.834, 0.417])
OH, HH = 0.9572, 2 * 0.9572 * math.sin(math.radians(52.26))


def soft(omega):
    return ("system.constraint_method=penalty", f"system.omega={omega:g}")


def error(values):
    return np.abs(values - values[0]).max()


def potential(q, omega):
    """(N, n) -> (N): V of (24) and the penalty of (26), without `actio`."""
    x = q.reshape(len(q), 3, -1)
    atoms = np.arange(x.shape[2])
    i, j = np.triu_indices(len(atoms), 1)
    i, j = i[i // 3 != j // 3], j[i // 3 != j // 3]
    r = np.sqrt(((x[:, :, i] - x[:, :, j])**2).sum(axis=1))
    oxygen = r[:, (i % 3 == 1) & (j % 3 == 1)]
    h, o, k = (x[:, :, part::3] for part in range(3))
    g = [((a - b)**2).sum(axis=1) - length**2 for a, b, length in ((h, o, OH), (k, o, OH), (h, k, HH))]
    return ((332.06 * CHARGE[i % 3] * CHARGE[j % 3] / r).sum(axis=1) + (582000 / oxygen**12 - 595 / oxygen**6).sum(axis=1) +
            0.5 * omega**2 * sum((part**2).sum(axis=1) for part in g))


def kinetic_energy(v):
    return 0.5 * (v**2 * np.tile(MASS, v.shape[1] // 3)).sum(axis=1)


def filtered(run, beta, omega):
    """The energy at x + beta h^2 a, from the second to the last but one step: Z&S moves x near q - beta h^2 q''."""
    h = run.t[1]
    a = (run.q[2:] - 2 * run.q[1:-1] + run.q[:-2]) / h**2
    return kinetic_energy(run.v[1:-1]) + potential(run.q[1:-1] + beta * h * h * a, omega)


def lost(run):
    """It did not reach its end, or its energy is off by 50 kcal/mol, 100 times that of its motion."""
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
    window = (f"run.window={WINDOW}", f"run.end={end:g}", *soft(500))
    shake = paper.run(PROBLEM, "water-5-shake", "method.name=shake", f"run.end={end:g}", "run.every=1")
    verlet = paper.attempt(PROBLEM, "water-5-verlet", "method.name=verlet", "run.step=4e-4", "run.every=125", *window)[0]
    fine = paper.attempt(PROBLEM, "water-5-fine", *METHODS[STIFF], "run.step=0.005", "run.every=10", *window)[0]
    coarse = paper.attempt(PROBLEM, "water-5-coarse", *METHODS[STIFF], "run.every=1", *window)[0]
    name = next(iter(shake.multipliers))
    exact = shake.multipliers[name]

    def means(run):
        """Times and means over whole windows [t - WINDOW, t], which belong to their middle."""
        whole = np.isfinite(run.multipliers[name]) & (run.t > WINDOW - 1e-9)
        return run.t[whole] - WINDOW / 2, run.multipliers[name][whole]

    def off(run, until=20.0):
        t, found = means(run)
        return np.sqrt(np.mean((found - np.interp(t, shake.t, exact))[t <= until] ** 2))

    at = max(np.abs(np.interp(run.t, shake.t, shake.q[:, 1]) - run.q[:, 1]).max() for run in (verlet, fine))
    picture, axes = plot(1, 2, size=(7.4, 3.0))
    for a, until in zip(axes, (10, end)):
        if until < end:
            a.plot(*means(coarse), color=RED, linewidth=0.5, label="Z&S (19), h = 0.05")
        a.plot(*means(fine), color=BLUE, linewidth=1.0, label="Z&S (19), h = 0.005")
        a.plot(shake.t, exact, "--", color=BLACK, linewidth=1.0, label="SHAKE, h = 0.05")
        a.set(xlabel="t", xlim=(0, until), ylim=(exact.min() - 3, exact.max() + 3), title=f"until t = {until:g}")
    axes[0].set(ylabel="multiplier of the first bond")
    axes[0].legend(fontsize=7, loc="upper center", ncol=2, columnspacing=0.8)
    scatter = exact[shake.t <= 20].std()
    paper.claim("figures 5 and 6", "Figure 5: the multiplier by (8) over a window of 0.2, omega = 500, is close to SHAKE's until the "
                "motion is chaotic", f"root mean square difference until t = 20: {digits(off(verlet))} by Verlet at h = 4e-4, "
                f"{digits(off(fine))} by Z&S at h = 0.005. SHAKE's multiplier lies between {exact.min():.1f} and {exact.max():.1f}, "
                f"and its standard deviation is {digits(scatter)}. An oxygen of either is within {digits(at)} angstrom of SHAKE's until "
                f"t = {end:g}: the motion is not chaotic until then", max(off(verlet), off(fine)) < 0.5 * scatter and at < 0.1)
    paper.claim("figures 5 and 6", "... at the step of the other runs, h = 0.05", f"Z&S is off by {digits(off(coarse))}, almost the "
                "multiplier itself: omega h = 25 does not resolve the bonds", off(coarse) > 0.3 * np.abs(exact).max(), "**differs**")
    return paper.save(picture, "figure-5")


def relaxed(paper, omega=20):
    """Overrides: the minimum of V and the penalty near the start, by friction, velocities off the constraints too."""
    run = paper.run(PROBLEM, "water-6-relaxed", *METHODS["Verlet, h = 0.005"], *soft(omega), "system.thermostat.rate=0.3",
                    "system.thermostat.temperature=0", "system.thermostat.seed=1", "run.end=300", "run.every=1000")
    return *positions(run.q[-1].reshape(3, -1)), "initial.project=false"


def conservation(paper, starts=(1, 2, 3, 4, 5), omegas=(10, 20, 40)):
    """Figure 6, and Markdown of the largest errors of energy and angular momentum for several starts and penalties."""
    runs = {}
    for omega in omegas:
        for name, overrides in METHODS.items():
            if name == "SHAKE" and omega != 20:
                continue
            keep = () if name == "SHAKE" else soft(omega)
            each = ("run.every=1",) if omega == 20 and "run.every=200" not in overrides else ()
            runs[name, omega] = [paper.attempt(PROBLEM, f"water-6-{omega}-{seed}", *overrides, *keep, *each,
                                               f"initial.seed={seed}")[0] for seed in starts]
    rows = ["| largest error until t = 500 | " + " | ".join(f"energy, omega = {w}" for w in omegas) +
            " | energy at x + beta h^2 a, omega = 20 | angular momentum, omega = 20 |", "|-|" + "-|" * (len(omegas) + 2)]
    turn = "angular momentum z"

    def own(name):
        beta = float(name.split("= ")[1]) if name.startswith("Z&S") else None
        return lambda run: error(filtered(run, beta, 20))

    for name in METHODS:
        cells = [of_each(runs[name, w], lambda run: error(run.energy)) if (name, w) in runs else "-" for w in omegas]
        cells.append(of_each(runs[name, 20], own(name)) if name.startswith("Z&S") else "-")
        cells.append(below(max(error(run.momentum[turn]) for run in runs[name, 20])) if name in ("SHAKE", "Verlet, h = 0.005")
                     else of_each(runs[name, 20], lambda run: error(run.momentum[turn])))
        rows.append(f"| {name} | " + " | ".join(cells) + " |")

    picture, axes = plot(1, 3, size=(7.4, 2.9))
    for name, colour, order in ((STIFF, BLUE, 1), (PARTIAL, RED, 2), ("SHAKE", BLACK, 3)):
        run, drawn = runs[name, 20][0], slice(None, None, 20)
        for a, values in zip(axes, (run.energy, 1e13 * run.momentum["momentum x"], run.momentum[turn])):
            a.plot(run.t[drawn], (values - values[0])[drawn], color=colour, label=name, zorder=order, linewidth=0.8)
    for a, title in zip(axes, ("energy [kcal/mol], change", "momentum x, change in 1e-13", "angular momentum z, change")):
        a.set(xlabel="t", title=title)
    axes[2].legend(fontsize=6, loc="upper left")

    def worse(measure):
        return sum(measure(a) > measure(b) for a, b in zip(runs[STIFF, 20], runs[PARTIAL, 20]))

    energies, turns = worse(lambda run: error(run.energy)), worse(lambda run: error(run.momentum[turn]))
    paper.claim("figures 5 and 6", "Figure 6: Z&S conserves energy and angular momentum better than partially solved Newmark",
                f"at omega = 20 and h = 0.05 Z&S (19) has the larger error of the energy for {energies} of {len(starts)} starts, and the "
                f"larger error of the angular momentum for {turns}. (19) takes the Hessian of the penalty alone: it is not symplectic, "
                "and it conserves no angular momentum", energies == len(starts) and turns == len(starts), "**differs**")
    inner = [own(STIFF)(run) for run in runs[STIFF, 20]]
    outer, partial = ([error(run.energy) for run in runs[name, 20]] for name in (STIFF, PARTIAL))
    paper.claim("figures 5 and 6", "... the energy at the positions that Z&S stands for", "Z&S moves x near q - beta h^2 q''. "
                "At x + beta h^2 a "
                f"its energy is off by {digits(min(inner))} to {digits(max(inner))}, at x by {digits(min(outer))} to "
                f"{digits(max(outer))}; partially "
                f"solved Newmark's by {digits(min(partial))} to {digits(max(partial))}. So most of the error is that of the coordinates, "
                "and the rest is of Newmark's size", max(inner) < 0.5 * min(outer) and 0.2 < np.mean(inner) / np.mean(partial) < 5, "ours")
    still = relaxed(paper)
    rest = {name: [error(paper.attempt(PROBLEM, "water-6-rest", *METHODS[name], *soft(20), *still, f"initial.seed={seed}")[0].energy)
                   for seed in starts[:3]] for name in (STIFF, PARTIAL)}
    paper.claim("figures 5 and 6", "... from a start at which the bonds are at rest", "the rigid cluster is no minimum of (26), "
                "so the bonds "
                "start stretched in the runs above. From a minimum of (26), with velocities of the same temperature, the energy is off by "
                f"{digits(min(rest[STIFF]))} to {digits(max(rest[STIFF]))} (Z&S) and {digits(min(rest[PARTIAL]))} to "
                f"{digits(max(rest[PARTIAL]))} "
                "(Newmark): the start is not the reason", min(rest[STIFF]) > max(rest[PARTIAL]), "**differs**")
    linear = max(error(run.momentum["momentum x"]) for key in ((STIFF, 20), (PARTIAL, 20), ("SHAKE", 20)) for run in runs[key])
    paper.claim("figures 5 and 6", "all of them conserve the linear momentum", f"to {below(linear)}", linear < 1e-10)
    moving = [kinetic_energy(run.v[:1])[0] for run in runs["SHAKE", 20]]
    return paper.save(picture, "figure-6"), "\n".join(rows), f"{digits(min(moving))} to {digits(max(moving))}"


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


def sample(paper, name, label, number, end, burn_in, seed, *overrides):
    """(run, distances of oxygens) with noise; its run time goes to TIMES."""
    run, said = paper.attempt(PROBLEM, name, *overrides, *NOISE, f"system.thermostat.seed={seed}", f"system.parameters.N={number}",
                              f"run.end={end:g}")
    if run.t[-1] < end:
        raise Failed(f"water, {label}: {said}")
    TIMES.setdefault((label, number), run.certificate["wall_seconds"])
    return run, oxygens(run, burn_in)


GLA = {"SHAKE": METHODS["SHAKE"], "Z&S (19)": (*METHODS[STIFF], *soft(20))}


def histogram(paper, name, found, edges):
    picture, axes = plot(1, 1, (5.2, 2.8))
    for label, colour, dashes in (("SHAKE", BLACK, "-"), ("Z&S (19)", BLUE, "--")):
        axes.stairs(np.histogram(found[label], edges, density=True)[0], edges, color=colour, linestyle=dashes, label=label)
    axes.set(xlabel="distance of two oxygens [angstrom]", ylabel="density [1/angstrom]", xlim=(edges[0], edges[-1]))
    axes.legend(fontsize=8)
    return paper.save(picture, f"figure-{name}")


def first_peak(values):
    return values[(values > 2.3) & (values < 3.4)].mean()


def temperature(runs):
    """(kT, its standard error) of independent runs."""
    of = [run.certificate["thermostat"]["kinetic"] for run in runs]
    return np.mean([t["kT"] for t in of]), np.sqrt(sum(t["error"]**2 for t in of)) / len(of)


def heptamer(paper, end=1e4, burn_in=500, seeds=range(1, 9)):
    each = {**GLA, "Z&S (19), h = 0.025": (*GLA["Z&S (19)"], "run.step=0.025", "run.every=40"), "Verlet": (*METHODS["Verlet, h "
        "= 0.005"], *soft(20))}
    runs, found = {}, {}
    for label, overrides in each.items():
        several = seeds if label in GLA else seeds[:4]
        done = [sample(paper, "water-4", label, 7, end, burn_in, seed, f"initial.seed={seed}", *overrides) for seed in several]
        runs[label], found[label] = [run for run, _ in done], done[0][1]
    edges = np.linspace(2, 8, 241)
    drawn = histogram(paper, "4", found, edges)
    apart, itself = alike(found["SHAKE"], found["Z&S (19)"], edges)
    nearest = {label: first_peak(values) for label, values in found.items()}
    shift, resolved = nearest["Z&S (19)"] - nearest["SHAKE"], nearest["Verlet"] - nearest["SHAKE"]
    moved = alike(found["SHAKE"], found["Z&S (19)"] - shift, edges)[0]
    paper.claim("figures 4 and 7", "Figure 4: seven waters, T = 10000: the histograms by SHAKE and by Z&S agree, with distinct peaks",
                f"the same peaks, the first at {nearest['SHAKE']:.3f} and {nearest['Z&S (19)']:.3f} angstrom. In bins of 0.025 "
                f"they differ in "
                f"{100 * apart:.0f} % of the pairs, the halves of SHAKE's run in {100 * itself:.0f} %", abs(shift) < 0.05 and apart < 0.3)
    paper.claim("figures 4 and 7", "... what is left", f"Z&S moves the first peak by {shift:.3f} angstrom, and Verlet at h = "
                f"0.005 with the same "
                f"penalty by {resolved:.3f}: bonds of omega = 20 give way. Moved back by {-shift:.3f}, Z&S's histogram differs "
                f"in {100 * moved:.0f} %",
                shift < 0 and abs(shift - resolved) < 0.3 * abs(resolved) and moved < 0.8 * apart, "ours")
    hot = {label: temperature(of) for label, of in runs.items()}
    said = "; ".join(f"{label} {t:.4f} +- {error:.4f}" for label, (t, error) in hot.items())
    paper.claim("figures 4 and 7", "SHAKE and Z&S both sample kT = 0.02", f"kinetic temperature, over {len(runs['SHAKE'])} and "
                f"{len(runs['Verlet'])} runs: {said}. "
                "Z&S is too hot at h = 0.05, and half the step mends it",
                all(abs(hot[label][0] - 0.02) < 4 * hot[label][1] + 4e-4 for label in hot if label != "Z&S (19)") and
                hot["Z&S (19)"][0] - 0.02 > 3 * hot["Z&S (19)"][1], "**differs**")
    return drawn


def hundred(paper, end=1e3, burn_in=300):
    count = 100
    cool = paper.run(PROBLEM, "water-7-start", "method.name=shake", f"system.parameters.N={count}", *positions(lattice(count)),
                     "system.thermostat.rate=0.3", "system.thermostat.temperature=0.02", "system.thermostat.seed=2",
                     "run.step=0.02", "run.end=100", "run.every=500")
    start = positions(cool.q[-1].reshape(3, -1))
    found = {label: sample(paper, "water-7", label, count, end, burn_in, 1, *start, *overrides)[1] for label, overrides in GLA.items()}
    other = sample(paper, "water-7-other", "SHAKE", count, end, burn_in, 2, *start, *GLA["SHAKE"])[1]
    edges = np.linspace(2, 20, 241)
    drawn = histogram(paper, "7", found, edges)
    apart, itself = alike(found["SHAKE"], found["Z&S (19)"], edges)
    noise = alike(found["SHAKE"], other, edges)[0]
    peaks = [first_peak(values) for values in found.values()]
    paper.claim("figures 4 and 7", "Figure 7: a hundred waters, T = 1000: the same histogram",
                f"in bins of 0.075 they differ in {100 * apart:.1f} % of the pairs, two runs of SHAKE with other noise in "
                f"{100 * noise:.1f} %. The halves of "
                f"SHAKE's run differ in {100 * itself:.1f} %: the cluster is a glass at 10 K and stays near its start. The "
                f"first peak is at "
                f"{peaks[0]:.3f} and {peaks[1]:.3f} angstrom", apart < 3 * noise + 0.02 and -0.05 < peaks[1] - peaks[0] < 0)
    return drawn


def section(paper):
    four, seven = heptamer(paper), hundred(paper)
    five = multipliers(paper)
    six, table, moving = conservation(paper)
    return f"""## Figures 4 to 7: waters

`water.toml`: TIP3P in angstrom, kcal/mol and amu, so that a unit of time is 48.888 fs. Seven molecules start at a minimum of
their potential, with velocities drawn for kT = 0.02 kcal/mol and made tangent to the constraints. The paper gives neither its
start nor the beta of its Z&S; ours is 0.3. With `system.constraint_method=penalty system.omega=20` the same file is (26).
h = 0.05 where nothing else is said.

Figures 4 and 7 are Langevin dynamics (27) with friction 0.01 and kT = 0.02 (10 K), by GLA (`system.thermostat`). The hundred
molecules of Figure 7 start on a lattice and are cooled for t = 100 at the rate 0.3.

{four}

{seven}

{paper.table("figures 4 and 7")}

Figures 5 and 6 are without noise. Figure 5 draws a mean over a window at the window's middle. Figure 6 has omega = 20 and draws a
point in every 20, as the paper does.

{five}

{six}

The energies below are those of (26), bonds included, over five starts. The kinetic energy of a start is {moving} kcal/mol. A
run is lost when its energy is off by 50 kcal/mol.

{table}

{paper.table("figures 5 and 6")}
"""
