"""Which method, what step: the methods ranked for a problem, and the first of them tried at equal error."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core, toml
from .problem import Problem

if TYPE_CHECKING:
    from .system import System

    Source = str | os.PathLike[str] | Problem | System


class Advice:
    """The methods that take a problem, the best first (docs/advise.md). ``print(advice)`` shows what ``actio advise`` does.

    Attributes:
        best: what is proposed: a dict with "name", "lines", "step", "cost", ...; None where no trial came to an end.
        lines: the lines of [method] and [run] of it, "" where there is none.
        methods: one dict a method, those that were tried first, by their cost.
        facts: what the problem is, by name.
        error: at which the methods are compared.
        window: (start, end) of the trials.
    """

    def __init__(self, entries: dict[str, Any], text: str) -> None:
        self.methods: list[dict[str, Any]] = entries["methods"]
        self.facts: dict[str, str] = entries["facts"]
        self.error: float = entries["error"]
        self.window: tuple[float, float] = (entries["start"], entries["start"] + entries["window"])
        self.best: dict[str, Any] | None = self.methods[0] if entries["best"] is not None else None
        self.lines: str = self.best["lines"] if self.best else ""
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def to_pandas(self) -> Any:
        """A pandas.DataFrame, a row a method that was tried."""
        import pandas as pd

        return pd.DataFrame([m for m in self.methods if m["tried"]]).set_index("method")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"


def advise(source: Source, overrides: Mapping[str, Any] | None = None, *, error: float = 1e-4, tries: int = 3, seconds: float = 10,
           methods: Sequence[str] = (), kernels: str = "auto", **words: Any) -> Advice:
    """Ranks the methods for a problem and tries the first of them on a part of the run, each at the step that has the error.

    >>> advice = actio.advise("pendulum.toml")
    >>> print(advice.lines)

    Args:
        source: the path of a problem file, or a System, a Structure, a Problem. A file needs no [method] and no run.step.
        overrides: as for :func:`actio.load`.
        error: of positions, relative to how far they move.
        tries: how many methods are tried.
        seconds: for all trials together.
        methods: rank only these.
        kernels: as for :func:`actio.run`.
        **words: of a System, as for its run: end, position, ...; step where one is known.

    Raises:
        InputError: the problem is wrong whatever the method, or no method takes it. TypeError: a system of functions of Python.
    """
    text, path, given = _text_of(source, words)
    given += [f"{name}={toml.value(value)}" for name, value in (overrides or {}).items()]
    entries, shown = _core.advise(text, path, given, error, tries, seconds, list(methods), kernels)
    return Advice(json.loads(entries), shown)


def _text_of(source: Source, words: dict[str, Any]) -> tuple[str | None, str, list[str]]:
    if isinstance(source, Problem):
        if not source.text:
            raise TypeError("advice needs a problem file, and a system of functions of Python has none")
        if words:
            raise TypeError(f"a problem takes overrides, not {', '.join(words)}")
        return source.text, source.path, list(source.overrides)
    if hasattr(source, "text_of"):
        text, path = source.text_of(**words)
        return text, path, []
    if words:
        raise TypeError(f"a file takes overrides, not {', '.join(words)}")
    return None, os.fspath(source), []
