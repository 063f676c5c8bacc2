"""The parts of a report, put together to one HTML file."""

from __future__ import annotations

import base64
import hashlib
import os
from importlib import resources
from typing import TYPE_CHECKING, Any

from . import columns as lines
from . import energy, scene, words
from .text import escape, number, script_json

if TYPE_CHECKING:
    from ..trajectory import Trajectory

SCRIPTS = ("numbers.js", "axes.js", "plot.js", "plots.js", "view.js", "main.js")
_LONGEST_TEXT = 200_000  # letters of a problem file


def page(run: Trajectory, columns: list[str] | None = None) -> str:
    """The page of a run, as text. It loads nothing from elsewhere, and its policy forbids the browser to."""
    chosen, notes = lines.columns_of(run, columns)
    found = scene.scene_of(run)
    if not isinstance(found, str) and found.kind == "points":
        seen = [run.coordinates[i] for place in found.places for i in place if i >= 0]
        _name_lengths(chosen, set(seen), dict(run.problem.units))
        # What is seen in the view is drawn before other coordinates.
        if columns is None:
            order = {name: i for i, name in enumerate(seen)}
            chosen.sort(key=lambda column: (lines.GROUPS.index(column.group), column.name.endswith("'"), order.get(column.name, len(order))))
    data, thinned = lines.stored(run.t, chosen)
    data["conserved"] = bool((run.certificate.to_dict().get("energy") or {}).get("conserved_by_the_system", True))
    data["units"] = {name: unit for name, unit in run.problem.units}
    moving, left_out = "", list[str]()
    if isinstance(found, str) or len(run) == 0:
        data["scene"] = None
        moving = found if isinstance(found, str) else "Nothing was observed."
    else:
        data["scene"], left_out = scene.stored(run, found)
    script = '"use strict";(() => {\n' + "".join(_file(name) for name in SCRIPTS) + "})();\n"
    style = _file("page.css")
    entries = run.certificate.to_dict()
    title = run.problem.title or os.path.basename(run.problem.path) or "A run"
    verdict = str(entries.get("verdict", "stopped"))
    parts = {
        "policy": f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; img-src data:; "
                  "base-uri 'none'; form-action 'none'",
        "title": escape(title), "verdict": escape(verdict), "verdict-words": escape(verdict.replace("_", " ")),
        "summary": escape(_summary(run, entries)), "problem": _problem(run, entries),
        "certificate": words.certificate(entries, str(run.certificate)), "ledger": energy.drawing(run),
        "still": escape(moving), "notes": _notes(notes + thinned), "view-notes": _notes(left_out),
        "data": script_json(data), "style": style, "script": script,
    }
    return _filled(_file("page.html"), parts)


def _name_lengths(columns: list[lines.Column], places: set[str], units: dict[str, str]) -> None:
    """Coordinates of points are lengths, and their velocities lengths per time."""
    length, time = units.get("length", ""), units.get("time", "")
    for column in columns:
        if column.group == "coordinates" and column.name in places:
            column.unit = length
        elif column.group == "coordinates" and column.name.endswith("'") and column.name[:-1] in places and length and time:
            column.unit = f"{length}/({time})" if " " in time else f"{length}/{time}"


def _filled(template: str, parts: dict[str, str]) -> str:
    """The template with every {{name}} replaced once, so that nothing in a part is read as a place."""
    out = []
    for i, piece in enumerate(template.split("{{")):
        if i:
            name, piece = piece.split("}}", 1)
            out.append(parts[name])
        out.append(piece)
    return "".join(out)


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _summary(run: Trajectory, entries: dict[str, Any]) -> str:
    steps, step = entries.get("steps"), entries.get("step")
    words = [run.problem.method, f"{steps} steps" + (f" of {number(step)}" if step is not None else "") if steps is not None else "",
             f"{len(run)} observations", f"{len(run.coordinates)} coordinate{'s' if len(run.coordinates) != 1 else ''}"]
    return " · ".join(word for word in words if word)


def _problem(run: Trajectory, entries: dict[str, Any]) -> str:
    method = entries.get("method") or {}
    units = ", ".join(f"{name} in {unit}" for name, unit in run.problem.units)
    span = f"t = {number(float(run.t[0]))} to {number(float(run.t[-1]))}" if len(run) else "none"
    step = number(entries.get("step")) if entries.get("step") is not None else (
        f"{number(entries.get('smallest_step'))} to {number(entries.get('largest_step'))}" if "smallest_step" in entries else "")
    steps = f"{entries.get('steps')} of {entries.get('planned_steps')}" if "steps" in entries else ""
    seconds = entries.get("wall_seconds")
    names = ", ".join(run.coordinates[:12]) + (f", … ({len(run.coordinates)})" if len(run.coordinates) > 12 else "")
    facts = [
        ("File", run.problem.path), ("Method", run.problem.method + (f", order {method['order']}" if method.get("order") and "order" not in run.problem.method else "")),
        ("Time", span), ("Step", step), ("Steps", steps), ("Observations", str(len(run))), ("Coordinates", names),
        ("Units", units or "those of the problem file"), ("Changed for this run", "\n".join(run.problem.overrides)),
        ("Computed in", f"{number(seconds, 3)} s" if seconds is not None else ""),
    ]
    rows = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts if value)
    text = run.problem.text
    if len(text) > _LONGEST_TEXT:
        text = text[:_LONGEST_TEXT] + "\n… (cut)"
    shown = f'<details><summary>The problem file</summary><pre tabindex="0">{escape(text)}</pre></details>' if text else ""
    return f"<dl>{rows}</dl>{shown}"


def _notes(notes: list[str]) -> str:
    return "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
