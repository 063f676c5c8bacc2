"""Text from a problem file, made safe to show in a page."""

from __future__ import annotations

import html
import json
import math
import unicodedata
from typing import Any


def plain(words: str) -> str:
    """Control characters and those that change the direction of writing, as escapes. Ends of lines and tabs stay."""
    return "".join(letter if letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs") else f"\\u{ord(letter):04x}"
                   for letter in words)


def escape(words: object) -> str:
    """Text of an element or of an attribute in quotes."""
    return html.escape(plain(str(words)), quote=True)


def script_json(value: Any) -> str:
    """JSON that may stand inside <script>: no letter of it can end the element. Numbers that are not finite become null."""
    text = json.dumps(_finite(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {plain(str(key)): _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return plain(value) if isinstance(value, str) else value


def number(value: Any, digits: int = 6) -> str:
    """A number for people to read; a dash where there is none."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.{digits}g}"
