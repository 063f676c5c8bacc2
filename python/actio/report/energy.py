"""The ledger as a drawing: from the energy at the start, step by step, to that at the end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .text import escape, number

if TYPE_CHECKING:
    from ..trajectory import Trajectory

# Entry of the ledger, its sign, its words, its meaning: change = external + constraints + heat - dissipated + solver - method.
ENTRIES = (
    ("external", 1, "work of external forces", "What forces and loads from outside put in (+) or took out (-)."),
    ("constraints", 1, "work of moving constraints", "What supports that move with time put in or took out."),
    ("heat", 1, "heat from the thermostat", "What the noise of the thermostat put in."),
    ("dissipated", -1, "friction", "What friction and damping turned into heat."),
    ("solver", 1, "work of the solver's residual", "What was put in because the equations of a step are solved to finite accuracy."),
    ("method", -1, "error of the method", "What is left: energy that the scheme itself lost or gained. It has no physical cause."),
)


def flow(run: Trajectory) -> tuple[float, list[tuple[str, float | None, str]], float] | None:
    """Energy at the start, (words, change or None, meaning) of each cause, energy at the end; None without an energy."""
    import numpy as np

    start, end = (float(run.energy[0]), float(run.energy[-1])) if len(run) and run.energy is not None else (np.nan, np.nan)
    if not (np.isfinite(start) and np.isfinite(end)):
        return None
    ledger = run.certificate.to_dict().get("ledger")
    if not ledger:
        return start, [("error of the method", end - start,
                        "No forces act, so every change of the energy is the error of the scheme (or of the solver).")], end
    causes: list[tuple[str, float | None, str]] = []
    for name, sign, words, meaning in ENTRIES:
        value = ledger.get(name)
        if value is None:
            causes.append((words, None, "Not known: the Lagrangian itself depends on time and does work too."))
        elif value != 0 or name == "method":
            causes.append((words, sign * float(value), meaning))
    return start, causes, end


def drawing(run: Trajectory) -> str:
    """Rows of a waterfall, as HTML with one bar of SVG each."""
    found = flow(run)
    if found is None:
        return "<p>This run has no energy that could be accounted for.</p>"
    start, causes, end = found
    unit = dict(run.problem.units).get("energy", "")
    totals = [start]
    for _, change, _ in causes:
        totals.append(totals[-1] + (change or 0))
    low, high = min(totals + [end]), max(totals + [end])
    span = high - low
    entries = run.certificate.to_dict()
    ledger: dict[str, Any] = entries.get("ledger") or {}
    round_off = ledger.get("round_off") or (entries.get("energy") or {}).get("resolution") or 0.0
    if span <= round_off:  # nothing to see closely
        low, high = min(low, 0.0), max(high, 0.0)
    elif low > 0 and low < 1.5 * span or high < 0 and -high < 1.5 * span:
        low, high = min(low, 0.0), max(high, 0.0)
    margin = 0.06 * (high - low) or abs(low) * 1e-9 or 1.0
    low, high = low - margin * (low != 0), high + margin * (high != 0)

    def place(value: float) -> float:
        return 1000 * (value - low) / (high - low)

    # Without 0 on the scale a total is a mark, for the length of its bar would mean nothing.
    zero = low <= 0 <= high

    def total(value: float) -> tuple[float, float]:
        return (place(0.0), place(value)) if zero else (place(value) - 4, place(value) + 4)

    rows = [_row("Energy at the start", number(start, 8), total(start), "total", place(start), "E of the first state.")]
    for (words, change, meaning), before, after in zip(causes, totals, totals[1:]):
        kind = "none" if change is None else "error" if "method" in words or "solver" in words else "gain" if change > 0 else "loss"
        shown = "not known" if change is None else f"{change:+.5g}"
        rows.append(_row(words, shown, (place(before), place(after)), kind, place(after), meaning))
    rows.append(_row("Energy at the end", number(end, 8), total(end), "total", None, "E of the last state."))
    parts = [f'<ol class="flow" aria-label="Where the energy went">{"".join(rows)}</ol>']
    notes = [f"Energies in {unit}." if unit else "Energies in the units of the problem."]
    if not zero:
        digits = max(3, math.ceil(math.log10(max(abs(low), abs(high)) / (high - low))) + 2)
        notes.append(f"The scale is from {number(low, digits)} to {number(high, digits)}: it does not begin at 0, so that the changes can be seen.")
    if abs(ledger.get("method") or 0.0) <= round_off and (ledger.get("method") is not None or span <= round_off):
        notes.append(f"The error of the method is below round-off, which is {number(round_off, 2)}: count it as 0.")
    parts.append(f'<p class="note">{escape(" ".join(notes))}</p>')
    return "".join(parts)


def _row(words: str, shown: str, bar: tuple[float, float], kind: str, end: float | None, meaning: str) -> str:
    left, right = min(bar), max(bar)
    width = max(right - left, 2.0)
    left = min(left, 998.0)
    link = f'<line x1="{end:.1f}" x2="{end:.1f}" y1="0" y2="40" class="link"/>' if end is not None else ""
    return (f'<li class="flow-row"><span class="flow-words"><b>{escape(words[:1].upper() + words[1:])}</b><small>{escape(meaning)}</small></span>'
            f'<svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">{link}'
            f'<rect x="{left:.1f}" y="6" width="{width:.1f}" height="28" class="bar-{kind}"/></svg>'
            f'<span class="flow-number">{escape(shown)}</span></li>')
