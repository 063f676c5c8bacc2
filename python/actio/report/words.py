"""The certificate in plain words, for readers who do not know its terms."""

from __future__ import annotations

import json
import re
from typing import Any

from .text import escape, number

VERDICTS = {
    "kept": "Everything that the method claims was measured on this run, and holds.",
    "unresolved": "No measurement contradicts the method's claims, but some of them could not be measured.",
    "no_claims": "The method claims nothing about this system. Read the numbers: they were measured all the same.",
    "stopped": "The run was stopped before its end. The certificate covers the steps until then.",
    "failed": "Do not rely on this run: a step was not solved, a number was not finite, a bound was exceeded, or a claim does not hold.",
}

# (what a claim contains, what it means): the first that fits.
MEANINGS = (
    ("conjugate coordinates", "The scheme conserves the geometry of phase space, in coordinates that differ a little from q and p. "
     "Volumes of possible states neither shrink nor grow, and errors do not pile up as they do with ordinary schemes."),
    ("symplectic form", "The scheme conserves the geometry of phase space: volumes of possible states neither shrink nor grow, as in the "
     "true motion. Errors then do not pile up as they do with ordinary schemes."),
    ("energy exactly", "Every step has the energy of the one before, up to round-off."),
    ("energy less heat exactly", "Apart from heat and friction, every step has the energy of the one before, up to round-off."),
    ("energy balance exactly", "Apart from the work of forces and friction, every step has the energy of the one before, up to round-off."),
    ("energy near its start", "The energy swings a little around its first value and does not run away, however long the run is."),
    ("energy", "The total of kinetic and potential energy. Without forces from outside it should stay the same."),
    ("reversibility", "A step forward and a step back end where they began, as in mechanics without friction."),
    ("rotations", "The matrices that turn the bodies stay rotations: lengths and angles within a body do not change."),
    ("constraints", "Rods, joints and other fixed relations hold at every observation, measured apart from the method."),
)
MOMENTUM = "A quantity that a symmetry of the system conserves (momentum for shifts, angular momentum for rotations)."


def certificate(entries: dict[str, Any], text: str) -> str:
    """The section of a page: verdict, claims with numbers and meanings, figures, and the whole text."""
    verdict = str(entries.get("verdict", "stopped"))
    out = [f'<p class="verdict verdict-{escape(verdict)}"><b>{escape(verdict.replace("_", " "))}</b> '
           f"<span>{escape(VERDICTS.get(verdict, ''))}</span></p>"]
    error = entries.get("error")
    if isinstance(error, dict) and error.get("message"):
        out.append(f'<p class="error">{escape(error["message"])}</p>')
    momenta = entries.get("momentum") or {}
    for heading, key, mark in (("Claimed and kept", "kept", "✓"), ("Broken: claimed, and does not hold", "broken", "✗"),
                               ("Unresolved: claimed, and not measured", "unresolved", "?"),
                               ("Neither claimed nor kept", "not_kept", "–")):
        claims = entries.get(key) or []
        if claims:
            out.append(f'<h3>{heading}</h3><ul class="claims claims-{key}">')
            out += [_claim(str(claim), mark, entries, momenta) for claim in claims]
            out.append("</ul>")
    out.append(_figures(entries))
    out.append(f"<details><summary>The certificate as the program prints it</summary><pre tabindex=\"0\">{escape(text)}</pre></details>")
    rest = {name: value for name, value in entries.items() if name != "final"}  # the last state may be long
    out.append(f'<details><summary>The certificate as JSON</summary><pre tabindex="0">{escape(json.dumps(rest, indent=1))}</pre></details>')
    return "".join(out)


def meaning(claim: str, momenta: dict[str, Any]) -> str:
    """One explanation of a claim."""
    if any(claim == name or claim.startswith(name + " (") for name in momenta):
        return MOMENTUM
    return next((words for part, words in MEANINGS if part in claim), "")


def _claim(claim: str, mark: str, entries: dict[str, Any], momenta: dict[str, Any]) -> str:
    figure = _figure(claim, entries, momenta)
    why = meaning(claim, momenta)
    return (f'<li><span class="mark" aria-hidden="true">{mark}</span><div><b>{escape(claim[:1].upper() + claim[1:])}</b>'
            + (f' <span class="figure">{_unbroken(figure)}</span>' if figure else "")
            + (f"<small>{escape(why)}</small>" if why else "") + "</div></li>")


