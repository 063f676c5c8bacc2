"""TO 4.5: what becomes of the printed update, by numpy alone."""
import numpy as np

from byhand import about_the_field, zhang_skeel
from common import below, digits
from magnet import B_MU, H, from_rotation, run

END = 200
VARIANTS = {"minus": ("minus, as the action says", -1, False), "plus": ("plus", 1, False),
            "transposed": ("minus, transposed", -1, True), "printed": ("plus, transposed: as printed", 1, True)}


def section(paper):
    rows, drift, lost = [], {}, {}
    for name, (label, sign, transposed) in VARIANTS.items():
        for order in (1, 2):
            R, p = zhang_skeel(END, order, sign, transposed)
            Lz = about_the_field(R, p)
            ended = len(R) <= round(END / H)
            within = slice(0, 101)  # t = 10: nothing is lost by then
            drift[name, order], lost[name, order] = np.abs(Lz - Lz[0])[within if ended else slice(None)].max(), ended
            off = drift[name, order]
            rows.append(f"| {label} | {order} | {below(off) if off < 1e-11 else digits(off)}{' until t = 10' if ended else ''} | "
                        + (f"lost at t = {(len(R) - 1) * H:.0f}" if ended else f"{digits(from_rotation(R).max())}") + " |")
    kept = max(drift["minus", order] for order in (1, 2))
    rest = min(of for (name, _), of in drift.items() if name != "minus")
    actio = run(paper, "zs", end=END)
    field = actio.momentum["momentum about the field"]
    by_actio = np.abs(field - field[0]).max()
    paper.claim("signs", "f_k = a_k **+** 2 omega^2 beta^2 h^4 (a'a R' + a'R a' + R'a a')",
                "a_k **-** 2 omega^2 beta^2 h^4 (R a'a + a R'a + a a'R) is what the truncated action gives. With it the momentum "
                f"about the field stays to {below(kept)} until t = {END} (`zhang-skeel`: {below(by_actio)}), with any of the "
                f"others it does not ({digits(rest)} and more)", kept < 1e-11 and by_actio < 1e-11 and rest > 1e-6, "**differs**")
    paper.claim("signs", "the printed update is a variational integrator",
                f"it is lost before t = {END} in its first order, with the plus alone in both; with the signs of the action "
                "neither is", lost["printed", 1] and lost["plus", 1] and lost["plus", 2]
                and not lost["minus", 1] and not lost["minus", 2], "**differs**")
    return f"""## The signs of (36) and of f_k

The first action of the penalised system in print has +omega^2/2 tr(...)^2, by which R'R = 1 were a maximum; (36) has the minus
that is meant, and (37) follows from it. The update after (37) does not. `byhand.py` is that update in numpy, with each sign of
the cubic terms and with their bracket transposed or not; R_{{k+1}} = R_k + 2 h p_{{k+1}} of the second-order update is read with
p_{{k+1/2}}, which is what is known there. h = {H:g}, B mu = {B_MU:g}, "lost" is an entry of R above 10.

| cubic terms | order | momentum about the field off by | \\|R'R - 1\\| at most, until t = {END} |
|-|-|-|-|
{chr(10).join(rows)}

{paper.table("signs")}
"""
