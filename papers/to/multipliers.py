"""TO Figure 2: how well a penalty keeps the constraints, and the multipliers that come of it."""
import numpy as np

from common import BLACK, BLUE, GREEN, RED, digits, plot
from pendulum import BETA, method

H, WINDOW = 0.01, 0.2
OMEGAS = np.geomspace(5, 80, 25)
OTHERS = (20, 40, 80)


def penalised(paper, omega):
    return paper.run("pendulum.toml", f"penalty-{omega:.3g}", *method("zhang-skeel"), f"run.step={H}", "run.every=1",
                     "system.constraint_method=penalty", f"system.omega={float(omega)!r}", f"run.window={WINDOW}")


def constraints(q):
    """(N, 4) -> (N, 2)"""
    x1, y1, x2, y2 = q.T
    return np.stack([x1**2 + y1**2 - 1, (x2 - x1)**2 + (y2 - y1)**2 - 2], axis=1)


def turning(v):
    """v'g''v: (N, 4) -> (N, 2)"""
    x1, y1, x2, y2 = v.T
    return 2 * np.stack([x1**2 + y1**2, (x2 - x1)**2 + (y2 - y1)**2], axis=1)


def rms(x):
    return np.sqrt(np.mean(x**2, axis=0))


def followed(run):
    return np.stack(list(run.multipliers.values()), axis=1)


def satisfaction(paper):
    g = [np.linalg.norm(constraints(penalised(paper, omega).q), axis=1) for omega in OMEGAS]
    last, largest = np.array([x[-1] for x in g]), np.array([x.max() for x in g])
    resolved = OMEGAS >= 7
    slope = np.polyfit(np.log(OMEGAS[resolved]), np.log(largest[resolved]), 1)[0]
    scaled = OMEGAS**2 * largest
    # V'' of the penalty is at most (2 omega)^2 times a number near 3: omega h < 1 resolves it, to (omega h)^2
    paper.claim("figure 2", "if omega is finite, the approximation error is O(omega^-2)",
                f"omega^2 \\|g\\| stays between {digits(scaled.min())} and {digits(scaled.max())} at its largest over the "
                "run, at t = 50 it is "
                f"anywhere below ({digits((OMEGAS**2 * last).min())} to {digits((OMEGAS**2 * last).max())}): \\|g\\| "
                "oscillates; the largest "
                f"falls as omega^{slope:.2f} from omega = 7 on", abs(slope + 2) < 0.1 and np.all(last <= largest))
    return OMEGAS**2 * last, scaled


def section(paper):
    last, largest = satisfaction(paper)
    shake = paper.run("pendulum.toml", "shake-multipliers", f"run.step={H}", "run.every=1")
    exact, half = followed(shake), round(WINDOW / 2 / H)
    rows, means, moments, biased, rest = [], [], [], [], []
    curved = turning(shake.v)[half:-half]
    for omega in OTHERS:
        resolved = paper.run("pendulum.toml", f"resolved-{omega}", "method.name=verlet", f"run.step={0.05 / omega!r}",
                             f"run.every={round(H * omega / 0.05)}", "system.constraint_method=penalty", f"system.omega={omega}",
                             f"run.window={WINDOW}")
        moment = -omega**2 * constraints(resolved.q) - exact
        # over [t - window, t]: belongs to its middle
        by_steps = followed(penalised(paper, omega))[2 * half:] - exact[half:-half]
        cells = [rms(moment), rms(followed(resolved)[2 * half:] - exact[half:-half]), rms(by_steps)]
        rest.append(rms(by_steps + BETA * (omega * H)**2 * curved))
        moments.append(cells[0])
        means.append(cells[1])
        biased.append(cells[2])
        rows.append(f"| {omega} | " + " | ".join(f"{x:.3f}" for cell in cells for x in cell) + " |")
    means, moments, biased = np.array(means), np.array(moments), np.array(biased)
    paper.claim("figure 2", "the multiplier of the penalised system by (8) is SHAKE's: "
                "there is no strong convergence but only a 2-scale "
                "F-convergence", "root mean square of -omega^2 g less SHAKE's multiplier, at omega = 20, 40, 80, upper rod: "
                f"{', '.join(f'{x:.2f}' for x in moments[:, 0])}; of its mean over the window: "
                f"{', '.join(f'{x:.3f}' for x in means[:, 0])} (Verlet, h = 0.05/omega)",
                np.all(np.diff(means, axis=0) < 0) and np.all(moments > 0.8 * moments[0]) and np.all(means < 0.25 * moments))
    paper.claim("figure 2", "(8) from Z&S at h = 0.01",
                f"root mean square error at omega = 20: {biased[0][0]:.3f}, {biased[0][1]:.3f}; at 80: {biased[2][0]:.3f}, "
                f"{biased[2][1]:.3f}. "
                "Z&S moves x near q - beta h^2 q'', and so the mean of -omega^2 g is off by -beta (omega h)^2 v'g''v; "
                "without that it is off by "
                f"{rest[2][0]:.3f}, {rest[2][1]:.3f} at 80, as with steps that resolve the penalty",
                np.all(biased[2] > 3 * means[2]) and np.all(rest[2] < 1.5 * means[2]), "holds for omega h << 1")

    drawn, axes = plot(1, 2, (7.4, 3.2), width_ratios=(2, 3))
    axes[0].semilogx(OMEGAS, last, ".-", color=BLUE, label="t = 50")
    axes[0].semilogx(OMEGAS, largest, ".:", color=BLACK, label="largest")
    axes[0].set(xlabel=r"$\omega$", ylabel=r"$\omega^2 |g|$", ylim=(0, None), title="(a)")
    axes[0].set_xticks([5, 10, 20, 40, 80], ["5", "10", "20", "40", "80"])
    axes[0].minorticks_off()
    axes[0].legend(fontsize=8)
    run = penalised(paper, 20)
    shown = shake.t < 20
    for k, colour, name in ((0, RED, "upper"), (1, GREEN, "lower")):
        axes[1].plot(shake.t[shown], exact[shown, k], color=BLACK, linewidth=0.8, label="SHAKE" if k == 0 else None)
        axes[1].plot(run.t[2 * half:] - WINDOW / 2, followed(run)[2 * half:, k], color=colour, linestyle="--",
                     label=f"{name} rod, (8)")
    axes[1].set(xlabel="t", ylabel=r"$\lambda$", xlim=(0, 20), ylim=(-1.85, 0.1), title=r"(b) $\omega$ = 20")
    axes[1].legend(fontsize=8, ncol=3, loc="upper center")
    return f"""## Figure 2: constraints and multipliers of the penalised system

Z&S, beta = 0.4, h = {H}, as in the paper. (a) omega^2 |g|, at t = 50 and at its largest until then. (b) the multipliers by
SHAKE, and the mean of -omega^2 g over a window of {WINDOW} (`run.window={WINDOW}`), drawn at its middle.

{paper.save(drawn, "figure-2")}

| omega | -omega^2 g: upper | lower | mean: upper | lower | mean, Z&S: upper | lower |
|-|-|-|-|-|-|-|
{chr(10).join(rows)}

Root mean squares over t = 50 of the difference to SHAKE's multipliers, which are between {exact[:, 0].min():.2f} and
{exact[:, 0].max():.2f} (upper rod), {exact[:, 1].min():.2f} and {exact[:, 1].max():.2f} (lower); by Verlet at
h = 0.05/omega, the last two columns by Z&S at h = {H}.

{paper.table("figure 2")}
"""