def _unbroken(figure: str) -> str:
    """Text whose numbers stay on one line: 1e-12 breaks at its sign otherwise."""
    return re.sub(r"\d[\d.]*e-\d+", r'<span class="n">\g<0></span>', escape(figure))


def _figure(claim: str, entries: dict[str, Any], momenta: dict[str, Any]) -> str:
    """The number that belongs to a claim."""
    energy, form = entries.get("energy") or {}, entries.get("symplecticity") or {}
    limits, turned = entries.get("constraints") or {}, entries.get("rotations") or {}
    if claim in momenta:
        entry = momenta[claim]
        own = entry.get("own_max_error")
        error = own if own is not None else entry.get("max_error")
        where = " in the conjugate coordinates" if own is not None else ""
        return f"starts at {number(entry.get('initial'))}; largest error{where} {number(error, 2)}, round-off allows {number(entry.get('bound'), 2)}"
    if claim == "the symplectic form in its conjugate coordinates":
        return f"defect {number(form.get('own_defect'), 2)}, measured to {number(form.get('own_floor'), 2)}"
    if claim == "the symplectic form":
        return f"defect {number(form.get('defect'), 2)}, measured to {number(form.get('floor'), 2)}"
    if claim.startswith("the energy") and "(" not in claim:
        return f"starts at {number(energy.get('initial'))}; largest error {number(energy.get('max_error'), 3)} at t = {number(energy.get('max_error_time'))}"
    if claim == "reversibility":
        return f"returns to within {number((entries.get('reversibility') or {}).get('defect'), 2)}"
    if claim.startswith("the constraints") and "(" not in claim:
        return f"{number(limits.get('count'))} of them; largest distance {number(limits.get('distance'), 2)}, allowed {number(limits.get('allowed_distance'), 2)}"
    if claim == "rotations":
        return f"|R'R - 1| at most {number(turned.get('orthogonality'), 2)}, allowed {number(turned.get('allowed'), 2)}"
    return ""


def _figures(entries: dict[str, Any]) -> str:
    """A table of what was measured."""
    energy, form = entries.get("energy") or {}, entries.get("symplecticity") or {}
    accuracy, solver = entries.get("accuracy") or {}, entries.get("solver") or {}
    what = "energy less heat" if entries.get("thermostat") else "energy"
    conserved = energy.get("conserved_by_the_system", True)
    rows = [
        ("Energy at the start", energy.get("initial"), 10, "E0 = v · dL/dv - L of the first state"),
        (f"Largest error of the {what}" if conserved or what != "energy" else "Largest change of the energy", energy.get("max_error"), 3,
         "the largest |E - E0| observed" + ("" if conserved else "; the system itself does not conserve its energy")),
        (f"Drift of the {what} per step", energy.get("drift_per_step"), 2, f"slope of the line through E - E0, ± {number(energy.get('drift_confidence'), 2)} (95 %)"),
        ("Symplectic defect in (q, p)", form.get("defect"), 2, "0 means that one step conserves the symplectic form"
         + (f"; not resolved: this measurement resolves only {number(form['floor'], 2)}" if (form.get("floor") or 0) > 1e-6 else "")),
        ("Distance after a step forward and back", (entries.get("reversibility") or {}).get("defect"), 2, "0 means reversible"),
        ("Error of a step", accuracy.get("error"), 2, "one step against two half steps, as a share of the change that forces make"),
        ("Order observed", accuracy.get("order"), 3, "the error of a run falls as (step)^order"),
        ("Constraint distance", (entries.get("constraints") or {}).get("distance"), 2, "how far the states are from the constraints at most"),
    ]
    for name, entry in (entries.get("momentum") or {}).items():
        rows.append((f"Largest error of {name}", entry.get("max_error"), 2, f"starts at {number(entry.get('initial'))}"))
    worst = solver.get("worst_residual")
    rows.append(("Worst solver residual", worst, 2, "how far the equations of a step are from being solved, relative"))
    body = "".join(f'<tr><th scope="row">{escape(name)}</th><td class="number">{number(value, digits)}</td><td>{_unbroken(words)}</td></tr>'
                   for name, value, digits, words in rows if value is not None)
    return ('<h3>Figures</h3><table class="figures"><thead><tr><th scope="col">Measured</th><th scope="col">Value</th>'
            f'<th scope="col">Meaning</th></tr></thead><tbody>{body}</tbody></table>' if body else "")
