"""What a run kept and what it lost."""

from __future__ import annotations

import html
from typing import Any


class Part:
    """A part of a certificate: its entries are attributes, and by name, ``part["angular momentum"]``."""

    def __init__(self, entries: dict[str, Any]) -> None:
        self._entries = entries

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copies and pickles ask before there are entries
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no {name!r} here; there is {', '.join(self._entries)}") from None

    def __getitem__(self, name: str) -> Any:
        found = self._entries[name]
        return Part(found) if isinstance(found, dict) else found

    def __iter__(self) -> Any:
        return iter(self._entries)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._entries]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as ``actio run --json`` prints it."""
        return self._entries

    def __repr__(self) -> str:
        return repr(self._entries)


class Certificate(Part):
    """The certificate of a run; docs/certificate.md explains every line. ``print(certificate)`` shows it.

    Attributes:
        verdict: "kept", "unresolved", "no_claims", "stopped" or "failed".
        kept: what the method claims, and was measured to hold.
        not_kept: what it does not claim.
        broken: what it claims, and does not hold.
        energy, momentum, symplecticity, reversibility, accuracy, solver, ...: what was measured, as in the JSON.
    """

    _COLOURS = {"kept": "#1a7f37", "failed": "#cf222e", "unresolved": "#9a6700"}

    def __init__(self, entries: dict[str, Any], text: str) -> None:
        super().__init__(entries)
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        colour = self._COLOURS.get(self._entries["verdict"], "#57606a")
        rows = []
        for line in self._text.splitlines():
            if line.startswith("  ") and len(line) > 18 and line[2:18].strip():
                label, rest = line[2:18].strip(), line[18:]
                style = f' style="color:{colour};font-weight:bold"' if label == "verdict" else ""
                rows.append(f'<tr><th style="text-align:left">{html.escape(label)}</th>'
                            f'<td style="text-align:left"{style}>{html.escape(rest.strip())}</td></tr>')
            elif line.strip():
                rows.append(f'<tr><th></th><td style="text-align:left">{html.escape(line.strip())}</td></tr>')
        return f"<table>{''.join(rows)}</table>"
