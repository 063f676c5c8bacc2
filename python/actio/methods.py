"""The methods, one class each: ``Verlet()``, ``Newmark(beta=0.25, gamma=0.5)``, ``Midpoint(compose={"order": 4})``.

The classes are made from the library's catalogue. ``help(actio.methods.Newmark)`` says what a method keeps and where it is from.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

from ._core import catalogue as _catalogue


class Method:
    """A method with its coefficients. Two of the same name and coefficients are equal."""

    name: str = ""  # as in a problem file
    order: int = 0  # 0: adaptive
    _defaults: dict[str, Any] = {}

    def __init__(self, *, compose: dict[str, Any] | None = None, **fields: Any) -> None:
        unknown = [name for name in fields if name not in self._defaults]
        if unknown:
            known = ", ".join(self._defaults) or "none"
            raise TypeError(f"{type(self).__name__} has no field {unknown[0]!r}; it has {known}")
        self.fields: dict[str, Any] = dict(fields)
        self.compose = compose

    def to_table(self) -> dict[str, Any]:
        """What stands under [method] in a problem file."""
        table = {"name": self.name, **self.fields}
        if self.compose is not None:
            table["compose"] = self.compose
        return table

    def __repr__(self) -> str:
        words = [f"{name}={given!r}" for name, given in self.fields.items()]
        if self.compose is not None:
            words.append(f"compose={self.compose!r}")
        return f"{type(self).__name__}({', '.join(words)})"

    def _key(self) -> tuple[Any, ...]:
        return (self.name, tuple(sorted({**self._defaults, **self.fields}.items())),
                tuple(sorted((self.compose or {}).items())), self.compose is None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def class_name(name: str) -> str:
    """"zhang-skeel" -> "ZhangSkeel"."""
    return "".join(part.capitalize() for part in name.split("-"))


def _limits(field: dict[str, Any]) -> str:
    if "choices" in field:
        return "one of " + ", ".join(json.dumps(word) for word in field["choices"])
    if "least" in field:
        return f"from {field['least']:g} to {field['most']:g}"
    return "true or false"


def _doc(method: dict[str, Any]) -> str:
    order = f"Order {method['order']}" if method["order"] else "Adaptive"
    if method["composes"]:
        order += ", or 4, 6, 8, 10 by compose={'order': ..., 'scheme': ...}"
    needs = "L = 1/2 v'Mv - V(q)" if method["separable_only"] else "any Lagrangian L(q, v)"
    summary = method["summary"][:1].upper() + method["summary"][1:]
    lines = [f"{summary}.", "", f"Step: {method['equation']}", f"{order}.", f"Conserves: {method['conserves']}",
             f"Needs: {needs}", f"From: {method['citation']}"]
    if method["also_called"]:
        lines.append(f"Also called: {', '.join(method['also_called'])}")
    if method["fields"]:
        lines += ["", "Args:"]
        lines += [f"    {f['name']}: {f['doc']} ({f['default']!r}; {_limits(f)})" for f in method["fields"]]
    return "\n".join(lines)


def _make(method: dict[str, Any]) -> type[Method]:
    defaults = {field["name"]: field["default"] for field in method["fields"]}
    keywords = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    keywords += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
    if method["composes"]:
        keywords.append(inspect.Parameter("compose", inspect.Parameter.KEYWORD_ONLY, default=None))

    def __init__(self: Method, **fields: Any) -> None:
        Method.__init__(self, **fields)

    __init__.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    space = {"__doc__": _doc(method), "__init__": __init__, "__module__": __name__, "name": method["name"],
             "order": method["order"], "_defaults": defaults}
    return type(class_name(method["name"]), (Method,), space)


_made = {class_name(method["name"]): _make(method) for method in json.loads(_catalogue())}
globals().update(_made)
__all__ = ["Method", *_made]


def __getattr__(name: str) -> Any:
    import difflib

    near = difflib.get_close_matches(name, _made, 1)
    raise AttributeError(f"there is no method {name!r}; " + (f"did you mean {near[0]}?" if near else "actio.methods.__all__ lists them"))
