"""Python values as TOML text. Numbers read back to the same bits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def string(text: str) -> str:
    """A basic string, with its quotes."""
    return '"' + "".join(_ESCAPES.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in text) + '"'


def key(name: str) -> str:
    """A key, bare where it may be."""
    return name if _BARE.match(name) else string(name)


def value(x: Any) -> str:
    """One value: numbers, text, true and false, sequences (numpy arrays too), mappings as inline tables, methods.

    Raises:
        TypeError: for a value that TOML has no word for.
    """
    if hasattr(x, "to_table"):
        return value(x.to_table())
    if hasattr(x, "tolist"):  # numpy arrays and numbers
        x = x.tolist()
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, int):
        return str(x)
    if isinstance(x, float):
        return repr(x)
    if isinstance(x, str):
        return string(x)
    if isinstance(x, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in x.items() if v is not None) + " }" if x else "{}"
    if isinstance(x, (list, tuple, range)):
        return "[" + ", ".join(value(v) for v in x) + "]"
    if hasattr(x, "__fspath__"):
        return string(x.__fspath__())
    raise TypeError(f"a {type(x).__name__} has no form in a problem file: {x!r}")


def document(tables: Mapping[str, Any]) -> str:
    """A document: a mapping is a table of its own, a list of mappings an array of tables; others come first."""
    lines = [f"{key(k)} = {value(v)}" for k, v in tables.items() if not _is_table(v) and v is not None]
    for name, table in tables.items():
        if not _is_table(table):
            continue
        rows = [table] if isinstance(table, Mapping) else table
        heading = f"[{key(name)}]" if isinstance(table, Mapping) else f"[[{key(name)}]]"
        for row in rows:
            lines.append(heading)
            lines += [f"{key(k)} = {value(v)}" for k, v in row.items() if v is not None]  # None: not given
    return "\n".join(lines) + "\n"


def _is_table(x: Any) -> bool:
    return isinstance(x, Mapping) or (isinstance(x, list) and bool(x) and all(isinstance(row, Mapping) for row in x))
