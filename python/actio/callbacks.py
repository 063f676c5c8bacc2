"""Systems whose potential is a function of Python: numpy, JAX, numba, a code of one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from .problem import Problem
from .system import System

if TYPE_CHECKING:
    Function = Callable[..., Any]

_INITIAL = ("project", "static", "temperature", "seed", "xyz", "bodies", "solid")


class CallbackSystem(System):
    """What :meth:`System.from_callbacks` makes: it runs and steps as a System does, and has no problem file."""

    def __init__(self, value: Function | None, gradient: Function, hessian: Function | None, mass: Any, force: Function | None,
                 pattern: Any, linear: bool, time: bool, **words: Any) -> None:
        super().__init__(**words)
        self._value, self._gradient, self._hessian, self._force = value, gradient, hessian, force
        self._mass, self._pattern, self._linear, self._time = mass, pattern, linear, time

    def to_toml(self, **words: Any) -> str:
        raise TypeError("functions of Python have no problem file")

    def problem(self, *, overrides: Sequence[str] = (), position: Any = None, velocity: Any = None, **words: Any) -> Problem:
        import numpy as np

        if overrides:
            raise TypeError("a system of functions of Python takes no overrides")
        for name in _INITIAL:
            if words.get(name) is not None or name in self.initial:
                raise TypeError(f"a system of functions of Python starts at position and velocity, not by {name!r}")
        if position is None:
            raise TypeError("a system of functions of Python needs position, (n)")
        step = words.get("step")
        if not isinstance(step, (int, float)) or not 0 < step < float("inf"):
            raise ValueError(f"step = {step}; it must be positive and finite")
        q = np.array(position, float)
        v = np.zeros_like(q) if velocity is None else np.array(velocity, float)
        if q.ndim != 1 or v.shape != q.shape:
            raise ValueError(f"position has the shape {q.shape}, velocity {v.shape}")
        if (words.get("steps") is None) == (words.get("end") is None):
            raise TypeError("end or steps, one of them")
        rows, columns = self._places(len(q))
        mass = self._mass_of(len(q))
        # Coordinates that move freely, with all that is asked of the run: the functions are put in their place.
        self.words = {"coordinates": [f"q[{len(q)}]"], "mass": 1.0}
        text = super().to_toml(position={"q": 0.0}, **words)
        return _core.problem_of_callbacks(
            text, rows, columns, self._of(self._value, float), self._of(self._gradient, _array),
            self._of(self._hessian, self._entries(rows, columns)), self._force and self._forces, self._linear, self._time, *mass, q, v)

    def _places(self, n: int) -> tuple[Any, Any]:
        import numpy as np

        if self._pattern is not None:
            rows, columns = self._pattern
        elif self._hessian is None:
            rows, columns = [], []
        else:
            rows, columns = (places.ravel() for places in np.indices((n, n)))
        return np.ascontiguousarray(rows, np.int32), np.ascontiguousarray(columns, np.int32)

    def _mass_of(self, n: int) -> tuple[bool, Any, Any, Any]:
        import numpy as np

        none = np.zeros(0, np.int32)
        if hasattr(self._mass, "tocoo"):
            full = self._mass.tocoo()
            shape, entries = full.shape, (full.row.astype(np.int32), full.col.astype(np.int32), full.data.astype(float))
        else:
            mass = np.asarray(self._mass, float)
            if mass.ndim < 2:
                if mass.ndim == 1 and mass.shape != (n,):
                    raise ValueError(f"mass has the shape {mass.shape}, position ({n},)")
                return True, none, none, np.ascontiguousarray(np.broadcast_to(mass, (n,)))
            rows, columns = (places.ravel().astype(np.int32) for places in np.indices(mass.shape))
            shape, entries = mass.shape, (rows, columns, np.ascontiguousarray(mass.ravel()))
        if shape != (n, n):
            raise ValueError(f"mass has the shape {shape}, position ({n},)")
        return (False, *entries)

    def _of(self, function: Function | None, made: Function) -> Any:
        if function is None:
            return None
        if self._time:
            return lambda t, q: made(function(t, q))
        return lambda t, q: made(function(q))

    def _forces(self, t: float, q: Any, v: Any) -> Any:
        assert self._force is not None
        return _array(self._force(t, q, v))

    def _entries(self, rows: Any, columns: Any) -> Function:
        import numpy as np

        def entries(given: Any) -> Any:
            if hasattr(given, "tocsr"):
                return _array(np.asarray(given.tocsr()[rows, columns]).ravel())
            matrix = np.asarray(given, float)
            return _array(matrix if matrix.ndim == 1 else matrix[rows, columns])

        return entries


def _array(x: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(x, float).ravel()
