"""TO Figure 9: stills of the body, and an SVG that moves."""
import numpy as np
from matplotlib.patches import Circle

from common import BLACK, BLUE, ORANGE, RED, plot

STILLS = (0, 1, 2, 3, 6.5, 10)
AZIMUTH, HEIGHT = np.radians(35), np.radians(20)  # of the eye
EYE = np.array([[-np.sin(AZIMUTH), np.cos(AZIMUTH), 0],
                [-np.sin(HEIGHT) * np.cos(AZIMUTH), -np.sin(HEIGHT) * np.sin(AZIMUTH), np.cos(HEIGHT)]])  # right, up
FIELD = EYE @ np.array([0, 0, 1.0])
AXES = (("axis 1", ORANGE), ("axis 2", BLUE), ("dipole", BLACK))  # columns of R
FRAME, SHOWN = 0.2, 20.0


def stills(paper, rows):
    """rows: label, (N, 3, 3) at multiples of 0.1"""
    drawn, axes = plot(len(rows), len(STILLS), (7.4, 2.9), squeeze=False)
    for axis, t in zip(axes[0], STILLS):
        axis.set_title(f"t = {t:g}")
    for line, (label, R) in zip(axes, rows):
        for axis, t in zip(line, STILLS):
            ends = EYE @ R[round(10 * t)]
            axis.add_patch(Circle((0, 0), 1, fill=False, color="0.85"))
            arrow(axis, (0.9 * -np.ones(2), 0.9 * -np.ones(2) + 0.7 * FIELD), RED)
            for k, (_, colour) in enumerate(AXES):
                arrow(axis, (np.zeros(2), ends[:, k]), colour, 1.8 if k == 2 else 0.9)
            path = np.einsum("ij,kj->ki", EYE, R[: round(10 * t) + 1, :, 2])
            axis.plot(path[:, 0], path[:, 1], color="0.6", linewidth=0.6)
            axis.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal", xticks=[], yticks=[])
            axis.spines[:].set_visible(False)
        line[0].set_ylabel(label, fontsize=8)
    return paper.save(drawn, "figure-9")


def arrow(axis, ends, colour, width=1.2):
    axis.annotate("", ends[1], ends[0], arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": width, "shrinkA": 0,
                                                    "shrinkB": 0, "mutation_scale": 8})


def values(x):
    return ";".join(f"{value:.1f}".removesuffix(".0") for value in x)


def moving(name, times, x, y):
    """Attributes NAMEx, NAMEy of an element that follow x, y (N)."""
    return "".join(f'<animate attributeName="{name % axis}" values="{values(of)}" dur="{times:g}s" repeatCount="indefinite"/>'
                   for axis, of in (("x", x), ("y", y)))


def body(at, label, R, seconds):
    """One panel: R (N, 3, 3), a frame each, shown in `seconds`."""
    size = 95
    ends = size * np.einsum("ij,njk->nik", EYE, R) * np.array([1, -1])[:, None]  # y goes down
    up = -size * 0.7 * FIELD[1]
    lines = [f'<g transform="translate({at} 130)">', f'<text y="-112" text-anchor="middle">{label}</text>',
             f'<circle r="{size}" fill="#f4f4f4" stroke="#ccc"/>',
             f'<path d="M-100 85v{up:.0f}m-4 8l4 -8l4 8" fill="none" stroke="{RED}" stroke-width="3"/>']
    for k, (_, colour) in enumerate(AXES):
        x, y = ends[:, 0, k], ends[:, 1, k]
        lines.append(f'<line stroke="{colour}" stroke-width="{4 if k == 2 else 2}" x2="{x[0]:.1f}" y2="{y[0]:.1f}">'
                     f'{moving("%s2", seconds, x, y)}</line>')
        lines.append(f'<circle r="{6 if k == 2 else 3}" fill="{colour}" cx="{x[0]:.1f}" cy="{y[0]:.1f}">'
                     f'{moving("c%s", seconds, x, y)}</circle>')
    return "\n".join([*lines, "</g>"])


def animation(paper, rows):
    """figure-9-moving.svg: SHOWN units of time in as many seconds."""
    every = round(10 * FRAME)
    shown = slice(0, round(10 * SHOWN) + 1, every)
    width = 260 * len(rows)
    panels = "\n".join(body(130 + 260 * k, label, R[shown], SHOWN) for k, (label, R) in enumerate(rows))
    text = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 270" width="{width}" height="270" \
font-family="sans-serif" font-size="12" stroke-linecap="round">
<title>A magnetised body by {" and by ".join(label for label, _ in rows)}, t = 0 to {SHOWN:g}</title>
<rect width="{width}" height="270" fill="white"/>
{panels}
<text x="{width // 2}" y="258" text-anchor="middle">red: field, black: dipole, orange and blue: the other axes of the body</text>
</svg>
"""
    (paper.folder / "figure-9-moving.svg").write_text(text, encoding="utf-8")
    return "![figure-9-moving](figure-9-moving.svg)"
