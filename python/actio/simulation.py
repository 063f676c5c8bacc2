"""Steps, for those who own the loop."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple


from . import _core
from .problem import Problem, load, method_words
from .system import System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .methods import Method


class State(NamedTuple):
    """A state: the time, and positions, velocities and momenta (n)."""

    t: float
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    p: NDArray[np.float64]


class Simulation:
    """A system and a method, to be stepped.

    >>> sim = Simulation("pendulum.toml", "midpoint", h=0.01)
    >>> sim.step(100)
    >>> sim.state.q, sim.energy

    Args:
        source: a problem file, a Problem, a System or a Structure.
        method: replaces the problem's method.
        h: the step; the problem's where it is None.
        overrides: as for :func:`actio.load`.
        kernels, space: as for :func:`actio.run`.

    Several simulations may run at once in threads; one of them waits for its calls. No certificate is measured: :func:`actio.run`
    does that.

    Raises:
        InputError: wrong input.
    """

    def __init__(self, source: str | os.PathLike[str] | Problem | Any, method: str | Method | Mapping[str, Any] | None = None,
                 h: float | None = None, overrides: Mapping[str, Any] | None = None, *, kernels: str = "auto",
                 space: str = "automatic") -> None:
        words = dict(overrides or {})
        if method is not None:
            words["method"] = method_words(method)
        if isinstance(source, System):  # which says nothing of steps
            words = {"run.step": 1.0 if h is None else h, "run.steps": 1, **words}
        self.problem = load(source, words)
        self._of = _core.Simulation(self.problem, kernels, space)
        self.h = self._of.h if h is None else float(h)

    def step(self, n: int = 1, h: float | None = None) -> None:
        """Makes n steps. Ctrl-C ends them between two, with KeyboardInterrupt.

        An exception of a function that a step calls passes through; the simulation must then be started again or restored.

        Raises:
            RunError: a step is not solved; the state is the one before it.
        """
        self._of.step(n, self.h if h is None else float(h))

    def start(self, t: float, q: ArrayLike, v: ArrayLike) -> None:
        """Begins anew at the time t with positions and velocities (n). With constraints they must satisfy them."""
        import numpy as np

        self._of.start(float(t), np.asarray(q, float), np.asarray(v, float))

    @property
    def state(self) -> State:
        return State(*self._of.state())

    @property
    def t(self) -> float:
        return self.state.t

    @property
    def q(self) -> NDArray[np.float64]:
        return self.state.q

    @property
    def v(self) -> NDArray[np.float64]:
        return self.state.v

    @property
    def p(self) -> NDArray[np.float64]:
        return self.state.p

    @property
    def energy(self) -> float:
        return self._of.energy()

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return self._of.steps

    def save(self) -> bytes:
        """All that the steps to come depend on."""
        return self._of.save()

    def restore(self, saved: bytes) -> None:
        """Goes on from what :meth:`save` gave, to the bit, here or in another simulation of the same system and method.

        Raises:
            InputError: the bytes are of something else.
        """
        self._of.restore(saved)
