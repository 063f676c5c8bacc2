"""Problems, and their runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core, toml
from .errors import RunError, warn
from .trajectory import Trajectory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .methods import Method

    Event = Callable[[float, NDArray[np.float64], NDArray[np.float64]], float]
    Observer = Callable[[int, float, NDArray[np.float64], NDArray[np.float64], float], Any]

Problem = _core.Problem


def method_words(method: str | Method | Mapping[str, Any]) -> dict[str, Any]:
    """What stands under [method]."""
    if isinstance(method, str):
        return {"name": method}
    if isinstance(method, Mapping):
        return dict(method)
    return method.to_table()


def load(source: str | os.PathLike[str] | Problem | Any, overrides: Mapping[str, Any] | None = None) -> Problem:
    """Reads and checks a problem.

    Args:
        source: the path of a problem file, or a System or a Structure; a Problem is given back as it is.
        overrides: {"run.end": 100, "system.parameters.c": 2, "method.name": "verlet"}, as ``key=value`` on a command line.

    Raises:
        InputError: with file, line and column.
    """
    words = [f"{name}={toml.value(value)}" for name, value in (overrides or {}).items()]
    if isinstance(source, Problem):
        if words:
            if not source.text:
                raise TypeError("a problem of functions of Python takes no overrides")
            return _core.load_text(source.text, source.path, [*source.overrides, *words], "")
        return source
    if hasattr(source, "problem"):
        return source.problem(overrides=words) if words else source.problem()
    return _core.load(os.fspath(source), words, "")


def _event_words(events: Mapping[str, Event] | None) -> list[tuple[str, Any, int, int]]:
    out = []
    if events is not None and not isinstance(events, Mapping):
        raise TypeError("events is a mapping of names to functions g(t, q, v): {\"ground\": g}")
    for name, g in (events or {}).items():
        direction = float(getattr(g, "direction", 0))
        out.append((name, g, (direction > 0) - (direction < 0), int(getattr(g, "terminal", 0) or 0)))
    return out


def run(
    source: str | os.PathLike[str] | Problem | Any,
    overrides: Mapping[str, Any] | None = None,
    *,
    progress: bool | Callable[[int, int, float], Any] = False,
    observer: Observer | None = None,
    events: Mapping[str, Event] | None = None,
    states: str = "qvp",
    kernels: str = "auto",
    space: str = "automatic",
    output: str | os.PathLike[str] = "",
) -> Trajectory:
    """Runs a problem and certifies it.

    Args:
        source, overrides: as for :func:`load`.
        progress: True shows how far it is on the terminal; a function is called with (steps, of steps, seconds) at most ten times a
            second.
        observer: called with (step, t, q, v, energy) at every observation; anything true that it gives back ends the run there.
        events: functions g(t, q, v) by name, beside those of [[event]]: where one passes through 0 within a step is found, and
            ``trajectory.events`` has it. Attributes ``direction`` (positive: upwards, negative: downwards) and ``terminal`` (True,
            or after how many the run is ended) of a function are heeded. Its g must be smooth, and is not differentiated.
        states: which of q, v, p (N, n) are kept.
        kernels: "auto", "compile" (an error where there is no C compiler), "interpret".
        space: "automatic", "fixed", "dense", "sparse".
        output: a trajectory file to write beside, by its extension: .h5, .csv, .xyz, .dcd, .h5md, .pvd.

    Ctrl-C, in a function of Python too, ends the run after the steps it is in, and what was observed is given back. Other threads run meanwhile.

    Raises:
        InputError: wrong input.
        RunError: a step is not solved or a state is not finite; ``error.trajectory`` has what was observed until then.
    """
    problem = load(source, overrides)
    show: Any = None if progress is False else _ProgressLine() if progress is True else progress
    result = _core.run(problem, states, kernels, space, os.fspath(output), show, observer, _event_words(events), warn)
    if isinstance(show, _ProgressLine):
        show.clear()
    trajectory = _finished(problem, result)
    for sentence in trajectory.certificate.broken:
        warn(sentence)
    return trajectory


def run_quietly(problem: Problem) -> Trajectory:
    """A run without warnings, for those who read its certificate. Raises RunError."""
    result = _core.run(problem, "qvp", "auto", "automatic", "", None, None, [], lambda words: None)
    return _finished(problem, result)


def _finished(problem: Problem, result: dict[str, Any]) -> Trajectory:
    trajectory = Trajectory(problem, result)
    if "failure" not in result:
        return trajectory
    error = RunError(result["failure"])
    error.message = result["failure"]
    error.trajectory = trajectory
    error.step, error.t = trajectory.certificate.steps, float(trajectory.t[-1]) if len(trajectory) else None
    raise error


class _ProgressLine:
    def __call__(self, done: int, total: int, seconds: float) -> None:
        share = 100 * done / max(total, 1)
        left = seconds * (total - done) / done if done else float("inf")
        sys.stderr.write(f"\r\x1b[K{share:3.0f} %  {left:.0f} s left")
        sys.stderr.flush()

    def clear(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
